// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Table I of Chen, Shin, Kandlur 1990. Orders of growth are measured too: the function of p in the table that fits
// the measured values of four sizes best.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "isotrope/base/spelling.hpp"

#include "isotrope/reproduce/architecture_facts.hpp"
#include "isotrope/reproduce/exhibits.hpp"

namespace isotrope::reproduce {
namespace {

struct Printed {
  const char* name;
  const char* sizes;  // four, ascending; the last is the one of the table
  std::uint64_t links;
  const char* diameter;  // an order, or a number
  const char* degrees;
  std::uint64_t connectivity;
  const char* density;
};

constexpr const char* of_complete = "O(1/p)";
constexpr const char* constant = "O(1)";
constexpr const char* logarithm = "O(log p)";
constexpr const char* root = "O(p^1/2)";
constexpr const char* linear = "O(p)";

// The table's formulas for p = 127, 128 or 121 nodes.
constexpr std::array printed{
    Printed{"complete graph", "complete:15,complete:31,complete:63,complete:127", 127 * 126 / 2, "1", "126",
            127, of_complete},
    Printed{"hypercube", "hypercube:4,hypercube:5,hypercube:6,hypercube:7", 7 * 64, logarithm, "7", 7,
            constant},
    Printed{"complete binary tree", "binary-tree:4,binary-tree:5,binary-tree:6,binary-tree:7", 126, logarithm,
            "1,2,3", 1, logarithm},
    Printed{"star", "star:15,star:31,star:63,star:127", 126, "2", "1,126", 1, "2"},
    Printed{"cycle", "ring:15,ring:31,ring:63,ring:127", 127, linear, "2", 2, linear},
    Printed{"chordal ring", "chordal-ring:16:7,chordal-ring:32:9,chordal-ring:64:11,chordal-ring:128:15",
            3 * 128 / 2, root, "3", 3, root},
    Printed{"square mesh", "torus:4x4,torus:6x6,torus:8x8,torus:11x11", 2 * 121, root, "4", 4, root},
    Printed{"H-mesh", "hexmesh:3,hexmesh:4,hexmesh:5,hexmesh:7", 3 * 127, root, "6", 6, root},
};

struct GrowthOrder {
  const char* name;
  double (*of)(double p);
};

constexpr std::array orders{GrowthOrder{of_complete, [](double p) { return 1 / p; }},
                            GrowthOrder{constant, [](double) { return 1.0; }},
                            GrowthOrder{logarithm, [](double p) { return std::log2(p); }},
                            GrowthOrder{root, [](double p) { return std::sqrt(p); }},
                            GrowthOrder{linear, [](double p) { return p; }}};

struct Sample {
  double p;
  double value;
};

// The largest quotient of value and order over the smallest.
double stray(const std::vector<Sample>& samples, const GrowthOrder& order) {
  double least = std::numeric_limits<double>::max(), most = 0;
  for (const auto [p, value] : samples) {
    least = std::min(least, value / order.of(p));
    most = std::max(most, value / order.of(p));
  }
  return most / least;
}

std::string best_order(const std::vector<Sample>& samples) {
  return std::ranges::min_element(orders, {}, [&](const GrowthOrder& order) { return stray(samples, order); })
      ->name;
}

// The last value, or the order of all if an order is printed.
Cell in_kind(const std::vector<Sample>& samples, const char* printed_text) {
  const bool order = std::string(printed_text).starts_with("O(");
  return {order ? best_order(samples) : fmt::format("{:.0f}", samples.back().value), printed_text, ""};
}

}  // namespace

Table chen_table_1() {
  Table table{"Chen, Shin, Kandlur 1990, Table I: multiprocessor architectures of about 127 nodes",
              "message density: a link, while every node sends one message; orders follow four sizes each",
              {"nodes", "links", "diameter", "degree", "connectivity", "density"}};
  for (const Printed& paper : printed) {
    std::vector<ArchitectureFacts> facts;
    std::vector<Sample> diameters, densities;
    for (const std::string_view name : split(paper.sizes, ',')) {
      facts.push_back(facts_of(graph::parse_architecture(name)));
      const double p = facts.back().nodes;
      diameters.push_back({p, static_cast<double>(facts.back().diameter)});
      densities.push_back({p, facts.back().density});
    }
    const ArchitectureFacts& last = facts.back();
    table.rows.push_back(
        {fmt::format("{} ({})", paper.name, last.name),
         {cell(std::uint64_t{last.nodes}, std::uint64_t{last.nodes}),
          cell(last.links, paper.links),
          in_kind(diameters, paper.diameter),
          {fmt::format("{}", fmt::join(last.degrees, ",")), paper.degrees, ""},
          cell(std::uint64_t{last.connectivity.value_or(0)}, paper.connectivity,
               "a complete graph of p nodes has p - 1 neighbours to lose, so p cannot be its connectivity"),
          in_kind(densities, paper.density)}});
  }
  return table;
}

}  // namespace isotrope::reproduce
