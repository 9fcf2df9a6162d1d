// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Collectives on networks with open axes, all ports: a table of 14 lines, meshes and products in 1 and 4 parts, from a
// corner and from the middle; and random products of lines, rings, complete networks and hypercubes of up to 500 nodes,
// in 1 to 3 parts, from a random root. Every plan is verified. Prints networks, rounds, bounds and seconds of the plan
// alone, of the random ones those above the bound, and how many plans of each collective are at the bound.
//
//     open_networks [RANDOM [SEED [RATE]]]    60 random products, of seed 1; each factor with a random rate up to RATE,
//                                             and then also without open axes
//
// Exit status 1 if a plan is wrong.
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "isotrope/base/spelling.hpp"
#include "isotrope/base/split_mix.hpp"

#include "isotrope/network/parse.hpp"

#include "isotrope/planner/plan.hpp"

namespace {

using isotrope::SplitMix;
using isotrope::network::NamedNetwork;
using isotrope::network::Node;
using isotrope::schedule::Collective;

constexpr std::array names{"line:4",
                           "line:11",
                           "line:16",
                           "mesh:4x4",
                           "mesh:5x7",
                           "mesh:8x8",
                           "mesh:16x16",
                           "mesh:4x4x4",
                           "mesh:3x4x5",
                           "mesh:8x8x8",
                           "line:8xring:16",
                           "line:4xring:8",
                           "line:5xhypercube:3",
                           "ring:9xcomplete:4"};
constexpr std::array collectives{Collective::alltoall, Collective::allgather, Collective::reduce_scatter,
                                 Collective::scatter,  Collective::gather,    Collective::broadcast,
                                 Collective::reduce};

struct Outcome {
  std::string network;
  Collective collective;
  std::uint32_t parts;
  Node root;
  std::uint64_t rounds, bound;
  double seconds;
  bool right;
};

Outcome planned(const std::string& name, Collective collective, std::uint32_t parts, Node root) {
  using Clock = std::chrono::steady_clock;
  const auto [network, lacks] = isotrope::network::parse_named(name);
  const isotrope::schedule::Problem problem{
      .network = network,
      .failed = lacks,
      .task = {.collective = collective, .root = is_rooted(collective) ? root : 0, .parts = parts}};
  const auto start = Clock::now();
  isotrope::schedule::Plan plan = isotrope::planner::make_plan(problem);
  const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
  const auto report = isotrope::planner::certify(plan);
  return {name,          collective,         parts,   problem.task.root,
          report.rounds, report.bound.value, seconds, report.valid && report.claims_hold};
}

void print(const Outcome& outcome) {
  fmt::print("{:<44} {:<14} {:>3} {:>5} {:>6} {:>6} {:>8.3f}{}\n", outcome.network,
             traits_of(outcome.collective).name, outcome.parts, outcome.root, outcome.rounds, outcome.bound,
             outcome.seconds, outcome.right ? "" : "  WRONG");
  std::fflush(stdout);
}

// Plans of each collective by how many rounds they are above the bound: 0, 1 or more.
class Summary {
 public:
  void add(const Outcome& outcome) {
    Counts& counts = counts_[traits_of(outcome.collective).name];
    const std::uint64_t above = outcome.rounds - outcome.bound;
    ++counts.by_gap[above > 2 ? 2 : above];
    counts.seconds += outcome.seconds;
    wrong_ += outcome.right ? 0 : 1;
  }
  void print() const {
    fmt::print("\n{:<14} {:>8} {:>8} {:>8} {:>10}\n", "collective", "at bound", "1 above", "more", "seconds");
    for (const auto& [collective, counts] : counts_)
      fmt::print("{:<14} {:>8} {:>8} {:>8} {:>10.2f}\n", collective, counts.by_gap[0], counts.by_gap[1],
                 counts.by_gap[2], counts.seconds);
    fmt::print("\n");
  }
  std::uint64_t wrong() const { return wrong_; }

 private:
  struct Counts {
    std::array<std::uint64_t, 3> by_gap{};
    double seconds = 0;
  };

  std::map<std::string_view, Counts> counts_;
  std::uint64_t wrong_ = 0;
};

std::string random_factor(SplitMix& random) {
  switch (random.below(4)) {
    case 0:
      return fmt::format("line:{}", 2 + random.below(10));
    case 1:
      return fmt::format("ring:{}", 3 + random.below(10));
    case 2:
      return fmt::format("complete:{}", 3 + random.below(8));
    default:
      return fmt::format("hypercube:{}", 1 + random.below(3));
  }
}

std::string random_factor(std::uint32_t most_rate, SplitMix& random) {
  std::string name = random_factor(random);
  return most_rate == 1 ? name : fmt::format("{}@{}", name, 1 + random.below(most_rate));
}

// One to six factors, with an open axis among them if all rates are 1.
std::string random_product(std::uint32_t most_rate, SplitMix& random) {
  constexpr Node most_nodes = 500;
  for (;;) {
    std::string name = random_factor(most_rate, random);
    for (std::uint32_t more = random.below(6); more > 0; --more)
      name = fmt::format("{}x{}", name, random_factor(most_rate, random));
    const NamedNetwork named = isotrope::network::parse_named(name);
    if (named.network.order() <= most_nodes && (most_rate > 1 || !named.lacks.empty()))
      return named.network.name();
  }
}

void run_named(Summary& summary) {
  for (const std::string name : names) {
    const auto [network, lacks] = isotrope::network::parse_named(name);
    std::vector<std::uint32_t> middle;
    for (const auto extent : network.group().moduli()) middle.push_back(extent / 2);
    for (const Collective collective : collectives) {
      for (const std::uint32_t parts : {1U, 4U}) {
        for (const Node root : {Node{0}, network.group().number(middle)}) {
          if (root != 0 && !is_rooted(collective)) continue;
          const Outcome outcome = planned(name, collective, parts, root);
          print(outcome);
          summary.add(outcome);
        }
      }
    }
  }
}

void run_random(std::uint32_t count, std::uint32_t most_rate, SplitMix random, Summary& summary) {
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::string name = random_product(most_rate, random);
    const std::uint32_t parts = 1 + random.below(3);
    const Node root = random.below(isotrope::network::parse_named(name).network.order());
    for (const Collective collective : collectives) {
      const Outcome outcome = planned(name, collective, parts, root);
      if (outcome.rounds > outcome.bound || !outcome.right) print(outcome);
      summary.add(outcome);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  const auto number = [&](int i, std::uint64_t otherwise) {
    return argc > i ? isotrope::whole_number(argv[i]).value_or(otherwise) : otherwise;
  };
  fmt::print("{:<44} {:<14} {:>3} {:>5} {:>6} {:>6} {:>8}\n", "network", "collective", "P", "root", "rounds",
             "bound", "seconds");
  Summary of_named, of_random;
  run_named(of_named);
  of_named.print();
  run_random(static_cast<std::uint32_t>(number(1, 60)), static_cast<std::uint32_t>(number(3, 1)),
             SplitMix(number(2, 1)), of_random);
  of_random.print();
  return of_named.wrong() + of_random.wrong() == 0 ? 0 : 1;
}
