// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/forward/shortest_ports.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "isotrope/forward/lane_graph.hpp"

namespace isotrope::forward {
namespace {

using network::SurvivingNetwork;

std::vector<std::uint32_t> distances_from(const SurvivingNetwork& network, Node from) {
  if (!network.failures().empty()) return network.distances(from);
  std::vector<std::uint32_t> result;
  result.reserve(network.whole().order());
  for (Node to = 0; to < network.whole().order(); ++to) result.push_back(network.whole().distance(from, to));
  return result;
}

}  // namespace

ShortestPorts::ShortestPorts(const SurvivingNetwork& network, Node node)
    : node_(node), distances_(distances_from(network, node)) {
  for (const auto& [neighbour, links] : neighbours_of(network, node)) {
    neighbours_.push_back(neighbour);
    links_.push_back(links);
  }
  for (const Port port : network.ports(node)) {
    const auto lane = std::ranges::find(neighbours_, network.whole().neighbour(node, port));
    ports_.push_back({port, static_cast<Lane>(lane - neighbours_.begin())});
  }
  std::vector<std::pair<Node, Lane>> found;
  for (std::size_t lane = 0; lane < lanes(); ++lane) {
    const std::vector<std::uint32_t> from_there = distances_from(network, neighbours_[lane]);
    for (Node to = 0; to < from_there.size(); ++to) {
      if (from_there[to] < distances_[to]) found.emplace_back(to, static_cast<Lane>(lane));
    }
  }
  std::ranges::sort(found);
  first_.assign(distances_.size() + 1, 0);
  for (const auto& [to, lane] : found) {
    ++first_[to + 1];
    closer_.push_back(lane);
  }
  for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
}

ShortestPorts::Lane ShortestPorts::lane_of(Port port) const {
  return std::ranges::lower_bound(ports_, port, {}, &LaneOfPort::port)->lane;
}

ShortestPorts::Lane ShortestPorts::preferred(Node destination, std::uint32_t order) const {
  const std::span<const Lane> lanes = towards(destination);
  const auto port = std::ranges::lower_bound(ports_, order / 2, {}, &LaneOfPort::port);
  const Lane first = port == ports_.end() ? ports_.front().lane : port->lane;
  if (order % 2 == 0) {
    const auto next = std::ranges::lower_bound(lanes, first);
    return next == lanes.end() ? lanes.front() : *next;
  }
  const auto next = std::ranges::upper_bound(lanes, first);
  return next == lanes.begin() ? lanes.back() : *(next - 1);
}

namespace {

Distances distances_by_symmetry(const network::Network& network) {
  if (network.order() == 1) return {};
  return {network.diameter(),
          static_cast<double>(network.distance_sum()) / (static_cast<double>(network.order()) - 1)};
}

}  // namespace

Distances distances_of(const SurvivingNetwork& network) {
  if (network.failures().empty()) return distances_by_symmetry(network.whole());
  constexpr std::size_t most_searches = 2048;
  const bool searches_all = network.nodes().size() <= most_searches;
  const std::span<const Node> sources(network.nodes().data(), searches_all ? network.nodes().size() : 1);
  std::uint64_t sum = 0, pairs = 0;
  Distances result;
  for (const Node from : sources) {
    for (const std::uint32_t distance : network.distances(from)) {
      if (distance == 0 || distance == network::unreachable) continue;
      result.largest = std::max(result.largest, distance);
      sum += distance;
      ++pairs;
    }
  }
  if (!searches_all) result.largest *= 2;
  if (pairs > 0) result.mean = static_cast<double>(sum) / static_cast<double>(pairs);
  return result;
}

}  // namespace isotrope::forward
