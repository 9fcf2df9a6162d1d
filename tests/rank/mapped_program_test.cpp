// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/rank/mapped_program.hpp"

#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isotrope/base/split_mix.hpp"

#include "isotrope/network/parse.hpp"

#include "isotrope/rank/contents.hpp"

#include "tests/local/tree_plans.hpp"

namespace isotrope::rank {
namespace {

using local::tree_plan;
using network::RankMap;
using schedule::Collective;
using schedule::Plan;
using schedule::Replication;
using testing::ElementsAre;
using testing::SizeIs;

// Ranks 0 1 2 3 are nodes 2 0 3 1, so nodes 0 1 2 3 are ranks 1 3 0 2. Node 1 of a ring of 4, rank 3, sends the blocks of
// nodes 2 and 3 to node 2: those of ranks 0 and 2, to rank 0. It keeps its own, block 1 of nodes and 3 of ranks.
TEST(MappedProgram, of_an_alltoall_on_a_ring) {
  const Plan plan = tree_plan("ring:4", Collective::alltoall, Replication::all());
  const RankProgram program = mapped(compile(plan, 1), Collective::alltoall, RankMap({2, 0, 3, 1}));

  const RankMessage& right = program.sends(0)[0];
  EXPECT_EQ(right.peer, 0U);
  EXPECT_THAT(program.fragments(right),
              ElementsAre(Fragment{.unit = 0, .place = 0, .buffer = Buffer::input},
                          Fragment{.unit = 2, .place = 2, .buffer = Buffer::input}));
  const RankMessage& from_left = program.receipts(0)[1];
  EXPECT_EQ(from_left.peer, 1U);
  EXPECT_THAT(program.fragments(from_left),
              ElementsAre(Fragment{.unit = 1, .place = 1, .buffer = Buffer::output},
                          Fragment{.unit = 0, .place = 0, .buffer = Buffer::slots}));
  EXPECT_THAT(program.opening, ElementsAre(BufferCopy{Buffer::input, Buffer::output, 3, 3, 1}));
}

TEST(MappedProgram, of_the_identity_is_the_program) {
  const RankProgram program = compile(tree_plan("ring:4", Collective::allgather, Replication::all()), 2);
  EXPECT_EQ(mapped(program, Collective::allgather, RankMap()), program);
}

// A unit of a message: its size, and where it lies.
using UnitPlace = std::tuple<std::uint32_t, Buffer, std::uint32_t, OnArrival, std::uint32_t>;

template <class InBuffer>
std::vector<UnitPlace> units_of(const RankProgram& program, const RankMessage& message,
                                const InBuffer& in_buffer) {
  std::vector<UnitPlace> result;
  for (const Fragment& fragment : program.fragments(message)) {
    for (std::uint32_t i = 0; i < fragment.count; ++i) {
      const bool joins = fragment.arrival == OnArrival::join;
      result.emplace_back((fragment.unit + i) % program.parts, fragment.buffer,
                          in_buffer(fragment.buffer, fragment.place + i), fragment.arrival,
                          joins ? in_buffer(Buffer::input, fragment.own + i) : 0);
    }
  }
  return result;
}

// A unit has the size of the block that it lies in: blocks of ranks may be unequal.
void expect_sizes_by_place(const RankProgram& program, const RankMessage& message) {
  for (const Fragment& fragment : program.fragments(message)) {
    if (fragment.buffer == Buffer::slots) continue;
    EXPECT_EQ(fragment.unit, fragment.place);
  }
}

// Unit by unit, in the same order; block b of a node is that of its rank.
void expect_same_units(const RankProgram& before, const RankProgram& after, Collective collective,
                       const RankMap& ranks) {
  const auto [input, output] = block_meanings(collective);
  const auto moved = [&, input = input, output = output](Buffer buffer, std::uint32_t unit) {
    if (buffer == Buffer::slots) return unit;
    const bool by_node = (buffer == Buffer::output ? output : input) == BlockMeaning::by_node;
    return by_node ? ranks.rank_of(unit / before.parts) * before.parts + unit % before.parts : unit;
  };
  const auto same = [](Buffer, std::uint32_t unit) { return unit; };
  const auto compare = [&](const RankMessage& from, const RankMessage& to) {
    EXPECT_EQ(to.peer, ranks.rank_of(from.peer));
    EXPECT_EQ(to.port, from.port);
    expect_sizes_by_place(after, to);
    EXPECT_EQ(units_of(after, to, same), units_of(before, from, moved));
  };
  ASSERT_EQ(after.rounds(), before.rounds());
  for (std::size_t t = 0; t < before.rounds(); ++t) {
    ASSERT_THAT(after.sends(t), SizeIs(before.sends(t).size()));
    ASSERT_THAT(after.receipts(t), SizeIs(before.receipts(t).size()));
    for (std::size_t i = 0; i < before.sends(t).size(); ++i) compare(before.sends(t)[i], after.sends(t)[i]);
    for (std::size_t i = 0; i < before.receipts(t).size(); ++i)
      compare(before.receipts(t)[i], after.receipts(t)[i]);
  }
}

TEST(MappedProgram, has_the_same_units_in_the_places_of_ranks) {
  SplitMix random(31);
  for (const char* network : {"ring:5", "torus:2x3", "hypercube:3"}) {
    for (const Collective collective :
         {Collective::broadcast, Collective::scatter, Collective::gather, Collective::allgather,
          Collective::alltoall, Collective::reduce, Collective::reduce_scatter, Collective::allreduce}) {
      const bool is_rooted = schedule::is_rooted(collective);
      const auto parts = static_cast<std::uint32_t>(1 + random.below(3));
      const Plan plan =
          tree_plan(network, collective, is_rooted ? Replication::none() : Replication::all(), parts);
      std::vector<Node> nodes;
      for (Node node = 0; node < plan.network.order(); ++node) nodes.push_back(node);
      for (Node last = plan.network.order() - 1; last > 0; --last)
        std::swap(nodes[last], nodes[random.below(last + 1)]);
      const RankMap ranks(nodes);
      for (Node node = 0; node < plan.network.order(); ++node) {
        SCOPED_TRACE(std::string(network) + ", " + schedule::to_string(plan.task));
        const RankProgram program = compile(plan, node);
        expect_same_units(program, mapped(program, collective, ranks), collective, ranks);
      }
    }
  }
}

}  // namespace
}  // namespace isotrope::rank
