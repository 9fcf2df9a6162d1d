// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Exchanges exported for other programs, read back from their JSON and executed.
#include "isotrope/exports/paths.hpp"

#include <map>
#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "isotrope/base/error.hpp"

#include "isotrope/network/parse.hpp"

#include "isotrope/planner/plan.hpp"

#include "isotrope/exports/ppermute.hpp"

namespace isotrope::exports {
namespace {

using network::Network;
using nlohmann::json;
using schedule::Collective;
using schedule::Node;
using schedule::Problem;
using testing::HasSubstr;
using testing::ThrowsMessage;

Problem alltoall(const std::string& name, std::uint32_t parts = 1) {
  return {.network = network::parse(name), .task = {.collective = Collective::alltoall, .parts = parts}};
}

schedule::Plan without_waiting(const std::string& name, std::uint32_t parts = 1) {
  Problem problem = alltoall(name, parts);
  problem.waiting = false;
  return planner::make_plan(problem);
}

schedule::Plan packed(const std::string& name, schedule::StepLimits limits) {
  Problem problem = alltoall(name);
  problem.step_limits = limits;
  return planner::make_plan(problem);
}

template <auto write>
json exported(const schedule::Plan& plan) {
  std::ostringstream out;
  write(out, plan, {});
  return json::parse(out.str());
}

bool are_neighbours(const Network& network, Node a, Node b) {
  for (schedule::Port port = 0; port < network.degree(); ++port) {
    if (network.neighbour(a, port) == b) return true;
  }
  return false;
}

// Every pair of different nodes has `parts` paths, and paths go from neighbour to neighbour.
void expect_all_pairs(const json& paths, const Network& network, std::size_t parts) {
  std::map<std::pair<Node, Node>, std::set<std::uint32_t>> found;
  for (const json& path : paths) {
    const auto nodes = path.at("path").get<std::vector<Node>>();
    ASSERT_GE(nodes.size(), 2u);
    EXPECT_EQ(nodes.front(), path.at("src"));
    EXPECT_EQ(nodes.back(), path.at("dst"));
    for (std::size_t i = 1; i < nodes.size(); ++i)
      EXPECT_TRUE(are_neighbours(network, nodes[i - 1], nodes[i]));
    EXPECT_TRUE((found[{nodes.front(), nodes.back()}].insert(path.value("part", 0u)).second));
  }
  EXPECT_EQ(found.size(), std::size_t{network.order()} * (network.order() - 1));
  for (const auto& [pair, numbers] : found) EXPECT_EQ(numbers.size(), parts);
}

TEST(PathsExport, is_an_exchange_without_waiting) {
  for (const char* name : {"twisted-torus:4x4x8", "ring:8", "torus:5x5", "circulant:13:1,5"}) {
    const schedule::Plan plan = without_waiting(name);
    const json paths = exported<write_paths>(plan);
    expect_all_pairs(paths, plan.network, 1);
    std::set<std::tuple<std::uint64_t, Node, Node>> links;  // round, from, to
    std::uint64_t rounds = 0;
    for (const json& path : paths) {
      const auto nodes = path.at("path").get<std::vector<Node>>();
      std::uint64_t round = path.at("round");
      for (std::size_t i = 1; i < nodes.size(); ++i, ++round)
        EXPECT_TRUE((links.insert({round, nodes[i - 1], nodes[i]}).second)) << name;
      rounds = std::max(rounds, round);
    }
    EXPECT_EQ(rounds, plan.claims.rounds) << name;
  }
}

TEST(PathsExport, tells_parts_apart) {
  const schedule::Plan plan = without_waiting("torus:3x3", 2);
  expect_all_pairs(exported<write_paths>(plan), plan.network, 2);
}

TEST(PathsExport, tells_the_steps_of_a_packed_plan) {
  const schedule::Plan plan = packed("twisted-torus:4x4x8", {6, 3});
  const json paths = exported<write_paths>(plan);
  expect_all_pairs(paths, plan.network, 1);
  std::map<std::pair<std::uint64_t, Node>, std::uint64_t> sends;         // by step and origin
  std::map<std::tuple<std::uint64_t, Node, Node>, std::uint64_t> loads;  // by step and link
  std::uint64_t steps = 0;
  for (const json& path : paths) {
    const auto nodes = path.at("path").get<std::vector<Node>>();
    const std::uint64_t step = path.at("step");
    steps = std::max(steps, step + 1);
    EXPECT_LE((++sends[{step, nodes.front()}]), 6u);
    for (std::size_t i = 1; i < nodes.size(); ++i) EXPECT_LE((++loads[{step, nodes[i - 1], nodes[i]}]), 3u);
  }
  EXPECT_EQ(steps, 25u);
}

TEST(PathsExport, refuses_plans_whose_packets_wait) {
  std::ostringstream out;
  EXPECT_THAT([&] { write_paths(out, planner::make_plan(alltoall("torus:3x4"))); },
              ThrowsMessage<Error>(HasSubstr("--objective no-wait")));
}

// Executes the table as lax.ppermute does: a node that no pair names as its destination receives nothing.
void expect_exchange(const schedule::Plan& plan) {
  const json table = exported<write_ppermute>(plan);
  const std::size_t nodes = table.at("nodes");
  ASSERT_EQ(nodes, plan.network.order());
  using Block = std::tuple<Node, Node, std::uint32_t>;  // origin, destination, part
  const Block nothing{UINT32_MAX, UINT32_MAX, 0};
  std::vector<std::vector<Block>> buffer;  // by slot and node
  std::vector<Block> wanted;
  const auto part = [&](std::size_t slot) {
    return table.contains("parts") ? table["parts"][slot].get<std::uint32_t>() : 0;
  };
  for (const json& pairs : table.at("slots")) {
    const std::uint32_t number = part(buffer.size());
    std::vector<Block>& slot = buffer.emplace_back(nodes, nothing);
    for (const json& pair : pairs) slot[pair[0]] = {pair[0], pair[1], number};
  }
  for (const json& moves : table.at("rounds")) {
    std::map<std::size_t, std::vector<Block>> sent;
    for (const json& move : moves) {
      const std::size_t slot = move[0];
      std::vector<Block>& to = sent.emplace(slot, std::vector<Block>(nodes, nothing)).first->second;
      std::set<Node> sources;
      for (const json& pair : table.at("permutations")[move[1].get<std::size_t>()]) {
        EXPECT_TRUE(are_neighbours(plan.network, pair[0], pair[1]));
        EXPECT_TRUE(sources.insert(pair[0].get<Node>()).second);
        EXPECT_EQ(to[pair[1]], nothing);
        to[pair[1]] = buffer[slot][pair[0].get<Node>()];
      }
    }
    for (auto& [slot, blocks] : sent) buffer[slot] = std::move(blocks);
  }
  std::set<Block> arrived;
  for (std::size_t slot = 0; slot < buffer.size(); ++slot) {
    for (const json& pair : table.at("slots")[slot]) {
      const Block block{pair[0], pair[1], part(slot)};
      EXPECT_EQ(buffer[slot][pair[1].get<Node>()], block);
      if (pair[0] != pair[1]) arrived.insert(block);
    }
  }
  EXPECT_EQ(arrived.size(), nodes * (nodes - 1) * plan.task.parts);
  EXPECT_EQ(table.at("rounds").size(), plan.claims.rounds);
  EXPECT_EQ(table.contains("barriers"), !plan.schedule.barriers.empty());
}

TEST(PpermuteExport, is_an_exchange) {
  expect_exchange(planner::make_plan(alltoall("torus:3x4")));  // even and odd nodes differ
  expect_exchange(planner::make_plan(alltoall("hypercube:4", 3)));
  expect_exchange(without_waiting("twisted-torus:4x8"));
  expect_exchange(without_waiting("ring:6"));
  expect_exchange(without_waiting("torus:5x5"));
  expect_exchange(packed("twisted-torus:4x4x8", {6, 3}));
}

TEST(PpermuteExport, refuses_other_plans) {
  std::ostringstream out;
  const schedule::Plan plan = planner::make_plan(
      {.network = network::parse("ring:4"), .task = {.collective = Collective::allgather}});
  EXPECT_THAT([&] { write_ppermute(out, plan); }, ThrowsMessage<Error>(HasSubstr("as in alltoall")));
}

}  // namespace
}  // namespace isotrope::exports
