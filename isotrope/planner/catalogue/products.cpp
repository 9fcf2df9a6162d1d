// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include <fmt/format.h>

#include "isotrope/network/product_axes.hpp"
#include "isotrope/network/rates.hpp"

#include "isotrope/algorithm/exchange/farthest_first_exchange.hpp"

#include "isotrope/planner/catalogue/shared.hpp"

namespace isotrope::planner {
namespace {

// A schedule without symmetry lists all hops. On closed networks others list those of one node and are at the bound for
// most, so that only small exchanges are worth a try; unlike links are less often so.
constexpr std::uint64_t most_hops = std::uint64_t{1} << 25;
constexpr std::uint64_t most_hops_of_closed = std::uint64_t{1} << 17;
constexpr std::uint64_t most_hops_of_rated = std::uint64_t{1} << 22;

schedule::Schedule search_farthest_first(const Problem& problem, const Parameters& parameters) {
  return algorithm::farthest_first_exchange(problem.network,
                                            *product_axes(problem.network, problem.failed.open_axes),
                                            problem.task.parts, search_limits(problem, parameters));
}

// On closed networks others are as fast, so that it waits until they miss the bound.
bool is_open(const Problem& problem) {
  return !problem.failed.open_axes.empty();
}

}  // namespace

Reason unsuitable_for_farthest_first(const Problem& problem) {
  if (auto reason = limited_ports(problem)) return reason;
  if (!problem.failed.only_open_axes()) return "it plans on networks with open axes, not around failures";
  const std::uint64_t most = !problem.failed.open_axes.empty()      ? most_hops
                             : network::has_copies(problem.network) ? most_hops_of_rated
                                                                    : most_hops_of_closed;
  const std::uint64_t nodes = problem.network.order();
  const auto too_many = [&](std::uint64_t hops) {
    return fmt::format(
        "it lists the hops of all nodes: at least {} for {} in {} parts, and at most {} are taken", hops,
        problem.network.name(), problem.task.parts, most);
  };
  if (nodes > 1 && nodes * (nodes - 1) > most / problem.task.parts)
    return too_many(nodes * (nodes - 1) * problem.task.parts);
  const auto axes = product_axes(problem.network, problem.failed.open_axes);
  if (!axes)
    return fmt::format("it needs a product of lines, rings and complete networks, not {}",
                       problem.network.name());
  const std::uint64_t hops = algorithm::exchange_hops(problem.network, *axes, problem.task.parts);
  if (hops > most) return too_many(hops);
  return std::nullopt;
}

Algorithms products() {
  Traits exchange{"farthest-first-total-exchange",
                  Collective::alltoall,
                  "products of lines, rings and complete networks, open with up to 2^25 hops, closed with "
                  "2^17, or 2^22 and unlike links",
                  "all",
                  "shortest routes along cyclic orders of the axes, scheduled farthest first",
                  "the cut at the middle of an axis, the bound, on every product tried; proved for one axis"};
  exchange.around_failures = true;
  Algorithms result;
  add_searched_row(result, std::move(exchange), unsuitable_for_farthest_first, search_farthest_first,
                   is_open);
  return result;
}

}  // namespace isotrope::planner
