// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// isotrope optimality: tables in Markdown of the rounds of plans, under every port model on some networks or on those
// given, and over all ports on many. For every entry the program makes a plan, verifies it and compares it with its
// bound.
#include <array>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"

#include "isotrope/network/parse.hpp"

#include "isotrope/planner/port_map.hpp"

#include "app/commands.hpp"
#include "app/describe.hpp"
#include "app/output.hpp"
#include "app/progress.hpp"

namespace isotrope::app {
namespace {

using planner::MapCell;

constexpr std::uint64_t most_nodes = 4096;

constexpr std::array wide_collectives{"alltoall", "allgather", "scatter", "neighborhood:1:2"};

// Shown under every port model beside those of the map: other extents, jumps and orders.
constexpr std::array further_networks{"hypercube:5",       "torus:3x4",           "torus:8x8", "torus:7x9",
                                      "ring:32",           "circulant:30:1,2,15", "hexmesh:4", "complete:28",
                                      "twisted-torus:4x8", "torus:3x3x3"};

// Of the wide table: every family, from its smallest members on.
std::vector<std::string> networks() {
  std::vector<std::string> names;
  for (int d = 1; d <= 12; ++d) names.push_back(fmt::format("hypercube:{}", d));
  for (const int n : {3, 4, 5, 6, 7, 8, 9, 15, 16, 32, 33}) names.push_back(fmt::format("ring:{}", n));
  for (int a = 2; a <= 8; ++a) {
    for (int b = a; b <= 8; ++b) names.push_back(fmt::format("torus:{}x{}", a, b));
  }
  for (const char* extents :
       {"16x16", "32x32",    "64x64",    "5x24",    "3x64",    "2x2x2",   "2x3x4",    "3x3x3",
        "3x3x4", "3x4x5",    "4x4x4",    "4x4x8",   "4x8x8",   "5x5x5",   "6x6x6",    "7x7x7",
        "8x8x8", "12x12x12", "16x16x16", "3x3x3x3", "4x4x4x4", "8x8x8x8", "3x3x3x3x3"}) {
    names.push_back(fmt::format("torus:{}", extents));
  }
  for (const char* extents : {"2x4", "4x8", "8x16", "2x2x4", "2x4x4", "4x4x8", "4x8x8", "8x8x16", "8x16x16"})
    names.push_back(fmt::format("twisted-torus:{}", extents));
  for (const int n : {2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 16, 20, 32})
    names.push_back(fmt::format("hexmesh:{}", n));
  for (const char* jumps : {"13:1,2", "13:1,3", "13:1,5", "16:1,4", "16:1,6", "25:1,7", "32:1,6", "40:1,9",
                            "64:1,8,12", "101:1,10", "128:1,5,25", "1000:1,10,100"}) {
    names.push_back(fmt::format("circulant:{}", jumps));
  }
  for (const int n : {2, 3, 5, 8, 16}) names.push_back(fmt::format("complete:{}", n));
  return names;
}

// The number, and the bound if it is smaller; "refused" if there is no plan.
std::string entry(const MapCell& cell) {
  if (!cell.plan) return "refused";
  return cell.optimal() ? fmt::format("{}", cell.rounds) : fmt::format("{} >= {}", cell.rounds, cell.bound);
}

// Counts of cells, of a table or of all.
struct Tally {
  std::uint64_t cells = 0, refused = 0, optimal = 0, near = 0;
  double worst = 1;  // rounds per bound

  void add(const MapCell& cell) {
    ++cells;
    refused += cell.plan ? 0 : 1;
    optimal += cell.optimal() ? 1 : 0;
    near += cell.near() ? 1 : 0;
    if (cell.plan && cell.bound > 0)
      worst = std::max(worst, static_cast<double>(cell.rounds) / static_cast<double>(cell.bound));
  }
  std::string in_words() const {
    return fmt::format(
        "{} plans: {} optimal, {} at most one round or 5 % above the bound, the worst {:.2f} times "
        "the bound; {} refused.\n",
        cells, optimal, near, worst, refused);
  }
};

// What both tables are made of.
class Tables {
 public:
  void add_port_map(const std::string& name) {
    const network::Network network = network::parse(name);
    const auto ports = planner::map_ports(network);
    text_ += fmt::format("\n### {}\n\n| |", name);
    for (const auto model : ports) text_ += fmt::format(" {}: P = 1 | 4 | 16 | A |", to_string(model));
    text_ += "\n|-|";
    for (std::size_t i = 0; i < ports.size() * planner::map_parts.size(); ++i) text_ += "-:|";
    std::string row;
    Tally tally;
    for (const schedule::Problem& problem : planner::port_map(network)) {
      const std::string collective(schedule::traits_of(problem.task.collective).name);
      if (collective != row) text_ += fmt::format("\n| {} |", row = collective);
      const MapCell cell = planned(problem, name, collective);
      text_ += fmt::format(" {} |", entry(cell));
      if (problem.task.collective == schedule::Collective::barrier) text_ += " | | |";
      tally.add(cell), all_.add(cell);
    }
    text_ += fmt::format("\n\n{}", tally.in_words());
  }

  void add_wide_row(const std::string& name) {
    const network::Network network = network::parse(name);
    wide_ += fmt::format("| {}", name);
    for (const std::string collective : wide_collectives) {
      // A neighbourhood needs nodes at both distances.
      if (collective.starts_with("neighborhood") && network.diameter() < 2) {
        wide_ += " | -";
        continue;
      }
      const MapCell cell =
          planned({.network = network, .task = schedule::parse_task(collective, network)}, name, collective);
      wide_ += fmt::format(" | {}", entry(cell));
      wide_tally_.add(cell);
    }
    wide_ += " |\n";
  }

  std::string in_markdown() const {
    std::string result = fmt::format(
        "# Where plans are optimal\n\n"
        "Rounds of plans. A single number is optimal: the plan was verified, and its rounds equal a lower "
        "bound. An "
        "entry such as\n`12 >= 11` gives the rounds of the plan and the largest known lower bound.\n\n"
        "## Every port model\n\n"
        "Blocks in P = 1, 4 and 16 parts, one packet per link and round; A: any number of packets share a "
        "message.\n\n"
        "{}{}",
        all_.in_words(), text_);
    if (wide_.empty()) return result;
    result += fmt::format(
        "\n## All ports, many networks\n\nOne part, networks of up to {} nodes; `-` means that no "
        "two nodes are at distance 2.\n\n| network",
        most_nodes);
    for (const char* collective : wide_collectives) result += fmt::format(" | {}", collective);
    result += " |\n|-|-:|-:|-:|-:|\n" + wide_ + "\n" + wide_tally_.in_words();
    return result + "\n`isotrope optimality -o docs/optimality.md` writes this page.\n";
  }

  Json in_json() const {
    return {{"plans", plans_},
            {"planned", all_.cells + wide_tally_.cells - all_.refused - wide_tally_.refused},
            {"refused", all_.refused + wide_tally_.refused},
            {"optimal", all_.optimal + wide_tally_.optimal}};
  }

 private:
  MapCell planned(const schedule::Problem& problem, const std::string& name, const std::string& collective) {
    MapCell cell = planner::planned_cell(problem);
    Json plan{{"network", name},
              {"collective", collective},
              {"ports", to_string(problem.ports)},
              {"parts", problem.task.parts},
              {"aggregated", problem.aggregated()},
              {"optimal", cell.optimal()}};
    if (cell.plan) {
      plan["rounds"] = cell.rounds;
      plan["bound"] = cell.bound;
    } else {
      plan["refused"] = cell.refusal;
    }
    plans_.push_back(std::move(plan));
    return cell;
  }

  std::string text_, wide_;
  Tally all_, wide_tally_;
  Json plans_ = Json::array();
};

}  // namespace

int optimality_command(const OptimalityOptions& options) {
  std::vector<std::string> by_port_model = options.names, wide;
  if (options.names.empty()) {
    by_port_model.assign(planner::map_networks.begin(), planner::map_networks.end());
    by_port_model.insert(by_port_model.end(), further_networks.begin(), further_networks.end());
    wide = networks();
  }
  Tables tables;
  InterruptibleProgress progress("planning");
  const auto total = static_cast<double>(by_port_model.size() + wide.size());
  double done = 0;
  for (const std::string& name : by_port_model) {
    progress.show(done++ / total);
    tables.add_port_map(name);
  }
  for (const std::string& name : wide) {
    progress.show(done++ / total);
    tables.add_wide_row(name);
  }
  print_or_write(options, options.json ? answer("optimality", tables.in_json()) : tables.in_markdown());
  return 0;
}

}  // namespace isotrope::app
