// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/allreduce/link_shares.hpp"

#include <algorithm>

namespace isotrope::algorithm {
namespace {

using network::Node;
using network::Port;

// The potential of every node, in units of 2^-24.
std::vector<std::int64_t> potential(const ArcGraph& graph) {
  constexpr std::int64_t unit = std::int64_t{1} << 24;
  constexpr int sweeps = 400;
  const std::int64_t nodes = graph.nodes(), mean_degree = graph.arcs() * unit / nodes;
  std::vector<std::int64_t> y(graph.nodes(), 0);
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    for (std::uint32_t v = 0; v < graph.nodes(); ++v) {
      const auto arcs = graph.into(v);
      const auto degree = static_cast<std::int64_t>(arcs.size());
      std::int64_t sum = mean_degree - degree * unit;
      for (const Arc& arc : arcs) sum += y[arc.from];
      y[v] = sum / degree;
    }
  }
  return y;
}

}  // namespace

ArcGraph::ArcGraph(const network::SurvivingNetwork& network) : first_{0} {
  const network::Network& whole = network.whole();
  std::vector<std::uint32_t> place(whole.order(), 0);
  for (std::uint32_t i = 0; i < network.nodes().size(); ++i) place[network.nodes()[i]] = i;
  std::vector<std::uint32_t> arc_into(std::uint64_t{whole.order()} * whole.degree(),
                                      0);  // by receiver's port
  for (const Node node : network.nodes()) {
    network.for_each_neighbour(node, [&](Port port, Node neighbour) {
      arc_into[std::uint64_t{node} * whole.degree() + port] = arcs();
      arcs_.push_back({place[neighbour], place[node], whole.opposite(port), 0});
    });
    first_.push_back(arcs());
  }
  for (const Node node : network.nodes()) {
    network.for_each_neighbour(node, [&](Port port, Node neighbour) {
      arcs_[arc_into[std::uint64_t{node} * whole.degree() + port]].opposite =
          arc_into[std::uint64_t{neighbour} * whole.degree() + whole.opposite(port)];
    });
  }
}

std::vector<std::uint32_t> ArcGraph::distances(std::uint32_t from) const {
  std::vector<std::uint32_t> result(nodes(), network::unreachable), queue{from};
  result[from] = 0;
  for (std::size_t i = 0; i < queue.size(); ++i) {
    for (const Arc& arc : into(queue[i])) {  // links carry both ways
      if (result[arc.from] != network::unreachable) continue;
      result[arc.from] = result[queue[i]] + 1;
      queue.push_back(arc.from);
    }
  }
  return result;
}

std::vector<std::uint64_t> link_shares(const ArcGraph& graph) {
  constexpr std::int64_t one = std::int64_t{1} << 32;
  const std::vector<std::int64_t> y = potential(graph);
  std::vector<std::uint64_t> shares;
  for (std::uint32_t a = 0; a < graph.arcs(); ++a) {
    const std::int64_t share = one / 2 + (y[graph[a].to] - y[graph[a].from]) * (1 << 7);
    shares.push_back(static_cast<std::uint64_t>(std::clamp<std::int64_t>(share, 0, one)));
  }
  return shares;
}

}  // namespace isotrope::algorithm
