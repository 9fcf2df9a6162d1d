// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The keys and flows that version 2 adds: each survives, makes a file one of version 2, and is refused in a file
// of version 1.
#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "isotrope/network/cayley.hpp"
#include "isotrope/network/complete.hpp"
#include "isotrope/network/parse.hpp"

#include "isotrope/schedule/symmetries.hpp"

#include "isotrope/io/plan_file.hpp"

#include "tests/io/refusal.hpp"
#include "tests/io/same_plan.hpp"
#include "tests/io/sample_plans.hpp"

namespace isotrope::io {
namespace {

using nlohmann::ordered_json;
using schedule::Flow;
using schedule::Plan;
using schedule::RoundKind;
using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

Plan exchange_plan() {
  Plan plan = tiny_plan();
  plan.task = schedule::parse_task("allreduce", plan.network);
  schedule::Stage& stage = plan.schedule.stages[0];
  stage.flow = Flow::exchange;
  stage.sums = {{0, {0}}};
  stage.result = {{0, 1, 2}};
  return plan;
}

Plan listed_plan(const char* collective) {
  Plan plan = tiny_plan();
  plan.task = schedule::parse_task(collective, plan.network);
  plan.schedule.stages[0].packets = {{0, 1, 0, 0}};
  return plan;
}

// A broadcast to both neighbours of the root.
Plan pipelined_plan() {
  Plan plan = tiny_plan();
  plan.task = {.collective = schedule::Collective::broadcast};
  plan.schedule.stages[0].replication = schedule::Replication::none();
  return plan;
}

struct Addition {
  const char* key;  // with its place
  std::function<Plan()> plan;
};

std::vector<Addition> additions() {
  return {
      {"bound.weights",
       [] {
         Plan plan = tiny_plan();
         plan.bound.weights = {1, 0, 4294967295};
         return plan;
       }},
      {"aggregation",
       [] {
         Plan plan = tiny_plan();
         plan.schedule.round_kind = RoundKind::aggregated;
         plan.claims.link_load = {1};
         plan.aggregation = 2;
         return plan;
       }},
      {"window",
       [] {
         Plan plan = pipelined_plan();
         plan.window = 3;
         return plan;
       }},
      {"waiting",
       [] {
         Plan plan = tiny_plan();
         plan.schedule.waiting = false;
         return plan;
       }},
      {"step_limits",
       [] {
         Plan plan = tiny_plan();
         plan.schedule.step_limits = {4294967295, 1};
         return plan;
       }},
      {"destinations",
       [] {
         Plan plan = listed_plan("isotropic");
         plan.task.destinations = {{1, 1}, {2, 4294967295}};
         return plan;
       }},
      {"deliveries",
       [] {
         Plan plan = listed_plan("task");
         plan.task.deliveries = {{0, 1, 1}, {2, 0, 7}};
         return plan;
       }},
      {"overlay",
       [] {
         Plan plan = tiny_plan();
         plan.overlay = network::cayley({3}, {{2}, {1}});
         return plan;
       }},
      {"open_axes",
       [] {
         Plan plan = tiny_plan();
         plan.failed.open_axes = {0};
         return plan;
       }},
      {"edges",
       [] {
         Plan plan = tiny_plan();
         plan.failed.edges = {{0, 1}, {0, 2}};
         return plan;
       }},
      {"stages[0].sums", exchange_plan},
      {"stages[0].flow",
       [] {
         Plan plan = tiny_plan();
         plan.task = schedule::parse_task("allreduce", plan.network);
         plan.schedule.stages[0].flow = Flow::reduce_then_copy;
         return plan;
       }},
      {"stages[0].replication.translations",
       [] {
         Plan plan = tiny_plan();
         plan.schedule.stages[0].packets = {{0, schedule::to_all, 0, 0}};
         plan.schedule.stages[0] = with_images(plan.network, plan.schedule.stages[0], {1, 0});
         return plan;
       }},
      {"network",
       [] {
         Plan plan = tiny_plan();
         plan.network = network::parse("ring:3@2");
         return plan;
       }},
      {"network",
       [] {
         Plan plan = tiny_plan();
         plan.network = network::cayley({3}, {{2}, {1}, {1}, {2}});
         return plan;
       }},
      {"chains",
       [] {
         Plan plan = tiny_plan();
         plan.schedule.round_kind = RoundKind::aggregated;
         plan.claims.link_load = {1};
         plan.task.parts = plan.chains = 2;
         return plan;
       }},
      {"shares",
       [] {
         Plan plan = tiny_plan();
         plan.schedule.round_kind = RoundKind::aggregated;
         plan.claims.link_load = {1};
         plan.shares = {2, 3, 6};
         return plan;
       }},
  };
}

TEST(PlanVersion2, every_addition_survives_and_only_there) {
  for (const Addition& addition : additions()) {
    const Plan plan = addition.plan();
    for (const PlanFormat format : {PlanFormat::json, PlanFormat::cbor}) {
      EXPECT_TRUE(same_plan(read_plan(written(plan, format), format, "memory"), plan)) << addition.key;
    }
    ordered_json document = ordered_json::parse(written(plan, PlanFormat::json));
    EXPECT_EQ(document["format"], "isotrope-plan/2") << addition.key;
    document["format"] = "isotrope-plan/1";
    EXPECT_THAT(refusal([&] { read_plan(document.dump(), PlanFormat::json, "memory"); }),
                StartsWith(std::string("memory: ") + addition.key + ": isotrope-plan/1 lacks "));
  }
}

// Version 1 has no scan, not even one whose flow is left out.
TEST(PlanVersion2, adds_scan_and_exscan) {
  for (const char* collective : {"scan", "exscan"}) {
    Plan plan = exchange_plan();
    plan.task = schedule::parse_task(collective, plan.network);
    ordered_json document = ordered_json::parse(written(plan, PlanFormat::json));
    EXPECT_EQ(document["format"], "isotrope-plan/2");
    document["stages"][0].erase("flow");
    EXPECT_TRUE(same_plan(read_plan(document.dump(), PlanFormat::json, "memory"), plan));
    document["format"] = "isotrope-plan/1";
    document["stages"][0].erase("sums");
    document["stages"][0].erase("result");
    EXPECT_EQ(
        refusal([&] { read_plan(document.dump(), PlanFormat::json, "memory"); }),
        std::string("memory: collective: isotrope-plan/1 lacks '") + collective + "': write isotrope-plan/2");
  }
}

TEST(PlanVersion2, is_written_only_if_needed) {
  for (const Plan& plan : varied_plans())
    EXPECT_EQ(ordered_json::parse(written(plan, PlanFormat::json))["format"], "isotrope-plan/1");
  ordered_json document = ordered_json::parse(written(tiny_plan(), PlanFormat::json));
  document["format"] = "isotrope-plan/2";
  document["window"] = 1;
  const Plan plan = read_plan(document.dump(), PlanFormat::json, "memory");
  EXPECT_TRUE(same_plan(plan, tiny_plan()));
}

// The layout that people read.
TEST(PlanVersion2, writes_a_sum_per_line) {
  EXPECT_THAT(written(exchange_plan(), PlanFormat::json), HasSubstr(R"(
      "flow": "exchange",
      "replication": "all",
      "sums": [
        [0,[0]]
      ],
      "result": [
        [0,1,2]
      ],
      "hops": [
        [[0,0,0],[0,0,1]]
      ]
)"));
}

TEST(PlanVersion2, names_the_place_of_every_mistake) {
  const auto message = [](const Plan& plan, const std::function<void(ordered_json&)>& change) {
    ordered_json document = ordered_json::parse(written(plan, PlanFormat::json));
    document["format"] = "isotrope-plan/2";
    change(document);
    return refusal([&] { read_plan(document.dump(), PlanFormat::json, "memory"); });
  };
  const Plan tiny = tiny_plan();
  EXPECT_EQ(message(tiny, [](auto& d) { d["window"] = 0; }),
            "memory: window: 0 messages: at least 1 is under way");
  EXPECT_THAT(message(tiny, [](auto& d) { d["window"] = 2; }),
              StartsWith("memory: window: 2 messages, but not of a broadcast"));
  EXPECT_THAT(message(pipelined_plan(), [](auto& d) { d["window"] = 5; }),
              StartsWith("memory: window: 5 messages: give 1 to 4"));
  EXPECT_THAT(message(pipelined_plan(),
                      [](auto& d) {
                        d["window"] = 4;
                        d["ports"] = {{"model", "one-port"}};
                      }),
              StartsWith("memory: window: 4 messages, but not of a broadcast"));
  EXPECT_THAT(message(tiny, [](auto& d) { d["chains"] = 0; }),
              StartsWith("memory: chains: 0 chains of 1 parts"));
  EXPECT_THAT(message(tiny, [](auto& d) { d["parts"] = d["chains"] = 33; }),
              StartsWith("memory: chains: 33 chains: give at most 32"));
  EXPECT_THAT(message(tiny, [](auto& d) { d["parts"] = d["chains"] = 2; }),
              StartsWith("memory: chains: strict"));
  EXPECT_THAT(message(additions()[1].plan(), [](auto& d) { d["chains"] = 3; }),
              StartsWith("memory: chains: 3 chains of 1 parts: give a divisor"));
  EXPECT_THAT(message(tiny, [](auto& d) { d["shares"] = {1, 2}; }), StartsWith("memory: shares: strict"));
  for (const std::vector<std::uint64_t>& shares :
       {std::vector<std::uint64_t>{1}, {1, 0}, {UINT32_MAX, UINT32_MAX}}) {
    EXPECT_THAT(
        message(additions()[1].plan(), [&](auto& d) { d["shares"] = shares; }),
        AllOf(StartsWith("memory: shares: ["), EndsWith("give two weights or more, from 1 on, and less "
                                                        "than 2^32 in all")));
  }
  EXPECT_THAT(message(additions()[1].plan(),
                      [](auto& d) {
                        d["parts"] = d["chains"] = 2;
                        d["shares"] = {1, 2};
                      }),
              StartsWith("memory: shares: beside 2 chains: give one of the two"));
  EXPECT_THAT(message(tiny, [](auto& d) { d["aggregation"] = 4; }),
              StartsWith("memory: aggregation: strict rounds"));
  EXPECT_THAT(message(additions()[1].plan(), [](auto& d) { d["aggregation"] = 1; }),
              StartsWith("memory: aggregation: 1 packets: give 2 or more"));
  EXPECT_THAT(
      message(additions()[1].plan(), [](auto& d) { d["aggregation"] = UINT64_MAX; }),
      StartsWith("memory: aggregation: 18446744073709551615 packets stand for any number: leave it out"));
  EXPECT_THAT(message(tiny,
                      [](auto& d) {
                        d["destinations"] = {{1, 1}};
                      }),
              StartsWith("memory: destinations: allgather has none"));
  EXPECT_THAT(message(tiny,
                      [](auto& d) {
                        d["deliveries"] = {{1, 1, 1}};
                      }),
              StartsWith("memory: deliveries: allgather has none"));
  const auto edges = [&](std::vector<std::vector<int>> list) {
    return message(tiny, [&](auto& d) { d["edges"] = std::move(list); });
  };
  EXPECT_THAT(edges({}), StartsWith("memory: edges: none"));
  EXPECT_THAT(edges({{0, 3}}), StartsWith("memory: edges: edge 0-3: the nodes of"));
  EXPECT_THAT(edges({{1, 0}}), StartsWith("memory: edges: edge 1-0: give the lower node first"));
  EXPECT_THAT(edges({{0, 2}, {0, 1}}), StartsWith("memory: edges: edge 0-1: give edges in ascending order"));
  EXPECT_THAT(edges({{0, 1}, {0, 1}}),
              StartsWith("memory: edges: edge 0-1: given more often than ring:3 has links side by side, 1"));
  EXPECT_THAT(message(additions()[5].plan(), [](auto& d) { d["destinations"][1][0] = 3; }),
              StartsWith("memory: destinations[1]: node 3 is outside 0..2"));
  EXPECT_THAT(message(additions()[6].plan(), [](auto& d) { d["deliveries"][0][1] = 3; }),
              StartsWith("memory: deliveries[0]: node 3 is outside 0..2"));
  EXPECT_THAT(message(additions()[6].plan(),
                      [](auto& d) {
                        d["deliveries"][0] = {1, 2};
                      }),
              StartsWith("memory: deliveries[0]: 2 given: expected [from, to, blocks]"));
  EXPECT_THAT(message(additions()[7].plan(), [](auto& d) { d["overlay"]["moduli"] = {4}; }),
              StartsWith("memory: overlay.generators: "));
  EXPECT_THAT(message(additions()[7].plan(),
                      [](auto& d) {
                        d["overlay"]["moduli"] = {4};
                        d["overlay"]["generators"] = {{1}, {3}};
                      }),
              StartsWith("memory: overlay.moduli: 4 nodes, but ring:3 has 3"));
  EXPECT_THAT(message(additions()[7].plan(), [](auto& d) { d["overlay"] = ordered_json::object(); }),
              StartsWith("memory: overlay: keys 'moduli', 'generators' are missing"));
  EXPECT_THAT(message(exchange_plan(), [](auto& d) { d["stages"][0]["sums"][0][0] = 1; }),
              StartsWith("memory: stages[0].sums[0]: part 1 is outside 0..0"));
  EXPECT_THAT(message(exchange_plan(),
                      [](auto& d) {
                        d["stages"][0]["packets"] = {{0, 0, 0, 0}};
                      }),
              StartsWith("memory: stages[0].packets: an exchange has sums instead"));
  EXPECT_THAT(message(exchange_plan(), [](auto& d) { d["stages"][0]["hops"][0][1][0] = 1; }),
              StartsWith("memory: stages[0].hops[0][1]: packet 1 is outside 0..0"));
  EXPECT_THAT(message(tiny,
                      [](auto& d) {
                        d["stages"][0]["sums"] = {{0, {0}}};
                      }),
              StartsWith("memory: stages[0].sums: only an exchange has sums"));
  EXPECT_THAT(message(tiny, [](auto& d) { d["stages"][0]["result"] = {{0}}; }),
              StartsWith("memory: stages[0].result: only an exchange has a result"));
}

// Open axes and failed links are the network's, which the overlay need not have.
TEST(PlanVersion2, has_overlays_on_networks_that_lack_links) {
  auto [mesh, lacks] = network::parse_named("mesh:4x3");
  Plan plan = tiny_plan();
  plan.network = mesh;
  plan.failed = lacks;
  plan.failed.links = {{3, 0}};
  plan.overlay = network::complete(12);
  plan.schedule.stages.front().rounds = {};
  plan.claims = {};
  const std::string text = written(plan, PlanFormat::json);
  EXPECT_THAT(text, HasSubstr("\"open_axes\": [0,1]"));
  EXPECT_TRUE(same_plan(read_plan(text, PlanFormat::json, "memory"), plan));
  plan.failed.links = {{3, 4}};  // a port of the overlay alone
  EXPECT_THAT(refusal([&] { read_plan(written(plan, PlanFormat::json), PlanFormat::json, "memory"); }),
              StartsWith("memory: failed.links[0]: port 4"));
}

}  // namespace
}  // namespace isotrope::io
