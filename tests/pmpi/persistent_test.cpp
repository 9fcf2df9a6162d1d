// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Persistent collectives: started again and again with changing data, several at once, in orders that differ.
#include <algorithm>
#include <array>
#include <deque>
#include <mpi.h>
#include <vector>

#include <gtest/gtest.h>

#include "tests/pmpi/job.hpp"
#include "tests/pmpi/request_call.hpp"

namespace isotrope::pmpi {
namespace {

class Persistent : public testing::Test {
 protected:
  Persistent() { MPI_Comm_dup(MPI_COMM_WORLD, &comm_); }
  ~Persistent() override {
    for (RequestCall& call : calls_) {
      MPI_Request_free(&call.request);
      EXPECT_EQ(call.request, MPI_REQUEST_NULL);
    }
    if (comm_ != MPI_COMM_NULL) MPI_Comm_free(&comm_);
  }
  // One of each function.
  void init_all() {
    for (const RequestFunction& function : request_functions()) {
      calls_.emplace_back(comm_, 17 * static_cast<int>(calls_.size()), function);
      ASSERT_EQ(calls_.back().init(comm_), MPI_SUCCESS);
    }
  }
  std::vector<MPI_Request> requests() const {
    std::vector<MPI_Request> all;
    for (const RequestCall& call : calls_) all.push_back(call.request);
    return all;
  }
  void refill_all() {
    for (RequestCall& call : calls_) call.refill();
  }
  void expect_all_right() const {
    for (const RequestCall& call : calls_) call.expect_right();
  }

  const int rank_ = rank_in(MPI_COMM_WORLD);
  MPI_Comm comm_ = MPI_COMM_NULL;
  std::deque<RequestCall> calls_;
};

TEST_F(Persistent, started_a_hundred_times) {
  init_all();
  for (RequestCall& call : calls_) {
    for (int i = 0; i < 100; ++i) {
      call.refill();
      EXPECT_EQ(MPI_Start(&call.request), MPI_SUCCESS);
      EXPECT_EQ(call.wait(), MPI_SUCCESS);
      ASSERT_NE(call.request, MPI_REQUEST_NULL);
      call.expect_right();
    }
  }
}

TEST_F(Persistent, started_together) {
  init_all();
  std::vector<MPI_Request> all = requests();
  const int count = static_cast<int>(all.size());
  for (int i = 0; i < 10; ++i) {
    refill_all();
    EXPECT_EQ(MPI_Startall(count, all.data()), MPI_SUCCESS);
    EXPECT_EQ(MPI_Waitall(count, all.data(), MPI_STATUSES_IGNORE), MPI_SUCCESS);
    expect_all_right();
  }
}

// A rank may free a request before it makes the next one, or after.
TEST_F(Persistent, freed_at_different_times) {
  for (int i = 0; i < 3; ++i) {
    RequestCall freed(comm_, 3, request_alltoall), used(comm_, 5, request_alltoall);
    ASSERT_EQ(freed.init(comm_), MPI_SUCCESS);
    if (rank_ % 2 == 0) MPI_Request_free(&freed.request);
    ASSERT_EQ(used.init(comm_), MPI_SUCCESS);
    if (rank_ % 2 == 1) MPI_Request_free(&freed.request);
    EXPECT_EQ(MPI_Start(&used.request), MPI_SUCCESS);
    EXPECT_EQ(used.wait(), MPI_SUCCESS);
    used.expect_right();
    MPI_Request_free(&used.request);
  }
}

// MPI lets every rank start in an order of its own.
TEST_F(Persistent, started_in_orders_that_differ) {
  init_all();
  for (int i = 0; i < 10; ++i) {
    refill_all();
    std::vector<RequestCall*> order;
    for (RequestCall& call : calls_) order.push_back(&call);
    std::ranges::rotate(order, order.begin() + (3 * rank_ + i) % static_cast<int>(order.size()));
    for (RequestCall* call : order) MPI_Start(&call->request);
    std::ranges::reverse(order);
    for (RequestCall* call : order) MPI_Wait(&call->request, MPI_STATUS_IGNORE);
    expect_all_right();
  }
}

TEST_F(Persistent, beside_nonblocking_and_blocking_collectives) {
  init_all();
  std::vector<MPI_Request> all = requests();
  const int count = static_cast<int>(all.size());
  for (int i = 0; i < 5; ++i) {
    refill_all();
    RequestCall before(comm_, 50 + i, request_alltoall), after(comm_, 60 + i, request_reduce);
    before.start(comm_);
    MPI_Startall(count, all.data());
    after.start(comm_);
    MPI_Barrier(comm_);
    after.wait();
    MPI_Waitall(count, all.data(), MPI_STATUSES_IGNORE);
    before.wait();
    before.expect_right();
    after.expect_right();
    expect_all_right();
  }
}

// Messages and collectives in one list.
TEST_F(Persistent, together_with_persistent_messages) {
  const int size = size_of(comm_), next = (rank_ + 1) % size, before = (rank_ + size - 1) % size;
  calls_.emplace_back(comm_, 90, request_allreduce);
  ASSERT_EQ(calls_.back().init(comm_), MPI_SUCCESS);
  int received = -1;
  std::array<MPI_Request, 3> requests{MPI_REQUEST_NULL, calls_.back().request, MPI_REQUEST_NULL};
  MPI_Recv_init(&received, 1, MPI_INT, before, 1, comm_, requests.data());
  MPI_Send_init(&rank_, 1, MPI_INT, next, 1, comm_, &requests[2]);
  for (int i = 0; i < 20; ++i) {
    calls_.back().refill();
    received = -1;
    MPI_Startall(3, requests.data());
    MPI_Waitall(3, requests.data(), MPI_STATUSES_IGNORE);
    EXPECT_EQ(received, before);
    expect_all_right();
  }
  MPI_Request_free(requests.data());
  MPI_Request_free(&requests[2]);
}

TEST_F(Persistent, inactive_requests_are_complete) {
  init_all();
  for (RequestCall& call : calls_) {
    int flag = 0;
    EXPECT_EQ(MPI_Test(&call.request, &flag, MPI_STATUS_IGNORE), MPI_SUCCESS);
    EXPECT_EQ(flag, 1);
    EXPECT_EQ(call.wait(), MPI_SUCCESS);
    EXPECT_NE(call.request, MPI_REQUEST_NULL);
  }
}

// Their tags and memory are used again.
TEST_F(Persistent, made_and_freed_many_times) {
  for (int i = 0; i < 300; ++i) {
    RequestCall call(comm_, i, request_functions()[static_cast<std::size_t>(i) % request_functions().size()]);
    ASSERT_EQ(call.init(comm_), MPI_SUCCESS);
    if (i % 3 != 0) {
      MPI_Start(&call.request);
      call.wait();
      call.expect_right();
    }
    MPI_Request_free(&call.request);
    EXPECT_EQ(call.request, MPI_REQUEST_NULL);
  }
}

TEST_F(Persistent, on_a_communicator_that_is_freed) {
  init_all();
  MPI_Comm_free(&comm_);
  std::vector<MPI_Request> all = requests();
  const int count = static_cast<int>(all.size());
  for (int i = 0; i < 3; ++i) {
    refill_all();
    MPI_Startall(count, all.data());
    MPI_Waitall(count, all.data(), MPI_STATUSES_IGNORE);
    expect_all_right();
  }
}

}  // namespace
}  // namespace isotrope::pmpi
