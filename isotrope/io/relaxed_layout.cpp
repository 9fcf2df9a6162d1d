// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/io/relaxed_layout.hpp"

#include <cmath>

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/fruchterman_reingold.hpp>
#include <boost/graph/random_layout.hpp>
#include <boost/graph/topology.hpp>
#include <boost/random/linear_congruential.hpp>

namespace isotrope::io {
namespace {

using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS>;
using Cube = boost::cube_topology<boost::minstd_rand>;

double mean_length(const std::vector<Cube::point_type>& places, const std::vector<network::Edge>& edges) {
  double sum = 0;
  for (const auto [low, high] : edges) {
    const auto &a = places[low], &b = places[high];
    sum += std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
  }
  return sum == 0 ? 1 : sum / static_cast<double>(edges.size());
}

}  // namespace

std::vector<std::array<double, 3>> relaxed_places(network::Node nodes,
                                                  const std::vector<network::Edge>& edges) {
  constexpr double side = 10;
  constexpr unsigned steps = 150;
  Graph graph(nodes);
  for (const auto [low, high] : edges) add_edge(low, high, graph);
  boost::minstd_rand random(1);
  const Cube cube(random, side);
  std::vector<Cube::point_type> places(nodes);
  const auto place_of =
      boost::make_iterator_property_map(places.begin(), boost::get(boost::vertex_index, graph));
  boost::random_graph_layout(graph, place_of, cube);
  std::vector<Cube::point_difference_type> forces(nodes);
  const auto force_of =
      boost::make_iterator_property_map(forces.begin(), boost::get(boost::vertex_index, graph));
  boost::fruchterman_reingold_force_directed_layout(
      graph, place_of, cube, boost::square_distance_attractive_force(),
      boost::square_distance_repulsive_force(), boost::all_force_pairs(),
      boost::linear_cooling<double>(steps), force_of);
  const double length = mean_length(places, edges);
  std::vector<std::array<double, 3>> result;
  for (const auto& place : places)
    result.push_back({place[0] / length, place[1] / length, place[2] / length});
  return result;
}

}  // namespace isotrope::io
