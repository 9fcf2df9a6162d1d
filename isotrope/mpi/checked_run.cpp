// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/mpi/checked_run.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "isotrope/base/median.hpp"

#include "isotrope/local/byte_stream.hpp"
#include "isotrope/rank/contents.hpp"

#include "isotrope/mpi/executor.hpp"
#include "isotrope/mpi/failure.hpp"
#include "isotrope/mpi/topology.hpp"

namespace isotrope::mpi {
namespace {

using network::Node;
using schedule::Collective;

class PlanRunner {
 public:
  PlanRunner(MPI_Comm comm, const schedule::Plan& plan, const CheckedRunOptions& options)
      : comm_(comm),
        channel_(comm, ranks_by_node(options.ranks, plan.network.order()), 1, 1),
        plan_(plan),
        options_(options),
        rank_(rank_in(comm)),
        program_(std::make_shared<const rank::RankProgram>(rank::compile(plan_, node()))),
        contents_(plan_.task.collective, *program_, node(), plan_.task.root) {
    input_.resize(options_.block_bytes * program_->input_blocks);
    output_.resize(options_.block_bytes * program_->output_blocks);
    for (std::uint32_t b = 0; b < program_->input_blocks; ++b) write(block(input_, b), contents_.input(b));
  }

  CheckedRun run() {
    CheckedRun result;
    std::vector<double> seconds;
    std::vector<std::vector<double>> rounds(program_->rounds());
    for (std::uint32_t i = 0; i < options_.repetitions; ++i) run_once(seconds, rounds);
    const auto middle = [](const std::vector<double>& times) { return times.empty() ? 0 : median(times); };
    result.seconds = middle(seconds);
    for (const std::vector<double>& times : rounds) result.round_seconds.push_back(middle(times));
    std::array<std::uint64_t, 2> sent = own_traffic();
    MPI_Allreduce(MPI_IN_PLACE, sent.data(), 2, MPI_UINT64_T, MPI_SUM, comm_);
    result.messages = sent[0];
    result.bytes_sent = sent[1];
    result.first_error = first_error();
    result.correct = result.first_error.empty();
    return result;
  }

 private:
  Node node() const { return options_.ranks.node_of(static_cast<network::Rank>(rank_)); }
  Node size() const { return plan_.network.order(); }
  static std::vector<int> ranks_by_node(const network::RankMap& ranks, Node order) {
    std::vector<int> result;
    for (Node node = 0; node < order; ++node) result.push_back(static_cast<int>(ranks.rank_of(node)));
    return result;
  }
  rank::Segmentation units() const {
    return program_->one_vector ? rank::Segmentation::of_vector(options_.block_bytes * program_->input_blocks,
                                                                program_->input_blocks, program_->parts)
                                : rank::Segmentation::of_blocks(options_.block_bytes, program_->parts);
  }

  void run_once(std::vector<double>& seconds, std::vector<std::vector<double>>& rounds) {
    std::ranges::fill(output_, std::byte{0xEE});
    std::vector<double> clock;
    const auto executor = make_round_executor({.program = program_,
                                               .units = units(),
                                               .layout = {.type = MPI_UINT8_T},
                                               .reduction = {MPI_SUM, MPI_UINT8_T, false},
                                               .input = input_.data(),
                                               .output = output_.data(),
                                               .empty_messages = plan_.task.collective == Collective::barrier,
                                               .clock = &clock},
                                              channel_, 1);
    MPI_Barrier(comm_);
    const double begin = MPI_Wtime();
    executor->start();
    executor->wait();
    double took = MPI_Wtime() - begin;
    require_success(executor->error(), "running a plan");
    for (std::size_t t = clock.size(); t-- > 0;) clock[t] -= t == 0 ? begin : clock[t - 1];
    MPI_Allreduce(MPI_IN_PLACE, clock.data(), static_cast<int>(clock.size()), MPI_DOUBLE, MPI_MAX, comm_);
    MPI_Allreduce(MPI_IN_PLACE, &took, 1, MPI_DOUBLE, MPI_MAX, comm_);
    seconds.push_back(took);
    for (std::size_t t = 0; t < clock.size(); ++t) rounds[t].push_back(clock[t]);
  }

  std::array<std::uint64_t, 2> own_traffic() const {
    std::array<std::uint64_t, 2> sent{};
    const rank::Segmentation cut = units();
    for (std::size_t t = 0; t < program_->rounds(); ++t) {
      for (const rank::RankMessage& message : program_->sends(t)) {
        ++sent[0];
        for (const rank::Fragment& fragment : program_->fragments(message))
          sent[1] += cut.elements(fragment.unit, fragment.count);
      }
    }
    return sent;
  }

  // ---- contents

  std::span<std::byte> block(std::vector<std::byte>& blocks, std::uint32_t index) const {
    return {blocks.data() + index * options_.block_bytes, options_.block_bytes};
  }

  // Reductions add all contributions modulo 256, byte by byte.
  void write(std::span<std::byte> out, const rank::BlockContent& content) const {
    if (content.contributor != rank::everyone) return write_contribution(out, content);
    std::vector<std::byte> one(out.size());
    std::ranges::fill(out, std::byte{0});
    for (Node contributor = 0; contributor < contents_.contributors(content, size()); ++contributor) {
      write_contribution(one, contents_.contribution(content, contributor));
      std::ranges::transform(out, one, out.begin(), [](std::byte a, std::byte b) {
        return static_cast<std::byte>(std::to_integer<unsigned>(a) + std::to_integer<unsigned>(b));
      });
    }
  }

  void write_contribution(std::span<std::byte> out, const rank::BlockContent& content) const {
    local::ByteStream(options_.seed, content.contributor, content.destination, content.block).write(out, 0);
  }

  std::string own_error() {
    std::vector<std::byte> wanted(options_.block_bytes);
    for (std::uint32_t b = 0; b < program_->output_blocks; ++b) {
      write(wanted, contents_.output(b));
      const std::span<std::byte> received = block(output_, b);
      const auto [right, wrong] = std::ranges::mismatch(wanted, received);
      if (wrong == received.end()) continue;
      return fmt::format("rank {}, block {}, byte {}: {:#04x} instead of {:#04x}", rank_, b,
                         wrong - received.begin(), std::to_integer<unsigned>(*wrong),
                         std::to_integer<unsigned>(*right));
    }
    return "";
  }

  // The error of the lowest rank that has one, on all ranks.
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
  Channel channel_;  // to nodes
  const schedule::Plan& plan_;
  const CheckedRunOptions& options_;
  int rank_;
  std::shared_ptr<const rank::RankProgram> program_;
  rank::Contents contents_;
  std::vector<std::byte> input_, output_;
};

}  // namespace

CheckedRun run_plan_checked(MPI_Comm comm, const schedule::Plan& plan, const CheckedRunOptions& options) {
  const int size = size_of(comm);
  if (static_cast<Node>(size) != plan.network.order()) {
    throw Error(
        fmt::format("a plan for {} on {} ranks: start as many ranks as it has nodes, as in mpirun -n {}",
                    plan.network.name(), size, plan.network.order()));
  }
  if (!options.ranks.fits(plan.network.order()))
    throw Error(fmt::format("a rank map that does not fit {}: give one of its {} nodes", plan.network.name(),
                            plan.network.order()));
  rank::require_all_nodes(plan);
  MPI_Comm own = MPI_COMM_NULL;
  require_success(MPI_Comm_dup(comm, &own), "duplicating a communicator");
  const auto free = [](MPI_Comm* given) { MPI_Comm_free(given); };
  const std::unique_ptr<MPI_Comm, decltype(free)> freed(&own, free);
  return PlanRunner(own, plan, options).run();
}

}  // namespace isotrope::mpi
