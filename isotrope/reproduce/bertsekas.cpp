// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Table I and Figure 6 of Bertsekas et al. 1991.
#include <array>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "isotrope/reproduce/exhibits.hpp"
#include "isotrope/reproduce/measure.hpp"

namespace isotrope::reproduce {
namespace {

constexpr std::uint32_t last_d = 10;

struct CubeProblem {
  const char* name;
  const char* algorithm;
  std::uint64_t (*time)(std::uint64_t d);
  std::uint64_t (*transmissions)(std::uint64_t d);
};

std::uint64_t balanced_time(std::uint64_t d) {
  return ((std::uint64_t{1} << d) - 1 + d - 1) / d;
}

constexpr std::array problems{
    CubeProblem{"single node scatter", "balanced-scatter", balanced_time,
                [](std::uint64_t d) { return d << (d - 1); }},
    CubeProblem{"multinode broadcast", "multinode-broadcast", balanced_time,
                [](std::uint64_t d) { return ((std::uint64_t{1} << d) - 1) << d; }},
    CubeProblem{"total exchange", "total-exchange",
                [](std::uint64_t d) { return std::uint64_t{1} << (d - 1); },
                [](std::uint64_t d) { return d << (2 * d - 1); }},
};

// Destinations of node 0's packets by link, top to bottom.
const std::vector<std::vector<std::string>> figure_6{
    {"0001"},
    {"0011", "0010"},
    {"0101", "0111", "0110", "0100"},
    {"1001", "1011", "1101", "1010", "1111", "1110", "1100", "1000"}};

}  // namespace

Table bertsekas_table_1() {
  Table table{"Bertsekas et al. 1991, Table I: optimal times and numbers of packet transmissions",
              "all ports at once; every schedule is verified and meets its lower bound",
              columns_over("d", 1, last_d)};
  for (const CubeProblem& problem : problems) {
    Row time{fmt::format("{}: time", problem.name)}, transmissions{"  transmissions"};
    for (std::uint32_t d = 1; d <= last_d; ++d) {
      const Measured measured = measure({.algorithm = problem.algorithm, .dimension = d});
      time.cells.push_back(cell(measured.report.optimal ? measured.report.rounds : 0, problem.time(d)));
      transmissions.cells.push_back(cell(measured.report.transmissions, problem.transmissions(d)));
    }
    table.rows.push_back(std::move(time));
    table.rows.push_back(std::move(transmissions));
  }
  return table;
}

// The figure lists the first hops of node 0's own packets. All hops of origin 0's packets from node 0 are first hops.
Table bertsekas_figure_6() {
  Table table{"Bertsekas et al. 1991, Figure 6: total exchange for d = 4",
              "destinations of node 0's own packets in the order in which they leave over each link",
              {"link 1", "link 2", "link 3", "link 4"}};
  const Measured measured = measure({.algorithm = "total-exchange", .dimension = 4});
  std::vector<std::vector<std::string>> sent(4);
  for (const schedule::Hop& hop : measured.plan.schedule.stages[0].rounds.hops()) {
    if (hop.from == 0) sent[hop.port].push_back(fmt::format("{:04b}", hop.packet));
  }
  const auto entry = [](const std::vector<std::string>& list, std::size_t i) {
    return i < list.size() ? list[i] : std::string("-");
  };
  for (std::size_t i = 0; i < figure_6.back().size(); ++i) {
    Row row{fmt::format("time {}", i + 1)};
    for (std::size_t link = 0; link < sent.size(); ++link)
      row.cells.push_back({entry(sent[link], i), entry(figure_6[link], i), ""});
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace isotrope::reproduce
