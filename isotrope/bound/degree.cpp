// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The degree bound: a node must send, or receive, n packets over c ports, in ceil(n / c) rounds or more. Under
// half duplex one port serves both.
#include <algorithm>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "isotrope/bound/kinds.hpp"

namespace isotrope::bound {
namespace {

using schedule::Collective;

std::string_view busy_nodes(Collective collective) {
  switch (collective) {
    case Collective::broadcast:
    case Collective::allgather:
      return "every node must receive";
    case Collective::scatter:
      return "the root must send";
    case Collective::gather:
      return "the root must receive";
    default:
      return "every node must send";
  }
}

std::uint64_t busiest_load(const GraphView& view) {
  if (view.traffic() == Traffic::one_to_all) return view.parts();
  if (view.traffic() == Traffic::isotropic) return view.wanted_count() * view.parts();
  return (view.node_count() - 1) * view.parts();
}

Bound symmetric_bound(const GraphView& view) {
  const std::uint64_t packets = busiest_load(view), c = view.room();
  const std::uint64_t value = ceil_div(packets, c);
  return {"degree", value,
          fmt::format("{} {} packets, at most {} a round: ceil({}/{}) = {}",
                      busy_nodes(view.problem().task.collective), packets, c, packets, c, value)};
}

Bound bound_of_node(Node node, std::string_view does, std::uint64_t packets, std::uint64_t c) {
  return {"degree", ceil_div(packets, c),
          fmt::format("node {} must {} {} packets, at most {} a round: ceil({}/{}) = {}", node, does, packets,
                      c, packets, c, ceil_div(packets, c))};
}

// The packets that nodes send and receive; under half duplex all count as sent.
struct Loads {
  std::vector<std::uint64_t> sent, received;
};

Loads loads_of(const GraphView& view) {
  Loads loads{std::vector<std::uint64_t>(view.network().order(), 0),
              std::vector<std::uint64_t>(view.network().order(), 0)};
  for (const Travel& travel : view.travels()) {
    const std::uint64_t packets = travel.blocks * view.parts();
    loads.sent[travel.from] += packets;
    (view.half_duplex() ? loads.sent : loads.received)[travel.to] += packets;
  }
  return loads;
}

// Every node has the same ports, so the node with the most packets decides.
Bound busiest_bound(const GraphView& view) {
  const auto [sent, received] = loads_of(view);
  Node busiest = 0;
  std::uint64_t most = 0;
  for (Node node = 0; node < view.network().order(); ++node) {
    const std::uint64_t packets = std::max(sent[node], received[node]);
    if (packets <= most) continue;
    most = packets;
    busiest = node;
  }
  const std::string_view does = view.half_duplex()      ? "send or receive"
                                : sent[busiest] == most ? "send"
                                                        : "receive";
  return bound_of_node(busiest, does, most, view.room());
}

Bound bound_around_failures(const GraphView& view) {
  const auto [sent, received] = loads_of(view);
  Bound best{"degree", 0, "no packet has to move"};
  for (const Node node : view.survivors().nodes()) {
    const std::uint64_t c = view.room(node);
    raise(best, bound_of_node(node, view.half_duplex() ? "send or receive" : "send", sent[node], c));
    raise(best, bound_of_node(node, "receive", received[node], c));
  }
  return best;
}

// Every node but the root moves all packets of the others one way.
Bound spread_bound(const GraphView& view) {
  const bool from_root = view.traffic() == Traffic::one_to_all;
  const std::uint64_t packets = (from_root ? 1 : view.node_count() - 1) * view.parts();
  const std::string_view does = reduces(view.problem().task.collective) ? "send" : "receive";
  Bound best{"degree", 0, ""};
  for (const Node node : view.survivors().nodes()) {
    if (from_root && node == view.problem().task.root) continue;
    raise(best, bound_of_node(node, does, packets, view.room(node)));
  }
  return best;
}

}  // namespace

std::optional<Bound> degree_bound(const GraphView& view) {
  if (view.traffic() == Traffic::reduced) return std::nullopt;
  if (view.is_symmetric()) return symmetric_bound(view);
  if (!view.is_personal()) return spread_bound(view);
  return view.intact() ? busiest_bound(view) : bound_around_failures(view);
}

}  // namespace isotrope::bound
