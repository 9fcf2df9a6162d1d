// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <rapidcheck/gtest.h>

#include "isotrope/io/plan_file.hpp"

#include "tests/io/heap_peak.hpp"
#include "tests/io/refusal.hpp"
#include "tests/io/sample_plans.hpp"
#include "tests/io/temporary_folder.hpp"

namespace isotrope::io {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(PlanWriter, writes_a_round_a_line) {
  EXPECT_EQ(written(tiny_plan(), PlanFormat::json), R"({
  "format": "isotrope-plan/1",
  "network": {
    "name": "ring:3",
    "moduli": [3],
    "generators": [[1],[2]]
  },
  "collective": "allgather",
  "parts": 1,
  "ports": {"model": "all-port"},
  "rounds": "strict",
  "stages": [
    {
      "flow": "copy",
      "replication": "all",
      "hops": [
        [[0,0,0],[0,0,1]]
      ]
    }
  ],
  "bound": {"kind": "distance", "value": 1, "because": "one hop"},
  "claims": {"rounds": 1, "hops": 2, "optimal": true}
}
)");
}

TEST(PlanWriter, hypercube_port_0_is_the_last_coordinate) {
  const json plan = json::parse(written(varied_plans()[3], PlanFormat::json));
  EXPECT_EQ(plan["network"]["generators"], json::parse("[[0,1],[1,0]]"));
}

TEST(PlanWriter, keys_depend_on_the_plan) {
  std::vector<json> plans;
  for (const schedule::Plan& plan : varied_plans())
    plans.push_back(json::parse(written(plan, PlanFormat::json)));

  EXPECT_EQ(plans[1]["failed"], json::parse(R"({"nodes":[0,14],"links":[[3,1]]})"));
  EXPECT_EQ(plans[1]["root"], 7);
  EXPECT_EQ(plans[1]["ports"], json::parse(R"({"model":"k-port","k":2})"));
  EXPECT_EQ(plans[2]["stages"][0]["replication"], json::parse(R"({"even_axis":1})"));
  EXPECT_EQ(plans[2]["stages"][0]["packets"], json::parse("[[0,5,0,0],[1,7,3,0]]"));
  EXPECT_FALSE(plans[2].contains("root") || plans[2].contains("failed") ||
               plans[2]["claims"].contains("link_load"));
  EXPECT_EQ(plans[3]["claims"]["link_load"], json::parse("[1,1,1,1]"));
  EXPECT_EQ(plans[4]["network"]["name"], "cayley");
  EXPECT_EQ(plans[4]["stages"][0]["packets"][1], json::parse(R"([23,"all",0,0])"));
}

TEST(PlanWriter, lists_no_packets_if_there_are_none) {
  schedule::Plan plan = varied_plans()[2];
  plan.schedule.stages[0].packets.clear();
  plan.schedule.stages[0].rounds = {};
  plan.bound = {};

  const json document = json::parse(written(plan, PlanFormat::json));

  EXPECT_EQ(document["stages"][0]["packets"], json::array());
  EXPECT_FALSE(document.contains("bound"));
}

RC_GTEST_PROP(PlanWriter, cbor_and_json_say_the_same, ()) {
  const schedule::Plan plan = random_plan();
  RC_ASSERT(json::from_cbor(written(plan, PlanFormat::cbor)) == json::parse(written(plan, PlanFormat::json)));
}

TEST(PlanWriter, takes_no_memory_for_the_hops) {
  const TemporaryFolder folder;
  const schedule::Plan plan = long_plan(10000, 100);

  for (const char* name : {"a.json", "a.cbor"}) {
    EXPECT_LT(heap_peak([&] { write_plan(folder / name, plan); }), std::size_t{1} << 18) << name;
  }
}

TEST(PlanWriter, reports_progress) {
  const TemporaryFolder folder;
  std::vector<double> shares;

  write_plan(folder / "a.cbor", long_plan(1 << 9, 1 << 9), [&](double share) { shares.push_back(share); });

  EXPECT_EQ(shares, (std::vector<double>{0.25, 0.5, 0.75, 1}));
}

TEST(PlanWriter, refuses_text_that_is_not_utf8) {
  const TemporaryFolder folder;
  schedule::Plan plan = tiny_plan();
  plan.bound.because = "\xFF";

  for (const char* name : {"a.json", "a.cbor"}) {
    EXPECT_THAT(refusal([&] { write_plan(folder / name, plan); }), HasSubstr("bound.because is not UTF-8"));
  }
  EXPECT_THAT(folder.names(), IsEmpty());
}

TEST(PlanWriter, a_broken_stream_is_an_error) {
  std::ostringstream out;
  out.setstate(std::ios::badbit);
  EXPECT_THAT(refusal([&] { write_plan(out, tiny_plan(), PlanFormat::json); }), HasSubstr("stream"));
}

}  // namespace
}  // namespace isotrope::io
