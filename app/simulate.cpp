// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// isotrope simulate: routes packets online, without a plan, from one seed or many, and sums up.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "isotrope/base/error.hpp"

#include "isotrope/simulate/run_statistics.hpp"

#include "app/commands.hpp"
#include "app/describe.hpp"
#include "app/progress.hpp"

namespace isotrope::app {
namespace {

using schedule::Collective;

constexpr std::uint64_t most_runs = 1'000'000;

simulate::PacketTask packet_task(const planner::Request& request) {
  const schedule::Task& task = request.task;
  switch (task.collective) {
    case Collective::alltoall:
    case Collective::neighborhood:
      return {.isotropic = schedule::relative_destinations(request.network, task), .parts = task.parts};
    case Collective::isotropic:
      return {.isotropic = request.destinations, .parts = task.parts};
    case Collective::task:
      return {.listed = request.deliveries, .parts = task.parts};
    default:
      break;
  }
  throw Error(
      fmt::format("simulate routes packets with one destination each, so not those of {}: give alltoall, "
                  "neighborhood:K:L, isotropic:FILE or task:FILE",
                  to_string(task)));
}

std::uint64_t count_option(const std::string& option, const std::string& value, std::uint64_t otherwise,
                           std::uint64_t most) {
  if (value.empty()) return otherwise;
  const std::uint64_t count = number_option(option, value);
  if (count >= 1 && count <= most) return count;
  throw Error(fmt::format("{} {}: give 1 to {}", option, value, most));
}

std::string in_words(const simulate::Summary& summary) {
  const std::string interval =
      summary.confidence_95 ? fmt::format(" +- {:.3f}", *summary.confidence_95) : std::string();
  return fmt::format("{:.3f}{} in the mean, {:g} to {:g}", summary.mean, interval, summary.smallest,
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

int simulate_command(const Options& options) {
  refuse_failures(options, "online routing is simulated on whole networks");
  const planner::Request request = chosen_request(options);
  const simulate::RoutingPolicy policy =
      simulate::parse_routing_policy(options.policy.empty() ? "symmetric-largest-residual" : options.policy);
  const std::uint64_t seed = options.seed.empty() ? 1 : number_option("--seed", options.seed);
  const auto runs = static_cast<std::uint32_t>(count_option("--runs", options.runs, 10, most_runs));
  const simulate::PacketSimulator simulator(request.network, packet_task(request), policy, request.ports);
  const auto bounds = planner::request_bounds(request, schedule::RoundKind::strict);
  const simulate::RunStatistics found = [&] {
    Progress progress("simulating");
    return run_statistics(simulator, seed, runs, progress.callback());
  }();

  if (options.json) {
    Json facts{{"network", request.network.name()},
               {"collective", to_string(request.task)},
               {"parts", request.task.parts},
               {"ports", to_string(request.ports)},
               {"policy", to_string(policy)},
               {"seed", seed},
               {"runs", found.runs},
               {"rounds", as_json(found.rounds)},
               {"mean_delay", as_json(found.mean_delay)},
               {"mean_queue", as_json(found.mean_queue)},
               {"longest_queue", as_json(found.longest_queue)}};
    if (!bounds.empty()) facts["bound"] = {{"kind", bounds.front().kind}, {"value", bounds.front().value}};
    print_or_write(options, dump(facts));
    return 0;
  }
  std::string text = fmt::format("{} on {}, {}, by {}, {} {} from seed {}\n", to_string(request.task),
                                 request.network.name(), to_string(request.ports), to_string(policy), runs,
                                 runs == 1 ? "run" : "runs", seed) +
                     line("rounds", in_words(found.rounds)) + line("mean delay", in_words(found.mean_delay)) +
                     line("mean queue", in_words(found.mean_queue)) +
                     line("longest queue", in_words(found.longest_queue));
  if (!bounds.empty())
    text +=
        line("bound", fmt::format("{} ({}) for any algorithm", bounds.front().value, bounds.front().kind));
  print_or_write(options, text);
  return 0;
}

}  // namespace isotrope::app
