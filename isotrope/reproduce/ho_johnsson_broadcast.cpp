// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Tables 1 to 4 of Ho and Johnsson 1986: broadcast along four trees under three port models.
//
// Every printed entry follows from rounds(p) = a p + b, the rounds of p packets. Here a and b come from the rounds
// of verified schedules for 2n and 3n packets, and are checked against those for all p from 1 to 2n + 2.
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>
#include <vector>

#include <fmt/format.h>

#include "isotrope/cost/pipeline_cost.hpp"

#include "isotrope/reproduce/exhibits.hpp"
#include "isotrope/reproduce/measure.hpp"

namespace isotrope::reproduce {
namespace {

using schedule::PortModel;

constexpr std::uint32_t first_n = 2, last_n = 8;
constexpr double message_bytes = 60 * 1024;  // as in the paper's Figures 6 and 7

constexpr const char* path_reason =
    "a path of N nodes delays the first packet by N - 1 rounds, so p packets take p + N - 2";
constexpr const char* small_two_rooted_reason =
    "for n = 2 the two-rooted tree is a path with the root inside: no node receives and sends twice";
constexpr const char* limit_reason = "the paper prints the limit for large log N";

// A line a p + b with a fraction a of whole numbers.
struct Line {
  std::int64_t numerator = 0;
  std::int64_t denominator = 1;
  std::int64_t constant = 0;

  bool operator==(const Line&) const = default;
  double per_packet() const { return static_cast<double>(numerator) / static_cast<double>(denominator); }
  cost::PipelineCost cost() const { return {per_packet(), static_cast<double>(constant)}; }
};

const PortModel half = PortModel::half(), one = PortModel::one(), all = PortModel::all();

// The value constant + of_n n + of_nodes N, for N = 2^n.
struct Form {
  std::int64_t constant = 0, of_n = 0, of_nodes = 0;

  std::int64_t at(std::uint32_t n) const { return constant + of_n * n + (of_nodes << n); }
};

// A tree under a port model: its algorithm, and the printed values.
struct PrintedEntry {
  const char* tree;
  const char* algorithm;
  PortModel ports;
  Form numerator, denominator, constant;  // of the line
  Form delay;                             // Table 1
  bool in_table_3 = true;

  std::string name() const { return fmt::format("{}, {}", tree, ports_name()); }
  const char* ports_name() const {
    return ports == half ? "1 s or r" : ports == one ? "1 s and r" : "all ports";
  }
  Line line(std::uint32_t n) const { return {numerator.at(n), denominator.at(n), constant.at(n)}; }
};

const std::array entries{
    PrintedEntry{"HP", "hamiltonian-path-broadcast", half, {2}, {1}, {-3, 0, 1}, {-1, 0, 1}},
    PrintedEntry{"HP", "hamiltonian-path-broadcast", one, {1}, {1}, {-3, 0, 1}, {-1, 0, 1}},
    PrintedEntry{"HP", "hamiltonian-path-broadcast", all, {1}, {1}, {-2, 0, 1}, {-1, 0, 1}, false},
    PrintedEntry{"SBT", "binomial-tree-broadcast", half, {0, 1}, {1}, {0}, {0, 1}},
    PrintedEntry{"SBT", "binomial-tree-broadcast", one, {0, 1}, {1}, {0}, {0, 1}},
    PrintedEntry{"SBT", "binomial-tree-broadcast", all, {1}, {1}, {-1, 1}, {0, 1}},
    PrintedEntry{"TCBT", "two-rooted-tree-broadcast", half, {3}, {1}, {-5, 2}, {-2, 2}},
    PrintedEntry{"TCBT", "two-rooted-tree-broadcast", one, {2}, {1}, {-4, 2}, {-2, 2}},
    PrintedEntry{"TCBT", "two-rooted-tree-broadcast", all, {1}, {1}, {-1, 1}, {0, 1}},
    PrintedEntry{"MSBT", "msbt-broadcast", half, {2}, {1}, {-1, 1}, {-1, 3}},
    PrintedEntry{"MSBT", "msbt-broadcast", one, {1}, {1}, {0, 1}, {0, 2}},
    PrintedEntry{"MSBT", "msbt-broadcast", all, {1}, {0, 1}, {0, 1}, {1, 1}},
};

std::int64_t rounds(const PrintedEntry& entry, std::uint32_t n, std::uint32_t packets) {
  return static_cast<std::int64_t>(measured_rounds(
      {.algorithm = entry.algorithm, .dimension = n, .ports = entry.ports, .packets = packets}));
}

Line measured_line(const PrintedEntry& entry, std::uint32_t n) {
  const std::int64_t at_2n = rounds(entry, n, 2 * n), at_3n = rounds(entry, n, 3 * n);
  const std::int64_t common = std::gcd(at_3n - at_2n, std::int64_t{n});
  return {(at_3n - at_2n) / common, n / common, at_2n - 2 * (at_3n - at_2n)};
}

std::int64_t on_line(const Line& line, std::int64_t packets) {
  return (line.numerator * packets + line.denominator - 1) / line.denominator + line.constant;
}

// Tells whether the rounds of 1 to 2n + 2 packets lie on the line, fractions rounded up.
bool holds(const Line& line, const PrintedEntry& entry, std::uint32_t n) {
  for (std::uint32_t packets = 1; packets <= 2 * n + 2; ++packets) {
    if (rounds(entry, n, packets) != on_line(line, packets)) return false;
  }
  return true;
}

std::string fraction(const Line& line) {
  return line.denominator == 1 ? fmt::format("{}", line.numerator)
                               : fmt::format("{}/{}", line.numerator, line.denominator);
}

// "2p + 5", "ceil(p/3) + 3"
std::string formula(const Line& line) {
  std::string first = line.denominator > 1  ? fmt::format("ceil(p/{})", line.denominator)
                      : line.numerator == 1 ? "p"
                                            : fmt::format("{}p", line.numerator);
  if (line.constant == 0) return first;
  return fmt::format("{} {} {}", first, line.constant < 0 ? '-' : '+', std::abs(line.constant));
}

// The reason why the entry's line differs from the printed one.
std::string reason(const PrintedEntry& entry, std::uint32_t n) {
  const std::string_view tree = entry.tree;
  if (tree == "HP" && entry.ports == one) return path_reason;
  if (tree == "TCBT" && entry.ports == half && n == 2) return small_two_rooted_reason;
  return "";
}

std::vector<std::string> dimensions() {
  return columns_over("n", first_n, last_n);
}

Row row_over_dimensions(const std::string& name, const std::function<Cell(std::uint32_t)>& cell_for) {
  return row_over(name, first_n, last_n, cell_for);
}

// Adds T, B_opt and T_min of one line of Table 3.
void add_costs(Table& table, const PrintedEntry& entry, const cost::Machine& machine) {
  table.rows.push_back(row_over_dimensions(entry.name() + ": rounds", [&](std::uint32_t n) {
    const Line line = measured_line(entry, n);
    Cell result{formula(line), formula(entry.line(n)), reason(entry, n)};
    if (!holds(line, entry, n)) result.measured = "not a line";
    return result;
  }));
  const auto add = [&](const char* name, int decimals, auto value) {
    table.rows.push_back(row_over_dimensions(name, [&](std::uint32_t n) {
      const Line printed = entry.line(n);
      const double measured = value(measured_line(entry, n).cost());
      if (printed.constant >= 0) return cell(measured, value(printed.cost()), decimals, reason(entry, n));
      return Cell{fmt::format("{:.{}f}", measured, decimals), "imaginary", reason(entry, n)};
    }));
  };
  add("  B_opt, bytes", 0,
      [&](const cost::PipelineCost& c) { return c.best_packet(message_bytes, machine); });
  add("  T_min, s", 3, [&](const cost::PipelineCost& c) { return c.least_time(message_bytes, machine); });
}

const PrintedEntry& entry_of(std::string_view tree, PortModel ports) {
  return *std::ranges::find_if(
      entries, [&](const PrintedEntry& entry) { return entry.tree == tree && entry.ports == ports; });
}

// A line of Table 4: a tree compared to the MSBT.
struct Ratio {
  const char* tree;
  PortModel ports;
  double many_packets;  // printed for log N = last_n, for M / B >> log N and for transfers that dominate
  double startups_dominate;
};

Row ratio_row(const Ratio& ratio) {
  const PrintedEntry& tree = entry_of(ratio.tree, ratio.ports);
  const PrintedEntry& msbt = entry_of("MSBT", ratio.ports);
  const Line line = measured_line(tree, last_n), msbt_line = measured_line(msbt, last_n);
  const auto one_packet = [](const PrintedEntry& entry) {
    return static_cast<double>(rounds(entry, last_n, 1));
  };
  const auto printed_one = [](const PrintedEntry& entry) {
    return static_cast<double>(on_line(entry.line(last_n), 1));
  };
  // The ratio of best times for a start-up that costs as much as `startup_s` messages.
  const auto best = [&](double startup_s) {
    const cost::Machine machine{.startup_s = startup_s, .byte_time_s = 1};
    return line.cost().least_time(1, machine) / msbt_line.cost().least_time(1, machine);
  };
  return {
      fmt::format("{}: {}/MSBT", tree.ports_name(), ratio.tree),
      {cell(one_packet(tree) / one_packet(msbt), printed_one(tree) / printed_one(msbt), 3),
       cell(line.per_packet() / msbt_line.per_packet(), ratio.many_packets, 3),
       cell(best(100), ratio.startups_dominate, 3, limit_reason), cell(best(1e-14), ratio.many_packets, 3)}};
}

}  // namespace

Table ho_johnsson_table_1() {
  Table table{"Ho and Johnsson 1986, Table 1: propagation delays",
              "rounds of one packet, of log N packets along the MSBT; n = log N", dimensions()};
  for (const PrintedEntry& entry : entries) {
    const bool is_msbt = std::string_view(entry.tree) == "MSBT";
    table.rows.push_back(row_over_dimensions(entry.name(), [&](std::uint32_t n) {
      return cell(static_cast<std::uint64_t>(rounds(entry, n, is_msbt ? n : 1)),
                  static_cast<std::uint64_t>(entry.delay.at(n)));
    }));
  }
  return table;
}

Table ho_johnsson_table_2() {
  Table table{"Ho and Johnsson 1986, Table 2: cycles per distinct packet",
              "rounds that 3n packets take beyond 2n packets, over n; n = log N", dimensions()};
  for (const PrintedEntry& entry : entries) {
    table.rows.push_back(row_over_dimensions(entry.name(), [&](std::uint32_t n) {
      return Cell{fraction(measured_line(entry, n)), fraction(entry.line(n)), reason(entry, n)};
    }));
  }
  return table;
}

Table ho_johnsson_table_3(const cost::Machine& machine) {
  Table table{
      "Ho and Johnsson 1986, Table 3: broadcast of M bytes in packets of B, p = ceil(M/B)",
      fmt::format("T = rounds (tau + B t_c), checked for p = 1..2n+2; B_opt and T_min for M = 60 KiB, "
                  "tau = {} s, t_c = {} s; n = log N",
                  machine.startup_s, machine.byte_time_s),
      dimensions()};
  cost::Machine unlimited = machine;
  unlimited.internal_packet = 0;  // no limit in the table
  for (const PrintedEntry& entry : entries) {
    if (entry.in_table_3) add_costs(table, entry, unlimited);
  }
  return table;
}

Table ho_johnsson_table_4() {
  constexpr double n = last_n;
  Table table{"Ho and Johnsson 1986, Table 4: times compared to those of the MSBT",
              fmt::format("for log N = {}", last_n),
              {"one packet", "M/B >> log N", "B_opt, start-ups dominate", "B_opt, transfers dominate"}};
  for (const Ratio& ratio :
       {Ratio{"SBT", half, n / 2, 1}, Ratio{"TCBT", half, 1.5, 2}, Ratio{"SBT", one, n, 1},
        Ratio{"TCBT", one, 2, 2}, Ratio{"SBT", all, n, 1}, Ratio{"TCBT", all, n, 1}}) {
    table.rows.push_back(ratio_row(ratio));
  }
  return table;
}

}  // namespace isotrope::reproduce
