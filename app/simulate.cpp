// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// isotrope simulate: routes packets online, without a plan, from one seed or many, and averages.
#include <fmt/format.h>

#include "isotrope/bound/lower_bounds.hpp"

#include "isotrope/simulate/packet_task.hpp"
#include "isotrope/simulate/run_statistics.hpp"

#include "isotrope/planner/plan.hpp"

#include "app/commands.hpp"
#include "app/describe.hpp"
#include "app/machine.hpp"
#include "app/output.hpp"
#include "app/progress.hpp"
#include "app/subject.hpp"

namespace isotrope::app {
namespace {

std::string in_words(const simulate::Summary& summary) {
  const std::string interval = summary.confidence_95 ? fmt::format(" +- {:.3f}", *summary.confidence_95) : "";
  return fmt::format("{:.3f}{} on average, {:g} to {:g}", summary.mean, interval, summary.smallest,
                     summary.largest);
}

Json as_json(const simulate::Summary& summary) {
  Json facts{{"mean", summary.mean},
             {"smallest", summary.smallest},
             {"largest", summary.largest},
             {"deviation", summary.deviation}};
  if (summary.confidence_95) facts["confidence_95"] = *summary.confidence_95;
  return facts;
}

}  // namespace

int simulate_command(const SimulateOptions& options) {
  const schedule::Problem problem = chosen_problem(options);
  planner::require_solvable(problem);
  const simulate::RoutingPolicy policy = options.policy.empty()
                                             ? simulate::default_policy(problem)
                                             : simulate::parse_routing_policy(options.policy);
  const auto runs = static_cast<std::uint32_t>(options.runs);
  const simulate::PacketSimulator simulator(problem.network, simulate::packet_task(problem), policy,
                                            problem.ports, problem.failed);
  const auto bounds = bound::lower_bounds(problem);
  const simulate::RunStatistics found = [&] {
    Progress progress("simulating");
    return run_statistics(simulator, options.seed, runs, progress.callback());
  }();

  if (options.json) {
    Json facts = facts_of(problem);
    facts.update({{"policy", to_string(policy)},
                  {"seed", options.seed},
                  {"runs", found.runs},
                  {"rounds", as_json(found.rounds)},
                  {"mean_delay", as_json(found.mean_delay)},
                  {"mean_queue", as_json(found.mean_queue)},
                  {"longest_queue", as_json(found.longest_queue)}});
    if (!bounds.empty()) facts["bound"] = {{"kind", bounds.front().kind}, {"value", bounds.front().value}};
    print_or_write(options, answer("simulate", facts));
    return 0;
  }
  std::string text = fmt::format("{}, by {}, {} from seed {}\n", heading(problem), to_string(policy),
                                 counted(runs, "run"), options.seed) +
                     line("rounds", in_words(found.rounds)) + line("mean delay", in_words(found.mean_delay)) +
                     line("mean queue", in_words(found.mean_queue)) +
                     line("longest queue", in_words(found.longest_queue));
  if (!bounds.empty())
    text +=
        line("bound", fmt::format("{} ({}) for any algorithm", bounds.front().value, bounds.front().kind));
  text += line_of_link_classes(problem, options);
  print_or_write(options, text);
  return 0;
}

}  // namespace isotrope::app
