// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Exchanges without waiting (algorithm/exchange/no_wait_exchange.hpp). Blocks of several parts are exchanged part after
// part.
#include <algorithm>

#include <fmt/format.h>

#include "isotrope/schedule/ceil_div.hpp"

#include "isotrope/algorithm/exchange/no_wait_exchange.hpp"

#include "isotrope/planner/catalogue/shared.hpp"

namespace isotrope::planner {
namespace {

using schedule::Schedule;

// The effort of a search; of one whose packets may wait as well, so that others come off no worse; and of a brief one.
constexpr std::uint64_t most_places = std::uint64_t{1} << 33;
constexpr std::uint64_t most_places_of_candidate = std::uint64_t{1} << 31;
constexpr std::uint64_t most_brief_places = std::uint64_t{1} << 22;

// Few packets in few rounds are seen in all ways soon, or never will be.
constexpr std::uint64_t most_looks_at_a_place = std::uint64_t{1} << 21;

std::uint64_t packets_of_a_node(const Problem& problem) {
  std::uint64_t packets = 0;
  for (const auto [to, blocks] : destinations_of(problem)) packets += blocks;
  return packets;
}

// The packets of a node times the rounds that they take at most, roughly.
std::uint64_t places(const Problem& problem) {
  const std::uint64_t packets = packets_of_a_node(problem);
  return packets * (packets * problem.network.diameter() / std::max(problem.network.degree(), 1U) + 1);
}

Schedule search_no_wait(const Problem& problem, const Parameters& parameters) {
  algorithm::SearchLimits limits = search_limits(problem, parameters);
  limits.links = problem.waiting ? most_places_of_candidate : most_places;
  limits.links = std::min(limits.links, schedule::saturating_product(most_looks_at_a_place, places(problem)));
  if (parameters.brief) limits.links = std::min(limits.links, most_brief_places);
  return algorithm::no_wait_exchange(problem.network, problem.task, merged_destinations(problem), limits);
}

Reason unsuitable_for_no_wait(const Problem& problem) {
  constexpr std::uint64_t most_packets = std::uint64_t{1} << 14;
  if (auto reason = limited_ports(problem)) return reason;
  const std::uint64_t packets = packets_of_a_node(problem);
  if (packets > most_packets)
    return fmt::format("it searches for places for {} packets of a node, and at most {} are taken", packets,
                       most_packets);
  // Others plan large exchanges at once where packets may wait.
  constexpr std::uint64_t most_of_candidate = std::uint64_t{1} << 20;
  if (!problem.waiting || places(problem) <= most_of_candidate) return std::nullopt;
  return fmt::format(
      "its search is too long for {} packets of a node that may wait: give --objective no-wait", packets);
}

}  // namespace

Algorithms no_wait() {
  Traits traits{.name = "no-wait",
                .networks = "every network, up to 2^14 packets a node",
                .ports = "all",
                .source = "perfect blocks by matchings, and an ejection search for the rest",
                .claim =
                    "packets never wait; the bound that holds with waiting, on tori, twisted tori, cubes and "
                    "hexagonal meshes"};
  traits.no_wait = true;
  Algorithms result;
  add_exchanges_part_after_part(result, traits, unsuitable_for_no_wait, search_no_wait);
  return result;
}

}  // namespace isotrope::planner
