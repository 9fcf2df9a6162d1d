// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Collectives that are prepared once and started again and again, with other numbers in the same buffers.
#include <algorithm>
#include <deque>
#include <vector>

#include <gtest/gtest.h>

#include "trial.hpp"
#include "world.hpp"

namespace isotrope::mpi {
namespace {

class MpiPersistentRequests : public OnNetwork {
 protected:
  // One of every collective, in place or not, of elements of that shape.
  void prepare_all(int ints, const Shape& shape, Op op) {
    for (const bool in_place : {false, true}) {
      for (const Collective collective : copying) prepare({collective, ints, root(), in_place, shape, shape});
      for (const Collective collective : reducing)
        prepare({collective, ints, root(), in_place, shape, shape, op});
    }
  }
  void prepare(const Case& c) {
    trials_.emplace_back(comm(), c);
    trials_.back().prepare(requests_.emplace_back());
  }
  // Starts and completes all, each rank in an order of its own.
  void run_all(int turn) {
    std::vector<std::size_t> order(requests_.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::ranges::rotate(order, order.begin() + (5 * comm().rank() + turn) % static_cast<int>(order.size()));
    for (Trial& trial : trials_) trial.refill();
    for (const std::size_t i : order) EXPECT_EQ(requests_[i].start(), MPI_SUCCESS);
    std::ranges::reverse(order);
    for (const std::size_t i : order) EXPECT_EQ(requests_[i].wait(), MPI_SUCCESS);
    for (Trial& trial : trials_) trial.check();
  }
  int root() const { return static_cast<int>(trials_.size()) % comm().size(); }

  std::deque<Trial> trials_;
  std::deque<PersistentRequest> requests_;
};

TEST_P(MpiPersistentRequests, give_the_result_of_each_start) {
  prepare_all(70, one_int(), Op::sum);
  for (int turn = 0; turn < 5; ++turn) run_all(turn);
}

// Elements with gaps are packed at each start, and operations that do not commute are applied after each.
TEST_P(MpiPersistentRequests, pack_and_reduce_at_each_start) {
  for (const Shape& shape : sixes()) {
    trials_.clear();
    requests_.clear();
    prepare_all(12, shape, Op::compose);
    for (int turn = 0; turn < 2; ++turn) run_all(turn);
  }
}

TEST_P(MpiPersistentRequests, of_many_packets_in_flight) {
  prepare_all(20'000, one_int(), Op::sum);
  for (int turn = 0; turn < 2; ++turn) run_all(turn);
}

TEST_P(MpiPersistentRequests, are_open_beside_other_collectives) {
  prepare_all(40, one_int(), Op::sum);
  for (Trial& trial : trials_) trial.refill();
  for (PersistentRequest& request : requests_) request.start();
  expect_right(comm(), {.collective = Collective::alltoall, .ints = 30});
  for (PersistentRequest& request : requests_) {
    for (bool complete = false; !complete;) EXPECT_EQ(request.test(complete), MPI_SUCCESS);
  }
  for (Trial& trial : trials_) trial.check();
}

TEST_P(MpiPersistentRequests, are_complete_before_their_start) {
  prepare({.collective = Collective::allreduce, .ints = 3});
  bool complete = false;
  EXPECT_EQ(requests_.front().test(complete), MPI_SUCCESS);
  EXPECT_TRUE(complete);
  EXPECT_EQ(requests_.front().wait(), MPI_SUCCESS);
}

TEST_P(MpiPersistentRequests, that_are_null_or_open_cannot_be_started) {
  MPI_Comm copy = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  MPI_Comm_set_errhandler(copy, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  {
    Communicator own(copy, comm().network());
    PersistentRequest request;
    EXPECT_NE(request.start(), MPI_SUCCESS);
    EXPECT_EQ(own.barrier_init(request), MPI_SUCCESS);
    EXPECT_EQ(request.start(), MPI_SUCCESS);
    EXPECT_NE(request.start(), MPI_SUCCESS);
    EXPECT_EQ(request.wait(), MPI_SUCCESS);
    EXPECT_EQ(request.start(), MPI_SUCCESS);
    EXPECT_EQ(request.wait(), MPI_SUCCESS);
  }
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  MPI_Comm_free(&copy);
}

NETWORKS_OF_THE_JOB(MpiPersistentRequests);

// On one network: a communicator takes its tags alike on all.
TEST(MpiPersistentTags, are_given_back) {
  Communicator& comm = communicator_on(fitting_networks().front());
  for (int i = 0; i < 40'000; ++i) {
    PersistentRequest request;
    ASSERT_EQ(comm.barrier_init(request), MPI_SUCCESS);
  }
  PersistentRequest request;
  EXPECT_EQ(comm.barrier_init(request), MPI_SUCCESS);
  EXPECT_EQ(request.start(), MPI_SUCCESS);
  EXPECT_EQ(request.wait(), MPI_SUCCESS);
}

}  // namespace
}  // namespace isotrope::mpi
