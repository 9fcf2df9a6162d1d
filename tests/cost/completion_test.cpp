// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Times worked out by hand. Unless a test says otherwise a message takes one second.
#include "isotrope/cost/completion.hpp"

#include <cmath>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isotrope/network/parse.hpp"

#include "isotrope/cost/round_time.hpp"

#include "tests/cost/plans.hpp"

namespace isotrope::cost {
namespace {

using schedule::Flow;
using schedule::Hop;
using schedule::Plan;
using schedule::PortModel;
using schedule::Replication;
using schedule::RoundKind;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

using RoundList = std::vector<std::vector<Hop>>;

Plan broadcast(std::string_view network, std::uint32_t parts, PortModel ports, const RoundList& rounds) {
  return checked_plan(network::parse(network), "broadcast", 0, parts, schedule_of(ports, Flow::copy, rounds));
}

// Two packets along 0 -> 1 -> 2, one action of a node after the other.
Plan path_of_three() {
  return broadcast("ring:3", 2, PortModel::half(), {{{0, 0, 0}}, {{0, 1, 0}}, {{1, 0, 0}}, {{1, 1, 0}}});
}

// One packet from node 0 to each neighbour in turn.
Plan star_of_four() {
  return broadcast("complete:4", 1, PortModel::half(), {{{0, 0, 0}}, {{0, 0, 1}}, {{0, 0, 2}}});
}

Machine machine_with(PortModel ports, double overlap = 0) {
  return {.ports = ports, .overlap = overlap};
}

// One byte a packet.
Workload bytes_of(const Plan& plan) {
  return Workload::in_parts(plan.task.parts, plan.task.parts);
}

// Start and end of every message, in the plan's order.
std::vector<std::pair<double, double>> spans(const Plan& plan, const Machine& machine) {
  std::vector<std::pair<double, double>> result;
  complete(plan, machine, bytes_of(plan),
           {.visit = [&](const Message& message) { result.emplace_back(message.start_s, message.end_s); }});
  return result;
}

TEST(CompletionTimes, of_two_nodes_are_those_of_their_messages) {
  const Plan plan = broadcast("hypercube:1", 3, PortModel::one(), {{{0, 0, 0}}, {{1, 0, 0}}, {{2, 0, 0}}});
  const Machine machine{.startup_s = 2, .byte_time_s = 0.25, .internal_packet = 3};

  const Completion result = complete(plan, machine, {10, 4});

  // 4, 4 and 2 bytes in 2, 2 and 1 internal packets.
  EXPECT_EQ(result.completion_s, 5 + 5 + 2.5);
  EXPECT_THAT(result.stage_finish_s, ElementsAre(12.5));
  EXPECT_THAT(result.class_finish_s, ElementsAre(12.5, 12.5));
  EXPECT_EQ(result.messages, 3u);
  EXPECT_EQ(result.startups, 5u);
  EXPECT_EQ(result.bytes, 10u);
}

TEST(CompletionTimes, charge_an_empty_part_its_start_up) {
  const Plan plan = broadcast("hypercube:1", 3, PortModel::one(), {{{0, 0, 0}}, {{1, 0, 0}}, {{2, 0, 0}}});
  EXPECT_EQ(complete(plan, {.startup_s = 2, .byte_time_s = 0.25}, {2, 1}).completion_s, 2.25 + 2.25 + 2);
}

TEST(CompletionTimes, of_a_path_depend_on_whether_its_middle_can_send_and_receive) {
  const Plan plan = path_of_three();
  EXPECT_THAT(spans(plan, machine_with(PortModel::half())),
              ElementsAre(Pair(0, 1), Pair(1, 2), Pair(2, 3), Pair(3, 4)));
  for (PortModel ports : {PortModel::one(), PortModel::ports(2), PortModel::all()}) {
    EXPECT_THAT(spans(plan, machine_with(ports)),
                ElementsAre(Pair(0, 1), Pair(1, 2), Pair(1, 2), Pair(2, 3)));
  }
  const Completion result = complete(plan, machine_with(PortModel::one()), bytes_of(plan));
  EXPECT_THAT(result.class_finish_s, ElementsAre(2, 3, 3));
}

TEST(CompletionTimes, of_a_star_depend_on_how_many_ports_send_at_once) {
  const Plan plan = star_of_four();
  for (PortModel ports : {PortModel::half(), PortModel::one()}) {
    EXPECT_THAT(spans(plan, machine_with(ports)), ElementsAre(Pair(0, 1), Pair(1, 2), Pair(2, 3)));
  }
  EXPECT_THAT(spans(plan, machine_with(PortModel::ports(2))),
              ElementsAre(Pair(0, 1), Pair(0, 1), Pair(1, 2)));
  EXPECT_THAT(spans(plan, machine_with(PortModel::all())), ElementsAre(Pair(0, 1), Pair(0, 1), Pair(0, 1)));
}

// The end of a send or receipt runs beside the next one: each port waits for itself, every node for 3/4 of
// its last action.
TEST(CompletionTimes, overlap_actions_on_different_ports) {
  EXPECT_THAT(spans(star_of_four(), machine_with(PortModel::half(), 0.25)),
              ElementsAre(Pair(0, 1), Pair(0.75, 1.75), Pair(1.5, 2.5)));
  // Node 1 has the first packet at 1 and its slot again at 1.75, having sent the packet on.
  EXPECT_THAT(spans(path_of_three(), machine_with(PortModel::half(), 0.25)),
              ElementsAre(Pair(0, 1), Pair(1, 2), Pair(1.75, 2.75), Pair(2.75, 3.75)));
}

// Node 2 sends to 1, then 1 and 3 to 0, which sends the result back when both have come.
TEST(CompletionTimes, of_a_result_begin_when_it_is_complete) {
  const Plan plan =
      checked_plan(network::parse("ring:4"), "allreduce", 0, 1,
                   schedule_of(PortModel::all(), Flow::reduce_then_copy,
                               {{{0, 2, 1}}, {{0, 1, 1}, {0, 3, 0}}, {{0, 0, 0}, {0, 0, 1}}, {{0, 1, 0}}}));
  EXPECT_THAT(spans(plan, machine_with(PortModel::all())),
              ElementsAre(Pair(0, 1), Pair(1, 2), Pair(0, 1), Pair(2, 3), Pair(2, 3), Pair(3, 4)));
}

TEST(CompletionTimes, overlap_nothing_on_one_port) {
  const Plan stream = broadcast("hypercube:1", 2, PortModel::one(), {{{0, 0, 0}}, {{1, 0, 0}}});
  for (PortModel ports : {PortModel::half(), PortModel::one()}) {
    EXPECT_THAT(spans(stream, machine_with(ports, 0.5)), ElementsAre(Pair(0, 1), Pair(1, 2)));
  }
  // Under half duplex the two directions of a link are one port.
  Plan exchange{network::parse("hypercube:1"), {}, {}, {}, {}, {}};
  exchange.task.collective = schedule::Collective::task;
  exchange.schedule = schedule_of(PortModel::one(), Flow::move, {{{0, 0, 0}, {1, 1, 0}}});
  exchange.schedule.stages[0].packets = {{0, 1, 0, 0}, {1, 0, 0, 0}};
  EXPECT_THAT(spans(exchange, machine_with(PortModel::half(), 0.5)), ElementsAre(Pair(0, 1), Pair(1, 2)));
  EXPECT_THAT(spans(exchange, machine_with(PortModel::one(), 0.5)), ElementsAre(Pair(0, 1), Pair(0, 1)));
}

// The processor of node 0 takes half a second for each of the three messages, whatever the ports.
TEST(CompletionTimes, wait_for_the_processor_of_the_sender) {
  Machine machine = machine_with(PortModel::all());
  machine.overhead_s = 0.5;
  EXPECT_THAT(spans(star_of_four(), machine), ElementsAre(Pair(0.5, 1.5), Pair(1, 2), Pair(1.5, 2.5)));
  machine.ports = PortModel::one();  // prepared while the one before is under way
  EXPECT_THAT(spans(star_of_four(), machine), ElementsAre(Pair(0.5, 1.5), Pair(1.5, 2.5), Pair(2.5, 3.5)));
  machine.overhead_s = 2;  // longer than the messages
  EXPECT_THAT(spans(star_of_four(), machine), ElementsAre(Pair(2, 3), Pair(4, 5), Pair(6, 7)));
}

// Node 1 takes half a second for each packet that comes, before it passes on; so does node 2.
TEST(CompletionTimes, wait_for_the_processor_of_the_receiver) {
  Machine machine = machine_with(PortModel::all());
  machine.receive_overhead_s = 0.5;
  EXPECT_THAT(spans(path_of_three(), machine),
              ElementsAre(Pair(0, 1), Pair(1.5, 2.5), Pair(1, 2), Pair(2.5, 3.5)));
  EXPECT_EQ(complete(path_of_three(), machine, {}).completion_s, 4);
}

// Node 1 prepares the first packet when it has come, the second when it is done with the first.
TEST(CompletionTimes, prepare_messages_in_the_order_of_the_plan) {
  Machine machine = machine_with(PortModel::all());
  machine.overhead_s = 1.5;
  EXPECT_THAT(spans(path_of_three(), machine),
              ElementsAre(Pair(1.5, 2.5), Pair(4, 5), Pair(3, 4), Pair(5.5, 6.5)));
}

TEST(CompletionTimes, send_what_shares_a_link_as_one_message_in_a_combining_round) {
  const RoundList rounds = {{{1, 0, 0}, {3, 0, 1}, {2, 0, 0}}, {{2, 1, 0}}};
  const Plan plan = checked_plan(network::parse("ring:4"), "scatter", 0, 1,
                                 schedule_of(PortModel::all(), Flow::move, rounds, RoundKind::aggregated));
  const Machine machine{.startup_s = 1, .byte_time_s = 0.5, .ports = PortModel::one()};
  std::vector<Message> messages;

  const Completion result =
      complete(plan, machine, {4, 4}, {.visit = [&](const Message& m) { messages.push_back(m); }});

  ASSERT_EQ(messages.size(), 3u);
  EXPECT_EQ(messages[0].packets, 2u);
  EXPECT_EQ(messages[0].packet, 1u);
  EXPECT_EQ(messages[0].bytes, 8u);
  EXPECT_EQ(messages[0].end_s, 1 + 4);
  EXPECT_EQ(messages[1].start_s, 5);  // node 0 sends one message at a time
  EXPECT_EQ(messages[2].start_s, 5);
  EXPECT_EQ(messages[2].round, 1u);
  EXPECT_EQ(messages[2].from, 1u);
  EXPECT_EQ(messages[2].port, 0u);
  EXPECT_EQ(result.completion_s, 8);
  EXPECT_EQ(result.startups, 3u);
  EXPECT_EQ(result.bytes, 16u);
}

// Node 1 has the packet from the first second on, though it comes again from node 2 before it is sent on.
TEST(CompletionTimes, count_the_first_copy) {
  const Plan plan =
      broadcast("complete:4", 1, PortModel::one(), {{{0, 0, 0}}, {{0, 0, 1}}, {{0, 2, 2}}, {{0, 1, 1}}});
  EXPECT_THAT(spans(plan, machine_with(PortModel::one())),
              ElementsAre(Pair(0, 1), Pair(1, 2), Pair(2, 3), Pair(1, 2)));
}

// Node 1 sends its own contribution at once and node 2's when it has come, whatever the order of the list.
TEST(CompletionTimes, wait_for_the_contributions_of_earlier_rounds_alone) {
  for (const auto& first : {std::vector<Hop>{{0, 1, 1}, {0, 2, 1}}, {{0, 2, 1}, {0, 1, 1}}}) {
    const Plan plan = checked_plan(network::parse("ring:3"), "reduce", 0, 1,
                                   schedule_of(PortModel::one(), Flow::reduce, {first, {{0, 1, 1}}}));
    EXPECT_THAT(spans(plan, machine_with(PortModel::one())), ElementsAre(Pair(0, 1), Pair(0, 1), Pair(1, 2)));
  }
}

// Both neighbours' contributions go through node 2: the later one comes at 2.
TEST(CompletionTimes, wait_for_the_last_contribution) {
  const Plan plan =
      checked_plan(network::parse("complete:4"), "reduce", 0, 1,
                   schedule_of(PortModel::one(), Flow::reduce, {{{0, 1, 0}}, {{0, 3, 2}}, {{0, 2, 1}}}));
  EXPECT_THAT(spans(plan, machine_with(PortModel::one())), ElementsAre(Pair(0, 1), Pair(1, 2), Pair(2, 3)));
  EXPECT_THAT(spans(plan, machine_with(PortModel::all())), ElementsAre(Pair(0, 1), Pair(0, 1), Pair(1, 2)));
}

// The first part goes back before the second has come.
TEST(CompletionTimes, let_stages_flow_into_each_other) {
  schedule::Schedule both = schedule_of(PortModel::one(), Flow::reduce, {{{0, 1, 0}}, {{1, 1, 0}}});
  both.stages.push_back(schedule_of(PortModel::one(), Flow::copy, {{{0, 0, 0}}, {{1, 0, 0}}}).stages[0]);
  const Plan plan = checked_plan(network::parse("hypercube:1"), "allreduce", 0, 2, both);

  EXPECT_THAT(spans(plan, machine_with(PortModel::one())),
              ElementsAre(Pair(0, 1), Pair(1, 2), Pair(1, 2), Pair(2, 3)));
  EXPECT_THAT(complete(plan, machine_with(PortModel::one()), {2, 1}).stage_finish_s, ElementsAre(2, 3));
  EXPECT_THAT(complete(plan, machine_with(PortModel::half()), {2, 1}).stage_finish_s, ElementsAre(2, 4));
}

// A round later than need be costs nothing: what is sent then has been ready before.
TEST(CompletionTimes, are_below_those_in_lock_step_where_a_plan_has_slack) {
  const Plan plan = broadcast("ring:4", 1, PortModel::one(), {{{0, 0, 0}}, {{0, 0, 1}}, {{0, 1, 0}}});
  EXPECT_EQ(complete(plan, machine_with(PortModel::one()), {}).completion_s, 2);
  EXPECT_EQ(round_time(plan, machine_with(PortModel::one()), {}), 3);
}

Plan replicated_exchange() {
  schedule::Schedule schedule = schedule_of(PortModel::all(), Flow::move, {{{1, 0, 0}, {2, 0, 1}}});
  schedule.stages[0].replication = Replication::all();
  return checked_plan(network::parse("ring:3"), "alltoall", 0, 1, schedule);
}

TEST(CompletionTimes, follow_one_node_where_all_are_alike) {
  const Plan plan = replicated_exchange();
  EXPECT_THAT(spans(plan, machine_with(PortModel::all())), ElementsAre(Pair(0, 1), Pair(0, 1)));
  EXPECT_THAT(spans(plan, machine_with(PortModel::one())), ElementsAre(Pair(0, 1), Pair(1, 2)));

  const Completion result = complete(plan, machine_with(PortModel::one()), {});

  EXPECT_THAT(result.class_finish_s, ElementsAre(2));
  EXPECT_EQ(result.messages, 6u);
  EXPECT_EQ(result.bytes, 6u);
}

// Any two of the six messages share one of the three nodes.
TEST(CompletionTimes, follow_every_translate_where_nodes_cannot_send_and_receive_at_once) {
  const Completion result = complete(replicated_exchange(), machine_with(PortModel::half()), {});
  EXPECT_EQ(result.completion_s, 6);
  EXPECT_THAT(result.class_finish_s, ElementsAre(5, 6, 6));
  EXPECT_EQ(result.messages, 6u);
}

TEST(CompletionTimes, of_a_plan_without_hops_are_zero) {
  const Plan plan = broadcast("torus:1", 1, PortModel::all(), {{}});
  EXPECT_EQ(complete(plan, machine_with(PortModel::all()), {}).completion_s, 0);
  EXPECT_EQ(round_time(plan, machine_with(PortModel::all()), {}), 0);
}

TEST(CompletionTimes, report_progress) {
  std::vector<double> shares;
  const Plan plan = path_of_three();
  complete(plan, {}, bytes_of(plan), {.progress = [&](double share) { shares.push_back(share); }});
  EXPECT_THAT(shares, ElementsAre(0.25, 0.5, 0.75, 1));
}

TEST(CompletionTimes, are_infinite_where_a_copy_is_sent_that_never_came) {
  Plan plan = path_of_three();
  plan.schedule = schedule_of(PortModel::one(), Flow::copy, {{{0, 2, 0}}});
  EXPECT_TRUE(std::isinf(complete(plan, {}, {2, 1}).completion_s));
}

std::string refusal(const Plan& plan, const Workload& workload, const Machine& machine = {}) {
  return error_of([&] { complete(plan, machine, workload); });
}

TEST(CompletionTimes, refuse_machines_and_workloads_that_do_not_fit) {
  const Plan plan = path_of_three();
  EXPECT_EQ(refusal(plan, {2, 1}), "");
  EXPECT_THAT(refusal(plan, {2, 1}, machine_with(PortModel::ports(3))), HasSubstr("give 1 to 2, the degree"));
  EXPECT_THAT(refusal(plan, {3, 1}), HasSubstr("into 3 parts, and the plan has 2"));
  EXPECT_THAT(refusal(star_of_four(), {most_block_bytes, most_block_bytes}),
              HasSubstr("give smaller blocks"));
}

TEST(CompletionTimes, refuse_hops_outside_the_plan) {
  for (const Hop& hop : {Hop{2, 0, 0}, Hop{0, 3, 0}, Hop{0, 0, 2}}) {
    Plan plan = path_of_three();
    plan.schedule = schedule_of(PortModel::half(), Flow::copy, {{hop}});
    EXPECT_THAT(refusal(plan, {2, 1}), HasSubstr("lies outside 2 packets, 3 nodes and 2 ports"));
  }
}

TEST(CompletionTimes, refuse_packets_outside_the_network) {
  Plan plan = path_of_three();
  plan.task.root = 3;
  EXPECT_THAT(refusal(plan, {2, 1}), HasSubstr("packets begin at node 3, outside 3 nodes"));
  plan = path_of_three();
  plan.schedule.stages[0].packets = {{0, schedule::to_all, 0, 0}, {7, schedule::to_all, 0, 1}};
  EXPECT_THAT(refusal(plan, {2, 1}), HasSubstr("packets begin at node 7"));
}

TEST(CompletionTimes, refuse_stages_that_do_not_follow_each_other) {
  Plan plan = path_of_three();
  plan.schedule.stages.push_back({Flow::move, Replication::none(), {{0, 1, 0, 0}}, {}});
  EXPECT_THAT(refusal(plan, {2, 1}), HasSubstr("stage 1 has another replication or other packets"));
}

TEST(CompletionTimes, refuse_what_would_not_fit) {
  const auto unsent = [](std::string_view network, std::uint32_t parts) {
    const auto net = network::parse(network);
    return Plan{net,
                {},
                schedule::parse_task("broadcast", net, 0, parts),
                schedule_of(PortModel::one(), Flow::copy, {}),
                {},
                {}};
  };
  EXPECT_THAT(refusal(unsent("hypercube:10", 1 << 20), {1 << 20, 1}),
              HasSubstr("1048576 packets by 1024 nodes are more than"));
  EXPECT_THAT(refusal(unsent("hypercube:25", 1), {1, 1}),
              HasSubstr("33554432 nodes by 25 ports are more than"));
}

}  // namespace
}  // namespace isotrope::cost
