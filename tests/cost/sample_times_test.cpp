// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Properties of times over plans of every flow, replication, port model and kind of rounds. All times are
// multiples of 1/8, so that sums are exact and equal means equal.
#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "isotrope/schedule/node_classes.hpp"

#include "isotrope/cost/completion.hpp"
#include "isotrope/cost/round_time.hpp"

#include "isotrope/verify/verify.hpp"

#include "tests/cost/reference.hpp"
#include "tests/verify/sample_plans.hpp"

namespace isotrope::cost {
namespace {

using schedule::Plan;
using schedule::PortModel;

// Blocks of 13 bytes in packets of unlike sizes, the large ones of several start-ups.
Workload uneven(const Plan& plan) {
  return Workload::in_parts(13, plan.task.parts);
}

Machine machine_of(PortModel ports, double overlap) {
  return {.startup_s = 1.5, .byte_time_s = 0.125, .internal_packet = 5, .ports = ports, .overlap = overlap};
}

Machine with_overhead(Machine machine, double overhead) {
  machine.overhead_s = overhead;
  machine.overhead_byte_s = overhead / 4;
  machine.receive_overhead_s = overhead / 2;
  return machine;
}

std::vector<Machine> machines(const Plan& plan) {
  return {with_overhead(machine_of(plan.schedule.ports, 0), 0.5),
          with_overhead(machine_of(PortModel::half(), 0.25), 2),
          with_overhead(machine_of(PortModel::all(), 0), 0.125),
          machine_of(plan.schedule.ports, 0),
          machine_of(PortModel::half(), 0),
          machine_of(PortModel::half(), 0.25),
          machine_of(PortModel::one(), 0.25),
          machine_of(PortModel::ports(std::min<Port>(2, plan.network.degree())), 0.5),
          machine_of(PortModel::all(), 0)};
}

std::string name_of(const Plan& plan, const Machine& machine) {
  return plan.network.name() + " " + to_string(plan.task) + " " + to_string(plan.schedule.ports) + " on " +
         to_string(machine.ports);
}

class SampleTimes : public testing::TestWithParam<std::string_view> {};

TEST_P(SampleTimes, are_those_of_the_definition) {
  for (const Plan& plan : verify::sample_plans(GetParam())) {
    const Plan full = verify::expand(plan);
    for (const Machine& machine : machines(plan)) {
      const auto expected = times_by_definition(full, machine, uneven(plan));
      std::vector<Message> messages;
      complete(full, machine, uneven(plan), {.visit = [&](const Message& m) { messages.push_back(m); }});

      ASSERT_EQ(messages.size(), expected.size()) << name_of(plan, machine);
      for (std::size_t i = 0; i < messages.size(); ++i) {
        ASSERT_EQ(messages[i].stage, expected[i].stage);
        ASSERT_EQ(messages[i].round, expected[i].round);
        ASSERT_EQ(messages[i].from, expected[i].from);
        ASSERT_EQ(messages[i].port, expected[i].port);
        ASSERT_EQ(messages[i].packets, expected[i].packets.size());
        ASSERT_EQ(messages[i].packet, expected[i].packets.front());
        ASSERT_EQ(messages[i].bytes, expected[i].bytes);
        ASSERT_EQ(messages[i].start_s, expected[i].start_s) << name_of(plan, machine) << " message " << i;
        ASSERT_EQ(messages[i].end_s, expected[i].end_s);
      }
    }
  }
}

TEST_P(SampleTimes, are_the_same_for_one_node_a_class_and_for_all_nodes) {
  for (const Plan& plan : verify::sample_plans(GetParam())) {
    const Plan full = verify::expand(plan);
    const schedule::NodeClasses classes(plan.network.group(), plan.schedule.stages[0].replication);
    for (const Machine& machine : machines(plan)) {
      const Completion quotient = complete(plan, machine, uneven(plan));
      const Completion whole = complete(full, machine, uneven(plan));

      EXPECT_EQ(quotient.completion_s, whole.completion_s) << name_of(plan, machine);
      EXPECT_EQ(quotient.stage_finish_s, whole.stage_finish_s) << name_of(plan, machine);
      EXPECT_EQ(quotient.messages, whole.messages) << name_of(plan, machine);
      EXPECT_EQ(quotient.startups, whole.startups) << name_of(plan, machine);
      EXPECT_EQ(quotient.bytes, whole.bytes) << name_of(plan, machine);
      const bool by_class = quotient.class_finish_s.size() == classes.count();
      ASSERT_TRUE(by_class || quotient.class_finish_s.size() == plan.network.order());
      for (Node node = 0; node < plan.network.order(); ++node) {
        EXPECT_EQ(quotient.class_finish_s[by_class ? classes.of(node) : node], whole.class_finish_s[node])
            << name_of(plan, machine) << " node " << node;
      }
    }
    for (const double overhead : {0.0, 0.5}) {
      const Machine machine = with_overhead(machine_of(PortModel::all(), 0), overhead);
      EXPECT_EQ(round_time(plan, machine, uneven(plan)), round_time(full, machine, uneven(plan)));
    }
  }
}

TEST_P(SampleTimes, are_at_most_those_in_lock_step) {
  for (const Plan& plan : verify::sample_plans(GetParam())) {
    for (double overlap : {0.0, 0.25}) {
      for (double overhead : {0.0, 0.125, 4.0}) {
        const Machine machine = with_overhead(machine_of(plan.schedule.ports, overlap), overhead);
        const Completion result = complete(plan, machine, uneven(plan));
        EXPECT_LE(result.completion_s, round_time(plan, machine, uneven(plan))) << name_of(plan, machine);
        EXPECT_EQ(result.completion_s, std::ranges::max(result.stage_finish_s));
        EXPECT_EQ(result.completion_s, std::ranges::max(result.class_finish_s));
      }
    }
  }
}

// The order of messages is fixed, so there are no anomalies: a better machine is never slower.
TEST_P(SampleTimes, never_grow_where_the_machine_gets_better) {
  for (const Plan& plan : verify::sample_plans(GetParam())) {
    const auto time = [&](const Machine& machine) {
      return complete(plan, machine, uneven(plan)).completion_s;
    };
    const Port degree = plan.network.degree();
    double slower = time(machine_of(PortModel::half(), 0));
    for (PortModel ports :
         {PortModel::one(), PortModel::ports((degree + 1) / 2), PortModel::ports(degree), PortModel::all()}) {
      const double faster = time(machine_of(ports, 0));
      EXPECT_LE(faster, slower) << name_of(plan, machine_of(ports, 0));
      slower = faster;
    }
    for (PortModel ports : {PortModel::half(), PortModel::one(), plan.schedule.ports}) {
      const Machine machine = with_overhead(machine_of(ports, 0.25), 0.5);
      const double now = time(machine);
      EXPECT_LE(time(with_overhead(machine, 0.375)), now) << name_of(plan, machine);
      EXPECT_LE(time(with_overhead(machine, 0)), now) << name_of(plan, machine);
      Machine better = machine;
      better.overlap = 0.5;
      EXPECT_LE(time(better), now) << name_of(plan, better);
      better = machine;
      better.startup_s = 1.25;
      EXPECT_LE(time(better), now) << name_of(plan, better);
      better = machine;
      better.byte_time_s = 0;
      EXPECT_LE(time(better), now) << name_of(plan, better);
      better = machine;
      better.internal_packet = 7;
      EXPECT_LE(time(better), now) << name_of(plan, better);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Networks, SampleTimes, testing::ValuesIn(verify::sample_networks()),
                         [](const auto& network) { return "network_" + std::to_string(network.index); });

}  // namespace
}  // namespace isotrope::cost
