// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// isotrope compare: architectures side by side, everything measured; without names those of Table I of Chen,
// Shin, Kandlur 1990, with the table itself.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "isotrope/io/network_file.hpp"

#include "app/commands.hpp"
#include "app/describe.hpp"
#include "app/output.hpp"
#include "app/progress.hpp"
#include "isotrope/reproduce/architecture_facts.hpp"
#include "isotrope/reproduce/exhibits.hpp"

namespace isotrope::app {
namespace {

using reproduce::ArchitectureFacts;
using reproduce::CollectiveRounds;

const std::vector<std::string> table_1{"complete:127", "hypercube:7",         "binary-tree:7", "star:127",
                                       "ring:127",     "chordal-ring:128:15", "torus:11x11",   "hexmesh:7"};

graph::Architecture architecture_of(const std::string& name) {
  if (!io::names_network_file(name)) return graph::parse_architecture(name);
  auto [network, lacks] = io::named_network(name);
  return {name, std::move(network), std::move(lacks)};
}

std::vector<ArchitectureFacts> measure_all(const std::vector<std::string>& names) {
  std::vector<graph::Architecture> architectures;
  for (const std::string& name : names) architectures.push_back(architecture_of(name));
  const auto collectives = reproduce::measured_collectives();
  Progress progress("measuring");
  std::vector<ArchitectureFacts> all;
  double done = 0;
  for (const graph::Architecture& architecture : architectures) {
    all.push_back(reproduce::facts_of(architecture));
    for (const schedule::Collective collective : collectives) {
      all.back().rounds.push_back(reproduce::rounds_of(architecture, collective));
      progress.show(++done / static_cast<double>(architectures.size() * collectives.size()));
    }
  }
  return all;
}

std::string name_of(schedule::Collective collective) {
  return to_string(schedule::Task{.collective = collective});
}

std::string in_words(const graph::Bisection& bisection) {
  if (bisection.at_least == bisection.at_most) return fmt::format("{}", bisection.at_most);
  return fmt::format("{}..{}", bisection.at_least, bisection.at_most);
}

std::string in_words(const CollectiveRounds& rounds) {
  return rounds.rounds == rounds.bound ? fmt::format("{}", rounds.rounds)
                                       : fmt::format("{} (>={})", rounds.rounds, rounds.bound);
}

reproduce::Table as_table(const std::vector<ArchitectureFacts>& all) {
  reproduce::Table table{
      "Architectures, measured",
      "rounds with all ports and one packet per block; (>=b): the largest known lower bound is b",
      {"nodes", "links", "diameter", "mean distance", "degree", "connectivity", "density", "bisection"},
      {}};
  for (const schedule::Collective collective : reproduce::measured_collectives())
    table.columns.push_back(name_of(collective));
  for (const ArchitectureFacts& facts : all) {
    reproduce::Row row{facts.name, {}};
    const auto add = [&](const std::string& text) { row.cells.push_back({text, text, ""}); };
    for (const std::string& text :
         {fmt::format("{}", facts.nodes), fmt::format("{}", facts.links), fmt::format("{}", facts.diameter),
          fmt::format("{:.3f}", facts.mean_distance), fmt::format("{}", fmt::join(facts.degrees, ",")),
          facts.connectivity ? fmt::format("{}", *facts.connectivity) : "-",
          fmt::format("{:.3f}", facts.density), facts.bisection ? in_words(*facts.bisection) : "-"}) {
      add(text);
    }
    for (const CollectiveRounds& rounds : facts.rounds) add(in_words(rounds));
    table.rows.push_back(std::move(row));
  }
  return table;
}

Json as_json(const ArchitectureFacts& facts) {
  Json json = graph_facts(facts);
  json.update({{"name", facts.name}, {"degrees", facts.degrees}, {"message_density", facts.density}});
  for (const CollectiveRounds& rounds : facts.rounds) {
    json["rounds"][name_of(rounds.collective)] = {
        {"rounds", rounds.rounds}, {"bound", rounds.bound}, {"optimal", rounds.rounds == rounds.bound}};
  }
  return json;
}

}  // namespace

int compare_command(const CompareOptions& options) {
  const std::vector<ArchitectureFacts> all = measure_all(options.names.empty() ? table_1 : options.names);
  if (options.json) {
    Json list = Json::array();
    for (const ArchitectureFacts& facts : all) list.push_back(as_json(facts));
    print_or_write(options, answer("compare", {{"architectures", list}}));
    return 0;
  }
  std::string text = to_text(as_table(all));
  if (options.names.empty()) text += fmt::format("\n{}", to_text(reproduce::chen_table_1()));
  print_or_write(options, text);
  return 0;
}

}  // namespace isotrope::app
