// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Exchanges without waiting (algorithm/exchange/no_wait_exchange.hpp). Blocks of several parts are exchanged part after
// part.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "isotrope/schedule/transform.hpp"

#include "isotrope/algorithm/exchange/no_wait_exchange.hpp"

#include "isotrope/planner/catalogue/shared.hpp"

namespace isotrope::planner {
namespace {

using schedule::Schedule;

// The effort of a search whose packets may wait as well, so that others come off no worse, and of a brief one.
constexpr std::uint64_t most_places = std::uint64_t{1} << 33;
constexpr std::uint64_t most_places_of_candidate = std::uint64_t{1} << 31;
constexpr std::uint64_t most_brief_places = std::uint64_t{1} << 22;

Schedule search_no_wait(const Problem& problem, const Parameters& parameters) {
  algorithm::SearchLimits limits = search_limits(problem, parameters);
  limits.links = problem.waiting ? most_places_of_candidate : most_places;
  if (parameters.brief) limits.links = most_brief_places;
  return algorithm::no_wait_exchange(problem.network, problem.task, merged_destinations(problem), limits);
}

const Schedule& of_one_part(Problem problem, const Parameters& parameters) {
  problem.task.parts = 1;
  return last_found(search_no_wait, problem, parameters);
}

Schedule plan_no_wait(const Problem& problem, const Parameters& parameters) {
  return schedule::part_after_part(of_one_part(problem, parameters), problem.task.parts);
}

std::uint64_t no_wait_rounds(const Problem& problem, const Parameters& parameters) {
  return of_one_part(problem, parameters).round_count() * problem.task.parts;
}

Reason unsuitable_for_no_wait(const Problem& problem) {
  constexpr std::uint64_t most_packets = std::uint64_t{1} << 14;
  if (auto reason = limited_ports(problem)) return reason;
  std::uint64_t packets = 0;
  for (const auto [to, blocks] : destinations_of(problem)) packets += blocks;
  if (packets > most_packets)
    return fmt::format("it searches for places for {} packets of a node, and at most {} are taken", packets,
                       most_packets);
  // Others plan large exchanges at once where packets may wait.
  constexpr std::uint64_t most_of_candidate = std::uint64_t{1} << 20;
  const std::uint64_t rounds =
      packets * problem.network.diameter() / std::max(problem.network.degree(), 1u) + 1;
  if (!problem.waiting || packets * rounds <= most_of_candidate) return std::nullopt;
  return fmt::format(
      "its search is too long for {} packets of a node that may wait: give --objective no-wait", packets);
}

}  // namespace

Algorithms no_wait() {
  Algorithms result;
  for (const auto& [collective, noun] : {std::pair(Collective::alltoall, "total-exchange"),
                                         std::pair(Collective::neighborhood, "neighborhood-exchange"),
                                         std::pair(Collective::isotropic, "exchange")}) {
    Traits traits{fmt::format("no-wait-{}", noun),
                  collective,
                  "every network, up to 2^14 packets a node",
                  "all",
                  "perfect blocks by matchings, and an ejection search for the rest",
                  "packets never wait; the bound that holds with waiting, on tori, twisted tori, cubes and "
                  "hexagonal meshes"};
    traits.no_wait = traits.searched = true;
    result.push_back(std::make_unique<CatalogRow>(std::move(traits), unsuitable_for_no_wait, plan_no_wait,
                                                  no_wait_rounds));
  }
  return result;
}

}  // namespace isotrope::planner
