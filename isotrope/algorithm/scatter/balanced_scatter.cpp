// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/scatter/balanced_scatter.hpp"

#include <utility>
#include <vector>

#include "isotrope/algorithm/trees/packet_stream.hpp"
#include "isotrope/algorithm/trees/rotation_order.hpp"

namespace isotrope::algorithm {

schedule::Schedule balanced_scatter(std::uint32_t dimension, network::Node root, std::uint32_t parts) {
  schedule::Stage stage{schedule::Flow::move, schedule::Replication::none(), {}, {}};
  const std::uint64_t hops = (std::uint64_t{dimension} << (dimension - 1)) * parts;
  const std::uint64_t packets = ((std::uint64_t{1} << dimension) - 1) * parts;
  stage.rounds.reserve((packets + dimension - 1) / dimension, hops);

  std::vector<PacketStream> subtrees;  // by port of the root
  for (std::uint32_t port = 0; port < dimension; ++port) subtrees.emplace_back(dimension, port, parts);
  for_each_in_rotation_order(dimension, parts, [&](std::uint32_t t, std::uint32_t m, std::uint32_t part) {
    subtrees[m].add(t * parts + part);
  });
  while (stage.rounds.hop_count() < hops) {
    for (PacketStream& subtree : subtrees) subtree.advance(stage.rounds.size(), root, stage.rounds);
    stage.rounds.close_round();
  }
  schedule::Schedule result;
  result.stages.push_back(std::move(stage));
  return result;
}

}  // namespace isotrope::algorithm
