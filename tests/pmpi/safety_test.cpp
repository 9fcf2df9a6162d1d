// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Legal programs at the edges: attributes whose callbacks count or refuse copies, many communicators alive, errors on
// one rank. The MPI library alone passes these tests too.
#include <array>
#include <mpi.h>
#include <vector>

#include <gtest/gtest.h>

#include "tests/pmpi/job.hpp"

namespace isotrope::pmpi {
namespace {

struct Callbacks {
  int copies = 0, deletions = 0;
};

int count_copy(MPI_Comm, int, void* extra, void*, void*, int* flag) {
  ++static_cast<Callbacks*>(extra)->copies;
  *flag = 0;
  return MPI_SUCCESS;
}
int count_deletion(MPI_Comm, int, void*, void* extra) {
  ++static_cast<Callbacks*>(extra)->deletions;
  return MPI_SUCCESS;
}
int refuse_copy(MPI_Comm, int, void*, void*, void*, int*) {
  return MPI_ERR_OTHER;
}

int sum_of_ones(MPI_Comm comm) {
  const int one = 1;
  int sum = -1;
  EXPECT_EQ(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm), MPI_SUCCESS);
  return sum;
}

TEST(Safety, callbacks_of_attributes_run_when_the_program_copies_and_frees_only) {
  Callbacks seen;
  int key = MPI_KEYVAL_INVALID, value = 1;
  MPI_Comm_create_keyval(count_copy, count_deletion, &key, &seen);
  MPI_Comm comm = MPI_COMM_NULL, copy = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_set_attr(comm, key, &value);
  EXPECT_EQ(sum_of_ones(comm), size_of(comm));
  EXPECT_EQ(seen.copies, 0);
  MPI_Comm_dup(comm, &copy);
  EXPECT_EQ(sum_of_ones(copy), size_of(comm));
  MPI_Comm_free(&comm);
  MPI_Comm_free(&copy);
  EXPECT_EQ(seen.copies, 1);
  EXPECT_EQ(seen.deletions, 1);
  MPI_Comm_free_keyval(&key);
}

TEST(Safety, an_attribute_that_refuses_copies_does_no_harm) {
  int key = MPI_KEYVAL_INVALID, value = 1;
  MPI_Comm_create_keyval(refuse_copy, MPI_COMM_NULL_DELETE_FN, &key, nullptr);
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_set_attr(comm, key, &value);
  EXPECT_EQ(sum_of_ones(comm), size_of(comm));
  MPI_Comm_free(&comm);
  MPI_Comm_free_keyval(&key);
}

// MPICH has 2,048 contexts: not enough for two each.
TEST(Safety, as_many_communicators_live_as_without_the_drop_in) {
  std::vector<MPI_Comm> copies(1200, MPI_COMM_NULL);
  for (MPI_Comm& copy : copies) {
    ASSERT_EQ(MPI_Comm_dup(MPI_COMM_WORLD, &copy), MPI_SUCCESS);
    ASSERT_EQ(sum_of_ones(copy), size_of(copy));
  }
  for (MPI_Comm& copy : copies) MPI_Comm_free(&copy);
}

// Communicators of other ranks begin and end while some are alive, so slots of tags differ from rank to rank.
TEST(Safety, communicators_of_changing_ranks) {
  const int rank = rank_in(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  std::vector<MPI_Comm> alive;
  for (int i = 0; i < 60; ++i) {
    MPI_Comm part = MPI_COMM_NULL, whole = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, (rank + i) % 3 == 0 ? 0 : 1, rank, &part);
    const std::array extents{size_of(part)};
    const std::array periods{1};
    MPI_Comm ring = MPI_COMM_NULL;
    MPI_Cart_create(part, 1, extents.data(), periods.data(), 0, &ring);
    EXPECT_EQ(sum_of_ones(ring), size_of(ring));
    MPI_Comm_dup(MPI_COMM_WORLD, &whole);
    EXPECT_EQ(sum_of_ones(whole), size);
    MPI_Comm_free(&part);
    if (i % 2 == 0) {
      MPI_Comm_free(&ring);
      alive.push_back(whole);
    } else {
      MPI_Comm_free(&whole);
      alive.push_back(ring);
    }
    for (const MPI_Comm comm : alive) EXPECT_EQ(sum_of_ones(comm), size_of(comm));
  }
  for (MPI_Comm& comm : alive) MPI_Comm_free(&comm);
}

class Refused : public testing::Test {
 protected:
  Refused() {
    MPI_Comm_dup(MPI_COMM_WORLD, &comm_);
    MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN);
    MPI_Type_vector(2, 1, 2, MPI_INT, &uncommitted_);
  }
  ~Refused() override {
    EXPECT_EQ(sum_of_ones(comm_), size_of(comm_));
    MPI_Type_free(&uncommitted_);
    MPI_Comm_free(&comm_);
  }

  MPI_Comm comm_ = MPI_COMM_NULL;
  MPI_Datatype uncommitted_ = MPI_DATATYPE_NULL;
  std::vector<int> from_ = std::vector<int>(200, 1), to_ = std::vector<int>(200, 0);
};

TEST_F(Refused, datatypes_that_are_not_committed) {
  EXPECT_EQ(class_of(MPI_Bcast(from_.data(), 1, uncommitted_, 0, comm_)), MPI_ERR_TYPE);
  EXPECT_EQ(class_of(MPI_Allgather(from_.data(), 1, uncommitted_, to_.data(), 1, uncommitted_, comm_)),
            MPI_ERR_TYPE);
  EXPECT_EQ(class_of(MPI_Gather(from_.data(), 1, uncommitted_, to_.data(), 1, uncommitted_, 0, comm_)),
            MPI_ERR_TYPE);
}

// Several times, so that choices by measurement are in all their states.
TEST_F(Refused, on_a_rank_that_calls_alone) {
  for (int i = 0; i < 8; ++i) {
    EXPECT_EQ(sum_of_ones(comm_), size_of(comm_));
    if (rank_in(comm_) != 0) continue;
    EXPECT_NE(MPI_Gather(from_.data(), 1, MPI_DATATYPE_NULL, to_.data(), 1, MPI_INT, 0, comm_), MPI_SUCCESS);
    EXPECT_NE(MPI_Bcast(from_.data(), -1, MPI_INT, 0, comm_), MPI_SUCCESS);
    EXPECT_NE(MPI_Allreduce(from_.data(), to_.data(), 1, MPI_INT, MPI_OP_NULL, comm_), MPI_SUCCESS);
  }
}

TEST_F(Refused, on_a_rank_that_calls_again) {
  const bool at_root = rank_in(comm_) == 0;
  for (int i = 0; i < 8; ++i) {
    if (at_root) {
      EXPECT_NE(MPI_Reduce(from_.data(), to_.data(), 1, MPI_INT, MPI_OP_NULL, 0, comm_), MPI_SUCCESS);
    }
    from_[0] = i;
    EXPECT_EQ(MPI_Reduce(from_.data(), to_.data(), 1, MPI_INT, MPI_SUM, 0, comm_), MPI_SUCCESS);
    EXPECT_EQ(to_[0], at_root ? i * size_of(comm_) : 0);
    EXPECT_EQ(sum_of_ones(comm_), size_of(comm_));
  }
}

// At the end the rank receives what the others have sent, which a new communicator might receive else.
TEST_F(Refused, on_a_rank_that_goes_on) {
  const bool at_root = rank_in(comm_) == 0;
  const MPI_Op op = at_root ? MPI_OP_NULL : MPI_SUM;
  MPI_Reduce(from_.data(), to_.data(), 1, MPI_INT, op, 0, comm_);
  for (int i = 0; i < 8; ++i) {
    EXPECT_EQ(sum_of_ones(comm_), size_of(comm_));
    EXPECT_EQ(MPI_Bcast(from_.data(), 3, MPI_INT, 0, comm_), MPI_SUCCESS);
  }
  if (at_root) MPI_Reduce(from_.data(), to_.data(), 1, MPI_INT, MPI_SUM, 0, comm_);
  EXPECT_EQ(to_[0], at_root ? size_of(comm_) : 0);
}

// The others wait for a message of the rank, which thus must not wait for them: neither at the first call on a communicator
// nor at the third, when the ranks meet to measure.
TEST_F(Refused, on_a_rank_that_others_wait_for) {
  const int rank = rank_in(comm_);
  for (int calls = 0; calls < 4; ++calls) {
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Comm_dup(comm_, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    for (int i = 0; i < calls; ++i) MPI_Bcast(from_.data(), 3, MPI_INT, 0, comm);
    if (rank == 0) {
      EXPECT_NE(MPI_Bcast(from_.data(), -1, MPI_INT, 0, comm), MPI_SUCCESS);
      for (int to = 1; to < size_of(comm); ++to) MPI_Send(from_.data(), 1, MPI_INT, to, calls, comm);
    } else {
      MPI_Recv(to_.data(), 1, MPI_INT, 0, calls, comm, MPI_STATUS_IGNORE);
    }
    EXPECT_EQ(MPI_Bcast(from_.data(), 3, MPI_INT, 0, comm), MPI_SUCCESS);
    EXPECT_EQ(sum_of_ones(comm), size_of(comm));
    MPI_Comm_free(&comm);
  }
}

TEST_F(Refused, on_a_neighbour_that_others_wait_for) {
  const int rank = rank_in(comm_), size = size_of(comm_);
  const std::array before{(rank + size - 1) % size}, after{(rank + 1) % size};
  for (int calls = 0; calls < 4; ++calls) {
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Dist_graph_create_adjacent(comm_, 1, before.data(), MPI_UNWEIGHTED, 1, after.data(), MPI_UNWEIGHTED,
                                   MPI_INFO_NULL, 0, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    const auto exchange = [&](int count) {
      return MPI_Neighbor_allgather(from_.data(), count, MPI_INT, to_.data(), count, MPI_INT, comm);
    };
    for (int i = 0; i < calls; ++i) EXPECT_EQ(exchange(1), MPI_SUCCESS);
    if (rank == 0) {
      EXPECT_NE(exchange(-1), MPI_SUCCESS);
      for (int to = 1; to < size; ++to) MPI_Send(from_.data(), 1, MPI_INT, to, calls, comm);
    } else {
      MPI_Recv(to_.data(), 1, MPI_INT, 0, calls, comm, MPI_STATUS_IGNORE);
    }
    for (int i = 0; i < 4; ++i) EXPECT_EQ(exchange(2), MPI_SUCCESS);
    EXPECT_EQ(to_[1], 1);
    MPI_Comm_free(&comm);
  }
}

TEST_F(Refused, operations_that_are_not_defined_for_the_datatype) {
  EXPECT_NE(MPI_Allreduce(from_.data(), to_.data(), 2, MPI_FLOAT, MPI_BAND, comm_), MPI_SUCCESS);
  EXPECT_NE(MPI_Reduce(from_.data(), to_.data(), 2, MPI_FLOAT, MPI_BAND, 0, comm_), MPI_SUCCESS);
}

}  // namespace
}  // namespace isotrope::pmpi
