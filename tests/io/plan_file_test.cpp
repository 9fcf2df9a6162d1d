// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// What is written is read again.
#include "isotrope/io/plan_file.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/io/same_plan.hpp"
#include "tests/io/sample_plans.hpp"
#include "tests/io/temporary_folder.hpp"

namespace isotrope::io {
namespace {

constexpr PlanFormat formats[] = {PlanFormat::json, PlanFormat::cbor};

TEST(PlanFile, the_name_tells_the_format) {
  EXPECT_EQ(plan_format("a.cbor"), PlanFormat::cbor);
  EXPECT_EQ(plan_format("a.json"), PlanFormat::json);
  EXPECT_EQ(plan_format("cbor"), PlanFormat::json);
}

TEST(PlanFile, varied_plans_survive) {
  for (const schedule::Plan& plan : varied_plans()) {
    for (PlanFormat format : formats) {
      const std::string bytes = written(plan, format);
      EXPECT_TRUE(same_plan(read_plan(bytes, format, "memory"), plan)) << bytes;
    }
  }
}

RC_GTEST_PROP(PlanFile, random_plans_survive, ()) {
  const schedule::Plan plan = random_plan();
  for (PlanFormat format : formats) {
    RC_ASSERT(same_plan(read_plan(written(plan, format), format, "memory"), plan));
  }
}

TEST(PlanFile, files_hold_what_streams_do) {
  const TemporaryFolder folder;
  for (const schedule::Plan& plan : varied_plans()) {
    for (const char* name : {"a.json", "a.cbor"}) {
      write_plan(folder / name, plan);
      EXPECT_TRUE(same_plan(read_plan(folder / name), plan));
      EXPECT_EQ(std::filesystem::file_size(folder / name), written(plan, plan_format(name)).size());
    }
  }
}

TEST(PlanFile, a_million_hops_survive) {
  const TemporaryFolder folder;
  const schedule::Plan plan = long_plan(1000, 1000);
  for (const char* name : {"a.json", "a.cbor"}) {
    write_plan(folder / name, plan);
    EXPECT_TRUE(same_plan(read_plan(folder / name), plan)) << name;
  }
}

}  // namespace
}  // namespace isotrope::io
