// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The map of plans by port model (planner/port_map.hpp): plans every cell, verifies it, runs it on real buffers with
// every byte checked, and prints how many are refused, optimal and near their bounds, and how long planning took.
// Arguments: names of networks; none: those of the map.
#include "isotrope/planner/port_map.hpp"

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include <fmt/format.h>

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
  return 0;
}
