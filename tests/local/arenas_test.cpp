// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/local/arenas.hpp"

#include <gtest/gtest.h>

#include "isotrope/base/error.hpp"

#include "tests/local/tree_plans.hpp"

namespace isotrope::local {
namespace {

using schedule::Collective;
using schedule::Replication;

TEST(Arenas, lie_side_by_side_class_by_class) {
  const CopyProgram program = compile(tree_plan("torus:4x3", Collective::alltoall, Replication::even(0)), 10);
  const Arenas arenas(program);

  const std::byte* next = arenas.all().data();
  for (const Node node : program.cosets.nodes()) {
    EXPECT_EQ(arenas.of(node), next);
    next += program.arena_bytes[program.cosets.class_of(node)];
  }
  EXPECT_EQ(next, arenas.all().data() + arenas.all().size());
  EXPECT_EQ(arenas.all().size(), program.memory_bytes());
}

TEST(Arenas, refuse_what_no_number_holds) {
  const CopyProgram program =
      compile(tree_plan("ring:4", Collective::alltoall, Replication::all()), std::uint64_t{1} << 62);
  EXPECT_THROW(Arenas{program}, Error);
}

}  // namespace
}  // namespace isotrope::local
