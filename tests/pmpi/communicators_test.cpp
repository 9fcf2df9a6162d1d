// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Collectives on communicators of every kind, created and freed.
#include <array>
#include <mpi.h>
#include <vector>

#include <gtest/gtest.h>

#include "tests/pmpi/job.hpp"

namespace isotrope::pmpi {
namespace {

// Every rank must get the sum over all ranks.
void expect_sum(MPI_Comm comm) {
  const int size = size_of(comm), own = rank_in(comm) + 1;
  int sum = -1;
  EXPECT_EQ(MPI_Allreduce(&own, &sum, 1, MPI_INT, MPI_SUM, comm), MPI_SUCCESS);
  EXPECT_EQ(sum, size * (size + 1) / 2);
}

TEST(Communicators, copies_that_are_freed) {
  for (int i = 0; i < 30; ++i) {
    MPI_Comm copy = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    expect_sum(copy);
    expect_sum(MPI_COMM_WORLD);
    MPI_Comm_free(&copy);
  }
}

// The copy of a communicator that has been used and is freed before the copy is used.
TEST(Communicators, copies_of_copies) {
  MPI_Comm first = MPI_COMM_NULL, second = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &first);
  expect_sum(first);
  MPI_Comm_dup(first, &second);
  MPI_Comm_free(&first);
  expect_sum(second);
  MPI_Comm_disconnect(&second);
}

int sum_while_freed(MPI_Comm comm, int, void*, void*) {
  for (int i = 0; i < 3; ++i) {
    expect_sum(comm);
    expect_sum(MPI_COMM_WORLD);
  }
  return MPI_SUCCESS;
}

// The callbacks run before and after what the drop-in keeps with the communicator is gone.
TEST(Communicators, used_by_callbacks_while_they_are_freed) {
  std::array<int, 2> keys{};
  for (int& key : keys) MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, sum_while_freed, &key, nullptr);
  for (int i = 0; i < 60; ++i) {
    MPI_Comm copy = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    for (const int key : keys) {
      MPI_Comm_set_attr(copy, key, nullptr);
      expect_sum(copy);
    }
    if (i % 2 == 0) {
      MPI_Comm_free(&copy);
    } else {
      MPI_Comm_disconnect(&copy);
    }
  }
  for (int& key : keys) MPI_Comm_free_keyval(&key);
}

TEST(Communicators, parts) {
  const int rank = rank_in(MPI_COMM_WORLD);
  MPI_Comm half = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
  expect_sum(half);
  MPI_Comm_free(&half);
  expect_sum(MPI_COMM_SELF);
}

// Ranks in another order than in MPI_COMM_WORLD.
TEST(Communicators, backwards) {
  const int rank = rank_in(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  MPI_Comm backwards = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, 0, size - rank, &backwards);
  const int own = rank_in(backwards);
  EXPECT_EQ(own, size - 1 - rank);
  std::vector<int> all(static_cast<std::size_t>(size), -1);
  MPI_Allgather(&own, 1, MPI_INT, all.data(), 1, MPI_INT, backwards);
  for (int other = 0; other < size; ++other) EXPECT_EQ(all[static_cast<std::size_t>(other)], other);
  MPI_Comm_free(&backwards);
}

TEST(Communicators, tori_and_lines) {
  const int size = size_of(MPI_COMM_WORLD);
  std::array extents{0, 0};
  MPI_Dims_create(size, 2, extents.data());
  for (const int periodic : {0, 1}) {
    const std::array periods{periodic, periodic};
    MPI_Comm grid = MPI_COMM_NULL;
    MPI_Cart_create(MPI_COMM_WORLD, 2, extents.data(), periods.data(), 1, &grid);
    expect_sum(grid);
    const int root = size - 1;
    int value = rank_in(grid) == root ? 42 : 0;
    MPI_Bcast(&value, 1, MPI_INT, root, grid);
    EXPECT_EQ(value, 42);
    MPI_Comm_free(&grid);
  }
}

// Every rank is linked to both its neighbours on a ring.
TEST(Communicators, graphs) {
  const int rank = rank_in(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  const std::array neighbours{(rank + 1) % size, (rank + size - 1) % size};
  MPI_Comm graph = MPI_COMM_NULL;
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, neighbours.data(), MPI_UNWEIGHTED, 2, neighbours.data(),
                                 MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph);
  expect_sum(graph);
  std::array received{-1, -1};
  MPI_Neighbor_allgather(&rank, 1, MPI_INT, received.data(), 1, MPI_INT, graph);
  EXPECT_EQ(received, neighbours);
  MPI_Comm_free(&graph);
}

class Inter : public testing::Test {
 protected:
  void SetUp() override {
    if (size_of(MPI_COMM_WORLD) < 2) GTEST_SKIP() << "needs two ranks";
    const int rank = rank_in(MPI_COMM_WORLD);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &own_);
    MPI_Intercomm_create(own_, 0, MPI_COMM_WORLD, 1 - rank % 2, 5, &between_);
    even_ = rank % 2 == 0;
  }
  void TearDown() override {
    if (between_ != MPI_COMM_NULL) MPI_Comm_free(&between_);
    if (own_ != MPI_COMM_NULL) MPI_Comm_free(&own_);
  }

  MPI_Comm own_ = MPI_COMM_NULL, between_ = MPI_COMM_NULL;
  bool even_ = true;
};

TEST_F(Inter, bcast_from_one_of_the_others) {
  int value = even_ && rank_in(own_) == 0 ? 17 : 0;
  const int root = !even_ ? 0 : rank_in(own_) == 0 ? MPI_ROOT : MPI_PROC_NULL;
  EXPECT_EQ(MPI_Bcast(&value, 1, MPI_INT, root, between_), MPI_SUCCESS);
  EXPECT_EQ(value, !even_ || rank_in(own_) == 0 ? 17 : 0);
}

TEST_F(Inter, gather_at_one_of_the_others) {
  int others = 0;
  MPI_Comm_remote_size(between_, &others);
  const int mine = rank_in(MPI_COMM_WORLD);
  std::vector<int> all(static_cast<std::size_t>(others), -1);
  const int root = even_ ? 0 : rank_in(own_) == 0 ? MPI_ROOT : MPI_PROC_NULL;
  MPI_Gather(&mine, 1, MPI_INT, all.data(), 1, MPI_INT, root, between_);
  for (int i = 0; root == MPI_ROOT && i < others; ++i) EXPECT_EQ(all[static_cast<std::size_t>(i)], 2 * i);
}

TEST_F(Inter, allreduce_gives_the_sum_of_the_others) {
  const int one = even_ ? 1 : 100;
  int sum = -1, others = 0;
  MPI_Comm_remote_size(between_, &others);
  MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, between_);
  EXPECT_EQ(sum, (even_ ? 100 : 1) * others);
  MPI_Barrier(between_);
}

}  // namespace
}  // namespace isotrope::pmpi
