// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// MPI_Neighbor_alltoall of the MPI library against direct and combined messages, on a stencil:
//
//     mpirun -n 27 mpi_neighbours_openmpi 3 3 3      the neighbours of every rank on torus:3x3x3
//
// All three run in turns in one process. A time is that of the slowest rank; rank 0 prints medians in microseconds and
// the median ratios to the library. ISOTROPE_MACHINE has no effect.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <functional>
#include <mpi.h>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "isotrope/base/median.hpp"

#include "isotrope/network/parse.hpp"

#include "isotrope/mpi/communicator.hpp"

namespace {

using isotrope::mpi::Communicator;

// Every rank sends to all ranks at most 1 away in every direction of the torus of these extents, and receives from them.
MPI_Comm stencil(const std::vector<int>& extents) {
  int rank = 0, offsets = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (std::size_t i = 0; i < extents.size(); ++i) offsets *= 3;
  std::vector<int> sources, destinations;
  for (int number = 0; number < offsets; ++number) {
    if (number == offsets / 2) continue;  // the rank itself
    int to = 0, from = 0, stride = 1, rest = rank, digits = number;
    for (const int extent : extents) {
      const int x = rest % extent, step = digits % 3 - 1;
      to += (x + step + extent) % extent * stride;
      from += (x - step + extent) % extent * stride;
      rest /= extent;
      digits /= 3;
      stride *= extent;
    }
    destinations.push_back(to);
    sources.push_back(from);
  }
  const int count = static_cast<int>(sources.size());
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, count, sources.data(), MPI_UNWEIGHTED, count,
                                 destinations.data(), MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &comm);
  return comm;
}

// A machine on which every exchange has this form.
isotrope::cost::Machine machine_for(bool combined) {
  isotrope::cost::Machine machine = isotrope::mpi::shared_memory();
  (combined ? machine.overhead_s : machine.overhead_byte_s) = 1;
  return machine;
}

double seconds_of(const std::function<void()>& call, int calls) {
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  for (int i = 0; i < calls; ++i) call();
  double seconds = (MPI_Wtime() - begin) / calls;
  MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return seconds;
}

void measure(MPI_Comm comm, const std::string& network, int bytes) {
  constexpr int repetitions = 31;
  const int calls = bytes <= 4096 ? 20 : 5;
  Communicator direct(comm, isotrope::network::parse(network), {.machine = machine_for(false)});
  Communicator combined(comm, isotrope::network::parse(network), {.machine = machine_for(true)});
  const auto neighbours = direct.neighbour_counts();
  const std::vector<char> sent(neighbours.destinations * static_cast<std::size_t>(bytes), 'a');
  std::vector<char> received(sent.size());
  const auto exchange = [&](Communicator& ours) {
    ours.neighbor_alltoall(sent.data(), bytes, MPI_BYTE, received.data(), bytes, MPI_BYTE);
  };
  const std::array<std::function<void()>, 3> ways{
      [&] { MPI_Neighbor_alltoall(sent.data(), bytes, MPI_BYTE, received.data(), bytes, MPI_BYTE, comm); },
      [&] { exchange(direct); }, [&] { exchange(combined); }};
  for (const auto& way : ways) seconds_of(way, calls);
  std::array<std::vector<double>, 3> seconds, ratios;
  for (int i = 0; i < repetitions; ++i) {
    for (std::size_t way = 0; way < ways.size(); ++way) {
      seconds[way].push_back(seconds_of(ways[way], calls));
      ratios[way].push_back(seconds[way].back() / seconds[0].back());
    }
  }
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  if (rank != 0) return;
  fmt::print("{:>8} {:>12.1f} {:>12.1f} {:>6.2f} {:>12.1f} {:>6.2f}\n", bytes,
             1e6 * isotrope::median(seconds[0]), 1e6 * isotrope::median(seconds[1]),
             isotrope::median(ratios[1]), 1e6 * isotrope::median(seconds[2]), isotrope::median(ratios[2]));
}

}  // namespace

int main(int count, char** arguments) {
  MPI_Init(&count, &arguments);
  std::vector<int> extents;
  int order = 1, size = 0, rank = 0;
  for (int i = 1; i < count; ++i) {
    extents.push_back(std::atoi(arguments[i]));
    order *= extents.back();
  }
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (extents.empty() || order != size) {
    if (rank == 0)
      fmt::print(stderr, "mpi_neighbours: give extents whose product is the number of ranks, {}\n", size);
    MPI_Finalize();
    return EXIT_FAILURE;
  }
  MPI_Comm comm = stencil(extents);
  if (rank == 0)
    fmt::print("{:>8} {:>12} {:>12} {:>6} {:>12} {:>6}\n", "bytes", "library us", "direct us", "ratio",
               "combined us", "ratio");
  for (const int bytes : {8, 64, 256, 1024, 4096, 16384})
    measure(comm, "ring:" + std::to_string(size), bytes);
  MPI_Comm_free(&comm);
  MPI_Finalize();
  return EXIT_SUCCESS;
}
