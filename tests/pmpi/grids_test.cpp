// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// MPI_Cart_create with reorder, and MPI_Cart_map: legal grids of all and of fewer ranks, and, on a hypercube, neighbours that are one link apart.
#include <array>
#include <bit>
#include <cstdlib>
#include <mpi.h>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/pmpi/job.hpp"

namespace isotrope::pmpi {
namespace {

std::string network_of_job() {
  const char* const name =
      std::getenv("ISOTROPE_NETWORK");  // NOLINT(concurrency-mt-unsafe): nobody sets variables
  return name == nullptr ? "" : name;
}

// The ranks in MPI_COMM_WORLD of those of a communicator.
std::vector<int> world_ranks(MPI_Comm comm) {
  const int own = rank_in(MPI_COMM_WORLD);
  std::vector<int> all(static_cast<std::size_t>(size_of(comm)));
  MPI_Allgather(&own, 1, MPI_INT, all.data(), 1, MPI_INT, comm);
  return all;
}

// Every rank receives the coordinates that its neighbours have by MPI_Cart_rank.
void expect_neighbours_meet(MPI_Comm grid, int dimensions) {
  for (int axis = 0; axis < dimensions; ++axis) {
    int below = MPI_PROC_NULL, above = MPI_PROC_NULL, received = -1;
    MPI_Cart_shift(grid, axis, 1, &below, &above);
    const int own = rank_in(grid);
    MPI_Sendrecv(&own, 1, MPI_INT, above, 3, &received, 1, MPI_INT, below, 3, grid, MPI_STATUS_IGNORE);
    if (below != MPI_PROC_NULL) {
      EXPECT_EQ(received, below);
    }
  }
}

struct Grid {
  std::vector<int> extents, periods;
};

MPI_Comm made(MPI_Comm comm, const Grid& grid) {
  MPI_Comm result = MPI_COMM_WORLD;
  EXPECT_EQ(MPI_Cart_create(comm, static_cast<int>(grid.extents.size()), grid.extents.data(),
                            grid.periods.data(), 1, &result),
            MPI_SUCCESS);
  return result;
}

// By MPI_Cart_map.
int mapped(MPI_Comm comm, const Grid& grid) {
  int result = -1;
  EXPECT_EQ(MPI_Cart_map(comm, static_cast<int>(grid.extents.size()), grid.extents.data(),
                         grid.periods.data(), &result),
            MPI_SUCCESS);
  return result;
}

void expect_legal(MPI_Comm comm, const Grid& grid) {
  const auto dimensions = static_cast<int>(grid.extents.size());
  int size = 1;
  for (const int extent : grid.extents) size *= extent;
  MPI_Comm result = made(comm, grid);
  const int place = mapped(comm, grid);
  if (result != MPI_COMM_NULL) {
    EXPECT_EQ(place, rank_in(result));
  } else {
    EXPECT_TRUE(place == MPI_UNDEFINED || place >= size) << place;  // Open MPI 4.1.4 gives the latter
  }
  const int is_in = result != MPI_COMM_NULL ? 1 : 0;
  int members = 0;
  MPI_Allreduce(&is_in, &members, 1, MPI_INT, MPI_SUM, comm);
  EXPECT_EQ(members, size);
  if (result == MPI_COMM_NULL) return;
  EXPECT_EQ(size_of(result), size);
  std::vector<int> extents(grid.extents.size()), periods(extents.size()), coordinates(extents.size()),
      expected(extents.size());
  MPI_Cart_get(result, dimensions, extents.data(), periods.data(), coordinates.data());
  MPI_Cart_coords(result, rank_in(result), dimensions, expected.data());
  EXPECT_EQ(extents, grid.extents);
  EXPECT_EQ(periods, grid.periods);
  EXPECT_EQ(coordinates, expected);
  expect_neighbours_meet(result, dimensions);
  std::vector<int> ranks = world_ranks(result);
  std::ranges::sort(ranks);
  EXPECT_EQ(std::ranges::adjacent_find(ranks), ranks.end());
  int sum = 1;
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, result);
  EXPECT_EQ(sum, size);
  MPI_Comm_free(&result);
}

TEST(Grids, of_all_ranks_are_legal) {
  const int size = size_of(MPI_COMM_WORLD);
  for (int rows = 1; rows <= size; ++rows) {
    if (size % rows != 0) continue;
    for (const auto& periods : {std::vector<int>{1, 1}, std::vector<int>{0, 1}, std::vector<int>{0, 0}})
      expect_legal(MPI_COMM_WORLD, {{rows, size / rows}, periods});
  }
  expect_legal(MPI_COMM_WORLD, {{size}, {1}});
}

TEST(Grids, of_fewer_ranks_are_legal) {
  for (int size = 1; size < size_of(MPI_COMM_WORLD); ++size) expect_legal(MPI_COMM_WORLD, {{size}, {1}});
}

TEST(Grids, of_other_communicators_are_legal) {
  const int rank = rank_in(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  for (const int key : {-rank, 3 * rank % size}) {
    MPI_Comm other = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, 0, key, &other);
    expect_legal(other, {{size}, {1}});
    MPI_Comm_free(&other);
  }
  MPI_Comm half = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
  expect_legal(half, {{size_of(half)}, {1}});
  MPI_Comm_free(&half);
}

// MPICH 4.0.2 takes a negative extent.
TEST(Grids, that_are_too_large_are_errors_of_the_library) {
  MPI_Comm copy = MPI_COMM_NULL, result = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  MPI_Comm_set_errhandler(copy, MPI_ERRORS_RETURN);
  const std::array<int, 2> too_large{size_of(copy), 2}, periods{1, 1};
  EXPECT_NE(MPI_Cart_create(copy, 2, too_large.data(), periods.data(), 1, &result), MPI_SUCCESS);
  MPI_Comm_free(&copy);
}

// A ring of a hypercube's ranks in order has a link of all dimensions; a Hamiltonian cycle has none.
TEST(Grids, on_a_hypercube_have_neighbours_next_to_each_other) {
  if (network_of_job() != "hypercube:3" || size_of(MPI_COMM_WORLD) != 8) GTEST_SKIP() << "of one network";
  for (const Grid& grid : {Grid{{8}, {1}}, Grid{{8}, {0}}, Grid{{2, 4}, {1, 1}}, Grid{{4}, {1}}}) {
    MPI_Comm result = made(MPI_COMM_WORLD, grid);
    if (result == MPI_COMM_NULL) continue;
    const std::vector<int> ranks = world_ranks(result);
    for (int axis = 0; axis < static_cast<int>(grid.extents.size()); ++axis) {
      int below = MPI_PROC_NULL, above = MPI_PROC_NULL;
      MPI_Cart_shift(result, axis, 1, &below, &above);
      if (above == MPI_PROC_NULL) continue;
      const auto differing = static_cast<unsigned>(ranks[static_cast<std::size_t>(rank_in(result))] ^
                                                   ranks[static_cast<std::size_t>(above)]);
      EXPECT_EQ(std::popcount(differing), 1);
    }
    MPI_Comm_free(&result);
  }
}

}  // namespace
}  // namespace isotrope::pmpi
