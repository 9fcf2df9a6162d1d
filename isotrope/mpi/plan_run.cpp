// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/mpi/plan_run.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "isotrope/local/byte_stream.hpp"

#include "isotrope/mpi/failure.hpp"
#include "isotrope/mpi/lock_step.hpp"

namespace isotrope::mpi {
namespace {

using network::Node;
using schedule::Collective;

// Whose bytes a block holds: contributor, the node it is for or 0, number.
struct Content {
  Node contributor;
  Node owner;
  std::uint32_t block;
};

class Run {
 public:
  Run(MPI_Comm comm, const schedule::Plan& plan, const PlanRunOptions& options)
      : comm_(comm), plan_(plan), options_(options) {
    MPI_Comm_rank(comm_, &rank_);
    program_ = std::make_shared<const rank::Program>(rank::compile(plan_, node()));
    input_.resize(options_.block_bytes * program_->input_blocks);
    output_.resize(options_.block_bytes * program_->output_blocks);
    for (std::uint32_t b = 0; b < program_->input_blocks; ++b) write(block(input_, b), contribution(b));
  }

  PlanRun run() {
    PlanRun result;
    std::vector<double> seconds;
    std::vector<std::vector<double>> rounds(program_->rounds());
    for (std::uint32_t i = 0; i < options_.repetitions; ++i) run_once(seconds, rounds);
    result.seconds = median(seconds);
    for (std::vector<double>& times : rounds) result.round_seconds.push_back(median(times));
    std::array<std::uint64_t, 2> sent = own_traffic();
    MPI_Allreduce(MPI_IN_PLACE, sent.data(), 2, MPI_UINT64_T, MPI_SUM, comm_);
    result.messages = sent[0];
    result.bytes_sent = sent[1];
    result.first_error = first_error();
    result.correct = result.first_error.empty();
    return result;
  }

 private:
  Node node() const { return static_cast<Node>(rank_); }
  Node size() const { return plan_.network.order(); }
  rank::Units units() const {
    return program_->one_vector ? rank::Units::of_vector(options_.block_bytes * program_->input_blocks,
                                                         program_->input_blocks, program_->parts)
                                : rank::Units::of_blocks(options_.block_bytes, program_->parts);
  }

  void run_once(std::vector<double>& seconds, std::vector<std::vector<double>>& rounds) {
    std::ranges::fill(output_, std::byte{0xEE});
    std::vector<double> clock;
    LockStep execution({.program = program_,
                        .units = units(),
                        .form = {.type = MPI_UINT8_T},
                        .combination = {MPI_SUM, MPI_UINT8_T, false},
                        .input = input_.data(),
                        .output = output_.data(),
                        .empty_messages = plan_.task.collective == Collective::barrier,
                        .clock = &clock},
                       comm_, 1);
    MPI_Barrier(comm_);
    const double begin = MPI_Wtime();
    execution.start();
    execution.wait();
    double took = MPI_Wtime() - begin;
    require_success(execution.error(), "running a plan");
    for (std::size_t t = clock.size(); t-- > 0;) clock[t] -= t == 0 ? begin : clock[t - 1];
    MPI_Allreduce(MPI_IN_PLACE, clock.data(), static_cast<int>(clock.size()), MPI_DOUBLE, MPI_MAX, comm_);
    MPI_Allreduce(MPI_IN_PLACE, &took, 1, MPI_DOUBLE, MPI_MAX, comm_);
    seconds.push_back(took);
    for (std::size_t t = 0; t < clock.size(); ++t) rounds[t].push_back(clock[t]);
  }

  static double median(std::vector<double>& values) {
    if (values.empty()) return 0;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::ranges::nth_element(values, middle);
    return *middle;
  }

  std::array<std::uint64_t, 2> own_traffic() const {
    std::array<std::uint64_t, 2> sent{};
    const rank::Units cut = units();
    for (std::size_t t = 0; t < program_->rounds(); ++t) {
      for (const rank::Message& message : program_->sends(t)) {
        ++sent[0];
        for (const rank::Piece& piece : program_->pieces(message))
          sent[1] += cut.elements(piece.unit, piece.count);
      }
    }
    return sent;
  }

  // ---- contents

  std::span<std::byte> block(std::vector<std::byte>& blocks, std::uint32_t index) const {
    return {blocks.data() + index * options_.block_bytes, options_.block_bytes};
  }

  void write(std::span<std::byte> out, const Content& content) const {
    local::ByteStream(options_.seed, content.contributor, content.owner, content.block).write(out, 0);
  }

  Content contribution(std::uint32_t b) const {
    switch (plan_.task.collective) {
      case Collective::scatter:
      case Collective::alltoall:
      case Collective::reduce_scatter:
      case Collective::allreduce:
      case Collective::barrier:
        return {node(), 0, b};
      case Collective::neighborhood:
      case Collective::isotropic:
      case Collective::task:
        return {node(), program_->inputs[b].other, program_->inputs[b].block};
      default:
        return {node(), 0, 0};
    }
  }

  // What block `b` of the output should hold: one contribution, or the sum of all nodes' of one number.
  void expected(std::span<std::byte> out, std::uint32_t b) const {
    switch (plan_.task.collective) {
      case Collective::broadcast:
        return write(out, {plan_.task.root, 0, 0});
      case Collective::scatter:
        return write(out, {plan_.task.root, 0, node()});
      case Collective::gather:
      case Collective::allgather:
        return write(out, {b, 0, 0});
      case Collective::alltoall:
        return write(out, {b, 0, node()});
      case Collective::reduce:
        return add_all(out, 0);
      case Collective::reduce_scatter:
        return add_all(out, node());
      case Collective::allreduce:
      case Collective::barrier:
        return add_all(out, b);
      case Collective::neighborhood:
      case Collective::isotropic:
      case Collective::task:
        return write(out, {program_->outputs[b].other, node(), program_->outputs[b].block});
    }
  }

  void add_all(std::span<std::byte> out, std::uint32_t number) const {
    std::vector<std::byte> one(out.size());
    std::ranges::fill(out, std::byte{0});
    for (Node contributor = 0; contributor < size(); ++contributor) {
      write(one, {contributor, 0, number});
      std::ranges::transform(out, one, out.begin(), [](std::byte a, std::byte b) {
        return static_cast<std::byte>(std::to_integer<unsigned>(a) + std::to_integer<unsigned>(b));
      });
    }
  }

  std::string own_error() {
    std::vector<std::byte> wanted(options_.block_bytes);
    for (std::uint32_t b = 0; b < program_->output_blocks; ++b) {
      expected(wanted, b);
      const std::span<std::byte> came = block(output_, b);
      const auto [right, wrong] = std::ranges::mismatch(wanted, came);
      if (wrong == came.end()) continue;
      return fmt::format("rank {}, block {}, byte {}: {:#04x} instead of {:#04x}", rank_, b,
                         wrong - came.begin(), std::to_integer<unsigned>(*wrong),
                         std::to_integer<unsigned>(*right));
    }
    return "";
  }

  // That of the lowest rank that has one.
  std::string first_error() {
    std::array<char, 200> text{};
    const std::string own = own_error();
    own.copy(text.data(), text.size() - 1);
    int lowest = own.empty() ? static_cast<int>(size()) : rank_;
    MPI_Allreduce(MPI_IN_PLACE, &lowest, 1, MPI_INT, MPI_MIN, comm_);
    if (lowest == static_cast<int>(size())) return "";
    MPI_Bcast(text.data(), static_cast<int>(text.size()), MPI_CHAR, lowest, comm_);
    return text.data();
  }

  MPI_Comm comm_;
  const schedule::Plan& plan_;
  const PlanRunOptions& options_;
  int rank_ = 0;
  std::shared_ptr<const rank::Program> program_;
  std::vector<std::byte> input_, output_;
};

// A private duplicate, freed in the end.
class PrivateComm {
 public:
  explicit PrivateComm(MPI_Comm comm) {
    require_success(MPI_Comm_dup(comm, &comm_), "duplicating a communicator");
  }
  PrivateComm(const PrivateComm&) = delete;
  PrivateComm& operator=(const PrivateComm&) = delete;
  ~PrivateComm() { MPI_Comm_free(&comm_); }

  MPI_Comm get() const { return comm_; }

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
};

}  // namespace

PlanRun run_plan(MPI_Comm comm, const schedule::Plan& plan, const PlanRunOptions& options) {
  int size = 0;
  MPI_Comm_size(comm, &size);
  if (static_cast<Node>(size) != plan.network.order()) {
    throw Error(
        fmt::format("a plan for {} on {} ranks: start as many ranks as it has nodes, as in mpirun -n {}",
                    plan.network.name(), size, plan.network.order()));
  }
  const PrivateComm own(comm);
  return Run(own.get(), plan, options).run();
}

}  // namespace isotrope::mpi
