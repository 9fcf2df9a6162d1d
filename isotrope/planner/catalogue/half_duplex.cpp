// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include <fmt/format.h>

#include "isotrope/bound/lower_bounds.hpp"

#include "isotrope/algorithm/exchange/half_duplex_exchange.hpp"

#include "isotrope/planner/catalogue/shared.hpp"

namespace isotrope::planner {
namespace {

using schedule::Schedule;

constexpr std::uint64_t most_hops = std::uint64_t{1} << 25;

Reason full_duplex_ports(const Problem& problem, const char* instead) {
  if (problem.ports.half_duplex()) return std::nullopt;
  return fmt::format(
      "it sends or receives in a round, never both: {} takes fewer rounds over full-duplex ports", instead);
}

Reason no_exchange(const Problem& problem) {
  if (auto reason = full_duplex_ports(problem, "isotropic-total-exchange")) return reason;
  return too_many_hops(problem, most_hops);
}

Schedule search_exchange(const Problem& problem, const Parameters& parameters) {
  return algorithm::half_duplex_exchange(problem.network, problem.task, destinations_of(problem),
                                         search_limits(problem, parameters));
}

}  // namespace

Algorithms half_duplex_ports() {
  Algorithms result;
  for (const auto& [collective, name] :
       {std::pair(Collective::alltoall, "half-duplex-total-exchange"),
        std::pair(Collective::neighborhood, "half-duplex-neighborhood-exchange"),
        std::pair(Collective::isotropic, "half-duplex-exchange")}) {
    Traits exchange{name,
                    collective,
                    "every network with up to 2^25 hops",
                    "half",
                    "isotropic exchanges over one port, each round in two; else list scheduling",
                    "at the bound or a few per cent above it on most networks"};
    add_searched_row(result, std::move(exchange), no_exchange, search_exchange);
  }
  return result;
}

}  // namespace isotrope::planner
