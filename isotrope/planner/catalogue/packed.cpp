// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Exchanges in packed steps (algorithm/exchange/packed_exchange.hpp). Blocks of several parts are exchanged part after
// part.

#include <fmt/format.h>

#include "isotrope/bound/steps.hpp"

#include "isotrope/algorithm/exchange/packed_exchange.hpp"

#include "isotrope/planner/catalogue/shared.hpp"

namespace isotrope::planner {
namespace {

using schedule::Schedule;

Schedule search_packed(const Problem& problem, const Parameters& parameters) {
  constexpr std::uint64_t most_places = std::uint64_t{1} << 27, most_brief_places = std::uint64_t{1} << 18;
  algorithm::SearchLimits limits = search_limits(problem, parameters);
  const auto bound = bound::step_bound(problem);
  limits.target = bound ? bound->sum_of_loads : 0;
  limits.links = parameters.brief ? most_brief_places : most_places;
  return algorithm::packed_exchange(problem.network, problem.task, merged_destinations(problem),
                                    *problem.step_limits, limits);
}

Reason unsuitable_for_packing(const Problem& problem) {
  constexpr std::uint64_t most_packets = std::uint64_t{1} << 12;
  if (auto reason = limited_ports(problem)) return reason;
  if (!problem.step_limits) return "it packs steps of limited loads, so give --pack SENDS,LOAD";
  const auto destinations = merged_destinations(problem);
  std::uint64_t packets = 0;
  for (const auto [to, blocks] : destinations) packets += blocks;
  if (packets > most_packets)
    return fmt::format("it packs {} packets of a node, and at most {} are taken", packets, most_packets);
  const algorithm::StepLoad least = algorithm::largest_least_load(problem.network, destinations);
  if (problem.step_limits->load >= least.load) return std::nullopt;
  return fmt::format(
      "a step takes whole translations, and the packets of all nodes for the node {} further load a link "
      "with {}, "
      "however they are routed: give a load of at least {}, not {}",
      least.to, least.load, least.load, problem.step_limits->load);
}

}  // namespace

Algorithms packed() {
  Traits traits{.name = "packed",
                .networks = "every network, up to 2^12 packets a node",
                .ports = "all",
                .source = "vector packing of routes into steps by an ejection search",
                .claim =
                    "steps of limited sends and loads with a barrier behind each; the least number on most "
                    "networks"};
  traits.packs = true;
  Algorithms result;
  add_exchanges_part_after_part(result, traits, unsuitable_for_packing, search_packed);
  return result;
}

}  // namespace isotrope::planner
