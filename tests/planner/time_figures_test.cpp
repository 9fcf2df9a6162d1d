// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// How far the plans that are chosen by size are from what their networks allow, in the model of Ho and
// Johnsson: links of 1 GB/s, start-ups of 1 us, all ports. Times are those of the event simulator.
#include <algorithm>
#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "isotrope/network/parse.hpp"

#include "isotrope/bound/bandwidth.hpp"
#include "isotrope/cost/completion.hpp"

#include "isotrope/algorithm/trees/disjoint_trees.hpp"
#include "isotrope/verify/verify.hpp"

#include "isotrope/planner/choice.hpp"

namespace isotrope::planner {
namespace {

using schedule::Collective;

const cost::Machine gigabyte_links{
    .startup_s = 1e-6, .byte_time_s = 1e-9, .ports = schedule::PortModel::all()};

class TimeFigures : public testing::TestWithParam<const char*> {
 protected:
  // Completion of the plan that is chosen for blocks of `block_bytes`.
  double completion(Collective collective, std::uint64_t block_bytes) const {
    const std::uint64_t blocks = collective == Collective::allreduce ? network_.order() : 1;
    const Choice choice = choose_for({.network = network_, .task = {.collective = collective}},
                                     blocks * block_bytes, gigabyte_links);
    const schedule::Plan plan = make_plan(choice.best());
    EXPECT_TRUE(verify::verify(plan).valid);
    const auto workload = cost::Workload::in_parts(choice.best().block_bytes, plan.task.parts);
    return complete(plan, gigabyte_links, workload).completion_s;
  }

  // The bytes of the busiest links, of parts so small that their rounding does not show.
  double bandwidth_seconds(Collective collective, std::uint64_t bytes) const {
    constexpr std::uint32_t parts = 5040;
    const auto bound = bound::bandwidth_bound(Problem{.network = network_,
                                                      .task = {.collective = collective, .parts = parts},
                                                      .ports = gigabyte_links.ports});
    return static_cast<double>(bound->value) / parts * static_cast<double>(bytes) *
           gigabyte_links.byte_time_s;
  }

  double startup_seconds(std::uint32_t rounds) const { return rounds * gigabyte_links.startup_s; }

  network::Network network_ = network::parse(GetParam());
};

// Bandwidth bound and as many start-ups as the diameter; allreduce has both twice, of which its bandwidth
// bound has its own.
TEST_P(TimeFigures, of_blocks_for_everyone_are_within_a_tenth) {
  for (const std::uint64_t bytes : {std::uint64_t{65536}, std::uint64_t{1} << 20}) {
    for (const Collective collective :
         {Collective::scatter, Collective::gather, Collective::allgather, Collective::reduce_scatter,
          Collective::alltoall, Collective::allreduce}) {
      const std::uint32_t rounds = network_.diameter() * (collective == Collective::allreduce ? 2 : 1);
      const double least = bandwidth_seconds(collective, bytes) + startup_seconds(rounds);
      EXPECT_LE(completion(collective, bytes), 1.1 * least)
          << to_string(schedule::Task{.collective = collective}) << ", " << bytes;
    }
  }
}

// (sqrt(M t_c / degree) + sqrt(tau h))^2, h the height of as many disjoint trees as there are ports.
TEST_P(TimeFigures, of_pipelines_are_within_a_twentieth) {
  const auto trees = algorithm::DisjointTrees::find(network_);
  ASSERT_TRUE(trees);
  std::uint32_t height = 0;
  for (network::Port tree = 0; tree < trees->count(); ++tree) height = std::max(height, trees->height(tree));
  for (const std::uint64_t bytes : {std::uint64_t{65536}, std::uint64_t{1} << 20}) {
    const double moved = static_cast<double>(bytes) * gigabyte_links.byte_time_s / network_.degree();
    const double least = std::pow(std::sqrt(moved) + std::sqrt(startup_seconds(height)), 2);
    EXPECT_LE(completion(Collective::broadcast, bytes), 1.05 * least) << bytes;
    EXPECT_LE(completion(Collective::reduce, bytes), 1.05 * least) << bytes;
  }
}

INSTANTIATE_TEST_SUITE_P(Planner, TimeFigures,
                         testing::Values("hypercube:3", "hypercube:4", "hypercube:6", "torus:4x4",
                                         "torus:8x8", "torus:4x4x4", "hexmesh:3", "torus:4x8", "ring:9",
                                         "circulant:13:1,5"));

}  // namespace
}  // namespace isotrope::planner
