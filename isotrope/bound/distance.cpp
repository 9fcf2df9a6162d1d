// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The distance bound: of n packets for distance j or more that leave one node over c ports, the last leaves in
// round ceil(n / c) or later and still has j hops to go, so ceil(n / c) - 1 + j. Messages of K packets: c K for c. Around failures the packets that
// must enter a node count in the same way: the first comes no earlier than round j. Without an
// aggregation limit only the way of the farthest packet counts.
#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "isotrope/bound/kinds.hpp"

namespace isotrope::bound {
namespace {

Bound reach_bound(std::uint64_t reach) {
  return {"distance", reach, fmt::format("the farthest destination is {} hops from its origin", reach)};
}

std::uint64_t wanted_reach(const GraphView& view) {
  std::uint64_t reach = view.diameter();
  while (reach > 0 && view.wanted()[reach] == 0) --reach;
  return reach;
}

std::uint64_t travel_reach(const GraphView& view) {
  std::uint64_t reach = 0;
  for (const Travel& travel : view.travels()) reach = std::max<std::uint64_t>(reach, travel.distance);
  return reach;
}

// A block of P parts that goes to all nodes.
Bound last_part_bound(const GraphView& view) {
  const std::uint64_t last = ceil_div(view.parts(), view.room());
  const std::uint64_t value = last - 1 + view.diameter();
  return {
      "distance", value,
      fmt::format("the last of {} parts leaves its origin in round {} or later and has up to {} hops to go: "
                  "{} - 1 + {} = {}",
                  view.parts(), last, view.diameter(), last, view.diameter(), value)};
}

// Personal blocks of node 0; the best j counts.
Bound farthest_first_bound(const GraphView& view) {
  const std::uint64_t c = view.room();
  std::uint64_t packets = 0, most = 0, best_packets = 0, best_distance = 0;
  for (std::uint64_t j = view.wanted().size(); j-- > 1;) {
    packets += view.wanted()[j] * view.parts();
    const std::uint64_t rounds = packets == 0 ? 0 : ceil_div(packets, c) + j - 1;
    if (rounds <= most) continue;
    most = rounds;
    best_packets = packets;
    best_distance = j;
  }
  const std::uint64_t last = ceil_div(best_packets, c);
  return {
      "distance", most,
      fmt::format("{} packets have {} or more hops to go and the last of them leaves in round {} or later: "
                  "{} - 1 + {} = {}",
                  best_packets, best_distance, last, last, best_distance, most)};
}

// Listed blocks on an intact network, by one end of their way; the best node and j count. `text` says what bounds the
// packets of a node.
template <class Text>
void raise_by_end(Bound& best, const GraphView& view, Node Travel::*end, const Text& text) {
  std::vector<Travel> travels = view.travels();
  std::sort(travels.begin(), travels.end(), [&](const Travel& a, const Travel& b) {
    return std::pair(a.*end, b.distance) < std::pair(b.*end, a.distance);  // the farthest first
  });
  std::uint64_t packets = 0;
  for (std::size_t i = 0; i < travels.size(); ++i) {
    const bool same_node = i > 0 && travels[i - 1].*end == travels[i].*end;
    packets = (same_node ? packets : 0) + travels[i].blocks * view.parts();
    const std::uint64_t distance = travels[i].distance, rounds = ceil_div(packets, view.room());
    if (rounds - 1 + distance <= best.value) continue;
    best.value = rounds - 1 + distance;
    best.because = text(packets, travels[i].*end, distance, rounds, best.value);
  }
}

Bound best_end_bound(const GraphView& view) {
  Bound best{"distance", 0, "no packet has to move"};
  raise_by_end(best, view, &Travel::from, [](auto packets, Node node, auto distance, auto last, auto value) {
    return fmt::format(
        "{} packets of node {} have {} or more hops to go and the last of them leaves in round {} or "
        "later: "
        "{} - 1 + {} = {}",
        packets, node, distance, last, last, distance, value);
  });
  raise_by_end(best, view, &Travel::to, [](auto packets, Node node, auto distance, auto rounds, auto value) {
    return fmt::format(
        "{} packets for node {} have {} or more hops to go, so the first of them arrives in round {} or "
        "later, and they "
        "take {} rounds to arrive: {} - 1 + {} = {}",
        packets, node, distance, distance, rounds, rounds, distance, value);
  });
  return best;
}

// Packets of one node by distance, as senders or receivers have them.
class PacketsByDistance {
 public:
  void add(std::uint32_t distance, std::uint64_t packets) {
    if (distance >= packets_.size()) packets_.resize(distance + 1, 0);
    packets_[distance] += packets;
  }

  Bound bound(Node node, std::uint64_t c, std::string_view does) const {
    Bound best{"distance", 0, "no packet has to move"};
    std::uint64_t packets = 0;
    for (std::uint64_t j = packets_.size(); j-- > 1;) {
      packets += packets_[j];
      const std::uint64_t rounds = packets == 0 ? 0 : ceil_div(packets, c) + j - 1;
      if (rounds <= best.value) continue;
      best = {"distance", rounds,
              fmt::format("node {} must {} {} packets over {} or more hops, at most {} a round: "
                          "ceil({}/{}) - 1 + {} = {}",
                          node, does, packets, j, c, packets, c, j, rounds)};
    }
    return best;
  }

 private:
  std::vector<std::uint64_t> packets_;
};

// Personal blocks around failures. Under half duplex a port that sends cannot receive, so only the reach counts.
Bound travel_bound(const GraphView& view) {
  if (view.half_duplex()) return reach_bound(travel_reach(view));
  std::vector<PacketsByDistance> sent(view.network().order()), received(view.network().order());
  for (const Travel& travel : view.travels()) {
    sent[travel.from].add(travel.distance, travel.blocks * view.parts());
    received[travel.to].add(travel.distance, travel.blocks * view.parts());
  }
  Bound best{"distance", 0, "no packet has to move"};
  for (const Node node : view.survivors().nodes()) {
    const std::uint64_t c = view.room(node);
    raise(best, sent[node].bound(node, c, "send"));
    raise(best, received[node].bound(node, c, "receive"));
  }
  return best;
}

// In aggregated rounds reductions are worded as the broadcasts that they reverse.
std::string_view does(const GraphView& view) {
  return reduces(view.problem().task.collective) && !view.unlimited() ? "send" : "receive";
}

// The parts of the root's block on their way to each node.
Bound root_bound(const GraphView& view) {
  const Node root = view.problem().task.root;
  const std::vector<std::uint32_t> distance = view.survivors().distances(root);
  Bound best{"distance", 0, ""};
  for (const Node node : view.survivors().nodes()) {
    if (node == root) continue;
    PacketsByDistance packets;
    packets.add(distance[node], view.parts());
    const std::uint64_t c = std::min(view.room(node), view.room(root));
    raise(best, packets.bound(node, c, does(view)));
  }
  return best;
}

// The nodes that are up, those that can take in the fewest packets a round first.
std::vector<Node> narrowest_first(const GraphView& view) {
  std::vector<Node> nodes = view.survivors().nodes();
  std::ranges::stable_sort(nodes, {}, [&](Node node) { return view.room(node); });
  return nodes;
}

// The blocks of all other nodes on their way to each node. No two nodes are farther apart than twice the eccentricity
// of one, so most nodes with many ports need no search.
Bound everyone_bound(const GraphView& view) {
  const std::vector<Node> nodes = narrowest_first(view);
  const std::uint64_t packets_of_others = (nodes.size() - 1) * view.parts();
  std::uint64_t farthest = nodes.size();
  Bound best{"distance", 0, ""};
  for (const Node node : nodes) {
    if (ceil_div(packets_of_others, view.room(node)) - 1 + farthest <= best.value) continue;
    const std::vector<std::uint32_t> distance = view.survivors().distances(node);
    PacketsByDistance packets;
    std::uint64_t eccentricity = 0;
    for (const Node other : nodes) {
      if (other == node) continue;
      packets.add(distance[other], view.parts());
      eccentricity = std::max<std::uint64_t>(eccentricity, distance[other]);
    }
    farthest = std::min(farthest, 2 * eccentricity);
    raise(best, packets.bound(node, view.room(node), does(view)));
  }
  return best;
}

// A contribution on its way between the two nodes farthest apart.
Bound contribution_bound(const GraphView& view) {
  const std::uint64_t parts = view.parts();
  Bound best{"distance", 0, ""};
  for (const Node node : view.survivors().nodes()) {
    const std::vector<std::uint32_t> distance = view.survivors().distances(node);
    for (const Node other : view.survivors().nodes()) {
      if (other == node) continue;
      const std::uint64_t c = std::min(view.room(node), view.room(other));
      const std::uint64_t last = ceil_div(parts, c), value = last - 1 + distance[other];
      if (value <= best.value) continue;
      best = {
          "distance", value,
          fmt::format(
              "what node {} knows of the last of {} parts has {} hops to go to node {}, at most {} parts a "
              "round: {} - 1 + {} = {}",
              node, parts, distance[other], other, c, last, distance[other], value)};
    }
  }
  return best;
}

// The blocks of all other nodes on their way to node 0, as to every node.
Bound arrivals_bound(const GraphView& view) {
  PacketsByDistance packets;
  for (std::uint32_t distance = 1; distance < view.wanted().size(); ++distance)
    packets.add(distance, view.wanted()[distance] * view.parts());
  return packets.bound(0, view.room(), does(view));
}

Bound symmetric_bound(const GraphView& view) {
  if (view.unlimited()) return reach_bound(wanted_reach(view));
  if (view.is_personal()) return farthest_first_bound(view);
  Bound best = last_part_bound(view);
  if (view.traffic() == Traffic::all_to_all) raise(best, arrivals_bound(view));
  return best;
}

Bound personal_bound(const GraphView& view) {
  if (view.unlimited()) return reach_bound(travel_reach(view));
  return view.intact() ? best_end_bound(view) : travel_bound(view);
}

}  // namespace

std::optional<Bound> distance_bound(const GraphView& view) {
  if (view.is_symmetric()) return symmetric_bound(view);
  if (view.is_personal()) return personal_bound(view);
  if (view.traffic() == Traffic::one_to_all) return root_bound(view);
  // Messages without limit carry all blocks, so an allgather is as fast as an allreduce.
  if (view.traffic() == Traffic::reduced || view.unlimited()) return contribution_bound(view);
  return everyone_bound(view);
}

}  // namespace isotrope::bound
