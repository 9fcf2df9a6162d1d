// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/mpi/programs.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

#include "isotrope/rank/run_ahead.hpp"

#include "isotrope/planner/whole_vectors.hpp"

namespace isotrope::mpi {

using schedule::Collective;

namespace {

// The least size of the class: the three bits below the leading one are kept.
std::uint64_t size_class(std::uint64_t bytes) {
  constexpr int kept = 4;
  const auto width = static_cast<int>(std::bit_width(bytes));
  return width <= kept ? bytes : bytes >> (width - kept) << (width - kept);
}

}  // namespace

Programs::Programs(network::Network network, network::Node rank, cost::Machine machine)
    : network_(std::move(network)), rank_(rank), machine_(machine) {}

std::shared_ptr<const rank::Program> Programs::find(Collective collective, network::Node root,
                                                    std::uint64_t bytes) {
  const Key key{collective, root, size_class(bytes)};
  const auto entry = std::ranges::find(held_, key, &Entry::key);
  if (entry != held_.end()) {
    held_.splice(held_.begin(), held_, entry);
    return entry->program;
  }
  held_.push_front({key, make_program(key)});
  if (held_.size() > most_held) held_.pop_back();
  return held_.front().program;
}

std::shared_ptr<const rank::Program> Programs::make_program(const Key& key) {
  const Way way = plan(key.collective, key.least_bytes);
  if (!way.plan) return nullptr;
  rank::Program program = way.whole_vectors ? rank::compile_whole_vectors(*way.plan, rank_)
                                            : rank::compile(*way.plan, rank_, key.root);
  if (way.in_flight > 1) rank::run_ahead(program, *way.plan, way.in_flight);
  return std::make_shared<const rank::Program>(std::move(program));
}

Programs::Way Programs::plan(Collective collective, std::uint64_t bytes) {
  const auto entry = std::ranges::find_if(
      plans_, [&](const Plan& held) { return held.collective == collective && held.least_bytes == bytes; });
  if (entry != plans_.end()) {
    plans_.splice(plans_.begin(), plans_, entry);
    return entry->way;
  }
  plans_.push_front({collective, bytes, make_plan(collective, bytes)});
  if (plans_.size() > most_plans) plans_.pop_back();
  return plans_.front().way;
}

Programs::Way Programs::way_of(const planner::Candidate& candidate) {
  return {.plan = std::make_shared<const schedule::Plan>(planner::make_plan(candidate)),
          .in_flight = candidate.prediction.in_flight};
}

Programs::Way Programs::make_plan(Collective collective, std::uint64_t bytes) const {
  if (collective == Collective::allreduce) return plan_allreduce(bytes);
  planner::Choice choice = choose(collective, bytes);
  if (collective == Collective::barrier) {
    planner::Choice gathering = choose(Collective::allgather, bytes);
    if (gathering_seconds(gathering) < choice.best().prediction.seconds) choice = std::move(gathering);
  }
  return way_of(choice.best());
}

Programs::Way Programs::plan_allreduce(std::uint64_t bytes) const {
  const planner::Choice choice = choose(Collective::allreduce, bytes);
  const double planned = choice.best().prediction.seconds,
               gathering = gathering_seconds(choose(Collective::allgather, bytes)),
               doubling = doubling_seconds(bytes);
  if (doubling < std::min(planned, gathering)) {
    return {.plan = std::make_shared<const schedule::Plan>(planner::plan_whole_vectors(network_)),
            .whole_vectors = true};
  }
  if (gathering < planned) return {};
  return way_of(choice.best());
}

// The planner's blocks of an allreduce are those of the nodes, N in a vector.
planner::Choice Programs::choose(Collective collective, std::uint64_t bytes) const {
  const planner::Request request{
      .network = network_, .task = {.collective = collective}, .ports = machine_.ports};
  const std::uint64_t blocks = collective == Collective::allreduce ? network_.order() : 1;
  return choose_for(request, std::max<std::uint64_t>((bytes + blocks - 1) / blocks, 1), machine_);
}

// The processor passes once over what it combines, as it does over what it sends.
double Programs::gathering_seconds(const planner::Choice& gathering) const {
  const auto combined = static_cast<double>(gathering.block_bytes) * network_.order();
  return gathering.best().prediction.seconds + combined * machine_.overhead_byte_s;
}

double Programs::doubling_seconds(std::uint64_t bytes) const {
  if (!planner::doubles_whole_vectors(network_, machine_)) return std::numeric_limits<double>::infinity();
  const planner::Prediction doubling = planner::predict_whole_vectors(network_, bytes, machine_);
  const auto combined = static_cast<double>(doubling.rounds) * static_cast<double>(bytes);
  return doubling.seconds + combined * machine_.overhead_byte_s;
}

}  // namespace isotrope::mpi
