// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/rank/contents.hpp"

#include <map>
#include <tuple>

#include <gtest/gtest.h>

#include "tests/local/tree_plans.hpp"

namespace isotrope::rank {
namespace {

using local::tree_plan;
using schedule::Collective;
using schedule::Replication;

struct Buffers {
  RankProgram program;
  Contents contents;

  Buffers(Collective collective, Node node, Node root = 0)
      : program(compile(
            tree_plan("ring:4", collective,
                      schedule::is_rooted(collective) ? Replication::none() : Replication::all(), 1, root),
            node)),
        contents(collective, program, node, root) {}
};

TEST(Contents, of_rooted_collectives) {
  EXPECT_EQ(Buffers(Collective::broadcast, 2, 2).contents.input(0), (BlockContent{2, 0, 0}));
  EXPECT_EQ(Buffers(Collective::broadcast, 1, 2).contents.output(0), (BlockContent{2, 0, 0}));
  EXPECT_EQ(Buffers(Collective::scatter, 2, 2).contents.input(3), (BlockContent{2, 3, 0}));
  EXPECT_EQ(Buffers(Collective::scatter, 3, 2).contents.output(0), (BlockContent{2, 3, 0}));
  EXPECT_EQ(Buffers(Collective::gather, 1, 2).contents.input(0), (BlockContent{1, 0, 0}));
  EXPECT_EQ(Buffers(Collective::gather, 2, 2).contents.output(1), (BlockContent{1, 0, 0}));
  EXPECT_EQ(Buffers(Collective::reduce, 1, 2).contents.input(0), (BlockContent{1, 0, 0}));
  EXPECT_EQ(Buffers(Collective::reduce, 2, 2).contents.output(0), (BlockContent{everyone, 0, 0}));
}

TEST(Contents, of_collectives_without_root) {
  EXPECT_EQ(Buffers(Collective::allgather, 1).contents.input(0), (BlockContent{1, 0, 0}));
  EXPECT_EQ(Buffers(Collective::allgather, 1).contents.output(3), (BlockContent{3, 0, 0}));
  EXPECT_EQ(Buffers(Collective::alltoall, 1).contents.input(3), (BlockContent{1, 3, 0}));
  EXPECT_EQ(Buffers(Collective::alltoall, 1).contents.output(3), (BlockContent{3, 1, 0}));
  EXPECT_EQ(Buffers(Collective::reduce_scatter, 1).contents.input(3), (BlockContent{1, 3, 0}));
  EXPECT_EQ(Buffers(Collective::reduce_scatter, 1).contents.output(0), (BlockContent{everyone, 1, 0}));
  EXPECT_EQ(Buffers(Collective::allreduce, 1).contents.input(3), (BlockContent{1, 0, 3}));
  EXPECT_EQ(Buffers(Collective::allreduce, 1).contents.output(3), (BlockContent{everyone, 0, 3}));
}

// A sum of the nodes up to one node is for that node; the contributions to it are the same for all.
TEST(Contents, of_scans) {
  RankProgram program;
  const Contents scan(Collective::scan, program, 2, 0), exscan(Collective::exscan, program, 2, 0);
  EXPECT_EQ(scan.input(0), (BlockContent{2, 0, 0}));
  EXPECT_EQ(scan.output(0), (BlockContent{everyone, 2, 0}));
  EXPECT_EQ(scan.contributors(scan.output(0), 4), 3U);
  EXPECT_EQ(exscan.contributors(exscan.output(0), 4), 2U);
  EXPECT_EQ(exscan.contribution(exscan.output(0), 1), (BlockContent{1, 0, 0}));
}

// A task of all pairs of a ring of 4: every input names its destination, every output its origin.
TEST(Contents, of_listed_blocks) {
  const Buffers buffers(Collective::task, 1);
  for (std::uint32_t b = 0; b < 4; ++b) {
    EXPECT_EQ(buffers.contents.input(b).contributor, 1U);
    EXPECT_EQ(buffers.contents.input(b).destination, b);
    EXPECT_EQ(buffers.contents.output(b).contributor, b);
    EXPECT_EQ(buffers.contents.output(b).destination, 1U);
  }
}

// Unless data are reduced, every output block is the input block of that name at one node.
TEST(Contents, of_outputs_are_those_of_inputs) {
  for (const Collective collective : {Collective::broadcast, Collective::scatter, Collective::gather,
                                      Collective::allgather, Collective::alltoall, Collective::task}) {
    std::map<std::tuple<Node, Node, std::uint32_t>, int> given;
    for (Node node = 0; node < 4; ++node) {
      const Buffers buffers(collective, node);
      for (std::uint32_t b = 0; b < buffers.program.input_blocks; ++b) {
        const auto [contributor, destination, block] = buffers.contents.input(b);
        ++given[{contributor, destination, block}];
      }
    }
    for (Node node = 0; node < 4; ++node) {
      const Buffers buffers(collective, node);
      for (std::uint32_t b = 0; b < buffers.program.output_blocks; ++b) {
        const auto [contributor, destination, block] = buffers.contents.output(b);
        EXPECT_EQ((given[{contributor, destination, block}]), 1) << static_cast<int>(collective);
      }
    }
  }
}

}  // namespace
}  // namespace isotrope::rank
