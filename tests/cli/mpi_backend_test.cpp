// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// What the program says where it should become an MPI job and cannot. The jobs themselves are tested in
// tests/mpi/program_test.
#include "tests/cli/cli.hpp"

namespace isotrope::app {
namespace {

using testing::AllOf;
using testing::HasSubstr;

TEST_F(Cli, wants_mpirun_for_mpi_jobs) {
  for (const char* job : {"bench --network hypercube:4", "calibrate --network hypercube:4", "discover",
                          "run --backend mpi --network hypercube:4 --collective alltoall --bytes 64"}) {
    expect_refusal(job, "must run under mpirun");
  }
}

TEST_F(Cli, knows_two_backends) {
  expect_refusal("run --network ring:4 --collective alltoall --bytes 64 --backend tcp",
                 "--backend tcp: give threads or mpi");
  expect_refusal("run --network ring:4 --collective alltoall --bytes 64 --ranks ranks.txt",
                 "--ranks: it is for --backend mpi");
  EXPECT_TRUE(answer("run --network ring:4 --collective alltoall --bytes 64 --backend threads")
                  .at("correct")
                  .get<bool>());
}

// As one of the processes of a launcher.
TEST_F(Cli, hints_at_ranks_where_processes_run_copies) {
  const auto said = [&](const std::string& environment) {
    const Outcome outcome =
        shell(environment + " \"$isotrope\" run --network ring:4 --collective alltoall --bytes 64", folder_);
    EXPECT_EQ(outcome.status, 0);
    return outcome.err;
  };
  EXPECT_THAT(said("OMPI_COMM_WORLD_SIZE=4 OMPI_COMM_WORLD_RANK=0"), HasSubstr("give --backend mpi"));
  EXPECT_THAT(said("PMI_SIZE=16 PMI_RANK=0"), HasSubstr("16 processes"));
  EXPECT_EQ(said("PMI_SIZE=16 PMI_RANK=3"), "");
  EXPECT_EQ(said("OMPI_COMM_WORLD_SIZE=1 OMPI_COMM_WORLD_RANK=0"), "");
  EXPECT_EQ(said(""), "");
}

// As a launcher would start it, from a folder where the program for its library is not.
TEST_F(Cli, says_how_to_build_what_is_missing) {
  const Outcome outcome = shell(
      "cp \"$isotrope\" isotrope && OMPI_COMM_WORLD_SIZE=4 ./isotrope bench --network hypercube:2", folder_);
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("isotrope-openmpi is missing"), HasSubstr("make mpi")));
}

}  // namespace
}  // namespace isotrope::app
