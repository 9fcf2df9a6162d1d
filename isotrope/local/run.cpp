// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/local/run.hpp"

#include <algorithm>
#include <array>
#include <barrier>
#include <chrono>
#include <cmath>
#include <exception>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"

#include "isotrope/local/arenas.hpp"
#include "isotrope/local/check.hpp"
#include "isotrope/local/copy_program.hpp"
#include "isotrope/local/exchange.hpp"
#include "isotrope/local/expectation.hpp"
#include "isotrope/local/thread_team.hpp"
#include "isotrope/local/whole_numbers.hpp"

namespace isotrope::local {
namespace {

double gibibytes(std::uint64_t bytes) {
  return std::ldexp(static_cast<double>(bytes), -30);
}

unsigned thread_count(const ExecutionOptions& options, Node nodes) {
  if (options.threads > most_threads) {
    throw Error(
        fmt::format("{} threads: give 1 to {}, or 0 for one per core", options.threads, most_threads));
  }
  const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
  return std::min<unsigned>(options.threads == 0 ? cores : options.threads, nodes);
}

// Reports progress to the listener, in steps of a hundredth. Keeps an exception of the listener until all threads
// have ended.
class RunProgress {
 public:
  RunProgress(const std::function<void(double)>& listener, std::uint64_t steps)
      : listener_(listener), steps_(static_cast<double>(steps)) {}

  void step() noexcept {
    const double share = ++done_ / steps_;
    if (!listener_ || failure_ || (share < told_ + 0.01 && share < 1)) return;
    told_ = share;
    try {
      listener_(share);
    } catch (...) {
      failure_ = std::current_exception();
    }
  }
  void rethrow() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  const std::function<void(double)>& listener_;
  double steps_;
  double done_ = 0;
  double told_ = 0;
  std::exception_ptr failure_;
};

// One run: work() is called once per thread, concurrently; then result().
class ThreadedRun {
 public:
  ThreadedRun(const schedule::Plan& plan, const ExecutionOptions& options, const CopyProgram& program,
              unsigned threads)
      : network_(hop_network(plan)),
        program_(program),
        rounds_(plan.schedule.round_count()),
        seed_(options.seed),
        threads_(threads),
        arenas_(program),
        barrier_(threads),
        verdicts_(threads),
        progress_(options.progress, program.step_ends.size() + 2 + copy_times_.size()) {}

  void work(unsigned index) {
    const Positions mine = {position(index), position(index + 1)};
    fill(network_, program_, arenas_, seed_, mine);
    finish_step(index);
    const double seconds = timed([&] { exchange(index, mine); });
    verdicts_[index] = check(network_.group(), program_, arenas_, seed_, index, threads_);
    finish_step(index);
    for (double& time : copy_times_) {
      const double copy_seconds = timed([&] { copy_share(index); });
      if (index == 0) time = copy_seconds;
      finish_step(index);
    }
    if (index == 0) seconds_ = seconds;
  }

  RunResult result() {
    progress_.rethrow();
    Verdict verdict;
    for (const Verdict& next : verdicts_) verdict.append(next);
    std::ranges::sort(copy_times_);
    return {.correct = verdict.first_error.empty(),
            .first_error = verdict.first_error,
            .rounds = rounds_,
            .bytes_moved = program_.bytes_moved,
            .bytes_checked = verdict.bytes_checked,
            .memory_bytes = program_.memory_bytes(),
            .largest_rounding = verdict.largest_rounding,
            .rounding_bound = rounding_bound(program_.reduction, program_.survivors.size()),
            .threads = threads_,
            .seconds = seconds_,
            .memcpy_seconds = copy_times_[1]};
  }

 private:
  Node position(unsigned index) const {
    return static_cast<Node>(share_begin(index, network_.order(), threads_));
  }

  void exchange(unsigned index, Positions mine) {
    for (std::uint64_t t = 0; t < program_.step_ends.size(); ++t) {
      run_step(network_, program_, arenas_, t, mine);
      barrier_.arrive_and_wait();
      finish_step(index);
    }
  }

  void copy_share(unsigned index) {
    const auto cut = [&](std::uint64_t total, unsigned i) { return share_begin(i, total, threads_); };
    const std::span<std::byte> all = arenas_.all();
    const std::uint64_t begin = cut(all.size(), index), end = cut(all.size(), index + 1);
    const std::uint64_t bytes = cut(program_.bytes_moved, index + 1) - cut(program_.bytes_moved, index);
    copy_plainly(all.subspan(begin, end - begin), program_.largest_piece, bytes);
  }

  // Seconds from the arrival of the last thread to the end of the last thread's work.
  template <class Work>
  double timed(Work work) {
    using Clock = std::chrono::steady_clock;
    barrier_.arrive_and_wait();
    const Clock::time_point start = Clock::now();
    work();
    barrier_.arrive_and_wait();
    return std::chrono::duration<double>(Clock::now() - start).count();
  }

  void finish_step(unsigned index) {
    if (index == 0) progress_.step();
  }

  const network::Network& network_;
  const CopyProgram& program_;
  std::uint64_t rounds_;
  std::uint64_t seed_;
  unsigned threads_;
  Arenas arenas_;
  std::barrier<> barrier_;
  std::vector<Verdict> verdicts_;  // by thread
  std::array<double, 3> copy_times_{};
  double seconds_ = 0;
  RunProgress progress_;
};

}  // namespace

std::uint64_t memory_needed(const schedule::Plan& plan, std::uint64_t block_bytes, Reduction reduction) {
  return compile(plan, block_bytes, reduction).memory_bytes();
}

RunResult run(const schedule::Plan& plan, const ExecutionOptions& options) {
  const unsigned threads = thread_count(options, plan.network.order());
  const CopyProgram program = compile(plan, options.block_bytes, options.reduction);
  const std::uint64_t needed = program.memory_bytes();
  if (options.memory_limit != 0 && needed > options.memory_limit) {
    throw Error(fmt::format(
        "{} on {} in blocks of {} bytes needs {:.2f} GiB of buffers, and the limit is {:.2f} GiB: use "
        "smaller blocks, a smaller network or a higher limit",
        schedule::to_string(plan.task), plan.network.name(), options.block_bytes, gibibytes(needed),
        gibibytes(options.memory_limit)));
  }
  ThreadedRun run(plan, options, program, threads);
  on_threads(threads, [&](unsigned index) { run.work(index); });
  return run.result();
}

}  // namespace isotrope::local
