// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/exchange/even_axis_exchange.hpp"

#include <algorithm>
#include <array>
#include <queue>

#include "isotrope/algorithm/exchange/route_choice.hpp"

namespace isotrope::algorithm {

using network::Coordinate;
using network::Network;
using network::Node;
using network::TorusAxis;
using schedule::RelativeDestination;

std::vector<std::vector<RingHop>> ring_exchange(std::uint32_t extent, std::uint32_t nearest,
                                                std::uint32_t farthest) {
  const auto nearer = [](const RingHop& a, const RingHop& b) {
    return a.distance - a.done < b.distance - b.done;
  };
  using Waiting = std::priority_queue<RingHop, std::vector<RingHop>, decltype(nearer)>;
  std::array waiting{Waiting(nearer), Waiting(nearer)};  // at even nodes, at odd nodes
  for (std::uint32_t distance = nearest; distance <= std::min(farthest, extent / 2); ++distance) {
    waiting[0].push({false, distance, 0});
    if (distance < extent / 2) waiting[1].push({true, distance, 0});
  }
  std::vector<std::vector<RingHop>> rounds;
  while (!waiting[0].empty() || !waiting[1].empty()) {
    std::vector<RingHop>& hops = rounds.emplace_back();
    for (Waiting& queue : waiting) {
      if (queue.empty()) continue;
      hops.push_back(queue.top());
      queue.pop();
    }
    for (const RingHop& hop : hops) {
      if (hop.done + 1 == hop.distance) continue;
      const bool at_odd = hop.odd_origin != ((hop.done + 1) % 2 == 1);
      waiting[at_odd ? 1 : 0].push({hop.odd_origin, hop.distance, hop.done + 1});
    }
  }
  return rounds;
}

std::optional<TorusAxis> lone_even_axis(const Network& network) {
  const auto axes = torus_axes(network);
  if (!axes) return std::nullopt;
  const auto is_even = [](const TorusAxis& axis) { return axis.extent % 2 == 0; };
  const auto even = std::find_if(axes->begin(), axes->end(), is_even);
  if (even == axes->end() || even->extent == 2 || std::any_of(even + 1, axes->end(), is_even)) {
    return std::nullopt;
  }
  return *even;
}

EvenAxisExchange::EvenAxisExchange(const Network& network, const TorusAxis& axis,
                                   std::span<const RelativeDestination> destinations, std::uint32_t parts,
                                   std::uint32_t nearest, std::uint32_t farthest)
    : network_(network),
      axis_(axis),
      unit_(network.generators()[axis.forward]),
      ring_(ring_exchange(axis.extent, nearest, farthest)),
      ring_packets_(axis.extent),
      matrix_(0) {
  std::vector<RelativeDestination> packets;
  for (const RelativeDestination& destination : destinations) {
    const Coordinate x = network.group().coordinate(destination.to, axis.coordinate);
    const bool on_axis = destination.to == x * unit_;
    packets.push_back({destination.to, on_axis ? parts - 1 : parts});
    for (std::uint32_t part = 0; part < packets.back().blocks; ++part) packet_of_row_.push_back(packets_++);
    if (on_axis) ring_packets_[x] = packets_++;
  }
  matrix_ = shortest_routes(network, packets);
  for (const network::Port port : {axis.forward, axis.backward}) {
    matrix_.add(port, static_cast<std::uint32_t>(ring_.size()));
    matrix_.close_row();
  }
}

schedule::Hop EvenAxisExchange::ring_hop(RingHop hop, bool backward) const {
  const bool odd_origin = hop.odd_origin != backward;
  const Coordinate to = backward ? axis_.extent - hop.distance : hop.distance;
  const Coordinate at = odd_origin + (backward ? axis_.extent - hop.done : hop.done);
  return {ring_packets_[to] + (odd_origin ? packets_ : 0), at % axis_.extent * unit_,
          backward ? axis_.backward : axis_.forward};
}

schedule::Stage EvenAxisExchange::stage(const Decomposition& decomposition) const {
  schedule::Stage stage{schedule::Flow::move, schedule::Replication::even(axis_.coordinate), {}, {}};
  stage.rounds.reserve(decomposition.size(), 2 * decomposition.cells().size());
  std::vector<Node> at(packet_of_row_.size(), 0);
  std::array<std::size_t, 2> ring_rounds{};  // so far, by direction
  for (std::uint64_t t = 0; t < decomposition.size(); ++t) {
    for (const auto [row, port] : decomposition.round(t)) {
      if (row >= at.size()) {
        const std::size_t direction = row - at.size();
        for (const RingHop hop : ring_[ring_rounds[direction]++]) {
          stage.rounds.add(ring_hop(hop, direction == 1));
        }
        continue;
      }
      stage.rounds.add({packet_of_row_[row], at[row], port});
      stage.rounds.add({packet_of_row_[row] + packets_, network_.group().add(at[row], unit_), port});
      at[row] = network_.neighbour(at[row], port);
    }
    stage.rounds.close_round();
  }
  return stage;
}

}  // namespace isotrope::algorithm
