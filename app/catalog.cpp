// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// isotrope catalog: the algorithms, all or those that can serve what the options name.
#include "isotrope/planner/catalog.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/commands.hpp"
#include "app/describe.hpp"

namespace isotrope::app {
namespace {

std::string collective_of(const planner::Algorithm& algorithm) {
  return to_string(schedule::Task{.collective = algorithm.collective});
}

// Without network and collective every algorithm is listed.
bool listed(const planner::Algorithm& algorithm, const std::optional<planner::Request>& request) {
  return !request || (algorithm.collective == request->task.collective && !algorithm.obstacle(*request));
}

}  // namespace

int catalog_command(const Options& options) {
  std::optional<planner::Request> request;
  if (!options.network.empty() || !options.collective.empty()) request = chosen_request(options);
  Json list = Json::array();
  std::string text;
  for (const planner::Algorithm& algorithm : planner::catalog()) {
    if (!listed(algorithm, request)) continue;
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
