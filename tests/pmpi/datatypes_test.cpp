// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Collectives that copy, with different datatypes at sender and receiver: the size of an element differs from
// its extent, and its first byte from the start of the buffer. Bytes between the elements must not change.
#include <algorithm>
#include <mpi.h>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/mpi/memory.hpp"
#include "tests/mpi/shapes.hpp"
#include "tests/pmpi/job.hpp"

namespace isotrope::pmpi {
namespace {

using mpi::Memory;
using mpi::Shape;
using testing::ElementsAreArray;

// Elements are six ints wide; `elements` of them in one shape are sent and received in another.
struct Pairing {
  Shape sent, received;
  int elements;
};

std::vector<Pairing> pairings() {
  const auto& shapes = mpi::sixes();
  std::vector<Pairing> pairs;
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    for (const int elements : {0, 1, 3})
      pairs.push_back({shapes[i], shapes[(3 * i + 1) % shapes.size()], elements});
  }
  return pairs;
}

class Datatypes : public testing::Test {
 protected:
  const int rank_ = rank_in(MPI_COMM_WORLD), size_ = size_of(MPI_COMM_WORLD);
  // The root of pairing i.
  int root(std::size_t i) const { return static_cast<int>(i) % size_; }
};

void expect_ints(Memory& memory, const std::vector<int>& ints, const Pairing& pairing) {
  EXPECT_THAT(memory.ints(), ElementsAreArray(ints)) << pairing.sent.name << " to " << pairing.received.name;
  EXPECT_TRUE(memory.gaps_are_whole()) << pairing.sent.name << " to " << pairing.received.name;
}

TEST_F(Datatypes, bcast) {
  const auto pairs = pairings();
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const auto& pair = pairs[i];
    const Shape& shape = rank_ == root(i) ? pair.sent : pair.received;
    Memory memory(shape.type, pair.elements);
    if (rank_ == root(i)) memory.set(block(7, 0, 6 * pair.elements));
    ASSERT_EQ(MPI_Bcast(memory.address(), pair.elements, shape.type, root(i), MPI_COMM_WORLD), MPI_SUCCESS);
    expect_ints(memory, block(7, 0, 6 * pair.elements), pair);
  }
}

TEST_F(Datatypes, scatter_and_gather) {
  const auto pairs = pairings();
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const auto& [sent, received, elements] = pairs[i];
    const bool at_root = rank_ == root(i);
    Memory all(sent.type, at_root ? elements * size_ : 0), own(received.type, elements);
    if (at_root) all.set(blocks_to_all(root(i), size_, 6 * elements));
    MPI_Scatter(all.address(), elements, sent.type, own.address(), elements, received.type, root(i),
                MPI_COMM_WORLD);
    expect_ints(own, block(root(i), rank_, 6 * elements), pairs[i]);

    Memory back(sent.type, at_root ? elements * size_ : 0);
    MPI_Gather(own.address(), elements, received.type, back.address(), elements, sent.type, root(i),
               MPI_COMM_WORLD);
    if (at_root) expect_ints(back, blocks_to_all(root(i), size_, 6 * elements), pairs[i]);
  }
}

TEST_F(Datatypes, allgather) {
  for (const auto& pair : pairings()) {
    Memory own(pair.sent.type, pair.elements), all(pair.received.type, pair.elements * size_);
    own.set(block(rank_, 0, 6 * pair.elements));
    MPI_Allgather(own.address(), pair.elements, pair.sent.type, all.address(), pair.elements,
                  pair.received.type, MPI_COMM_WORLD);
    expect_ints(all, blocks_from_all(size_, 0, 6 * pair.elements), pair);
  }
}

TEST_F(Datatypes, alltoall) {
  for (const auto& pair : pairings()) {
    Memory out(pair.sent.type, pair.elements * size_), in(pair.received.type, pair.elements * size_);
    out.set(blocks_to_all(rank_, size_, 6 * pair.elements));
    MPI_Alltoall(out.address(), pair.elements, pair.sent.type, in.address(), pair.elements,
                 pair.received.type, MPI_COMM_WORLD);
    expect_ints(in, blocks_from_all(size_, rank_, 6 * pair.elements), pair);
  }
}

TEST_F(Datatypes, in_place) {
  const Shape shape = mpi::sixes()[7];  // its lower bound is below its origin
  const int elements = 2, ints = 6 * elements;
  auto blocks = blocks_from_all(size_, 0, ints);

  auto own_alone = blocks;
  for (int from = 0; from < size_; ++from) {
    if (from != rank_) std::fill_n(own_alone.begin() + from * ints, ints, -1);
  }
  Memory all(shape.type, elements * size_);
  all.set(own_alone);
  MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all.address(), elements, shape.type, MPI_COMM_WORLD);
  EXPECT_THAT(all.ints(), ElementsAreArray(blocks));
  EXPECT_TRUE(all.gaps_are_whole());

  Memory exchanged(shape.type, elements * size_);
  exchanged.set(blocks_to_all(rank_, size_, ints));
  MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, exchanged.address(), elements, shape.type, MPI_COMM_WORLD);
  EXPECT_THAT(exchanged.ints(), ElementsAreArray(blocks_from_all(size_, rank_, ints)));
  EXPECT_TRUE(exchanged.gaps_are_whole());
}

TEST_F(Datatypes, in_place_at_the_root) {
  const int root = size_ - 1;
  std::vector<int> all = blocks_to_all(root, size_, 3), own(3, -1);
  if (rank_ == root) {
    MPI_Scatter(all.data(), 3, MPI_INT, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, root, MPI_COMM_WORLD);
    std::fill_n(all.begin(), 3 * root, -1);
    MPI_Gather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all.data(), 3, MPI_INT, root, MPI_COMM_WORLD);
    EXPECT_THAT(all, ElementsAreArray(blocks_to_all(root, size_, 3)));
  } else {
    MPI_Scatter(nullptr, 0, MPI_DATATYPE_NULL, own.data(), 3, MPI_INT, root, MPI_COMM_WORLD);
    EXPECT_THAT(own, ElementsAreArray(block(root, rank_, 3)));
    MPI_Gather(own.data(), 3, MPI_INT, nullptr, 0, MPI_DATATYPE_NULL, root, MPI_COMM_WORLD);
  }
}

// A datatype of absolute addresses, used with MPI_BOTTOM.
TEST_F(Datatypes, bottom) {
  std::vector<int> first(2, rank_ == 0 ? 11 : 0), second(3, rank_ == 0 ? 22 : 0);
  std::vector<MPI_Aint> places(2);
  MPI_Get_address(first.data(), places.data());
  MPI_Get_address(second.data(), &places[1]);
  const std::vector<int> lengths{2, 3};
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_create_hindexed(2, lengths.data(), places.data(), MPI_INT, &type);
  MPI_Type_commit(&type);
  MPI_Bcast(MPI_BOTTOM, 1, type, 0, MPI_COMM_WORLD);
  MPI_Type_free(&type);
  EXPECT_THAT(first, testing::Each(11));
  EXPECT_THAT(second, testing::Each(22));
}

}  // namespace
}  // namespace isotrope::pmpi
