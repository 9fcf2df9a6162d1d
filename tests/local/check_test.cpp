// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/local/check.hpp"

#include <cstddef>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isotrope/local/exchange.hpp"

#include "tests/local/tree_plans.hpp"

namespace isotrope::local {
namespace {

using schedule::Collective;
using schedule::Replication;
using testing::StartsWith;

// A plan run on one thread, whose memory a test may spoil before the check.
struct Ran {
  schedule::Plan plan;
  CopyProgram program;
  Arenas arenas;

  Ran(schedule::Plan given, std::uint64_t block_bytes)
      : plan(std::move(given)), program(compile(plan, block_bytes)), arenas(program) {
    const Positions all = {0, plan.network.order()};
    fill(plan.network, program, arenas, 1, all);
    for (std::uint64_t t = 0; t < program.step_ends.size(); ++t) {
      run_step(plan.network, program, arenas, t, all);
    }
  }

  Verdict check_in(unsigned shares) const {
    Verdict verdict;
    for (unsigned i = 0; i < shares; ++i) {
      verdict.append(check(plan.network.group(), program, arenas, 1, i, shares));
    }
    return verdict;
  }
};

// Alltoall on a ring of 4 in blocks of 100 bytes, two parts each: packets 2 and 3 go to the next node.
TEST(Check, names_the_first_wrong_byte) {
  const Ran ran(tree_plan("ring:4", Collective::alltoall, Replication::all(), 2), 100);
  for (const Holding& sink : ran.program.sinks) {
    if (sink.piece == 3) ran.arenas.of(3)[sink.place + 17] ^= std::byte{1};
  }

  const Verdict verdict = ran.check_in(1);

  EXPECT_THAT(verdict.first_error, StartsWith("node 3: packet 3 of node 2 is wrong at byte 17: 0x"));
  EXPECT_EQ(verdict.bytes_checked, 1600U);
}

TEST(Check, every_byte_counts_however_it_is_shared_out) {
  const Ran ran(tree_plan("torus:2x3", Collective::allreduce, Replication::all(), 3), 20000);
  EXPECT_EQ(ran.check_in(1).first_error, "");
  for (std::size_t i = 0; i < ran.program.sinks.size(); i += 3) {
    const Holding& sink = ran.program.sinks[i];
    std::byte& last = ran.arenas.of(sink.node)[sink.place + ran.program.pieces[sink.piece].bytes - 1];
    last ^= std::byte{128};
    const std::string error = ran.check_in(1).first_error;
    EXPECT_THAT(error, StartsWith("node "));
    for (const unsigned shares : {2U, 3U, 100U}) {
      EXPECT_EQ(ran.check_in(shares).first_error, error);
      EXPECT_EQ(ran.check_in(shares).bytes_checked, 6U * 6U * 20000U);
    }
    last ^= std::byte{128};
  }
}

TEST(Check, names_what_never_arrives) {
  auto plan = tree_plan("ring:3", Collective::broadcast, Replication::none());
  plan.schedule.stages[0].rounds = rounds({{{0, 0, 0}}});
  const Verdict verdict = Ran(plan, 8).check_in(1);

  EXPECT_EQ(verdict.first_error, "node 2: packet 0 of node 0 never arrives");
  EXPECT_EQ(verdict.bytes_checked, 16U);
}

}  // namespace
}  // namespace isotrope::local
