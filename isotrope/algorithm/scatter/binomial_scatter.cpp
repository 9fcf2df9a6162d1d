// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/scatter/binomial_scatter.hpp"

#include <utility>

#include "isotrope/algorithm/trees/packet_stream.hpp"

namespace isotrope::algorithm {

schedule::Schedule binomial_scatter(std::uint32_t dimension, network::Node root, std::uint32_t parts,
                                    schedule::PortModel ports) {
  schedule::Stage stage{schedule::Flow::move, schedule::Replication::none(), {}, {}};
  const std::uint64_t hops = (std::uint64_t{dimension} << (dimension - 1)) * parts;
  stage.rounds.reserve(((std::uint64_t{1} << dimension) - 1) * parts, hops);

  PacketStream stream(dimension, 0, parts);
  for (std::uint32_t part = 0; part < parts; ++part) {
    for (network::Node t = 1; t < network::Node{1} << dimension; ++t) stream.add(t * parts + part);
  }
  while (stage.rounds.hop_count() < hops) {
    stream.advance(stage.rounds.size(), root, stage.rounds);
    stage.rounds.close_round();
  }
  schedule::Schedule result{ports, schedule::RoundKind::strict, {}};
  result.stages.push_back(std::move(stage));
  return result;
}

}  // namespace isotrope::algorithm
