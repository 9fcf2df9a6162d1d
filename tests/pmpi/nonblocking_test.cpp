// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Nonblocking collectives: completed in every way and in every order, beside messages and collectives that block.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <deque>
#include <mpi.h>
#include <numeric>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "tests/pmpi/job.hpp"
#include "tests/pmpi/request_call.hpp"

namespace isotrope::pmpi {
namespace {

class Nonblocking : public testing::Test {
 protected:
  Nonblocking() {
    for (MPI_Comm& comm : comms_) {
      MPI_Comm_dup(MPI_COMM_WORLD, &comm);
      MPI_Barrier(comm);
    }
  }
  ~Nonblocking() override {
    for (MPI_Comm& comm : comms_) MPI_Comm_free(&comm);
  }

  // One of each function on every communicator, alternately.
  void start_all() {
    for (const RequestFunction& function : request_functions()) {
      for (const MPI_Comm comm : comms_) {
        started_.emplace_back(comm, 13 * static_cast<int>(started_.size()), function);
        started_.back().start(comm);
        requests_.push_back(started_.back().request);
      }
    }
  }
  void expect_all_right() const {
    for (const RequestCall& started : started_) started.expect_right();
    for (const MPI_Request request : requests_) EXPECT_EQ(request, MPI_REQUEST_NULL);
  }
  int count() const { return static_cast<int>(requests_.size()); }
  // The order in which this rank completes: each rank another one.
  std::vector<std::size_t> own_order() const {
    std::vector<std::size_t> order(requests_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::rotate(order, order.begin() + (5 * rank_) % static_cast<int>(order.size()));
    if (rank_ % 2 == 1) std::ranges::reverse(order);
    return order;
  }

  const int rank_ = rank_in(MPI_COMM_WORLD), size_ = size_of(MPI_COMM_WORLD);
  std::array<MPI_Comm, 3> comms_{};
  std::deque<RequestCall> started_;
  std::vector<MPI_Request> requests_;
};

TEST_F(Nonblocking, one_after_the_other) {
  for (const RequestFunction& function : request_functions()) {
    RequestCall started(comms_[0], 40, function);
    started.start(comms_[0]);
    EXPECT_EQ(MPI_Wait(&started.request, MPI_STATUS_IGNORE), MPI_SUCCESS);
    EXPECT_EQ(started.request, MPI_REQUEST_NULL);
    started.expect_right();
  }
}

TEST_F(Nonblocking, waited_for_in_orders_that_differ) {
  start_all();
  for (const std::size_t i : own_order()) EXPECT_EQ(MPI_Wait(&requests_[i], MPI_STATUS_IGNORE), MPI_SUCCESS);
  expect_all_right();
}

TEST_F(Nonblocking, tested_in_orders_that_differ) {
  start_all();
  for (const std::size_t i : own_order()) {
    for (int flag = 0; flag == 0;) MPI_Test(&requests_[i], &flag, MPI_STATUS_IGNORE);
  }
  expect_all_right();
}

TEST_F(Nonblocking, waitall) {
  start_all();
  std::vector<MPI_Status> statuses(requests_.size());
  EXPECT_EQ(MPI_Waitall(count(), requests_.data(), statuses.data()), MPI_SUCCESS);
  expect_all_right();
}

TEST_F(Nonblocking, testall) {
  start_all();
  for (int flag = 0; flag == 0;) MPI_Testall(count(), requests_.data(), &flag, MPI_STATUSES_IGNORE);
  expect_all_right();
}

TEST_F(Nonblocking, waitany) {
  start_all();
  std::vector<int> completed;
  for (std::size_t i = 0; i < requests_.size(); ++i) {
    int index = -1;
    MPI_Waitany(count(), requests_.data(), &index, MPI_STATUS_IGNORE);
    ASSERT_NE(index, MPI_UNDEFINED);
    started_[static_cast<std::size_t>(index)].expect_right();
    completed.push_back(index);
  }
  int index = -1;
  MPI_Waitany(count(), requests_.data(), &index, MPI_STATUS_IGNORE);
  EXPECT_EQ(index, MPI_UNDEFINED);
  std::ranges::sort(completed);
  EXPECT_EQ(std::ranges::unique(completed).size(), 0U);
  expect_all_right();
}

TEST_F(Nonblocking, testany) {
  start_all();
  for (int index = 0; index != MPI_UNDEFINED;) {
    int flag = 0;
    while (flag == 0) MPI_Testany(count(), requests_.data(), &index, &flag, MPI_STATUS_IGNORE);
  }
  expect_all_right();
}

TEST_F(Nonblocking, waitsome_and_testsome) {
  start_all();
  std::vector<int> indices(requests_.size());
  for (int outcount = 0; outcount != MPI_UNDEFINED;) {
    if (rank_ % 2 == 0) {
      MPI_Waitsome(count(), requests_.data(), &outcount, indices.data(), MPI_STATUSES_IGNORE);
    } else {
      MPI_Testsome(count(), requests_.data(), &outcount, indices.data(), MPI_STATUSES_IGNORE);
    }
    for (int i = 0; i < outcount; ++i)
      started_[static_cast<std::size_t>(indices[static_cast<std::size_t>(i)])].expect_right();
  }
  expect_all_right();
}

TEST_F(Nonblocking, request_get_status_leaves_the_request) {
  start_all();
  for (const std::size_t i : own_order()) {
    for (int flag = 0; flag == 0;) MPI_Request_get_status(requests_[i], &flag, MPI_STATUS_IGNORE);
    started_[i].expect_right();
    EXPECT_NE(requests_[i], MPI_REQUEST_NULL);
  }
  MPI_Waitall(count(), requests_.data(), MPI_STATUSES_IGNORE);
  expect_all_right();
}

TEST_F(Nonblocking, handles_of_fortran) {
  start_all();
  for (const std::size_t i : own_order()) {
    const MPI_Fint handle = MPI_Request_c2f(requests_[i]);
    requests_[i] = MPI_Request_f2c(handle);
    MPI_Wait(&requests_[i], MPI_STATUS_IGNORE);
  }
  expect_all_right();
}

TEST_F(Nonblocking, beside_collectives_that_block) {
  start_all();
  if (rank_ % 2 == 0) MPI_Waitall(count(), requests_.data(), MPI_STATUSES_IGNORE);
  for (const MPI_Comm comm : comms_) {
    int sum = 0;
    const int one = 1;
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm);
    EXPECT_EQ(sum, size_);
    MPI_Scan(&one, &sum, 1, MPI_INT, MPI_SUM, comm);
    EXPECT_EQ(sum, rank_ + 1);
  }
  MPI_Waitall(count(), requests_.data(), MPI_STATUSES_IGNORE);
  expect_all_right();
}

// More than there are tags for a collective. Half of the ranks go on with all of them after each start, so they are rounds
// ahead in the first ones, while the others have only started them.
TEST_F(Nonblocking, more_at_a_time_than_there_are_tags) {
  constexpr int calls = 800;
  const auto blocks = static_cast<std::size_t>(size_);
  std::vector<int> sent(calls), received(calls * blocks, -1);
  for (std::size_t i = 0; i < calls; ++i) {
    sent[i] = 1000 * static_cast<int>(i) + rank_;
    MPI_Iallgather(&sent[i], 1, MPI_INT, &received[i * blocks], 1, MPI_INT, comms_[0],
                   &requests_.emplace_back());
    int flag = 0;
    if (rank_ % 2 == 1) MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comms_[0], &flag, MPI_STATUS_IGNORE);
  }
  // A call that blocks comes behind all of them.
  std::vector<int> all(blocks, -1);
  MPI_Allgather(&rank_, 1, MPI_INT, all.data(), 1, MPI_INT, comms_[0]);
  for (const std::size_t i : own_order()) MPI_Wait(&requests_[i], MPI_STATUS_IGNORE);
  for (std::size_t rank = 0; rank < blocks; ++rank) {
    EXPECT_EQ(all[rank], static_cast<int>(rank));
    for (std::size_t i = 0; i < calls; ++i)
      ASSERT_EQ(received[i * blocks + rank], 1000 * static_cast<int>(i) + static_cast<int>(rank)) << i;
  }
}

TEST_F(Nonblocking, a_communicator_freed_before_the_end) {
  MPI_Comm copy = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  MPI_Barrier(copy);
  RequestCall first(copy, 100, request_alltoall), second(copy, 20, request_reduce);
  first.start(copy);
  second.start(copy);
  MPI_Comm_free(&copy);
  MPI_Comm other = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &other);
  MPI_Barrier(other);
  RequestCall third(other, 30, request_alltoall);
  third.start(other);
  MPI_Wait(&second.request, MPI_STATUS_IGNORE);
  MPI_Wait(&first.request, MPI_STATUS_IGNORE);
  MPI_Wait(&third.request, MPI_STATUS_IGNORE);
  for (const RequestCall* started : {&first, &second, &third}) started->expect_right();
  MPI_Comm_free(&other);
}

void add_pairs(void* in, void* inout, int* count, MPI_Datatype*) {
  const auto* from = static_cast<const int*>(in);
  auto* to = static_cast<int*>(inout);
  for (int i = 0; i < 2 * *count; ++i) to[i] += from[i];
}

TEST_F(Nonblocking, a_datatype_and_an_operation_freed_before_the_end) {
  for (const int commutes : {0, 1}) {
    MPI_Datatype pair = MPI_DATATYPE_NULL, apart = MPI_DATATYPE_NULL;
    MPI_Op add = MPI_OP_NULL;
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    MPI_Type_vector(2, 1, 2, MPI_INT, &apart);
    MPI_Type_commit(&apart);
    MPI_Op_create(add_pairs, commutes, &add);
    const std::array own{rank_, 1, rank_, 1};
    std::array sum{-1, -1, -1, -1};
    std::vector<int> spread(static_cast<std::size_t>(3 * size_), -1);
    std::array<MPI_Request, 2> requests{};
    MPI_Iallreduce(own.data(), sum.data(), 2, pair, add, comms_[0], requests.data());
    MPI_Iallgather(own.data(), 2, MPI_INT, spread.data(), 1, apart, comms_[0], &requests[1]);
    MPI_Type_free(&pair);
    MPI_Op_free(&add);
    MPI_Type_free(&apart);
    EXPECT_EQ(pair, MPI_DATATYPE_NULL);
    EXPECT_EQ(add, MPI_OP_NULL);
    MPI_Waitall(2, requests.data(), MPI_STATUSES_IGNORE);
    EXPECT_EQ(sum, (std::array{size_ * (size_ - 1) / 2, size_, size_ * (size_ - 1) / 2, size_}));
    for (int other = 0; other < size_; ++other) {
      const auto first = static_cast<std::size_t>(3 * other);
      EXPECT_EQ((std::array{spread[first], spread[first + 1], spread[first + 2]}),
                (std::array{other, -1, 1}));
    }
  }
}

#if MPI_VERSION >= 4
TEST_F(Nonblocking, with_large_counts) {
  const MPI_Count count = 3;
  const std::array own{rank_, 1, 2 * rank_};
  std::array sum{-1, -1, -1}, again{-1, -1, -1}, first{rank_, rank_, rank_};
  std::array<MPI_Request, 3> requests{};
  MPI_Iallreduce_c(own.data(), sum.data(), count, MPI_INT, MPI_SUM, comms_[0], requests.data());
  MPI_Ibcast_c(first.data(), count, MPI_INT, 0, comms_[0], &requests[1]);
  MPI_Allreduce_init_c(own.data(), again.data(), count, MPI_INT, MPI_SUM, comms_[0], MPI_INFO_NULL,
                       &requests[2]);
  MPI_Start(&requests[2]);
  MPI_Waitall(3, requests.data(), MPI_STATUSES_IGNORE);
  MPI_Request_free(&requests[2]);
  const int total = size_ * (size_ - 1) / 2;
  EXPECT_EQ(sum, (std::array{total, size_, 2 * total}));
  EXPECT_EQ(again, sum);
  EXPECT_EQ(first, (std::array{0, 0, 0}));
}
#endif

// ---- progress in calls for messages

class Beside : public Nonblocking {
 protected:
  void SetUp() override {
    if (size_ < 2) GTEST_SKIP() << "needs two ranks";
  }
  // Rank 1 sends a message to rank 0 when it has completed a collective that needs rank 0 to move on.
  template <class Receive>
  void expect_progress_in(const Receive& receive) {
    for (const RequestFunction& function : {request_allreduce, request_alltoall}) {
      RequestCall started(comms_[0], 250, function);
      started.start(comms_[0]);
      int value = rank_;
      if (rank_ == 0) {
        receive(value);
        EXPECT_EQ(value, 17);
      }
      MPI_Wait(&started.request, MPI_STATUS_IGNORE);
      started.expect_right();
      value = 17;
      if (rank_ == 1) MPI_Send(&value, 1, MPI_INT, 0, 3, comms_[1]);
    }
  }
  // Rank 1 receives in the same way from rank 0, which sends a long message.
  template <class Send>
  void expect_progress_in_sending(const Send& send) {
    RequestCall started(comms_[0], 250, request_alltoall);
    started.start(comms_[0]);
    std::vector<int> values(1 << 18, rank_);
    if (rank_ == 0) send(values);
    MPI_Wait(&started.request, MPI_STATUS_IGNORE);
    started.expect_right();
    if (rank_ != 1) return;
    MPI_Recv(values.data(), static_cast<int>(values.size()), MPI_INT, 0, 4, comms_[1], MPI_STATUS_IGNORE);
    EXPECT_EQ(values.back(), 0);
  }
};

TEST_F(Beside, recv) {
  expect_progress_in([&](int& value) {
    MPI_Status status;
    EXPECT_EQ(MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comms_[1], &status), MPI_SUCCESS);
    EXPECT_EQ(status.MPI_SOURCE, 1);
    EXPECT_EQ(status.MPI_TAG, 3);
  });
}

TEST_F(Beside, probe) {
  expect_progress_in([&](int& value) {
    MPI_Status status;
    MPI_Probe(1, MPI_ANY_TAG, comms_[1], &status);
    EXPECT_EQ(status.MPI_TAG, 3);
    MPI_Recv(&value, 1, MPI_INT, 1, 3, comms_[1], MPI_STATUS_IGNORE);
  });
}

TEST_F(Beside, iprobe) {
  expect_progress_in([&](int& value) {
    for (int flag = 0; flag == 0;) MPI_Iprobe(1, 3, comms_[1], &flag, MPI_STATUS_IGNORE);
    MPI_Recv(&value, 1, MPI_INT, 1, 3, comms_[1], MPI_STATUS_IGNORE);
  });
}

TEST_F(Beside, mprobe) {
  expect_progress_in([&](int& value) {
    MPI_Message message = MPI_MESSAGE_NULL;
    MPI_Mprobe(1, 3, comms_[1], &message, MPI_STATUS_IGNORE);
    MPI_Mrecv(&value, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
  });
}

TEST_F(Beside, improbe) {
  expect_progress_in([&](int& value) {
    MPI_Message message = MPI_MESSAGE_NULL;
    for (int flag = 0; flag == 0;) MPI_Improbe(1, 3, comms_[1], &flag, &message, MPI_STATUS_IGNORE);
    MPI_Mrecv(&value, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
  });
}

TEST_F(Beside, sendrecv) {
  expect_progress_in([&](int& value) {
    const int own = 5;
    MPI_Sendrecv(&own, 1, MPI_INT, 0, 9, &value, 1, MPI_INT, 0, 9, comms_[2], MPI_STATUS_IGNORE);
    EXPECT_EQ(value, 5);
    MPI_Sendrecv(&own, 1, MPI_INT, MPI_PROC_NULL, 9, &value, 1, MPI_INT, 1, 3, comms_[1], MPI_STATUS_IGNORE);
  });
}

TEST_F(Beside, sendrecv_replace) {
  expect_progress_in([&](int& value) {
    MPI_Sendrecv_replace(&value, 1, MPI_INT, MPI_PROC_NULL, 9, 1, 3, comms_[1], MPI_STATUS_IGNORE);
  });
}

TEST_F(Beside, wait_for_a_receive) {
  expect_progress_in([&](int& value) {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Irecv(&value, 1, MPI_INT, 1, 3, comms_[1], &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  });
}

TEST_F(Beside, send) {
  expect_progress_in_sending([&](const std::vector<int>& values) {
    MPI_Send(values.data(), static_cast<int>(values.size()), MPI_INT, 1, 4, comms_[1]);
  });
}

TEST_F(Beside, ssend) {
  expect_progress_in_sending([&](const std::vector<int>& values) {
    MPI_Ssend(values.data(), static_cast<int>(values.size()), MPI_INT, 1, 4, comms_[1]);
  });
}

// Detaching waits until the message has left the buffer.
TEST_F(Beside, buffer_detach) {
  expect_progress_in_sending([&](const std::vector<int>& values) {
    std::vector<char> buffer(sizeof(int) * values.size() + MPI_BSEND_OVERHEAD);
    MPI_Buffer_attach(buffer.data(), static_cast<int>(buffer.size()));
    MPI_Bsend(values.data(), static_cast<int>(values.size()), MPI_INT, 1, 4, comms_[1]);
    void* detached = nullptr;
    int size = 0;
    MPI_Buffer_detach(&detached, &size);
    EXPECT_EQ(detached, buffer.data());
  });
}

TEST_F(Beside, creating_communicators) {
  RequestCall started(comms_[0], 250, request_alltoall);
  started.start(comms_[0]);
  MPI_Comm copy = MPI_COMM_NULL;
  if (rank_ % 2 == 0) MPI_Wait(&started.request, MPI_STATUS_IGNORE);
  MPI_Comm_dup(comms_[1], &copy);
  if (rank_ % 2 == 1) MPI_Wait(&started.request, MPI_STATUS_IGNORE);
  started.expect_right();
  MPI_Comm_free(&copy);
}

// The first collective on a communicator finds out how it is served, while another rank waits elsewhere.
TEST_F(Beside, the_first_collective_of_a_communicator) {
  MPI_Comm copy = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  RequestCall started(comms_[0], 250, request_alltoall);
  started.start(comms_[0]);
  if (rank_ % 2 == 0) MPI_Wait(&started.request, MPI_STATUS_IGNORE);
  MPI_Barrier(copy);
  if (rank_ % 2 == 1) MPI_Wait(&started.request, MPI_STATUS_IGNORE);
  started.expect_right();
  MPI_Comm_free(&copy);
}

// A rank that has begun need not wait for the others: rank 1 begins when a message of rank 0 has come.
TEST_F(Beside, beginning_waits_for_nobody) {
  MPI_Comm copy = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  for (const MPI_Comm comm : {copy, comms_[0]}) {
    int value = 3;
    if (rank_ == 1) MPI_Recv(&value, 1, MPI_INT, 0, 6, comms_[1], MPI_STATUS_IGNORE);
    RequestCall started(comm, 7, request_allreduce);
    started.start(comm);
    if (rank_ == 0) MPI_Ssend(&value, 1, MPI_INT, 1, 6, comms_[1]);
    MPI_Wait(&started.request, MPI_STATUS_IGNORE);
    started.expect_right();
  }
  MPI_Comm_free(&copy);
}

// A call of MPI that blocks is between the start on rank 0 and the start on the others.
TEST_F(Beside, started_before_and_after_a_call_that_blocks) {
  const char* const progress = std::getenv("ISOTROPE_PROGRESS");
  if (std::getenv("ISOTROPE_NETWORK") != nullptr &&
      (progress == nullptr || std::string_view(progress) != "thread"))
    GTEST_SKIP() << "the drop-in advances collectives in calls";
  for (const RequestFunction& function : request_functions()) {
    RequestCall started(comms_[0], 250, function);
    MPI_Comm copy = MPI_COMM_NULL;
    if (rank_ == 0) started.start(comms_[0]);
    MPI_Comm_dup(comms_[1], &copy);
    if (rank_ != 0) started.start(comms_[0]);
    started.wait();
    started.expect_right();
    MPI_Comm_free(&copy);
  }
}

// ---- errors

int errors_seen = 0;

// MPI prescribes the signature.
void count_error(MPI_Comm*, int*, ...) {  // NOLINT(cert-dcl50-cpp)
  ++errors_seen;
}

// Both sizes have the same plan. MPICH reports a failed message of several that are waited for together to
// MPI_COMM_WORLD.
TEST_F(Nonblocking, an_error_after_the_start_comes_by_the_handler_and_by_the_wait) {
  const char* const network = std::getenv("ISOTROPE_NETWORK");
  if (network == nullptr || *network == '\0') GTEST_SKIP() << "the MPI library may do anything";
  MPI_Comm copy = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  MPI_Barrier(copy);
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  MPI_Comm_create_errhandler(count_error, &handler);
  MPI_Comm_set_errhandler(copy, handler);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  errors_seen = 0;
  std::vector<int> values(100, 1);
  MPI_Request request = MPI_REQUEST_NULL;
  EXPECT_EQ(MPI_Ibcast(values.data(), rank_ == 0 ? 100 : 96, MPI_INT, 0, copy, &request), MPI_SUCCESS);
  int failed = MPI_Wait(&request, MPI_STATUS_IGNORE) == MPI_SUCCESS ? 0 : 1;
  EXPECT_EQ(request, MPI_REQUEST_NULL);
  EXPECT_EQ(failed, errors_seen);
  MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_SUM, comms_[1]);
  EXPECT_GT(failed, 0);
  RequestCall started(copy, 3, request_allreduce);
  started.start(copy);
  started.wait();
  started.expect_right();
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  MPI_Errhandler_free(&handler);
  MPI_Comm_free(&copy);
}

TEST_F(Nonblocking, arguments_that_mpi_refuses) {
  MPI_Comm_set_errhandler(comms_[0], MPI_ERRORS_RETURN);
  MPI_Datatype uncommitted = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(2, MPI_INT, &uncommitted);
  std::array values{0, 0};
  MPI_Request request = MPI_REQUEST_NULL;
  EXPECT_EQ(class_of(MPI_Ibcast(values.data(), 1, uncommitted, 0, comms_[0], &request)), MPI_ERR_TYPE);
  EXPECT_EQ(class_of(MPI_Ibcast(values.data(), -1, MPI_INT, 0, comms_[0], &request)), MPI_ERR_COUNT);
  EXPECT_EQ(class_of(MPI_Ibcast(values.data(), 1, MPI_INT, size_, comms_[0], &request)), MPI_ERR_ROOT);
  MPI_Type_free(&uncommitted);
  RequestCall started(comms_[0], 3, request_allreduce);
  started.start(comms_[0]);
  MPI_Wait(&started.request, MPI_STATUS_IGNORE);
  started.expect_right();
}

}  // namespace
}  // namespace isotrope::pmpi
