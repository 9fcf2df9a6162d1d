// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Collectives with blocks of unequal sizes: blocking ones, in place, on all kinds of communicators, and the errors of MPI.
#include <mpi.h>
#include <vector>

#include <gtest/gtest.h>

#include "tests/pmpi/job.hpp"

namespace isotrope::pmpi {
namespace {

// Rank r has count_of(r) ints.
int count_of(int rank) {
  return (3 * rank + 1) % 5 * 40;
}

struct Lists {
  explicit Lists(int size) {
    int place = 0;
    for (int rank = 0; rank < size; ++rank) {
      counts.push_back(count_of(rank));
      places.push_back(place);
      place += count_of(rank) + 1;
    }
    room.assign(static_cast<std::size_t>(place), -1);
  }
  std::vector<int> block_at(int rank) const {
    const auto begin = room.begin() + places[static_cast<std::size_t>(rank)];
    return {begin, begin + counts[static_cast<std::size_t>(rank)]};
  }
  void put(int rank, const std::vector<int>& numbers) {
    std::copy(numbers.begin(), numbers.end(), room.begin() + places[static_cast<std::size_t>(rank)]);
  }

  std::vector<int> counts, places, room;
};

class Vectors : public testing::Test {
 protected:
  // Every rank gathers blocks, in place or not, and the gaps between them stay.
  static void expect_gathered(MPI_Comm comm) {
    const int rank = rank_in(comm), size = size_of(comm);
    for (const bool in_place : {false, true}) {
      Lists all(size);
      const std::vector<int> own = block(rank, 0, count_of(rank));
      if (in_place) all.put(rank, own);
      ASSERT_EQ(MPI_Allgatherv(in_place ? MPI_IN_PLACE : own.data(), count_of(rank), MPI_INT, all.room.data(),
                               all.counts.data(), all.places.data(), MPI_INT, comm),
                MPI_SUCCESS);
      for (int from = 0; from < size; ++from) EXPECT_EQ(all.block_at(from), block(from, 0, count_of(from)));
      EXPECT_EQ(all.room.back(), -1);
    }
  }
  static void expect_exchanged(MPI_Comm comm) {
    const int rank = rank_in(comm), size = size_of(comm);
    Lists to(size), from(size);
    for (int other = 0; other < size; ++other) to.put(other, block(rank, other, count_of(other)));
    for (int other = 0; other < size; ++other) {
      from.counts[static_cast<std::size_t>(other)] = count_of(rank);
      from.places[static_cast<std::size_t>(other)] = other * count_of(rank);
    }
    from.room.assign(static_cast<std::size_t>(size * count_of(rank)), -1);
    ASSERT_EQ(MPI_Alltoallv(to.room.data(), to.counts.data(), to.places.data(), MPI_INT, from.room.data(),
                            from.counts.data(), from.places.data(), MPI_INT, comm),
              MPI_SUCCESS);
    for (int other = 0; other < size; ++other)
      EXPECT_EQ(from.block_at(other), block(other, rank, count_of(rank)));
  }
};

TEST_F(Vectors, are_exchanged_again_and_again) {
  for (int i = 0; i < 40; ++i) {
    expect_gathered(MPI_COMM_WORLD);
    expect_exchanged(MPI_COMM_WORLD);
  }
}

TEST_F(Vectors, are_exchanged_on_communicators_without_a_network) {
  MPI_Comm part = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, rank_in(MPI_COMM_WORLD) % 2, 0, &part);
  expect_gathered(part);
  expect_exchanged(part);
  MPI_Comm_free(&part);
  expect_gathered(MPI_COMM_SELF);
  expect_exchanged(MPI_COMM_SELF);
}

TEST_F(Vectors, are_scattered_and_gathered_from_any_root) {
  const int rank = rank_in(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  for (int root = 0; root < size; ++root) {
    Lists all(size);
    for (int to = 0; to < size && rank == root; ++to) all.put(to, block(root, to, count_of(to)));
    std::vector<int> own(static_cast<std::size_t>(count_of(rank)), -1);
    const bool keeps = rank == root && root % 2 == 0;
    // Only the root's arguments matter on the side of all blocks.
    ASSERT_EQ(MPI_Scatterv(rank == root ? all.room.data() : MPI_IN_PLACE, all.counts.data(),
                           all.places.data(), MPI_INT, keeps ? MPI_IN_PLACE : own.data(), count_of(rank),
                           MPI_INT, root, MPI_COMM_WORLD),
              MPI_SUCCESS);
    if (!keeps) {
      EXPECT_EQ(own, block(root, rank, count_of(rank)));
    }
    Lists back(size);
    own = block(rank, 7, count_of(rank));
    if (keeps) back.put(rank, own);
    ASSERT_EQ(MPI_Gatherv(keeps ? MPI_IN_PLACE : own.data(), count_of(rank), MPI_INT,
                          rank == root ? back.room.data() : MPI_IN_PLACE,
                          rank == root ? back.counts.data() : nullptr,
                          rank == root ? back.places.data() : nullptr, MPI_INT, root, MPI_COMM_WORLD),
              MPI_SUCCESS);
    for (int from = 0; from < size && rank == root; ++from)
      EXPECT_EQ(back.block_at(from), block(from, 7, count_of(from)));
  }
}

TEST_F(Vectors, are_exchanged_in_place) {
  const int rank = rank_in(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  std::vector<int> counts, places, numbers;
  for (int other = 0; other < size; ++other) {
    counts.push_back((rank + other) % 4 * 10);  // the same both ways
    places.push_back(static_cast<int>(numbers.size()));
    const std::vector<int> sent = block(rank, other, counts.back());
    numbers.insert(numbers.end(), sent.begin(), sent.end());
  }
  ASSERT_EQ(MPI_Alltoallv(MPI_IN_PLACE, nullptr, nullptr, MPI_DATATYPE_NULL, numbers.data(), counts.data(),
                          places.data(), MPI_INT, MPI_COMM_WORLD),
            MPI_SUCCESS);
  for (int other = 0; other < size; ++other) {
    const auto begin = numbers.begin() + places[static_cast<std::size_t>(other)];
    EXPECT_EQ(std::vector<int>(begin, begin + counts[static_cast<std::size_t>(other)]),
              block(other, rank, counts[static_cast<std::size_t>(other)]));
  }
}

// Blocks long enough for several fragments, which begin within an element.
TEST_F(Vectors, of_pairs_are_exchanged_in_place) {
  struct Pair {
    short first;
    int second;
    bool operator==(const Pair&) const = default;
  };
  constexpr std::size_t length = 5000;
  const int rank = rank_in(MPI_COMM_WORLD);
  const auto ranks = static_cast<std::size_t>(size_of(MPI_COMM_WORLD));
  const std::vector<int> counts(ranks, static_cast<int>(length));
  std::vector<int> places;
  std::vector<Pair> pairs;
  const auto pair = [](std::size_t from, std::size_t to, std::size_t i) {
    return Pair{static_cast<short>(from), static_cast<int>(to * length + i)};
  };
  for (std::size_t other = 0; other < ranks; ++other) {
    places.push_back(static_cast<int>(pairs.size()));
    for (std::size_t i = 0; i < length; ++i) pairs.push_back(pair(static_cast<std::size_t>(rank), other, i));
  }
  MPI_Request request = MPI_REQUEST_NULL;
  ASSERT_EQ(MPI_Ialltoallv(MPI_IN_PLACE, nullptr, nullptr, MPI_DATATYPE_NULL, pairs.data(), counts.data(),
                           places.data(), MPI_SHORT_INT, MPI_COMM_WORLD, &request),
            MPI_SUCCESS);
  ASSERT_EQ(MPI_Wait(&request, MPI_STATUS_IGNORE), MPI_SUCCESS);
  std::size_t wrong = 0;
  for (std::size_t at = 0; at < pairs.size(); ++at)
    wrong += pairs[at] == pair(at / length, static_cast<std::size_t>(rank), at % length) ? 0 : 1;
  EXPECT_EQ(wrong, 0U);
}

// MPICH allows it, Open MPI does not.
#ifndef OPEN_MPI
TEST_F(Vectors, that_are_empty_have_no_type) {
  const int rank = rank_in(MPI_COMM_WORLD);
  const auto ranks = static_cast<std::size_t>(size_of(MPI_COMM_WORLD));
  const auto own_rank = static_cast<std::size_t>(rank);
  const auto next = (own_rank + 1) % ranks, before = (own_rank + ranks - 1) % ranks;
  std::vector<int> sent_counts(ranks), received_counts(ranks), places(ranks);
  MPI_Datatype uncommitted = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(2, MPI_INT, &uncommitted);
  const MPI_Datatype of_empty = rank == 0 ? uncommitted : MPI_DATATYPE_NULL;
  std::vector<MPI_Datatype> sent_types(ranks, of_empty), received_types(ranks, of_empty);
  sent_counts[next] = received_counts[before] = 1;
  sent_types[next] = received_types[before] = MPI_INT;
  for (int i = 0; i < 5; ++i) {
    int received = -1;
    const int own = 10 * rank + i;
    EXPECT_EQ(MPI_Alltoallw(&own, sent_counts.data(), places.data(), sent_types.data(), &received,
                            received_counts.data(), places.data(), received_types.data(), MPI_COMM_WORLD),
              MPI_SUCCESS);
    EXPECT_EQ(received, 10 * static_cast<int>(before) + i);
  }
  MPI_Type_free(&uncommitted);
}
#endif

// Counts of the other group.
TEST_F(Vectors, pass_between_groups) {
  const int rank = rank_in(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  if (size < 2) return;
  const bool is_low = rank == 0;
  MPI_Comm group = MPI_COMM_NULL, between = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, is_low ? 0 : 1, 0, &group);
  MPI_Intercomm_create(group, 0, MPI_COMM_WORLD, is_low ? 1 : 0, 5, &between);
  const int others = is_low ? size - 1 : 1;
  std::vector<int> counts(static_cast<std::size_t>(others), 2), places;
  for (int i = 0; i < others; ++i) places.push_back(2 * i);
  std::vector<int> sent(static_cast<std::size_t>(2 * others), rank), received(sent.size(), -1);
  ASSERT_EQ(MPI_Alltoallv(sent.data(), counts.data(), places.data(), MPI_INT, received.data(), counts.data(),
                          places.data(), MPI_INT, between),
            MPI_SUCCESS);
  for (std::size_t i = 0; i < received.size(); ++i)
    EXPECT_EQ(received[i], is_low ? static_cast<int>(i) / 2 + 1 : 0);
  MPI_Request request = MPI_REQUEST_NULL;
  ASSERT_EQ(MPI_Ialltoallv(sent.data(), counts.data(), places.data(), MPI_INT, received.data(), counts.data(),
                           places.data(), MPI_INT, between, &request),
            MPI_SUCCESS);
  EXPECT_EQ(MPI_Wait(&request, MPI_STATUS_IGNORE), MPI_SUCCESS);
  MPI_Comm_free(&between);
  MPI_Comm_free(&group);
}

// What MPI refuses, the drop-in leaves to MPI, and later calls work.
TEST_F(Vectors, errors_are_those_of_mpi) {
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  const int size = size_of(comm);
  if (size > 1) {
    expect_gathered(comm);
    Lists all(size);
    std::vector<int> own(200, 1);
    EXPECT_NE(MPI_Allgatherv(own.data(), -2, MPI_INT, all.room.data(), all.counts.data(), all.places.data(),
                             MPI_INT, comm),
              MPI_SUCCESS);
    EXPECT_NE(MPI_Allgatherv(own.data(), 1, MPI_DATATYPE_NULL, all.room.data(), all.counts.data(),
                             all.places.data(), MPI_INT, comm),
              MPI_SUCCESS);
    EXPECT_NE(MPI_Gatherv(own.data(), 1, MPI_INT, all.room.data(), all.counts.data(), all.places.data(),
                          MPI_INT, size, comm),
              MPI_SUCCESS);
    expect_gathered(comm);
    expect_exchanged(comm);
  }
  MPI_Comm_free(&comm);
}

}  // namespace
}  // namespace isotrope::pmpi
