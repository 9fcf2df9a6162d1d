// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/gossip/axis_gossip.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "isotrope/network/torus.hpp"
#include "isotrope/network/torus_axes.hpp"

#include "isotrope/bound/lower_bounds.hpp"

namespace isotrope::algorithm {
namespace {

using network::Coordinate;
using network::TorusAxis;

// What the node at a coordinate of a ring does in one round.
enum class Direction { silent, forward, backward };
using RingRounds = std::vector<std::vector<Direction>>;  // by round, then coordinate

RingRounds exchanges(Coordinate extent) {
  RingRounds result(extent / 2, std::vector<Direction>(extent));
  for (Coordinate t = 0; t < extent / 2; ++t) {
    for (Coordinate c = 0; c < extent; ++c)
      result[t][c] = (c + t) % 2 == 0 ? Direction::forward : Direction::backward;
  }
  return result;
}

// One after the other.
RingRounds pair_in_turn() {
  return {{Direction::forward, Direction::silent}, {Direction::silent, Direction::forward}};
}

// The rounds at which a search on a ring ends: over half duplex the bound, which is exact, over one port the fewest that
// have been seen.
std::uint64_t fewest(const Network& ring, schedule::PortModel ports) {
  if (!ports.half_duplex()) return ring.order() == 3 ? 2 : (ring.order() + 3) / 2;
  return bound::lower_bounds({.network = ring,
                              .task = {.collective = schedule::Collective::allgather},
                              .ports = ports,
                              .aggregation = schedule::unbounded})
      .front()
      .value;
}

RingRounds searched(Coordinate extent, schedule::PortModel ports, SearchLimits limits) {
  constexpr std::uint64_t most_links = std::uint64_t{1} << 20;
  const Network ring = network::ring(extent);
  limits.target = fewest(ring, ports);
  limits.links = std::min(limits.links, most_links);
  const Gossip gossip = find_gossip(ring, ports, limits);
  RingRounds result(gossip.rounds.size(), std::vector<Direction>(extent, Direction::silent));
  for (std::size_t t = 0; t < result.size(); ++t) {
    for (const auto [from, port] : gossip.rounds[t]) {
      const Direction direction = port == 0 ? Direction::forward : Direction::backward;
      if (gossip.invariant) result[t].assign(extent, direction);
      result[t][from] = direction;
    }
  }
  return result;
}

bool has_closed_form(Coordinate extent, bool half_duplex) {
  return extent == 2 || (extent % 2 == 0 && !half_duplex);
}

RingRounds ring_rounds(Coordinate extent, schedule::PortModel ports, const SearchLimits& limits) {
  if (!has_closed_form(extent, ports.half_duplex())) return searched(extent, ports, limits);
  return ports.half_duplex() ? pair_in_turn() : exchanges(extent);
}

void append_axis(Gossip& gossip, const Network& network, const TorusAxis& axis, const RingRounds& rounds) {
  for (const std::vector<Direction>& round : rounds) {
    auto& sends = gossip.rounds.emplace_back();
    for (Node node = 0; node < network.order(); ++node) {
      const Direction direction = round[network.group().coordinates(node)[axis.coordinate]];
      if (direction != Direction::silent)
        sends.push_back({node, direction == Direction::forward ? axis.forward : axis.backward});
    }
  }
}

}  // namespace

std::optional<Gossip> axis_gossip(const Network& network, schedule::PortModel ports,
                                  const SearchLimits& limits) {
  const auto axes = network::torus_axes(network);
  if (!axes) return std::nullopt;
  if (axes->size() == 1 && !has_closed_form(axes->front().extent, ports.half_duplex())) return std::nullopt;
  Gossip result;
  std::map<Coordinate, RingRounds> of_extent;
  for (const TorusAxis& axis : *axes) {
    auto& rounds = of_extent[axis.extent];
    if (rounds.empty()) rounds = ring_rounds(axis.extent, ports, limits);
    append_axis(result, network, axis, rounds);
  }
  return result;
}

}  // namespace isotrope::algorithm
