// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/network/surviving_network.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"

namespace isotrope::network {
namespace {

constexpr std::uint64_t most_links = std::uint64_t{1} << 28;

}  // namespace

SurvivingNetwork::SurvivingNetwork(Network whole, Failures failures)
    : whole_(std::move(whole)), failures_(std::move(failures)) {
  if (whole_.directed_links() > most_links)
    throw Error(fmt::format("{}: {} directed links: failures are supported in networks of at most 2^28",
                            whole_.name(), whole_.directed_links()));
  const Node order = whole_.order();
  const Port degree = whole_.degree();
  alive_.assign(order, 1);
  carries_.assign(whole_.directed_links(), 1);
  const auto cut = [&](Node node, Port port) {
    carries_[std::uint64_t{node} * degree + port] = 0;
    carries_[std::uint64_t{whole_.neighbour(node, port)} * degree + whole_.opposite(port)] = 0;
  };
  for (const Node node : failures_.nodes) {
    if (node >= order)
      throw Error(fmt::format("failed node {}: the nodes of {} are 0..{}", node, whole_.name(), order - 1));
    alive_[node] = 0;
    for (Port port = 0; port < degree; ++port) cut(node, port);
  }
  for (const auto [node, port] : failures_.links) {
    if (node >= order || port >= degree)
      throw Error(fmt::format("failed link, node {} and port {}: {} has nodes 0..{} and ports 0..{}", node,
                              port, whole_.name(), order - 1, degree - 1));
    cut(node, port);
  }
  for (const auto [node, port] : closing_links(whole_, failures_.open_axes)) cut(node, port);
  for (Node node = 0; node < order; ++node) {
    if (alive(node)) nodes_.push_back(node);
  }
  if (nodes_.empty())
    throw Error(fmt::format("all {} nodes of {} have failed: no node is left", order, whole_.name()));
}

Port SurvivingNetwork::degree(Node node) const {
  const auto first = carries_.begin() + static_cast<std::ptrdiff_t>(std::uint64_t{node} * whole_.degree());
  return static_cast<Port>(std::count(first, first + whole_.degree(), std::uint8_t{1}));
}

std::uint64_t SurvivingNetwork::links() const {
  return static_cast<std::uint64_t>(std::count(carries_.begin(), carries_.end(), std::uint8_t{1})) / 2;
}

std::vector<std::uint32_t> SurvivingNetwork::distances(Node from) const {
  std::vector<std::uint32_t> result(whole_.order(), unreachable);
  std::vector<Node> reached;
  if (alive(from)) reached.push_back(from);
  if (alive(from)) result[from] = 0;
  whole_.visit([&](const auto& neighbour_of, const auto&) {
    for (std::size_t i = 0; i < reached.size(); ++i) {
      const Node node = reached[i];
      for (Port port = 0; port < whole_.degree(); ++port) {
        if (!carries(node, port)) continue;
        const Node neighbour = neighbour_of(node, port);
        if (result[neighbour] != unreachable) continue;
        result[neighbour] = result[node] + 1;
        reached.push_back(neighbour);
      }
    }
  });
  return result;
}

std::vector<Node> SurvivingNetwork::cut_off(Node from) const {
  const std::vector<std::uint32_t> distance = distances(from);
  std::vector<Node> result;
  std::copy_if(nodes_.begin(), nodes_.end(), std::back_inserter(result),
               [&](Node node) { return distance[node] == unreachable; });
  return result;
}

}  // namespace isotrope::network
