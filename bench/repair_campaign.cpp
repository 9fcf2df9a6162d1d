// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Total exchanges around random failures: 0 to 3 nodes and 0 to 4 links, at least one of them, on tori, a hypercube, a
// twisted torus and open networks. Every plan is verified on the damaged network. Prints a line a case, and a summary a
// network; exit status 1 if a plan is wrong. Arguments: the cases a network (10), and networks in place of the list.
//
//     repair_campaign 40 torus:8x8 mesh:8x8
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "isotrope/base/split_mix.hpp"

#include "isotrope/network/parse.hpp"
#include "isotrope/network/surviving_network.hpp"

#include "isotrope/planner/plan.hpp"

namespace {

using isotrope::network::Failures;
using isotrope::network::Network;
using isotrope::network::Node;
using isotrope::network::Port;
using isotrope::network::SurvivingNetwork;

const std::vector<std::string> networks{"torus:8x8",           "torus:8x8x8", "torus:16x16",   "hypercube:8",
                                        "twisted-torus:4x4x8", "mesh:8x8",    "line:8xring:16"};

struct Case {
  std::uint64_t rounds, bound;
  double seconds;
  bool right;

  double ratio() const { return static_cast<double>(rounds) / static_cast<double>(bound); }
};

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Failures that leave the other nodes connected.
Failures random_failures(const Network& network, const Failures& lacks, isotrope::SplitMix& random) {
  for (;;) {
    Failures failed = lacks;
    const std::uint32_t nodes = random.below(4), links = random.below(5);
    for (std::uint32_t i = 0; i < nodes; ++i) {
      const Node node = random.below(network.order());
      if (std::ranges::find(failed.nodes, node) == failed.nodes.end()) failed.nodes.push_back(node);
    }
    for (std::uint32_t i = 0; i < links; ++i)
      failed.links.push_back({random.below(network.order()), random.below(network.degree())});
    if (!failed.any_failed()) continue;
    const SurvivingNetwork survivors(network, failed);
    if (survivors.cut_off(survivors.nodes().front()).empty()) return failed;
  }
}

Case planned(const Network& network, const Failures& failed) {
  const isotrope::schedule::Problem problem{
      .network = network, .failed = failed, .task = {.collective = isotrope::schedule::Collective::alltoall}};
  const auto start = std::chrono::steady_clock::now();
  isotrope::schedule::Plan plan = isotrope::planner::make_plan(problem);
  const double seconds = seconds_since(start);
  const auto report = isotrope::planner::certify(plan);
  return {report.rounds, report.bound.value, seconds, report.valid && report.claims_hold};
}

std::string in_words(const Failures& failed) {
  std::vector<std::string> links;
  for (const auto& [node, port] : failed.links) links.push_back(fmt::format("{}:{}", node, port));
  return fmt::format("nodes {} links {}", fmt::join(failed.nodes, ","), fmt::join(links, ","));
}

// Whether all plans are right.
bool sweep(const std::string& name, std::uint32_t count) {
  const auto [network, lacks] = isotrope::network::parse_named(name);
  isotrope::SplitMix random(network.order());
  std::vector<Case> cases;
  for (std::uint32_t i = 0; i < count; ++i) {
    const Failures failed = random_failures(network, lacks, random);
    const Case& last = cases.emplace_back(planned(network, failed));
    fmt::print("{:<20} {:>6} {:>6} {:>7.3f} {:>7.2f} s  {}{}\n", name, last.rounds, last.bound, last.ratio(),
               last.seconds, in_words(failed), last.right ? "" : "  WRONG");
    std::fflush(stdout);
  }
  const auto number = [&](const auto& holds) { return std::ranges::count_if(cases, holds); };
  fmt::print("{:<20} {} cases, {} at the bound, {} at most 1.02, worst {:.3f}, slowest {:.2f} s\n\n", name,
             count, number([](const Case& each) { return each.rounds == each.bound; }),
             number([](const Case& each) { return each.ratio() <= 1.02; }),
             std::ranges::max(cases, {}, &Case::ratio).ratio(),
             std::ranges::max(cases, {}, &Case::seconds).seconds);
  return std::ranges::all_of(cases, &Case::right);
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  const std::uint32_t count =
      arguments.empty() ? 10 : static_cast<std::uint32_t>(std::strtoul(arguments[0].c_str(), nullptr, 10));
  const std::vector<std::string> chosen =
      arguments.size() > 1 ? std::vector<std::string>(arguments.begin() + 1, arguments.end()) : networks;
  fmt::print("{:<20} {:>6} {:>6} {:>7} {:>9}\n", "network", "rounds", "bound", "ratio", "planned");
  bool right = true;
  for (const std::string& name : chosen) right = sweep(name, std::max(count, 1U)) && right;
  return right ? 0 : 1;
}
