// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// isotrope catalog: the algorithms, all or those that can serve what the options name.
#include "isotrope/planner/catalog.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/commands.hpp"
#include "app/describe.hpp"

namespace isotrope::app {
namespace {

std::string collective_of(const planner::Algorithm& algorithm) {
  return to_string(schedule::Task{.collective = algorithm.collective});
}

// What the options narrow the list to; each of them may be missing. Ports matter on a network only.
class Filter {
 public:
  explicit Filter(const Options& options) {
    if (!options.network.empty() || !options.subject.empty()) network_ = chosen_network(options);
    if (!options.collective.empty()) collective_ = schedule::parse_collective(options.collective);
    if (options.ports.empty()) {
      ports_ = {schedule::PortModel::all(), schedule::PortModel::one(), schedule::PortModel::half()};
    } else {
      ports_ = {schedule::parse_port_model(options.ports, network_ ? network_->degree() : UINT32_MAX)};
    }
  }

  bool admits(const planner::Algorithm& algorithm) const {
    if (collective_ && *collective_ != algorithm.collective) return false;
    if (!network_) return true;
    return std::any_of(ports_.begin(), ports_.end(), [&](schedule::PortModel ports) {
      return !algorithm.misfit(
          {.network = *network_, .task = {.collective = algorithm.collective}, .ports = ports});
    });
  }

 private:
  std::optional<network::Network> network_;
  std::optional<schedule::Collective> collective_;
  std::vector<schedule::PortModel> ports_;  // any of these will do
};

}  // namespace

int catalog_command(const Options& options) {
  refuse_failures(options, "the list is not narrowed by failures");
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
