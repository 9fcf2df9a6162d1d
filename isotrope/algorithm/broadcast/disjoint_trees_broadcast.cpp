// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/broadcast/disjoint_trees_broadcast.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace isotrope::algorithm {
namespace {

using network::Network;
using network::Node;
using network::Port;
using schedule::Hop;
using schedule::PacketId;

// Consecutive rounds in which each group of a level starts a packet.
struct Turn {
  const GroupLevel* level;
  std::uint64_t first;   // round
  std::uint64_t rounds;  // at least 1

  // If a hop takes so many rounds.
  std::uint64_t end(std::uint64_t hop_rounds = 1) const {
    return first + rounds + hop_rounds * (level->height - 1);
  }
};

// The levels of which packets are sent. Packets that wait together go on together, and those that share a link at once come late.
std::vector<const GroupLevel*> used_levels(const DisjointTrees& trees, std::uint64_t hop_rounds) {
  std::vector<const GroupLevel*> result;
  for (const GroupLevel& level : trees.levels()) {
    if (result.empty() || hop_rounds == 1 || (hop_rounds > 1 && !level.waits)) result.push_back(&level);
  }
  return result;
}

// The turns of the levels, the highest first. From the end: where only the last level is low enough there are `hop_rounds` times
// as many rounds as it is lower than the level before it, and so on; before all others the trees go alone.
std::vector<Turn> turns_of(const DisjointTrees& trees, std::uint64_t parts, std::uint64_t hop_rounds) {
  const std::vector<const GroupLevel*> levels = used_levels(trees, hop_rounds);
  std::vector<Turn> result;
  std::uint64_t left = parts;
  for (std::size_t i = levels.size(); i-- > 0 && left > 0;) {
    const std::uint64_t groups = levels[i]->groups.size();
    std::uint64_t rounds = (left + groups - 1) / groups;
    if (i > 0) rounds = std::min(rounds, hop_rounds * (levels[i - 1]->height - levels[i]->height));
    left -= std::min(left, rounds * groups);
    result.push_back({levels[i], 0, rounds});
  }
  std::ranges::reverse(result);
  for (std::size_t i = 1; i < result.size(); ++i)
    result[i].first = result[i - 1].first + result[i - 1].rounds;
  return result;
}

std::uint64_t rounds_of(const std::vector<Turn>& turns, std::uint64_t hop_rounds = 1) {
  std::uint64_t rounds = 0;
  for (const Turn& turn : turns) rounds = std::max(rounds, turn.end(hop_rounds));
  return rounds;
}

// Packets of which the last ones enter several trees one after the other (staggered_trees.hpp).
struct Staggered {
  std::span<const StaggeredPacket> last = {};
  std::uint64_t alone = 0;       // packets before them, each over one tree
  std::uint64_t before = 0;      // rounds in which these start
  std::uint64_t first_left = 0;  // rounds left when the first of the last ones may start
  std::uint32_t height = 0;      // of the trees

  std::uint64_t end() const { return before + first_left; }  // as many rounds as hops were counted with
  std::uint64_t start(const StaggeredPacket& packet) const { return end() - packet.left(); }
  // If a hop takes one round.
  std::uint64_t rounds() const {
    std::uint64_t rounds = before == 0 ? 0 : before - 1 + height;
    for (const StaggeredPacket& packet : last) rounds = std::max(rounds, start(packet) + packet.rounds);
    return rounds;
  }
};

// Nothing if it takes longer than the turns.
std::optional<Staggered> staggered_within(const DisjointTrees& trees, std::uint64_t parts,
                                          std::uint64_t hop_rounds, const std::vector<Turn>& turns) {
  if (hop_rounds == 0) return std::nullopt;
  const std::span<const StaggeredPacket> all = trees.staggered(hop_rounds);
  if (all.empty()) return std::nullopt;
  Staggered result{.last = all.last(std::min<std::uint64_t>(parts, all.size()))};
  for (Port tree = 0; tree < trees.count(); ++tree)
    result.height = std::max(result.height, trees.height(tree));
  result.alone = parts - result.last.size();
  result.before = (result.alone + trees.count() - 1) / trees.count();
  result.first_left = result.before > 0 ? hop_rounds * (result.height - 1) : result.last.front().left();
  return result.end() < rounds_of(turns, hop_rounds) ? std::optional(result) : std::nullopt;
}

// The packets of one group, whose numbers are consecutive.
class Pipeline {
 public:
  Pipeline(const Network& network, Node root, const DisjointTrees& trees, std::span<const Port> group,
           PacketId first, std::uint64_t start, std::uint64_t packets)
      : start_(start), packets_(packets), hops_(network.order() - 1) {
    std::vector<Port> tree_of(network.order());
    for (Node node = 1; node < network.order(); ++node) {
      tree_of[node] =
          *std::ranges::min_element(group, {}, [&](Port tree) { return trees.depth(node, tree); });
      const std::uint32_t depth = trees.depth(node, tree_of[node]);
      if (depth >= ends_.size()) ends_.resize(depth + 1, 0);
      ++ends_[depth];
    }
    for (std::size_t depth = 1; depth < ends_.size(); ++depth) ends_[depth] += ends_[depth - 1];
    std::vector<std::size_t> next(ends_.begin(), ends_.end() - 1);
    for (Node node = 1; node < network.order(); ++node) {
      const Port port = trees.port(node, tree_of[node]);
      const Node parent = network.neighbour(node, network.opposite(port));
      hops_[next[trees.depth(node, tree_of[node]) - 1]++] = {first, network.group().add(root, parent), port};
    }
  }

  void add_round(std::uint64_t round, schedule::Rounds& rounds) const {
    if (round < start_) return;
    const std::uint64_t since = round - start_, height = ends_.size() - 1;
    const std::uint64_t end = std::min(since + 1, packets_);
    for (std::uint64_t i = since < height ? 0 : since + 1 - height; i < end; ++i) {
      for (const Hop& hop : at_depth(since - i + 1))
        rounds.add({hop.packet + static_cast<PacketId>(i), hop.from, hop.port});
    }
  }

 private:
  // The hops to the nodes of one depth.
  std::span<const Hop> at_depth(std::uint64_t depth) const {
    return std::span(hops_).subspan(ends_[depth - 1], ends_[depth] - ends_[depth - 1]);
  }

  std::uint64_t start_;  // the round of its first packet
  std::uint64_t packets_;
  std::vector<Hop> hops_;                // of the first packet, by depth
  std::vector<std::size_t> ends_ = {0};  // by depth: one past its hops
};

// The first turn may have fewer packets than rounds for them; each later round is full.
std::vector<Pipeline> pipelines(const Network& network, Node root, std::uint64_t parts,
                                const DisjointTrees& trees, const std::vector<Turn>& turns) {
  std::uint64_t spare = 0;
  for (const Turn& turn : turns) spare += turn.rounds * turn.level->groups.size();
  spare -= parts;
  std::vector<Pipeline> result;
  std::uint64_t dealt = 0;
  for (const Turn& turn : turns) {
    const std::uint64_t full = turn.level->groups.size() - std::exchange(spare, 0);
    for (std::size_t i = 0; i < turn.level->groups.size(); ++i) {
      const std::uint64_t packets = turn.rounds - (i < full ? 0 : 1);
      if (packets == 0) continue;
      result.emplace_back(network, root, trees, turn.level->groups[i], static_cast<PacketId>(dealt),
                          turn.first, packets);
      dealt += packets;
    }
  }
  return result;
}

// The packets that enter one tree each: the last round may have fewer of them, each earlier one is full.
std::vector<Pipeline> pipelines_alone(const Network& network, Node root, const DisjointTrees& trees,
                                      const Staggered& staggered) {
  std::vector<Pipeline> result;
  const std::uint64_t spare = staggered.before * trees.count() - staggered.alone;
  std::uint64_t dealt = 0;
  for (Port tree = 0; tree < trees.count(); ++tree) {
    const std::uint64_t late = tree < trees.count() - spare ? 0 : 1;
    const std::uint64_t packets = staggered.before - std::min(staggered.before, late);
    if (packets == 0) continue;
    result.emplace_back(network, root, trees, std::span(&tree, 1), static_cast<PacketId>(dealt), 0, packets);
    dealt += packets;
  }
  return result;
}

// The hops of the last packets, by round.
std::vector<std::vector<Hop>> last_hops(const Network& network, Node root, const DisjointTrees& trees,
                                        const Staggered& staggered) {
  std::vector<std::vector<Hop>> result(staggered.rounds());
  auto number = static_cast<PacketId>(staggered.alone);
  for (const StaggeredPacket& packet : staggered.last) {
    std::vector<std::uint64_t> starts(trees.count(), 0);
    for (const TreeEntry& entry : packet.entries)
      starts[entry.tree] = staggered.start(packet) + packet.delay(entry.tree);
    for (Node node = 1; node < network.order(); ++node) {
      const Port tree = packet.tree_of[node], port = trees.port(node, tree);
      const Node parent = network.neighbour(node, network.opposite(port));
      result[starts[tree] + trees.depth(node, tree) - 1].push_back(
          {number, network.group().add(root, parent), port});
    }
    ++number;
  }
  return result;
}

}  // namespace

schedule::Schedule disjoint_trees_broadcast(const Network& network, Node root, std::uint32_t parts,
                                            const DisjointTrees& trees, std::uint32_t hop_rounds) {
  const std::vector<Turn> turns = turns_of(trees, parts, hop_rounds);
  const auto staggered = staggered_within(trees, parts, hop_rounds, turns);
  const std::vector<Pipeline> lines = staggered ? pipelines_alone(network, root, trees, *staggered)
                                                : pipelines(network, root, parts, trees, turns);
  const auto last = staggered ? last_hops(network, root, trees, *staggered) : std::vector<std::vector<Hop>>();
  const std::uint64_t count = staggered ? staggered->rounds() : rounds_of(turns);
  schedule::Rounds rounds;
  rounds.reserve(count, std::uint64_t{network.order() - 1} * parts);
  for (std::uint64_t t = 0; t < count; ++t) {
    for (const Pipeline& line : lines) line.add_round(t, rounds);
    if (staggered) {
      for (const Hop& hop : last[t]) rounds.add(hop);
    }
    rounds.close_round();
  }
  return one_stage(schedule::PortModel::all(), schedule::RoundKind::strict,
                   {schedule::Flow::copy, schedule::Replication::none(), {}, std::move(rounds)});
}

std::uint64_t disjoint_trees_broadcast_rounds(const DisjointTrees& trees, std::uint32_t parts,
                                              std::uint32_t hop_rounds) {
  const std::vector<Turn> turns = turns_of(trees, parts, hop_rounds);
  const auto staggered = staggered_within(trees, parts, hop_rounds, turns);
  return staggered ? staggered->rounds() : rounds_of(turns);
}

}  // namespace isotrope::algorithm
