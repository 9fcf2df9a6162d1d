// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Communicators with some of the ranks: rows and columns of a network, all at once, and ranks that are no part of it.
#include <mpi.h>
#include <vector>

#include <gtest/gtest.h>

#include "tests/pmpi/job.hpp"
#include "tests/pmpi/request_call.hpp"

namespace isotrope::pmpi {
namespace {

// Every collective, nonblocking, with several open; and blocking ones again and again.
void expect_all_right(MPI_Comm comm) {
  const int rank = rank_in(comm), size = size_of(comm);
  for (int i = 0; i < 12; ++i) {
    std::vector<int> sums(3, -1);
    const std::vector<int> own = block(rank, 0, 3);
    MPI_Allreduce(own.data(), sums.data(), 3, MPI_INT, MPI_SUM, comm);
    for (int k = 0; k < 3; ++k) {
      int expected = 0;
      for (int from = 0; from < size; ++from) expected += number(from, 0, k);
      EXPECT_EQ(sums[static_cast<std::size_t>(k)], expected);
    }
    std::vector<int> all(static_cast<std::size_t>(3 * size), -1);
    MPI_Allgather(own.data(), 3, MPI_INT, all.data(), 3, MPI_INT, comm);
    EXPECT_EQ(all, blocks_from_all(size, 0, 3));
    std::vector<int> copy = rank == size - 1 ? own : std::vector<int>(3, -1);
    MPI_Bcast(copy.data(), 3, MPI_INT, size - 1, comm);
    EXPECT_EQ(copy, block(size - 1, 0, 3));
  }
  for (const RequestFunction& function : request_functions()) {
    RequestCall first(comm, 40, function), second(comm, 7, function);
    first.start(comm);
    second.start(comm);
    EXPECT_EQ(second.wait(), MPI_SUCCESS);
    EXPECT_EQ(first.wait(), MPI_SUCCESS);
    first.expect_right();
    second.expect_right();
  }
}

void expect_right_by_color(int color, int key) {
  MPI_Comm part = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, color, key, &part);
  expect_all_right(part);
  MPI_Comm_free(&part);
}

TEST(Parts, blocks_of_neighbouring_ranks) {
  const int rank = rank_in(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  for (int length = 1; length <= size; ++length) expect_right_by_color(rank / length, rank);
}

TEST(Parts, ranks_with_gaps) {
  const int rank = rank_in(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  for (int step = 2; step < size; ++step) expect_right_by_color(rank % step, rank);
}

TEST(Parts, ranks_in_another_order) {
  const int rank = rank_in(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  expect_right_by_color(0, -rank);
  expect_right_by_color(0, rank * 3 % size);
  expect_right_by_color(rank % 2, rank * 5 % size);
}

}  // namespace
}  // namespace isotrope::pmpi
