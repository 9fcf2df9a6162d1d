// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// isotrope catalog: the algorithms, all or those that can serve what the options name.
#include "isotrope/planner/catalog.hpp"

#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/commands.hpp"
#include "app/describe.hpp"

namespace isotrope::app {
namespace {

std::string collective_of(const planner::Algorithm& algorithm) {
  return to_string(schedule::Task{.collective = algorithm.collective});
}

// What the options narrow the list to; each of them may be missing.
class Filter {
 public:
  explicit Filter(const Options& options) {
    if (!options.network.empty() || !options.subject.empty()) network_ = chosen_network(options);
    if (!options.collective.empty()) collective_ = schedule::parse_collective(options.collective);
  }

  bool admits(const planner::Algorithm& algorithm) const {
    if (collective_ && *collective_ != algorithm.collective) return false;
    return !network_ ||
           !algorithm.misfit({.network = *network_, .task = {.collective = algorithm.collective}});
  }

 private:
  std::optional<network::Network> network_;
  std::optional<schedule::Collective> collective_;
};

}  // namespace

int catalog_command(const Options& options) {
  const Filter filter(options);
  Json list = Json::array();
  std::string text;
  for (const planner::Algorithm& algorithm : planner::catalog()) {
    if (!filter.admits(algorithm)) continue;
    list.push_back({{"name", algorithm.name},
                    {"collective", collective_of(algorithm)},
                    {"networks", algorithm.networks},
                    {"ports", algorithm.ports},
                    {"source", algorithm.source},
                    {"claim", algorithm.claim}});
    text += fmt::format("{}\n", algorithm.name) + line("collective", collective_of(algorithm)) +
            line("networks", std::string(algorithm.networks)) + line("ports", std::string(algorithm.ports)) +
            line("source", std::string(algorithm.source)) + line("claim", std::string(algorithm.claim));
  }
  if (text.empty()) text = "no algorithm of the catalogue can serve this\n";
  print_or_write(options, options.json ? dump({{"algorithms", list}}) : text);
  return 0;
}

}  // namespace isotrope::app
