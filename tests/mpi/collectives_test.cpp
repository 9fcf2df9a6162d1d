// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Every collective on ints: every root, counts from 0 to many, in place or not.
#include <algorithm>
#include <chrono>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "trial.hpp"
#include "world.hpp"

namespace isotrope::mpi {
namespace {

class MpiCollectives : public OnNetwork {
 protected:
  void expect_all_right(Case c) {
    for (const Collective collective : copying) {
      c.collective = collective;
      expect_right(comm(), c);
    }
    for (const Collective collective : reducing) {
      c.collective = collective;
      expect_right(comm(), c);
    }
  }
};

TEST_P(MpiCollectives, serve_every_root) {
  for (int root = 0; root < comm().size(); ++root) {
    for (const bool in_place : {false, true}) {
      for (const Collective rooted :
           {Collective::broadcast, Collective::scatter, Collective::gather, Collective::reduce})
        expect_right(comm(), {.collective = rooted, .ints = 5, .root = root, .in_place = in_place});
    }
  }
}

TEST_P(MpiCollectives, serve_every_count) {
  for (const int count : {0, 1, 2, 3, 7, 31, 1009}) {
    for (const bool in_place : {false, true})
      expect_all_right({.ints = count, .root = comm().size() / 2, .in_place = in_place});
  }
}

TEST_P(MpiCollectives, serve_large_counts) {
  for (const bool in_place : {false, true}) {
    expect_all_right({.ints = 20'000, .root = comm().size() - 1, .in_place = in_place});
  }
}

// Rank r contributes r + 1, and the sum over N ranks is N (N + 1) / 2.
TEST_P(MpiCollectives, take_their_arguments_as_one_value) {
  const int own = comm().rank() + 1, total = comm().size() * (comm().size() + 1) / 2;
  int sum = 0;
  Request request;
  const Arguments arguments{.collective = Collective::allreduce,
                            .send = {&own, 1, MPI_INT},
                            .receive = {&sum, 1, MPI_INT},
                            .op = MPI_SUM};
  EXPECT_EQ(comm().run(arguments), MPI_SUCCESS);
  EXPECT_EQ(sum, total);

  sum = 0;
  EXPECT_EQ(comm().start(arguments, request), MPI_SUCCESS);
  EXPECT_EQ(request.wait(), MPI_SUCCESS);
  EXPECT_EQ(sum, total);
}

TEST_P(MpiCollectives, repeat_float_results_to_the_bit) {
  constexpr int count = 777;
  std::vector<float> input(count), first(count), again(count);
  for (std::size_t i = 0; i < count; ++i)
    input[i] = 1.0F / static_cast<float>(comm().rank() * 977 + static_cast<int>(i) + 1);

  EXPECT_EQ(comm().allreduce(input.data(), first.data(), count, MPI_FLOAT, MPI_SUM), MPI_SUCCESS);
  for (int call = 0; call < 5; ++call) {
    EXPECT_EQ(comm().allreduce(input.data(), again.data(), count, MPI_FLOAT, MPI_SUM), MPI_SUCCESS);
    EXPECT_TRUE(std::ranges::equal(first, again));
  }
  MPI_Bcast(again.data(), count, MPI_FLOAT, 0, MPI_COMM_WORLD);
  EXPECT_TRUE(std::ranges::equal(first, again)) << "ranks have different sums";
}

// Rank 0 may give no receive buffer in an exscan, whose other ranks have the sum of the ranks before them.
TEST_P(MpiCollectives, scan_the_ranks_in_order) {
  const int rank = comm().rank();
  const std::vector<int> own{rank + 1, -rank};
  std::vector<int> sums(2), before(2, -7);
  EXPECT_EQ(comm().scan(own.data(), sums.data(), 2, MPI_INT, MPI_SUM), MPI_SUCCESS);
  EXPECT_EQ(sums, (std::vector<int>{(rank + 1) * (rank + 2) / 2, -rank * (rank + 1) / 2}));
  EXPECT_EQ(comm().exscan(own.data(), rank == 0 ? nullptr : before.data(), 2, MPI_INT, MPI_SUM), MPI_SUCCESS);
  const std::vector<int> wanted{rank * (rank + 1) / 2, -rank * (rank - 1) / 2};
  EXPECT_EQ(before, rank == 0 ? std::vector<int>(2, -7) : wanted);
}

TEST_P(MpiCollectives, repeat_float_scans_to_the_bit) {
  constexpr int count = 777;
  std::vector<float> input(count), first(count), again(count);
  for (std::size_t i = 0; i < count; ++i)
    input[i] = 1.0F / static_cast<float>(comm().rank() * 977 + static_cast<int>(i) + 1);
  EXPECT_EQ(comm().scan(input.data(), first.data(), count, MPI_FLOAT, MPI_SUM), MPI_SUCCESS);
  for (int call = 0; call < 5; ++call) {
    EXPECT_EQ(comm().scan(input.data(), again.data(), count, MPI_FLOAT, MPI_SUM), MPI_SUCCESS);
    EXPECT_TRUE(std::ranges::equal(first, again));
  }
}

// No rank leaves before the last rank has entered. The ranks share the clock of one host.
TEST_P(MpiCollectives, barrier_holds_all_until_the_last_comes) {
  const auto now = [] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
  };
  for (int late = 0; late < comm().size(); ++late) {
    if (comm().rank() == late) std::this_thread::sleep_for(std::chrono::milliseconds(2));
    const double entered = now();
    EXPECT_EQ(comm().barrier(), MPI_SUCCESS);
    const double left = now();
    double last = 0;
    MPI_Allreduce(&entered, &last, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    EXPECT_GE(left, last);
  }
}

NETWORKS_OF_THE_JOB(MpiCollectives);

}  // namespace
}  // namespace isotrope::mpi
