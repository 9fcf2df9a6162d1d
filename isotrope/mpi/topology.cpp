// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/mpi/topology.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "isotrope/base/error.hpp"

#include "isotrope/network/parse.hpp"

#include "isotrope/mpi/failure.hpp"

namespace isotrope::mpi {
namespace {

using network::Coordinate;
using network::Group;
using network::Network;
using network::Node;
using Neighbours = std::vector<std::vector<Node>>;  // by rank, ascending

std::optional<Network> cartesian_network(MPI_Comm comm) {
  int dimensions = 0;
  require_success(MPI_Cartdim_get(comm, &dimensions), "querying a Cartesian topology");
  const auto count = static_cast<std::size_t>(dimensions);
  if (count == 0) return network::parse("torus:1");
  std::vector<int> extents(count), periodic(count), coordinates(count);
  require_success(MPI_Cart_get(comm, dimensions, extents.data(), periodic.data(), coordinates.data()),
                  "querying a Cartesian topology");
  std::size_t twos = 0, ones = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (periodic[i] == 0 && extents[i] > 2) return std::nullopt;
    twos += extents[i] == 2 ? 1 : 0;
    ones += extents[i] == 1 ? 1 : 0;
  }
  if (twos > 0 && twos + ones == count) return network::parse(fmt::format("hypercube:{}", twos));
  return network::parse(fmt::format("torus:{}", fmt::join(extents, "x")));
}

// The neighbours to which this rank sends. A graph that is not symmetric is recognised as no network later.
std::vector<int> own_neighbours(MPI_Comm comm, int topology) {
  std::vector<int> result;
  if (topology == MPI_DIST_GRAPH) {
    int in = 0, out = 0, weighted = 0;
    require_success(MPI_Dist_graph_neighbors_count(comm, &in, &out, &weighted), "querying neighbours");
    std::vector<int> sources(static_cast<std::size_t>(in) + 1), weights(sources.size());
    std::vector<int> out_weights(static_cast<std::size_t>(out) + 1);
    result.resize(static_cast<std::size_t>(out) + 1);
    require_success(
        MPI_Dist_graph_neighbors(comm, in, sources.data(), weighted != 0 ? weights.data() : MPI_UNWEIGHTED,
                                 out, result.data(), weighted != 0 ? out_weights.data() : MPI_UNWEIGHTED),
        "querying neighbours");
    result.resize(static_cast<std::size_t>(out));
    return result;
  }
  const int rank = rank_in(comm);
  int count = 0;
  require_success(MPI_Graph_neighbors_count(comm, rank, &count), "querying neighbours");
  result.resize(static_cast<std::size_t>(count) + 1);
  require_success(MPI_Graph_neighbors(comm, rank, count, result.data()), "querying neighbours");
  result.resize(static_cast<std::size_t>(count));
  return result;
}

// The neighbours of all ranks, each once and without the rank itself.
Neighbours all_neighbours(MPI_Comm comm, int topology) {
  const std::vector<int> own = own_neighbours(comm, topology);
  const int size = size_of(comm), own_count = static_cast<int>(own.size());
  std::vector<int> counts(static_cast<std::size_t>(size)), places(counts.size());
  require_success(MPI_Allgather(&own_count, 1, MPI_INT, counts.data(), 1, MPI_INT, comm),
                  "gathering neighbours");
  int total = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    places[i] = total;
    total += counts[i];
  }
  std::vector<int> lists(static_cast<std::size_t>(total) + 1);
  require_success(MPI_Allgatherv(own.data(), own_count, MPI_INT, lists.data(), counts.data(), places.data(),
                                 MPI_INT, comm),
                  "gathering neighbours");
  Neighbours result(counts.size());
  for (std::size_t i = 0; i < counts.size(); ++i) {
    for (int k = 0; k < counts[i]; ++k) {
      const int neighbour = lists[static_cast<std::size_t>(places[i]) + static_cast<std::size_t>(k)];
      if (neighbour != static_cast<int>(i)) result[i].push_back(static_cast<Node>(neighbour));
    }
    std::ranges::sort(result[i]);
    result[i].erase(std::unique(result[i].begin(), result[i].end()), result[i].end());
  }
  return result;
}

// Whether the neighbours of every rank are the neighbours of rank 0, translated.
bool invariant(const Neighbours& neighbours, const Group& group) {
  std::vector<Node> moved;
  for (Node rank = 1; rank < neighbours.size(); ++rank) {
    moved.clear();
    for (const Node generator : neighbours[0]) moved.push_back(group.add(rank, generator));
    std::ranges::sort(moved);
    if (moved != neighbours[rank]) return false;
  }
  return true;
}

// Calls visit(moduli) for every way to write `order` as an ordered product of `factors` factors above 1,
// until visit returns true.
template <class Visit>
bool factorise(std::uint64_t order, std::size_t factors, std::vector<Coordinate>& moduli,
               const Visit& visit) {
  if (factors == 1) {
    moduli.push_back(static_cast<Coordinate>(order));
    const bool done = visit(moduli);
    moduli.pop_back();
    return done;
  }
  for (std::uint64_t factor = 2; factor * 2 <= order; ++factor) {
    if (order % factor != 0) continue;
    moduli.push_back(static_cast<Coordinate>(factor));
    const bool done = factorise(order / factor, factors - 1, moduli, visit);
    moduli.pop_back();
    if (done) return true;
  }
  return false;
}

std::optional<Network> graph_network(const Neighbours& neighbours) {
  std::optional<Network> result;
  const auto order = static_cast<std::uint64_t>(neighbours.size());
  if (order == 1) return network::parse("torus:1");
  std::vector<Coordinate> moduli;
  for (std::size_t factors = 1; (std::uint64_t{1} << factors) <= order && !result; ++factors) {
    factorise(order, factors, moduli, [&](const std::vector<Coordinate>& candidate) {
      const Group group(candidate);
      if (!invariant(neighbours, group)) return false;
      try {
        result = Network("cayley", group, neighbours[0]);
      } catch (const Error&) {
        return false;  // not connected, or with links in one direction only
      }
      return true;
    });
  }
  return result;
}

}  // namespace

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

std::optional<Network> topology_network(MPI_Comm comm) {
  int topology = MPI_UNDEFINED;
  require_success(MPI_Topo_test(comm, &topology), "querying a topology");
  if (topology == MPI_CART) return cartesian_network(comm);
  if (topology == MPI_GRAPH || topology == MPI_DIST_GRAPH)
    return graph_network(all_neighbours(comm, topology));
  return std::nullopt;
}

}  // namespace isotrope::mpi
