// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include <fmt/format.h>

#include "isotrope/bound/lower_bounds.hpp"

#include "isotrope/algorithm/broadcast/cycle_allgather.hpp"
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

// ---- allgather

Reason no_cycle_allgather(const Problem& problem) {
  if (auto reason = full_duplex_ports(problem, "fresh-first-broadcast")) return reason;
  const std::uint64_t nodes = problem.network.order(), hops = nodes * nodes * problem.task.parts;
  if (hops < most_hops * 8) return std::nullopt;
  return fmt::format("it lists N^2 P hops: {} for {} in {} parts, and fewer than {} are taken", hops,
                     problem.network.name(), problem.task.parts, most_hops * 8);
}

Schedule plan_cycle_allgather(const Problem& problem) {
  return algorithm::cycle_allgather(problem.network, problem.task.parts);
}

std::uint64_t cycle_allgather_rounds(const Problem& problem) {
  return algorithm::cycle_allgather_rounds(problem.network.order(), problem.task.parts);
}

// ---- exchanges

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
  Traits cycle{
      "hamiltonian-cycle-allgather",         Collective::allgather,
      "every network with N^2 P below 2^28", "half",
      "Chen and Quimpo 1981 (the cycle)",    "2 (N - 1) P rounds for even N, 2 N P for odd N: the least"};
  cycle.reversed = {"hamiltonian-cycle-reduce-scatter"};
  cycle.reversed_then_forward = {"hamiltonian-cycle-allreduce",
                                 "4 (N - 1) P rounds for even N, 4 N P for odd N"};
  add_row(result, std::move(cycle), no_cycle_allgather, plan_cycle_allgather, cycle_allgather_rounds);
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
