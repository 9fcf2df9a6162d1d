// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/verify/verify.hpp"

#include <array>
#include <string_view>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"

#include "isotrope/schedule/node_classes.hpp"
#include "isotrope/schedule/packets.hpp"

#include "isotrope/verify/checks.hpp"

namespace isotrope::verify {

Report verify(const Plan& plan, const Options& options) {
  Report report;
  report.rounds = plan.schedule.round_count();
  report.hops = plan.schedule.hop_count();
  Violations violations(options.most_violations);
  check_structure(plan, violations);
  const bool sound = violations.count() == 0;
  if (sound) {
    for (std::size_t stage = 0; stage < plan.schedule.stages.size(); ++stage)
      check_stage(plan, stage, options, violations, report);
    check_motion(plan, violations, report);
  }
  report.valid = violations.count() == 0;
  check_claims(plan, sound, report, violations);
  report.claims_hold = violations.count() == 0;
  report.violation_count = violations.count();
  report.violations = violations.take();
  return report;
}

std::string to_string(Rule rule) {
  constexpr std::array<std::string_view, 12> names{"structure", "range",   "failed",   "holding",
                                                   "link",      "ports",   "delivery", "contribution",
                                                   "waiting",   "barrier", "step",     "claim"};
  return std::string(names[static_cast<std::size_t>(rule)]);
}

namespace {

using schedule::NodeClasses;
using schedule::Stage;

// The translations of a stage: the class of 0.
std::vector<Node> translations(const NodeClasses& classes, Node order) {
  std::vector<Node> result;
  for (Node g = 0; g < order; ++g) {
    if (classes.of(g) == classes.of(0)) result.push_back(g);
  }
  return result;
}

// Adds every translate of the hops of `stage`. With `numbered`, the translates of a packet are packets of their
// own; the sums of an exchange are the same at every node.
void add_hops(const Stage& stage, const network::Group& group, const std::vector<Node>& shifts, bool numbered,
              schedule::Rounds& rounds) {
  for (std::uint64_t t = 0; t < stage.rounds.size(); ++t) {
    for (const schedule::Hop& hop : stage.rounds.round(t)) {
      for (PacketId i = 0; i < shifts.size(); ++i) {
        const auto packet = numbered ? static_cast<PacketId>(hop.packet * shifts.size() + i) : hop.packet;
        rounds.add({packet, group.add(hop.from, shifts[i]), hop.port});
      }
    }
    rounds.close_round();
  }
}

// The lists of a result by part and node.
std::vector<std::vector<schedule::ValueId>> expanded_result(const Plan& plan, const Stage& stage,
                                                            const NodeClasses& classes) {
  const std::uint32_t parts = plan.task.parts;
  if (stage.result.size() == parts) return stage.result;
  std::vector<std::vector<schedule::ValueId>> result;
  for (std::uint64_t part = 0; part < parts; ++part) {
    for (Node node = 0; node < hop_network(plan).order(); ++node)
      result.push_back(stage.result[part * classes.count() + classes.of(node)]);
  }
  return result;
}

Stage expand(const Plan& plan, const Stage& stage) {
  if (stage.replication.kind == schedule::Replication::Kind::none) return stage;
  const schedule::Network& network = hop_network(plan);
  const auto& group = network.group();
  const NodeClasses classes(group, stage.replication);
  const std::vector<Node> shifts = translations(classes, network.order());
  const bool exchanges = stage.flow == schedule::Flow::exchange;
  Stage result{stage.flow, schedule::Replication::none(), {}, {}, stage.sums, {}};
  if (exchanges) result.result = expanded_result(plan, stage, classes);
  const schedule::Packets packets(network, plan.task, stage);
  for (PacketId p = 0; !exchanges && p < packets.size(); ++p) {
    const schedule::Packet packet = packets[p];
    for (Node g : shifts) {
      const Node to = packet.to == schedule::to_all ? packet.to : group.add(packet.to, g);
      result.packets.push_back({group.add(packet.origin, g), to, packet.block, packet.part});
    }
  }
  add_hops(stage, group, shifts, !exchanges, result.rounds);
  return result;
}

}  // namespace

Plan expand(const Plan& plan) {
  constexpr std::uint64_t most_hops = std::uint64_t{1} << 28;
  if (plan.schedule.hop_count() > most_hops / hop_network(plan).order())
    throw Error(fmt::format("{} hops on {} nodes are too many to write out: at most {} in all",
                            plan.schedule.hop_count(), hop_network(plan).order(), most_hops));
  Plan result = plan;
  for (Stage& stage : result.schedule.stages) stage = expand(plan, stage);
  result.claims.hops = result.schedule.hop_count();
  result.bound.because.clear();  // a reason may count the packets of one origin
  return result;
}

}  // namespace isotrope::verify
