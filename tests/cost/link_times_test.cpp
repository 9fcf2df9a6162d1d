// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/cost/link_times.hpp"

#include <algorithm>
#include <initializer_list>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isotrope/base/error.hpp"

#include "isotrope/network/edge_list.hpp"
#include "isotrope/network/parse.hpp"

#include "isotrope/cost/completion.hpp"
#include "isotrope/cost/round_synchronous.hpp"
#include "isotrope/cost/round_time.hpp"

#include "isotrope/verify/verify.hpp"

#include "tests/cost/plans.hpp"
#include "tests/verify/sample_plans.hpp"

namespace isotrope::cost {
namespace {

using network::Failures;
using schedule::Flow;
using schedule::PortModel;
using testing::HasSubstr;
using testing::ThrowsMessage;

// 1 s a message and 1 s a byte, and the link classes.
Machine machine_with(std::initializer_list<LinkClass> classes) {
  Machine machine{.startup_s = 1, .byte_time_s = 1, .ports = PortModel::all()};
  for (const LinkClass& links : classes) machine.listed_classes[machine.link_class_count++] = links;
  return machine;
}

constexpr std::uint64_t axis(std::uint32_t number) {
  return std::uint64_t{1} << number;
}

Failures with_latencies(std::vector<network::EdgeTimes> latencies) {
  Failures result;
  result.edge_times = std::move(latencies);
  return result;
}

TEST(LinkTimes, are_those_of_the_axis) {
  const auto torus = network::parse("torus:3x4");
  const LinkTimes times(torus, {}, machine_with({{.axes = axis(1), .startup_s = 5, .byte_time_s = 2}}));

  EXPECT_FALSE(times.alike());
  EXPECT_EQ(times.all()[times.of(0)], (LinkTime{1, 1}));
  EXPECT_EQ(times.all()[times.of(3)], (LinkTime{5, 2}));
  EXPECT_EQ(times.message_time(times.of(7, 2), 10), 25);
  EXPECT_EQ(times.least(), (LinkTime{1, 1}));
  EXPECT_EQ(times.most(), (LinkTime{5, 2}));
}

TEST(LinkTimes, keep_what_a_class_leaves_out) {
  const auto torus = network::parse("torus:3x4");
  const LinkTimes times(
      torus, {}, machine_with({{.axes = axis(0), .startup_s = 7}, {.axes = axis(1), .byte_time_s = 0.5}}));
  EXPECT_EQ(times.all()[times.of(0)], (LinkTime{7, 1}));
  EXPECT_EQ(times.all()[times.of(2)], (LinkTime{1, 0.5}));
  EXPECT_FALSE(times.occurs(0)) << "no link has the machine's times";
  EXPECT_EQ(times.least(), (LinkTime{1, 0.5}));
}

// Two links side by side along axis 0 share its bandwidth, whether or not the axis is in a class.
TEST(LinkTimes, per_byte_are_those_of_whole_links_if_a_class_gives_them) {
  const auto torus = network::parse("torus:3x4@2,1");
  const LinkTimes listed(torus, {}, machine_with({{.axes = axis(0), .byte_time_s = 3}}));
  EXPECT_EQ(listed.all()[listed.of(0)], (LinkTime{1, 6}));
  EXPECT_EQ(listed.all()[listed.of(4)], (LinkTime{1, 1}));
  const LinkTimes other(torus, {}, machine_with({{.axes = axis(1), .byte_time_s = 2}}));
  EXPECT_EQ(other.all()[other.of(0)], (LinkTime{1, 2}));
  EXPECT_EQ(other.all()[other.of(4)], (LinkTime{1, 2}));
  const LinkTimes startups(torus, {}, machine_with({{.axes = axis(1), .startup_s = 2}}));
  EXPECT_EQ(startups.all()[startups.of(0)], (LinkTime{1, 1})) << "each of the links side by side";
}

TEST(LinkTimes, of_edges_hold_in_both_directions) {
  const auto ring = network::parse("ring:4");
  const LinkTimes times(ring, with_latencies({{{0, 3}, 9}}), machine_with({}));
  EXPECT_TRUE(times.by_edge());
  EXPECT_EQ(times.all()[times.of(0, 1)], (LinkTime{9, 1}));
  EXPECT_EQ(times.all()[times.of(3, 0)], (LinkTime{9, 1}));
  EXPECT_EQ(times.all()[times.of(0, 0)], (LinkTime{1, 1}));
  EXPECT_EQ(times.least(), (LinkTime{1, 1}));

  const LinkTimes all(ring, with_latencies({{{0, 1}, 9}, {{0, 3}, 9}, {{1, 2}, 8}, {{2, 3}, 9}}),
                      machine_with({}));
  EXPECT_EQ(all.least(), (LinkTime{8, 1})) << "the machine's start-up occurs nowhere";
}

TEST(LinkTimes, refuse_axes_that_are_not_there) {
  const Machine machine = machine_with({{.axes = axis(2), .startup_s = 1}});
  EXPECT_THAT([&] { LinkTimes(network::parse("torus:3x4"), {}, machine); },
              ThrowsMessage<Error>(HasSubstr("axis 2: torus:3x4 has the axes 0 to 1")));
  const auto star = network::from_edges(4, {{0, 1}, {0, 2}, {0, 3}});
  EXPECT_THAT([&] { LinkTimes(star.network, star.lacks, machine_with({{.axes = axis(0), .startup_s = 1}})); },
              ThrowsMessage<Error>(HasSubstr("links are listed")));
  EXPECT_THAT(
      [&] {
        check(machine_with({{.axes = 3}, {.axes = 2}}), 4);
      },
      ThrowsMessage<Error>(HasSubstr("axis 1 is in two link classes")));
  EXPECT_THAT([&] { check(machine_with({{}}), 4); }, ThrowsMessage<Error>(HasSubstr("without axes")));
  EXPECT_THAT([&] { check(machine_with({{.axes = 1, .startup_s = -1}}), 4); },
              ThrowsMessage<Error>(HasSubstr("start-up of a link class")));
}

// A scatter on torus:2x2 from 0, first to 3 by way of 2 and to 1. A message takes 1 + 10 s along axis 0 (port 0) and 5 + 20 s
// along axis 1. Both rounds use axis 1: 25 s each. Message by message, 3 waits only for 2: 11 + 25 s.
TEST(LinkTimes, make_the_time_of_a_round_that_of_its_slowest_message) {
  const auto plan = checked_plan(
      network::parse("torus:2x2"), "scatter", 0, 1,
      schedule_of(PortModel::all(), Flow::move, {{{3, 0, 0}, {1, 0, 1}}, {{2, 0, 0}, {3, 2, 1}}}));
  const Machine machine = machine_with({{.axes = axis(1), .startup_s = 5, .byte_time_s = 2}});
  const Workload load{10, 10};
  EXPECT_EQ(round_time(plan, machine, load), 50);
  std::vector<double> ends;
  const Completion completion =
      complete(plan, machine, load,
               {.visit = [&](const Message& message) { ends.push_back(message.end_s); }, .progress = {}});
  EXPECT_EQ(ends, (std::vector<double>{11, 25, 22, 36}));
  EXPECT_EQ(completion.completion_s, 36);
  EXPECT_EQ(round_loads(plan.network, plan.schedule, LinkTimes(plan.network, {}, machine))[0].classes,
            (std::vector<ClassLoad>{{0, 1}, {1, 1}}));
}

// All three messages of a round go over ring:4 at once; the one over the link 0-3 of 9 s a message takes 9 + 10 s.
TEST(LinkTimes, of_one_link_count_in_the_rounds_that_use_it) {
  auto plan = checked_plan(
      network::parse("ring:4"), "scatter", 0, 1,
      schedule_of(PortModel::all(), Flow::move, {{{2, 0, 0}, {3, 0, 1}}, {{2, 1, 0}, {1, 0, 0}}}));
  plan.failed = with_latencies({{{0, 3}, 9}});
  EXPECT_EQ(round_time(plan, machine_with({}), {10, 10}), 19 + 11);
  EXPECT_EQ(complete(plan, machine_with({}), {10, 10}).completion_s, 22);
}

class SampleLinkTimes : public testing::TestWithParam<std::string_view> {};

// Classes with the machine's own times change nothing, and slower classes make nothing faster.
TEST_P(SampleLinkTimes, change_nothing_if_they_are_alike) {
  for (const schedule::Plan& plan : verify::sample_plans(GetParam())) {
    const Machine machine{.startup_s = 3, .byte_time_s = 0.25, .ports = plan.schedule.ports};
    Machine alike = machine, slow = machine;
    alike.link_class_count = slow.link_class_count = 1;
    alike.listed_classes[0] = {.axes = 1, .startup_s = 3, .byte_time_s = 0.25};
    slow.listed_classes[0] = {.axes = 1, .startup_s = 4, .byte_time_s = 0.5};
    const Workload load = Workload::in_parts(96, plan.task.parts);
    const double rounds = round_time(plan, machine, load);
    const double completion = complete(plan, machine, load).completion_s;
    EXPECT_EQ(round_time(plan, alike, load), rounds);
    EXPECT_EQ(complete(plan, alike, load).completion_s, completion);
    EXPECT_GE(round_time(plan, slow, load), rounds);
    EXPECT_GE(complete(plan, slow, load).completion_s, completion);
    EXPECT_LE(complete(plan, slow, load).completion_s, round_time(plan, slow, load) * (1 + 1e-12));
  }
}

// A replicated stage stands for hops over all links of a port, as if it were written out.
TEST_P(SampleLinkTimes, of_an_edge_are_those_of_the_expanded_plan) {
  for (schedule::Plan plan : verify::sample_plans(GetParam())) {
    if (plan.network.order() > 64 || plan.network.degree() == 0) continue;
    const Machine machine{.startup_s = 3, .byte_time_s = 0.25, .ports = plan.schedule.ports};
    const Workload load = Workload::in_parts(96, plan.task.parts);
    const double rounds = round_time(plan, machine, load),
                 completion = complete(plan, machine, load).completion_s;
    const network::Node to = plan.network.neighbour(0, 0);
    plan.failed.edge_times = {{{std::min<network::Node>(0, to), std::max<network::Node>(0, to)}, 100}};
    const schedule::Plan expanded = verify::expand(plan);
    EXPECT_EQ(expanded.failed.edge_times, plan.failed.edge_times);
    EXPECT_DOUBLE_EQ(round_time(plan, machine, load), round_time(expanded, machine, load));
    EXPECT_DOUBLE_EQ(complete(plan, machine, load).completion_s,
                     complete(expanded, machine, load).completion_s);
    EXPECT_GE(round_time(plan, machine, load), rounds);
    EXPECT_GE(complete(plan, machine, load).completion_s, completion);
    EXPECT_LE(complete(plan, machine, load).completion_s, round_time(plan, machine, load) * (1 + 1e-12));
  }
}

INSTANTIATE_TEST_SUITE_P(Networks, SampleLinkTimes, testing::ValuesIn(verify::sample_networks()),
                         [](const auto& network) { return "network_" + std::to_string(network.index); });

}  // namespace
}  // namespace isotrope::cost
