// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/planner/plan.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "isotrope/base/error.hpp"
#include "isotrope/base/spelling.hpp"

#include "isotrope/network/surviving_network.hpp"

#include "isotrope/schedule/ceil_div.hpp"
#include "isotrope/schedule/link_load.hpp"
#include "isotrope/schedule/send_order.hpp"
#include "isotrope/schedule/transform.hpp"

#include "isotrope/bound/listed_problem.hpp"
#include "isotrope/bound/lower_bounds.hpp"

namespace isotrope::planner {
namespace {

std::string in_words(const Traits& traits) {
  return fmt::format("{} (networks: {}; ports: {})", traits.name, traits.networks, traits.ports);
}

// Near names of any collective, or else all names of that one.
[[noreturn]] void refuse_unknown(const std::string& name, Collective collective) {
  std::vector<std::string_view> all, of_collective;
  for (const Algorithm* algorithm : catalog()) {
    const Traits& traits = algorithm->traits();
    std::vector<std::string_view> names(traits.aliases.begin(), traits.aliases.end());
    names.insert(names.begin(), traits.name);
    all.insert(all.end(), names.begin(), names.end());
    if (traits.collective == collective)
      of_collective.insert(of_collective.end(), names.begin(), names.end());
  }
  const bool is_near = !nearest_names(name, all).empty();
  throw Error(
      fmt::format("unknown algorithm '{}': {}", name, name_hint(name, is_near ? all : of_collective)));
}

// Whether an algorithm of single packets serves messages of up to K, as single packets of a K-th of the parts.
bool groups_packets(const Algorithm& algorithm, const Problem& problem) {
  if (!problem.aggregated() || problem.aggregation == unbounded || !algorithm.traits().strict) return false;
  return !algorithm.traits().aggregates || algorithm.unsupported_reason(problem);
}

// The form of the problem that an algorithm has. The packets of a barrier are empty, so any number of them is one.
Problem in_form_of(const Algorithm& algorithm, Problem problem) {
  if (problem.task.collective == Collective::barrier && !algorithm.traits().strict) {
    problem.aggregation = unbounded;
  } else if (groups_packets(algorithm, problem)) {
    problem.task.parts =
        static_cast<std::uint32_t>(schedule::ceil_div(problem.task.parts, problem.aggregation));
    problem.aggregation = 1;
  }
  return problem;
}

const Algorithm& named(const Problem& problem, const Preferences& preferences) {
  std::vector<std::string_view> of_other_collectives;
  for (const Algorithm* algorithm : catalog()) {
    if (!algorithm->is_called(preferences.algorithm)) continue;
    const Traits& traits = algorithm->traits();
    if (traits.collective != problem.task.collective) {
      of_other_collectives.push_back(schedule::traits_of(traits.collective).name);
      continue;
    }
    if (traits.for_machines)
      throw Error(
          fmt::format("algorithm {}: it is chosen for a size on a machine, as by --bytes 64 --machine FILE",
                      traits.name));
    if (const auto reason = unsupported_reason(*algorithm, in_form_of(*algorithm, problem), preferences))
      throw Error(fmt::format("algorithm {}: {} (networks: {}; ports: {})", traits.name, *reason,
                              traits.networks, traits.ports));
    return *algorithm;
  }
  if (of_other_collectives.empty()) refuse_unknown(preferences.algorithm, problem.task.collective);
  throw Error(fmt::format("algorithm {} plans {}, not {}", preferences.algorithm,
                          fmt::join(of_other_collectives, ", "), to_string(problem.task)));
}

// The algorithms of the collective, for a caller whose problem none supports.
std::string alternatives(const Problem& problem) {
  std::vector<std::string> known;
  for (const Algorithm* algorithm : catalog()) {
    const Traits& traits = algorithm->traits();
    if (traits.collective == problem.task.collective && !traits.for_machines)
      known.push_back(in_words(traits));
  }
  if (known.empty())
    return "the catalogue plans it on no network yet; `isotrope catalog` lists all algorithms";
  return fmt::format("the catalogue has {}", fmt::join(known, ", "));
}

// Around failures and on any graph few algorithms serve: what each of them says.
std::string reasons_around_failures(const Problem& problem, const Preferences& preferences) {
  std::vector<std::string> reasons;
  for (const Algorithm* algorithm : catalog()) {
    const Traits& traits = algorithm->traits();
    if (!traits.around_failures || traits.for_machines || traits.collective != problem.task.collective)
      continue;
    if (const auto reason = unsupported_reason(*algorithm, in_form_of(*algorithm, problem), preferences))
      reasons.push_back(fmt::format("{}: {}", traits.name, *reason));
  }
  return reasons.empty() ? alternatives(problem) : fmt::format("{}", fmt::join(reasons, "; "));
}

std::string further_wishes(const Problem& problem, const Preferences& preferences) {
  std::string wishes;
  if (problem.failed.any_failed()) wishes += " around failures";
  if (!problem.failed.open_axes.empty()) wishes += " with open axes";
  if (!problem.failed.edges.empty()) wishes += " on a network of listed edges";
  if (problem.aggregated()) wishes += " that aggregates packets";
  if (preferences.order) wishes += " that lets the root's order be chosen";
  if (preferences.objective == Objective::delay) wishes += " that looks at delays";
  if (!problem.waiting) wishes += " whose packets never wait";
  if (problem.step_limits) wishes += " in packed steps";
  return wishes;
}

void require_something_to_send(const Problem& problem) {
  const auto blocks = [](const auto& entry) { return entry.blocks > 0; };
  const bool isotropic = problem.task.collective == schedule::Collective::isotropic;
  const bool task = problem.task.collective == schedule::Collective::task;
  if (isotropic && !std::any_of(problem.task.destinations.begin(), problem.task.destinations.end(), blocks))
    throw Error("the isotropic task has no blocks: give it destinations, as in --collective isotropic:FILE");
  if (task && !std::any_of(problem.task.deliveries.begin(), problem.task.deliveries.end(), blocks))
    throw Error("the task has no blocks: give it deliveries, as in --collective task:FILE");
}

std::string counted(const std::vector<schedule::Node>& nodes) {
  constexpr std::size_t most_named = 20;
  const std::size_t named = std::min(nodes.size(), most_named);
  return fmt::format("{} {}{}", nodes.size() == 1 ? "node" : "nodes",
                     fmt::join(nodes.begin(), nodes.begin() + static_cast<std::ptrdiff_t>(named), ","),
                     named < nodes.size() ? fmt::format(",... ({} in all)", nodes.size()) : "");
}

// The distances of a neighbourhood and the addresses of an isotropic task are those of the whole Cayley graph.
void require_cayley_graph(const Problem& problem) {
  const bool relative =
      problem.task.collective == Collective::neighborhood || problem.task.collective == Collective::isotropic;
  if (!relative || problem.failed.before().empty()) return;
  throw Error(
      fmt::format("{} on {}: it is defined on closed axes only, and on all links of a Cayley graph; list its "
                  "packets in a file, as in --collective task:FILE",
                  to_string(problem.task), problem.network.name()));
}

// Survivors must reach each other, and traffic must be between survivors.
void require_survivable(const Problem& problem) {
  require_cayley_graph(problem);
  if (problem.failed.empty()) return;
  const network::SurvivingNetwork network(problem.network, problem.failed);
  const bool rooted = schedule::is_rooted(problem.task.collective);
  if (rooted && !network.alive(problem.task.root))
    throw Error(fmt::format("the root, node {}, has failed: give another, as in --root {}", problem.task.root,
                            network.nodes().front()));
  const schedule::Node from = rooted ? problem.task.root : network.nodes().front();
  if (const auto lost = network.cut_off(from); !lost.empty()) {
    throw Error(fmt::format(
        "the failures cut {} off from node {} of {}: no schedule reaches them; count them among the "
        "failed nodes to plan for the others",
        counted(lost), from, problem.network.name()));
  }
  for (const schedule::Delivery& delivery : problem.task.deliveries) {
    if (network.alive(delivery.from) && network.alive(delivery.to)) continue;
    throw Error(
        fmt::format("the task has blocks from node {} to node {}, and node {} has failed: leave them out",
                    delivery.from, delivery.to, network.alive(delivery.from) ? delivery.to : delivery.from));
  }
}

// The algorithms for schedules without waiting, or in packed steps, are few: one of them says why it does not serve.
void refuse_by_special(const Problem& problem, const Preferences& preferences) {
  for (const Algorithm* algorithm : catalog()) {
    const Traits& traits = algorithm->traits();
    const bool meant = problem.step_limits ? traits.packs : !problem.waiting && traits.no_wait;
    if (!meant || traits.collective != problem.task.collective) continue;
    if (const auto reason = unsupported_reason(*algorithm, in_form_of(*algorithm, problem), preferences))
      throw Error(fmt::format("algorithm {}: {}", traits.name, *reason));
  }
}

// Packets of whole vectors are larger than those of a block per node, so their rounds do not compare unless messages
// carry any number of packets. They remain if nothing else does.
void leave_whole_vectors(const Problem& problem, std::vector<const Algorithm*>& candidates) {
  const auto whole = [](const Algorithm* algorithm) { return algorithm->traits().whole_vector; };
  if (problem.aggregation == unbounded || std::ranges::all_of(candidates, whole)) return;
  std::erase_if(candidates, whole);
}

// Around failures an algorithm that takes more than milliseconds is asked only if no other one serves.
void leave_slow(const Problem& problem, std::vector<const Algorithm*>& candidates) {
  const auto slow = [&](const Algorithm* algorithm) { return !algorithm->is_quick(problem); };
  if (!problem.failed.any_failed() || std::ranges::all_of(candidates, slow)) return;
  std::erase_if(candidates, slow);
}

// The first algorithm with the fewest rounds. The search ends at the bound, as counting rounds may take as long as
// planning.
const Algorithm& fewest_rounds(const Problem& problem, const Parameters& parameters,
                               const std::vector<const Algorithm*>& candidates) {
  const Algorithm* best = candidates.front();
  if (candidates.size() == 1) return *best;
  const auto bounds = bound::lower_bounds(problem);
  const std::uint64_t bound = bounds.empty() ? 0 : bounds.front().value;
  std::uint64_t least = no_rounds;
  for (const Algorithm* algorithm : candidates) {
    const std::uint64_t rounds = algorithm->rounds(in_form_of(*algorithm, problem), parameters);
    if (rounds < least) {
      best = algorithm;
      least = rounds;
    }
    if (least == bound) break;
  }
  return *best;
}

// The plan with its claims: rounds, hops, the loads of aggregated rounds, and the largest lower bound for the listed
// packets, as the checker computes it.
schedule::Plan with_claims(schedule::Plan plan) {
  const auto bounds = bound::listed_bounds(plan);
  if (!bounds.empty()) plan.bound = bounds.front();
  plan.claims.rounds = plan.schedule.round_count();
  plan.claims.hops = plan.schedule.hop_count();
  if (plan.schedule.round_kind == schedule::RoundKind::aggregated)
    plan.claims.link_load = link_loads(hop_network(plan), plan.schedule);
  return plan;
}

}  // namespace

void require_solvable(const Problem& problem) {
  require_something_to_send(problem);
  require_survivable(problem);
}

Parameters parameters_of(const Preferences& preferences) {
  return {.order = preferences.order, .seed = preferences.seed, .seconds = preferences.seconds};
}

const Algorithm& choose(const Problem& problem, const Preferences& preferences) {
  require_solvable(problem);
  if (!preferences.algorithm.empty()) return named(problem, preferences);
  std::vector<const Algorithm*> candidates;
  for (const Algorithm* algorithm : catalog()) {
    const Traits& traits = algorithm->traits();
    if (traits.collective == problem.task.collective && !traits.for_machines &&
        !unsupported_reason(*algorithm, in_form_of(*algorithm, problem), preferences))
      candidates.push_back(algorithm);
  }
  leave_whole_vectors(problem, candidates);
  leave_slow(problem, candidates);
  if (!candidates.empty()) return fewest_rounds(problem, parameters_of(preferences), candidates);
  refuse_by_special(problem, preferences);
  throw Error(fmt::format(
      "no algorithm for {} on {} with ports {}{}: {}", to_string(problem.task), problem.network.name(),
      to_string(problem.ports), further_wishes(problem, preferences),
      problem.failed.empty() ? alternatives(problem) : reasons_around_failures(problem, preferences)));
}

schedule::Plan make_plan(const Problem& problem, const Preferences& preferences) {
  return make_plan(problem, choose(problem, preferences), parameters_of(preferences));
}

schedule::Plan make_plan(const Problem& given, const Algorithm& algorithm, const Parameters& parameters) {
  Problem problem = in_form_of(algorithm, given);
  schedule::Task task = given.task;
  if (const std::uint32_t fixed = algorithm.fixed_parts(problem, parameters))
    task.parts = problem.task.parts = fixed;
  const bool grouped = groups_packets(algorithm, given);
  schedule::Plan plan{
      given.network, given.failed, std::move(task), algorithm.schedule(problem, parameters), {}, {}};
  if (grouped) plan.schedule = schedule::group_packets(plan.schedule, given.task.parts, given.aggregation);
  if (given.waiting && !given.step_limits) {  // what a schedule does beyond the problem is not stated
    plan.schedule.waiting = true;
    plan.schedule.barriers.clear();
  }
  plan.overlay = algorithm.overlay(problem, parameters);
  schedule::order_sends(plan, parameters.send_order);
  plan.window = parameters.window;
  plan.chains = parameters.chains;
  plan.shares = parameters.shares;
  if (grouped || problem.aggregated()) plan.aggregation = grouped ? given.aggregation : problem.aggregation;
  return with_claims(std::move(plan));
}

verify::Report certify(schedule::Plan& plan, const verify::Options& options) {
  verify::Report report = verify::verify(plan, options);
  plan.claims.optimal = report.optimal;
  return report;
}

}  // namespace isotrope::planner
