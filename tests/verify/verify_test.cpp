// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/verify/verify.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isotrope/network/parse.hpp"

#include "isotrope/bound/lower_bounds.hpp"

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
  plan.bound = bound::lower_bounds(problem_of(plan)).front();
  plan.claims = {plan.schedule.round_count(), plan.schedule.hop_count(), {}, {}};
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

// Nodes 1 and 2 send to node 0, and all do the same: node v has the sum of packet v, and no other node has.
TEST(Verify, an_allreduce_does_not_end_at_one_node_a_sum) {
  const auto combined = [](std::string_view collective) {
    return plan_of("ring:3", collective, Flow::reduce, Replication::all(), {{{0, 1, 1}, {0, 2, 0}}});
  };
  EXPECT_TRUE(verify(combined("reduce-scatter")).valid);
  for (const std::string_view collective : {"allreduce", "barrier"}) {
    const Report report = verify(combined(collective));
    EXPECT_FALSE(report.valid);
    EXPECT_THAT(report.violations[0].message, HasSubstr("add a stage that copies it to all"));
  }
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

  plan.schedule.round_kind = RoundKind::aggregated;
  plan.claims.link_load = {2, 1};
  plan.bound = bound::lower_bounds(problem_of(plan)).front();
  EXPECT_TRUE(verify(plan).claims_hold);
  plan.claims.link_load = {1, 1};
  EXPECT_THAT(rules(verify(plan)), ElementsAre(Rule::claim));
}

TEST(Verify, sees_a_message_above_the_aggregation_limit) {
  // Three packets over one link in round 0, then two: ring:4, all packets of 0 go forward.
  schedule::Plan plan = plan_of("ring:4", "alltoall", Flow::move, Replication::all(),
                                {{{1, 0, 0}, {2, 0, 0}, {3, 0, 0}}, {{2, 1, 0}, {3, 1, 0}}, {{3, 2, 0}}});
  plan.schedule.round_kind = RoundKind::aggregated;
  plan.bound = {};
  EXPECT_TRUE(verify(plan).valid);
  plan.aggregation = 3;
  EXPECT_TRUE(verify(plan).valid);
  plan.aggregation = 2;

  const Report report = verify(plan);

  EXPECT_THAT(rules(report), ElementsAre(Rule::link));
  EXPECT_EQ(report.violations[0].message,
            "stage 0, round 0: a message of 3 packets exceeds the aggregation limit of 2");
}

TEST(Verify, counts_sends_and_receipts_against_the_port_model) {
  const auto rules_under = [](PortModel ports, schedule::Plan plan) {
    plan.schedule.ports = ports;
    plan.bound = bound::lower_bounds({.network = plan.network, .task = plan.task, .ports = ports}).front();
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
      verify(plan_of("ring:3", "reduce", Flow::reduce, Replication::none(), {{from_1, from_2}})).optimal);
  // 1 sends to 2, which sends to 0: both contributions travel together.
  EXPECT_TRUE(
      verify(plan_of("ring:3", "reduce", Flow::reduce, Replication::none(), {{{0, 1, 0}}, {from_2}})).valid);
  // 2 sends before 1's contribution reaches it, and that one stays behind.
  EXPECT_THAT(
      rules(verify(plan_of("ring:3", "reduce", Flow::reduce, Replication::none(), {{{0, 1, 0}, from_2}}))),
      ElementsAre(Rule::contribution));
  // A partial result cannot be sent twice.
  EXPECT_THAT(rules(verify(plan_of("ring:3", "reduce", Flow::reduce, Replication::none(),
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
  plan.bound = {};               // nodes 1 and 2 are disconnected from the root
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
  plan.claims.optimal = false;
  EXPECT_TRUE(verify(plan).claims_hold);
}

// ring:3, P = 1: with weights 1 on port 0 and 3 on port 1, distances are 1 and 2, and 4 may leave in a round.
TEST(Verify, evaluates_a_port_sum_bound_with_other_weights) {
  schedule::Plan plan = ring_alltoall();
  plan.bound = {"port-sum", 1, "", {1, 3}};
  EXPECT_TRUE(verify(plan).claims_hold);
  plan.bound.value = 2;
  EXPECT_EQ(verify(plan).violations[0].message, "the port-sum bound with these weights is 1, not 2");
  plan.bound = {"port-sum", 1, "", {0, 0}};
  EXPECT_FALSE(verify(plan).claims_hold);
  plan.bound = {"port-sum", 1, "", {1}};
  EXPECT_FALSE(verify(plan).claims_hold);
}

TEST(Verify, optimality_may_be_left_open_but_not_denied) {
  schedule::Plan plan = ring_alltoall();
  EXPECT_FALSE(plan.claims.optimal.has_value());
  EXPECT_TRUE(verify(plan).claims_hold && verify(plan).optimal);

  plan.claims.optimal = false;

  const Report report = verify(plan);
  EXPECT_TRUE(report.valid && report.optimal);
  EXPECT_FALSE(report.claims_hold);
  EXPECT_EQ(report.violations[0].message, "optimal is denied, but 1 rounds meet the bound");
}

TEST(Verify, compares_kind_and_reason_of_a_stated_bound) {
  const auto message = [](auto&& change) {
    schedule::Plan plan = ring_alltoall();
    change(plan.bound);
    const Report report = verify(plan);
    EXPECT_TRUE(report.valid && report.optimal);
    EXPECT_EQ(report.claims_hold, report.violations.empty());
    return report.violations.empty() ? "" : report.violations[0].message;
  };
  EXPECT_EQ(message([](auto&) {}), "");
  EXPECT_EQ(message([](auto& bound) {
              bound = {"foo", 9999, ""};
            }),
            "no foo bound is known for this plan: known are distance-sum, degree, distance");
  EXPECT_THAT(message([](auto& bound) { bound.because = "because"; }),
              HasSubstr("the reason of the distance-sum bound is '"));
  EXPECT_EQ(message([](auto& bound) { bound.because.clear(); }), "");
  EXPECT_EQ(message([](auto& bound) { bound = {}; }), "");
  EXPECT_EQ(message([](auto& bound) {
              bound.weights = {1, 2};
            }),
            "the weights of the distance-sum bound are [], not [1, 2]");
}

// A node alone has no packets to list, or only packets of failed nodes, and nothing has to move.
TEST(Verify, one_survivor_has_nothing_to_do) {
  for (const char* collective : {"alltoall", "scatter", "gather", "neighborhood:1:1", "isotropic", "task",
                                 "allgather", "broadcast", "reduce"}) {
    schedule::Plan plan = plan_of("complete:3", "alltoall", Flow::move, Replication::none(), {});
    plan.bound = {};
    plan.failed.nodes = {1, 2};
    plan.task = schedule::parse_task(collective, plan.network);
    const bool spreads = plan.task.collective == schedule::Collective::broadcast ||
                         plan.task.collective == schedule::Collective::allgather;
    if (spreads) plan.schedule.stages[0].flow = Flow::copy;
    if (reduces(plan.task.collective)) plan.schedule.stages[0].flow = Flow::reduce;
    if (plan.task.collective == schedule::Collective::allgather)
      plan.schedule.stages[0].packets = {{0, schedule::to_all, 0, 0}};

    const Report report = verify(plan);

    EXPECT_TRUE(report.valid && report.claims_hold)
        << collective << ": " << (report.violations.empty() ? "" : report.violations[0].message);
  }
}

TEST(Verify, no_packets_are_too_few_for_several_survivors) {
  schedule::Plan plan = plan_of("complete:3", "alltoall", Flow::move, Replication::none(), {});
  EXPECT_THAT(rules(verify(plan)), ElementsAre(Rule::structure));
  plan.failed.nodes = {1};
  EXPECT_FALSE(verify(plan).valid);
  plan.task = schedule::parse_task("scatter", plan.network);
  EXPECT_THAT(rules(verify(plan)), testing::Contains(Rule::delivery));
}

TEST(Verify, holds_packets_against_the_stated_traffic) {
  // Every node of ring:3 sends two blocks of two parts to its successor.
  schedule::Plan plan = plan_of("ring:3", "alltoall", Flow::move, Replication::all(),
                                {{{0, 0, 0}}, {{1, 0, 0}}, {{2, 0, 0}}, {{3, 0, 0}}});
  plan.task = schedule::parse_task("isotropic", plan.network, 0, 2);
  plan.task.destinations = {{1, 2}};
  plan.bound = {};
  plan.schedule.stages[0].packets = {{0, 1, 0, 0}, {0, 1, 0, 1}, {0, 1, 1, 0}, {0, 1, 1, 1}};
  EXPECT_TRUE(verify(plan).valid);

  plan.task.destinations = {{1, 1}};
  EXPECT_THAT(verify(plan).violations[0].message, HasSubstr("the traffic has 2 packets from node 0 to 1"));
  plan.task.destinations = {{1, 2}, {2, 1}};
  EXPECT_THAT(verify(plan).violations[0].message, HasSubstr("lacks the packets of 1 origins"));
  plan.task.destinations = {{1, 2}};
  plan.schedule.stages[0].packets[3] = {0, 1, 1, 0};
  EXPECT_THAT(rules(verify(plan)), ElementsAre(Rule::structure));

  plan = plan_of("ring:3", "alltoall", Flow::move, Replication::none(), {{{0, 2, 0}, {1, 0, 1}}});
  plan.task = schedule::parse_task("task", plan.network);
  plan.task.deliveries = {{2, 0}, {0, 2}};
  plan.bound = {};
  plan.schedule.stages[0].packets = {{2, 0, 0, 0}, {0, 2, 0, 0}};
  EXPECT_TRUE(verify(plan).valid);
  plan.task.deliveries = {{2, 0}, {0, 1}};
  EXPECT_THAT(rules(verify(plan)), ElementsAre(Rule::structure));
}

TEST(Verify, says_what_does_not_fit_the_collective) {
  schedule::Plan plan = ring_alltoall();
  plan.schedule.stages[0].replication = Replication::none();
  EXPECT_THAT(rules(verify(plan)), ElementsAre(Rule::structure));
  plan = ring_alltoall();
  plan.schedule.stages[0].flow = Flow::reduce;
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
