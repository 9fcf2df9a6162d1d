// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Algorithms over overlays: their times on a cut-through machine, their plans, and why some problems do not suit.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isotrope/network/parse.hpp"

#include "isotrope/cost/cut_through.hpp"

#include "isotrope/verify/verify.hpp"

#include "isotrope/planner/choice.hpp"

#include "tests/planner/wanted.hpp"

namespace isotrope::planner {
namespace {

using schedule::PortModel;
using testing::HasSubstr;

constexpr const char* linear = "linear-exchange";
constexpr const char* pairwise = "pairwise-exchange";
constexpr const char* radix = "radix-exchange";
constexpr const char* doubling = "recursive-doubling";

const cost::Machine overlay_machine{.startup_s = 2,
                                    .byte_time_s = 0.5,
                                    .overhead_s = 0.25,
                                    .receive_overhead_s = 0.5,
                                    .cut_through = true,
                                    .hop_time_s = 0.125};

// Pairwise exchange and recursive doubling send single packets, the others aggregate.
Problem problem_for(const char* network_name, const char* collective, std::string_view algorithm,
                    PortModel ports = PortModel::all()) {
  const Network network = network::parse(network_name);
  const bool strict = algorithm == pairwise || algorithm == doubling;
  return {.network = network,
          .task = schedule::parse_task(collective, network),
          .ports = ports,
          .aggregation = strict ? 1 : unbounded};
}

const Algorithm& named(std::string_view name, const Problem& problem) {
  return algorithm_named(name, problem.task.collective);
}

Prediction predicted(const char* network, const char* collective, std::string_view name,
                     std::uint64_t block_bytes, Parameters parameters = {}) {
  const Problem problem = problem_for(network, collective, name);
  const auto rounds = named(name, problem).cut_through_rounds(problem, parameters);
  return cost::cut_through(rounds, block_bytes, overlay_machine);
}

std::uint64_t link_blocks(const char* network, const char* collective, std::string_view name) {
  return predicted(network, collective, name, 1).link_bytes;
}

// torus:4x4: every axis has distances 1, 1 and 2, so a port carries (1 + 2 + 1) * 4 / 2 = 8 blocks. Round by
// round the larger of both coordinates: 8 times 1 and 7 times 2.
TEST(Overlays, load_links_along_balanced_routes) {
  EXPECT_EQ(link_blocks("torus:4x4", "alltoall", linear), 8u);
  EXPECT_EQ(link_blocks("torus:4x4", "alltoall", pairwise), 8 * 1 + 7 * 2u);
  EXPECT_EQ(link_blocks("torus:4x4", "allgather", linear), 8u);
  EXPECT_EQ(link_blocks("torus:4x4", "scatter", linear), 6u);      // 12 nodes in other columns, two ways
  EXPECT_EQ(link_blocks("hypercube:4", "broadcast", linear), 8u);  // all odd nodes, by bit 0
  EXPECT_EQ(link_blocks("torus:4x4", "gather", pairwise), 15u);
  EXPECT_EQ(link_blocks("hypercube:6", "alltoall", linear), 32u);
  EXPECT_EQ(link_blocks("hypercube:6", "alltoall", pairwise), 63u);  // no link twice in a round
}

// 15 messages; diameter 4; 10 bytes per block. The busiest link takes longer than the farthest message. One by
// one: a message each for the nodes 1, 2, 3 and 4 links away.
TEST(Overlays, take_their_rounds_and_their_way) {
  const Prediction at_once = predicted("torus:4x4", "alltoall", linear, 10);
  EXPECT_EQ(at_once.rounds, 1u);
  EXPECT_DOUBLE_EQ(at_once.startup_s, 2);
  EXPECT_DOUBLE_EQ(at_once.transfer_s, 80 * 0.5);
  EXPECT_DOUBLE_EQ(at_once.seconds,
                   overlay_machine.direct_round_time(15, 150, 15, overlay_machine.direct_time(10, 80, 4)));

  const Prediction one_by_one = predicted("torus:4x4", "alltoall", pairwise, 10);
  EXPECT_EQ(one_by_one.rounds, 15u);
  EXPECT_DOUBLE_EQ(one_by_one.seconds, 15 * 0.75 + 4 * overlay_machine.direct_time(10, 10, 1) +
                                           4 * overlay_machine.direct_time(10, 10, 2, 2) +
                                           2 * overlay_machine.direct_time(10, 20, 2, 2) +
                                           4 * overlay_machine.direct_time(10, 20, 3, 3) +
                                           overlay_machine.direct_time(10, 20, 4, 4));
}

// hypercube:4, two digits per round: 3 messages, of 4 blocks to a neighbour or two links away; of an allgather
// of 1 block, then of 4. A port carries those of its neighbour and of the one beyond.
TEST(Overlays, of_some_digits_take_fewer_and_longer_messages) {
  const auto seconds = [](const char* collective) {
    return predicted("hypercube:4", collective, radix, 10, {.digits = 2}).seconds;
  };
  const auto round = [](std::uint64_t messages, std::uint64_t received, std::uint64_t block,
                        std::uint64_t link) {
    return overlay_machine.direct_round_time(messages, messages * block, received,
                                             overlay_machine.direct_time(block, link, 2));
  };
  EXPECT_DOUBLE_EQ(seconds("alltoall"), 2 * round(3, 3, 40, 80));
  EXPECT_DOUBLE_EQ(seconds("allgather"), round(3, 3, 10, 20) + round(3, 3, 40, 80));
  EXPECT_DOUBLE_EQ(seconds("reduce-scatter"), seconds("allgather"));
  EXPECT_DOUBLE_EQ(seconds("allreduce"), 2 * seconds("allgather"));
  EXPECT_DOUBLE_EQ(seconds("broadcast"), 2 * round(3, 1, 10, 20));  // both over the lower port
  EXPECT_DOUBLE_EQ(seconds("reduce"), 2 * round(1, 3, 10, 20));
}

TEST(Overlays, join_all_pairs_of_nodes) {
  for (const char* name : {"torus:4x4", "hypercube:3", "ring:5", "hexmesh:2", "twisted-torus:4x4x8"}) {
    for (const char* collective : {"alltoall", "allgather", "broadcast", "scatter", "gather"}) {
      for (const auto& [algorithm, ports] : {std::pair{linear, PortModel::all()},
                                             {pairwise, PortModel::all()},
                                             {pairwise, PortModel::one()}}) {
        Problem problem = problem_for(name, collective, algorithm, ports);
        problem.task.root = is_rooted(problem.task.collective) ? problem.network.order() / 2 : 0;
        ASSERT_EQ(unsupported_reason(named(algorithm, problem), problem), std::nullopt);
        const schedule::Plan plan = make_plan(problem, named(algorithm, problem), {});
        const verify::Report report = verify::verify(plan);
        EXPECT_EQ(fault_of(report), "") << name << " " << collective << " " << algorithm;
        EXPECT_EQ(plan.network.name(), problem.network.name());
        ASSERT_TRUE(plan.overlay);
        EXPECT_EQ(plan.overlay->order(), problem.network.order());
        EXPECT_EQ(plan.overlay->degree(), problem.network.order() - 1);
        EXPECT_EQ(report.rounds, algorithm == pairwise ? problem.network.order() - 1 : 1);
      }
    }
  }
}

TEST(Overlays, of_some_digits_are_plans) {
  for (const char* name :
       {"torus:4x4", "hypercube:3", "ring:5", "hexmesh:3", "twisted-torus:4x4x8", "torus:3x5"}) {
    for (const char* collective : {"alltoall", "allgather", "broadcast", "scatter", "gather", "reduce",
                                   "reduce-scatter", "allreduce"}) {
      for (const char* algorithm : {linear, radix}) {
        Problem problem = problem_for(name, collective, algorithm);
        problem.task.root = is_rooted(problem.task.collective) ? problem.network.order() / 2 : 0;
        const Algorithm& chosen = named(algorithm, problem);
        for (const Parameters& parameters : chosen.choices(problem)) {
          problem.ports = parameters.digits == 1 ? PortModel::one() : PortModel::all();
          ASSERT_EQ(unsupported_reason(chosen, problem), std::nullopt);
          const schedule::Plan plan = make_plan(problem, chosen, parameters);
          const verify::Report report = verify::verify(plan);
          EXPECT_EQ(fault_of(report), "") << name << " " << collective << " " << parameters.digits;
          EXPECT_EQ(report.rounds, chosen.cut_through_rounds(problem, parameters).size());
          EXPECT_EQ(report.rounds, chosen.rounds(problem, parameters));
        }
      }
    }
  }
}

std::vector<std::uint32_t> digits(const char* network, PortModel ports = PortModel::all()) {
  const Problem problem = problem_for(network, "alltoall", radix, ports);
  std::vector<std::uint32_t> result;
  for (const Parameters& parameters : named(radix, problem).choices(problem))
    result.push_back(parameters.digits);
  return result;
}

TEST(Overlays, have_a_radix_for_every_number_of_digits_but_all) {
  EXPECT_THAT(digits("torus:4x4"), testing::ElementsAre(1, 2, 3));
  EXPECT_EQ(digits("hypercube:16").size(), 8u);
  EXPECT_THAT(digits("torus:4x4", PortModel::one()), testing::ElementsAre(1));
  const Problem pair = problem_for("ring:2", "alltoall", radix);
  EXPECT_THAT(unsupported_reason(named(radix, pair), pair).value_or(""), HasSubstr("two binary digits"));
}

TEST(Overlays, have_a_name_if_one_name_says_which) {
  const auto overlay = [](const char* network, const char* collective, const char* algorithm) {
    const Problem problem = problem_for(network, collective, algorithm);
    return *named(algorithm, problem).overlay(problem, {});
  };
  for (const char* algorithm : {linear, pairwise}) {
    EXPECT_EQ(overlay("ring:7", "alltoall", algorithm).name(), "complete:7");
    const Network torus = overlay("torus:4x4", "alltoall", algorithm);
    EXPECT_EQ(torus.name(), "cayley");
    EXPECT_TRUE(std::ranges::equal(torus.group().moduli(), std::vector<network::Coordinate>{4, 4}));
  }
}

bool doubles(const char* network, bool cut_through, PortModel ports = PortModel::all()) {
  const Problem problem = problem_for(network, "allreduce", doubling, ports);
  const Algorithm& algorithm = named(doubling, problem);
  if (unsupported_reason(algorithm, problem)) return false;
  return cut_through || !algorithm.overlay(problem, {});
}

// In a ring of 4 partners are 2 links away, so two messages share each link, then 1.
TEST(RecursiveDoubling, reaches_partners_over_links_or_an_overlay) {
  EXPECT_TRUE(doubles("hypercube:4", false));
  EXPECT_FALSE(doubles("torus:4x4", false));
  EXPECT_TRUE(doubles("torus:4x4", true));
  EXPECT_FALSE(doubles("torus:4x3", true));
  EXPECT_FALSE(doubles("ring:1", true));
  EXPECT_FALSE(doubles("hypercube:4", false, PortModel::half()));

  const Prediction prediction = predicted("ring:4", "allreduce", doubling, 10);
  EXPECT_EQ(prediction.rounds, 2u);
  EXPECT_DOUBLE_EQ(prediction.seconds,
                   overlay_machine.direct_round_time(1, 10, 1, overlay_machine.direct_time(10, 20, 2, 2)) +
                       overlay_machine.direct_round_time(1, 10, 1, overlay_machine.direct_time(10, 10, 1)));
}

std::string overlay_refusal(const char* algorithm, const Problem& problem,
                            const Preferences& preferences = {}) {
  return unsupported_reason(named(algorithm, problem), problem, preferences).value_or("");
}

TEST(Overlays, say_what_they_cannot_serve) {
  for (const char* algorithm : {linear, pairwise, radix}) {
    EXPECT_THAT(overlay_refusal(algorithm, problem_for("hypercube:17", "alltoall", algorithm)),
                HasSubstr("2 to 65536 nodes"));
    EXPECT_THAT(overlay_refusal(algorithm, problem_for("ring:1", "alltoall", algorithm)),
                HasSubstr("2 to 65536 nodes"));
    EXPECT_THAT(
        overlay_refusal(algorithm, problem_for("torus:4x4", "alltoall", algorithm, PortModel::half())),
        HasSubstr("sends and receives at once, so it cannot serve half-duplex"));
    Problem damaged = problem_for("torus:4x4", "alltoall", algorithm);
    damaged.failed.nodes = {3};
    EXPECT_THAT(overlay_refusal(algorithm, damaged), HasSubstr("all nodes"));
    const Problem intact = problem_for("torus:4x4", "alltoall", algorithm);
    EXPECT_EQ(overlay_refusal(algorithm, intact), "");
    EXPECT_THAT(overlay_refusal(algorithm, intact, {.objective = Objective::delay}),
                HasSubstr("completion only"));
    EXPECT_THAT(overlay_refusal(algorithm, intact, {.order = algorithm::RootOrder{}}),
                HasSubstr("no root order"));
  }
  // Aggregated, or single packets.
  for (const char* algorithm : {linear, radix}) {
    Problem problem = problem_for("torus:4x4", "alltoall", algorithm);
    problem.aggregation = 1;
    EXPECT_THAT(overlay_refusal(algorithm, problem), HasSubstr("it aggregates packets, so give --merge"));
    problem.aggregation = 4;
    EXPECT_THAT(overlay_refusal(algorithm, problem), HasSubstr("--merge all"));
  }
  for (const auto& [algorithm, collective] : {std::pair{pairwise, "alltoall"}, {doubling, "allreduce"}}) {
    Problem problem = problem_for("torus:4x4", collective, algorithm);
    problem.aggregation = unbounded;
    EXPECT_THAT(overlay_refusal(algorithm, problem),
                HasSubstr("it sends single packets and aggregates none"));
  }
  // Ports.
  EXPECT_THAT(overlay_refusal(linear, problem_for("torus:4x4", "alltoall", linear, PortModel::one())),
              HasSubstr("all ports at once"));
  EXPECT_EQ(overlay_refusal(radix, problem_for("torus:4x4", "alltoall", radix, PortModel::one())), "");
  EXPECT_EQ(overlay_refusal(pairwise, problem_for("torus:4x4", "alltoall", pairwise, PortModel::one())), "");
  EXPECT_EQ(overlay_refusal(pairwise, problem_for("torus:4x4", "scatter", pairwise, PortModel::half())), "");
  EXPECT_EQ(overlay_refusal(pairwise, problem_for("torus:4x4", "gather", pairwise, PortModel::half())), "");
  EXPECT_THAT(overlay_refusal(radix, problem_for("ring:2", "alltoall", radix)),
              HasSubstr("two binary digits or more"));
}

TEST(RecursiveDoubling, says_what_it_cannot_serve) {
  EXPECT_THAT(overlay_refusal(doubling, problem_for("hypercube:17", "allreduce", doubling)),
              HasSubstr("2 to 65536 nodes"));
  EXPECT_THAT(overlay_refusal(doubling, problem_for("torus:4x3", "allreduce", doubling)),
              HasSubstr("moduli are powers of two"));
  EXPECT_THAT(overlay_refusal(doubling, problem_for("torus:4x4", "allreduce", doubling, PortModel::half())),
              HasSubstr("cannot serve half-duplex"));
  Problem parts = problem_for("torus:4x4", "allreduce", doubling);
  parts.task.parts = 2;
  EXPECT_THAT(overlay_refusal(doubling, parts), HasSubstr("leave the parts at 1"));
  Problem damaged = problem_for("torus:4x4", "allreduce", doubling);
  damaged.failed.nodes = {3};
  EXPECT_THAT(overlay_refusal(doubling, damaged), HasSubstr("all nodes"));
}

// What no overlay solves is not in the catalogue, so that choosers never meet it.
TEST(Overlays, solve_what_has_a_row) {
  const auto has = [](const char* name, Collective collective) {
    return std::ranges::any_of(catalog(), [&](const Algorithm* algorithm) {
      return algorithm->name() == name && algorithm->traits().collective == collective;
    });
  };
  for (const Collective collective :
       {Collective::barrier, Collective::neighborhood, Collective::isotropic, Collective::task}) {
    for (const char* name : {linear, radix, pairwise, doubling}) EXPECT_FALSE(has(name, collective)) << name;
  }
  EXPECT_FALSE(has(pairwise, Collective::reduce));
  for (const Collective collective :
       {Collective::broadcast, Collective::reduce, Collective::scatter, Collective::gather,
        Collective::allgather, Collective::reduce_scatter, Collective::allreduce, Collective::alltoall}) {
    EXPECT_TRUE(has(linear, collective));
    EXPECT_TRUE(has(radix, collective));
  }
}

}  // namespace
}  // namespace isotrope::planner
