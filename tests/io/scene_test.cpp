// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/io/scene.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "isotrope/network/parse.hpp"

#include "isotrope/io/plan_file.hpp"

#include "tests/io/refusal.hpp"

namespace isotrope::io {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;

schedule::Plan plan_of(const std::string& text) {
  return read_plan(text, PlanFormat::json, "test");
}

// Every node of a ring of 4 sends a block to both neighbours.
constexpr const char* neighbours = R"({"format": "isotrope-plan/2", "network": {"name": "ring:4"},
  "collective": "neighborhood:1:1", "stages": [{"replication": "all", "packets": [[0,1,0,0], [0,3,0,0]],
  "hops": [[[0,0,0], [1,0,1]]]}]})";

TEST(Scene, lists_what_the_plan_lists) {
  const json scene = json::parse(scene_of(plan_of(neighbours)));
  EXPECT_EQ(scene["nodes"], 4);
  EXPECT_EQ(scene["moduli"], json({4}));
  EXPECT_EQ(scene["generators"], json({1, 3}));
  EXPECT_EQ(scene["links"], json({0, 0, 0, 1, 1, 0, 2, 0}));
  const json& stage = scene["stages"].at(0);
  EXPECT_EQ(stage["flow"], "move");
  EXPECT_EQ(stage["replication"], "all");
  EXPECT_EQ(stage["packets"], json({0, 1, 0, 0, 3, 0}));
  EXPECT_EQ(stage["rounds"], json::parse("[[0,0,0, 1,0,1]]"));
}

// Four rows and columns: 3 links along each row, 4 of them, and as many along columns; none closes.
TEST(Scene, leaves_out_links_of_open_axes) {
  const json scene = json::parse(scene_of(plan_of(
      R"({"format": "isotrope-plan/2", "network": {"name": "mesh:4x4"}, "open_axes": [0, 1], "collective": "broadcast", "root": 0, "stages": [{"hops": []}]})")));
  EXPECT_EQ(scene["links"].size(), 2u * 24);
  EXPECT_EQ(scene["solid"]["bent"].size(), 0u);
}

TEST(Scene, has_a_plane_picture_of_small_networks_only) {
  const auto scene = [](const std::string& name) {
    return json::parse(scene_of(plan_of(R"({"format": "isotrope-plan/1", "network": {"name": ")" + name +
                                        R"("}, "collective": "barrier", "stages": [{"hops": []}]})")));
  };
  EXPECT_EQ(scene("torus:4x4")["flat"]["places"].size(), 3u * 16);
  EXPECT_TRUE(scene("torus:64x64")["flat"].is_null());
  EXPECT_TRUE(scene("hypercube:7")["flat"].is_null());
}

TEST(Scene, refuses_plans_above_its_limits) {
  const schedule::Plan plan = plan_of(
      R"({"format": "isotrope-plan/1", "network": {"name": "hypercube:17"}, "collective": "barrier", "stages": [{"hops": []}]})");
  EXPECT_THAT(refusal([&] { scene_of(plan); }), HasSubstr("at most 65536 nodes"));
}

}  // namespace
}  // namespace isotrope::io
