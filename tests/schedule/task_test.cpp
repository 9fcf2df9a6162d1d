// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/schedule/task.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isotrope/base/error.hpp"

#include "isotrope/network/parse.hpp"

namespace isotrope::schedule {
namespace {

using testing::HasSubstr;

std::string error_of(std::string_view collective, std::uint64_t root = 0, std::uint64_t parts = 1) {
  try {
    parse_task(collective, network::parse("torus:4x4"), root, parts);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Task, has_mpi_names_and_the_papers_names) {
  const Network network = network::parse("torus:4x4");
  for (const char* name :
       {"broadcast", "scatter", "gather", "reduce", "allgather", "alltoall", "reduce-scatter", "allreduce",
        "scan", "exscan", "barrier", "neighborhood:1:3", "isotropic", "task"}) {
    EXPECT_EQ(to_string(parse_task(name, network)), name);
  }
  EXPECT_EQ(parse_task("multinode-broadcast", network).collective, Collective::allgather);
  EXPECT_EQ(parse_task("total-exchange", network).collective, Collective::alltoall);
  EXPECT_EQ(parse_task("single-node-scatter", network).collective, Collective::scatter);
  EXPECT_EQ(parse_task("personalized", network).collective, Collective::scatter);
  EXPECT_EQ(parse_task("global-sum", network).collective, Collective::allreduce);
  EXPECT_EQ(parse_task("prefix-sum", network).collective, Collective::scan);
}

TEST(Task, keeps_root_and_parts) {
  const Task task = parse_task("scatter", network::parse("torus:4x4"), 15, 7);

  EXPECT_EQ(task.root, 15u);
  EXPECT_EQ(task.parts, 7u);
  EXPECT_TRUE(is_rooted(task.collective));
}

TEST(Task, names_the_nearest_for_a_slip) {
  EXPECT_THAT(error_of("alltoal"), HasSubstr("did you mean alltoall"));
  EXPECT_THAT(error_of("xyzzyplugh"), HasSubstr("known are broadcast"));
  EXPECT_THAT(error_of(""), HasSubstr("unknown collective"));
}

TEST(Task, refuses_what_the_network_has_not) {
  EXPECT_THAT(error_of("scatter", 16), HasSubstr("0..15"));
  EXPECT_THAT(error_of("alltoall", 3), HasSubstr("only broadcast"));
  EXPECT_THAT(error_of("alltoall", 0, 0), HasSubstr("parts"));
  EXPECT_THAT(error_of("alltoall", 0, std::uint64_t{1} << 40), HasSubstr("parts"));
  EXPECT_THAT(error_of("neighborhood:2:1"), HasSubstr("1 <= K <= L < 16"));
  EXPECT_THAT(error_of("neighborhood:0:1"), HasSubstr("1 <= K <= L < 16"));
  EXPECT_THAT(error_of("neighborhood:1:16"), HasSubstr("1 <= K <= L < 16"));
  EXPECT_THAT(error_of("neighborhood"), HasSubstr("1 <= K <= L < 16"));
  EXPECT_THAT(error_of("alltoall:3"), HasSubstr("only neighborhood"));
}

}  // namespace
}  // namespace isotrope::schedule
