// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/verify/verify.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isotrope/network/parse.hpp"

namespace isotrope::verify {
namespace {

using schedule::Flow;
using schedule::Hop;
using schedule::PortModel;
using schedule::Replication;
using schedule::RoundKind;
using testing::ElementsAre;
using testing::HasSubstr;

// A plan by hand: rounds of hops of one stage.
schedule::Plan plan_of(std::string_view network_name, std::string_view collective, Flow flow,
                       Replication replication, const std::vector<std::vector<Hop>>& rounds) {
  const schedule::Network network = network::parse(network_name);
  schedule::Plan plan{network, {}, schedule::parse_task(collective, network), {}, {}, {}};
  plan.schedule.stages.push_back({flow, replication, {}, {}});
  for (const auto& round : rounds) {
    for (const Hop& hop : round) plan.schedule.stages[0].rounds.add(hop);
    plan.schedule.stages[0].rounds.close_round();
  }
  plan.bound = lower_bounds(network, plan.task, plan.schedule.ports, plan.schedule.round_kind).front();
  plan.claims = {plan.schedule.round_count(), plan.schedule.hop_count(), false, {}};
  return plan;
}

// On a ring of 3 (port 0 is +1, port 1 is -1) everything takes one round.
schedule::Plan ring_alltoall() {
  return plan_of("ring:3", "alltoall", Flow::move, Replication::all(), {{{1, 0, 0}, {2, 0, 1}}});
}

std::vector<Rule> rules(const Report& report) {
  std::vector<Rule> result;
  for (const Violation& violation : report.violations) result.push_back(violation.rule);
  return result;
}

TEST(Verify, measures_a_valid_plan) {
  const Report report = verify(ring_alltoall());

  EXPECT_TRUE(report.valid && report.claims_hold && report.optimal);
  EXPECT_EQ(report.rounds, 1u);
  EXPECT_EQ(report.hops, 2u);
  EXPECT_EQ(report.transmissions, 6u);
  EXPECT_THAT(report.links_used, ElementsAre(6));
  EXPECT_THAT(report.link_load, ElementsAre(1));
  EXPECT_EQ(report.busiest_link, 1u);
  EXPECT_THAT(report.delay, ElementsAre(0, 1, 1));
  EXPECT_DOUBLE_EQ(report.mean_delay, 1);
}

TEST(Verify, sees_a_hop_of_a_packet_that_is_elsewhere) {
  schedule::Plan plan = plan_of("ring:5", "scatter", Flow::move, Replication::none(),
                                {{{2, 0, 0}, {3, 0, 1}}, {{1, 0, 0}, {4, 0, 1}, {2, 1, 0}, {3, 4, 1}}});
  EXPECT_TRUE(verify(plan).optimal);
  plan.schedule.stages[0].rounds.add({2, 1, 0});
  plan.schedule.stages[0].rounds.close_round();

  const Report report = verify(plan);

  EXPECT_FALSE(report.valid);
  ASSERT_EQ(report.violations[0].rule, Rule::holding);
  EXPECT_EQ(report.violations[0].round, 2u);
  EXPECT_EQ(report.violations[0].node, 1u);
  EXPECT_EQ(report.violations[0].port, 0u);
  EXPECT_EQ(report.violations[0].packet, 2u);
}

// A packet received in a round cannot be sent on in the same round, whatever the order of the hops.
TEST(Verify, lets_a_packet_travel_one_hop_a_round) {
  const Hop first{0, 0, 0}, second{0, 1, 0}, third{0, 2, 0};
  EXPECT_FALSE(
      verify(plan_of("ring:4", "broadcast", Flow::copy, Replication::none(), {{first, second, third}}))
          .valid);
  EXPECT_TRUE(
      verify(plan_of("ring:4", "broadcast", Flow::copy, Replication::none(), {{first}, {second}, {third}}))
          .valid);
}

TEST(Verify, sees_two_packets_on_one_link) {
  schedule::Plan plan =
      plan_of("ring:3", "alltoall", Flow::move, Replication::all(), {{{1, 0, 0}, {2, 0, 0}}, {{2, 1, 0}}});
  EXPECT_THAT(rules(verify(plan)), ElementsAre(Rule::link));
  EXPECT_EQ(verify(plan).link_load[0], 2u);

  plan.schedule.round_kind = RoundKind::combining;
  plan.claims.link_load = {2, 1};
  plan.bound = lower_bounds(plan.network, plan.task, plan.schedule.ports, RoundKind::combining).front();
  EXPECT_TRUE(verify(plan).claims_hold);
  plan.claims.link_load = {1, 1};
  EXPECT_THAT(rules(verify(plan)), ElementsAre(Rule::claim));
}

TEST(Verify, counts_sends_and_receipts_against_the_port_model) {
  const auto rules_under = [](PortModel ports, schedule::Plan plan) {
    plan.schedule.ports = ports;
    plan.bound = lower_bounds(plan.network, plan.task, ports, RoundKind::strict).front();
    return rules(verify(plan));
  };
  const schedule::Plan at_once = ring_alltoall();
  EXPECT_THAT(rules_under(PortModel::ports(2), at_once), ElementsAre());
  EXPECT_THAT(rules_under(PortModel::ports(1), at_once), ElementsAre(Rule::ports, Rule::ports));
  EXPECT_THAT(rules_under(PortModel::one(), at_once), ElementsAre(Rule::ports, Rule::ports));

  // One port at a time; but every node still sends and receives in every round.
  const schedule::Plan in_turn =
      plan_of("ring:3", "alltoall", Flow::move, Replication::all(), {{{1, 0, 0}}, {{2, 0, 1}}});
  EXPECT_THAT(rules_under(PortModel::one(), in_turn), ElementsAre());
  EXPECT_THAT(rules_under(PortModel::half(), in_turn), ElementsAre(Rule::ports, Rule::ports));
}

TEST(Verify, sees_a_packet_left_behind) {
  const Report report = verify(
      plan_of("ring:4", "alltoall", Flow::move, Replication::all(), {{{1, 0, 0}, {3, 0, 1}}, {{2, 0, 0}}}));

  ASSERT_THAT(rules(report), ElementsAre(Rule::delivery));
  EXPECT_EQ(report.violations[0].packet, 2u);
  EXPECT_EQ(report.violations[0].node, 2u);
}

TEST(Verify, wants_every_contribution_exactly_once) {
  const Hop from_1{0, 1, 1}, from_2{0, 2, 0};
  EXPECT_TRUE(
      verify(plan_of("ring:3", "reduce", Flow::combine, Replication::none(), {{from_1, from_2}})).optimal);
  // 1 sends to 2, which sends to 0: both contributions travel together.
  EXPECT_TRUE(
      verify(plan_of("ring:3", "reduce", Flow::combine, Replication::none(), {{{0, 1, 0}}, {from_2}})).valid);
  // 2 sends before 1's contribution reaches it, and that one stays behind.
  EXPECT_THAT(
      rules(verify(plan_of("ring:3", "reduce", Flow::combine, Replication::none(), {{{0, 1, 0}, from_2}}))),
      ElementsAre(Rule::contribution));
  // A partial result cannot be sent twice.
  EXPECT_THAT(rules(verify(plan_of("ring:3", "reduce", Flow::combine, Replication::none(),
                                   {{from_1, from_2}, {from_1}}))),
              ElementsAre(Rule::holding));
}

TEST(Verify, keeps_off_failed_nodes_and_links) {
  // ring:5 without node 3: the broadcast has to go round.
  schedule::Plan plan =
      plan_of("ring:5", "broadcast", Flow::copy, Replication::none(), {{{0, 0, 0}, {0, 0, 1}}, {{0, 1, 0}}});
  EXPECT_FALSE(verify(plan).valid);
  plan.failed.nodes = {3};
  EXPECT_TRUE(verify(plan).valid);
  EXPECT_TRUE(verify(plan).optimal);  // node 2 is 2 hops away

  plan.failed.links = {{1, 1}};  // the link 1 - 0, named from its other end
  EXPECT_THAT(rules(verify(plan)), ElementsAre(Rule::failed));
  plan.failed = {{3}, {{5, 0}}};
  EXPECT_THAT(verify(plan).violations[0].message, HasSubstr("outside the network"));
  plan.failed = {{3, 1}, {}};
  EXPECT_FALSE(verify(plan).valid);
  plan.failed = {{3, 0}, {}};
  EXPECT_THAT(verify(plan).violations[0].message, HasSubstr("root has failed"));
}

TEST(Verify, follows_listed_packets) {
  schedule::Plan plan = plan_of("ring:4", "alltoall", Flow::move, Replication::even(0), {});
  // Antipodal packets of even nodes go +, of odd nodes go -: two rounds, one less than with full symmetry.
  for (Node origin : {0u, 1u}) {
    for (Node v = 1; v < 4; ++v) plan.schedule.stages[0].packets.push_back({origin, (origin + v) % 4, v, 0});
  }
  schedule::Rounds rounds;
  for (const Hop hop : {Hop{1, 0, 0}, Hop{2, 0, 1}, Hop{4, 1, 1}, Hop{3, 1, 0}}) rounds.add(hop);
  rounds.close_round();
  for (const Hop hop : {Hop{0, 0, 0}, Hop{1, 1, 0}, Hop{4, 0, 1}, Hop{5, 1, 1}}) rounds.add(hop);
  rounds.close_round();
  plan.schedule.stages[0].rounds = rounds;
  plan.claims = {2, 8, true, {}};

  const Report report = verify(plan);

  EXPECT_TRUE(report.optimal && report.claims_hold) << report.violations[0].message;
  EXPECT_THAT(report.links_used, ElementsAre(8, 8));
}

TEST(Verify, recomputes_every_claim) {
  schedule::Plan plan = ring_alltoall();
  plan.claims.rounds = 2;
  EXPECT_THAT(rules(verify(plan)), ElementsAre(Rule::claim));
  plan = ring_alltoall();
  plan.claims.hops = 3;
  EXPECT_THAT(rules(verify(plan)), ElementsAre(Rule::claim));
  plan = ring_alltoall();
  plan.bound.value = 2;
  EXPECT_THAT(rules(verify(plan)), ElementsAre(Rule::claim));
  EXPECT_TRUE(verify(plan).valid);

  plan = plan_of("ring:3", "alltoall", Flow::move, Replication::all(), {{{1, 0, 0}}, {{2, 0, 1}}});
  plan.claims.optimal = true;
  EXPECT_THAT(rules(verify(plan)), ElementsAre(Rule::claim));
}

TEST(Verify, says_what_does_not_fit_the_collective) {
  schedule::Plan plan = ring_alltoall();
  plan.schedule.stages[0].replication = Replication::none();
  EXPECT_THAT(rules(verify(plan)), ElementsAre(Rule::structure));
  plan = ring_alltoall();
  plan.schedule.stages[0].flow = Flow::combine;
  EXPECT_THAT(rules(verify(plan)), ElementsAre(Rule::structure));
  plan = ring_alltoall();
  plan.schedule.stages.clear();
  EXPECT_THAT(rules(verify(plan)), ElementsAre(Rule::structure, Rule::claim, Rule::claim));
  plan = ring_alltoall();
  plan.schedule.stages.push_back(plan.schedule.stages[0]);
  EXPECT_THAT(verify(plan).violations[0].message, HasSubstr("begins at node"));
}

TEST(Verify, keeps_only_the_first_violations_but_counts_all) {
  schedule::Plan plan = ring_alltoall();
  schedule::Rounds rounds;
  for (int i = 0; i < 100; ++i) rounds.add({1, 1, 0});
  rounds.close_round();
  plan.schedule.stages[0].rounds = rounds;

  const Report report = verify(plan, {.most_violations = 5});

  EXPECT_EQ(report.violations.size(), 5u);
  EXPECT_GT(report.violation_count, 100u);
}

// Hostile numbers cost neither memory nor time.
TEST(Verify, is_cheap_on_absurd_plans) {
  schedule::Plan plan = plan_of("hypercube:26", "alltoall", Flow::move, Replication::all(), {{{5, 0, 0}}});
  plan.task.parts = 63;
  EXPECT_THAT(rules(verify(plan))[0], Rule::delivery);

  plan = plan_of("hypercube:26", "broadcast", Flow::copy, Replication::none(), {{{0, 0, 0}}});
  EXPECT_THAT(rules(verify(plan))[0], Rule::delivery);
}

}  // namespace
}  // namespace isotrope::verify
