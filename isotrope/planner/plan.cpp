// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/planner/plan.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "isotrope/base/error.hpp"
#include "isotrope/base/spelling.hpp"

#include "isotrope/schedule/delivery_bound.hpp"
#include "isotrope/schedule/link_load.hpp"
#include "isotrope/schedule/plan_bound.hpp"
#include "isotrope/schedule/surviving_task.hpp"

#include "isotrope/planner/direct_sends.hpp"

namespace isotrope::planner {
namespace {

// They are no algorithm of the catalogue.
[[noreturn]] void refuse_direct_sends(const Request& request) {
  throw Error(fmt::format(
      "algorithm {}: on {} there are {}, chosen for blocks of a size on a machine with "
      "cut-through, as by --bytes 64 --machine FILE",
      request.algorithm, request.network.name(), fmt::join(direct_sends_names(request.network), ", ")));
}

const Algorithm& named(const Request& request) {
  if (request.algorithm.starts_with(direct_sends_name)) refuse_direct_sends(request);
  std::vector<std::string_view> names;
  for (const Algorithm& algorithm : catalog()) {
    if (algorithm.name != request.algorithm) {
      names.push_back(algorithm.name);
      continue;
    }
    if (algorithm.collective != request.task.collective) {
      throw Error(fmt::format("algorithm {} plans {}, not {}", algorithm.name,
                              to_string(schedule::Task{.collective = algorithm.collective}),
                              to_string(request.task)));
    }
    if (const auto reason = obstacle(algorithm, request)) {
      throw Error(fmt::format("algorithm {}: {} (networks: {}; ports: {})", algorithm.name, *reason,
                              algorithm.networks, algorithm.ports));
    }
    return algorithm;
  }
  throw Error(
      fmt::format("unknown algorithm '{}': {}", request.algorithm, name_hint(request.algorithm, names)));
}

// What the catalogue has for the collective, for whoever asked for something else.
std::string alternatives(const Request& request) {
  std::vector<std::string> known;
  for (const Algorithm& algorithm : catalog()) {
    if (algorithm.collective == request.task.collective) {
      known.push_back(
          fmt::format("{} (networks: {}; ports: {})", algorithm.name, algorithm.networks, algorithm.ports));
    }
  }
  if (known.empty())
    return "the catalogue plans it on no network yet; `isotrope catalog` lists what there is";
  return fmt::format("the catalogue has {}", fmt::join(known, ", "));
}

std::string further_wishes(const Request& request) {
  std::string wishes;
  if (!request.failed.empty()) wishes += " around failures";
  if (request.merge > 1) wishes += " that merges packets";
  if (request.order) wishes += " that lets the root's order be chosen";
  if (request.objective == Objective::delay) wishes += " that looks at delays";
  return wishes;
}

void require_something_to_send(const Request& request) {
  const auto blocks = [](const auto& entry) { return entry.blocks > 0; };
  const bool isotropic = request.task.collective == schedule::Collective::isotropic;
  const bool task = request.task.collective == schedule::Collective::task;
  if (isotropic && !std::any_of(request.destinations.begin(), request.destinations.end(), blocks))
    throw Error("the isotropic task has no blocks: give it destinations, as in --collective isotropic:FILE");
  if (task && !std::any_of(request.deliveries.begin(), request.deliveries.end(), blocks))
    throw Error("the task has no blocks: give it deliveries, as in --collective task:FILE");
}

std::string counted(const std::vector<schedule::Node>& nodes) {
  constexpr std::size_t most_named = 20;
  const std::size_t named = std::min(nodes.size(), most_named);
  return fmt::format("{} {}{}", nodes.size() == 1 ? "node" : "nodes",
                     fmt::join(nodes.begin(), nodes.begin() + static_cast<std::ptrdiff_t>(named), ","),
                     named < nodes.size() ? fmt::format(",... ({} in all)", nodes.size()) : "");
}

// Survivors must reach each other, and what is asked for must be between survivors.
void require_survivable(const Request& request) {
  if (request.failed.empty()) return;
  const network::SurvivingNetwork network(request.network, request.failed);
  const bool rooted = schedule::is_rooted(request.task.collective);
  if (rooted && !network.alive(request.task.root)) {
    throw Error(fmt::format("the root, node {}, has failed: give another, as in --root {}", request.task.root,
                            network.nodes().front()));
  }
  const schedule::Node from = rooted ? request.task.root : network.nodes().front();
  if (const auto lost = network.cut_off(from); !lost.empty()) {
    throw Error(fmt::format(
        "the failures cut {} off from node {} of {}: no schedule reaches them; count them among the "
        "failed nodes to plan for the others",
        counted(lost), from, request.network.name()));
  }
  for (const schedule::Delivery& delivery : request.deliveries) {
    if (network.alive(delivery.from) && network.alive(delivery.to)) continue;
    throw Error(
        fmt::format("the task has blocks from node {} to node {}, and node {} has failed: leave them out",
                    delivery.from, delivery.to, network.alive(delivery.from) ? delivery.to : delivery.from));
  }
}

// The first of those with the fewest rounds. One that meets the bound ends the search, for counting rounds
// may take as long as planning.
const Algorithm& fewest_rounds(const Request& request, const std::vector<const Algorithm*>& candidates) {
  const Algorithm* best = candidates.front();
  if (candidates.size() == 1) return *best;
  const auto kind = request.merge == 1 ? schedule::RoundKind::strict : schedule::RoundKind::combining;
  const auto bounds = request_bounds(request, kind);
  const std::uint64_t bound = bounds.empty() ? 0 : bounds.front().value;
  std::uint64_t least = UINT64_MAX;
  for (const Algorithm* algorithm : candidates) {
    const std::uint64_t rounds = algorithm->rounds(request);
    if (rounds < least) {
      best = algorithm;
      least = rounds;
    }
    if (least == bound) break;
  }
  return *best;
}

}  // namespace

namespace {

std::vector<schedule::Bound> surviving_bounds(const Request& request, schedule::RoundKind rounds) {
  require_survivable(request);
  const network::SurvivingNetwork network(request.network, request.failed);
  const std::uint32_t parts = request.task.parts;
  if (request.task.collective == schedule::Collective::isotropic) {
    return lower_bounds(network, surviving_deliveries(network, request.destinations), parts, request.ports,
                        rounds);
  }
  if (request.task.collective == schedule::Collective::task)
    return lower_bounds(network, request.deliveries, parts, request.ports, rounds);
  return lower_bounds(network, request.task, request.ports, rounds);
}

}  // namespace

std::vector<schedule::Bound> request_bounds(const Request& request, schedule::RoundKind rounds) {
  const std::uint32_t parts = request.task.parts;
  if (!request.failed.empty()) return surviving_bounds(request, rounds);
  if (request.task.collective == schedule::Collective::isotropic)
    return lower_bounds(request.network, request.destinations, parts, request.ports, rounds);
  if (request.task.collective == schedule::Collective::task)
    return lower_bounds(request.network, request.deliveries, parts, request.ports, rounds);
  return lower_bounds(request.network, request.task, request.ports, rounds);
}

const Algorithm& choose(const Request& request) {
  require_something_to_send(request);
  require_survivable(request);
  if (!request.algorithm.empty()) return named(request);
  std::vector<const Algorithm*> candidates;
  for (const Algorithm& algorithm : catalog()) {
    if (algorithm.collective == request.task.collective && !obstacle(algorithm, request))
      candidates.push_back(&algorithm);
  }
  if (!candidates.empty()) return fewest_rounds(request, candidates);
  throw Error(fmt::format("no algorithm for {} on {} with ports {}{}: {}", to_string(request.task),
                          request.network.name(), to_string(request.ports), further_wishes(request),
                          alternatives(request)));
}

schedule::Plan make_plan(const Request& request) {
  return make_plan(request, choose(request));
}

schedule::Plan make_plan(const Request& request, const Algorithm& algorithm) {
  return with_claims({request.network, request.failed, request.task, algorithm.schedule(request), {}, {}});
}

schedule::Plan with_claims(schedule::Plan plan) {
  const auto bounds = lower_bounds(plan);
  if (!bounds.empty()) plan.bound = bounds.front();
  plan.claims.rounds = plan.schedule.round_count();
  plan.claims.hops = plan.schedule.hop_count();
  if (plan.schedule.round_kind == schedule::RoundKind::combining)
    plan.claims.link_load = link_loads(plan.network, plan.schedule);
  return plan;
}

verify::Report certify(schedule::Plan& plan, const verify::Options& options) {
  verify::Report report = verify::verify(plan, options);
  plan.claims.optimal = report.optimal;
  return report;
}

}  // namespace isotrope::planner
