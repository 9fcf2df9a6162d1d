// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Choices and bounds for links of several classes: against all schedules of tiny networks, and against links that are alike.
#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <map>
#include <queue>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isotrope/network/edge_list.hpp"
#include "isotrope/network/parse.hpp"
#include "isotrope/network/rates.hpp"
#include "isotrope/network/surviving_network.hpp"

#include "isotrope/cost/completion.hpp"
#include "isotrope/cost/round_time.hpp"

#include "isotrope/simulate/packet_task.hpp"
#include "isotrope/verify/verify.hpp"

#include "isotrope/planner/chain_bound.hpp"
#include "isotrope/planner/choice.hpp"
#include "isotrope/planner/packet_time_bound.hpp"
#include "isotrope/planner/rate_slots.hpp"
#include "isotrope/planner/time_bound.hpp"

namespace isotrope::planner {
namespace {

using cost::LinkTimes;
using cost::Machine;
using network::Node;
using schedule::Port;
using testing::ElementsAre;

Problem problem_over_classes(const network::NamedNetwork& named, std::string_view collective) {
  return {.network = named.network,
          .failed = named.lacks,
          .task = schedule::parse_task(collective, named.network),
          .ports = schedule::PortModel::all()};
}

Machine machine_with(std::initializer_list<cost::LinkClass> classes) {
  Machine machine{.startup_s = 2e-6, .byte_time_s = 1e-10, .ports = schedule::PortModel::all()};
  for (const cost::LinkClass& links : classes) machine.listed_classes[machine.link_class_count++] = links;
  return machine;
}

// Every link of the network with a latency of its own, 1 to 9 s.
void set_random_latencies(network::NamedNetwork& named, std::mt19937& random) {
  const network::SurvivingNetwork left(named.network, named.lacks);
  for (const Node node : left.nodes()) {
    left.for_each_neighbour(node, [&](Port, Node to) {
      const network::Edge edge{node, to};
      const auto is_same = [&](const network::EdgeTimes& other) { return other.edge == edge; };
      if (node < to && std::ranges::none_of(named.lacks.edge_times, is_same))
        named.lacks.edge_times.push_back({edge, static_cast<double>(1 + random() % 9)});
    });
  }
  std::ranges::sort(named.lacks.edge_times, {}, &network::EdgeTimes::edge);
}

// The least time of a broadcast from 0 of parts of these sizes, by a shortest path through all states: bit node * parts + part
// of a state says whether the node has the part. A message carries one part, or any number if messages merge.
class BestBroadcast {
 public:
  BestBroadcast(const Problem& problem, const Machine& machine, std::vector<std::uint64_t> sizes,
                bool merges = false)
      : order_(problem.network.order()),
        parts_(static_cast<std::uint32_t>(sizes.size())),
        sizes_(std::move(sizes)),
        times_(problem.network, problem.failed, machine) {
    const network::SurvivingNetwork left(problem.network, problem.failed);
    for (const Node node : left.nodes()) {
      left.for_each_neighbour(node, [&](Port port, Node to) {
        links_.push_back({node, to, times_.of(node, port)});
      });
    }
    for (std::uint32_t set = 1; set < 1U << parts_; ++set) {
      if (merges || std::popcount(set) == 1) messages_.push_back(set);
    }
  }

  double seconds() {
    const std::uint32_t all = (1U << (order_ * parts_)) - 1;
    least_.assign(all + 1, HUGE_VAL);
    const std::uint32_t begin = (1U << parts_) - 1;
    least_[begin] = 0;
    open_.emplace(0, begin);
    while (!open_.empty()) {
      const auto [seconds, state] = open_.top();
      open_.pop();
      if (state == all) return seconds;
      if (seconds == least_[state]) send(0, state, state, 0, seconds);
    }
    return HUGE_VAL;
  }

 private:
  struct Link {
    Node from, to;
    std::uint32_t link_class;
  };

  // Every choice of what the links from number `link` on carry in the round that began with `before`.
  void send(std::size_t link, std::uint32_t before, std::uint32_t after, double longest, double begun) {
    if (link == links_.size()) {
      if (after == before || begun + longest >= least_[after]) return;
      least_[after] = begun + longest;
      open_.emplace(least_[after], after);
      return;
    }
    send(link + 1, before, after, longest, begun);
    const Link& way = links_[link];
    for (const std::uint32_t message : messages_) {
      const std::uint32_t here = message << (way.from * parts_), there = message << (way.to * parts_);
      if ((before & here) == here && (after & there) == 0)
        send(link + 1, before, after | there, std::max(longest, time_of(way, message)), begun);
    }
  }
  double time_of(const Link& way, std::uint32_t message) const {
    std::uint64_t bytes = 0;
    for (std::uint32_t part = 0; part < parts_; ++part) bytes += (message >> part & 1) * sizes_[part];
    return times_.message_time(way.link_class, bytes);
  }

  Node order_;
  std::uint32_t parts_;
  std::vector<std::uint64_t> sizes_;
  LinkTimes times_;
  std::vector<Link> links_;
  std::vector<std::uint32_t> messages_;  // sets of parts
  std::vector<double> least_;
  std::priority_queue<std::pair<double, std::uint32_t>, std::vector<std::pair<double, std::uint32_t>>,
                      std::greater<>>
      open_;
};

std::vector<std::uint64_t> equal_parts(std::uint64_t bytes, std::uint32_t parts) {
  return std::vector<std::uint64_t>(parts, bytes / parts);
}

// From 0 over links of 9 and 2 s: one part takes 9 + 4 + 2 + 4 s, two parts of half the bytes three rounds, 9 + 2 twice and
// 2 + 2 for the second part over the second link.
TEST(BestBroadcast, of_a_line_is_known) {
  network::NamedNetwork named = network::parse_named("line:3");
  named.lacks.edge_times = {{{0, 1}, 9}, {{1, 2}, 2}};
  const Problem problem = problem_over_classes(named, "broadcast");
  const Machine machine{.startup_s = 100, .byte_time_s = 1, .ports = schedule::PortModel::all()};
  EXPECT_EQ(BestBroadcast(problem, machine, {4}).seconds(), 19);
  EXPECT_EQ(BestBroadcast(problem, machine, {2, 2}).seconds(), 11 + 11 + 4);
}

TEST(LinkClassBounds, are_never_above_the_best_of_all_schedules) {
  std::mt19937 random(7);
  for (int i = 0; i < 40; ++i) {
    for (const char* name : {"ring:3", "line:4", "ring:4", "line:3", "complete:4"}) {
      network::NamedNetwork named = network::parse_named(name);
      set_random_latencies(named, random);
      const Problem problem = problem_over_classes(named, "broadcast");
      const Machine machine{.startup_s = 100,
                            .byte_time_s = 0.25 * static_cast<double>(random() % 9),
                            .ports = schedule::PortModel::all()};
      const std::uint64_t bytes = 24;
      const TimeBound bound = TimeBounds(problem, machine).at(bytes);
      EXPECT_GT(bound.chain_s, 0);
      const std::uint32_t most_parts = named.network.degree() > 2 ? 1 : named.network.order() == 4 ? 2 : 3;
      for (std::uint32_t parts = 1; parts <= most_parts; ++parts) {
        const double best = BestBroadcast(problem, machine, equal_parts(bytes, parts)).seconds();
        ASSERT_LT(best, HUGE_VAL);
        EXPECT_LE(bound.seconds, best * (1 + 1e-12)) << name << " in " << parts;
        EXPECT_LE(bound.segmented_s, best * (1 + 1e-12)) << name << " in " << parts;
      }
    }
  }
}

// The time bound, and in it the filling bound, hold for parts of any sizes and for messages of several parts.
TEST(LinkClassBounds, hold_for_parts_of_any_sizes_in_messages_of_any_number) {
  std::mt19937 random(13);
  for (int i = 0; i < 60; ++i) {
    for (const char* name : {"line:3", "line:4", "ring:3", "ring:4"}) {
      const Problem problem = problem_over_classes(network::parse_named(name), "broadcast");
      const Machine machine{.startup_s = 0.25 * static_cast<double>(random() % 5),
                            .byte_time_s = 0.25 * static_cast<double>(1 + random() % 5),
                            .ports = schedule::PortModel::all()};
      const std::uint64_t bytes = 24, first = 1 + random() % 10, second = 1 + random() % 10;
      const std::vector<std::uint64_t> sizes = name == std::string("line:3")
                                                   ? std::vector{first, second, bytes - first - second}
                                                   : std::vector{first + second, bytes - first - second};
      const TimeBound bound = TimeBounds(problem, machine).at(bytes);
      const double best = BestBroadcast(problem, machine, sizes, true).seconds();
      ASSERT_LT(best, HUGE_VAL);
      EXPECT_LE(bound.filling_s, bound.seconds);
      EXPECT_LE(bound.seconds, best * (1 + 1e-12)) << name;
    }
  }
}

// The same with times by axis, startups and bytes.
TEST(LinkClassBounds, are_never_above_the_best_of_all_schedules_by_axis) {
  std::mt19937 random(11);
  const auto some = [&] { return 0.5 * static_cast<double>(1 + random() % 9); };
  for (int i = 0; i < 40; ++i) {
    const Problem problem = problem_over_classes(network::parse_named("torus:2x2"), "broadcast");
    Machine machine{.startup_s = some(), .byte_time_s = some(), .ports = schedule::PortModel::all()};
    machine.link_class_count = 1;
    machine.listed_classes[0] = {.axes = 2, .startup_s = some(), .byte_time_s = some()};
    const TimeBound bound = TimeBounds(problem, machine).at(12);
    for (std::uint32_t parts = 1; parts <= 2; ++parts) {
      const double best = BestBroadcast(problem, machine, equal_parts(12, parts)).seconds();
      ASSERT_LT(best, HUGE_VAL);
      EXPECT_LE(bound.seconds, best * (1 + 1e-9)) << parts;
      EXPECT_LE(bound.segmented_s, best * (1 + 1e-9)) << parts;
    }
  }
}

TEST(ChainBound, is_the_length_of_the_shortest_path_to_the_farthest_node) {
  std::mt19937 random(3);
  const Machine machine{.startup_s = 50, .ports = schedule::PortModel::all()};
  for (int i = 0; i < 30; ++i) {
    network::NamedNetwork named =
        network::from_edges(6, {{0, 1}, {0, 2}, {1, 3}, {2, 3}, {3, 4}, {1, 5}, {4, 5}});
    set_random_latencies(named, random);
    // Floyd and Warshall.
    double lengths[6][6];
    for (int a = 0; a < 6; ++a) {
      for (int b = 0; b < 6; ++b) lengths[a][b] = a == b ? 0 : HUGE_VAL;
    }
    for (const network::EdgeTimes& times : named.lacks.edge_times) {
      const auto [low, high] = times.edge;
      lengths[low][high] = lengths[high][low] = *times.startup_s + 0.5;
    }
    double diameter = 0, from_root = 0;
    for (int k = 0; k < 6; ++k) {
      for (auto& row : lengths) {
        for (int b = 0; b < 6; ++b) row[b] = std::min(row[b], row[k] + lengths[k][b]);
      }
    }
    for (int a = 0; a < 6; ++a) {
      for (int b = 0; b < 6; ++b) {
        diameter = std::max(diameter, lengths[a][b]);
        if (a == 0) from_root = std::max(from_root, lengths[a][b]);
      }
    }
    const LinkTimes times(named.network, named.lacks, machine);
    EXPECT_DOUBLE_EQ(chain_bound(problem_over_classes(named, "scatter"), times, 0.5), from_root);
    const double all = chain_bound(problem_over_classes(named, "allreduce"), times, 0.5);
    EXPECT_LE(all, diameter);
    EXPECT_GE(all, from_root);
    EXPECT_EQ(
        chain_bound(problem_over_classes(network::parse_named("ring:5"), "neighborhood:1:1"), times, 0.5), 0);
  }
}

// Two axes of 1 and 3 us: half of each extent.
TEST(ChainBound, follows_the_axes) {
  const Problem problem = problem_over_classes(network::parse_named("torus:4x6"), "alltoall");
  const Machine machine = machine_with({{.axes = 1, .startup_s = 1e-6}, {.axes = 2, .startup_s = 3e-6}});
  EXPECT_DOUBLE_EQ(chain_bound(problem, LinkTimes(problem.network, {}, machine), 0), 11e-6);
}

TEST(RateSlots, are_the_nearest_whole_ratios) {
  const auto rates = [](std::vector<double> times) { return nearest_rates(times, 8); };
  EXPECT_THAT(rates({1, 1, 2}), ElementsAre(2, 2, 1));
  EXPECT_THAT(rates({2, 3}), ElementsAre(3, 2));
  EXPECT_THAT(rates({0.1, 0.151}), ElementsAre(3, 2));
  EXPECT_THAT(rates({1, 1.04}), ElementsAre(1, 1));
  EXPECT_THAT(rates({1, 1e6}), ElementsAre(8, 1));
  EXPECT_THAT(rates({5}), ElementsAre(1));
}

TEST(RateSlots, of_bounds_are_never_slower_than_the_links) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> seconds(1e-12, 1e-9);
  for (int i = 0; i < 200; ++i) {
    std::vector<double> times(1 + random() % 5);
    for (double& time : times) time = seconds(random);
    const FastRates fast = fast_rates(times, 64);
    for (std::size_t k = 0; k < times.size(); ++k) {
      EXPECT_GE(fast.rates[k], 1U);
      EXPECT_LE(fast.rates[k], 64U);
      EXPECT_LE(fast.unit_s / fast.rates[k], times[k] * (1 + 1e-8));
    }
  }
}

TEST(RateSlots, need_unlike_links) {
  const Machine machine = machine_with({{.axes = 2, .byte_time_s = 2e-10}});
  Problem problem = problem_over_classes(network::parse_named("torus:4x4"), "alltoall");
  EXPECT_EQ(with_rate_slots(problem, machine)->network.name(), "torus:4x4@2,1");
  EXPECT_EQ(with_rate_slots(problem_over_classes(network::parse_named("hypercube:3"), "alltoall"), machine)
                ->network.degree(),
            5U);
  EXPECT_FALSE(with_rate_slots(problem, machine_with({})));
  EXPECT_FALSE(with_rate_slots(problem, machine_with({{.axes = 2, .startup_s = 1}})));
  EXPECT_FALSE(
      with_rate_slots(problem_over_classes(network::parse_named("torus:4x4@2,1"), "alltoall"), machine));
  EXPECT_EQ(
      with_rate_slots(problem_over_classes(network::parse_named("mesh:4x4xline:5"), "alltoall"), machine)
          ->network.name(),
      "mesh:4x4@2,1xline:5@2");
}

// A failed link takes its whole rate along.
TEST(RateSlots, fail_with_their_links) {
  const Machine machine = machine_with({{.axes = 2, .byte_time_s = 2e-10}});
  Problem problem = problem_over_classes(network::parse_named("torus:4x4"), "alltoall");
  problem.failed.nodes = {3};
  problem.failed.links = network::parse_failed_links("5-6,9-13", problem.network);
  const auto slots = with_rate_slots(problem, machine);
  ASSERT_TRUE(slots);
  EXPECT_EQ(slots->failed.nodes, problem.failed.nodes);
  EXPECT_EQ(slots->failed.links.size(), 3u);
  const network::SurvivingNetwork left(slots->network, slots->failed);
  for (const auto& [from, to, links] : {std::tuple{5U, 6U, 0}, {9U, 13U, 0}, {6U, 10U, 2}, {6U, 7U, 1}}) {
    int found = 0;
    left.for_each_neighbour(from, [&, other = to](Port, Node node) { found += node == other ? 1 : 0; });
    EXPECT_EQ(found, links) << from << "-" << to;
  }
}

// A graph without symmetry, every third of whose links takes twice as long for a byte.
network::NamedNetwork graph_with_slow_links() {
  std::vector<network::Edge> edges;
  for (Node node = 0; node < 12; ++node) {
    for (const Node other : {(node + 1) % 12, (5 * node + 3) % 12}) {
      if (other != node) edges.push_back({std::min(node, other), std::max(node, other)});
    }
  }
  std::ranges::sort(edges);
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  network::NamedNetwork result = network::from_edges(12, edges);
  for (std::size_t i = 0; i < edges.size(); i += 3)
    result.lacks.edge_times.push_back({edges[i], std::nullopt, 2e-10});
  return result;
}

// Links without times of their own have two copies then, each as slow as the slow ones: whole links are what they were.
TEST(RateSlots, are_copies_of_the_fast_edges_of_a_graph) {
  const network::NamedNetwork graph = graph_with_slow_links();
  const Machine machine = machine_with({});
  Problem problem = problem_over_classes(graph, "alltoall");
  problem.failed.links = network::parse_failed_links("0-1,2-3", problem.network, problem.failed);
  const auto slots = with_rate_slots(problem, machine);
  ASSERT_TRUE(slots);
  const std::size_t fast = graph.lacks.edges.size() - graph.lacks.edge_times.size();
  EXPECT_EQ(slots->failed.edges.size(), graph.lacks.edges.size() + fast);
  const LinkTimes before(problem.network, problem.failed, machine);
  const LinkTimes now(slots->network, slots->failed, machine);
  const network::SurvivingNetwork left(problem.network, problem.failed), rated(slots->network, slots->failed);
  for (Node node = 0; node < 12; ++node) {
    std::map<Node, double> bandwidth, with_copies;
    left.for_each_neighbour(node, [&](Port port, Node other) {
      bandwidth[other] += 1 / before.all()[before.of(node, port)].byte_time_s;
    });
    rated.for_each_neighbour(node, [&](Port port, Node other) {
      with_copies[other] += 1 / now.all()[now.of(node, port)].byte_time_s;
    });
    ASSERT_EQ(bandwidth.size(), with_copies.size());
    for (const auto& [other, bytes_a_second] : bandwidth)
      EXPECT_DOUBLE_EQ(with_copies[other], bytes_a_second) << node << "-" << other;
  }
}

class AlikeClasses : public testing::TestWithParam<const char*> {};

// A class with the machine's own times changes neither the choice nor any time.
TEST_P(AlikeClasses, change_no_choice) {
  for (const char* collective : {"broadcast", "reduce", "scatter", "allgather", "alltoall", "allreduce"}) {
    const Problem problem = problem_over_classes(network::parse_named(GetParam()), collective);
    const Machine machine = machine_with({});
    const Machine alike = machine_with({{.axes = 1, .startup_s = 2e-6}});
    for (const std::uint64_t bytes : {8U, 1U << 16}) {
      const Choice one = choose_for(problem, bytes, machine), other = choose_for(problem, bytes, alike);
      EXPECT_EQ(one.best().name(), other.best().name());
      EXPECT_EQ(one.best().prediction.seconds, other.best().prediction.seconds);
      EXPECT_EQ(one.bound.seconds, other.bound.seconds);
      EXPECT_EQ(one.bound.segmented_s, other.bound.segmented_s);
    }
  }
}

// What is predicted is what the rounds of the verified plan take, never below the bound.
TEST_P(AlikeClasses, and_unlike_ones_are_predicted_as_the_plan_takes) {
  const Machine machine = machine_with({{.axes = 1, .startup_s = 5e-6, .byte_time_s = 3e-10}});
  for (const char* collective : {"broadcast", "reduce", "scatter", "allgather", "alltoall"}) {
    const Problem problem = problem_over_classes(network::parse_named(GetParam()), collective);
    for (const std::uint64_t bytes : {8U, 1U << 16}) {
      const Choice choice = choose_for(problem, bytes, machine);
      const schedule::Plan plan = make_plan(choice.best());
      EXPECT_TRUE(verify::verify(plan).valid);
      const auto load = cost::Workload::in_parts(choice.best().block_bytes, plan.task.parts);
      const double seconds = choice.best().prediction.seconds, rounds = cost::round_time(plan, machine, load);
      EXPECT_LE(rounds, seconds * (1 + 1e-9)) << GetParam() << " " << collective;
      if (load.even(plan.task.parts)) {
        EXPECT_GE(rounds, seconds * (1 - 1e-9)) << GetParam() << " " << collective;
      }
      EXPECT_LE(cost::complete(plan, machine, load).completion_s, rounds * (1 + 1e-9));
      EXPECT_GE(seconds, choice.bound.seconds * (1 - 1e-9)) << GetParam() << " " << collective;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Networks, AlikeClasses,
                         testing::Values("torus:4x4", "hypercube:4", "ring:7", "line:3xring:4",
                                         "torus:4x4@2,1"));

// On a machine whose messages pass nodes: a slow axis costs something, and no more than if all links were slow.
TEST(UnlikeLinks, are_priced_on_cut_through_machines) {
  Machine even = machine_with({});
  even.cut_through = true;
  even.hop_time_s = 5e-8;
  Machine half = even, slow = even;
  half.listed_classes[half.link_class_count++] = {.axes = 1, .startup_s = 4e-6, .byte_time_s = 2e-10};
  slow.startup_s = 4e-6;
  slow.byte_time_s = 2e-10;
  bool routes = false, pipelines = false;
  for (const char* name : {"torus:4x4", "hypercube:4", "torus:8x4"}) {
    for (const char* collective :
         {"broadcast", "reduce", "scatter", "allgather", "alltoall", "allreduce", "scan"}) {
      const Problem problem = problem_over_classes(network::parse_named(name), collective);
      for (const std::uint64_t bytes : {64U, 1U << 14, 1U << 22}) {
        const Choice choice = choose_for(problem, bytes, half);
        const double seconds = choice.best().prediction.seconds;
        EXPECT_GE(seconds, choose_for(problem, bytes, even).best().prediction.seconds * (1 - 1e-9))
            << name << " " << collective << " " << bytes;
        // Messages are followed on machines whose links are alike.
        const Candidate all_slow = choose_for(problem, bytes, slow).best();
        if (!all_slow.prediction.is_followed) {
          EXPECT_LE(seconds, all_slow.prediction.seconds * (1 + 1e-9))
              << name << " " << collective << " " << bytes;
        }
        EXPECT_TRUE(verify::verify(make_plan(choice.best())).valid);
        routes = routes || choice.best().over_overlay();
        pipelines = pipelines || choice.best().prediction.window > 1;
        if (!choice.best().over_overlay()) {
          EXPECT_GE(seconds, choice.bound.seconds * (1 - 1e-9)) << name << " " << collective << " " << bytes;
        }
      }
    }
  }
  EXPECT_TRUE(routes);
  EXPECT_TRUE(pipelines);
}

// Links of all copies are as fast then, so that nothing is lost to the slowest of them.
TEST(UnlikeLinks, are_pipelined_by_rate_slots) {
  Machine half = machine_with({{.axes = 4, .byte_time_s = 2e-10}});
  half.cut_through = true;
  half.hop_time_s = 5e-8;
  const Problem problem = problem_over_classes(network::parse_named("torus:4x4x4"), "broadcast");
  const Choice choice = choose_with_rate_slots(problem, 1 << 26, half);
  EXPECT_GT(choice.best().prediction.window, 1U);
  EXPECT_TRUE(network::has_copies(choice.best().problem.network));
  EXPECT_LE(choice.best().prediction.seconds, 1.1 * choice.bound.seconds);
}

// An axis of half the rate, and a failed link.
TEST(UnlikeLinks, come_near_the_bound_around_failures) {
  const Machine half = machine_with({{.axes = 1, .byte_time_s = 2e-10}});
  for (const auto& [collective, most] :
       {std::pair{"alltoall", 1.1}, {"allgather", 1.1}, {"scatter", 1.1}, {"broadcast", 1.25}}) {
    Problem problem = problem_over_classes(network::parse_named("line:4xring:8"), collective);
    problem.failed.links = network::parse_failed_links("0-1", problem.network, problem.failed);
    const Choice choice = choose_with_rate_slots(problem, 1 << 24, half);
    EXPECT_TRUE(verify::verify(make_plan(choice.best())).valid) << collective;
    EXPECT_LE(choice.best().prediction.seconds, most * choice.bound.seconds) << collective;
  }
}

TEST(UnlikeLinks, come_near_the_bound_on_graphs) {
  for (const auto& [collective, most] : {std::pair{"alltoall", 1.1},
                                         {"allgather", 1.1},
                                         {"scatter", 1.1},
                                         {"gather", 1.1},
                                         {"broadcast", 1.25}}) {
    const Problem problem = problem_over_classes(graph_with_slow_links(), collective);
    const Choice plain = choose_for(problem, 1 << 24, machine_with({}));
    const Choice choice = choose_with_rate_slots(problem, 1 << 24, machine_with({}));
    EXPECT_TRUE(verify::verify(make_plan(choice.best())).valid) << collective;
    EXPECT_LE(choice.best().prediction.seconds, most * choice.bound.seconds) << collective;
    EXPECT_LT(choice.best().prediction.seconds, plain.best().prediction.seconds) << collective;
  }
}

// Packets routed online, on links with random times: never faster than the bound.
TEST(PacketTimeBound, holds_for_packets_that_are_routed_online) {
  std::mt19937 random(11);
  const auto seconds = [&] { return static_cast<double>(1 + random() % 5) * 1e-6; };
  for (const char* name :
       {"torus:4x4", "ring:7", "mesh:3x4", "torus:3x4@2,1", "hypercube:3", "line:3xring:4"}) {
    for (int i = 0; i < 12; ++i) {
      network::NamedNetwork named = network::parse_named(name);
      Machine machine = machine_with({{.axes = 1, .startup_s = seconds(), .byte_time_s = seconds() / 100}});
      if (i % 3 == 1) machine.listed_classes[0].byte_time_s.reset();
      if (i % 3 == 2) {
        machine.link_class_count = 0;
        set_random_latencies(named, random);
      }
      Problem problem = problem_over_classes(named, "alltoall");
      problem.task.parts = static_cast<std::uint32_t>(1 + random() % 3);
      problem.ports = i % 2 == 0 ? schedule::PortModel::all() : schedule::PortModel::one();
      const std::uint64_t bytes = 1 + random() % 300;
      const cost::LinkTimes times(problem.network, problem.failed, machine);
      simulate::HopTimes hops{
          {}, [&](Node from, Port port) { return times.of(from, port); }, !times.by_edge()};
      const std::uint64_t packet = (bytes + problem.task.parts - 1) / problem.task.parts;
      for (std::uint32_t c = 0; c < times.all().size(); ++c)
        hops.seconds.push_back(times.message_time(c, packet));
      const simulate::PacketSimulator simulator(problem.network, simulate::packet_task(problem),
                                                {simulate::RoutingPolicy::Order::largest_residual, false},
                                                problem.ports, problem.failed, hops);
      const double bound = packet_time_bound(problem, bytes, machine), found = simulator.run(1).seconds;
      EXPECT_LE(bound, found * (1 + 1e-6)) << name << " " << i;
      if (!times.by_edge()) {
        EXPECT_GE(bound, found / 4) << name << " " << i;
      }
    }
  }
}

TEST(PacketTimeBound, weighs_the_classes) {
  const Problem problem = problem_over_classes(network::parse_named("torus:4x4"), "alltoall");
  const Machine alike{.startup_s = 1, .byte_time_s = 1, .ports = schedule::PortModel::all()};
  EXPECT_DOUBLE_EQ(packet_time_bound(problem, 1, alike), 8 * 2);
  Machine half = alike;
  half.listed_classes[half.link_class_count++] = {.axes = 2, .startup_s = 3};
  EXPECT_NEAR(packet_time_bound(problem, 1, half), 8 * 4, 1e-3);  // axis 1 alone
}

// Strict rounds of equal segments: K = 2 ports of the root, h = 4 hops, 1 s a message and 1 s a byte, m = 600 bytes. The
// least of (P / 2 + 3) (1 + 600 / P) is at P = 60: 33 * 11 s.
TEST(SegmentedBound, is_the_least_over_all_numbers_of_segments) {
  const Machine machine{.startup_s = 1, .byte_time_s = 1, .ports = schedule::PortModel::all()};
  const Problem problem = problem_over_classes(network::parse_named("ring:8"), "broadcast");
  const TimeBound bound = TimeBounds(problem, machine).at(600);
  EXPECT_NEAR(bound.segmented_s, 33 * 11, 1e-9);
  // g blocks of 3 rounds: 3 (g - 1) + 1 rounds and g / (g - 1) * 300 bytes; 10 blocks take 28 + 333.3 s, 11 take 31 + 330 s.
  EXPECT_NEAR(bound.filling_s, 31 + 330, 1e-9);
  EXPECT_EQ(bound.seconds, bound.filling_s);
  const Choice choice = choose_for(problem, 600, machine);
  EXPECT_GE(choice.best().prediction.seconds, bound.segmented_s);
  EXPECT_EQ(TimeBounds(problem_over_classes(network::parse_named("ring:8"), "alltoall"), machine)
                .at(600)
                .segmented_s,
            0);
}

}  // namespace
}  // namespace isotrope::planner
