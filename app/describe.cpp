// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/describe.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "isotrope/network/surviving_network.hpp"

#include "isotrope/schedule/bandwidth_bound.hpp"
#include "isotrope/schedule/delay_bound.hpp"

namespace isotrope::app {
namespace {

// The share of all directed links that carry in use, over all rounds.
struct LinkUse {
  double mean = 0;
  double least = 0;
};

LinkUse link_use(const schedule::Plan& plan, const verify::Report& report) {
  const std::uint64_t carrying = plan.failed.empty()
                                     ? plan.network.directed_links()
                                     : 2 * network::SurvivingNetwork(plan.network, plan.failed).links();
  if (report.links_used.empty() || carrying == 0) return {};
  const auto links = static_cast<double>(carrying);
  const auto sum = std::accumulate(report.links_used.begin(), report.links_used.end(), std::uint64_t{0});
  const auto least = *std::min_element(report.links_used.begin(), report.links_used.end());
  return {static_cast<double>(sum) / links / static_cast<double>(report.links_used.size()),
          static_cast<double>(least) / links};
}

// The least mean delay of an exchange, where it is known.
std::optional<double> least_mean_delay(const schedule::Plan& plan) {
  const bool exchange = plan.task.collective == schedule::Collective::alltoall ||
                        plan.task.collective == schedule::Collective::neighborhood;
  const bool known = exchange && plan.failed.empty() && !plan.schedule.ports.half_duplex() &&
                     plan.schedule.round_kind == schedule::RoundKind::strict;
  if (!known) return std::nullopt;
  return delay_bound(plan.network, plan.task, plan.schedule.ports).mean;
}

std::string delay_bound_in_words(const schedule::Plan& plan) {
  const auto least = least_mean_delay(plan);
  return least ? fmt::format("; no schedule has less than {:.2f}", *least) : "";
}

// The sizes of the largest messages of all rounds, which add up to the transfer time.
std::uint64_t total_load(const verify::Report& report) {
  return std::accumulate(report.link_load.begin(), report.link_load.end(), std::uint64_t{0});
}

// What merged messages carry.
std::string merging(const schedule::Plan& plan, const verify::Report& report) {
  if (plan.schedule.round_kind == schedule::RoundKind::strict || report.link_load.empty()) return "";
  return line("messages", fmt::format("of at most {} packets; the largest of all rounds add up to {}",
                                      *std::max_element(report.link_load.begin(), report.link_load.end()),
                                      total_load(report)));
}

// The least that the loads of any schedule add up to, where it is known and the plan merges messages.
std::optional<schedule::Bound> least_load(const schedule::Plan& plan) {
  if (plan.schedule.round_kind == schedule::RoundKind::strict) return std::nullopt;
  return bandwidth_bound(plan);
}

std::string bandwidth(const schedule::Plan& plan, const verify::Report& report) {
  const auto least = least_load(plan);
  if (!least || least->value == 0) return "";
  const std::uint64_t load = total_load(report);
  if (load == least->value)
    return line("bandwidth", fmt::format("loads add up to {}, the {} bound", load, least->kind));
  const double above = 100 * (static_cast<double>(load) / static_cast<double>(least->value) - 1);
  return line("bandwidth", fmt::format("loads add up to {}, the {} bound is {}: {:.1f} % above", load,
                                       least->kind, least->value, above));
}

// "link 3-4", "links 3-4,7-8", and of many the first ones.
std::string counted(std::string_view what, const std::vector<std::string>& names) {
  constexpr std::size_t most = 12;
  if (names.size() > most)
    return fmt::format("{} {}s, {},...", names.size(), what,
                       fmt::join(names.begin(), names.begin() + most, ","));
  return fmt::format("{}{} {}", what, names.size() == 1 ? "" : "s", fmt::join(names, ","));
}

std::string verdict(const verify::Report& report) {
  if (!report.valid) return fmt::format("NOT VALID, {} violations", report.violation_count);
  if (!report.claims_hold) return fmt::format("valid, but {} claims do not hold", report.violation_count);
  if (report.optimal) return "valid, optimal: no schedule takes fewer rounds";
  if (report.bound.kind == "none") return "valid; no lower bound is known";
  return fmt::format("valid, within {} of the bound", report.rounds - report.bound.value);
}

}  // namespace

Json facts_of(const Subject& subject) {
  const schedule::Plan& plan = subject.plan;
  Json facts{{"network", plan.network.name()}, {"collective", to_string(plan.task)}};
  if (is_rooted(plan.task.collective)) facts["root"] = plan.task.root;
  if (!plan.failed.empty()) {
    Json links = Json::array();
    for (const auto [node, port] : plan.failed.links) links.push_back({node, port});
    facts["failed"] = {{"nodes", plan.failed.nodes}, {"links", std::move(links)}};
  }
  facts["parts"] = plan.task.parts;
  facts["ports"] = to_string(plan.schedule.ports);
  if (plan.schedule.round_kind == schedule::RoundKind::combining) facts["merged"] = true;
  if (!subject.algorithm.empty()) facts["algorithm"] = subject.algorithm;
  return facts;
}

void add_findings(Json& facts, const schedule::Plan& plan, const verify::Report& report) {
  facts["valid"] = report.valid;
  facts["claims_hold"] = report.claims_hold;
  facts["rounds"] = report.rounds;
  facts["hops"] = report.hops;
  facts["transmissions"] = report.transmissions;
  facts["bound"] = {
      {"kind", report.bound.kind}, {"value", report.bound.value}, {"because", report.bound.because}};
  facts["optimal"] = report.optimal;
  if (const auto least = least_load(plan)) {
    facts["bandwidth"] = {{"load", total_load(report)},
                          {"kind", least->kind},
                          {"bound", least->value},
                          {"because", least->because}};
  }
  if (report.violation_count == 0) return;
  facts["violation_count"] = report.violation_count;
  for (const verify::Violation& violation : report.violations) {
    Json entry{
        {"rule", to_string(violation.rule)}, {"message", violation.message}, {"stage", violation.stage}};
    if (violation.round) entry["round"] = *violation.round;
    if (violation.node) entry["node"] = *violation.node;
    if (violation.port) entry["port"] = *violation.port;
    if (violation.packet) entry["packet"] = *violation.packet;
    facts["violations"].push_back(std::move(entry));
  }
}

std::string losses(const network::Network& network, const network::Failures& failed) {
  std::vector<std::string> nodes, links;
  for (const network::Node node : failed.nodes) nodes.push_back(fmt::format("{}", node));
  for (const auto [node, port] : failed.links)
    links.push_back(fmt::format("{}-{}", node, network.neighbour(node, port)));
  std::string text;
  if (!nodes.empty()) text += fmt::format(" without {}", counted("node", nodes));
  if (!links.empty())
    text += fmt::format(" {} {}", nodes.empty() ? "without" : "and", counted("link", links));
  return text;
}

std::string line(const std::string& label, const std::string& text) {
  return fmt::format("  {:<13} {}\n", label, text);
}

std::string headline(const Subject& subject) {
  const schedule::Plan& plan = subject.plan;
  std::string text = fmt::format("{} on {}", to_string(plan.task), plan.network.name());
  text += losses(plan.network, plan.failed);
  if (is_rooted(plan.task.collective)) text += fmt::format(" from node {}", plan.task.root);
  if (plan.task.parts > 1) text += fmt::format(", blocks in {} parts", plan.task.parts);
  text += fmt::format(", {}", to_string(plan.schedule.ports));
  if (plan.schedule.round_kind == schedule::RoundKind::combining) text += ", merged messages";
  if (!subject.algorithm.empty()) text += fmt::format(", by {}", subject.algorithm);
  return text + "\n";
}

std::string findings_in_words(const Subject& subject, const verify::Report& report) {
  const LinkUse use = link_use(subject.plan, report);
  std::string text =
      line("rounds", fmt::format("{}", report.rounds)) +
      line("hops", report.hops == report.transmissions ? fmt::format("{}", report.hops)
                                                       : fmt::format("{} listed, {} with all translates",
                                                                     report.hops, report.transmissions)) +
      line("link use", fmt::format("{:.1f} % in the mean, {:.1f} % in the idlest round", 100 * use.mean,
                                   100 * use.least)) +
      merging(subject.plan, report) + bandwidth(subject.plan, report) +
      line("mean delay",
           fmt::format("{:.2f} rounds{}", report.mean_delay, delay_bound_in_words(subject.plan))) +
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

std::string dump(const Json& facts) {
  return facts.dump() + "\n";
}

}  // namespace isotrope::app
