// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/graph/connectivity.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"

#include "isotrope/network/rates.hpp"
#include "isotrope/network/subgroup.hpp"

#include "isotrope/graph/flow_network.hpp"

namespace isotrope::graph {
namespace {

// Calls `function(node, neighbour)` for every directed link.
template <class Function>
void for_each_link(const Network& network, Function function) {
  for (Node node = 0; node < network.order(); ++node) {
    for (Port port = 0; port < network.degree(); ++port) function(node, network.neighbour(node, port));
  }
}
template <class Function>
void for_each_link(const SurvivingNetwork& network, Function function) {
  for (const Node node : network.nodes())
    network.for_each_neighbour(node, [&](Port, Node neighbour) { function(node, neighbour); });
}

// The split graph: node v is the arc from its entrance 2v to its exit 2v + 1, a link the arc from an exit to an entrance.
class SplitGraph {
 public:
  // `network` is a Network or a SurvivingNetwork.
  template <class Graph>
  SplitGraph(const Graph& network, Node order) : flow_(2 * order) {
    for (Node node = 0; node < order; ++node) flow_.add_arc(2 * node, 2 * node + 1, 1);
    for_each_link(network, [&](Node from, Node to) { flow_.add_arc(2 * from + 1, 2 * to, 1); });
  }

  // The number of disjoint paths between two nodes that are not adjacent.
  Port disjoint_paths(Node source, Node target) {
    flow_.clear();
    return static_cast<Port>(flow_.augment(2 * source + 1, 2 * target));
  }

 private:
  FlowNetwork flow_;
};

void require_few(const Network& network, std::uint64_t directed_links) {
  if (directed_links <= largest_connectivity_links) return;
  throw Error(fmt::format("{}: {} directed links: connectivity is computed for at most 2^20 = {}",
                          network.name(), directed_links, largest_connectivity_links));
}

// Of the nodes at distance 2 from node 0, one of each pair t, -t.
std::set<Node> nodes_at_distance_two(const Network& network) {
  std::set<Node> adjacent(network.generators().begin(), network.generators().end());
  adjacent.insert(0);
  std::set<Node> result;
  for (Node first : network.generators()) {
    for (Port port = 0; port < network.degree(); ++port) {
      const Node node = network.neighbour(first, port);
      if (!adjacent.contains(node)) result.insert(std::min(node, network.group().negate(node)));
    }
  }
  return result;
}

std::vector<Node> neighbours_of(const SurvivingNetwork& network, Node node) {
  std::vector<Node> result;
  network.for_each_neighbour(node, [&](Port, Node neighbour) { result.push_back(neighbour); });
  return result;
}

bool adjacent(const SurvivingNetwork& network, Node a, Node b) {
  const std::vector<Node> neighbours = neighbours_of(network, a);
  return std::find(neighbours.begin(), neighbours.end(), b) != neighbours.end();
}

// The generators, one of each and its negative, with the ports that lead either way.
std::vector<std::pair<Node, Port>> ways_of(const Network& network) {
  std::map<Node, Port> ports;
  for (const Node generator : network.generators())
    ++ports[std::min(generator, network.group().negate(generator))];
  return {ports.begin(), ports.end()};
}

}  // namespace

Port node_connectivity(const SurvivingNetwork& network) {
  require_few(network.whole(), 2 * network.links());
  SplitGraph graph(network, network.whole().order());
  auto least = static_cast<Port>(network.nodes().size() - 1);
  const auto separate = [&](Node a, Node b) {
    if (a != b && !adjacent(network, a, b)) least = std::min(least, graph.disjoint_paths(a, b));
  };
  const Node loneliest =
      *std::min_element(network.nodes().begin(), network.nodes().end(),
                        [&](Node a, Node b) { return network.degree(a) < network.degree(b); });
  for (const Node node : network.nodes()) separate(loneliest, node);
  const std::vector<Node> neighbours = neighbours_of(network, loneliest);
  for (const Node a : neighbours) {
    for (const Node b : neighbours) {
      if (a < b) separate(a, b);
    }
  }
  return least;
}

std::optional<Port> link_connectivity(const Network& network) {
  constexpr std::size_t most_ways = 12;
  const std::vector<std::uint32_t> rates = network::port_rates(network);
  if (std::ranges::count(rates, rates.empty() ? 0 : rates.front()) == std::ssize(rates))
    return network.degree();
  const std::vector<std::pair<Node, Port>> ways = ways_of(network);
  if (ways.size() > most_ways) return std::nullopt;
  std::uint64_t least = network.degree();
  for (std::uint32_t set = 1; set < 1U << ways.size(); ++set) {
    std::vector<Node> inside;
    std::uint64_t outside = 0;
    for (std::size_t i = 0; i < ways.size(); ++i) {
      if ((set >> i & 1) != 0) {
        inside.push_back(ways[i].first);
      } else {
        outside += ways[i].second;
      }
    }
    const Node index = network::subgroup_index(network.group(), inside);
    if (index > 1) least = std::min(least, network.order() / index * outside);
  }
  return static_cast<Port>(least);
}

std::uint64_t link_connectivity(const SurvivingNetwork& network) {
  require_few(network.whole(), 2 * network.links());
  FlowNetwork flow(network.whole().order());
  for_each_link(network, [&](Node from, Node to) { flow.add_arc(from, to, 1); });
  const Node source = network.nodes().front();
  std::uint64_t least = network.nodes().size() == 1 ? 0 : network.degree(source);
  for (const Node target : network.nodes()) {
    if (target == source) continue;
    flow.clear();
    least = std::min(least, flow.augment(source, target));
  }
  return least;
}

Port node_connectivity(const Network& network) {
  require_few(network, network.directed_links());
  SplitGraph graph(network, network.order());
  auto least =
      static_cast<Port>(std::set<Node>(network.generators().begin(), network.generators().end()).size());
  for (Node target : nodes_at_distance_two(network)) least = std::min(least, graph.disjoint_paths(0, target));
  return least;
}

}  // namespace isotrope::graph
