// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "every_rank.hpp"

#include <cstdio>
#include <cstdlib>
#include <mpi.h>
#include <string>

#include <gtest/gtest.h>

namespace isotrope::mpi {
namespace {

// GoogleTest holds its lock while it reports a failure, so the name of the test is kept when the test starts.
class FailurePrinter : public testing::EmptyTestEventListener {
 public:
  explicit FailurePrinter(int rank) : rank_(rank) {}

 private:
  void OnTestStart(const testing::TestInfo& test) override {
    name_ = std::string(test.test_suite_name()) + "." + test.name();
  }
  void OnTestPartResult(const testing::TestPartResult& result) override {
    if (!result.failed()) return;
    std::fprintf(stderr, "rank %d, %s: %s:%d: %s\n", rank_, name_.c_str(),
                 result.file_name() != nullptr ? result.file_name() : "?", result.line_number(),
                 result.message());
  }

  int rank_;
  std::string name_;
};

}  // namespace

int run_tests_on_every_rank(int count, char** arguments) {
  testing::InitGoogleTest(&count, arguments);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank != 0) {
    auto& listeners = testing::UnitTest::GetInstance()->listeners();
    delete listeners.Release(listeners.default_result_printer());
    listeners.Append(new FailurePrinter(rank));
  }
  int failed = RUN_ALL_TESTS();
  MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace isotrope::mpi
