// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// isotrope optimality: a table in Markdown of the rounds of plans by network and collective. For every entry the
// program makes a plan, verifies it and compares it with its bound.
#include <array>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"

#include "isotrope/network/parse.hpp"

#include "app/commands.hpp"
#include "app/describe.hpp"
#include "app/output.hpp"
#include "app/progress.hpp"

namespace isotrope::app {
namespace {

constexpr std::uint64_t most_nodes = 4096;

constexpr std::array collectives{"alltoall", "allgather", "scatter", "neighborhood:1:2"};

// Every family, from its smallest members on.
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

verify::Report measured(const std::string& network_name, const char* collective) {
  const network::Network network = network::parse(network_name);
  schedule::Plan plan =
      planner::make_plan({.network = network, .task = schedule::parse_task(collective, network)});
  const verify::Report report = planner::certify(plan);
  if (!report.valid) {
    throw Error(fmt::format("the plan of {} on {} is not valid: {}", collective, network_name,
                            report.violations.front().message));
  }
  return report;
}

// A neighbourhood needs nodes at both distances.
bool applies(const std::string& network_name, std::string_view collective) {
  return !collective.starts_with("neighborhood") || network::parse(network_name).diameter() >= 2;
}

}  // namespace

int optimality_command(const OptimalityOptions& options) {
  const std::vector<std::string> names = networks();
  std::string text = fmt::format(
      "# Where plans are optimal\n\n"
      "Rounds of plans for the all-port model and one segment per block, on networks of up to {} nodes. "
      "A single number\nis optimal: the plan was verified, and its rounds equal a lower bound. "
      "An entry such as `12 >= 11` gives the rounds of\nthe plan and the largest known lower bound; "
      "`-` means that no two nodes are at distance 2.\n\n"
      "`isotrope optimality -o docs/optimality.md` writes this page.\n\n| network",
      most_nodes);
  for (const char* collective : collectives) text += fmt::format(" | {}", collective);
  text += " |\n|-";
  for (std::size_t i = 0; i < collectives.size(); ++i) text += "|-:";
  text += "|\n";

  std::uint64_t optimal = 0, planned = 0;
  Json list = Json::array();
  InterruptibleProgress progress("planning");
  for (std::size_t i = 0; i < names.size(); ++i) {
    text += fmt::format("| {}", names[i]);
    for (const char* collective : collectives) {
      progress.show(static_cast<double>(i) / static_cast<double>(names.size()));
      if (!applies(names[i], collective)) {
        text += " | -";
        continue;
      }
      const verify::Report entry = measured(names[i], collective);
      ++planned;
      if (entry.optimal) ++optimal;
      text += entry.optimal ? fmt::format(" | {}", entry.rounds)
                            : fmt::format(" | {} >= {}", entry.rounds, entry.bound.value);
      list.push_back({{"network", names[i]},
                      {"collective", collective},
                      {"rounds", entry.rounds},
                      {"bound", entry.bound.value},
                      {"optimal", entry.optimal}});
    }
    text += " |\n";
  }
  text += fmt::format("\n{} of {} plans are optimal.\n", optimal, planned);
  print_or_write(options, options.json ? answer("optimality",
                                                {{"plans", list}, {"optimal", optimal}, {"planned", planned}})
                                       : text);
  return 0;
}

}  // namespace isotrope::app
