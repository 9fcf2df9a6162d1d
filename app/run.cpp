// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// isotrope run: plans or reads, verifies, then executes on real buffers in this process and checks every
// byte, or every result of a reduction.
#include "isotrope/local/run.hpp"

#include <fstream>
#include <limits>
#include <string>
#include <unistd.h>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"

#include "app/commands.hpp"
#include "app/describe.hpp"
#include "app/mpi_backend.hpp"
#include "app/output.hpp"
#include "app/payload.hpp"
#include "app/progress.hpp"
#include "app/values.hpp"

namespace isotrope::app {
namespace {

// The memory that can be allocated without swapping: free memory, and caches that the system would give up.
std::uint64_t available_memory() {
  std::ifstream meminfo("/proc/meminfo");
  for (std::string name; meminfo >> name;) {
    std::uint64_t kibibytes = 0;
    if (name == "MemAvailable:" && meminfo >> kibibytes) return kibibytes * 1024;
    meminfo.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  }
  return static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) *
         static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

local::Reduction chosen_reduction(const RunOptions& options, const schedule::Task& task) {
  if (!schedule::reduces(task.collective) && !(options.type.empty() && options.operation.empty())) {
    throw Error(fmt::format(
        "--{} {}: {} does not reduce; give reduce, reduce-scatter, allreduce, scan, exscan or barrier",
        options.type.empty() ? "op" : "type", options.type.empty() ? options.operation : options.type,
        schedule::to_string(task)));
  }
  local::Reduction reduction;
  if (!options.type.empty()) reduction.type = local::parse_type(options.type);
  if (!options.operation.empty()) reduction.operation = local::parse_operation(options.operation);
  return reduction;
}

double rate(std::uint64_t bytes, double seconds) {
  return seconds > 0 ? static_cast<double>(bytes) / seconds / 1e9 : 0;
}

// "every byte right", or what every result is equal to.
std::string checks_in_words(const local::RunResult& result, const schedule::Task& task,
                            local::Reduction reduction) {
  if (!schedule::reduces(task.collective)) return "every byte right";
  const std::string serial =
      fmt::format("the serial {} of type {}", name_of(reduction.operation), name_of(reduction.type));
  if (!is_rounded(reduction)) return fmt::format("every result equal to {}", serial);
  return fmt::format("every result equal to {} within rounding: off by {:.1e} at most, {:.1e} allowed",
                     serial, result.largest_rounding, result.rounding_bound);
}

std::string result_in_words(const local::RunResult& result, const schedule::Task& task,
                            local::Reduction reduction) {
  const double run_rate = rate(result.bytes_moved, result.seconds);
  const double memcpy_rate = rate(result.bytes_moved, result.memcpy_seconds);
  const double share = memcpy_rate > 0 ? 100 * run_rate / memcpy_rate : 0;
  std::string text =
      line("moved", fmt::format("{} in {} on {} threads: {:.2f} GB/s", format_size(result.bytes_moved),
                                format_seconds(result.seconds), result.threads, run_rate)) +
      line("memcpy", fmt::format("the same bytes in {}: {:.2f} GB/s; the run is at {:.0f} % of it",
                                 format_seconds(result.memcpy_seconds), memcpy_rate, share)) +
      line("buffers", format_size(result.memory_bytes));
  text += result.correct ? line("checked", fmt::format("{} delivered, {}", format_size(result.bytes_checked),
                                                       checks_in_words(result, task, reduction)))
                         : line("WRONG", result.first_error);
  return text;
}

void add_reduction(Json& facts, const local::RunResult& result, local::Reduction reduction) {
  facts["type"] = name_of(reduction.type);
  facts["op"] = name_of(reduction.operation);
  if (!is_rounded(reduction)) return;
  facts["largest_rounding"] = result.largest_rounding;
  facts["rounding_bound"] = result.rounding_bound;
}

}  // namespace

int run_command(const RunOptions& options) {
  if (options.backend == Backend::mpi) return hand_over_to_mpi("run --backend mpi");
  if (!options.ranks.empty())
    throw Error("--ranks: it is for --backend mpi, as threads are nodes; leave it out");
  hint_at_ranks();
  Subject subject = chosen_plan(options);
  const local::Reduction reduction = chosen_reduction(options, subject.plan.task);
  const std::uint64_t block =
      block_bytes(*options.bytes, blocks_in_count(subject.plan), element_bytes(reduction.type));
  local::ExecutionOptions run_options{.block_bytes = block,
                                      .reduction = reduction,
                                      .threads = static_cast<unsigned>(options.threads.value_or(0)),
                                      .memory_limit = available_memory()};
  const verify::Report report = verified(subject);
  if (!report.valid) {
    print_findings("run", options, subject, report);
    return 1;
  }
  const local::RunResult result = [&] {
    Progress progress("running");
    run_options.progress = progress.callback();
    return local::run(subject.plan, run_options);
  }();
  write_chosen_plan(options, subject.plan);

  if (options.json) {
    Json facts = findings(subject, report);
    facts["bytes"] = *options.bytes;
    facts["block_bytes"] = block;
    facts["correct"] = result.correct;
    if (!result.correct) facts["first_error"] = result.first_error;
    if (schedule::reduces(subject.plan.task.collective)) add_reduction(facts, result, reduction);
    facts.update({{"bytes_moved", result.bytes_moved},
                  {"bytes_checked", result.bytes_checked},
                  {"threads", result.threads},
                  {"seconds", result.seconds},
                  {"gb_per_s", rate(result.bytes_moved, result.seconds)},
                  {"memcpy_gb_per_s", rate(result.bytes_moved, result.memcpy_seconds)}});
    print(answer("run", facts));
  } else {
    print(findings_in_words(subject, report) +
          line("size", payload_in_words(subject.plan.task, *options.bytes)) +
          result_in_words(result, subject.plan.task, reduction));
  }
  return result.correct ? 0 : 1;
}

}  // namespace isotrope::app
