// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/mpi/neighbours.hpp"

#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "isotrope/mpi/failure.hpp"
#include "isotrope/mpi/topology.hpp"

namespace isotrope::mpi {
namespace {

constexpr const char* querying = "querying neighbours";

std::vector<int> room_for(int count) {
  return std::vector<int>(static_cast<std::size_t>(count) + 1);  // MPI gets no null pointer
}

Neighbours cartesian_neighbours(MPI_Comm comm) {
  int dimensions = 0;
  require_success(MPI_Cartdim_get(comm, &dimensions), querying);
  Neighbours result{.sources = {}, .destinations = {}, .cartesian = true};
  for (int dimension = 0; dimension < dimensions; ++dimension) {
    int below = MPI_PROC_NULL, above = MPI_PROC_NULL;
    require_success(MPI_Cart_shift(comm, dimension, 1, &below, &above), querying);
    result.sources.push_back(below);
    result.sources.push_back(above);
  }
  result.destinations = result.sources;
  return result;
}

Neighbours graph_neighbours(MPI_Comm comm) {
  const int rank = rank_in(comm);
  int count = 0;
  require_success(MPI_Graph_neighbors_count(comm, rank, &count), querying);
  std::vector<int> both = room_for(count);
  require_success(MPI_Graph_neighbors(comm, rank, count, both.data()), querying);
  both.pop_back();
  return {.sources = both, .destinations = both};
}

Neighbours distributed_neighbours(MPI_Comm comm) {
  int in = 0, out = 0, weighted = 0;
  require_success(MPI_Dist_graph_neighbors_count(comm, &in, &out, &weighted), querying);
  Neighbours result{.sources = room_for(in), .destinations = room_for(out)};
  std::vector<int> in_weights = room_for(in), out_weights = room_for(out);
  require_success(MPI_Dist_graph_neighbors(
                      comm, in, result.sources.data(), weighted != 0 ? in_weights.data() : MPI_UNWEIGHTED,
                      out, result.destinations.data(), weighted != 0 ? out_weights.data() : MPI_UNWEIGHTED),
                  querying);
  result.sources.pop_back();
  result.destinations.pop_back();
  return result;
}

// SimGrid (3.32) ends programs that query a topology.
#ifdef SMPI_H
constexpr bool library_has_topologies = false;
#else
constexpr bool library_has_topologies = true;
#endif

}  // namespace

std::optional<Neighbours> neighbours_of(MPI_Comm comm) {
  if (!library_has_topologies) return std::nullopt;
  int topology = MPI_UNDEFINED;
  require_success(MPI_Topo_test(comm, &topology), "querying a topology");
  if (topology == MPI_CART) return cartesian_neighbours(comm);
  if (topology == MPI_GRAPH) return graph_neighbours(comm);
  if (topology == MPI_DIST_GRAPH) return distributed_neighbours(comm);
  return std::nullopt;
}

std::vector<std::vector<int>> gathered_lists(const std::vector<int>& own, MPI_Comm comm) {
  constexpr const char* gathering = "gathering neighbours";
  const int own_count = static_cast<int>(own.size());
  std::vector<int> counts(static_cast<std::size_t>(size_of(comm))), places(counts.size());
  require_success(MPI_Allgather(&own_count, 1, MPI_INT, counts.data(), 1, MPI_INT, comm), gathering);
  if (const auto all = std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
      !std::in_range<int>(all))
    throw Failure(MPI_ERR_INTERN,
                  fmt::format("lists of {} neighbours in all: at most 2^31 - 1 are gathered", all));
  std::exclusive_scan(counts.begin(), counts.end(), places.begin(), 0);
  std::vector<int> lists = room_for(places.back() + counts.back());
  require_success(MPI_Allgatherv(own.data(), own_count, MPI_INT, lists.data(), counts.data(), places.data(),
                                 MPI_INT, comm),
                  gathering);
  std::vector<std::vector<int>> result;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const auto begin = lists.begin() + places[i];
    result.emplace_back(begin, begin + counts[i]);
  }
  return result;
}

}  // namespace isotrope::mpi
