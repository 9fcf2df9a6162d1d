// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "neighbourhoods.hpp"

#include <algorithm>
#include <array>
#include <random>

namespace isotrope::mpi {
namespace {

int rank_of_world() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

int size_of_world() {
  int size = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  return size;
}

std::vector<NeighbourhoodCase>& all_cases() {
  static std::vector<NeighbourhoodCase> cases;
  return cases;
}

// ---- grids

void add_grids() {
  const int size = size_of_world();
  std::vector<std::vector<int>> grids{{size}, {size, 1}, {1, size, 1}};
  if (size % 2 == 0) grids.push_back({2, size / 2});
  if (size % 3 == 0) grids.push_back({size / 3, 3});
  if (size % 4 == 0) grids.push_back({2, size / 4, 2});
  for (const auto& extents : grids) {
    const int dimensions = static_cast<int>(extents.size());
    for (int mask = 0; mask < 1 << dimensions; ++mask) {
      std::vector<int> periods;
      std::string name = "grid";
      for (int i = 0; i < dimensions; ++i) {
        periods.push_back(mask >> i & 1);
        name.append(" ").append(std::to_string(extents[static_cast<std::size_t>(i)]));
        if (periods.back() != 0) name.append("p");
      }
      MPI_Comm comm = MPI_COMM_NULL;
      MPI_Cart_create(MPI_COMM_WORLD, dimensions, extents.data(), periods.data(), 0, &comm);
      all_cases().push_back({name, comm, true});
    }
  }
}

// ---- distributed graphs

MPI_Comm adjacent(const std::vector<int>& sources, const std::vector<int>& destinations, bool weighted) {
  const std::vector<int> in_weights(sources.size() + 1, 3), out_weights(destinations.size() + 1, 5);
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, static_cast<int>(sources.size()), sources.data(),
                                 weighted ? in_weights.data() : MPI_UNWEIGHTED,
                                 static_cast<int>(destinations.size()), destinations.data(),
                                 weighted ? out_weights.data() : MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &comm);
  return comm;
}

// The rank at `offset` from this one, or in the opposite direction.
int moved(const std::vector<int>& extents, const std::vector<int>& offset, int direction) {
  int rest = rank_of_world(), result = 0, stride = 1;
  for (std::size_t i = extents.size(); i-- > 0;) {
    const int extent = extents[i], x = rest % extent;
    rest /= extent;
    result += ((x + direction * offset[i]) % extent + extent) % extent * stride;
    stride *= extent;
  }
  return result;
}

void add_stencils() {
  const int size = size_of_world();
  std::vector<std::vector<int>> tori{{size}};
  if (size % 2 == 0) tori.push_back({2, size / 2});
  if (size % 3 == 0) tori.push_back({3, size / 3});
  if (size % 4 == 0) tori.push_back({size / 4, 2, 2});
  for (const auto& extents : tori) {
    for (const int radius : {1, 2}) {
      for (const bool shuffled : {false, true}) {
        std::string name = "stencil of radius ";
        name.append(std::to_string(radius)).append(shuffled ? ", shuffled, on" : " on");
        for (const int extent : extents) name.append(" ").append(std::to_string(extent));
        all_cases().push_back({name, stencil(extents, radius, shuffled)});
      }
    }
  }
}

// The same edges on every rank, from one seed.
void add_random_graphs() {
  const int size = size_of_world(), rank = rank_of_world();
  for (const unsigned seed : {1U, 2U, 3U, 4U}) {
    std::mt19937 random(seed);
    std::vector<int> sources, destinations;
    const int edges = static_cast<int>(seed) * size;
    for (int i = 0; i < edges; ++i) {
      // The last rank of three or more has no edge, and rank 0 many.
      const int most = size > 2 ? size - 1 : size;
      const int from = static_cast<int>(random() % static_cast<unsigned>(most));
      const int to = random() % 3 == 0 ? 0 : static_cast<int>(random() % static_cast<unsigned>(most));
      if (from == rank) destinations.push_back(to);
      if (to == rank) sources.push_back(from);
    }
    all_cases().push_back(
        {"random graph " + std::to_string(seed), adjacent(sources, destinations, seed % 2 == 0)});
  }
  all_cases().push_back({"graph without edges", adjacent({}, {}, false)});
}

// Every rank names the edges of the next one, so that the library distributes them.
void add_distributed() {
  const int size = size_of_world(), next = (rank_of_world() + 1) % size;
  const std::array to{(next + 1) % size, next, 0};
  const int three = 3;
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &next, &three, to.data(), MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &comm);
  all_cases().push_back({"distributed by others", comm});
}

// ---- graphs

void add_graph(const std::string& name, const std::vector<std::vector<int>>& neighbours) {
  std::vector<int> ends, edges;
  for (const auto& of_rank : neighbours) {
    edges.insert(edges.end(), of_rank.begin(), of_rank.end());
    ends.push_back(static_cast<int>(edges.size()));
  }
  edges.push_back(0);  // no null pointer
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Graph_create(MPI_COMM_WORLD, size_of_world(), ends.data(), edges.data(), 0, &comm);
  all_cases().push_back({name, comm});
}

void add_graphs() {
  const int size = size_of_world();
  std::vector<std::vector<int>> star(static_cast<std::size_t>(size)), complete(star);
  for (int i = 1; i < size; ++i) {
    star[0].push_back(i);
    star[static_cast<std::size_t>(i)].push_back(0);
  }
  for (int i = 0; i < size; ++i) {
    for (int j = 0; j < size; ++j) {
      if (i != j) complete[static_cast<std::size_t>(i)].push_back(j);
    }
  }
  add_graph("star", star);
  add_graph("complete graph", complete);
}

// ---- edges

struct Lists {
  std::vector<int> sources, destinations;
};

Lists lists_of(const NeighbourhoodCase& neighbourhood) {
  Lists result;
  int topology = MPI_UNDEFINED, count = 0;
  MPI_Topo_test(neighbourhood.comm, &topology);
  if (topology == MPI_CART) {
    MPI_Cartdim_get(neighbourhood.comm, &count);
    for (int i = 0; i < count; ++i) {
      std::array<int, 2> both{};
      MPI_Cart_shift(neighbourhood.comm, i, 1, both.data(), &both[1]);
      result.sources.insert(result.sources.end(), both.begin(), both.end());
    }
    result.destinations = result.sources;
  } else if (topology == MPI_GRAPH) {
    MPI_Graph_neighbors_count(neighbourhood.comm, rank_of_world(), &count);
    result.sources.resize(static_cast<std::size_t>(count) + 1);
    MPI_Graph_neighbors(neighbourhood.comm, rank_of_world(), count, result.sources.data());
    result.sources.pop_back();
    result.destinations = result.sources;
  } else {
    int in = 0, out = 0, weighted = 0;
    MPI_Dist_graph_neighbors_count(neighbourhood.comm, &in, &out, &weighted);
    result.sources.resize(static_cast<std::size_t>(in) + 1);
    result.destinations.resize(static_cast<std::size_t>(out) + 1);
    std::vector<int> in_weights(result.sources), out_weights(result.destinations);
    MPI_Dist_graph_neighbors(neighbourhood.comm, in, result.sources.data(), in_weights.data(), out,
                             result.destinations.data(), out_weights.data());
    result.sources.pop_back();
    result.destinations.pop_back();
  }
  return result;
}

// The destinations of all ranks.
std::vector<std::vector<int>> all_destinations(const std::vector<int>& own) {
  constexpr int none = -1000000;
  int most = static_cast<int>(own.size());
  MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  const auto width = static_cast<std::size_t>(most) + 1, size = static_cast<std::size_t>(size_of_world());
  std::vector<int> padded(width, none), gathered(width * size);
  std::ranges::copy(own, padded.begin());
  MPI_Allgather(padded.data(), most + 1, MPI_INT, gathered.data(), most + 1, MPI_INT, MPI_COMM_WORLD);
  std::vector<std::vector<int>> result(size);
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t k = 0; k < width && gathered[i * width + k] != none; ++k)
      result[i].push_back(gathered[i * width + k]);
  }
  return result;
}

bool has_repeats(std::vector<int> ranks) {
  std::erase(ranks, MPI_PROC_NULL);
  std::ranges::sort(ranks);
  return std::ranges::adjacent_find(ranks) != ranks.end();
}

}  // namespace

MPI_Comm stencil(const std::vector<int>& extents, int radius, bool shuffled) {
  std::vector<int> sources, destinations, offset(extents.size(), -radius);
  for (bool more = true; more;) {
    if (std::ranges::any_of(offset, [](int x) { return x != 0; })) {
      destinations.push_back(moved(extents, offset, 1));
      sources.push_back(moved(extents, offset, -1));
    }
    more = false;
    for (std::size_t i = 0; i < offset.size() && !more; ++i) {
      more = offset[i] < radius;
      offset[i] = more ? offset[i] + 1 : -radius;
    }
  }
  if (shuffled) {
    std::mt19937 random(static_cast<unsigned>(rank_of_world()));
    std::ranges::shuffle(sources, random);
    std::ranges::shuffle(destinations, random);
  }
  return adjacent(sources, destinations, shuffled);
}

const std::vector<NeighbourhoodCase>& neighbourhood_cases() {
  if (!all_cases().empty()) return all_cases();
  add_grids();
  add_stencils();
  add_random_graphs();
  add_distributed();
  add_graphs();
  return all_cases();
}

void free_neighbourhood_cases() {
  for (NeighbourhoodCase& neighbourhood : all_cases()) MPI_Comm_free(&neighbourhood.comm);
  all_cases().clear();
}

Edges edges_of(const NeighbourhoodCase& neighbourhood) {
  const Lists lists = lists_of(neighbourhood);
  const auto destinations = all_destinations(lists.destinations);
  Edges result{.destinations = lists.destinations, .incoming = {}};
  std::vector<std::size_t> taken(destinations.size(), 0);  // edges from each rank so far
  for (const int source : lists.sources) {
    if (source == MPI_PROC_NULL) {
      result.incoming.push_back({});
      continue;
    }
    const auto from = static_cast<std::size_t>(source);
    std::vector<std::size_t>
        places;  // of the edges from there to this rank, in the order in which blocks are sent
    for (std::size_t k = 0; k < destinations[from].size(); ++k) {
      const std::size_t place = neighbourhood.cartesian ? k ^ 1U : k;
      if (destinations[from][place] == rank_of_world()) places.push_back(place);
    }
    result.incoming.push_back({source, places.at(taken[from]++)});
  }
  result.repeated = std::ranges::any_of(destinations, has_repeats);
  return result;
}

}  // namespace isotrope::mpi
