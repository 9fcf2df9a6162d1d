// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs the tests on every rank. Rank 0 prints all it does, the others what fails; one failure fails the job.
#include <cstdio>
#include <cstdlib>
#include <mpi.h>
#include <string>

#include <gtest/gtest.h>

#include "shapes.hpp"
#include "trial.hpp"
#include "world.hpp"

namespace {

// GoogleTest holds its lock while it tells of a failure, so the name of the test is kept from its start.
class FailurePrinter : public testing::EmptyTestEventListener {
  void OnTestStart(const testing::TestInfo& test) override {
    name_ = std::string(test.test_suite_name()) + "." + test.name();
  }
  void OnTestPartResult(const testing::TestPartResult& result) override {
    if (!result.failed()) return;
    std::fprintf(stderr, "rank %d, %s: %s:%d: %s\n", isotrope::mpi::world_rank(), name_.c_str(),
                 result.file_name() != nullptr ? result.file_name() : "?", result.line_number(),
                 result.message());
  }

  std::string name_;
};

}  // namespace

int main(int count, char** arguments) {
  MPI_Init(&count, &arguments);
  testing::InitGoogleTest(&count, arguments);
  if (isotrope::mpi::world_rank() != 0) {
    auto& listeners = testing::UnitTest::GetInstance()->listeners();
    delete listeners.Release(listeners.default_result_printer());
    listeners.Append(new FailurePrinter);
  }
  int failed = RUN_ALL_TESTS();
  isotrope::mpi::free_communicators();
  isotrope::mpi::free_shapes();
  isotrope::mpi::free_ops();
  MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  MPI_Finalize();
  return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
