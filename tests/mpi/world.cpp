// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "world.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "isotrope/base/split_mix.hpp"

#include "isotrope/network/edge_list.hpp"
#include "isotrope/network/parse.hpp"

namespace isotrope::mpi {
namespace {

std::map<std::string, Communicator>& communicators() {
  static std::map<std::string, Communicator> all;
  return all;
}

// A path, and links from node v to node v^2 + 2 modulo N.
network::NamedNetwork graph_without_symmetry(network::Node order) {
  std::set<network::Edge> edges;
  for (network::Node node = 0; node + 1 < order; ++node) edges.insert({node, node + 1});
  for (network::Node node = 0; node < order; ++node) {
    const network::Node other = (node * node + 2) % order;
    if (other != node) edges.insert({std::min(node, other), std::max(node, other)});
  }
  return network::from_edges(order, {edges.begin(), edges.end()});
}

}  // namespace

int world_rank() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

int world_size() {
  int size = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  return size;
}

int class_of(int code) {
  int error_class = MPI_SUCCESS;
  MPI_Error_class(code, &error_class);
  return error_class;
}

std::vector<std::string> fitting_networks() {
  const std::map<int, std::vector<std::string>> by_size{
      {1, {"torus:1", "complete:1"}},
      {2, {"hypercube:1", "ring:2", "complete:2"}},
      {3, {"ring:3", "complete:3"}},
      {4, {"hypercube:2", "ring:4", "line:4", "complete:4", "cayley:2x2:0,1/1,0/1,1", "ring:4@2"}},
      {7, {"hexmesh:2", "ring:7", "complete:7", "circulant:7:1,2"}},
      {8,
       {"hypercube:3", "torus:2x4", "mesh:2x4", "ring:8", "complete:8", "circulant:8:1,3",
        "cayley:2x4:0,1/0,3/1,0/1,2", "torus:2x4@2,1"}},
      {9, {"torus:3x3", "line:3xring:3", "ring:9", "complete:9", "circulant:9:1,2"}},
      {16, {"hypercube:4", "torus:2x8", "torus:4x4"}},
      {19, {"hexmesh:3", "circulant:19:1,7"}}};
  const auto found = by_size.find(world_size());
  std::vector<std::string> names =
      found == by_size.end() ? std::vector{"ring:" + std::to_string(world_size())} : found->second;
  if (world_size() < 3) return names;
  const std::string middle = names[names.size() / 2];
  names.push_back(names.front() + shuffled);
  if (middle != names.front()) names.push_back(middle + shuffled);
  return names;
}

network::RankMap shuffled_ranks(network::Node order, std::uint64_t seed) {
  std::vector<network::Node> nodes(order);
  std::iota(nodes.begin(), nodes.end(), 0);
  SplitMix random(seed);
  for (network::Node last = order - 1; last > 0; --last)
    std::swap(nodes[last], nodes[random.below(last + 1)]);
  return network::RankMap(std::move(nodes));
}

std::vector<network::Node> nodes_of(const network::MappedNetwork& network) {
  return network.ranks.nodes(network.named.network.order());
}

network::MappedNetwork network_called(const std::string& name) {
  if (!name.ends_with(shuffled)) return {network::parse_named(name)};
  network::NamedNetwork named = network::parse_named(name.substr(0, name.find(shuffled)));
  network::RankMap ranks = shuffled_ranks(named.network.order(), 5);
  return {std::move(named), std::move(ranks)};
}

Communicator& communicator_on(const std::string& network) {
  const auto found = communicators().find(network);
  if (found != communicators().end()) return found->second;
  const network::MappedNetwork called =
      network == any_graph
          ? network::MappedNetwork{graph_without_symmetry(static_cast<network::Node>(world_size()))}
          : network_called(network);
  return communicators()
      .emplace(network, Communicator(MPI_COMM_WORLD, called.named, {.nodes = nodes_of(called)}))
      .first->second;
}

void free_communicators() {
  communicators().clear();
}

std::string network_test_name(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  for (char& c : name) c = std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return name;
}

}  // namespace isotrope::mpi
