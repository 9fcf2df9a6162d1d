// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/network/surviving_network.hpp"

#include <algorithm>
#include <numeric>
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
  alive_.assign(order, 1);
  for (const Node node : failures_.nodes) {
    if (node >= order)
      throw Error(fmt::format("failed node {}: the nodes of {} are 0..{}", node, whole_.name(), order - 1));
    alive_[node] = 0;
  }
  for (const auto [node, port] : failures_.links) {
    if (node >= order || port >= whole_.degree())
      throw Error(fmt::format("failed link, node {} and port {}: {} has nodes 0..{} and ports 0..{}", node,
                              port, whole_.name(), order - 1, whole_.degree() - 1));
  }
  list_ports(missing_links());
  list_neighbours();
  for (Node node = 0; node < order; ++node) {
    if (alive(node)) nodes_.push_back(node);
  }
  if (nodes_.empty())
    throw Error(fmt::format("all {} nodes of {} have failed: no node is left", order, whole_.name()));
}

// The numbers node * degree + port of the links and of their opposites, ascending.
std::vector<std::uint64_t> SurvivingNetwork::both_ways(const std::vector<Link>& links) const {
  std::vector<std::uint64_t> result;
  result.reserve(2 * links.size());
  for (const auto [node, port] : links) {
    result.push_back(std::uint64_t{node} * whole_.degree() + port);
    result.push_back(std::uint64_t{whole_.neighbour(node, port)} * whole_.degree() + whole_.opposite(port));
  }
  std::ranges::sort(result);
  return result;
}

std::vector<std::uint64_t> SurvivingNetwork::missing_links() const {
  std::vector<Link> links = closing_links(whole_, failures_.open_axes);
  links.insert(links.end(), failures_.links.begin(), failures_.links.end());
  for (const Node node : failures_.nodes) {
    for (Port port = 0; port < whole_.degree(); ++port) links.push_back({node, port});
  }
  return both_ways(links);
}

void SurvivingNetwork::list_ports(const std::vector<std::uint64_t>& missing) {
  const Port degree = whole_.degree();
  first_.assign(std::size_t{whole_.order()} + 1, 0);
  auto next_missing = missing.begin();
  const auto add = [&](std::uint64_t link) {  // ascending
    next_missing =
        std::find_if(next_missing, missing.end(), [&](std::uint64_t gone) { return gone >= link; });
    if (next_missing != missing.end() && *next_missing == link) return;
    ports_.push_back(static_cast<std::uint16_t>(link % degree));
    first_[link / degree + 1] = ports_.size();
  };
  if (failures_.edges.empty()) {
    for (std::uint64_t link = 0; link < whole_.directed_links(); ++link) add(link);
  } else {
    std::ranges::for_each(both_ways(links_of(whole_, failures_.edges)), add);
  }
  std::partial_sum(first_.begin(), first_.end(), first_.begin(),
                   [](std::uint64_t before, std::uint64_t end) { return std::max(before, end); });
}

void SurvivingNetwork::list_neighbours() {
  neighbours_.reserve(ports_.size());
  whole_.visit([&](const auto& neighbour_of, const auto&) {
    for (Node node = 0; node < whole_.order(); ++node) {
      for (const Port port : ports(node)) neighbours_.push_back(neighbour_of(node, port));
    }
  });
}

std::vector<std::uint32_t> SurvivingNetwork::distances(Node from) const {
  std::vector<std::uint32_t> result(whole_.order(), unreachable);
  std::vector<Node> reached;
  if (alive(from)) reached.push_back(from);
  if (alive(from)) result[from] = 0;
  for (std::size_t i = 0; i < reached.size(); ++i) {
    const Node node = reached[i];
    for (const Node neighbour : neighbours(node)) {
      if (result[neighbour] != unreachable) continue;
      result[neighbour] = result[node] + 1;
      reached.push_back(neighbour);
    }
  }
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
