// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/mpi/host_memory.hpp"

#include <cstddef>
#include <cstring>
#include <sched.h>
#include <vector>

#include <gtest/gtest.h>

#include "trial.hpp"
#include "world.hpp"

namespace isotrope::mpi {
namespace {

using Place = HostMemory::Place;

// All ranks of the job are on one host.
class MpiHostMemory : public testing::Test {
 protected:
  void SetUp() override {
    if (world_size() == 1) GTEST_SKIP() << "one rank";
    memory_ = HostMemory::of(MPI_COMM_WORLD);
    ASSERT_NE(memory_, nullptr);
  }

  // The places of all ranks but this one.
  std::vector<Place> others() const {
    std::vector<Place> result;
    for (int rank = 0; rank < world_size(); ++rank) {
      if (rank != world_rank()) result.push_back(memory_->place_of(rank).value());
    }
    return result;
  }
  HostMemory::Piece wait_for(int writer, int tag) {
    while (true) {
      if (const auto piece = memory_->find(memory_->place_of(writer).value(), tag)) return *piece;
      sched_yield();
    }
  }
  void take(int writer, int tag, const HostMemory::Piece& piece) {
    memory_->take(memory_->place_of(writer).value(), tag, piece);
  }
  // As long as there is room.
  int publish_all(const std::vector<Place>& readers, std::uint64_t bytes, int tag, int most) {
    int pieces = 0;
    while (pieces < most) {
      std::byte* const to = memory_->prepare(readers, bytes);
      if (to == nullptr) break;
      std::memset(to, pieces, bytes);
      memory_->publish(readers, bytes, tag, true);
      ++pieces;
    }
    return pieces;
  }

  std::shared_ptr<HostMemory> memory_;
};

TEST_F(MpiHostMemory, knows_the_ranks_of_the_host) {
  EXPECT_EQ(memory_->ranks(), static_cast<std::uint32_t>(world_size()));
  EXPECT_EQ(memory_->place_of(world_rank()), std::nullopt);
  std::vector<int> all(static_cast<std::size_t>(world_size()));
  for (int rank = 0; rank < world_size(); ++rank) all[static_cast<std::size_t>(rank)] = rank;
  EXPECT_TRUE(memory_->holds(all));
}

TEST_F(MpiHostMemory, is_none_for_a_rank_alone) {
  EXPECT_EQ(HostMemory::of(MPI_COMM_SELF), nullptr);
}

TEST_F(MpiHostMemory, a_piece_reaches_all_its_readers) {
  for (const std::uint64_t bytes :
       {std::uint64_t{0}, std::uint64_t{48}, std::uint64_t{49}, memory_->largest_piece()}) {
    const int tag = 3;
    ASSERT_EQ(publish_all(others(), bytes, tag, 1), 1);
    for (int writer = 0; writer < world_size(); ++writer) {
      if (writer == world_rank()) continue;
      const HostMemory::Piece piece = wait_for(writer, tag);
      EXPECT_EQ(piece.bytes, bytes);
      EXPECT_TRUE(piece.is_last);
      EXPECT_EQ(std::vector<std::byte>(piece.data, piece.data + bytes), std::vector<std::byte>(bytes));
      take(writer, tag, piece);
    }
  }
}

TEST_F(MpiHostMemory, pieces_are_found_by_their_tags) {
  const std::vector<Place> readers = others();
  publish_all(readers, 100, 1, 2);
  publish_all(readers, 1000, 2, 1);
  for (int writer = 0; writer < world_size(); ++writer) {
    if (writer == world_rank()) continue;
    for (const auto& [tag, bytes, first] : {std::tuple(2, 1000U, 0), {1, 100U, 0}, {1, 100U, 1}}) {
      const HostMemory::Piece piece = wait_for(writer, tag);
      EXPECT_EQ(piece.bytes, bytes);
      EXPECT_EQ(std::to_integer<int>(piece.data[0]), first);
      take(writer, tag, piece);
      EXPECT_EQ(memory_->find(memory_->place_of(writer).value(), 9), std::nullopt);
    }
  }
}

// Rank 0 writes until there is no room; the others see it, and make room.
TEST_F(MpiHostMemory, a_writer_without_room_says_so) {
  constexpr int tag = 4, done = 5;
  const std::uint64_t bytes = memory_->largest_piece();
  for (int time = 0; time < 3; ++time) {
    if (world_rank() == 0) {
      const int fitting = publish_all(others(), bytes, tag, 1000);
      EXPECT_LT(fitting, 1000);
      EXPECT_GE(fitting, 2);
      int count = fitting;
      MPI_Bcast(&count, 1, MPI_INT, 0, MPI_COMM_WORLD);
      for (int reader = 1; reader < world_size(); ++reader) take(reader, done, wait_for(reader, done));
    } else {
      int count = 0;
      MPI_Bcast(&count, 1, MPI_INT, 0, MPI_COMM_WORLD);
      const Place writer = memory_->place_of(0).value();
      EXPECT_TRUE(memory_->is_starved(writer));
      for (int i = 0; i < count; ++i) {
        const HostMemory::Piece piece = wait_for(0, tag);
        EXPECT_EQ(std::to_integer<int>(piece.data[bytes - 1]), i);
        take(0, tag, piece);
      }
      publish_all({writer}, 0, done, 1);
    }
  }
}

// Messages longer than the rings: a rank stores what it cannot use yet.
class MpiHostMemoryMessages : public OnNetwork {};

TEST_P(MpiHostMemoryMessages, may_be_longer_than_the_memory) {
  constexpr std::int64_t ints = 600'000;
  const auto per_rank = ints / world_size();
  for (const Collective collective :
       {Collective::allreduce, Collective::reduce, Collective::broadcast, Collective::scan})
    expect_right(comm(), {.collective = collective, .ints = ints});
  for (const Collective collective :
       {Collective::alltoall, Collective::allgather, Collective::reduce_scatter, Collective::gather})
    expect_right(comm(), {.collective = collective, .ints = per_rank});
}

NETWORKS_OF_THE_JOB(MpiHostMemoryMessages);

}  // namespace
}  // namespace isotrope::mpi
