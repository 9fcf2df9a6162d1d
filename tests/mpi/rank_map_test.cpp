// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Where rank maps come from. That collectives are right under them, the tests on networks with shuffled ranks show.
#include <cstdio>
#include <cstdlib>
#include <string>
#include <unistd.h>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isotrope/base/error.hpp"

#include "isotrope/network/parse.hpp"

#include "isotrope/io/rank_map_file.hpp"

#include "trial.hpp"
#include "world.hpp"

namespace isotrope::mpi {
namespace {

using network::Rank;
using network::RankMap;
using testing::HasSubstr;

network::Network ring_of_the_job() {
  return network::parse("ring:" + std::to_string(world_size()));
}

RankMap shuffled_world(std::uint64_t seed) {
  return shuffled_ranks(static_cast<network::Node>(world_size()), seed);
}

std::vector<network::Node> shuffled_nodes(std::uint64_t seed) {
  return shuffled_world(seed).nodes(static_cast<network::Node>(world_size()));
}

void expect_all_right(Communicator& comm) {
  for (const Collective collective : copying) expect_right(comm, {.collective = collective, .ints = 12});
  for (const Collective collective : reducing) {
    for (const Op op : {Op::add, Op::compose})
      expect_right(comm, {.collective = collective, .ints = 12, .op = op});
  }
}

// All ranks have a map, each another one.
TEST(RankMaps, of_rank_zero_hold_for_all_ranks) {
  Communicator comm(MPI_COMM_WORLD, ring_of_the_job(),
                    {.nodes = shuffled_nodes(100 + static_cast<std::uint64_t>(world_rank()))});
  EXPECT_EQ(comm.ranks(), shuffled_world(100));
  expect_all_right(comm);
}

TEST(RankMaps, given_by_some_ranks_only_are_those_of_rank_zero) {
  CommunicatorOptions options;
  if (world_rank() % 2 == 1) options.nodes = shuffled_nodes(7);
  Communicator comm(MPI_COMM_WORLD, ring_of_the_job(), options);
  EXPECT_TRUE(comm.ranks().is_identity());
  expect_all_right(comm);
}

TEST(RankMaps, of_another_number_of_ranks_are_refused_on_all_ranks) {
  CommunicatorOptions options;
  if (world_rank() == 0)
    options.nodes = std::vector<network::Node>(static_cast<std::size_t>(world_size()) + 5, 0);
  const auto refusal = [&]() -> std::string {
    try {
      const Communicator comm(MPI_COMM_WORLD, ring_of_the_job(), options);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(refusal(), HasSubstr("the nodes that rank 0 gives are not those of"));
  if (world_size() == 1) return;
  options.nodes = std::vector<network::Node>(static_cast<std::size_t>(world_size()), 0);
  EXPECT_THAT(refusal(), HasSubstr("ranks 0 and 1 are both node 0"));
}

// ISOTROPE_RANKS, read by rank 0: the others look in vain for a file of the name.
class RankMapOfEnvironment : public testing::Test {
 protected:
  ~RankMapOfEnvironment() override {
    unsetenv("ISOTROPE_RANKS");  // NOLINT(concurrency-mt-unsafe): the test has one thread only
    if (world_rank() == 0) std::remove(file_.c_str());
  }
  void write(const std::string& text) {
    if (world_rank() == 0) {
      std::FILE* file = std::fopen(file_.c_str(), "w");
      std::fputs(text.c_str(), file);
      std::fclose(file);
    }
    name(world_rank() == 0 ? file_ : "/none");
    MPI_Barrier(MPI_COMM_WORLD);
  }
  void write(const RankMap& map) { write(io::rank_map_text(map, ring_of_the_job())); }
  static void name(const std::string& file) {
    setenv("ISOTROPE_RANKS", file.c_str(), 1);  // NOLINT(concurrency-mt-unsafe)
  }
  void expect_error(const std::string& text) {
    try {
      const Communicator comm(MPI_COMM_WORLD, ring_of_the_job());
      ADD_FAILURE() << "no error";
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), HasSubstr("ISOTROPE_RANKS: "));
      EXPECT_THAT(error.what(), HasSubstr(text));
    }
  }

  // The same on all ranks.
  static std::string file_of_job() {
    int process = static_cast<int>(getpid());
    MPI_Bcast(&process, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return "/tmp/isotrope_rank_map_test_" + std::to_string(process);
  }

  std::string file_ = file_of_job();
};

TEST_F(RankMapOfEnvironment, is_that_of_named_networks) {
  write(shuffled_world(11));
  Communicator comm(MPI_COMM_WORLD, ring_of_the_job());
  EXPECT_EQ(comm.ranks(), shuffled_world(11));
  expect_all_right(comm);
}

TEST_F(RankMapOfEnvironment, gives_way_to_a_file_of_the_options) {
  write(shuffled_world(14));
  setenv("ISOTROPE_RANKS", "/none", 1);  // NOLINT(concurrency-mt-unsafe)
  Communicator comm(MPI_COMM_WORLD, ring_of_the_job(), {.ranks = file_});
  EXPECT_EQ(comm.ranks(), shuffled_world(14));
}

TEST_F(RankMapOfEnvironment, gives_nodes_to_the_ranks_of_the_world) {
  write(shuffled_world(12));
  name(file_);  // of the last rank of the world, which is rank 0 of the other communicator
  MPI_Comm reversed = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, 0, -world_rank(), &reversed);
  {
    Communicator comm(reversed, ring_of_the_job());
    for (Rank rank = 0; rank < static_cast<Rank>(world_size()); ++rank) {
      const Rank in_world = static_cast<Rank>(world_size()) - 1 - rank;
      EXPECT_EQ(comm.ranks().node_of(rank), shuffled_world(12).node_of(in_world));
    }
    expect_all_right(comm);
  }
  MPI_Comm_free(&reversed);
}

TEST_F(RankMapOfEnvironment, is_not_that_of_other_communicators) {
  if (world_size() == 1) GTEST_SKIP() << "this is the communicator of one rank";
  write("no map");
  EXPECT_TRUE(Communicator(MPI_COMM_SELF, network::parse("ring:1")).ranks().is_identity());
  MPI_Comm grid = MPI_COMM_NULL;
  const int extent = world_size(), periodic = 1;
  MPI_Cart_create(MPI_COMM_WORLD, 1, &extent, &periodic, 0, &grid);
  EXPECT_TRUE(Communicator(grid).ranks().is_identity());
  const Communicator given(MPI_COMM_WORLD, ring_of_the_job(), {.nodes = shuffled_nodes(13)});
  EXPECT_EQ(given.ranks(), shuffled_world(13));
  MPI_Comm_free(&grid);
}

TEST_F(RankMapOfEnvironment, that_is_wrong_is_an_error_on_all_ranks) {
  if (world_size() == 1) GTEST_SKIP() << "the network of one rank needs no map";
  write("0\n0\n");
  expect_error(":2: node 0 is rank 0 already");
  write("0\n");
  expect_error("1 lines for the");
  if (world_rank() == 0) std::remove(file_.c_str());
  expect_error(world_rank() == 0 ? "cannot read this file" : "rank 0 cannot read it");
}

}  // namespace
}  // namespace isotrope::mpi
