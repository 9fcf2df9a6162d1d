// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Collectives while nonblocking collectives, messages and other threads are active.
#include <algorithm>
#include <array>
#include <mpi.h>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "tests/pmpi/job.hpp"

namespace isotrope::pmpi {
namespace {

class Concurrency : public testing::Test {
 protected:
  const int rank_ = rank_in(MPI_COMM_WORLD), size_ = size_of(MPI_COMM_WORLD);
};

TEST_F(Concurrency, with_collectives_that_have_been_begun) {
  int broadcast = rank_ == 0 ? 5 : 0, sum = 0, own = 1, sum_meanwhile = 0;
  std::array<MPI_Request, 3> requests{};
  MPI_Ibcast(&broadcast, 1, MPI_INT, 0, MPI_COMM_WORLD, requests.data());
  MPI_Iallreduce(&own, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[1]);
  MPI_Allreduce(&own, &sum_meanwhile, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Ibarrier(MPI_COMM_WORLD, &requests[2]);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Waitall(3, requests.data(), MPI_STATUSES_IGNORE);
  EXPECT_EQ(broadcast, 5);
  EXPECT_EQ(sum, size_);
  EXPECT_EQ(sum_meanwhile, size_);
}

// The program may use any tag.
TEST_F(Concurrency, with_messages) {
  const int next = (rank_ + 1) % size_, before = (rank_ + size_ - 1) % size_;
  std::vector<int> received(64, -1), sent;
  for (int tag = 0; tag < 64; ++tag) sent.push_back(number(rank_, next, tag));
  std::vector<MPI_Request> requests;
  for (int tag = 0; tag < 64; ++tag)
    MPI_Irecv(&received[static_cast<std::size_t>(tag)], 1, MPI_INT, MPI_ANY_SOURCE, tag, MPI_COMM_WORLD,
              &requests.emplace_back());
  MPI_Barrier(MPI_COMM_WORLD);
  for (int tag = 0; tag < 64; ++tag)
    MPI_Isend(&sent[static_cast<std::size_t>(tag)], 1, MPI_INT, next, tag, MPI_COMM_WORLD,
              &requests.emplace_back());
  int value = rank_ == size_ - 1 ? 9 : 0;
  MPI_Bcast(&value, 1, MPI_INT, size_ - 1, MPI_COMM_WORLD);
  EXPECT_EQ(value, 9);
  MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
  for (int tag = 0; tag < 64; ++tag)
    EXPECT_EQ(received[static_cast<std::size_t>(tag)], number(before, rank_, tag));
}

TEST_F(Concurrency, with_blocks_of_many_sizes) {
  std::vector<int> counts, places{0};
  for (int other = 0; other < size_; ++other) {
    counts.push_back(other % 4);
    places.push_back(places.back() + other % 4);
  }
  const auto own = block(rank_, 0, rank_ % 4);
  std::vector<int> all(static_cast<std::size_t>(places.back()), -1), expected;
  for (int other = 0; other < size_; ++other) {
    const auto numbers = block(other, 0, other % 4);
    expected.insert(expected.end(), numbers.begin(), numbers.end());
  }
  MPI_Allgatherv(own.data(), rank_ % 4, MPI_INT, all.data(), counts.data(), places.data(), MPI_INT,
                 MPI_COMM_WORLD);
  EXPECT_EQ(all, expected);
}

// Every thread has its own communicator; all are used for the first time at the same time.
TEST_F(Concurrency, on_several_threads) {
  int provided = MPI_THREAD_SINGLE;
  MPI_Query_thread(&provided);
  if (provided < MPI_THREAD_MULTIPLE) GTEST_SKIP() << "the MPI library has one thread";
  std::array<MPI_Comm, 3> comms{};
  for (MPI_Comm& comm : comms) MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  std::array<int, 3> wrong{};
  {
    std::vector<std::thread> threads;
    for (std::size_t thread = 0; thread < comms.size(); ++thread) {
      threads.emplace_back([&, thread] {
        for (int i = 0; i < 20; ++i) {
          const int own = rank_ + i;
          std::vector<int> all(static_cast<std::size_t>(size_), -1);
          MPI_Allgather(&own, 1, MPI_INT, all.data(), 1, MPI_INT, comms[thread]);
          for (int other = 0; other < size_; ++other)
            wrong[thread] += all[static_cast<std::size_t>(other)] == other + i ? 0 : 1;
          MPI_Barrier(comms[thread]);
        }
      });
    }
    for (auto& thread : threads) thread.join();
  }
  EXPECT_EQ(wrong, (std::array{0, 0, 0}));
  for (MPI_Comm& comm : comms) MPI_Comm_free(&comm);
}

// Each thread sees the same message, and one takes it. The last message is sent when the collective is complete, so the other
// thread must advance it.
TEST_F(Concurrency, with_receives_of_several_threads) {
  int provided = MPI_THREAD_SINGLE;
  MPI_Query_thread(&provided);
  if (provided < MPI_THREAD_MULTIPLE) GTEST_SKIP() << "the MPI library has one thread";
  if (size_ < 2) GTEST_SKIP() << "needs two ranks";
  constexpr int receives = 3, tag = 5;
  const int own = 1, token = 7;
  for (int turn = 0; turn < 60; ++turn) {
    int sum = 0;
    MPI_Request request = MPI_REQUEST_NULL;
    if (rank_ == 1) {
      for (int i = 1; i < receives; ++i) MPI_Send(&token, 1, MPI_INT, 0, tag, MPI_COMM_WORLD);
    }
    MPI_Iallreduce(&own, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
    if (rank_ == 0) {
      std::array<int, receives> received{};
      std::vector<std::thread> threads;
      for (int& each : received) {
        threads.emplace_back(
            [&each] { MPI_Recv(&each, 1, MPI_INT, MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE); });
      }
      for (std::thread& thread : threads) thread.join();
      for (const int each : received) EXPECT_EQ(each, token);
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (rank_ == 1) MPI_Send(&token, 1, MPI_INT, 0, tag, MPI_COMM_WORLD);
    EXPECT_EQ(sum, size_);
  }
}

}  // namespace
}  // namespace isotrope::pmpi
