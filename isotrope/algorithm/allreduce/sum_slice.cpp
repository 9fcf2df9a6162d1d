// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/allreduce/sum_slice.hpp"

#include <algorithm>
#include <numeric>

#include "isotrope/schedule/transform.hpp"

namespace isotrope::algorithm {

using network::Network;
using network::Node;
using network::Port;
using schedule::PacketId;
using schedule::ValueId;

ValueId SumSlice::send(Node from, Port port, const Values& values) {
  const auto sum = sums_.try_emplace(values, static_cast<PacketId>(sums_.size())).first->second;
  round_.push_back({sum, from, port});
  return ++received_[network_.neighbour(from, port)];
}

NetworkImage::NetworkImage(const Network& network, std::vector<Node> images_of_nodes)
    : nodes(std::move(images_of_nodes)) {
  const auto& generators = network.generators();
  for (const Node generator : generators)
    ports.push_back(static_cast<Port>(std::ranges::find(generators, nodes[generator]) - generators.begin()));
}

NetworkImage NetworkImage::identity(const Network& network) {
  std::vector<Node> nodes(network.order());
  std::iota(nodes.begin(), nodes.end(), Node{0});
  return {network, std::move(nodes)};
}

NetworkImage NetworkImage::negation(const Network& network) {
  std::vector<Node> nodes(network.order());
  for (Node node = 0; node < network.order(); ++node) nodes[node] = network.group().negate(node);
  return {network, std::move(nodes)};
}

void SliceStage::add(const SumSlice& slice, const NetworkImage& image, Node offset) {
  const network::Group& group = network_.group();
  const auto first = static_cast<PacketId>(stage_.sums.size());
  stage_.sums.resize(first + slice.sums_.size());
  for (const auto& [values, number] : slice.sums_) stage_.sums[first + number] = {parts_, values};
  for (std::size_t t = 0; t < rounds_.size(); ++t) {
    for (const schedule::Hop& hop : slice.rounds_[t])
      rounds_[t].push_back(
          {first + hop.packet, group.add(image.nodes[hop.from], offset), image.ports[hop.port]});
  }
  const std::size_t begin = stage_.result.size();
  stage_.result.resize(begin + network_.order());
  for (Node node = 0; node < network_.order(); ++node)
    stage_.result[begin + group.add(image.nodes[node], offset)] = slice.own[node];
  ++parts_;
}

schedule::Schedule SliceStage::finish() {
  std::uint64_t hops = 0;
  for (const auto& round : rounds_) hops += round.size();
  stage_.rounds.reserve(rounds_.size(), hops);
  append(rounds_, stage_.rounds);
  schedule::Schedule result{schedule::PortModel::all(), schedule::RoundKind::aggregated, {}};
  result.stages.push_back(std::move(stage_));
  return result;
}

}  // namespace isotrope::algorithm
