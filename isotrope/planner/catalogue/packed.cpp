// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Exchanges in packed steps (algorithm/exchange/packed_exchange.hpp). Blocks of several parts are exchanged part after
// part.
#include <utility>

#include <fmt/format.h>

#include "isotrope/schedule/transform.hpp"

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

const Schedule& of_one_part(Problem problem, const Parameters& parameters) {
  problem.task.parts = 1;
  return last_found(search_packed, problem, parameters);
}

Schedule plan_packed(const Problem& problem, const Parameters& parameters) {
  return schedule::part_after_part(of_one_part(problem, parameters), problem.task.parts);
}

std::uint64_t packed_rounds(const Problem& problem, const Parameters& parameters) {
  return of_one_part(problem, parameters).round_count() * problem.task.parts;
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
  Algorithms result;
  for (const auto& [collective, noun] : {std::pair(Collective::alltoall, "total-exchange"),
                                         std::pair(Collective::neighborhood, "neighborhood-exchange"),
                                         std::pair(Collective::isotropic, "exchange")}) {
    Traits traits{
        fmt::format("packed-{}", noun),
        collective,
        "every network, up to 2^12 packets a node",
        "all",
        "vector packing of routes into steps by an ejection search",
        "steps of limited sends and loads with a barrier behind each; the least number on most networks"};
    traits.packs = traits.searched = true;
    result.push_back(
        std::make_unique<CatalogRow>(std::move(traits), unsuitable_for_packing, plan_packed, packed_rounds));
  }
  return result;
}

}  // namespace isotrope::planner
