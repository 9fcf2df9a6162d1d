// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The map of plans by port model (planner/port_map.hpp): plans every cell, verifies it, runs it on real buffers with
// every byte checked, and prints how many are refused, optimal and near their bounds, and how long planning took. Then
// broadcasts beyond the map, and random tasks, planned and verified.
// Arguments: names of networks, whose map alone is made; none: all.
#include "isotrope/planner/port_map.hpp"

#include <algorithm>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "isotrope/network/complete.hpp"
#include "isotrope/network/parse.hpp"

#include "isotrope/local/run.hpp"

namespace {

namespace local = isotrope::local;
namespace network = isotrope::network;
namespace planner = isotrope::planner;
namespace schedule = isotrope::schedule;

struct Totals {
  std::uint64_t cells = 0, refused = 0, optimal = 0, near = 0, above = 0, wrong = 0;
  double worst = 1;
  std::vector<double> seconds;

  void add(const planner::MapCell& cell) {
    ++cells;
    if (!cell.plan) {
      ++refused;
      return;
    }
    seconds.push_back(cell.seconds);
    if (cell.optimal()) ++optimal;
    if (cell.near()) ++near;
    const double ratio =
        static_cast<double>(cell.rounds) / static_cast<double>(std::max<std::uint64_t>(cell.bound, 1));
    if (2 * cell.rounds > 3 * cell.bound) ++above;
    worst = std::max(worst, ratio);
  }
};

// The cell in words if it is refused, above the allowance or wrong on real buffers.
void report(const schedule::Problem& problem, const planner::MapCell& cell, const std::string& error) {
  if (cell.near() && error.empty()) return;
  const std::string name =
      fmt::format("{} {} {} P={}{}", problem.network.name(), to_string(problem.task),
                  to_string(problem.ports), problem.task.parts, problem.aggregated() ? " aggregated" : "");
  if (!error.empty()) fmt::print("wrong    {}: {}\n", name, error);
  if (!cell.plan) {
    fmt::print("refused  {}: {}\n", name, cell.refusal);
  } else if (!cell.near()) {
    fmt::print("above    {}: {} rounds, bound {}\n", name, cell.rounds, cell.bound);
  }
  std::fflush(stdout);
}

double percent(std::uint64_t part, std::uint64_t all) {
  return 100 * static_cast<double>(part) / static_cast<double>(all);
}

void print(Totals totals) {
  std::ranges::sort(totals.seconds);
  fmt::print(
      "{} cells, {} refused\n"
      "optimal                       {} ({:.1f} %)\n"
      "within max(1 round, 5 %)      {} ({:.1f} %)\n"
      "above 1.5 times the bound     {}, the worst {:.2f} times\n"
      "wrong on real buffers         {}\n"
      "planning a cell               median {:.2f} ms, worst {:.2f} s\n",
      totals.cells, totals.refused, totals.optimal, percent(totals.optimal, totals.cells), totals.near,
      percent(totals.near, totals.cells), totals.above, totals.worst, totals.wrong,
      1e3 * totals.seconds[totals.seconds.size() / 2], totals.seconds.back());
}

schedule::Problem broadcast_over_one_port(const network::Network& network, std::uint32_t parts) {
  return {.network = network,
          .task = {.collective = schedule::Collective::broadcast, .parts = parts},
          .ports = schedule::PortModel::one()};
}

void print_complete_networks() {
  constexpr std::uint32_t most_nodes = 1100;
  std::uint64_t plans = 0, optimal = 0;
  for (std::uint32_t nodes = 2; nodes <= most_nodes; ++nodes) {
    const network::Network network = network::complete(nodes);
    for (const std::uint32_t parts : {1U, 7U, 16U, 64U}) {
      if (nodes > 140 && parts == 16) continue;
      ++plans;
      if (planner::planned_cell(broadcast_over_one_port(network, parts)).optimal()) ++optimal;
    }
  }
  fmt::print("broadcast on complete:2 to complete:{}, one port: {} of {} plans optimal\n", most_nodes,
             optimal, plans);
}

void print_large_broadcasts() {
  struct Large {
    const char* network;
    std::uint32_t parts;
  };
  for (const auto& [name, parts] :
       {Large{"torus:16x16x16", 64}, Large{"circulant:4097:1,64", 64}, Large{"hexmesh:37", 64},
        Large{"hypercube:20", 100}, Large{"torus:64x64x256", 100}}) {
    const planner::MapCell cell = planner::planned_cell(broadcast_over_one_port(network::parse(name), parts));
    fmt::print("broadcast on {}, one port, P={}: {} rounds, bound {} ({:.2f} times), planned in {:.2f} s\n",
               name, parts, cell.rounds, cell.bound,
               static_cast<double>(cell.rounds) / static_cast<double>(cell.bound), cell.seconds);
    std::fflush(stdout);
  }
}

// As many deliveries as nodes or more, of 1 to 4 blocks.
schedule::Task random_task(const network::Network& network, std::mt19937& random) {
  const auto below = [&](std::uint32_t limit) { return static_cast<std::uint32_t>(random() % limit); };
  schedule::Task task{.collective = schedule::Collective::task};
  for (std::uint32_t i = network.order() * (1 + below(2)); i > 0; --i) {
    const network::Node from = below(network.order());
    const network::Node to = (from + 1 + below(network.order() - 1)) % network.order();
    task.deliveries.push_back({from, to, 1 + below(4)});
  }
  return task;
}

void print_random_tasks() {
  std::mt19937 random(1);
  double sum = 0;
  std::uint64_t tasks = 0, optimal = 0;
  for (const char* name : {"ring:5", "ring:9", "torus:3x3", "torus:4x4", "torus:5x5", "hypercube:3",
                           "hypercube:4", "hexmesh:3", "circulant:13:1,5", "complete:7"}) {
    const network::Network network = network::parse(name);
    for (const auto ports :
         {schedule::PortModel::all(), schedule::PortModel::one(), schedule::PortModel::half()}) {
      for (int i = 0; i < 2; ++i) {
        const planner::MapCell cell =
            planner::planned_cell({.network = network, .task = random_task(network, random), .ports = ports});
        sum += static_cast<double>(cell.rounds) / static_cast<double>(cell.bound);
        ++tasks;
        if (cell.optimal()) ++optimal;
      }
    }
  }
  fmt::print("{} random tasks: {} optimal, {:.3f} times the bound on average\n", tasks, optimal,
             sum / static_cast<double>(tasks));
}

}  // namespace

int main(int count, char** arguments) {
  std::vector<std::string> names(arguments + 1, arguments + count);
  if (names.empty()) names.assign(planner::map_networks.begin(), planner::map_networks.end());
  Totals totals;
  for (const std::string& name : names) {
    for (const schedule::Problem& problem : planner::port_map(network::parse(name))) {
      const planner::MapCell cell = planner::planned_cell(problem);
      std::string error;
      if (cell.plan) error = local::run(*cell.plan, {.block_bytes = 67, .threads = 2}).first_error;
      if (!error.empty()) ++totals.wrong;
      report(problem, cell, error);
      totals.add(cell);
    }
  }
  print(std::move(totals));
  if (count > 1) return 0;
  print_random_tasks();
  print_large_broadcasts();
  print_complete_networks();
  return 0;
}
