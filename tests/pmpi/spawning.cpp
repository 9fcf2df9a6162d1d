// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// `spawning [VARIABLE=VALUE...]`: two more processes, with these variables, join the ranks. Collectives on the
// intercommunicator, on all processes, and on a ring and a graph of all processes have the right results whether the
// spawned processes have the drop-in or not. Rank 0 of the first ranks prints "right".
#include <array>
#include <cstdio>
#include <mpi.h>
#include <vector>

namespace {

constexpr int spawned = 2;
bool right = true;

// Several times: choices are measured from the third call on.
void expect_sum(MPI_Comm comm, int expected) {
  for (int i = 0; i < 8; ++i) {
    const int one = 1;
    int sum = 0;
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm);
    right = right && sum == expected;
  }
}

// A ring as a Cartesian grid, and as a graph.
void use_topologies(MPI_Comm comm, int rank, int size) {
  const int periodic = 1;
  MPI_Comm ring = MPI_COMM_NULL, graph = MPI_COMM_NULL;
  MPI_Cart_create(comm, 1, &size, &periodic, 0, &ring);
  expect_sum(ring, size);
  MPI_Comm_free(&ring);
  const std::array neighbours{(rank + 1) % size, (rank + size - 1) % size};
  MPI_Dist_graph_create_adjacent(comm, 2, neighbours.data(), MPI_UNWEIGHTED, 2, neighbours.data(),
                                 MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph);
  expect_sum(graph, size);
  MPI_Comm_free(&graph);
}

// The program itself, started by env, which sets the variables.
MPI_Comm spawn(char** arguments) {
  std::vector<char*> command;
  for (char** variable = arguments + 1; *variable != nullptr; ++variable) command.push_back(*variable);
  command.push_back(arguments[0]);
  command.push_back(nullptr);
  MPI_Comm inter = MPI_COMM_NULL;
  std::array<int, spawned> codes{};
  MPI_Comm_spawn("/usr/bin/env", command.data(), spawned, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &inter,
                 codes.data());
  return inter;
}

}  // namespace

int main(int count, char** arguments) {
  MPI_Init(&count, &arguments);
  int size = 0, rank = 0, all = 0, of_all = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  expect_sum(MPI_COMM_WORLD, size);
  MPI_Comm parent = MPI_COMM_NULL;
  MPI_Comm_get_parent(&parent);
  const bool is_spawned = parent != MPI_COMM_NULL;
  MPI_Comm inter = is_spawned ? parent : spawn(arguments);
  int others = 0;
  MPI_Comm_remote_size(inter, &others);
  expect_sum(inter, others);
  MPI_Comm merged = MPI_COMM_NULL;
  MPI_Intercomm_merge(inter, is_spawned ? 1 : 0, &merged);
  MPI_Comm_size(merged, &all);
  MPI_Comm_rank(merged, &of_all);
  expect_sum(merged, size + others);
  use_topologies(merged, of_all, all);
  MPI_Comm_free(&merged);
  MPI_Comm_disconnect(&inter);
  expect_sum(MPI_COMM_WORLD, size);
  if (rank == 0 && !is_spawned) std::puts(right ? "right" : "wrong");
  MPI_Finalize();
  return right ? 0 : 1;
}
