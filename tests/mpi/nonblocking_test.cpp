// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Several collectives open at once, and other calls between their start and their completion.
#include <deque>
#include <vector>

#include <gtest/gtest.h>

#include "isotrope/network/parse.hpp"

#include "trial.hpp"
#include "world.hpp"

namespace isotrope::mpi {
namespace {

class MpiRequests : public OnNetwork {
 protected:
  // Starts every collective, in place or not.
  void start_all(int ints) {
    for (const bool in_place : {false, true}) {
      for (const Collective collective : copying) start({collective, ints, root(), in_place});
      for (const Collective collective : reducing) start({collective, ints, root(), in_place});
    }
  }
  void start(const Case& c) {
    trials_.emplace_back(comm(), c);
    trials_.back().start(requests_.emplace_back());
  }
  void check_all() {
    for (Trial& trial : trials_) trial.check();
  }
  int root() const { return static_cast<int>(trials_.size()) % comm().size(); }

  std::deque<Trial> trials_;
  std::deque<Request> requests_;
};

TEST_P(MpiRequests, finish_in_the_order_of_their_beginning) {
  start_all(70);

  for (Request& request : requests_) EXPECT_EQ(request.wait(), MPI_SUCCESS);
  check_all();
}

TEST_P(MpiRequests, finish_in_any_order) {
  start_all(70);

  // Even ranks wait for the last request first, odd ranks for the first.
  for (std::size_t i = 0; i < requests_.size(); ++i) {
    const std::size_t from_end = requests_.size() - 1 - i;
    EXPECT_EQ(requests_[comm().rank() % 2 == 0 ? from_end : i].wait(), MPI_SUCCESS);
  }
  check_all();
}

TEST_P(MpiRequests, finish_by_tests) {
  start_all(300);

  for (std::size_t open = requests_.size(); open > 0;) {
    open = 0;
    for (Request& request : requests_) {
      bool complete = false;
      EXPECT_EQ(request.test(complete), MPI_SUCCESS);
      open += complete ? 0 : 1;
    }
  }
  check_all();
}

// Programs rely on what MPI libraries do with short data.
TEST_P(MpiRequests, have_copied_short_data) {
  const auto start_and_overwrite = [&](Collective collective) {
    start({collective, 6, root(), false});
    trials_.back().overwrite_sent();
  };
  for (const Collective collective : copying) start_and_overwrite(collective);
  for (const Collective collective : reducing) start_and_overwrite(collective);

  for (Request& request : requests_) EXPECT_EQ(request.wait(), MPI_SUCCESS);
  check_all();
}

TEST_P(MpiRequests, stay_open_across_blocking_collectives) {
  Trial open(comm(), {.collective = Collective::alltoall, .ints = 40});
  Request request;
  open.start(request);
  // Half of the ranks complete the request first; the others must advance it from within the next call.
  if (comm().rank() % 2 == 0) {
    EXPECT_EQ(request.wait(), MPI_SUCCESS);
  }

  expect_right(comm(), {.collective = Collective::allreduce, .ints = 100});
  EXPECT_EQ(comm().barrier(), MPI_SUCCESS);
  int sum = 1;
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);

  EXPECT_EQ(sum, comm().size());
  EXPECT_EQ(request.wait(), MPI_SUCCESS);
  open.check();
}

TEST_P(MpiRequests, are_waited_for_where_they_end) {
  Trial first(comm(), {.collective = Collective::allgather, .ints = 33});
  Trial second(comm(), {.collective = Collective::allgather, .ints = 44});
  Trial third(comm(), {.collective = Collective::allgather, .ints = 55});
  {
    Request request;
    first.start(request);
    Request moved = std::move(request);
    second.start(moved);
    third.start(request);
  }
  first.check();
  second.check();
  third.check();
}

TEST_P(MpiRequests, that_are_null_are_complete) {
  Request request;
  bool complete = false;
  EXPECT_EQ(request.test(complete), MPI_SUCCESS);
  EXPECT_TRUE(complete);
  EXPECT_EQ(request.wait(), MPI_SUCCESS);
}

TEST_P(MpiRequests, of_barriers_complete_when_all_ranks_have_entered) {
  Request request;
  EXPECT_EQ(comm().ibarrier(request), MPI_SUCCESS);
  expect_right(comm(), {.collective = Collective::broadcast, .ints = 3});
  bool complete = false;
  while (!complete) EXPECT_EQ(request.test(complete), MPI_SUCCESS);
}

// Two communicators on the same MPI communicator do not receive each other's messages.
TEST_P(MpiRequests, of_two_communicators_are_apart) {
  const network::MappedNetwork called = network_called(GetParam());
  Communicator other(MPI_COMM_WORLD, called.named, {.nodes = nodes_of(called)});
  for (const Collective collective : copying) {
    Trial here(comm(), {.collective = collective, .ints = 21});
    Trial there(other, {.collective = collective, .ints = 22, .sent = one_int()});
    Request first, second;
    here.start(first);
    there.start(second);
    EXPECT_EQ(second.wait(), MPI_SUCCESS);
    EXPECT_EQ(first.wait(), MPI_SUCCESS);
    here.check();
    there.check();
  }
}

NETWORKS_OF_THE_JOB(MpiRequests);

}  // namespace
}  // namespace isotrope::mpi
