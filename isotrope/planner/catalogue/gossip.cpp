// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/gossip/gossip.hpp"

#include <deque>
#include <utility>

#include <fmt/format.h>

#include "isotrope/bound/lower_bounds.hpp"

#include "isotrope/algorithm/gossip/gossip_schedules.hpp"

#include "isotrope/planner/catalogue/shared.hpp"

namespace isotrope::planner {
namespace {

using algorithm::Gossip;
using schedule::Schedule;

// The last gossips are kept: all collectives share them, and one takes longer than a schedule.
const Gossip& gossip_of(const Problem& problem, const Parameters& parameters) {
  struct Found {
    Network network;
    schedule::PortModel ports;
    algorithm::SearchLimits limits;
    Gossip gossip;
  };
  constexpr std::size_t most_kept = 8;
  thread_local std::deque<Found> last;
  const algorithm::SearchLimits limits = search_limits(problem, parameters);
  for (const Found& found : last) {
    if (same_network(found.network, problem.network) && found.ports == problem.ports &&
        found.limits == limits)
      return found.gossip;
  }
  if (last.size() == most_kept) last.pop_back();
  last.push_front({problem.network, problem.ports, limits,
                   algorithm::find_gossip(problem.network, problem.ports, limits)});
  return last.front().gossip;
}

// The bound on gossip is that of an aggregated allgather, whatever the collective.
Problem allgather_of(Problem problem) {
  problem.task = {.collective = Collective::allgather};
  problem.aggregation = unbounded;
  return problem;
}

Schedule plan_allgather(const Problem& problem, const Parameters& parameters) {
  return algorithm::gossip_allgather(problem.network, problem.task.parts, problem.ports,
                                     gossip_of(allgather_of(problem), parameters));
}

Schedule plan_exchange(const Problem& problem, const Parameters& parameters) {
  return algorithm::gossip_exchange(problem.network, problem.task.parts, problem.ports,
                                    gossip_of(allgather_of(problem), parameters));
}

std::uint64_t rounds(const Problem& problem, const Parameters& parameters) {
  return gossip_of(allgather_of(problem), parameters).rounds.size();
}

Reason too_large(const Problem& problem) {
  constexpr std::uint64_t most_pairs = std::uint64_t{1} << 23;
  const std::uint64_t nodes = problem.network.order(), pairs = nodes * nodes * problem.task.parts;
  if (nodes <= algorithm::most_gossiping_nodes && pairs <= most_pairs) return std::nullopt;
  return fmt::format(
      "it lists the packets of all pairs of nodes: {} for {} in {} parts, and at most {} of {} nodes are "
      "taken",
      pairs, problem.network.name(), problem.task.parts, most_pairs, algorithm::most_gossiping_nodes);
}

Reason unsuitable(const Problem& problem) {
  const Reason reason = partly_aggregated(problem);
  return reason ? reason : too_large(problem);
}

Traits gossip_traits(std::string name, Collective collective) {
  Traits result{std::move(name),
                collective,
                "every network of up to 2048 nodes",
                any_ports,
                "all that a node knows, in every message: exchanges axis after axis, doubling, and searches",
                "all and most full-duplex models: at the bound, the diameter or ceil(log N)"};
  result.strict = false;
  result.aggregates = result.searched = result.least_rounds = true;
  return result;
}

}  // namespace

Algorithms gossip() {
  Traits allgather = gossip_traits("gossip-allgather", Collective::allgather);
  allgather.reversed = {"gossip-reduce-scatter"};
  Algorithms result;
  result.push_back(std::make_unique<CatalogRow>(std::move(allgather), unsuitable, plan_allgather, rounds));
  result.push_back(std::make_unique<CatalogRow>(gossip_traits("gossip-exchange", Collective::alltoall),
                                                unsuitable, plan_exchange, rounds));
  return result;
}

}  // namespace isotrope::planner
