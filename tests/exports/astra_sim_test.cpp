// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The files of ASTRA-sim beside the Chakra traces. The numbers of nodes are checked by the arithmetic of its reader.
#include "isotrope/exports/astra_sim.hpp"

#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "isotrope/base/error.hpp"

#include "isotrope/network/parse.hpp"

#include "isotrope/exports/simgrid_platform.hpp"
#include "tests/exports/plans.hpp"

namespace isotrope::exports {
namespace {

using nlohmann::json;
using schedule::Collective;
using schedule::Plan;

struct Dimensions {
  std::vector<std::string> topology;
  std::vector<std::uint32_t> npus;
};

// The words of "[ a, b ]" behind `key`.
std::vector<std::string> list(const std::string& text, const std::string& key) {
  const std::size_t from = text.find(key + ": [ ") + key.size() + 4;
  std::istringstream items(text.substr(from, text.find(" ]", from) - from));
  std::vector<std::string> result;
  for (std::string item; std::getline(items >> std::ws, item, ',');) result.push_back(item);
  return result;
}

Dimensions read(const std::string& text) {
  Dimensions result{.topology = list(text, "topology"), .npus = {}};
  for (const std::string& count : list(text, "npus_count"))
    result.npus.push_back(static_cast<std::uint32_t>(std::stoul(count)));
  return result;
}

// Whether ASTRA-sim has a link between two NPUs: all coordinates but one are equal, the first counting fastest.
bool has_link(const Dimensions& dimensions, std::uint32_t from, std::uint32_t to) {
  int unequal = 0, neighbours = 0;
  for (std::size_t d = 0; d < dimensions.npus.size(); ++d) {
    const std::uint32_t extent = dimensions.npus[d];
    const std::uint32_t a = from % extent, b = to % extent;
    from /= extent;
    to /= extent;
    if (a == b) continue;
    ++unequal;
    if (dimensions.topology[d] == "FullyConnected" || (a + 1) % extent == b || (b + 1) % extent == a)
      ++neighbours;
  }
  return unequal == 1 && neighbours == 1;
}

TEST(AstraSim, has_exactly_the_links_of_the_network) {
  for (const char* name :
       {"ring:5", "torus:4x3x8", "hypercube:4", "complete:6", "torus:2x5xcomplete:4", "torus:4x1x6"}) {
    const Plan plan = chosen_plan(name, Collective::allgather);
    const std::optional<std::string> text = astra_network(plan, default_links);
    ASSERT_TRUE(text) << name;
    const Dimensions dimensions = read(*text);
    for (network::Node from = 0; from < plan.network.order(); ++from) {
      for (network::Node to = 0; to < plan.network.order(); ++to) {
        EXPECT_EQ(has_link(dimensions, from, to), plan.network.distance(from, to) == 1)
            << name << ": " << from << " to " << to;
      }
    }
  }
}

TEST(AstraSim, has_the_link_classes_of_the_machine_and_the_rates) {
  cost::Machine machine{.startup_s = 1e-6, .byte_time_s = 1e-9, .link_class_count = 1};
  machine.listed_classes[0] = {.axes = 1, .startup_s = 2e-6, .byte_time_s = 5e-10};
  const Plan plan = chosen_plan("torus:4x6", Collective::allgather);
  EXPECT_EQ(astra_network(plan, machine),
            "# torus:4x6; the first dimension counts fastest\n"
            "topology: [ Ring, Ring ]\n"
            "npus_count: [ 6, 4 ]\n"
            "bandwidth: [ 1, 2 ]  # GB/s\n"
            "latency: [ 1000, 2000 ]  # ns\n");
  EXPECT_THAT(*astra_network(chosen_plan("ring:4@3", Collective::broadcast), default_links),
              testing::HasSubstr("bandwidth: [ 3 ]"));
  EXPECT_THROW(astra_network(plan, {.startup_s = 1e-6}), Error);
}

TEST(AstraSim, has_no_such_network) {
  for (const char* name : {"hexmesh:3", "twisted-torus:2x2x4", "circulant:8:1,3"})
    EXPECT_EQ(astra_network(chosen_plan(name, Collective::broadcast), default_links), std::nullopt) << name;
  Plan open = chosen_plan("ring:5", Collective::broadcast);
  open.failed.open_axes = {0};
  EXPECT_EQ(astra_network(open, default_links), std::nullopt);
}

TEST(AstraSim, finds_the_traces_of_the_collectives_that_it_replaces) {
  const auto system = [](Collective collective) {
    return json::parse(astra_system(chosen_plan("ring:4", collective), "folder/plan"));
  };
  EXPECT_EQ(system(Collective::allreduce)["all-reduce-implementation-custom"], json::array({"folder/plan"}));
  EXPECT_EQ(system(Collective::reduce_scatter)["reduce-scatter-implementation-custom"],
            json::array({"folder/plan"}));
  EXPECT_EQ(system(Collective::scatter).dump().find("custom"), std::string::npos);
}

}  // namespace
}  // namespace isotrope::exports
