// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Networks derived from the topology of a communicator, and communicators that are parts of another.
#include <bit>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isotrope/base/error.hpp"

#include "isotrope/network/parse.hpp"

#include "trial.hpp"
#include "world.hpp"

namespace isotrope::mpi {
namespace {

// Returns the network of `comm` after running a collective on it; frees `comm`.
network::Network network_of(MPI_Comm comm) {
  std::optional<network::Network> network;
  {
    Communicator ours(comm);
    network = ours.network();
    expect_right(ours, {.collective = Collective::alltoall, .ints = 3});
  }
  MPI_Comm_free(&comm);
  return *network;
}

MPI_Comm cartesian(const std::vector<int>& extents, const std::vector<int>& periods) {
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Cart_create(MPI_COMM_WORLD, static_cast<int>(extents.size()), extents.data(), periods.data(), 0, &comm);
  return comm;
}

// Every rank r sends to r + step for every step, modulo the number of ranks, and receives from r - step.
MPI_Comm graph(const std::vector<int>& steps) {
  std::vector<int> to, from;
  const int rank = world_rank(), size = world_size();
  for (const int step : steps) {
    to.push_back(((rank + step) % size + size) % size);
    from.push_back(((rank - step) % size + size) % size);
  }
  MPI_Comm comm = MPI_COMM_NULL;
  const int count = static_cast<int>(steps.size());
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, count, from.data(), MPI_UNWEIGHTED, count, to.data(),
                                 MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &comm);
  return comm;
}

// Every rank is linked to the ranks whose numbers differ in one bit.
MPI_Comm cube() {
  std::vector<int> neighbours;
  for (int bit = 1; bit < world_size(); bit *= 2) neighbours.push_back(world_rank() ^ bit);
  MPI_Comm comm = MPI_COMM_NULL;
  const int count = static_cast<int>(neighbours.size());
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, count, neighbours.data(), MPI_UNWEIGHTED, count,
                                 neighbours.data(), MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &comm);
  return comm;
}

void expect_none(MPI_Comm comm) {
  EXPECT_THAT([&] { Communicator{comm}; }, testing::ThrowsMessage<Error>(testing::HasSubstr("no topology")));
  MPI_Comm_free(&comm);
}

TEST(MpiTopology, of_a_periodic_grid_is_a_torus) {
  const int size = world_size();
  if (size > 2) {
    EXPECT_EQ(network_of(cartesian({size}, {1})).name(), "torus:" + std::to_string(size));
  }
  if (size == 9) {
    EXPECT_EQ(network_of(cartesian({3, 3}, {1, 1})).name(), "torus:3x3");
  }
  if (size % 4 == 0) {
    EXPECT_EQ(network_of(cartesian({2, size / 2}, {1, 1})).name(),
              size == 4 ? "hypercube:2" : "torus:2x" + std::to_string(size / 2));
  }
}

TEST(MpiTopology, of_extents_of_2_is_a_hypercube) {
  if (world_size() == 8) {
    EXPECT_EQ(network_of(cartesian({2, 2, 2}, {1, 1, 1})).name(), "hypercube:3");
    EXPECT_EQ(network_of(cartesian({2, 2, 2}, {0, 0, 0})).name(), "hypercube:3");
  }
  if (world_size() == 2) {
    EXPECT_EQ(network_of(cartesian({2, 1}, {0, 0})).name(), "hypercube:1");
  }
}

TEST(MpiTopology, of_a_grid_with_ends_has_open_axes) {
  const int size = world_size();
  if (size > 2) {
    EXPECT_EQ(network_of(cartesian({size}, {0})).name(), "line:" + std::to_string(size));
  }
  if (size % 4 == 0 && size > 4) {
    EXPECT_EQ(network_of(cartesian({4, size / 4}, {0, 1})).name(), "line:4xring:" + std::to_string(size / 4));
  }
  EXPECT_THROW(Communicator{MPI_COMM_WORLD}, Error);
}

TEST(MpiTopology, of_a_symmetric_graph_is_a_cayley_graph) {
  const int size = world_size();
  if (size < 5) GTEST_SKIP() << "graphs of 4 ranks and fewer with these steps are other networks";
  const network::Network network = network_of(graph({1, -1, 2, -2}));
  EXPECT_EQ(network.order(), static_cast<network::Node>(size));
  EXPECT_EQ(network.degree(), 4U);
}

TEST(MpiTopology, of_a_cube_is_a_cayley_graph_of_bits) {
  if (world_size() != 8 && world_size() != 16) GTEST_SKIP() << "no cube of as many ranks";
  const network::Network network = network_of(cube());
  for (network::Port port = 0; port < network.degree(); ++port)
    EXPECT_EQ(std::popcount(network.neighbour(5, port) ^ 5U), 1);
}

TEST(MpiTopology, of_links_that_lead_one_way_is_none) {
  if (world_size() > 2) {
    expect_none(graph({1}));
  }
}

TEST(MpiTopology, of_a_graph_without_symmetry_is_none) {
  if (world_size() < 5) GTEST_SKIP() << "a star of so few ranks may be symmetric";
  std::vector<int> neighbours{0};
  if (world_rank() == 0) {
    neighbours.clear();
    for (int rank = 1; rank < world_size(); ++rank) neighbours.push_back(rank);
  }
  MPI_Comm comm = MPI_COMM_NULL;
  const int count = static_cast<int>(neighbours.size());
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, count, neighbours.data(), MPI_UNWEIGHTED, count,
                                 neighbours.data(), MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &comm);
  expect_none(comm);
}

TEST(MpiParts, of_a_communicator_have_their_own_networks) {
  // The ranks with even and with odd numbers, in reverse order.
  MPI_Comm half = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, world_rank() % 2, -world_rank(), &half);
  int size = 0;
  MPI_Comm_size(half, &size);
  {
    Communicator part(half, network::parse("complete:" + std::to_string(size)));
    Communicator& whole = communicator_on(fitting_networks().front());
    for (const Collective collective : copying) {
      expect_right(part, {.collective = collective, .ints = 17, .root = size - 1});
      expect_right(whole, {.collective = collective, .ints = 17});
    }
    for (const Collective collective : reducing)
      expect_right(part, {.collective = collective, .ints = 17, .root = size - 1, .in_place = true});
  }
  MPI_Comm_free(&half);
}

TEST(MpiParts, may_outlive_the_communicator_they_were_moved_from) {
  Communicator first(MPI_COMM_WORLD, network::parse(fitting_networks().front()));
  Communicator second(std::move(first));
  expect_right(second, {.collective = Collective::allgather, .ints = 5});
}

}  // namespace
}  // namespace isotrope::mpi
