// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The job that runs the tests, and the networks that fit its size. All ranks run the same tests in one order.
#pragma once

#include <cstdint>
#include <mpi.h>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "isotrope/network/rank_map.hpp"

#include "isotrope/mpi/communicator.hpp"

namespace isotrope::mpi {

/// Rank and size in MPI_COMM_WORLD.
int world_rank();
int world_size();

/// The class of an error code.
int class_of(int code);

/// Names of networks with as many nodes as there are ranks; some end in `shuffled`.
std::vector<std::string> fitting_networks();

/// Behind the name of a network: its ranks are other nodes, by a pseudo-random rank map.
inline constexpr const char* shuffled = ", ranks shuffled";
/// The network of such a name.
network::MappedNetwork network_called(const std::string& name);
/// The nodes of its ranks.
std::vector<network::Node> nodes_of(const network::MappedNetwork& network);
/// A pseudo-random map of `order` ranks; another one for another seed.
network::RankMap shuffled_ranks(network::Node order, std::uint64_t seed);

/// In place of a name: a graph without symmetry of as many nodes as there are ranks.
inline constexpr const char* any_graph = "any graph";

/// A communicator on MPI_COMM_WORLD for each network, or any_graph, made at the first call, so that plans are made once.
Communicator& communicator_on(const std::string& network);
/// Call this before MPI_Finalize.
void free_communicators();

/// Instantiate with NETWORKS_OF_THE_JOB.
class OnNetwork : public testing::TestWithParam<std::string> {
 protected:
  Communicator& comm() const { return communicator_on(GetParam()); }
};

/// GetParam() with other characters than letters and digits replaced by underscores.
std::string network_test_name(const testing::TestParamInfo<std::string>& info);

// NOLINTNEXTLINE(cppcoreguidelines-macro-usage)
#define NETWORKS_OF_THE_JOB(Fixture) \
  INSTANTIATE_TEST_SUITE_P(, Fixture, testing::ValuesIn(fitting_networks()), network_test_name)

}  // namespace isotrope::mpi
