// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The neighbourhood collectives on every topology, whoever carries them out.
#include <algorithm>
#include <mpi.h>
#include <vector>

#include <gtest/gtest.h>

#include "job.hpp"
#include "tests/mpi/memory.hpp"
#include "tests/mpi/neighbourhoods.hpp"
#include "tests/mpi/shapes.hpp"

namespace isotrope::pmpi {
namespace {

using mpi::Edges;
using mpi::Incoming;
using mpi::Memory;
using mpi::NeighbourhoodCase;
using mpi::Shape;

void append(std::vector<int>& all, const std::vector<int>& more) {
  all.insert(all.end(), more.begin(), more.end());
}

// MPI gets no null pointer, even if a rank has no neighbours.
std::vector<int> room_for_ints(std::size_t count, int value) {
  std::vector<int> result;
  result.reserve(count + 1);
  result.resize(count, value);
  return result;
}

// Block by block; -1 where nothing arrives.
std::vector<int> blocks_of(const Edges& edges, bool personal, int ints) {
  std::vector<int> result = room_for_ints(0, 0);
  const std::size_t blocks = personal ? edges.destinations.size() : 1;
  for (std::size_t i = 0; i < blocks; ++i)
    append(result, block(rank_in(MPI_COMM_WORLD), static_cast<int>(i), ints));
  return result;
}
std::vector<int> expected_blocks(const Edges& edges, bool personal, int ints) {
  std::vector<int> result;
  for (const auto& [source, place] : edges.incoming) {
    append(result, source == MPI_PROC_NULL ? std::vector<int>(static_cast<std::size_t>(ints), -1)
                                           : block(source, personal ? static_cast<int>(place) : 0, ints));
  }
  return result;
}

// If several edges join two ranks, MPI libraries differ in the order of their blocks, and each in that of its functions.
void expect_arrived(std::vector<int> received, std::vector<int> expected, bool any_order) {
  if (any_order) {
    std::ranges::sort(received);
    std::ranges::sort(expected);
  }
  EXPECT_EQ(received, expected);
}

template <class Check>
void on_all(const Check& check) {
  for (const NeighbourhoodCase& neighbourhood : mpi::neighbourhood_cases()) {
    SCOPED_TRACE(neighbourhood.name);
    check(neighbourhood.comm, edges_of(neighbourhood));
  }
}

TEST(Neighbours, exchange_equal_blocks) {
  on_all([](MPI_Comm comm, const Edges& edges) {
    for (const int ints : {0, 1, 50, 9000}) {
      const auto sent = blocks_of(edges, true, ints), one = blocks_of(edges, false, ints);
      const auto expected = expected_blocks(edges, true, ints),
                 gathered = expected_blocks(edges, false, ints);
      std::vector<int> received = room_for_ints(expected.size(), -1);
      EXPECT_EQ(MPI_Neighbor_alltoall(sent.data(), ints, MPI_INT, received.data(), ints, MPI_INT, comm),
                MPI_SUCCESS);
      expect_arrived(received, expected, edges.repeated);
      std::ranges::fill(received, -1);
      EXPECT_EQ(MPI_Neighbor_allgather(one.data(), ints, MPI_INT, received.data(), ints, MPI_INT, comm),
                MPI_SUCCESS);
      EXPECT_EQ(received, gathered);
    }
  });
}

TEST(Neighbours, exchange_elements_with_gaps) {
  on_all([](MPI_Comm comm, const Edges& edges) {
    if (edges.incoming.size() > mpi::most_columns || edges.destinations.size() > mpi::most_columns) return;
    for (std::size_t i = 0; i < mpi::sixes().size(); ++i) {
      const Shape &sent = mpi::sixes()[i], &received = mpi::sixes()[(i + 1) % mpi::sixes().size()];
      Memory from(sent.type, static_cast<int>(edges.destinations.size()));
      Memory to(received.type, static_cast<int>(edges.incoming.size()));
      from.set(blocks_of(edges, true, 6));
      const auto expected = expected_blocks(edges, true, 6);
      to.set(std::vector<int>(expected.size(), -1));
      EXPECT_EQ(MPI_Neighbor_alltoall(from.address(), 1, sent.type, to.address(), 1, received.type, comm),
                MPI_SUCCESS);
      expect_arrived(to.ints(), expected, edges.repeated);
      EXPECT_TRUE(to.gaps_are_whole());
    }
  });
}

#if MPI_VERSION >= 4
TEST(Neighbours, exchange_large_counts) {
  on_all([](MPI_Comm comm, const Edges& edges) {
    const auto sent = blocks_of(edges, true, 2), expected = expected_blocks(edges, true, 2);
    std::vector<int> received = room_for_ints(expected.size(), -1);
    EXPECT_EQ(MPI_Neighbor_alltoall_c(sent.data(), 2, MPI_INT, received.data(), 2, MPI_INT, comm),
              MPI_SUCCESS);
    expect_arrived(received, expected, edges.repeated);
  });
}
#endif

// Blocks of 0 to 2 ints, the last one first in memory.
struct PlacedBlocks {
  std::vector<int> counts = room_for_ints(0, 0), places = room_for_ints(0, 0), memory = room_for_ints(0, 0);

  void add(const std::vector<int>& content) {
    places.push_back(static_cast<int>(memory.size()));
    counts.push_back(static_cast<int>(content.size()));
    append(memory, content);
    memory.push_back(-2);
  }
};

int ints_of(int source, int place) {
  return (source + place) % 3;
}

TEST(Neighbours, exchange_blocks_of_different_sizes) {
  on_all([](MPI_Comm comm, const Edges& edges) {
    if (edges.repeated) return;
    PlacedBlocks sent, expected, one, gathered;
    const int rank = rank_in(MPI_COMM_WORLD), blocks = static_cast<int>(edges.destinations.size());
    for (int i = 0; i < blocks; ++i) sent.add(block(rank, i, ints_of(rank, i)));
    one.add(block(rank, 0, ints_of(rank, 0)));
    for (const auto& [source, given] : edges.incoming) {
      const int place = static_cast<int>(given);
      const bool is_rank = source != MPI_PROC_NULL;
      expected.add(is_rank ? block(source, place, ints_of(source, place)) : std::vector<int>{});
      gathered.add(is_rank ? block(source, 0, ints_of(source, 0)) : std::vector<int>{});
    }
    std::vector<int> received = room_for_ints(std::max(expected.memory.size(), gathered.memory.size()), -2);
    received.resize(expected.memory.size());
    EXPECT_EQ(MPI_Neighbor_alltoallv(sent.memory.data(), sent.counts.data(), sent.places.data(), MPI_INT,
                                     received.data(), expected.counts.data(), expected.places.data(), MPI_INT,
                                     comm),
              MPI_SUCCESS);
    EXPECT_EQ(received, expected.memory);
    received.assign(gathered.memory.size(), -2);
    EXPECT_EQ(MPI_Neighbor_allgatherv(one.memory.data(), one.counts.front(), MPI_INT, received.data(),
                                      gathered.counts.data(), gathered.places.data(), MPI_INT, comm),
              MPI_SUCCESS);
    EXPECT_EQ(received, gathered.memory);

    const auto in_bytes = [](const std::vector<int>& places) {
      std::vector<MPI_Aint> result;
      for (const int place : places) result.push_back(place * static_cast<MPI_Aint>(sizeof(int)));
      return result;
    };
    const std::vector<MPI_Datatype> types(std::max(sent.counts.size(), expected.counts.size()) + 1, MPI_INT);
    const auto from = in_bytes(sent.places), to = in_bytes(expected.places);
    received.assign(expected.memory.size(), -2);
    EXPECT_EQ(MPI_Neighbor_alltoallw(sent.memory.data(), sent.counts.data(), from.data(), types.data(),
                                     received.data(), expected.counts.data(), to.data(), types.data(), comm),
              MPI_SUCCESS);
    EXPECT_EQ(received, expected.memory);
  });
}

TEST(Neighbours, exchange_while_others_are_open) {
  on_all([](MPI_Comm comm, const Edges& edges) {
    const auto sent = blocks_of(edges, true, 3), one = blocks_of(edges, false, 3);
    const auto expected = expected_blocks(edges, true, 3), gathered = expected_blocks(edges, false, 3);
    std::vector<int> received = room_for_ints(expected.size(), -1),
                     first = room_for_ints(expected.size(), -1);
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Ineighbor_allgather(one.data(), 3, MPI_INT, first.data(), 3, MPI_INT, comm, &request);
    EXPECT_EQ(MPI_Neighbor_alltoall(sent.data(), 3, MPI_INT, received.data(), 3, MPI_INT, comm), MPI_SUCCESS);
    EXPECT_EQ(MPI_Barrier(comm), MPI_SUCCESS);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    expect_arrived(received, expected, edges.repeated);
    EXPECT_EQ(first, gathered);
  });
}

// Every rank refuses the first call, and the next one works.
TEST(Neighbours, get_the_errors_of_mpi) {
  MPI_Comm comm = mpi::stencil({size_of(MPI_COMM_WORLD)}, 1, false);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  const std::vector<int> sent(2, rank_in(comm));
  std::vector<int> received(2, -1);
  EXPECT_NE(MPI_Neighbor_alltoall(sent.data(), -1, MPI_INT, received.data(), 1, MPI_INT, comm), MPI_SUCCESS);
  EXPECT_NE(MPI_Neighbor_allgather(sent.data(), 1, MPI_DATATYPE_NULL, received.data(), 1, MPI_INT, comm),
            MPI_SUCCESS);
  EXPECT_EQ(MPI_Neighbor_alltoall(sent.data(), 1, MPI_INT, received.data(), 1, MPI_INT, comm), MPI_SUCCESS);
  EXPECT_NE(received.front(), -1);
  MPI_Comm_free(&comm);
}

// Open MPI calls the error handler of MPI_COMM_WORLD.
TEST(Neighbours, are_refused_without_a_topology) {
  MPI_Errhandler given = MPI_ERRHANDLER_NULL;
  MPI_Comm_get_errhandler(MPI_COMM_WORLD, &given);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  int number = 0, received = 0;
  EXPECT_NE(MPI_Neighbor_allgather(&number, 1, MPI_INT, &received, 1, MPI_INT, MPI_COMM_WORLD), MPI_SUCCESS);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, given);
  MPI_Errhandler_free(&given);
}

}  // namespace
}  // namespace isotrope::pmpi
