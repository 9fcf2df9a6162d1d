// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/planner/choice.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isotrope/base/error.hpp"

#include "isotrope/network/parse.hpp"

#include "isotrope/cost/round_time.hpp"

#include "isotrope/verify/verify.hpp"

#include "isotrope/planner/direct_sends.hpp"

namespace isotrope::planner {
namespace {

using schedule::PortModel;
using testing::HasSubstr;

constexpr const char* collectives[] = {"broadcast",      "reduce",    "scatter",  "gather", "allgather",
                                       "reduce-scatter", "allreduce", "alltoall", "barrier"};

Request request(std::string_view network_name, std::string_view collective,
                PortModel ports = PortModel::all()) {
  const Network network = network::parse(network_name);
  return {network, schedule::parse_task(collective, network), ports};
}

const cost::Machine cluster{.startup_s = 2e-6, .byte_time_s = 1e-10};

cost::Machine with_overhead(double overhead) {
  cost::Machine machine = cluster;
  machine.overhead_s = overhead;
  machine.overhead_byte_s = overhead / 4096;
  return machine;
}

// Blocks of 2 bytes over one link and back: the round trip of a pair. Both of two nodes send at once.
TEST(Choice, of_two_nodes_is_one_message) {
  const cost::Machine machine{.startup_s = 3, .byte_time_s = 0.5, .overhead_s = 0.25};
  const Choice choice = choose_for(request("hypercube:1", "alltoall"), 2, machine);
  EXPECT_DOUBLE_EQ(choice.best().prediction.seconds, 0.25 + 3 + 1);
  EXPECT_EQ(choice.bound.rounds, 1u);
  EXPECT_NEAR(choice.bound.bytes, 2, 1e-3);
  EXPECT_NEAR(choice.bound.seconds, 4.25, 1e-3);
}

// Over one port of hypercube:5: d rounds of the whole block, or P + d - 1 of its P packets, of which
// sqrt((d - 1) M t_c / tau) are best.
TEST(Choice, changes_with_the_size) {
  const Request wanted = request("hypercube:5", "broadcast", PortModel::one());
  const cost::Machine machine{.startup_s = 1e-3, .byte_time_s = 1e-6};
  const Choice small = choose_for(wanted, 100, machine), large = choose_for(wanted, 1 << 20, machine);
  EXPECT_EQ(small.best().prediction.packets, 1u);
  EXPECT_DOUBLE_EQ(small.best().prediction.seconds, 5 * 1.1e-3);
  EXPECT_EQ(large.best().name, "capped-msbt-broadcast");
  EXPECT_NEAR(large.best().prediction.packets, std::sqrt(4 * 1048.576), 2);
}

// With costly start-ups few merged messages win, with free ones nothing does better than the bound on bytes.
TEST(Choice, changes_with_the_machine) {
  const Request wanted = request("hypercube:6", "scatter");
  const Choice costly = choose_for(wanted, 64, {.startup_s = 1, .byte_time_s = 1e-9});
  EXPECT_GT(costly.best().request.merge, 1u);
  EXPECT_EQ(costly.best().prediction.rounds, 6u);
  const Choice free = choose_for(wanted, 60, {.startup_s = 0, .byte_time_s = 1});
  EXPECT_LE(free.best().prediction.seconds, 1.05 * free.bound.seconds);
}

// Every algorithm of the catalogue that applies, strict or merged, by itself. What knows one block only gets
// the shares of all nodes in it.
std::vector<std::pair<std::string, double>> all_members(const Request& wanted, std::uint64_t bytes,
                                                        const cost::Machine& machine) {
  std::vector<std::pair<std::string, double>> result;
  for (const Algorithm& algorithm : catalog()) {
    for (const std::uint64_t merge : {std::uint64_t{1}, unbounded}) {
      Request form = wanted;
      form.merge = merge;
      if (algorithm.collective != wanted.task.collective || obstacle(algorithm, form)) continue;
      const bool single = algorithm.one_block;
      const std::uint64_t block = single ? wanted.network.order() * bytes : bytes;
      result.emplace_back(algorithm.name, Predictor(algorithm, form).fastest(block, machine).seconds);
    }
  }
  return result;
}

TEST(Choice, is_never_slower_than_any_algorithm) {
  for (const char* network : {"hypercube:4", "torus:3x4", "hexmesh:2", "circulant:13:1,5"}) {
    for (const char* collective : collectives) {
      for (const PortModel ports : {PortModel::all(), PortModel::ports(2), PortModel::one()}) {
        const Request wanted = request(network, collective, ports);
        for (const double overhead : {0.0, 1e-6}) {
          for (const std::uint64_t bytes : {1u, 5000u, 1u << 20}) {
            const cost::Machine machine = with_overhead(overhead);
            const Choice choice = choose_for(wanted, bytes, machine);
            const double seconds = choice.best().prediction.seconds;
            EXPECT_FALSE(choice.best().at_least);
            EXPECT_GE(seconds, choice.bound.seconds * (1 - 1e-12)) << network << " " << collective;
            if (wanted.task.collective == schedule::Collective::barrier) continue;  // its packets are empty
            const auto members = all_members(wanted, bytes, machine);
            EXPECT_EQ(choice.candidates.size(), members.size());
            for (const auto& [name, other] : members)
              EXPECT_LE(seconds, other * (1 + 1e-12)) << network << " " << collective << " " << name;
          }
        }
      }
    }
  }
}

// In order of their seconds, and what is said to be a lower bound is one.
TEST(Choice, sorts_candidates_and_bounds_those_it_passes_over) {
  int passed = 0;
  for (const char* collective : collectives) {
    const Request wanted = request("hypercube:4", collective);
    const Choice quick = choose_for(wanted, 3000, cluster);
    const Choice whole = choose_for(wanted, 3000, cluster, {}, Detail::all);
    const auto by_seconds = [](const Candidate& c) { return c.prediction.seconds; };
    EXPECT_TRUE(std::ranges::is_sorted(quick.candidates, {}, by_seconds));
    EXPECT_TRUE(std::ranges::is_sorted(whole.candidates, {}, by_seconds));
    ASSERT_EQ(quick.candidates.size(), whole.candidates.size());
    EXPECT_EQ(quick.best().name, whole.best().name);
    for (const Candidate& candidate : whole.candidates) {
      EXPECT_FALSE(candidate.at_least) << candidate.name;
      const auto same = std::ranges::find(quick.candidates, candidate.name, &Candidate::name);
      ASSERT_NE(same, quick.candidates.end()) << candidate.name;
      EXPECT_LE(same->prediction.seconds, candidate.prediction.seconds * (1 + 1e-12)) << candidate.name;
      passed += same->at_least;
    }
  }
  EXPECT_GT(passed, 0);
}

// The plan that is made takes as long as was predicted, and is valid.
TEST(Choice, is_planned_as_predicted) {
  for (const char* network : {"hypercube:4", "torus:4x4", "hexmesh:3"}) {
    for (const char* collective : collectives) {
      for (const PortModel ports : {PortModel::all(), PortModel::one()}) {
        for (const std::uint64_t bytes : {240u, 27720u}) {  // divisible by many
          const cost::Machine machine = with_overhead(3e-7);
          const Choice choice = choose_for(request(network, collective, ports), bytes, machine);
          const Candidate& best = choice.best();
          const schedule::Plan plan = make_plan(best);
          EXPECT_EQ(plan.task.parts, best.prediction.packets);
          EXPECT_TRUE(verify::verify(plan).valid) << network << " " << collective;
          if (best.block_bytes == 0 || best.block_bytes % plan.task.parts != 0) continue;
          const auto load = cost::Workload::in_parts(best.block_bytes, plan.task.parts);
          const double lock_step = cost::round_time(plan, machine, load);
          EXPECT_NEAR(best.prediction.seconds, lock_step, 1e-9 * lock_step)
              << network << " " << collective << " " << best.name;
        }
      }
    }
  }
}

// A global sum knows one block: it has to carry the shares of all nodes in it.
TEST(Choice, compares_allreduces_of_one_block_with_those_of_many) {
  const Request wanted = request("hexmesh:2", "allreduce");
  const Choice choice = choose_for(wanted, 1000, cluster, {}, Detail::all);
  for (const Candidate& candidate : choice.candidates) {
    const bool single = candidate.name.starts_with("hexmesh-global-sum");
    EXPECT_EQ(candidate.block_bytes, single ? 7000u : 1000u) << candidate.name;
  }
}

TEST(Choice, keeps_what_is_fixed) {
  Request wanted = request("hypercube:4", "scatter");
  wanted.task.parts = 3;
  wanted.merge = 2;
  for (const Candidate& candidate : choose_for(wanted, 600, cluster, {true, true}, Detail::all).candidates) {
    EXPECT_EQ(candidate.request.task.parts, 3u);
    EXPECT_EQ(candidate.request.merge, 2u);
  }
  std::set<std::uint64_t> merges;
  for (const Candidate& candidate : choose_for(wanted, 600, cluster, {true, false}, Detail::all).candidates) {
    EXPECT_EQ(candidate.prediction.packets, 3u);
    merges.insert(candidate.request.merge);
  }
  EXPECT_EQ(merges, (std::set<std::uint64_t>{1, unbounded}));

  wanted = request("hypercube:4", "scatter");
  wanted.algorithm = "binomial-tree-scatter";
  wanted.order = algorithm::parse_root_order("cyclic-preorder");
  const Choice named = choose_for(wanted, 600, cluster);
  EXPECT_EQ(named.candidates.size(), 2u);  // strict and merged
  for (const Candidate& candidate : named.candidates) {
    EXPECT_EQ(candidate.request.algorithm, "binomial-tree-scatter");
    EXPECT_EQ(candidate.request.order, wanted.order);
  }
}

TEST(Choice, serves_failures_and_listed_tasks) {
  Request damaged = request("torus:4x4", "broadcast");
  damaged.failed.nodes = {5};
  const Choice around = choose_for(damaged, 4096, cluster);
  EXPECT_TRUE(verify::verify(make_plan(around.best())).valid);
  EXPECT_GE(around.best().prediction.seconds, around.bound.seconds);

  Request listed = request("torus:4x4", "isotropic");
  listed.destinations = {{1, 2}, {6, 1}};
  const Choice exchange = choose_for(listed, 4096, cluster);
  EXPECT_TRUE(verify::verify(make_plan(exchange.best())).valid);
  EXPECT_GE(exchange.best().prediction.seconds, exchange.bound.seconds);
}

// What stops at no node on its way takes one start-up instead of eight.
TEST(Choice, sends_directly_where_messages_pass_nodes) {
  cost::Machine machine = with_overhead(1e-8);
  const Request wanted = request("torus:8x8", "alltoall");
  EXPECT_FALSE(choose_for(wanted, 64, machine).best().direct);
  machine.cut_through = true;
  machine.hop_time_s = 5e-8;
  const Choice choice = choose_for(wanted, 64, machine);
  ASSERT_TRUE(choice.best().direct);
  EXPECT_EQ(choice.best().name, "direct-sends, merged");
  const schedule::Plan plan = make_plan(choice.best());
  EXPECT_EQ(plan.network.name(), "complete:64");
  EXPECT_TRUE(verify::verify(plan).valid);
  EXPECT_THAT(explain(choice), HasSubstr("messages between neighbours, not for direct sends"));

  Request named = wanted;
  named.algorithm = direct_sends_name;
  EXPECT_EQ(choose_for(named, 64, machine).candidates.size(), 2u);
  machine.overhead_s = 1e-3;  // 63 messages a node are too many, and so are 8 rounds between neighbours
  EXPECT_EQ(choose_for(wanted, 64, machine).best().name, "direct-sends-by-1, merged");
  machine.byte_time_s = 1e-3;  // longer messages
  EXPECT_FALSE(choose_for(wanted, 64, machine).best().direct);
}

TEST(Choice, has_broadcasts_run_ahead_where_start_ups_overlap) {
  const cost::Machine machine{.startup_s = 1e-6,
                              .byte_time_s = 1e-9,
                              .ports = schedule::PortModel::all(),
                              .cut_through = true,
                              .hop_time_s = 1e-6};
  const Choice choice = choose_for(request("torus:4x4", "broadcast"), 65536, machine);
  EXPECT_EQ(choice.best().prediction.in_flight, 4u);
  EXPECT_TRUE(verify::verify(make_plan(choice.best())).valid);
  EXPECT_THAT(explain(choice), HasSubstr("broadcast, 4 in flight"));
  EXPECT_THAT(explain(choice), HasSubstr("runs ahead of rounds, with 4 messages of the root on a link"));
}

// hypercube:2, 100 bytes: binomial tree, 2 rounds of 3 + 1 s; the bound has half a block over a link.
TEST(Choice, explains_itself) {
  const cost::Machine machine{.startup_s = 3, .byte_time_s = 0.01};
  Request wanted = request("hypercube:2", "broadcast");
  wanted.algorithm = "binomial-tree-broadcast";
  const std::string alone = explain(choose_for(wanted, 100, machine));
  EXPECT_THAT(alone,
              HasSubstr("binomial-tree-broadcast          1        2           2     75.0 %     25.0 %"));
  EXPECT_THAT(alone,
              HasSubstr("start-ups 6 s in 2 rounds (75.0 %), busiest links 2 blocks = 200 bytes in 2 s"));
  EXPECT_THAT(alone, HasSubstr("no other candidate applies"));
  EXPECT_THAT(alone, HasSubstr("at least 2 rounds x 3 s = 6 s"));
  EXPECT_THAT(alone, HasSubstr("at least 50 bytes over the busiest links x 1e+07 ns = 0.5 s: degree"));
  EXPECT_THAT(alone, HasSubstr("gap           23.1 % above the bound"));  // 8 / 6.5

  wanted.algorithm.clear();
  const std::string all = explain(choose_for(wanted, 100, machine, {}, Detail::all));
  EXPECT_THAT(all, HasSubstr("takes "));
  EXPECT_THAT(all, testing::Not(HasSubstr("at least 8\n")));
  EXPECT_THAT(explain(choose_for(wanted, 100, machine)), HasSubstr("at least "));
}

std::string refusal(const Request& wanted, std::uint64_t bytes, const cost::Machine& machine) {
  try {
    choose_for(wanted, bytes, machine);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Choice, refuses_what_cannot_be_served) {
  const Request cube = request("hypercube:3", "broadcast");
  EXPECT_EQ(refusal(cube, 1, cluster), "");
  EXPECT_THAT(refusal(cube, 0, cluster), HasSubstr("a block of 0 bytes: give 1 to"));
  EXPECT_THAT(refusal(cube, UINT64_MAX, cluster), HasSubstr("give 1 to"));
  EXPECT_THAT(refusal(cube, 1, {.startup_s = -1}), HasSubstr("start-up"));
  EXPECT_THAT(refusal(cube, 1, {.ports = PortModel::ports(4)}), HasSubstr("the degree"));
  EXPECT_THAT(refusal(request("torus:4x4", "alltoall", PortModel::half()), 1, cluster),
              HasSubstr("no algorithm for alltoall"));
  EXPECT_THAT(refusal(request("torus:4x4", "isotropic"), 1, cluster), HasSubstr("no blocks"));

  Request named = cube;
  named.algorithm = "msbt-brodcast";
  EXPECT_THAT(refusal(named, 1, cluster), HasSubstr("did you mean msbt-broadcast"));
  named.algorithm = "binomial-tree-scatter";
  EXPECT_THAT(refusal(named, 1, cluster), HasSubstr("plans scatter, not broadcast"));
  named.algorithm = direct_sends_name;
  EXPECT_THAT(refusal(named, 1, cluster), HasSubstr("no cut-through"));
  named.algorithm = "direct-sends-by-9";
  EXPECT_THAT(refusal(named, 1, {.cut_through = true}),
              HasSubstr("there are direct-sends, direct-sends-by-1"));
  Request barrier = request("hypercube:3", "barrier");
  barrier.algorithm = "direct-sends-by-2";
  EXPECT_THAT(refusal(barrier, 1, {.cut_through = true}), HasSubstr("serves broadcast, scatter, gather"));

  Request cut_off = cube;
  cut_off.failed.nodes = {1, 2, 4};
  EXPECT_THAT(refusal(cut_off, 1, cluster), HasSubstr("cut"));
}

}  // namespace
}  // namespace isotrope::planner
