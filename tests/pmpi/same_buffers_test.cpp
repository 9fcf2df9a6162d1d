// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Calls that send from the buffer that they receive into, which MPI calls erroneous: the MPI library accepts or refuses
// them, and the drop-in does the same. A call that only the root refuses leaves messages behind in the library, so such
// calls are made only where the root accepts them.
#include <algorithm>
#include <mpi.h>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/pmpi/job.hpp"

namespace isotrope::pmpi {
namespace {

#ifdef OPEN_MPI
constexpr bool accepts_most = true;
#else
constexpr bool accepts_most = false;
#endif

constexpr int count = 5;

class SameBuffers : public testing::Test {
 protected:
  SameBuffers() {
    MPI_Comm_dup(MPI_COMM_WORLD, &comm_);
    MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN);
    MPI_Comm_get_errhandler(MPI_COMM_WORLD, &handler_of_world_);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);  // Open MPI calls this one in MPI_Allreduce
  }
  ~SameBuffers() override {
    const int one = 1;
    int sum = 0;
    EXPECT_EQ(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm_), MPI_SUCCESS);
    EXPECT_EQ(sum, size_);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler_of_world_);
    MPI_Errhandler_free(&handler_of_world_);
    MPI_Comm_free(&comm_);
  }

  static void expect_refusal(int code) { EXPECT_EQ(class_of(code), MPI_ERR_BUFFER); }
  // The numbers that this rank sends to itself, with room for those of all ranks.
  std::vector<int> own_block() const {
    std::vector<int> numbers = block(rank_, rank_, count);
    numbers.resize(static_cast<std::size_t>(size_ * count), -1);
    return numbers;
  }
  // Sum over all ranks of number `i` of the blocks to rank `to`.
  int sum(int to, int i) const {
    int result = 0;
    for (int from = 0; from < size_; ++from) result += number(from, to, i);
    return result;
  }

  MPI_Comm comm_ = MPI_COMM_NULL;
  MPI_Errhandler handler_of_world_ = MPI_ERRHANDLER_NULL;
  const int rank_ = rank_in(MPI_COMM_WORLD), size_ = size_of(MPI_COMM_WORLD);
};

TEST_F(SameBuffers, gather_and_scatter_at_the_root) {
  if (!accepts_most) GTEST_SKIP() << "only the root refuses";
  for (int root = 0; root < size_; ++root) {
    std::vector<int> numbers = own_block();
    EXPECT_EQ(MPI_Gather(numbers.data(), count, MPI_INT, numbers.data(), count, MPI_INT, root, comm_),
              MPI_SUCCESS);
    if (rank_ == root) {
      std::vector<int> expected;
      for (int from = 0; from < size_; ++from) {
        for (const int value : block(from, from, count)) expected.push_back(value);
      }
      EXPECT_EQ(numbers, expected);
    }

    numbers = blocks_to_all(rank_, size_, count);
    EXPECT_EQ(MPI_Scatter(numbers.data(), count, MPI_INT, numbers.data(), count, MPI_INT, root, comm_),
              MPI_SUCCESS);
    numbers.resize(count);
    EXPECT_EQ(numbers, block(root, rank_, count));
  }
}

TEST_F(SameBuffers, allgather) {
  std::vector<int> numbers = own_block();
  if (!accepts_most) {
    const int* own = numbers.data() + rank_ * count;
    return expect_refusal(MPI_Allgather(own, count, MPI_INT, numbers.data(), count, MPI_INT, comm_));
  }
  EXPECT_EQ(MPI_Allgather(numbers.data(), count, MPI_INT, numbers.data(), count, MPI_INT, comm_),
            MPI_SUCCESS);
  for (int from = 0; from < size_; ++from) {
    const auto* first = numbers.data() + from * count;
    EXPECT_EQ(std::vector<int>(first, first + count), block(from, from, count));
  }
}

// What arrives is not compared: MPI does not define it, and libraries choose algorithms that overwrite what they send.
TEST_F(SameBuffers, alltoall) {
  std::vector<int> numbers = blocks_to_all(rank_, size_, count);
  const int code = MPI_Alltoall(numbers.data(), count, MPI_INT, numbers.data(), count, MPI_INT, comm_);
  if (!accepts_most) return expect_refusal(code);
  EXPECT_EQ(code, MPI_SUCCESS);
}

TEST_F(SameBuffers, allreduce) {
  std::vector<int> numbers = block(rank_, 0, count);
  expect_refusal(MPI_Allreduce(numbers.data(), numbers.data(), count, MPI_INT, MPI_SUM, comm_));
  EXPECT_EQ(numbers, block(rank_, 0, count));
  const int code = MPI_Allreduce(numbers.data(), numbers.data(), 1, MPI_INT, MPI_SUM, comm_);
  if (!accepts_most) return expect_refusal(code);
  EXPECT_EQ(code, MPI_SUCCESS);
  EXPECT_EQ(numbers.front(), sum(0, 0));
}

TEST_F(SameBuffers, reduce_scatter_block) {
  std::vector<int> numbers = blocks_to_all(rank_, size_, count);
  const int code = MPI_Reduce_scatter_block(numbers.data(), numbers.data(), count, MPI_INT, MPI_SUM, comm_);
  if (!accepts_most) return expect_refusal(code);
  EXPECT_EQ(code, MPI_SUCCESS);
  for (int i = 0; i < count; ++i) EXPECT_EQ(numbers[static_cast<std::size_t>(i)], sum(rank_, i));
}

TEST_F(SameBuffers, scan_and_exscan) {
  int sum_with_own = rank_ + 1, sum_before = rank_ + 1;
  const int code = MPI_Scan(&sum_with_own, &sum_with_own, 1, MPI_INT, MPI_SUM, comm_);
  const int exclusive_code = MPI_Exscan(&sum_before, &sum_before, 1, MPI_INT, MPI_SUM, comm_);
  if (!accepts_most) {
    expect_refusal(code);
    return expect_refusal(exclusive_code);
  }
  EXPECT_EQ(code, MPI_SUCCESS);
  EXPECT_EQ(exclusive_code, MPI_SUCCESS);
  EXPECT_EQ(sum_with_own, (rank_ + 1) * (rank_ + 2) / 2);
  if (rank_ > 0) {
    EXPECT_EQ(sum_before, rank_ * (rank_ + 1) / 2);
  }
}

// Block r of 3, 4, 5, 3, ... numbers, one after the other.
struct UnequalBlocks {
  std::vector<int> counts, places;
  int numbers = 0;

  explicit UnequalBlocks(int ranks) {
    for (int i = 0; i < ranks; ++i) {
      counts.push_back(3 + i % 3);
      places.push_back(numbers);
      numbers += counts.back();
    }
  }
};

// On every rank the own block is sent from its place among the blocks of all.
TEST_F(SameBuffers, allgatherv) {
  const UnequalBlocks blocks(size_);
  const auto self = static_cast<std::size_t>(rank_);
  std::vector<int> numbers(static_cast<std::size_t>(blocks.numbers), -1);
  int* const own = numbers.data() + blocks.places[self];
  std::fill_n(own, blocks.counts[self], rank_);
  const int code = MPI_Allgatherv(own, blocks.counts[self], MPI_INT, numbers.data(), blocks.counts.data(),
                                  blocks.places.data(), MPI_INT, comm_);
  if (!accepts_most) return expect_refusal(code);
  EXPECT_EQ(code, MPI_SUCCESS);
  for (int from = 0; from < size_; ++from) {
    const auto* first = numbers.data() + blocks.places[static_cast<std::size_t>(from)];
    const auto count_from = blocks.counts[static_cast<std::size_t>(from)];
    EXPECT_THAT(std::vector<int>(first, first + count_from), testing::Each(from));
  }
}

// What only the root refuses, no other rank calls.
TEST_F(SameBuffers, gatherv_and_scatterv_at_the_root) {
  const UnequalBlocks blocks(size_);
  for (int root = 0; root < size_; ++root) {
    const auto self = static_cast<std::size_t>(rank_);
    std::vector<int> numbers(static_cast<std::size_t>(blocks.numbers), rank_);
    int* const own = numbers.data() + (rank_ == root ? blocks.places[self] : 0);
    const auto gather = [&] {
      return MPI_Gatherv(own, blocks.counts[self], MPI_INT, numbers.data(), blocks.counts.data(),
                         blocks.places.data(), MPI_INT, root, comm_);
    };
    const auto scatter = [&] {
      return MPI_Scatterv(numbers.data(), blocks.counts.data(), blocks.places.data(), MPI_INT, own,
                          blocks.counts[self], MPI_INT, root, comm_);
    };
    if (!accepts_most) {
      if (rank_ != root) continue;
      expect_refusal(gather());
      expect_refusal(scatter());
      continue;
    }
    EXPECT_EQ(gather(), MPI_SUCCESS);
    for (int from = 0; rank_ == root && from < size_; ++from)
      EXPECT_EQ(numbers[static_cast<std::size_t>(blocks.places[static_cast<std::size_t>(from)])], from);
    EXPECT_EQ(scatter(), MPI_SUCCESS);
    EXPECT_EQ(own[0], rank_);
  }
}

TEST_F(SameBuffers, alltoallv_and_alltoallw) {
  const UnequalBlocks blocks(size_);
  std::vector<int> numbers(static_cast<std::size_t>(blocks.numbers), rank_);
  const std::vector<MPI_Datatype> types(blocks.counts.size(), MPI_INT);
  const std::vector<int> equal(blocks.counts.size(), 3);
  std::vector<int> bytes = blocks.places;
  for (int& place : bytes) place *= static_cast<int>(sizeof(int));
  const std::vector<int> codes{
      MPI_Alltoallv(numbers.data(), equal.data(), blocks.places.data(), MPI_INT, numbers.data(), equal.data(),
                    blocks.places.data(), MPI_INT, comm_),
      MPI_Alltoallw(numbers.data(), equal.data(), bytes.data(), types.data(), numbers.data(), equal.data(),
                    bytes.data(), types.data(), comm_)};
  for (const int code : codes) {
    if (!accepts_most) {
      expect_refusal(code);
    } else {
      EXPECT_EQ(code, MPI_SUCCESS);
    }
  }
}

// Rank 0 sends as much as it receives, and the others do not: no rank may refuse. The lists of counts are two, as MPICH looks at them.
TEST_F(SameBuffers, alltoallv_between_blocks_apart) {
  const auto ranks = static_cast<std::size_t>(size_);
  const auto to_each = [](int from, int to) { return from > to && to > 0 ? 2 : 1; };
  std::vector<int> sent(ranks), received(ranks), send_places(ranks), places(ranks);
  for (int other = 0; other < size_; ++other) {
    const auto i = static_cast<std::size_t>(other);
    sent[i] = to_each(rank_, other);
    received[i] = to_each(other, rank_);
    send_places[i] = 2 * other;
    places[i] = 2 * (size_ + other);
  }
  std::vector<int> numbers(4 * ranks, -1);
  for (int to = 0; to < size_; ++to) {
    const std::vector<int> out = block(rank_, to, sent[static_cast<std::size_t>(to)]);
    std::ranges::copy(out, numbers.begin() + send_places[static_cast<std::size_t>(to)]);
  }
  ASSERT_EQ(MPI_Alltoallv(numbers.data(), sent.data(), send_places.data(), MPI_INT, numbers.data(),
                          received.data(), places.data(), MPI_INT, comm_),
            MPI_SUCCESS);
  for (int from = 0; from < size_; ++from) {
    for (int i = 0; i < received[static_cast<std::size_t>(from)]; ++i)
      EXPECT_EQ(numbers[static_cast<std::size_t>(places[static_cast<std::size_t>(from)] + i)],
                number(from, rank_, i));
  }
}

TEST_F(SameBuffers, reduce_scatter) {
  const UnequalBlocks blocks(size_);
  std::vector<int> numbers(static_cast<std::size_t>(blocks.numbers), rank_ + 1);
  const int code =
      MPI_Reduce_scatter(numbers.data(), numbers.data(), blocks.counts.data(), MPI_INT, MPI_SUM, comm_);
  if (!accepts_most) return expect_refusal(code);
  EXPECT_EQ(code, MPI_SUCCESS);
  EXPECT_EQ(numbers.front(), size_ * (size_ + 1) / 2);
}

TEST_F(SameBuffers, nothing_is_sent_from_and_received_into_the_same_place) {
  int value = 7;
  EXPECT_EQ(MPI_Gather(&value, 0, MPI_INT, &value, 0, MPI_INT, 0, comm_), MPI_SUCCESS);
  EXPECT_EQ(MPI_Allreduce(&value, &value, 0, MPI_INT, MPI_SUM, comm_), MPI_SUCCESS);
  EXPECT_EQ(value, 7);
}

}  // namespace
}  // namespace isotrope::pmpi
