// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/broadcast/hexmesh_broadcast.hpp"

#include <array>
#include <utility>

#include "isotrope/network/hexmesh.hpp"
#include "isotrope/network/hexmesh_route.hpp"

namespace isotrope::algorithm {
namespace {

using network::clockwise;
using network::Node;
using network::Port;

constexpr Port plus_x = 0, minus_x = 1, plus_y = 2, minus_y = 3, plus_z = 4, minus_z = 5;

// A node other than the root as a u + b v with a >= 1, b >= 0 and v = clockwise(u).
struct SectorPoint {
  Port u;
  std::uint32_t a, b;
};

SectorPoint sector_point(const network::RoutingRecord& record) {
  const std::array<std::pair<Port, std::int32_t>, 6> outwards{{{plus_x, record.x},
                                                               {plus_y, record.y},
                                                               {plus_z, record.z},
                                                               {minus_x, -record.x},
                                                               {minus_y, -record.y},
                                                               {minus_z, -record.z}}};
  // Of two used directions, u is the one whose predecessor, 60 degrees back, is unused.
  std::size_t i = 0;
  while (outwards[i].second <= 0 || outwards[(i + 5) % 6].second > 0) ++i;
  const std::int32_t b = outwards[(i + 1) % 6].second;
  return {outwards[i].first, static_cast<std::uint32_t>(outwards[i].second),
          static_cast<std::uint32_t>(b > 0 ? b : 0)};
}

}  // namespace

std::vector<HexmeshMessage> hexmesh_root_messages() {
  return {{plus_x, plus_x, true, 1}, {plus_z, plus_z, true, 2}, {minus_y, minus_y, true, 3}};
}

std::vector<HexmeshMessage> hexmesh_messages(std::uint32_t size, const HexmeshMessage& heard,
                                             HexmeshVariant variant) {
  const bool printed = variant == HexmeshVariant::as_printed;
  const std::uint32_t last_step = size + 2;
  if (heard.count >= last_step) return {};
  std::vector<HexmeshMessage> messages;
  std::uint32_t count = heard.count;
  if (count == 1) {
    messages.push_back({plus_z, plus_y, true, 2});
    messages.push_back({minus_y, minus_z, true, 3});
    count = 3;
  } else if (count == 2) {
    if ((printed ? heard.along : heard.propagate) == plus_z) messages.push_back({minus_y, minus_x, true, 3});
    count = 3;
  }
  if (!heard.corner) {
    messages.push_back({heard.propagate, heard.propagate, false, count + 1});
  } else if (count <= (printed ? size + 1 : size)) {
    const Port aside = clockwise(heard.propagate);
    messages.push_back({heard.propagate, heard.propagate, true, count + 1});
    messages.push_back({aside, aside, false, count + 2});
  }
  return messages;
}

schedule::Schedule hexmesh_broadcast(std::uint32_t size, Node root, HexmeshVariant variant) {
  const network::Network network = network::hexmesh(size);
  const std::uint64_t steps = hexmesh_broadcast_rounds(size, variant);
  std::vector<std::vector<std::pair<Node, HexmeshMessage>>> by_step(steps + 1);  // with their senders
  const auto send = [&](Node from, const std::vector<HexmeshMessage>& messages) {
    for (const HexmeshMessage& message : messages) by_step.at(message.count).emplace_back(from, message);
  };
  std::vector<bool> informed(network.order(), false);
  informed[root] = true;
  send(root, hexmesh_root_messages());

  schedule::Stage stage{schedule::Flow::copy, schedule::Replication::none(), {}, {}};
  stage.rounds.reserve(steps, network.order() + 12);
  for (std::uint64_t step = 1; step <= steps; ++step) {
    for (const auto& [from, message] : std::exchange(by_step[step], {})) {
      stage.rounds.add({0, from, message.along});
      const Node to = network.neighbour(from, message.along);
      if (informed[to]) continue;
      informed[to] = true;
      send(to, hexmesh_messages(size, message, variant));
    }
    stage.rounds.close_round();
  }
  schedule::Schedule result{schedule::PortModel::one(), schedule::RoundKind::strict, {}};
  result.stages.push_back(std::move(stage));
  return result;
}

std::uint64_t hexmesh_broadcast_rounds(std::uint32_t size, HexmeshVariant variant) {
  if (variant == HexmeshVariant::as_printed) return std::uint64_t{size} + 3;
  return size == 2 ? 3 : std::uint64_t{size} + 2;
}

ChildPorts hexmesh_broadcast_tree(std::uint32_t size, Node root) {
  return [routing = network::HexmeshRouting(size), root, size](Node node) -> std::vector<Port> {
    if (node == root) return {plus_x, plus_z, minus_y};
    const SectorPoint at = sector_point(routing.record(root, node));
    const bool on_rim = at.a + at.b == size - 1;
    std::vector<Port> children;
    if (at.a + at.b == 1 && at.u == plus_x) children = {plus_z, minus_y};
    if (at.a + at.b == 1 && at.u == plus_z) children = {minus_y};
    if (on_rim) return children;
    if (at.b == 0) children.push_back(at.u);
    children.push_back(clockwise(at.u));
    return children;
  };
}

}  // namespace isotrope::algorithm
