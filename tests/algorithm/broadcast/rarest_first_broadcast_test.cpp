// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/broadcast/rarest_first_broadcast.hpp"

#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "isotrope/network/parse.hpp"

#include "isotrope/schedule/plan.hpp"
#include "isotrope/schedule/transform.hpp"

#include "isotrope/bound/lower_bounds.hpp"

#include "isotrope/verify/verify.hpp"

namespace isotrope::algorithm {
namespace {

using schedule::Problem;

Problem problem_of(std::string_view name, std::string_view ports, std::uint32_t parts,
                   network::Failures failures = {}) {
  const network::Network network = network::parse(name);
  return {network,
          std::move(failures),
          {.collective = schedule::Collective::broadcast, .root = network.order() - 1, .parts = parts},
          schedule::parse_port_model(ports, network.degree())};
}

schedule::Schedule found(const Problem& problem, SearchLimits limits = {.runs = 30}) {
  limits.target = bound::lower_bounds(problem).front().value;
  return rarest_first_broadcast({problem.network, problem.failed}, problem.task.root, problem.task.parts,
                                problem.ports, limits);
}

verify::Report verified(const Problem& problem, const schedule::Task& task, schedule::Schedule schedule) {
  return verify::verify({problem.network, problem.failed, task, std::move(schedule), {}, {}});
}

// Backwards as well: no node gets a packet twice.
void expect_valid(const Problem& problem, const std::string& what) {
  const schedule::Schedule schedule = found(problem);
  EXPECT_TRUE(verified(problem, problem.task, schedule).valid) << what;
  if (!problem.failed.empty()) return;
  auto backwards = reverse(problem.network, problem.task, schedule);
  EXPECT_TRUE(verified(problem, backwards.task, std::move(backwards.schedule)).valid) << what;
}

TEST(RarestFirstBroadcast, is_valid_on_every_network_under_every_port_model) {
  for (const char* name : {"hypercube:1", "hypercube:4", "ring:3", "ring:10", "torus:2x3", "torus:3x5x2",
                           "hexmesh:3", "twisted-torus:2x4", "circulant:13:1,5", "complete:7"}) {
    const auto degree = network::parse(name).degree();
    for (const std::string& ports :
         {std::string("all"), std::string("one"), std::string("half"), std::to_string((degree + 1) / 2)}) {
      for (const std::uint32_t parts : {1U, 5U, 70U})
        expect_valid(problem_of(name, ports, parts), name + (" " + ports) + " " + std::to_string(parts));
    }
  }
}

TEST(RarestFirstBroadcast, is_valid_around_failures) {
  for (const char* ports : {"all", "2", "one", "half"}) {
    for (const std::uint32_t parts : {1U, 9U})
      expect_valid(problem_of("torus:4x5", ports, parts, {{3, 7}, {}}), ports);
  }
}

// More packets under way than fit in one word, and packets that wait for a place in the window.
TEST(RarestFirstBroadcast, keeps_many_packets_under_way) {
  expect_valid(problem_of("torus:6x6x6", "all", 300), "torus:6x6x6");
  expect_valid(problem_of("ring:20", "one", 700), "ring:20");
}

// Every packet has to leave such a root more than once, also when there are more packets than places in the window.
TEST(RarestFirstBroadcast, ends_if_the_root_cuts_the_network) {
  for (const auto& [name, root] :
       {std::pair("line:3", 1U), std::pair("line:9", 4U), std::pair("line:4", 2U)}) {
    const auto [network, lacks] = network::parse_named(name);
    for (const char* ports : {"all", "one", "half"}) {
      for (const std::uint32_t parts : {3U, 65U, 400U}) {
        const Problem problem{network,
                              lacks,
                              {.collective = schedule::Collective::broadcast, .root = root, .parts = parts},
                              schedule::parse_port_model(ports, network.degree())};
        expect_valid(problem, name + (" " + std::string(ports)) + " " + std::to_string(parts));
      }
    }
  }
}

// At the bound, found within few constructions.
TEST(RarestFirstBroadcast, meets_the_bound) {
  struct Case {
    const char *network, *ports;
    std::uint32_t parts;
  };
  for (const auto& [name, ports, parts] :
       {Case{"hypercube:3", "all", 4}, Case{"hypercube:4", "all", 16}, Case{"ring:8", "all", 16},
        Case{"torus:4x6x8", "all", 16}, Case{"torus:4x4", "one", 16}, Case{"complete:13", "one", 10},
        Case{"complete:64", "one", 16}, Case{"hypercube:6", "5", 100}, Case{"hypercube:4", "2", 16}}) {
    const Problem problem = problem_of(name, ports, parts);
    EXPECT_EQ(found(problem, {.runs = 200}).round_count(), bound::lower_bounds(problem).front().value)
        << name << " " << ports << " " << parts;
  }
}

TEST(RarestFirstBroadcast, is_the_same_in_every_call) {
  const Problem problem = problem_of("torus:5x7", "one", 16);
  EXPECT_EQ(found(problem, {.seed = 7, .runs = 5}), found(problem, {.seed = 7, .runs = 5}));
}

TEST(RarestFirstBroadcast, makes_one_construction_at_least) {
  EXPECT_TRUE(verified(problem_of("ring:9", "one", 16), problem_of("ring:9", "one", 16).task,
                       found(problem_of("ring:9", "one", 16), {.runs = 0, .links = 0}))
                  .valid);
}

}  // namespace
}  // namespace isotrope::algorithm
