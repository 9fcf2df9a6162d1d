// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Communicators that are freed after a few allgathers, of which Isotrope must take none; and one that lives long, whose alltoalls are
// tried. Rank 0 prints "right" if all data are.
#include <cstddef>
#include <cstdio>
#include <mpi.h>
#include <vector>

namespace {

constexpr int count = 64;

struct Rank {
  int rank = 0, ranks = 0;

  explicit Rank(MPI_Comm comm) {
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
  }
};

bool gathers(MPI_Comm comm, int round) {
  const Rank own(comm);
  const std::vector<int> sent(count, own.rank + round);
  std::vector<int> received(static_cast<std::size_t>(own.ranks * count));
  MPI_Allgather(sent.data(), count, MPI_INT, received.data(), count, MPI_INT, comm);
  for (std::size_t i = 0; i < received.size(); ++i) {
    if (received[i] != static_cast<int>(i) / count + round) return false;
  }
  return true;
}

bool exchanges(MPI_Comm comm, int round) {
  const Rank own(comm);
  std::vector<int> sent(static_cast<std::size_t>(own.ranks * count)), received(sent.size());
  for (std::size_t i = 0; i < sent.size(); ++i)
    sent[i] = round + own.rank + own.ranks * (static_cast<int>(i) / count);
  MPI_Alltoall(sent.data(), count, MPI_INT, received.data(), count, MPI_INT, comm);
  for (std::size_t i = 0; i < received.size(); ++i) {
    if (received[i] != round + static_cast<int>(i) / count + own.ranks * own.rank) return false;
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  constexpr int communicators = 40, few = 20, many = 6000;
  bool is_right = true;
  MPI_Comm copy = MPI_COMM_NULL;
  for (int i = 0; i < communicators; ++i) {
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    for (int round = 0; round < few; ++round) is_right = gathers(copy, round) && is_right;
    MPI_Comm_free(&copy);
  }
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  for (int round = 0; round < many; ++round) is_right = exchanges(copy, round) && is_right;
  MPI_Comm_free(&copy);
  const int rank = Rank(MPI_COMM_WORLD).rank;
  MPI_Finalize();
  if (rank == 0) std::puts(is_right ? "right" : "wrong");
  return is_right ? 0 : 1;
}
