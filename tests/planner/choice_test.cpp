// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/planner/choice.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isotrope/base/error.hpp"

#include "isotrope/network/parse.hpp"

#include "isotrope/cost/round_time.hpp"

#include "isotrope/verify/verify.hpp"

#include "isotrope/planner/contest.hpp"
#include "isotrope/planner/segment_search.hpp"

#include "tests/sanitizers.hpp"

namespace isotrope::planner {
namespace {

using schedule::PortModel;
using testing::HasSubstr;

constexpr const char* chosen_collectives[] = {"broadcast", "reduce",    "scatter",
                                              "gather",    "allgather", "reduce-scatter",
                                              "allreduce", "alltoall",  "barrier"};

Problem problem_for(std::string_view network_name, std::string_view collective,
                    PortModel ports = PortModel::all()) {
  const Network network = network::parse(network_name);
  return {.network = network, .task = schedule::parse_task(collective, network), .ports = ports};
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
  const Choice choice = choose_for(problem_for("hypercube:1", "alltoall"), 2, machine);
  EXPECT_DOUBLE_EQ(choice.best().prediction.seconds, 0.25 + 3 + 1);
  EXPECT_EQ(choice.bound.rounds, 1u);
  EXPECT_NEAR(choice.bound.bytes, 2, 1e-3);
  EXPECT_NEAR(choice.bound.seconds, 4.25, 1e-3);
}

// A search that serves one part may be too long for the many parts of a large block: on the circulant, list scheduling.
TEST(Choice, searches_for_no_more_parts_than_the_algorithm_supports) {
  cost::Machine machine = with_overhead(1e-6);
  machine.byte_time_s = 1e-9;
  int searched = 0;
  for (const char* network : {"circulant:29:1,5,12", "hexmesh:2", "ring:9", "torus:3x5"}) {
    for (const char* collective : {"alltoall", "allgather", "broadcast"}) {
      const Choice choice =
          choose_for(problem_for(network, collective), std::uint64_t{1} << 30, machine, {}, {}, Detail::all);
      for (const Candidate& candidate : choice.candidates) {
        if (candidate.at_least) continue;
        EXPECT_FALSE(unsupported_reason(*candidate.algorithm, candidate.problem, {}))
            << network << " " << candidate.name() << ", " << candidate.problem.task.parts << " parts";
        if (candidate.algorithm->traits().searched) ++searched;
      }
    }
  }
  EXPECT_GT(searched, 0);
}

// Over one port of hypercube:5: d rounds of the whole block, or P + d - 1 of its P packets, of which
// sqrt((d - 1) M t_c / tau) are best.
TEST(Choice, changes_with_the_size) {
  const Problem wanted = problem_for("hypercube:5", "broadcast", PortModel::one());
  const cost::Machine machine{.startup_s = 1e-3, .byte_time_s = 1e-6};
  const Choice small = choose_for(wanted, 100, machine), large = choose_for(wanted, 1 << 20, machine);
  EXPECT_EQ(small.best().prediction.segments, 1u);
  EXPECT_DOUBLE_EQ(small.best().prediction.seconds, 5 * 1.1e-3);
  EXPECT_EQ(large.best().name(), "capped-msbt-broadcast");
  EXPECT_NEAR(large.best().prediction.segments, std::sqrt(4 * 1048.576), 2);
}

// If start-ups are costly, few aggregated messages win; if they are free, nothing does better than the bound on
// bytes.
TEST(Choice, changes_with_the_machine) {
  const Problem wanted = problem_for("hypercube:6", "scatter");
  const Choice costly = choose_for(wanted, 64, {.startup_s = 1, .byte_time_s = 1e-9});
  EXPECT_GT(costly.best().problem.aggregation, 1u);
  EXPECT_EQ(costly.best().prediction.rounds, 6u);
  const Choice free = choose_for(wanted, 60, {.startup_s = 0, .byte_time_s = 1});
  EXPECT_LE(free.best().prediction.seconds, 1.05 * free.bound.seconds);
}

// Every quick algorithm of the catalogue that supports the problem, strict or aggregated, by itself.
std::vector<std::pair<std::string, double>> all_members(const Problem& problem, std::uint64_t bytes,
                                                        const cost::Machine& machine) {
  std::vector<std::pair<std::string, double>> result;
  for (const Algorithm* algorithm : catalog()) {
    for (const std::uint64_t limit : {std::uint64_t{1}, unbounded}) {
      Problem form = problem;
      form.aggregation = limit;
      const Traits& traits = algorithm->traits();
      if (traits.collective != problem.task.collective || unsupported_reason(*algorithm, form)) continue;
      if (!algorithm->is_quick(form)) continue;
      for (const Parameters& parameters : algorithm->choices(form)) {
        if (traits.overlay || algorithm->overlay(form, parameters)) continue;
        if (!algorithm->adds_alike(form, parameters)) continue;
        Entrant alone(*algorithm, form, parameters, true, 0);
        const Candidate found = alone.fastest_below(std::numeric_limits<double>::infinity(), bytes, machine);
        result.emplace_back(found.name(), found.prediction.seconds);
      }
    }
  }
  return result;
}

bool adds_alike_everywhere(const Candidate& candidate) {
  return candidate.algorithm->adds_alike(candidate.problem, candidate.parameters);
}

// Of a search few numbers of segments are tried, and the best one may be missed by some per cent.
TEST(Choice, is_never_slower_than_any_algorithm) {
  for (const char* network : {"hypercube:4", "torus:3x4", "hexmesh:2", "circulant:13:1,5"}) {
    if (is_sanitized && network::parse(network).order() > 7)
      continue;  // all plans of all algorithms take long
    for (const char* collective : chosen_collectives) {
      for (const PortModel ports : {PortModel::all(), PortModel::ports(2), PortModel::one()}) {
        const Problem wanted = problem_for(network, collective, ports);
        for (const double overhead : {0.0, 1e-6}) {
          for (const std::uint64_t bytes : {1u, 5000u, 1u << 20}) {
            const cost::Machine machine = with_overhead(overhead);
            const Choice choice = choose_for(wanted, bytes, machine);
            const double seconds = choice.best().prediction.seconds;
            EXPECT_FALSE(choice.best().at_least);
            EXPECT_GE(seconds, choice.bound.seconds * (1 - 1e-12)) << network << " " << collective;
            if (wanted.task.collective == schedule::Collective::barrier) continue;  // its packets are empty
            const auto members = all_members(wanted, bytes, machine);
            // Those that do not lead are not asked in which order their nodes add.
            EXPECT_EQ(std::ranges::count_if(choice.candidates, adds_alike_everywhere), std::ssize(members));
            for (const auto& [name, other] : members) {
              const double tolerance = name.starts_with("rarest-first") ? 0.08 : 1e-12;
              EXPECT_LE(seconds, other * (1 + tolerance)) << network << " " << collective << " " << name;
            }
          }
        }
      }
    }
  }
}

// In order of their seconds, and what is said to be a lower bound is one.
TEST(Choice, sorts_candidates_and_bounds_those_it_passes_over) {
  int passed = 0;
  for (const char* collective : chosen_collectives) {
    const Problem wanted = problem_for("hypercube:4", collective);
    const Choice quick = choose_for(wanted, 3000, cluster);
    const Choice whole = choose_for(wanted, 3000, cluster, {}, {}, Detail::all);
    const auto by_seconds = [](const Candidate& c) { return c.prediction.seconds; };
    EXPECT_TRUE(std::ranges::is_sorted(quick.candidates, {}, by_seconds));
    EXPECT_TRUE(std::ranges::is_sorted(whole.candidates, {}, by_seconds));
    ASSERT_EQ(quick.candidates.size(), whole.candidates.size());
    EXPECT_EQ(quick.best().name(), whole.best().name());
    for (const Candidate& candidate : whole.candidates) {
      EXPECT_FALSE(candidate.at_least) << candidate.name();
      const auto same = std::ranges::find(quick.candidates, candidate.name(), &Candidate::name);
      ASSERT_NE(same, quick.candidates.end()) << candidate.name();
      EXPECT_LE(same->prediction.seconds, candidate.prediction.seconds * (1 + 1e-12)) << candidate.name();
      passed += same->at_least;
    }
  }
  EXPECT_GT(passed, 0);
}

// The plan that is made takes as long as was predicted, and is valid.
TEST(Choice, is_planned_as_predicted) {
  for (const char* network : {"hypercube:4", "torus:4x4", "hexmesh:3"}) {
    for (const char* collective : chosen_collectives) {
      for (const PortModel ports : {PortModel::all(), PortModel::one()}) {
        for (const std::uint64_t bytes : {240u, 27720u}) {  // divisible by many
          const cost::Machine machine = with_overhead(3e-7);
          const Choice choice = choose_for(problem_for(network, collective, ports), bytes, machine);
          const Candidate& best = choice.best();
          const schedule::Plan plan = make_plan(best);
          EXPECT_EQ(plan.task.parts, best.prediction.segments);
          EXPECT_TRUE(verify::verify(plan).valid) << network << " " << collective;
          if (best.block_bytes == 0 || best.block_bytes % plan.task.parts != 0) continue;
          const auto load = cost::Workload::in_parts(best.block_bytes, plan.task.parts);
          const double synchronous = cost::round_time(plan, machine, load);
          const double reduced =
              static_cast<double>(best.algorithm->local_reductions(best.problem, best.parameters)) *
              static_cast<double>(best.block_bytes) * machine.overhead_byte_s;
          EXPECT_NEAR(best.prediction.seconds, synchronous + reduced, 1e-9 * synchronous)
              << network << " " << collective << " " << best.name();
        }
      }
    }
  }
}

// Bytes are those of the whole vector. A global sum knows one block, which carries all of it; others know a share
// per node, rounded up.
TEST(Choice, compares_allreduces_of_one_block_with_those_of_many) {
  const Problem wanted = problem_for("hexmesh:2", "allreduce");
  for (const std::uint64_t bytes : {7000u, 6995u}) {
    const Choice choice = choose_for(wanted, bytes, cluster, {}, {}, Detail::all);
    EXPECT_EQ(choice.bytes, bytes);
    EXPECT_EQ(choice.block_bytes, 1000u);
    int single = 0, shared = 0;
    for (const Candidate& candidate : choice.candidates) {
      const bool whole = candidate.algorithm->traits().whole_vector;
      EXPECT_EQ(whole, candidate.name().starts_with("hexmesh-global-sum") ||
                           candidate.algorithm->name().ends_with("-then-reduce"))
          << candidate.name();
      EXPECT_EQ(candidate.block_bytes, whole ? bytes : 1000u) << candidate.name();
      ++(whole ? single : shared);
    }
    EXPECT_GT(single, 1);
    EXPECT_GT(shared, 1);
  }
}

// On 4 nodes of which every node gathers all: 100 bytes over each link in 2 rounds, and 4 times 100 bytes reduced.
TEST(Choice, counts_local_reductions) {
  cost::Machine machine{.startup_s = 1, .byte_time_s = 0.01, .overhead_byte_s = 0.25};
  const Choice choice = choose_for(problem_for("hypercube:2", "allreduce"), 100, machine,
                                   {.algorithm = "layer-by-layer-allgather-then-reduce"}, {true, false});
  const Prediction& best = choice.best().prediction;
  EXPECT_DOUBLE_EQ(best.startup_s, 2);
  EXPECT_DOUBLE_EQ(best.seconds, best.overhead_s + best.startup_s + best.transfer_s);
  EXPECT_GE(best.overhead_s, 4 * 100 * 0.25);
  machine.overhead_byte_s = 0;
  const Choice free = choose_for(problem_for("hypercube:2", "allreduce"), 100, machine,
                                 {.algorithm = "layer-by-layer-allgather-then-reduce"}, {true, false});
  EXPECT_DOUBLE_EQ(free.best().prediction.overhead_s, 0);
}

TEST(Choice, keeps_what_is_fixed) {
  Problem wanted = problem_for("hypercube:4", "scatter");
  wanted.task.parts = 3;
  wanted.aggregation = 2;
  for (const Candidate& candidate :
       choose_for(wanted, 600, cluster, {}, {true, true}, Detail::all).candidates) {
    EXPECT_EQ(candidate.problem.task.parts, 3u);
    EXPECT_EQ(candidate.problem.aggregation, 2u);
  }
  std::set<std::uint64_t> limits;
  for (const Candidate& candidate :
       choose_for(wanted, 600, cluster, {}, {true, false}, Detail::all).candidates) {
    EXPECT_EQ(candidate.prediction.segments, 3u);
    limits.insert(candidate.problem.aggregation);
  }
  EXPECT_EQ(limits, (std::set<std::uint64_t>{1, unbounded}));

  const Preferences preferences{.algorithm = "binomial-tree-scatter",
                                .order = algorithm::parse_root_order("cyclic-preorder")};
  const Choice named = choose_for(problem_for("hypercube:4", "scatter"), 600, cluster, preferences);
  EXPECT_EQ(named.candidates.size(), 2u);  // strict and aggregated
  for (const Candidate& candidate : named.candidates) {
    EXPECT_EQ(candidate.algorithm->name(), "binomial-tree-scatter");
    EXPECT_EQ(candidate.parameters.order, preferences.order);
  }
}

TEST(Choice, serves_failures_and_listed_tasks) {
  Problem damaged = problem_for("torus:4x4", "broadcast");
  damaged.failed.nodes = {5};
  const Choice around = choose_for(damaged, 4096, cluster);
  EXPECT_TRUE(verify::verify(make_plan(around.best())).valid);
  EXPECT_GE(around.best().prediction.seconds, around.bound.seconds);

  Problem listed = problem_for("torus:4x4", "isotropic");
  listed.task.destinations = {{1, 2}, {6, 1}};
  const Choice exchange = choose_for(listed, 4096, cluster);
  EXPECT_TRUE(verify::verify(make_plan(exchange.best())).valid);
  EXPECT_GE(exchange.best().prediction.seconds, exchange.bound.seconds);
}

// A message that stops at no node on its way takes one start-up instead of eight.
TEST(Choice, takes_overlays_if_messages_pass_nodes) {
  cost::Machine machine = with_overhead(1e-8);
  const Problem wanted = problem_for("torus:8x8", "alltoall");
  EXPECT_FALSE(choose_for(wanted, 64, machine).best().over_overlay());
  machine.cut_through = true;
  machine.hop_time_s = 5e-8;
  const Choice choice = choose_for(wanted, 64, machine);
  ASSERT_TRUE(choice.best().over_overlay());
  EXPECT_THAT(choice.best().name(), testing::StartsWith("linear-exchange, "));
  const schedule::Plan plan = make_plan(choice.best());
  EXPECT_EQ(plan.network.name(), "torus:8x8");
  ASSERT_TRUE(plan.overlay);
  EXPECT_EQ(plan.overlay->degree(), 63u);
  EXPECT_TRUE(verify::verify(plan).valid);
  EXPECT_THAT(explain(choice), HasSubstr("the bound is for messages between neighbours, and this plan routes "
                                         "messages"));

  EXPECT_EQ(choose_for(wanted, 64, machine, {.algorithm = "linear-exchange"}).candidates.size(), 1u);
  EXPECT_EQ(choose_for(wanted, 64, machine, {.algorithm = "pairwise-exchange"}).candidates.size(), 1u);
  EXPECT_EQ(choose_for(wanted, 64, machine, {.algorithm = "radix-exchange"}).candidates.size(), 5u);
  const Choice radix = choose_for(wanted, 64, machine, {.algorithm = "radix-exchange", .digits = 2});
  ASSERT_EQ(radix.candidates.size(), 1u);
  EXPECT_THAT(radix.best().name(), testing::StartsWith("radix-exchange, radix 4, "));
  EXPECT_EQ(radix.best().parameters.digits, 2u);
  EXPECT_EQ(radix.best().prediction.rounds, 3u);
  machine.overhead_s = 1e-3;  // 63 messages per node are too many, and so are 8 rounds between neighbours
  EXPECT_EQ(choose_for(wanted, 64, machine).best().name(), "radix-exchange, radix 2, aggregated");
  // Longer messages: links carry no more than they must, and the overheads of 63 messages go on beside that.
  machine.byte_time_s = 1e-3;
  const Choice direct = choose_for(wanted, 64, machine);
  EXPECT_EQ(direct.best().name(), "linear-exchange, aggregated");
  EXPECT_LT(direct.best().prediction.seconds, 1.02 * direct.bound.seconds);
}

// One message of a few bytes after another: the start-ups of three messages of the whole vector, and no more.
// However long the messages of those ahead take when they are followed, whoever wins gives all nodes the same bits.
TEST(Choice, of_rounded_sums_adds_alike_at_all_nodes) {
  for (const char* network :
       {"torus:3x5", "torus:5x7", "ring:27", "hexmesh:3", "circulant:13:1,5", "mesh:5x7"}) {
    const network::NamedNetwork named = network::parse_named(network);
    const Problem problem{.network = named.network,
                          .failed = named.lacks,
                          .task = schedule::parse_task("allreduce", named.network),
                          .ports = schedule::PortModel::all()};
    for (const double receive_overhead_s : {0.0, 1e-6}) {
      cost::Machine machine = simgrid_machine(1e-6);
      machine.receive_overhead_s = receive_overhead_s;
      for (const std::uint64_t bytes : {64U, 256U, 1024U, 4096U, 16384U}) {
        const Candidate best = choose_for(problem, bytes, machine).best();
        EXPECT_TRUE(best.algorithm->adds_alike(best.problem, best.parameters))
            << network << ", " << bytes << " bytes: " << best.name();
      }
    }
  }
}

TEST(Choice, doubles_small_vectors) {
  for (const auto& [network, name] : {std::pair{"hypercube:3", "recursive-doubling"},
                                      {"torus:2x4", "level-exchange, no divisions, stages, aggregated"}}) {
    cost::Machine machine{.startup_s = 1e-6, .byte_time_s = 1e-9, .overhead_s = 5e-6};
    machine.cut_through = true;
    const Choice choice = choose_for(problem_for(network, "allreduce"), 8, machine);
    EXPECT_EQ(choice.best().name(), name) << network;
    EXPECT_EQ(choice.best().block_bytes, 8u);
    EXPECT_EQ(choice.best().prediction.rounds, 3u);
    const schedule::Plan plan = make_plan(choice.best());
    EXPECT_EQ(plan.overlay.has_value(), std::string_view(network) == "torus:2x4");
    EXPECT_TRUE(verify::verify(plan).valid) << network;
  }
}

TEST(Choice, pipelines_broadcasts_if_start_ups_overlap) {
  const cost::Machine machine{.startup_s = 1e-6,
                              .byte_time_s = 1e-9,
                              .ports = schedule::PortModel::all(),
                              .cut_through = true,
                              .hop_time_s = 1e-6};
  const Choice choice = choose_for(problem_for("torus:4x4", "broadcast"), 65536, machine);
  EXPECT_EQ(choice.best().prediction.window, 4u);
  EXPECT_EQ(choice.best().parameters.window, 4u);
  EXPECT_EQ(choice.best().parameters.hop_rounds, 4u);
  const Choice reduce = choose_for(problem_for("torus:4x4", "reduce"), 65536, machine);
  EXPECT_EQ(reduce.best().parameters.window, 4u);
  EXPECT_EQ(reduce.best().parameters.hop_rounds, 0u);
  const schedule::Plan plan = make_plan(choice.best());
  EXPECT_EQ(plan.window, 4u);
  EXPECT_TRUE(verify::verify(plan).valid);
  EXPECT_THAT(explain(choice), HasSubstr("broadcast, window 4"));
  EXPECT_THAT(explain(choice), HasSubstr("pipelined, window 4: 4 messages share a link at once"));
}

// hypercube:2, 100 bytes: binomial tree, 2 rounds of 3 + 1 s; the bound has half a block over a link.
TEST(Choice, explains_itself) {
  const cost::Machine machine{.startup_s = 3, .byte_time_s = 0.01};
  const Problem wanted = problem_for("hypercube:2", "broadcast");
  const std::string alone =
      explain(choose_for(wanted, 100, machine, {.algorithm = "binomial-tree-broadcast"}));
  EXPECT_THAT(alone,
              HasSubstr("binomial-tree-broadcast          1        2           2     75.0 %     25.0 %"));
  EXPECT_THAT(alone,
              HasSubstr("start-ups 6 s in 2 rounds (75.0 %), busiest links 2 blocks = 200 bytes in 2 s"));
  EXPECT_THAT(alone, HasSubstr("no other candidate applies"));
  EXPECT_THAT(alone, HasSubstr("at least 2 rounds x 3 s = 6 s"));
  EXPECT_THAT(alone, HasSubstr("at least 50 bytes over the busiest links x 1e+07 ns = 0.5 s: degree"));
  EXPECT_THAT(alone,
              HasSubstr("at least 7 s together"));  // without either round, 50 bytes a link move in the other
  EXPECT_THAT(alone, HasSubstr("gap           14.3 % above the bound"));  // 8 / 7

  const std::string all = explain(choose_for(wanted, 100, machine, {}, {}, Detail::all));
  EXPECT_THAT(all, HasSubstr("takes "));
  EXPECT_THAT(all, testing::Not(HasSubstr("at least 8\n")));
  EXPECT_THAT(explain(choose_for(wanted, 100, machine)), HasSubstr("at least "));
}

std::string refusal(const Problem& wanted, std::uint64_t bytes, const cost::Machine& machine,
                    const Preferences& preferences = {}) {
  try {
    choose_for(wanted, bytes, machine, preferences);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Choice, refuses_what_cannot_be_served) {
  const Problem cube = problem_for("hypercube:3", "broadcast");
  EXPECT_EQ(refusal(cube, 1, cluster), "");
  EXPECT_THAT(refusal(cube, 0, cluster), HasSubstr("0 bytes: give 1 to"));
  EXPECT_THAT(refusal(cube, UINT64_MAX, cluster), HasSubstr("give 1 to"));
  EXPECT_THAT(refusal(cube, 1, {.startup_s = -1}), HasSubstr("start-up"));
  EXPECT_THAT(refusal(cube, 1, {.ports = PortModel::ports(4)}), HasSubstr("the degree"));
  EXPECT_THAT(refusal(problem_for("hypercube:13", "alltoall", PortModel::half()), 1, cluster),
              HasSubstr("no algorithm for alltoall"));
  EXPECT_THAT(refusal(problem_for("torus:4x4", "isotropic"), 1, cluster), HasSubstr("no blocks"));

  EXPECT_THAT(refusal(cube, 1, cluster, {.algorithm = "msbt-brodcast"}),
              HasSubstr("did you mean msbt-broadcast"));
  EXPECT_THAT(refusal(cube, 1, cluster, {.algorithm = "binomial-tree-scatter"}),
              HasSubstr("plans scatter, not broadcast"));

  Problem damaged = cube;
  damaged.failed.nodes = {1, 2, 4};
  EXPECT_THAT(refusal(damaged, 1, cluster), HasSubstr("cut"));
}

TEST(Choice, says_why_an_overlay_takes_no_part) {
  const Problem cube = problem_for("hypercube:3", "broadcast");
  const cost::Machine through{.cut_through = true};
  for (const char* name : {"linear-exchange", "radix-exchange", "pairwise-exchange"})
    EXPECT_THAT(refusal(cube, 1, cluster, {.algorithm = name}), HasSubstr("no cut-through")) << name;
  EXPECT_THAT(refusal(cube, 1, through, {.algorithm = "radix-exchange", .digits = 9}),
              HasSubstr("9 digits per round: give 1 to 2"));
  EXPECT_THAT(refusal(problem_for("hypercube:3", "broadcast", PortModel::one()), 1, through,
                      {.algorithm = "radix-exchange", .digits = 2}),
              HasSubstr("2 digits per round: give 1"));
  EXPECT_THAT(refusal(cube, 1, through, {.algorithm = "radix-exchanges"}),
              HasSubstr("did you mean radix-exchange"));
  EXPECT_THAT(refusal(problem_for("hypercube:3", "barrier"), 1, through, {.algorithm = "radix-exchange"}),
              HasSubstr("radix-exchange plans broadcast, reduce, scatter, gather, "));
  EXPECT_THAT(refusal(problem_for("hypercube:3", "barrier"), 1, through, {.algorithm = "radix-exchange"}),
              HasSubstr("not barrier"));
  EXPECT_THAT(refusal(problem_for("torus:3x4", "allreduce"), 1, through, {.algorithm = "recursive-doubling"}),
              HasSubstr("powers of two"));
}

}  // namespace
}  // namespace isotrope::planner
