// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Calls in which ranks have other counts and datatypes, or blocks of another size, though all must choose alike. Rank 0 prints
// "right" if all blocks are.
#include <array>
#include <cstdio>
#include <mpi.h>
#include <vector>

namespace {

int rank = 0, size = 0;

// Every rank but the last one has two numbers to give. Odd ranks receive them as one element.
bool gathers(MPI_Datatype pair, bool starts) {
  const bool in_pairs = rank % 2 != 0;
  std::vector<int> counts(static_cast<std::size_t>(size), in_pairs ? 1 : 2), places;
  counts.back() = 0;
  for (int i = 0; i < size; ++i) places.push_back(i * counts.front());
  const std::array<double, 2> own{static_cast<double>(rank), static_cast<double>(-rank)};
  std::vector<double> all(2 * static_cast<std::size_t>(size));
  const int given = rank == size - 1 ? 0 : 2;
  const MPI_Datatype type = in_pairs ? pair : MPI_DOUBLE;
  if (starts) {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Iallgatherv(own.data(), given, MPI_DOUBLE, all.data(), counts.data(), places.data(), type,
                    MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  } else {
    MPI_Allgatherv(own.data(), given, MPI_DOUBLE, all.data(), counts.data(), places.data(), type,
                   MPI_COMM_WORLD);
  }
  bool result = true;
  for (int i = 0; i < size - 1; ++i)
    result =
        result && all[2 * static_cast<std::size_t>(i)] == i && all[2 * static_cast<std::size_t>(i) + 1] == -i;
  return result;
}

// Between two ranks. Each pair of ranks may have a size of its own.
bool swaps(MPI_Comm pairs, int length) {
  const std::vector<int> own(static_cast<std::size_t>(length), rank);
  std::vector<int> others(static_cast<std::size_t>(length), -1);
  MPI_Neighbor_alltoall(own.data(), length, MPI_INT, others.data(), length, MPI_INT, pairs);
  return others.front() == (rank ^ 1) && others.back() == others.front();
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Datatype pair = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(2, MPI_DOUBLE, &pair);
  MPI_Type_commit(&pair);
  bool is_right = true;
  constexpr int calls = 200;
  for (int i = 0; i < calls; ++i) is_right = gathers(pair, false) && gathers(pair, true) && is_right;

  const int partner = rank ^ 1;
  MPI_Comm pairs = MPI_COMM_NULL;
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &partner, MPI_UNWEIGHTED, 1, &partner, MPI_UNWEIGHTED,
                                 MPI_INFO_NULL, 0, &pairs);
  for (int i = 0; i < 2 * calls; ++i) is_right = swaps(pairs, i < calls ? 1 : 1 << (rank / 2)) && is_right;
  MPI_Comm_free(&pairs);
  MPI_Type_free(&pair);
  MPI_Finalize();
  if (rank == 0) std::puts(is_right ? "right" : "wrong");
  return is_right ? 0 : 1;
}
