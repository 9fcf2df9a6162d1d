// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/broadcast/multinode_broadcast.hpp"

#include "isotrope/algorithm/trees/rotation_order.hpp"

namespace isotrope::algorithm {

schedule::Schedule multinode_broadcast(std::uint32_t dimension, std::uint32_t parts) {
  schedule::Stage stage{schedule::Flow::copy, schedule::Replication::all(), {}, {}};
  const std::uint64_t hops = ((std::uint64_t{1} << dimension) - 1) * parts;
  stage.rounds.reserve((hops + dimension - 1) / dimension, hops);
  for_each_in_rotation_order(dimension, parts, [&](std::uint32_t t, std::uint32_t m, std::uint32_t part) {
    stage.rounds.add({part, t ^ (std::uint32_t{1} << m), m});
    if (m + 1 == dimension) stage.rounds.close_round();
  });
  if (hops % dimension != 0) stage.rounds.close_round();
  schedule::Schedule result;
  result.stages.push_back(std::move(stage));
  return result;
}

}  // namespace isotrope::algorithm
