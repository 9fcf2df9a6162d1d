// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Collectives that copy, with different datatypes at sender and receiver: the size of an element differs from
// its extent, and its first byte from the start of the buffer. Bytes between the elements must not change.
#include <algorithm>
#include <mpi.h>
#include <sys/mman.h>
#include <unistd.h>
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

// An int at the address of `place`, used with MPI_BOTTOM; elements follow each other.
MPI_Datatype int_at(const int* place) {
  MPI_Aint address = 0;
  const int one = 1;
  MPI_Datatype there = MPI_DATATYPE_NULL, type = MPI_DATATYPE_NULL;
  MPI_Get_address(place, &address);
  MPI_Type_create_hindexed(1, &one, &address, MPI_INT, &there);
  MPI_Type_create_resized(there, 0, sizeof(int), &type);
  MPI_Type_commit(&type);
  MPI_Type_free(&there);
  return type;
}

// Both buffers have one address, and the data are apart.
TEST_F(Datatypes, bottom_at_both_ends) {
  const int own = 10 * rank_;
  const auto ranks = static_cast<std::size_t>(size_);
  std::vector<int> all(ranks, -1), expected(ranks), places(ranks);
  const std::vector<int> counts(ranks, 1);
  for (std::size_t i = 0; i < ranks; ++i) {
    places[i] = static_cast<int>(i);
    expected[i] = 10 * places[i];
  }
  int back = -1;
  MPI_Datatype from = int_at(&own), to = int_at(all.data()), again = int_at(&back);

  MPI_Allgatherv(MPI_BOTTOM, 1, from, MPI_BOTTOM, counts.data(), places.data(), to, MPI_COMM_WORLD);
  EXPECT_EQ(all, expected);
  std::ranges::fill(all, -1);
  MPI_Gatherv(MPI_BOTTOM, 1, from, MPI_BOTTOM, counts.data(), places.data(), to, 0, MPI_COMM_WORLD);
  if (rank_ == 0) {
    EXPECT_EQ(all, expected);
  }
  MPI_Scatterv(MPI_BOTTOM, counts.data(), places.data(), to, MPI_BOTTOM, 1, again, 0, MPI_COMM_WORLD);
  EXPECT_EQ(back, own);

  for (MPI_Datatype* type : {&from, &to, &again}) MPI_Type_free(type);
}

// Broadcasts two elements of `type`, each of two numbers, and frees the type while a second broadcast is open.
template <class Number>
void expect_broadcast(MPI_Datatype type, const char* name) {
  MPI_Type_commit(&type);
  const bool at_root = rank_in(MPI_COMM_WORLD) == 0;
  std::vector<Number> numbers(4, at_root ? 3 : 0), later(4, at_root ? 5 : 0);
  MPI_Bcast(numbers.data(), 2, type, 0, MPI_COMM_WORLD);
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Ibcast(later.data(), 2, type, 0, MPI_COMM_WORLD, &request);
  MPI_Type_free(&type);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  EXPECT_THAT(numbers, testing::Each(3)) << name;
  EXPECT_THAT(later, testing::Each(5)) << name;
}

// Their parts are named types without being MPI_REAL: nobody frees them.
TEST_F(Datatypes, of_fortran_numbers_by_precision) {
  MPI_Datatype real = MPI_DATATYPE_NULL, pair = MPI_DATATYPE_NULL, copy = MPI_DATATYPE_NULL;
  MPI_Type_create_f90_real(6, MPI_UNDEFINED, &real);
  for (int i = 0; i < 3; ++i) {
    MPI_Type_contiguous(2, real, &pair);
    MPI_Type_dup(pair, &copy);
    MPI_Type_free(&pair);
    expect_broadcast<float>(copy, "a copy of two reals");
  }
}

#if MPI_VERSION >= 4
// MPI describes them by functions of their own.
TEST_F(Datatypes, of_large_count_constructors) {
  const MPI_Count lengths[] = {1, 1}, places[] = {0, 1}, byte_places[] = {0, sizeof(int)};
  const MPI_Datatype ints[] = {MPI_INT, MPI_INT};
  MPI_Datatype type = MPI_DATATYPE_NULL, part = MPI_DATATYPE_NULL;
  MPI_Type_contiguous_c(2, MPI_INT, &type);
  expect_broadcast<int>(type, "contiguous");
  MPI_Type_vector_c(2, 1, 1, MPI_INT, &type);
  expect_broadcast<int>(type, "vector");
  MPI_Type_create_hvector_c(2, 1, sizeof(int), MPI_INT, &type);
  expect_broadcast<int>(type, "hvector");
  MPI_Type_indexed_c(2, lengths, places, MPI_INT, &type);
  expect_broadcast<int>(type, "indexed");
  MPI_Type_create_indexed_block_c(2, 1, places, MPI_INT, &type);
  expect_broadcast<int>(type, "indexed block");
  MPI_Type_create_hindexed_block_c(2, 1, byte_places, MPI_INT, &type);
  expect_broadcast<int>(type, "hindexed block");
  MPI_Type_create_struct_c(2, lengths, byte_places, ints, &type);
  expect_broadcast<int>(type, "struct");
  MPI_Type_contiguous_c(1, MPI_INT, &part);
  MPI_Type_contiguous(2, part, &type);
  MPI_Type_free(&part);
  expect_broadcast<int>(type, "contiguous, of elements by a large count");
}
#endif

void add_firsts(void* in, void* in_out, int* count, MPI_Datatype* type) {
  MPI_Aint lower = 0, extent = 0;
  MPI_Type_get_extent(*type, &lower, &extent);
  for (int i = 0; i < *count; ++i)
    *reinterpret_cast<int*>(static_cast<char*>(in_out) + i * extent) +=
        *reinterpret_cast<int*>(static_cast<char*>(in) + i * extent);
}

// A program may have no memory in the gap of an element.
TEST_F(Datatypes, gaps_need_no_memory) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  auto* const memory =
      static_cast<char*>(mmap(nullptr, 3 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  ASSERT_NE(memory, MAP_FAILED);
  ASSERT_EQ(mprotect(memory + page, page, PROT_NONE), 0);
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_create_hvector(2, static_cast<int>(page / sizeof(int)), static_cast<MPI_Aint>(2 * page), MPI_INT,
                          &type);
  MPI_Type_commit(&type);
  MPI_Op op = MPI_OP_NULL;
  MPI_Op_create(add_firsts, 1, &op);
  auto* const own = reinterpret_cast<int*>(memory);
  *own = rank_;

  EXPECT_EQ(MPI_Allreduce(MPI_IN_PLACE, memory, 1, type, op, MPI_COMM_WORLD), MPI_SUCCESS);
  EXPECT_EQ(*own, size_ * (size_ - 1) / 2);

  MPI_Op_free(&op);
  MPI_Type_free(&type);
  munmap(memory, 3 * page);
}

}  // namespace
}  // namespace isotrope::pmpi
