// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/broadcast/disjoint_trees_broadcast.hpp"

#include <algorithm>
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

// One tree with its packets, whose numbers are consecutive.
class Pipeline {
 public:
  Pipeline(const Network& network, Node root, const DisjointTrees& trees, Port tree, PacketId first,
           std::uint64_t packets)
      : packets_(packets), hops_(network.order() - 1), ends_(trees.height(tree) + 1, 0) {
    for (Node node = 1; node < network.order(); ++node) ++ends_[trees.depth(node, tree)];
    for (std::size_t depth = 1; depth < ends_.size(); ++depth) ends_[depth] += ends_[depth - 1];
    std::vector<std::size_t> next(ends_.begin(), ends_.end() - 1);
    for (Node node = 1; node < network.order(); ++node) {
      const Port port = trees.port(node, tree);
      const Node parent = network.neighbour(node, network.opposite(port));
      hops_[next[trees.depth(node, tree) - 1]++] = {first, network.group().add(root, parent), port};
    }
  }

  void add_round(std::uint64_t round, schedule::Rounds& rounds) const {
    const std::uint64_t height = ends_.size() - 1;
    const std::uint64_t end = std::min(round + 1, packets_);
    for (std::uint64_t i = round < height ? 0 : round + 1 - height; i < end; ++i) {
      for (const Hop& hop : level(round - i + 1))
        rounds.add({hop.packet + static_cast<PacketId>(i), hop.from, hop.port});
    }
  }

 private:
  // The hops to the nodes of one depth.
  std::span<const Hop> level(std::uint64_t depth) const {
    return std::span(hops_).subspan(ends_[depth - 1], ends_[depth] - ends_[depth - 1]);
  }

  std::uint64_t packets_;
  std::vector<Hop> hops_;          // of the first packet, by depth
  std::vector<std::size_t> ends_;  // by depth: one past its hops
};

std::vector<Pipeline> pipelines(const Network& network, Node root, std::uint32_t parts,
                                const DisjointTrees& trees, std::uint64_t rounds) {
  std::vector<Pipeline> result;
  std::uint64_t dealt = 0;
  for (Port tree = 0; tree < trees.count() && dealt < parts; ++tree) {
    if (rounds < trees.height(tree)) continue;
    const std::uint64_t packets = std::min(parts - dealt, rounds - trees.height(tree) + 1);
    result.emplace_back(network, root, trees, tree, static_cast<PacketId>(dealt), packets);
    dealt += packets;
  }
  return result;
}

}  // namespace

schedule::Schedule disjoint_trees_broadcast(const Network& network, Node root, std::uint32_t parts,
                                            const DisjointTrees& trees) {
  const std::uint64_t rounds = disjoint_trees_broadcast_rounds(trees, parts);
  const std::vector<Pipeline> lines = pipelines(network, root, parts, trees, rounds);
  schedule::Stage stage{schedule::Flow::copy, schedule::Replication::none(), {}, {}};
  stage.rounds.reserve(rounds, std::uint64_t{network.order() - 1} * parts);
  for (std::uint64_t t = 0; t < rounds; ++t) {
    for (const Pipeline& line : lines) line.add_round(t, stage.rounds);
    stage.rounds.close_round();
  }
  schedule::Schedule result{schedule::PortModel::all(), schedule::RoundKind::strict, {}};
  result.stages.push_back(std::move(stage));
  return result;
}

// Along the lowest trees alone, each with one packet more per round, P packets take (P + sum of (height - 1)) /
// trees rounds. Trees that are too high to help never lower this number.
std::uint64_t disjoint_trees_broadcast_rounds(const DisjointTrees& trees, std::uint32_t parts) {
  std::vector<std::uint64_t> heights;
  for (Port tree = 0; tree < trees.count(); ++tree) heights.push_back(trees.height(tree));
  std::sort(heights.begin(), heights.end());
  std::uint64_t least = heights.empty() ? 0 : UINT64_MAX;
  std::uint64_t sum = 0;
  for (std::uint64_t used = 1; used <= heights.size(); ++used) {
    sum += heights[used - 1] - 1;
    least = std::min(least, (parts + sum + used - 1) / used);
  }
  return least;
}

}  // namespace isotrope::algorithm
