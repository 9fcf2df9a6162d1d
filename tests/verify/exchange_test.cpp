// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Exchanges of sums, and stages that reduce and then copy: proved symbolically, and every damage is seen.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isotrope/verify/verify.hpp"

#include "tests/verify/exchange_plans.hpp"

namespace isotrope::verify {
namespace {

using schedule::Flow;
using schedule::Hop;
using schedule::Plan;
using schedule::Stage;
using schedule::ValueId;
using testing::Contains;
using testing::HasSubstr;

std::string first_message(const Report& report) {
  return report.violations.empty() ? "" : report.violations[0].message;
}

std::vector<Plan> exchanges() {
  return {recursive_doubling(1),
          recursive_doubling(3),
          recursive_doubling(5),
          linear_exchange(2),
          linear_exchange(5),
          linear_exchange(7),
          fold(8),
          fold(16),
          fold(64)};
}

Plan ring_scan(const char* collective);

std::vector<Plan> exchanges_and_scans() {
  std::vector<Plan> result = exchanges();
  for (const char* collective : {"scan", "exscan"}) result.push_back(ring_scan(collective));
  return result;
}

TEST(Exchange, is_valid) {
  for (const Plan& plan : exchanges()) {
    const Report report = verify(plan);
    EXPECT_TRUE(report.valid && report.claims_hold) << plan.network.name() << ": " << first_message(report);
    EXPECT_EQ(report.transmissions, verify(expand(plan)).transmissions);
    EXPECT_TRUE(verify(expand(plan)).valid) << first_message(verify(expand(plan)));
  }
}

// ring:8 over hypercube:3 by hand: three rounds are the least, since a node informs one other per round and port.
TEST(Exchange, measures_what_it_proves) {
  const Report report = verify(recursive_doubling(3));
  EXPECT_EQ(report.rounds, 3u);
  EXPECT_EQ(report.hops, 3u);
  EXPECT_EQ(report.transmissions, 24u);
  EXPECT_THAT(report.links_used, testing::ElementsAre(8, 8, 8));
}

// Every change of a list of values loses a contribution or counts one twice.
TEST(Exchange, every_damaged_list_is_rejected) {
  for (const Plan& plan : exchanges_and_scans()) {
    // An exscan does without the node's own value.
    if (plan.task.collective == schedule::Collective::exscan) continue;
    const auto damage = [&](auto list_of, std::size_t lists) {
      for (std::size_t i = 0; i < lists; ++i) {
        Stage copy = plan.schedule.stages[0];
        const std::vector<ValueId> whole = list_of(copy, i);
        for (std::size_t v = 0; v < whole.size(); ++v) {
          Plan dropped = plan, doubled = plan, changed = plan;
          auto& values = list_of(dropped.schedule.stages[0], i);
          values.erase(values.begin() + static_cast<std::ptrdiff_t>(v));
          list_of(doubled.schedule.stages[0], i).push_back(whole[v]);
          const auto other = static_cast<ValueId>(whole.size());
          list_of(changed.schedule.stages[0], i)[v] = whole[v] == other ? 0 : other;
          EXPECT_FALSE(verify(dropped).valid) << plan.network.name() << " list " << i << " value " << v;
          EXPECT_FALSE(verify(doubled).valid) << plan.network.name() << " list " << i << " value " << v;
          EXPECT_FALSE(verify(changed).valid) << plan.network.name() << " list " << i << " value " << v;
        }
      }
    };
    const Stage& stage = plan.schedule.stages[0];
    damage([](Stage& s, std::size_t i) -> std::vector<ValueId>& { return s.sums[i].values; },
           stage.sums.size());
    damage([](Stage& s, std::size_t i) -> std::vector<ValueId>& { return s.result[i]; }, stage.result.size());
  }
}

// The hops of recursive doubling all matter; swapped rounds send values that are not there yet.
TEST(Exchange, every_damaged_hop_is_rejected) {
  for (const Plan& plan : exchanges_and_scans()) {
    const schedule::Rounds& whole = plan.schedule.stages[0].rounds;
    for (std::uint64_t i = 0; i < whole.hop_count(); ++i) {
      Plan dropped = plan, turned = plan;
      dropped.schedule.stages[0].rounds = {};
      turned.schedule.stages[0].rounds = {};
      std::uint64_t number = 0;
      for (std::uint64_t t = 0; t < whole.size(); ++t) {
        for (Hop hop : whole.round(t)) {
          if (number != i) dropped.schedule.stages[0].rounds.add(hop);
          if (number++ == i) hop.port = (hop.port + 1) % hop_network(plan).degree();
          turned.schedule.stages[0].rounds.add(hop);
        }
        dropped.schedule.stages[0].rounds.close_round();
        turned.schedule.stages[0].rounds.close_round();
      }
      EXPECT_FALSE(verify(dropped).valid) << plan.network.name() << " hop " << i;
      if (hop_network(plan).degree() > 1) {
        EXPECT_FALSE(verify(turned).valid) << plan.network.name() << " hop " << i;
      }
    }
  }
}

TEST(Exchange, says_which_sum_is_wrong) {
  Plan plan = recursive_doubling(3);
  plan.schedule.stages[0].sums[1].values = {0, 2};
  EXPECT_THAT(first_message(verify(plan)),
              HasSubstr("round 1, packet 1, node 0, port 1: the sender has not received"));
  plan = recursive_doubling(3);
  plan.schedule.stages[0].sums[2].values = {0, 1, 1};
  EXPECT_THAT(first_message(verify(plan)), HasSubstr("two values of this sum contain the same contribution"));
  plan = recursive_doubling(3);
  plan.schedule.stages[0].result[0].pop_back();
  EXPECT_EQ(first_message(verify(plan)),
            "stage 0: part 0 is not the sum of every contribution exactly once at node 0");
}

TEST(Exchange, results_may_differ_by_node) {
  // ring:3 without symmetry: node 1 sends to 0, node 0 the sum of both to 2, node 2 its own to 0 and 1, ...
  Plan plan = linear_exchange(3);
  Stage stage{Flow::exchange, {}, {}, {}, {{0, {0}}, {0, {0, 1}}}, {{0, 1, 2}, {0, 1}, {1}}};
  stage.rounds.add({0, 1, 1});  // 1 -> 0
  stage.rounds.close_round();
  stage.rounds.add({1, 0, 1});  // 0 + 1 -> 2; node 2 adds nothing of its own to what it sends on
  stage.rounds.add({0, 2, 0});  // 2 -> 0
  stage.rounds.close_round();
  stage.sums.push_back({0, {0, 1}});
  stage.rounds.add({2, 2, 1});  // 0 + 1 + 2 from 2 -> 1
  stage.rounds.close_round();
  plan.overlay.reset();
  plan.schedule.stages = {stage};
  plan.claims = {3, 4, {}, {}};
  EXPECT_FALSE(verify(plan).valid) << "node 1 has its own contribution twice, node 2 lacks two";
  plan.schedule.stages[0].result = {{0, 1, 2}, {1}, {0, 1}};
  EXPECT_TRUE(verify(plan).valid) << first_message(verify(plan));
  EXPECT_TRUE(verify(plan).claims_hold);
}

TEST(Exchange, is_refused_where_it_has_no_meaning) {
  const auto message = [](auto&& change) {
    Plan plan = recursive_doubling(2);
    change(plan);
    const Report report = verify(plan);
    EXPECT_FALSE(report.valid);
    return first_message(report);
  };
  EXPECT_THAT(message([](Plan& p) { p.task.collective = schedule::Collective::allgather; }),
              HasSubstr("allgather needs another flow"));
  EXPECT_THAT(message([](Plan& p) { p.schedule.stages.push_back(p.schedule.stages[0]); }),
              HasSubstr("a stage with this flow is the only one"));
  EXPECT_THAT(message([](Plan& p) {
                p.schedule.stages[0].packets = {{0, 0, 0, 0}};
              }),
              HasSubstr("sums instead"));
  EXPECT_THAT(message([](Plan& p) { p.schedule.stages[0].sums[0].part = 1; }),
              HasSubstr("outside its range"));
  EXPECT_THAT(message([](Plan& p) { p.schedule.stages[0].result.emplace_back(); }), HasSubstr("2 lists"));
  EXPECT_THAT(message([](Plan& p) { p.overlay = recursive_doubling(3).overlay; }),
              HasSubstr("the network 4"));
  EXPECT_THAT(message([](Plan& p) { p.failed.links = {{0, 0}, {2, 0}}; }), HasSubstr("no links join them"));
  EXPECT_THAT(message([](Plan& p) { p.failed.links = {{0, 2}}; }), HasSubstr("outside the network"));
}

// The links of the network alone are missing: the overlay has another group, and more ports.
TEST(Exchange, goes_round_missing_links_over_an_overlay) {
  Plan plan = recursive_doubling(2);
  plan.failed.links = {{0, 0}};
  EXPECT_TRUE(verify(plan).valid) << first_message(verify(plan));
  plan.failed = network::Failures({}, {}, {0});
  EXPECT_TRUE(verify(plan).valid) << first_message(verify(plan));
  plan.failed.links = {{1, 0}};
  EXPECT_FALSE(verify(plan).valid);
  plan.failed = {};
  plan.failed.edges = {{0, 1}, {0, 3}, {1, 2}};
  EXPECT_TRUE(verify(plan).valid) << first_message(verify(plan));
  plan.failed.edges.pop_back();
  EXPECT_FALSE(verify(plan).valid);
}

// The plan of docs/plan-file.md: the values are the node's own, then those of c - 1, c + 1 and c - 2.
Plan ring_scan(const char* collective) {
  Plan plan = linear_exchange(4);
  plan.overlay.reset();
  plan.task = schedule::parse_task(collective, plan.network);
  Stage stage{Flow::exchange, schedule::Replication::all(), {}, {}, {{0, {0}}, {0, {1}}}, {{0, 1, 2, 3}}};
  stage.rounds.add({0, 0, 0});
  stage.rounds.add({0, 0, 1});
  stage.rounds.close_round();
  stage.rounds.add({1, 0, 0});
  stage.rounds.close_round();
  plan.schedule.stages = {stage};
  plan.claims = {2, 3, {}, {}};
  return plan;
}

TEST(Scan, is_valid_and_optimal) {
  for (const char* collective : {"scan", "exscan"}) {
    for (const Plan& plan : {ring_scan(collective), expand(ring_scan(collective))}) {
      const Report report = verify(plan);
      EXPECT_TRUE(report.valid && report.claims_hold && report.optimal) << first_message(report);
      EXPECT_EQ(report.bound.value, 2u);
      EXPECT_THAT(report.bound.because, HasSubstr("every node needs the vector of node 0"));
    }
  }
}

TEST(Scan, says_which_node_lacks_what) {
  Plan plan = ring_scan("scan");
  plan.schedule.stages[0].result = {{0, 1, 2}};
  const Report report = verify(plan);  // the value of c - 2 is missing at nodes 2 and 3
  EXPECT_EQ(report.violation_count, 2u);
  EXPECT_EQ(report.violations[0].message,
            "stage 0: part 0 is not the sum of the contributions of all nodes up to it, each exactly once, "
            "at node 2");
  plan = ring_scan("exscan");
  plan.schedule.stages[0].result = {{0, 2, 3}};
  EXPECT_EQ(first_message(verify(plan)),
            "stage 0: part 0 is not the sum of the contributions of all nodes before it, each exactly once, "
            "at node 1");
}

// A sum of c - 1 and c + 1 is partly before node c, so node c leaves it out, and lacks a contribution.
TEST(Scan, needs_sums_that_lie_on_one_side) {
  Plan plan = ring_scan("scan");
  Stage& stage = plan.schedule.stages[0];
  stage.sums = {{0, {0}}, {0, {1, 2}}};
  stage.result = {{0, 1, 2}};
  stage.rounds = {};
  stage.rounds.add({0, 0, 0});
  stage.rounds.add({0, 0, 1});
  stage.rounds.close_round();
  stage.rounds.add({1, 0, 0});  // from c - 1: {c - 2, c}
  stage.rounds.close_round();
  EXPECT_FALSE(verify(plan).valid) << "no list has c - 2 alone";
  stage.result = {{1, 2, 3}};
  const Report report = verify(plan);
  EXPECT_FALSE(report.valid);
  EXPECT_GE(report.violation_count, 1u);
  EXPECT_FALSE(verify(expand(plan)).valid);
}

// Around a failed node the sums are those of the others. Node 1 of complete:4 has failed.
TEST(Scan, leaves_out_failed_nodes) {
  Plan plan = linear_exchange(4);
  plan.network = *plan.overlay;
  plan.overlay.reset();
  plan.failed.nodes = {1};
  plan.task = schedule::parse_task("scan", plan.network);
  Stage stage{Flow::exchange, {}, {}, {}, {{0, {0}}}, {{0, 1, 2}, {}, {0, 1, 2}, {0, 1, 2}}};
  for (const schedule::Node from : {0u, 2u, 3u}) {
    for (const schedule::Node to : {0u, 2u, 3u}) {
      if (from != to) stage.rounds.add({0, from, (to + 4 - from) % 4 - 1});
    }
  }
  stage.rounds.close_round();
  plan.schedule.stages = {stage};
  plan.claims = {1, 6, {}, {}};
  EXPECT_TRUE(verify(plan).valid) << first_message(verify(plan));
  EXPECT_TRUE(verify(plan).claims_hold) << first_message(verify(plan));
  plan.schedule.stages[0].result[3] = {0, 2};
  EXPECT_FALSE(verify(plan).valid);
}

TEST(Scan, is_one_exchange) {
  Plan plan = ring_scan("scan");
  plan.schedule.stages[0].flow = Flow::reduce_then_copy;
  EXPECT_THAT(first_message(verify(plan)), HasSubstr("scan needs another flow"));
  plan.schedule.stages[0].flow = Flow::reduce;
  EXPECT_THAT(first_message(verify(plan)), HasSubstr("scan takes one stage, an exchange"));
  plan = ring_scan("exscan");
  plan.schedule.stages.push_back(plan.schedule.stages[0]);
  EXPECT_FALSE(verify(plan).valid);
}

// Two messages over one link of the overlay, and a port model, count as on a network.
TEST(Exchange, obeys_links_and_ports_of_the_overlay) {
  Plan plan = linear_exchange(5);
  plan.schedule.ports = schedule::PortModel::one();
  EXPECT_FALSE(verify(plan).valid);
  plan = linear_exchange(5);
  plan.schedule.stages[0].rounds = {};
  for (int i = 0; i < 2; ++i) plan.schedule.stages[0].rounds.add({0, 0, 0});
  plan.schedule.stages[0].rounds.close_round();
  EXPECT_EQ(verify(plan).violations[0].rule, Rule::link);
}

// Hostile numbers cost neither memory nor time.
TEST(Exchange, is_cheap_on_absurd_plans) {
  Plan plan = linear_exchange(2);
  plan.overlay.reset();
  plan.network = recursive_doubling(1).network;
  plan.schedule.stages[0].replication = {};
  plan.network = *recursive_doubling(20).overlay;
  plan.schedule.stages[0].result = {{0}};
  EXPECT_THAT(first_message(verify(plan)), HasSubstr("too many sums to follow"));
}

TEST(ReduceThenCopy, is_valid) {
  for (std::uint32_t parts : {1u, 2u, 5u}) {
    const Plan plan = mirror_allreduce(parts);
    const Report report = verify(plan);
    EXPECT_TRUE(report.valid && report.claims_hold) << first_message(report);
    EXPECT_EQ(report.rounds, 3u + parts);
    EXPECT_EQ(report.hops, 6u * parts);
  }
  EXPECT_THAT(verify(mirror_allreduce(1)).delay, testing::ElementsAre(4));
}

TEST(ReduceThenCopy, every_damaged_hop_is_rejected) {
  const Plan plan = mirror_allreduce(3);
  const schedule::Rounds& whole = plan.schedule.stages[0].rounds;
  for (std::uint64_t i = 0; i < whole.hop_count(); ++i) {
    for (int change = 0; change < 4; ++change) {
      Plan damaged = plan;
      schedule::Rounds& rounds = damaged.schedule.stages[0].rounds = {};
      std::uint64_t number = 0;
      for (std::uint64_t t = 0; t < whole.size(); ++t) {
        for (Hop hop : whole.round(t)) {
          if (number++ == i) {
            if (change == 0) continue;
            if (change == 1 && hop.from == 2) rounds.add(hop);  // node 2 may as well send to 3
            if (change == 1 && hop.from != 2) hop.port = 1 - hop.port;
            if (change == 2) hop.from = (hop.from + 2) % 4;
            if (change == 3) hop.packet = (hop.packet + 1) % 3;
          }
          rounds.add(hop);
        }
        rounds.close_round();
      }
      EXPECT_FALSE(verify(damaged).valid) << "hop " << i << " change " << change;
    }
  }
}

TEST(ReduceThenCopy, reads_a_hop_by_what_its_root_holds) {
  // Node 0 sends before it holds everything: that gives the partial result away.
  Plan plan = mirror_allreduce(1);
  Stage stage{Flow::reduce_then_copy, {}, {}, {}};
  for (const std::vector<Hop>& round : std::vector<std::vector<Hop>>{
           {{0, 2, 1}}, {{0, 1, 1}}, {{0, 3, 0}, {0, 0, 0}}, {{0, 0, 1}}, {{0, 1, 0}}}) {
    for (const Hop& hop : round) stage.rounds.add(hop);
    stage.rounds.close_round();
  }
  plan.schedule.stages = {stage};
  const Report report = verify(plan);
  EXPECT_FALSE(report.valid);
  EXPECT_THAT(first_message(report), HasSubstr("does not end with every contribution at node"));
}

TEST(ReduceThenCopy, roots_may_differ_by_packet) {
  // ring:3, two listed packets with roots 0 and 1; every node sends and receives in both rounds.
  Plan plan = linear_exchange(3);
  Stage stage{Flow::reduce_then_copy, {}, {{0, schedule::to_all, 0, 0}, {1, schedule::to_all, 0, 0}}, {}};
  for (const std::vector<Hop>& round : std::vector<std::vector<Hop>>{
           {{0, 1, 1}, {0, 2, 0}, {1, 0, 0}, {1, 2, 1}}, {{0, 0, 0}, {0, 0, 1}, {1, 1, 0}, {1, 1, 1}}}) {
    for (const Hop& hop : round) stage.rounds.add(hop);
    stage.rounds.close_round();
  }
  plan.overlay.reset();
  plan.schedule.stages = {stage};
  plan.claims = {2, 8, {}, {}};
  EXPECT_TRUE(verify(plan).valid) << first_message(verify(plan));
  plan.schedule.stages[0].packets[1].to = 2;
  EXPECT_THAT(first_message(verify(plan)), HasSubstr("its destination is all"));

  // The same by symmetry: packet 0 of every origin.
  stage = {Flow::reduce_then_copy, schedule::Replication::all(), {}, {}};
  stage.rounds.add({0, 1, 1});
  stage.rounds.add({0, 2, 0});
  stage.rounds.close_round();
  stage.rounds.add({0, 0, 0});
  stage.rounds.add({0, 0, 1});
  stage.rounds.close_round();
  plan.schedule.stages = {stage};
  plan.claims = {2, 4, {}, {}};
  EXPECT_TRUE(verify(plan).claims_hold) << first_message(verify(plan));
  EXPECT_TRUE(verify(expand(plan)).valid);
}

}  // namespace
}  // namespace isotrope::verify
