// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/describe.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "isotrope/network/losses.hpp"
#include "isotrope/network/surviving_network.hpp"

#include "isotrope/bound/bandwidth.hpp"
#include "isotrope/bound/delay.hpp"
#include "isotrope/bound/listed_problem.hpp"
#include "isotrope/bound/steps.hpp"

#include "app/output.hpp"

namespace isotrope::app {
namespace {

// The share of all working directed links that a round uses, over all rounds.
struct LinkUtilisation {
  double mean = 0;
  double least = 0;
};

LinkUtilisation link_utilisation(const schedule::Plan& plan, const verify::Report& report) {
  const std::uint64_t working = plan.failed.empty()
                                    ? plan.network.directed_links()
                                    : 2 * network::SurvivingNetwork(plan.network, plan.failed).links();
  if (report.links_used.empty() || working == 0) return {};
  const auto links = static_cast<double>(working);
  const auto sum = std::accumulate(report.links_used.begin(), report.links_used.end(), std::uint64_t{0});
  const auto least = *std::min_element(report.links_used.begin(), report.links_used.end());
  return {static_cast<double>(sum) / links / static_cast<double>(report.links_used.size()),
          static_cast<double>(least) / links};
}

// The mean delay, and the least of any schedule if it is known. Nothing for an exchange: a sum that a node receives
// is no packet with a destination.
std::string mean_delay(const schedule::Plan& plan, const verify::Report& report) {
  const auto& stages = plan.schedule.stages;
  if (!stages.empty() && stages.back().flow == schedule::Flow::exchange) return "";
  const bool all_to_all = plan.task.collective == schedule::Collective::alltoall ||
                          plan.task.collective == schedule::Collective::neighborhood;
  const bool known = all_to_all && plan.failed.empty() && !plan.schedule.ports.half_duplex() &&
                     plan.schedule.round_kind == schedule::RoundKind::strict;
  const std::string least =
      known ? fmt::format("; no schedule has less than {:.2f}", bound::delay_bound(problem_of(plan)).mean)
            : "";
  return line("mean delay", fmt::format("{:.2f} rounds{}", report.mean_delay, least));
}

// The sum over rounds of the size of the largest message: it sets the transfer time.
std::uint64_t total_load(const verify::Report& report) {
  return std::accumulate(report.link_load.begin(), report.link_load.end(), std::uint64_t{0});
}

std::string aggregation(const schedule::Plan& plan, const verify::Report& report) {
  if (plan.schedule.round_kind == schedule::RoundKind::strict || report.link_load.empty()) return "";
  const std::uint64_t largest = *std::max_element(report.link_load.begin(), report.link_load.end());
  return line("messages",
              fmt::format("largest message {}; summed over rounds, the busiest link carries {} packets",
                          counted(largest, "packet"), total_load(report)));
}

// The least total load of any schedule, if it is known and messages of the plan carry several packets.
std::optional<schedule::Bound> least_load(const schedule::Plan& plan) {
  if (plan.schedule.round_kind == schedule::RoundKind::strict) return std::nullopt;
  return bound::bandwidth_bound(plan);
}

std::string bandwidth(const schedule::Plan& plan, const verify::Report& report) {
  const auto least = least_load(plan);
  if (!least || least->value == 0) return "";
  const std::uint64_t load = total_load(report);
  const std::string found =
      load == least->value
          ? fmt::format(": the least possible ({} bound)", least->kind)
          : fmt::format(", {:.1f} % above the least known to be needed: {} ({} bound)",
                        100 * (static_cast<double>(load) / static_cast<double>(least->value) - 1),
                        least->value, least->kind);
  return line("bandwidth", fmt::format("busiest links carry {} packets in total{}", load, found));
}

// What is known to be needed, in words.
std::string against(std::uint64_t found, std::uint64_t least, const std::string& because) {
  const std::string reason = because.empty() ? "" : fmt::format(" ({})", because);
  if (found == least) return "the least possible" + reason;
  return fmt::format("at least {} are needed{}", least, reason);
}

std::uint64_t sum_of_loads(const verify::Report& report) {
  return std::accumulate(report.step_load.begin(), report.step_load.end(), std::uint64_t{0});
}

// The least number of steps and the least sum of their loads, for a plan with limits of steps.
std::optional<bound::StepBound> least_steps(const schedule::Plan& plan) {
  const auto problem = bound::listed_problem(plan);
  return problem ? bound::step_bound(*problem) : std::nullopt;
}

std::string waiting_and_steps(const schedule::Plan& plan, const verify::Report& report) {
  std::string text;
  if (!plan.schedule.waiting)
    text += line("waiting", "none: a packet, once sent, moves in every round until it arrives");
  if (report.step_load.empty()) return text;
  const std::uint64_t steps = report.step_load.size();
  const auto least = least_steps(plan);
  if (!least)
    return text + line("barriers", fmt::format("nothing is in flight after {} of the rounds", steps - 1));
  return text + line("steps", fmt::format("{}, {}", steps, against(steps, least->steps, least->because))) +
         line("loads", fmt::format("{} packets over the busiest links of all steps, {}", sum_of_loads(report),
                                   against(sum_of_loads(report), least->sum_of_loads, "")));
}

std::string verdict(const verify::Report& report) {
  if (!report.valid) return fmt::format("NOT VALID, {}", counted(report.violation_count, "violation"));
  if (!report.claims_hold) {
    return fmt::format("valid, but {} {} not hold", counted(report.violation_count, "claim"),
                       report.violation_count == 1 ? "does" : "do");
  }
  if (report.optimal) return "valid, optimal: no schedule takes fewer rounds";
  if (report.bound.kind == "none") return "valid; no lower bound is known, optimality unknown";
  return fmt::format("valid; {} above the lower bound of {}, optimality unknown",
                     counted(report.rounds - report.bound.value, "round"), report.bound.value);
}

// A plan that stores the hops of a few origins has as many times more transmissions as there are copies.
std::string hops_in_words(const schedule::Plan& plan, const verify::Report& report) {
  if (report.hops == report.transmissions) return fmt::format("{}", report.hops);
  if (report.transmissions == report.hops * plan.network.order()) {
    return fmt::format("{} ({} from each origin; the plan stores those of node 0 and shifts them)",
                       report.transmissions, report.hops);
  }
  return fmt::format("{} (the plan stores {} and shifts them to the other nodes)", report.transmissions,
                     report.hops);
}

}  // namespace

std::string counted(std::uint64_t number, std::string_view noun) {
  return fmt::format("{} {}{}", number, noun, number == 1 ? "" : "s");
}

Json facts_of(const schedule::Problem& problem) {
  return {{"network", problem.network.name()},
          {"collective", to_string(problem.task)},
          {"parts", problem.task.parts},
          {"ports", to_string(problem.ports)}};
}

Json facts_of(const planner::TimeBound& bound) {
  Json facts{{"seconds", bound.seconds},
             {"rounds", bound.rounds},
             {"rounds_because", bound.rounds_because},
             {"link_bytes", bound.bytes},
             {"link_bytes_because", bound.bytes_because}};
  if (bound.chain_s > 0) facts["chain_s"] = bound.chain_s;
  if (bound.filling_s > 0) facts["filling_s"] = bound.filling_s;
  if (bound.nodes_s > 0) facts["nodes_s"] = bound.nodes_s;
  if (bound.segmented_s > 0) facts["segmented_s"] = bound.segmented_s;
  return facts;
}

std::string heading(const schedule::Problem& problem) {
  return fmt::format("{} on {}{}, {}", to_string(problem.task), problem.network.name(),
                     network::losses(problem.network, problem.failed), to_string(problem.ports));
}

Json graph_facts(const reproduce::ArchitectureFacts& facts) {
  Json json{{"nodes", facts.nodes},
            {"links", facts.links},
            {"diameter", facts.diameter},
            {"average_distance", facts.mean_distance}};
  if (facts.connectivity) json["connectivity"] = *facts.connectivity;
  if (facts.bisection)
    json["bisection"] = {{"at_least", facts.bisection->at_least}, {"at_most", facts.bisection->at_most}};
  if (facts.paths) {
    json["shortest_paths"] = {{"fewest", facts.paths->fewest}, {"most", facts.paths->most}};
    if (std::isfinite(facts.paths->mean_number)) json["shortest_paths"]["mean"] = facts.paths->mean_number;
  }
  return json;
}

Json facts_of(const Subject& subject) {
  const schedule::Plan& plan = subject.plan;
  Json facts{{"network", plan.network.name()}, {"collective", to_string(plan.task)}};
  if (is_rooted(plan.task.collective)) facts["root"] = plan.task.root;
  if (!plan.failed.empty()) {
    Json links = Json::array();
    for (const auto [node, port] : plan.failed.links) links.push_back({node, port});
    if (plan.failed.any_failed())
      facts["failed"] = {{"nodes", plan.failed.nodes}, {"links", std::move(links)}};
  }
  if (!plan.failed.open_axes.empty()) facts["open_axes"] = plan.failed.open_axes;
  if (!plan.failed.edges.empty()) facts["edges"] = plan.failed.edges.size();
  facts["parts"] = plan.task.parts;
  facts["ports"] = to_string(plan.schedule.ports);
  if (plan.schedule.round_kind == schedule::RoundKind::aggregated) facts["aggregated"] = true;
  if (!subject.algorithm.empty()) facts["algorithm"] = subject.algorithm;
  return facts;
}

Json findings(const Subject& subject, const verify::Report& report) {
  Json facts = facts_of(subject);
  facts["valid"] = report.valid;
  facts["claims_hold"] = report.claims_hold;
  facts["rounds"] = report.rounds;
  facts["hops"] = report.hops;
  facts["transmissions"] = report.transmissions;
  facts["bound"] = {
      {"kind", report.bound.kind}, {"value", report.bound.value}, {"because", report.bound.because}};
  facts["optimal"] = report.optimal;
  if (!subject.plan.schedule.waiting) facts["waiting"] = false;
  if (!report.step_load.empty()) {
    facts["steps"] = {{"count", report.step_load.size()},
                      {"sends", std::ranges::max(report.step_sends)},
                      {"load", std::ranges::max(report.step_load)},
                      {"sum_of_loads", sum_of_loads(report)}};
    if (const auto least = least_steps(subject.plan)) {
      facts["steps"]["bound"] = least->steps;
      facts["steps"]["because"] = least->because;
      facts["steps"]["sum_of_loads_bound"] = least->sum_of_loads;
    }
  }
  if (const auto least = least_load(subject.plan)) {
    facts["bandwidth"] = {{"load", total_load(report)},
                          {"kind", least->kind},
                          {"bound", least->value},
                          {"because", least->because}};
  }
  if (report.violation_count > 0) facts["violation_count"] = report.violation_count;
  for (const verify::Violation& violation : report.violations) {
    Json entry{
        {"rule", to_string(violation.rule)}, {"message", violation.message}, {"stage", violation.stage}};
    if (violation.round) entry["round"] = *violation.round;
    if (violation.node) entry["node"] = *violation.node;
    if (violation.port) entry["port"] = *violation.port;
    if (violation.packet) entry["packet"] = *violation.packet;
    facts["violations"].push_back(std::move(entry));
  }
  return facts;
}

std::string line(const std::string& label, const std::string& text) {
  return fmt::format("  {:<13} {}\n", label, text);
}

std::string headline(const Subject& subject) {
  const schedule::Plan& plan = subject.plan;
  std::string text = fmt::format("{} on {}", to_string(plan.task), plan.network.name());
  text += network::losses(plan.network, plan.failed);
  if (is_rooted(plan.task.collective)) text += fmt::format(" from node {}", plan.task.root);
  if (plan.task.parts > 1) text += fmt::format(", blocks in {} parts", plan.task.parts);
  text += fmt::format(", {}", to_string(plan.schedule.ports));
  if (plan.schedule.round_kind == schedule::RoundKind::aggregated) text += ", aggregated messages";
  if (!subject.algorithm.empty()) text += fmt::format(", by {}", subject.algorithm);
  return text + "\n";
}

std::string findings_in_words(const Subject& subject, const verify::Report& report) {
  const LinkUtilisation use = link_utilisation(subject.plan, report);
  std::string text =
      headline(subject) + line("rounds", fmt::format("{}", report.rounds)) +
      line("hops", hops_in_words(subject.plan, report)) +
      line("utilisation", fmt::format("{:.1f} % on average, {:.1f} % in the least busy round", 100 * use.mean,
                                      100 * use.least)) +
      aggregation(subject.plan, report) + bandwidth(subject.plan, report) + mean_delay(subject.plan, report) +
      waiting_and_steps(subject.plan, report) +
      line("bound", fmt::format("{} ({}): {}", report.bound.value, report.bound.kind, report.bound.because)) +
      line("verdict", verdict(report));
  for (const verify::Violation& violation : report.violations) {
    text += line("violation", fmt::format("{}: {}", to_string(violation.rule), violation.message));
  }
  if (report.violation_count > report.violations.size()) {
    text += line("", fmt::format("... and {} more", report.violation_count - report.violations.size()));
  }
  return text;
}

std::string format_seconds(double seconds) {
  if (seconds < 1e-3) return fmt::format("{:.1f} us", seconds * 1e6);
  if (seconds < 1) return fmt::format("{:.1f} ms", seconds * 1e3);
  return fmt::format("{:.2f} s", seconds);
}

void print_findings(std::string_view command, const OutputOptions& options, const Subject& subject,
                    const verify::Report& report) {
  print(options.json ? answer(command, findings(subject, report)) : findings_in_words(subject, report));
}

}  // namespace isotrope::app
