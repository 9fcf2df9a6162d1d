// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The distance-sum bound: every packet needs as many hops as its distance, and a round has room for c hops per
// node. Under half duplex a hop of a listed packet takes two nodes.

#include <fmt/format.h>

#include "isotrope/bound/kinds.hpp"

namespace isotrope::bound {
namespace {

Bound symmetric_bound(const GraphView& view) {
  const std::uint64_t hops = view.wanted_distance_sum() * view.parts();
  const std::uint64_t c = view.room();
  const std::uint64_t value = ceil_div(hops, c);
  return {
      "distance-sum", value,
      fmt::format(
          "the packets of one origin need {} hops, and a node can send {} packets a round: ceil({}/{}) = {}",
          hops, c, hops, c, value)};
}

Bound travel_bound(const GraphView& view) {
  std::uint64_t hops = 0;
  for (const Travel& travel : view.travels()) hops += travel.distance * (travel.blocks * view.parts());
  const std::uint64_t room =
      view.room_over(view.half_duplex() ? view.node_count() / 2 : view.all_usable_ports());
  return {"distance-sum", ceil_div(hops, room),
          fmt::format("the packets need {} hops, and all nodes together can send {} packets a round: "
                      "ceil({}/{}) = {}",
                      hops, room, hops, room, ceil_div(hops, room))};
}

}  // namespace

std::optional<Bound> distance_sum_bound(const GraphView& view) {
  if (!view.is_personal()) return std::nullopt;
  if (!view.is_symmetric()) return travel_bound(view);
  if (view.traffic() != Traffic::isotropic) return std::nullopt;
  return symmetric_bound(view);
}

}  // namespace isotrope::bound
