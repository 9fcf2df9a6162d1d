// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The root-sends bound on broadcast and reduce: a packet that the root sends once needs long, one that it sends twice
// takes two of its sends.
//
//     h              1 + the least eccentricity of a neighbour of the root in the network without the root: the rounds
//                    of a packet that the root sends once, as it never passes the root again
//     sent once      such packets leave in the first T - h + 1 rounds: at most c (T - h + 1)
//     sent twice     all others, at least, and the root has c T sends:
//
//         2 P <= c T + min(P, c (T - h + 1))
//
// The least such T is a bound; messages of K packets count K-fold. A reduction is a broadcast backwards.
//
//     ring:9, one port, P = 16    h = 8: 32 <= T + (T - 7), so T >= 20
//
// Cost: degree searches of the network, if N degree^2 is up to 2^22; once for each of the last networks.
#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "isotrope/network/network_memo.hpp"

#include "isotrope/bound/kinds.hpp"

namespace isotrope::bound {
namespace {

constexpr std::uint64_t most_steps = std::uint64_t{1} << 22;
constexpr std::uint64_t never = UINT64_MAX;

// The farthest node from `start` in hops, if node 0 is left out; `never` if one is not reached.
std::uint64_t eccentricity_without_root(const Network& network, Node start) {
  std::vector<std::uint64_t> distance(network.order(), never);
  std::vector<Node> queue{start};
  distance[start] = 0;
  for (std::size_t i = 0; i < queue.size(); ++i) {
    for (Port port = 0; port < network.degree(); ++port) {
      const Node next = network.neighbour(queue[i], port);
      if (next == 0 || distance[next] != never) continue;
      distance[next] = distance[queue[i]] + 1;
      queue.push_back(next);
    }
  }
  return queue.size() + 1 == network.order() ? distance[queue.back()] : never;
}

// The rounds of a packet that the root sends once; `never` if there is no way.
std::uint64_t height_without_root(const Network& network) {
  std::uint64_t height = never;
  for (Port port = 0; port < network.degree(); ++port) {
    const std::uint64_t far = eccentricity_without_root(network, network.neighbour(0, port));
    if (far != never) height = std::min(height, far + 1);
  }
  return height;
}

// Packets that the root can send once in time for `rounds`, `room` a round.
std::uint64_t sent_once(std::uint64_t rounds, std::uint64_t height, std::uint64_t room) {
  return height == never || rounds + 1 <= height ? 0 : (rounds + 1 - height) * room;
}

}  // namespace

std::optional<Bound> root_sends_bound(const GraphView& view) {
  const Network& network = view.network();
  if (!view.is_symmetric() || view.traffic() != Traffic::one_to_all || network.order() < 3)
    return std::nullopt;
  if (network.directed_links() * network.degree() > most_steps) return std::nullopt;
  // A choice by size needs the bounds of several numbers of parts.
  thread_local network::NetworkMemo<std::uint64_t> heights;
  const std::uint64_t height = heights.get(network, [&] { return height_without_root(network); });
  const std::uint64_t parts = view.parts(), room = view.room();
  const auto suffices = [&](std::uint64_t rounds) {
    return 2 * parts <= room * rounds + std::min(parts, sent_once(rounds, height, room));
  };
  std::uint64_t rounds = ceil_div(parts, room);
  while (!suffices(rounds)) {
    const std::uint64_t lacking =
        2 * parts - room * rounds - std::min(parts, sent_once(rounds, height, room));
    rounds += std::max<std::uint64_t>(1, lacking / (2 * room));
  }
  const std::string once = height == never
                               ? "a packet that the root sends once does not reach all nodes"
                               : fmt::format("a packet that the root sends once needs {} rounds", height);
  return Bound{
      "root-sends", rounds,
      fmt::format("{}, others take two of its sends, and it has {} a round: {} packets take {} rounds", once,
                  room, parts, rounds)};
}

}  // namespace isotrope::bound
