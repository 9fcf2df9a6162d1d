// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/graph/connectivity.hpp"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include <boost/graph/boykov_kolmogorov_max_flow.hpp>
#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <boost/property_map/function_property_map.hpp>
#include <fmt/format.h>

#include "isotrope/base/error.hpp"

namespace isotrope::graph {
namespace {

// The split graph. Node v has the entrance 2v and the exit 2v+1, with 1 + degree arcs each, in this order:
//
//     arc 0       to v's own other end                    capacity 1 from entrance to exit
//     arc 1 + p   to the other end of v's neighbour p     capacity 1 from exit to entrance
//
// All other capacities are 0, those over links that have failed among them, and every arc's reverse is found
// by arithmetic.
class SplitGraph {
 public:
  // `survivors`, of the same network, may be null: nothing has failed.
  explicit SplitGraph(const Network& network, const SurvivingNetwork* survivors = nullptr)
      : network_(network), survivors_(survivors), arcs_(network.degree() + 1), graph_(graph_of(network)) {}

  // The number of disjoint paths between two nodes that are not adjacent.
  Port disjoint_paths(Node source, Node target) const {
    const auto vertices = num_vertices(graph_);
    const auto index = get(boost::vertex_index, graph_);
    std::vector<int> residual(num_edges(graph_));
    std::vector<Arc> predecessor(vertices);
    std::vector<boost::default_color_type> color(vertices);
    std::vector<std::uint32_t> distance(vertices);
    const auto by_arc = boost::make_iterator_property_map(residual.begin(), get(boost::edge_index, graph_));
    const auto by_vertex = [&](auto& values) {
      return boost::make_iterator_property_map(values.begin(), index);
    };
    const auto capacity = [this](const Arc& arc) {
      return is_internal(arc) == is_entrance(arc) && (is_internal(arc) || carries(arc)) ? 1 : 0;
    };
    const auto reverse = [this](const Arc& arc) { return reversed(arc); };
    return static_cast<Port>(boost::boykov_kolmogorov_max_flow(
        graph_, boost::make_function_property_map<Arc>(capacity), by_arc,
        boost::make_function_property_map<Arc>(reverse), by_vertex(predecessor), by_vertex(color),
        by_vertex(distance), index, 2 * source + 1, 2 * target));
  }

 private:
  using Graph = boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, boost::no_property,
                                                   boost::no_property, std::uint32_t, std::uint32_t>;
  using Arc = boost::graph_traits<Graph>::edge_descriptor;

  static Graph graph_of(const Network& network) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> arcs;
    const std::uint32_t vertices = 2 * network.order();
    arcs.reserve(std::size_t{vertices} * (network.degree() + 1));
    for (std::uint32_t vertex = 0; vertex < vertices; ++vertex) {
      arcs.emplace_back(vertex, vertex ^ 1);
      for (Port port = 0; port < network.degree(); ++port) {
        const Node neighbour = network.neighbour(vertex / 2, port);
        arcs.emplace_back(vertex, (2 * neighbour + vertex % 2) ^ 1);
      }
    }
    return Graph(boost::edges_are_sorted, arcs.begin(), arcs.end(), vertices);
  }

  static bool is_entrance(const Arc& arc) { return arc.src % 2 == 0; }
  bool is_internal(const Arc& arc) const { return arc.idx % arcs_ == 0; }

  bool carries(const Arc& arc) const {
    const auto tail = static_cast<Node>(arc.src / 2);
    return survivors_ == nullptr || survivors_->carries(tail, static_cast<Port>(arc.idx % arcs_ - 1));
  }

  Arc reversed(const Arc& arc) const {
    const auto head = static_cast<std::uint32_t>(target(arc, graph_));
    const std::uint32_t back = is_internal(arc) ? 0 : 1 + network_.opposite(arc.idx % arcs_ - 1);
    return Arc(head, head * arcs_ + back);
  }

  const Network& network_;
  const SurvivingNetwork* survivors_;
  std::uint32_t arcs_;
  Graph graph_;
};

void require_small(const Network& network) {
  if (network.directed_links() <= largest_connectivity_links) return;
  throw Error(fmt::format("{}: {} directed links: connectivity is computed for at most 2^20 = {}",
                          network.name(), network.directed_links(), largest_connectivity_links));
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

}  // namespace

Port node_connectivity(const SurvivingNetwork& network) {
  require_small(network.whole());
  const SplitGraph graph(network.whole(), &network);
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

Port node_connectivity(const Network& network) {
  require_small(network);
  const SplitGraph graph(network);
  Port least = network.degree();
  for (Node target : nodes_at_distance_two(network)) least = std::min(least, graph.disjoint_paths(0, target));
  return least;
}

}  // namespace isotrope::graph
