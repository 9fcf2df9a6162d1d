// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The job that runs the tests, and the networks that fit its size. All ranks run the same tests in one order.
#pragma once

#include <mpi.h>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "isotrope/mpi/communicator.hpp"

namespace isotrope::mpi {

/// Rank and size in MPI_COMM_WORLD.
int world_rank();
int world_size();

/// The class of an error code.
int class_of(int code);

/// Names of networks with as many nodes as there are ranks.
std::vector<std::string> fitting_networks();

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
