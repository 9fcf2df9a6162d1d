// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/mpi/topology.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "isotrope/base/error.hpp"

#include "isotrope/network/cartesian.hpp"
#include "isotrope/network/factorisations.hpp"
#include "isotrope/network/parse.hpp"

#include "isotrope/mpi/failure.hpp"
#include "isotrope/mpi/neighbours.hpp"

namespace isotrope::mpi {
namespace {

using network::Coordinate;
using network::Group;
using network::NamedNetwork;
using network::Network;
using network::Node;
using AllNeighbours = std::vector<std::vector<Node>>;  // by rank, ascending

NamedNetwork network_of_grid(MPI_Comm comm) {
  int dimensions = 0;
  require_success(MPI_Cartdim_get(comm, &dimensions), "querying a Cartesian topology");
  const auto count = static_cast<std::size_t>(dimensions);
  std::vector<int> extents(count), periodic(count), coordinates(count);
  if (count > 0) {
    require_success(MPI_Cart_get(comm, dimensions, extents.data(), periodic.data(), coordinates.data()),
                    "querying a Cartesian topology");
  }
  return network::cartesian_network(std::vector<Coordinate>(extents.begin(), extents.end()),
                                    std::vector<bool>(periodic.begin(), periodic.end()));
}

// The ranks to which every rank sends, each once and without the rank itself. A graph that is not symmetric is
// recognised as no network later.
AllNeighbours all_neighbours(MPI_Comm comm) {
  const auto lists = gathered_lists(neighbours_of(comm)->destinations, comm);
  AllNeighbours result(lists.size());
  for (std::size_t i = 0; i < lists.size(); ++i) {
    for (const int neighbour : lists[i]) {
      if (neighbour != static_cast<int>(i)) result[i].push_back(static_cast<Node>(neighbour));
    }
    std::ranges::sort(result[i]);
    result[i].erase(std::unique(result[i].begin(), result[i].end()), result[i].end());
  }
  return result;
}

// Whether the neighbours of every rank are the neighbours of rank 0, translated.
bool invariant(const AllNeighbours& neighbours, const Group& group) {
  std::vector<Node> moved;
  for (Node rank = 1; rank < neighbours.size(); ++rank) {
    moved.clear();
    for (const Node generator : neighbours[0]) moved.push_back(group.add(rank, generator));
    std::ranges::sort(moved);
    if (moved != neighbours[rank]) return false;
  }
  return true;
}

std::optional<Network> graph_network(const AllNeighbours& neighbours) {
  std::optional<Network> result;
  const auto order = static_cast<std::uint64_t>(neighbours.size());
  if (order == 1) return network::parse("torus:1");
  network::visit_factorisations(order, [&](const std::vector<Coordinate>& candidate) {
    const Group group(candidate);
    if (!invariant(neighbours, group)) return false;
    try {
      result = Network("cayley", group, neighbours[0]);
    } catch (const Error&) {
      return false;  // not connected, or with links in one direction only
    }
    return true;
  });
  return result;
}

}  // namespace

void require_communicator(MPI_Comm comm) {
  if (comm == MPI_COMM_NULL)
    throw Failure(MPI_ERR_COMM, "MPI_COMM_NULL is no communicator: give MPI_COMM_WORLD or another one");
  int inter = 0;
  require_success(MPI_Comm_test_inter(comm, &inter), "querying the kind of a communicator");
  if (inter != 0) throw Failure(MPI_ERR_COMM, "an intercommunicator: give an intracommunicator");
}

int size_of(MPI_Comm comm) {
  int size = 0;
  require_success(MPI_Comm_size(comm, &size), "querying the size of a communicator");
  return size;
}

int rank_in(MPI_Comm comm) {
  int rank = 0;
  require_success(MPI_Comm_rank(comm, &rank), "querying a rank");
  return rank;
}

std::optional<NamedNetwork> topology_network(MPI_Comm comm) {
  int topology = MPI_UNDEFINED;
  require_success(MPI_Topo_test(comm, &topology), "querying a topology");
  if (topology == MPI_CART) return network_of_grid(comm);
  if (topology != MPI_GRAPH && topology != MPI_DIST_GRAPH) return std::nullopt;
  auto network = graph_network(all_neighbours(comm));
  if (!network) return std::nullopt;
  return NamedNetwork{*std::move(network)};
}

}  // namespace isotrope::mpi
