// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Collectives that reduce: MPI's operations, operations on pairs, and user-defined operations on elements
// with gaps, some of which do not commute.
#include <algorithm>
#include <array>
#include <functional>
#include <mpi.h>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/mpi/memory.hpp"
#include "tests/pmpi/job.hpp"

namespace isotrope::pmpi {
namespace {

using mpi::Memory;

// The map x -> a x + b modulo a prime. The composition of two maps does not commute.
struct Affine {
  int a, b;
  bool operator==(const Affine&) const = default;
};
constexpr int prime = 9973;

Affine composed(const Affine& first, const Affine& second) {
  return {first.a * second.a % prime, (second.a * first.b + second.b) % prime};
}
Affine of_rank(int node, int i) {
  return {node + i + 2, 3 * node + 5 * i + 1};
}

void compose(void* left, void* right, int* count, MPI_Datatype*) {
  const auto* first = static_cast<const Affine*>(left);
  auto* second = static_cast<Affine*>(right);
  for (int i = 0; i < *count; ++i) second[i] = composed(first[i], second[i]);
}

// Adds ints 0 and 3 of every element; the ints between them must not change.
void add_apart(void* left, void* right, int* count, MPI_Datatype* type) {
  MPI_Aint lower = 0, extent = 0;
  MPI_Type_get_extent(*type, &lower, &extent);
  for (int i = 0; i < *count; ++i) {
    for (const MPI_Aint at : {MPI_Aint{0}, static_cast<MPI_Aint>(3 * sizeof(int))}) {
      const auto* from = reinterpret_cast<const int*>(static_cast<const char*>(left) + i * extent + at);
      *reinterpret_cast<int*>(static_cast<char*>(right) + i * extent + at) += *from;
    }
  }
}

// Adds one int, whatever the length.
void add_one(void* left, void* right, int*, MPI_Datatype*) {
  *static_cast<int*>(right) += *static_cast<const int*>(left);
}

class Operations : public testing::Test {
 protected:
  const int rank_ = rank_in(MPI_COMM_WORLD), size_ = size_of(MPI_COMM_WORLD);

  std::vector<int> sums_over_ranks(int to, int count) const {
    std::vector<int> sums(static_cast<std::size_t>(count));
    for (int from = 0; from < size_; ++from) {
      const auto numbers = block(from, to, count);
      std::ranges::transform(sums, numbers, sums.begin(), std::plus{});
    }
    return sums;
  }
};

TEST_F(Operations, sums) {
  for (const int count : {0, 1, 5, 1000}) {
    const auto own = block(rank_, 0, count);
    const auto expected = sums_over_ranks(0, count);
    std::vector<int> result(own.size(), -1), in_place = own;
    MPI_Allreduce(own.data(), result.data(), count, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    EXPECT_EQ(result, expected);
    MPI_Allreduce(MPI_IN_PLACE, in_place.data(), count, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    EXPECT_EQ(in_place, expected);

    const int root = count % size_;
    in_place = own;
    if (rank_ == root) {
      MPI_Reduce(MPI_IN_PLACE, in_place.data(), count, MPI_INT, MPI_SUM, root, MPI_COMM_WORLD);
      EXPECT_EQ(in_place, expected);
    } else {
      MPI_Reduce(own.data(), nullptr, count, MPI_INT, MPI_SUM, root, MPI_COMM_WORLD);
    }
  }
}

TEST_F(Operations, sums_of_the_ranks_before) {
  for (const int count : {0, 1, 5, 1000}) {
    const auto own = block(rank_, 0, count);
    std::vector<int> before(own.size()), up_to;
    for (int from = 0; from < rank_; ++from)
      std::ranges::transform(before, block(from, 0, count), before.begin(), std::plus{});
    up_to = before;
    std::ranges::transform(up_to, own, up_to.begin(), std::plus{});
    std::vector<int> result(own.size(), -1), in_place = own;
    MPI_Scan(own.data(), result.data(), count, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    EXPECT_EQ(result, up_to);
    MPI_Scan(MPI_IN_PLACE, in_place.data(), count, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    EXPECT_EQ(in_place, up_to);

    result.assign(own.size(), -1);
    in_place = own;
    MPI_Exscan(own.data(), result.data(), count, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    EXPECT_EQ(result, rank_ > 0 ? before : std::vector<int>(own.size(), -1));
    MPI_Exscan(MPI_IN_PLACE, in_place.data(), count, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    EXPECT_EQ(in_place, rank_ > 0 ? before : own);
  }
}

TEST_F(Operations, sums_of_blocks) {
  const auto all = blocks_to_all(rank_, size_, 4);
  const auto expected = sums_over_ranks(rank_, 4);
  std::vector<int> own(4, -1);
  MPI_Reduce_scatter_block(all.data(), own.data(), 4, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  EXPECT_EQ(own, expected);
  const std::vector<int> counts(static_cast<std::size_t>(size_), 4);
  own.assign(4, -1);
  MPI_Reduce_scatter(all.data(), own.data(), counts.data(), MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  EXPECT_EQ(own, expected);
  auto in_place = all;
  MPI_Reduce_scatter_block(MPI_IN_PLACE, in_place.data(), 4, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  in_place.resize(4);
  EXPECT_EQ(in_place, expected);
}

TEST_F(Operations, blocks_of_different_sizes) {
  std::vector<int> counts, sent;
  for (int to = 0; to < size_; ++to) {
    counts.push_back(to % 3);
    const auto numbers = block(rank_, to, to % 3);
    sent.insert(sent.end(), numbers.begin(), numbers.end());
  }
  std::vector<int> own(static_cast<std::size_t>(rank_ % 3), -1);
  MPI_Reduce_scatter(sent.data(), own.data(), counts.data(), MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  EXPECT_EQ(own, sums_over_ranks(rank_, rank_ % 3));
}

// The extent is 16 bytes, the size 12.
TEST_F(Operations, pairs) {
  struct Pair {
    double value;
    int index;
  };
  std::vector<Pair> own, result(3);
  for (int i = 0; i < 3; ++i) own.push_back({static_cast<double>((rank_ * 7 + i) % size_), rank_});
  MPI_Allreduce(own.data(), result.data(), 3, MPI_DOUBLE_INT, MPI_MAXLOC, MPI_COMM_WORLD);
  for (int i = 0; i < 3; ++i) {
    int best = 0;
    for (int other = 1; other < size_; ++other) {
      if ((other * 7 + i) % size_ > (best * 7 + i) % size_) best = other;
    }
    const Pair& pair = result[static_cast<std::size_t>(i)];
    EXPECT_EQ(pair.index, best);
    EXPECT_EQ(pair.value, (best * 7 + i) % size_);
  }
}

TEST_F(Operations, in_the_order_of_ranks) {
  MPI_Op op = MPI_OP_NULL;
  MPI_Op_create(compose, 0, &op);
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(2, MPI_INT, &type);
  MPI_Type_commit(&type);
  constexpr int count = 5;
  const auto composition = [&](int i) {
    Affine result = of_rank(0, i);
    for (int other = 1; other < size_; ++other) result = composed(result, of_rank(other, i));
    return result;
  };
  std::vector<Affine> own, result(count), expected;
  for (int i = 0; i < count; ++i) {
    own.push_back(of_rank(rank_, i));
    expected.push_back(composition(i));
  }
  MPI_Allreduce(own.data(), result.data(), count, type, op, MPI_COMM_WORLD);
  EXPECT_TRUE(result == expected);
  const int root = size_ / 2;
  result.assign(count, {});
  MPI_Reduce(own.data(), result.data(), count, type, op, root, MPI_COMM_WORLD);
  EXPECT_TRUE(rank_ != root || result == expected);

  const auto composition_up_to = [&](int last, int i) {
    Affine part = of_rank(0, i);
    for (int other = 1; other <= last; ++other) part = composed(part, of_rank(other, i));
    return part;
  };
  result.assign(count, {});
  MPI_Scan(own.data(), result.data(), count, type, op, MPI_COMM_WORLD);
  for (int i = 0; i < count; ++i)
    EXPECT_TRUE(result[static_cast<std::size_t>(i)] == composition_up_to(rank_, i));
  MPI_Exscan(own.data(), result.data(), count, type, op, MPI_COMM_WORLD);
  for (int i = 0; rank_ > 0 && i < count; ++i)
    EXPECT_TRUE(result[static_cast<std::size_t>(i)] == composition_up_to(rank_ - 1, i));

  std::vector<Affine> blocks, mine(1);
  for (int to = 0; to < size_; ++to) blocks.push_back(of_rank(rank_, to));
  MPI_Reduce_scatter_block(blocks.data(), mine.data(), 1, type, op, MPI_COMM_WORLD);
  EXPECT_TRUE(mine.front() == composition(rank_));
  MPI_Type_free(&type);
  MPI_Op_free(&op);
}

TEST_F(Operations, elements_with_gaps) {
  MPI_Op op = MPI_OP_NULL;
  MPI_Op_create(add_apart, 1, &op);
  MPI_Datatype vector = MPI_DATATYPE_NULL, type = MPI_DATATYPE_NULL;
  MPI_Type_vector(2, 1, 3, MPI_INT, &vector);
  MPI_Type_create_resized(vector, -static_cast<MPI_Aint>(sizeof(int)), 6 * sizeof(int), &type);
  MPI_Type_commit(&type);
  for (const int count : {1, 4, 300}) {
    Memory own(type, count), result(type, count);
    own.set(block(rank_, 0, 2 * count));
    MPI_Allreduce(own.address(), result.address(), count, type, op, MPI_COMM_WORLD);
    EXPECT_EQ(result.ints(), sums_over_ranks(0, 2 * count));
    EXPECT_TRUE(result.gaps_are_whole());
    MPI_Allreduce(MPI_IN_PLACE, own.address(), count, type, op, MPI_COMM_WORLD);
    EXPECT_EQ(own.ints(), sums_over_ranks(0, 2 * count));
    EXPECT_TRUE(own.gaps_are_whole());
  }
  MPI_Type_free(&type);
  MPI_Type_free(&vector);
  MPI_Op_free(&op);
}

// The operations of BLACS know how long their vector is, and do not look at the length that MPI gives.
TEST_F(Operations, of_the_user_see_no_more_elements_than_the_call_has) {
  constexpr int turns = 40;  // so that all ways to carry out the call have their turns
  MPI_Op op = MPI_OP_NULL;
  MPI_Op_create(add_one, 1, &op);
  for (int turn = 0; turn < turns; ++turn) {
    const int own = number(rank_, 0, turn), expected = sums_over_ranks(0, turn + 1).back();
    int result = -1;
    MPI_Allreduce(&own, &result, 1, MPI_INT, op, MPI_COMM_WORLD);
    EXPECT_EQ(result, expected);
    MPI_Reduce(&own, &result, 1, MPI_INT, op, 0, MPI_COMM_WORLD);
    if (rank_ == 0) {
      EXPECT_EQ(result, expected);
    }
  }
  MPI_Op_free(&op);
}

TEST_F(Operations, narrow_elements_and_logic) {
  const std::vector<signed char> own(33, static_cast<signed char>(rank_ % 2));
  std::vector<signed char> result(33, -1);
  MPI_Allreduce(own.data(), result.data(), 33, MPI_SIGNED_CHAR, MPI_SUM, MPI_COMM_WORLD);
  EXPECT_THAT(result, testing::Each(size_ / 2));
  const int all_true = 1, one_false = rank_ == size_ - 1 ? 0 : 1;
  std::array<int, 2> flags{all_true, one_false}, anded{};
  MPI_Allreduce(flags.data(), anded.data(), 2, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
  EXPECT_EQ(anded[0], 1);
  EXPECT_EQ(anded[1], 0);
}

}  // namespace
}  // namespace isotrope::pmpi
