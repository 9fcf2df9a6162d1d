// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// isotrope catalog: all algorithms, or the algorithms that can serve what the options name; or the networks of TPU slices.
#include "isotrope/planner/catalog.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "isotrope/network/parse.hpp"
#include "isotrope/network/tpu_slices.hpp"

#include "app/commands.hpp"
#include "app/describe.hpp"
#include "app/output.hpp"
#include "app/own_plans.hpp"
#include "app/subject.hpp"

namespace isotrope::app {
namespace {

std::string collective_of(const planner::Algorithm& algorithm) {
  return std::string(schedule::traits_of(algorithm.traits().collective).name);
}

// The network, collective and ports of the options; each may be missing. Ports matter only beside a network.
class Filter {
 public:
  explicit Filter(const CatalogOptions& options) {
    if (!options.network.empty() || !options.subject.empty() || !options.machine.empty())
      named_ = chosen_named_network(options);
    if (!options.collective.empty()) collective_ = schedule::parse_collective(options.collective);
    if (options.ports.empty()) {
      ports_ = {schedule::PortModel::all(), schedule::PortModel::one(), schedule::PortModel::half()};
    } else {
      ports_ = {schedule::parse_port_model(options.ports, named_ ? named_->network.degree() : UINT32_MAX)};
    }
  }

  bool admits(const planner::Algorithm& algorithm) const {
    if (collective_ && *collective_ != algorithm.traits().collective) return false;
    if (!named_) return true;
    const planner::Traits& traits = algorithm.traits();
    if (!named_->lacks.empty() && !traits.around_failures && !traits.around_links) return false;
    return std::any_of(ports_.begin(), ports_.end(), [&](schedule::PortModel ports) {
      return !algorithm.unsupported_reason({.network = named_->network,
                                            .failed = named_->lacks,
                                            .task = {.collective = algorithm.traits().collective},
                                            .ports = ports});
    });
  }

 private:
  std::optional<network::NamedNetwork> named_;
  std::optional<schedule::Collective> collective_;
  std::vector<schedule::PortModel> ports_;  // an algorithm needs one of them
};

void list_networks(const CatalogOptions& options) {
  Json list = Json::array();
  std::string text =
      "TPU slices, as --tpu takes them, and their networks (the families: `isotrope --help`)\n";
  for (const network::TpuSlice& slice : network::tpu_slices()) {
    const network::Node nodes = network::parse_named(slice.network).network.order();
    list.push_back({{"name", slice.name}, {"network", slice.network}, {"nodes", nodes}});
    text += fmt::format("  {:<20} {:<24} {:>6} nodes\n", slice.name, slice.network, nodes);
  }
  print_or_write(options, options.json ? answer("catalog", {{"networks", list}}) : text);
}

}  // namespace

int catalog_command(const CatalogOptions& options) {
  if (options.networks) {
    list_networks(options);
    return 0;
  }
  take_own_plans();
  const Filter filter(options);
  Json list = Json::array();
  std::string text;
  for (const planner::Algorithm* algorithm : planner::catalog()) {
    if (!filter.admits(*algorithm)) continue;
    const planner::Traits& traits = algorithm->traits();
    list.push_back({{"name", traits.name},
                    {"collective", collective_of(*algorithm)},
                    {"networks", traits.networks},
                    {"ports", traits.ports},
                    {"source", traits.source},
                    {"claim", traits.claim}});
    const std::string aliases = fmt::format("{}", fmt::join(traits.aliases, ", "));
    if (!aliases.empty()) list.back()["aliases"] = aliases;
    text += fmt::format("{}\n", traits.name) + (aliases.empty() ? "" : line("aliases", aliases)) +
            line("collective", collective_of(*algorithm)) + line("networks", traits.networks) +
            line("ports", traits.ports) + line("source", traits.source) + line("claim", traits.claim);
  }
  if (text.empty()) text = "no algorithm of the catalogue can serve this\n";
  print_or_write(options, options.json ? answer("catalog", {{"algorithms", list}}) : text);
  return 0;
}

}  // namespace isotrope::app
