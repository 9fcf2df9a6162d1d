// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Other functions while a collective is open: the last rank starts it only at the end.
#include <cstdlib>
#include <mpi.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include <gtest/gtest.h>

#include "tests/pmpi/job.hpp"

namespace isotrope::pmpi {
namespace {

class BesideOpen : public testing::Test {
 protected:
  void SetUp() override {
    MPI_Comm_dup(MPI_COMM_WORLD, &comm_);
    MPI_Barrier(comm_);
    MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN);
    if (rank_ != last_) start();
  }
  void TearDown() override {
    if (rank_ == last_) start();
    EXPECT_EQ(MPI_Wait(&request_, MPI_STATUS_IGNORE), MPI_SUCCESS);
    EXPECT_EQ(sum_, last_ + 1);
    MPI_Comm_free(&comm_);
  }
  void start() { MPI_Iallreduce(&own_, &sum_, 1, MPI_INT, MPI_SUM, comm_, &request_); }

  const int rank_ = rank_in(MPI_COMM_WORLD), last_ = size_of(MPI_COMM_WORLD) - 1;
  const int own_ = 1;
  int sum_ = 0;
  MPI_Comm comm_ = MPI_COMM_NULL;
  MPI_Request request_ = MPI_REQUEST_NULL;
};

TEST_F(BesideOpen, a_message_that_is_too_long_is_an_error_of_the_communicator) {
  std::vector<int> values(4);
  if (rank_ == last_) {
    MPI_Send(values.data(), 4, MPI_INT, 0, 5, comm_);
    MPI_Send(values.data(), 4, MPI_INT, 0, 6, comm_);
    EXPECT_EQ(MPI_Recv(values.data(), 4, MPI_INT, 0, 7, comm_, MPI_STATUS_IGNORE), MPI_SUCCESS);
  } else if (rank_ == 0) {
    EXPECT_EQ(class_of(MPI_Recv(values.data(), 1, MPI_INT, last_, 5, comm_, MPI_STATUS_IGNORE)),
              MPI_ERR_TRUNCATE);
    EXPECT_EQ(class_of(MPI_Sendrecv(values.data(), 4, MPI_INT, last_, 7, values.data(), 1, MPI_INT, last_, 6,
                                    comm_, MPI_STATUS_IGNORE)),
              MPI_ERR_TRUNCATE);
  }
}

TEST_F(BesideOpen, nothing_comes_from_the_null_process) {
  int value = 0;
  MPI_Status status;
  status.MPI_SOURCE = status.MPI_TAG = 77;
  EXPECT_EQ(MPI_Recv(&value, 1, MPI_INT, MPI_PROC_NULL, 5, comm_, &status), MPI_SUCCESS);
  EXPECT_EQ(status.MPI_SOURCE, MPI_PROC_NULL);
  EXPECT_EQ(status.MPI_TAG, MPI_ANY_TAG);
}

TEST_F(BesideOpen, an_exchange_that_is_refused_sends_nothing) {
  int value = 0;
  if (rank_ == 0) {
    EXPECT_EQ(class_of(MPI_Sendrecv(&value, 1, MPI_INT, last_, 5, &value, -1, MPI_INT, last_, 5, comm_,
                                    MPI_STATUS_IGNORE)),
              MPI_ERR_COUNT);
    EXPECT_EQ(
        class_of(MPI_Sendrecv_replace(&value, -1, MPI_INT, last_, 5, last_, 5, comm_, MPI_STATUS_IGNORE)),
        MPI_ERR_COUNT);
    MPI_Send(&value, 1, MPI_INT, last_, 6, comm_);
  } else if (rank_ == last_) {
    MPI_Recv(&value, 1, MPI_INT, 0, 6, comm_, MPI_STATUS_IGNORE);
    int is_there = 1;
    MPI_Iprobe(0, 5, comm_, &is_there, MPI_STATUS_IGNORE);
    EXPECT_EQ(is_there, 0);
  }
}

TEST_F(BesideOpen, nothing_is_exchanged_in_place) {
  MPI_Status status{};
  int received = -1;
  EXPECT_EQ(MPI_Sendrecv_replace(nullptr, 0, MPI_INT, rank_, 7, rank_, 7, comm_, &status), MPI_SUCCESS);
  MPI_Get_count(&status, MPI_INT, &received);
  EXPECT_EQ(received, 0);
}

TEST_F(BesideOpen, what_mpi_defines_cannot_be_freed) {
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Datatype type = MPI_INT;
  MPI_Op op = MPI_SUM;
  EXPECT_EQ(class_of(MPI_Type_free(&type)), MPI_ERR_TYPE);
  EXPECT_EQ(class_of(MPI_Op_free(&op)), MPI_ERR_OP);
  EXPECT_EQ(type, MPI_INT);
  EXPECT_EQ(op, MPI_SUM);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

// A child has the parent's memory, but no part in its messages.
TEST_F(BesideOpen, a_child_of_a_fork_exits) {
  const pid_t child = ::fork();
  if (child == 0) std::exit(0);
  int status = -1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}

}  // namespace
}  // namespace isotrope::pmpi
