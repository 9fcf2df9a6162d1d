// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/cost/overlay_routes.hpp"

#include <algorithm>

#include "isotrope/network/network_memo.hpp"
#include "isotrope/network/parity.hpp"
#include "isotrope/network/shortest_routes.hpp"
#include "isotrope/network/torus_axes.hpp"
#include "isotrope/network/walk_back.hpp"

namespace isotrope::cost {

namespace {

// A choice by size has many overlays for one machine.
std::shared_ptr<network::RoutesLeft> routes_left(const network::Network& machine,
                                                 const network::Failures& lacks) {
  thread_local network::NetworkMemo<std::shared_ptr<network::RoutesLeft>> known;
  return known.get(machine, lacks, [&] {
    return std::make_shared<network::RoutesLeft>(network::SurvivingNetwork(machine, lacks));
  });
}

}  // namespace

OverlayRoutes::OverlayRoutes(const network::Network& machine, const network::Failures& lacks,
                             const network::Network& overlay)
    : machine_(machine),
      overlay_(overlay),
      of_one_group_(std::ranges::equal(overlay.group().moduli(), machine.group().moduli())),
      parities_(network::parities(machine.group())) {
  if (!lacks.empty()) {
    left_ = routes_left(machine, lacks);
    return;
  }
  ways_.resize(machine.order());
  if (!network::torus_axes(machine)) {
    add_evenly_loaded();
  } else if (of_one_group_) {
    for (const Node offset : overlay.generators()) add_by_axis(offset);
  } else {
    for (Node offset = 1; offset < machine.order(); ++offset) add_by_axis(offset);
  }
}

std::span<const network::Port> OverlayRoutes::way(Node from, Port port) {
  if (!left_) return known_way(from, port);
  left_->find(from, overlay_.neighbour(from, port), last_);
  return last_;
}

void OverlayRoutes::add_by_axis(Node offset) {
  auto& [even, odd] = ways_[offset];
  even = network::shortest_route(machine_, 0, offset);
  odd = network::shortest_route(machine_, 0, machine_.group().negate(offset));
  for (Port& port : odd) port = machine_.opposite(port);
}

void OverlayRoutes::add_evenly_loaded() {
  const network::WalkBack walk(machine_);
  const auto subtract = [&](Node a, Node b) { return machine_.group().subtract(a, b); };
  std::vector<std::uint64_t> loads(machine_.degree(), 0);
  for (Node offset = 1; offset < machine_.order(); ++offset) {
    for (std::vector<Port>& way : ways_[offset]) {
      walk.hops_from(offset, loads, subtract, [&](Port port, std::uint32_t hops) {
        loads[port] += hops;
        way.insert(way.end(), hops, port);
      });
      std::ranges::sort(way);
    }
  }
}

}  // namespace isotrope::cost
