// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Plans around failures in bulk: on every network all single failures, and random multiple ones, as many as
// the connectivity survives and a few more; broadcast and allgather, each verified on the damaged network, or
// refused exactly if survivors are disconnected. Prints a table; exit status 1 if a check fails.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"

#include "isotrope/network/parse.hpp"
#include "isotrope/network/surviving_network.hpp"

#include "isotrope/graph/connectivity.hpp"

#include "isotrope/planner/plan.hpp"

namespace {

using isotrope::network::Failures;
using isotrope::network::Network;
using isotrope::network::Node;
using isotrope::network::Port;
using isotrope::network::SurvivingNetwork;
using isotrope::schedule::Collective;

constexpr int multiple_failures = 10000;
constexpr std::uint32_t beyond_connectivity = 2;

const std::vector<std::string> names{
    "hexmesh:2", "hexmesh:3",   "hexmesh:4",   "hexmesh:5",   "hexmesh:6",   "hexmesh:7",
    "hexmesh:8", "hypercube:3", "hypercube:4", "hypercube:5", "hypercube:6", "hypercube:7",
    "torus:4x4", "torus:5x5",   "torus:8x8",   "torus:3x4x5", "torus:4x4x4", "ring:16"};

struct Tally {
  std::uint64_t planned = 0, optimal = 0, refused = 0, wrong = 0, widest_gap = 0;

  void add(const Network& network, const Failures& failed, Collective collective, Node root) {
    const isotrope::schedule::Problem problem{
        .network = network, .failed = failed, .task = {.collective = collective, .root = root}};
    const bool cut = !SurvivingNetwork(network, failed).cut_off(root).empty();
    try {
      isotrope::schedule::Plan plan = isotrope::planner::make_plan(problem);
      const auto report = isotrope::planner::certify(plan);
      wrong += cut || !report.valid || !report.claims_hold ? 1 : 0;
      ++planned;
      optimal += report.optimal ? 1 : 0;
      widest_gap = std::max(widest_gap, report.rounds - report.bound.value);
    } catch (const isotrope::Error&) {
      wrong += cut ? 0 : 1;
      ++refused;
    }
  }
};

Failures random_failures(const Network& network, std::uint32_t count, std::mt19937& random, Node spared) {
  Failures failed;
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto node = static_cast<Node>(random() % network.order());
    const auto port = static_cast<Port>(random() % (network.degree() + 1));
    if (port < network.degree()) {
      failed.links.push_back({node, port});
    } else if (node != spared) {
      failed.nodes.push_back(node);
    }
  }
  return failed;
}

void add_single_failures(const Network& network, Tally& broadcasts, Tally& allgathers) {
  for (Node node = 1; node < network.order(); ++node) {
    broadcasts.add(network, {{node}, {}}, Collective::broadcast, 0);
    allgathers.add(network, {{node}, {}}, Collective::allgather, 0);
  }
  for (Node node = 0; node < network.order(); ++node) {
    for (Port port = 0; port < network.degree(); ++port) {
      if (node > network.neighbour(node, port)) continue;
      broadcasts.add(network, {{}, {{node, port}}}, Collective::broadcast, 0);
      allgathers.add(network, {{}, {{node, port}}}, Collective::allgather, 0);
    }
  }
}

void add_multiple_failures(const Network& network, int count, Tally& broadcasts, Tally& allgathers) {
  std::mt19937 random(network.order());
  const std::uint32_t most = isotrope::graph::node_connectivity(network) - 1 + beyond_connectivity;
  for (int i = 0; i < count; ++i) {
    const auto root = static_cast<Node>(random() % network.order());
    const Failures failed =
        random_failures(network, 2 + static_cast<std::uint32_t>(random()) % (most - 1), random, root);
    broadcasts.add(network, failed, Collective::broadcast, root);
    allgathers.add(network, failed, Collective::allgather, root);
  }
}

}  // namespace

int main() {
  fmt::print("{:<12} {:<10} {:>8} {:>8} {:>8} {:>10} {:>6}\n", "network", "collective", "planned", "optimal",
             "refused", "widest gap", "wrong");
  std::uint64_t wrong = 0;
  for (const std::string& name : names) {
    const Network network = isotrope::network::parse(name);
    Tally broadcasts, allgathers;
    add_single_failures(network, broadcasts, allgathers);
    const auto share = multiple_failures / static_cast<int>(names.size()) + 1;
    add_multiple_failures(network, share, broadcasts, allgathers);
    for (const auto& [collective, tally] :
         {std::pair("broadcast", broadcasts), std::pair("allgather", allgathers)}) {
      fmt::print("{:<12} {:<10} {:>8} {:>8} {:>8} {:>10} {:>6}\n", name, collective, tally.planned,
                 tally.optimal, tally.refused, tally.widest_gap, tally.wrong);
      wrong += tally.wrong;
    }
    std::fflush(stdout);
  }
  return wrong == 0 ? 0 : 1;
}
