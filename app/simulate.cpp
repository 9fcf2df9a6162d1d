// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// isotrope simulate: routes packets online, without a plan, from one seed or many, and averages. With --bytes a hop takes the
// time of its link on the machine, else a round.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"

#include "isotrope/schedule/ceil_div.hpp"

#include "isotrope/bound/lower_bounds.hpp"
#include "isotrope/cost/link_times.hpp"

#include "isotrope/simulate/packet_task.hpp"
#include "isotrope/simulate/run_statistics.hpp"

#include "isotrope/planner/packet_time_bound.hpp"
#include "isotrope/planner/plan.hpp"

#include "app/commands.hpp"
#include "app/describe.hpp"
#include "app/machine.hpp"
#include "app/output.hpp"
#include "app/payload.hpp"
#include "app/progress.hpp"
#include "app/subject.hpp"
#include "app/values.hpp"

namespace isotrope::app {
namespace {

std::string summary_in_words(const simulate::Summary& summary) {
  const std::string interval = summary.confidence_95 ? fmt::format(" +- {:.3f}", *summary.confidence_95) : "";
  return fmt::format("{:.3f}{} on average, {:g} to {:g}", summary.mean, interval, summary.smallest,
                     summary.largest);
}

std::string seconds_in_words(const simulate::Summary& summary) {
  const std::string interval =
      summary.confidence_95 ? " +- " + format_seconds(*summary.confidence_95) : std::string();
  return fmt::format("{}{} on average, {} to {}", format_seconds(summary.mean), interval,
                     format_seconds(summary.smallest), format_seconds(summary.largest));
}

Json as_json(const simulate::Summary& summary) {
  Json facts{{"mean", summary.mean},
             {"smallest", summary.smallest},
             {"largest", summary.largest},
             {"deviation", summary.deviation}};
  if (summary.confidence_95) facts["confidence_95"] = *summary.confidence_95;
  return facts;
}

// Packets of --bytes over the links of a machine.
struct TimedPackets {
  std::uint64_t bytes;         // of a block
  std::uint64_t packet_bytes;  // of one of its parts
  cost::Machine machine;
  double bound_s;
};

std::optional<TimedPackets> timed_packets(const SimulateOptions& options, const schedule::Problem& problem) {
  if (!options.bytes) return std::nullopt;
  const std::uint64_t bytes = *options.bytes;
  const cost::Machine machine =
      chosen_machine(options, options, problem.ports, {problem.network, problem.failed});
  check(machine, problem.network.degree());
  if (machine.lanes > 1)
    throw Error(
        "--bytes with several ranks a node, which share its links: packets are simulated on links of one "
        "rank each; leave --bytes out, or \"ranks_per_node\" of the machine file");
  if (bytes == 0) throw Error("--bytes 0: give the size of a block, 1 or more");
  return TimedPackets{bytes, schedule::ceil_div(bytes, problem.task.parts), machine,
                      planner::packet_time_bound(problem, bytes, machine)};
}

simulate::HopTimes hop_times(const TimedPackets& packets, const schedule::Problem& problem) {
  const cost::LinkTimes times(problem.network, problem.failed, packets.machine);
  simulate::HopTimes result{
      {}, [times](network::Node from, network::Port port) { return times.of(from, port); }, !times.by_edge()};
  // Of a class without links any time will do.
  for (std::uint32_t i = 0; i < times.all().size(); ++i)
    result.seconds.push_back(times.occurs(i) ? times.message_time(i, packets.packet_bytes) : 1);
  return result;
}

simulate::PacketSimulator simulator_of(const schedule::Problem& problem, simulate::RoutingPolicy policy,
                                       const std::optional<TimedPackets>& packets) {
  std::optional<simulate::HopTimes> times;
  if (packets) times = hop_times(*packets, problem);
  return {problem.network, simulate::packet_task(problem), policy, problem.ports, problem.failed, times};
}

// What is found in rounds, or in seconds.
Json facts_of(const simulate::RunStatistics& found, const std::optional<TimedPackets>& packets,
              const std::vector<schedule::Bound>& bounds) {
  Json facts{{"runs", found.runs}};
  if (packets) {
    facts.update({{"bytes", packets->bytes},
                  {"packet_bytes", packets->packet_bytes},
                  {"completion_s", as_json(found.seconds)},
                  {"mean_delay_s", as_json(found.mean_delay_s)},
                  {"bound_s", packets->bound_s}});
  } else {
    facts.update({{"rounds", as_json(found.rounds)}, {"mean_delay", as_json(found.mean_delay)}});
    if (!bounds.empty()) facts["bound"] = {{"kind", bounds.front().kind}, {"value", bounds.front().value}};
  }
  facts.update({{"mean_queue", as_json(found.mean_queue)}, {"longest_queue", as_json(found.longest_queue)}});
  return facts;
}

std::string overheads_in_words(const cost::Machine& machine) {
  return machine.has_overheads() ? line("overheads", "of processors are not simulated, only links") : "";
}

std::string found_in_words(const simulate::RunStatistics& found, const std::optional<TimedPackets>& packets,
                           const std::vector<schedule::Bound>& bounds) {
  const std::string queues = line("mean queue", summary_in_words(found.mean_queue)) +
                             line("longest queue", summary_in_words(found.longest_queue));
  if (packets)
    return line("machine", in_words(packets->machine)) +
           line("packets",
                format_size(packets->packet_bytes) + ", each as long on a link as the link takes") +
           overheads_in_words(packets->machine) + line("completion", seconds_in_words(found.seconds)) +
           line("mean delay", seconds_in_words(found.mean_delay_s)) + queues +
           line("bound", format_seconds(packets->bound_s) + " for single packets by any algorithm");
  return line("rounds", summary_in_words(found.rounds)) +
         line("mean delay", summary_in_words(found.mean_delay)) + queues +
         (bounds.empty() ? ""
                         : line("bound", fmt::format("{} ({}) for any algorithm", bounds.front().value,
                                                     bounds.front().kind)));
}

}  // namespace

int simulate_command(const SimulateOptions& options) {
  const schedule::Problem problem = chosen_problem(options);
  planner::require_solvable(problem);
  const simulate::RoutingPolicy policy = options.policy.empty()
                                             ? simulate::default_policy(problem)
                                             : simulate::parse_routing_policy(options.policy);
  const auto runs = static_cast<std::uint32_t>(options.runs);
  const std::optional<TimedPackets> packets = timed_packets(options, problem);
  const simulate::PacketSimulator simulator = simulator_of(problem, policy, packets);
  const auto bounds = bound::lower_bounds(problem);
  const simulate::RunStatistics found = [&] {
    Progress progress("simulating");
    return run_statistics(simulator, options.seed, runs, progress.callback());
  }();

  if (options.json) {
    Json facts = facts_of(problem);
    facts.update({{"policy", to_string(policy)}, {"seed", options.seed}});
    facts.update(facts_of(found, packets, bounds));
    print_or_write(options, answer("simulate", facts));
    return 0;
  }
  print_or_write(options, fmt::format("{}, by {}, {} from seed {}\n", heading(problem), to_string(policy),
                                      counted(runs, "run"), options.seed) +
                              found_in_words(found, packets, bounds) +
                              (packets ? "" : line_of_link_classes(problem, options)));
  return 0;
}

}  // namespace isotrope::app
