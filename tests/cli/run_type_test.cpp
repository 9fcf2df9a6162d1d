// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// isotrope run --type TYPE --op OP: what is reduced, what the answer says of it, and what is refused.
#include "tests/cli/cli.hpp"

namespace isotrope::app {
namespace {

using testing::HasSubstr;

class RunType : public Cli {};

TEST_F(RunType, a_sum_of_doubles_is_within_rounding) {
  const json found =
      answer("run --network torus:3x4 --collective allreduce --bytes 800 --type double --op sum");

  EXPECT_TRUE(found.at("correct").get<bool>());
  EXPECT_EQ(found.at("type"), "double");
  EXPECT_EQ(found.at("op"), "sum");
  EXPECT_GT(found.at("largest_rounding").get<double>(), 0);
  EXPECT_LE(found.at("largest_rounding"), found.at("rounding_bound"));
  EXPECT_NEAR(found.at("rounding_bound").get<double>(), 11 * 0x1p-53, 0x1p-60);  // 12 nodes
}

TEST_F(RunType, integers_are_equal_to_the_bit) {
  const std::string run_it =
      "run --network hypercube:3 --collective reduce-scatter --bytes 800 --type int32 --op prod";
  const json found = answer(run_it);

  EXPECT_TRUE(found.at("correct").get<bool>());
  EXPECT_FALSE(found.contains("rounding_bound"));
  EXPECT_THAT(run(run_it).out, HasSubstr("every result equal to the serial prod of type int32\n"));
}

TEST_F(RunType, the_default_is_the_sum_of_bytes) {
  const json found = answer("run --network hexmesh:3 --collective reduce --bytes 7");
  EXPECT_EQ(found.at("type"), "uint8");
  EXPECT_EQ(found.at("op"), "sum");
  EXPECT_EQ(answer("run --network hexmesh:3 --collective reduce --bytes 7 --type byte --op max").at("op"),
            "max");
}

TEST_F(RunType, the_words_say_how_far_off_and_how_far_is_allowed) {
  EXPECT_THAT(run("run --network circulant:13:1,5 --collective allreduce --bytes 800 --type float").out,
              HasSubstr("every result equal to the serial sum of type float within rounding: off by "));
}

TEST_F(RunType, what_only_travels_has_no_type) {
  EXPECT_FALSE(answer("run --network ring:4 --collective alltoall --bytes 7").contains("type"));
  EXPECT_THAT(run("run --network ring:4 --collective alltoall --bytes 7").out, HasSubstr("every byte right"));
  expect_refusal("run --network ring:4 --collective alltoall --bytes 8 --type double",
                 "--type double: alltoall does not reduce; give reduce, reduce-scatter, allreduce, scan, "
                 "exscan or barrier");
  expect_refusal("run --network ring:4 --collective broadcast --bytes 8 --op sum", "--op sum: broadcast");
}

TEST_F(RunType, refuses_unknown_names_undefined_operations_and_fractions) {
  const std::string run_it = "run --network ring:4 --collective allreduce --bytes 12 ";
  expect_refusal(run_it + "--type flaot", "unknown type 'flaot': did you mean float");
  expect_refusal(run_it + "--op mean", "unknown operation 'mean'");
  expect_refusal(run_it + "--type float --op band", "band is not defined on elements of type float");
  expect_refusal(run_it + "--type double", "give a multiple of 8");
}

}  // namespace
}  // namespace isotrope::app
