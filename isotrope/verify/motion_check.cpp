// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Waiting, barriers and steps (checks.hpp): properties of the rounds in which packets move, whatever their routes.
//
//     waiting      all hops of a packet are in consecutive rounds
//     barriers     all hops of a packet are in one step, so it is at its origin before and at its destination after
//     limits       in a step every node sends at most so many packets of its own, and every directed link carries at most
//                  so many
//
// Counts are kept per class of nodes, as in the check of a stage. Cost: O(hops + packets + steps * links of the quotient).
#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "isotrope/schedule/node_classes.hpp"
#include "isotrope/schedule/packets.hpp"

#include "isotrope/verify/checks.hpp"

namespace isotrope::verify {
namespace {

using schedule::Hop;

class MotionCheck {
 public:
  MotionCheck(const Plan& plan, Violations& violations, Report& report)
      : schedule_(plan.schedule),
        stage_(schedule_.stages.front()),
        network_(hop_network(plan)),
        packets_(network_, plan.task, stage_),
        classes_(network_.group(), stage_.replication),
        violations_(violations),
        report_(report),
        last_round_(packets_.size(), never),
        step_of_(packets_.size(), never),
        sends_(classes_.count(), 0),
        loads_(std::uint64_t{classes_.count()} * network_.degree(), 0) {}

  void run() {
    for (std::uint64_t t = 0; t < stage_.rounds.size(); ++t) {
      if (step_ < schedule_.barriers.size() && schedule_.barriers[step_] == t) end_step();
      for (const Hop& hop : stage_.rounds.round(t)) {
        if (hop.packet < packets_.size() && hop.from < network_.order() && hop.port < network_.degree())
          follow(t, hop);
      }
    }
    if (in_steps()) end_step();
  }

 private:
  static constexpr std::uint64_t never = UINT64_MAX;

  bool in_steps() const { return !schedule_.barriers.empty() || schedule_.step_limits; }

  template <class Make>
  void fault(Rule rule, std::uint64_t round, const Hop& hop, Make text) {
    violations_.add([&] {
      return Violation{rule,
                       fmt::format("round {}, packet {}, node {}, port {}: {}", round, hop.packet, hop.from,
                                   hop.port, text()),
                       0,
                       round,
                       hop.from,
                       hop.port,
                       hop.packet};
    });
  }

  void follow(std::uint64_t t, const Hop& hop) {
    std::uint64_t& last = last_round_[hop.packet];
    if (!schedule_.waiting && last != never && t > last + 1)
      fault(Rule::waiting, t, hop, [&] { return fmt::format("the packet has waited since round {}", last); });
    last = t;
    if (in_steps()) count(t, hop);
  }

  void count(std::uint64_t t, const Hop& hop) {
    std::uint64_t& step = step_of_[hop.packet];
    if (step == never) {
      ++sends_[classes_.of(packets_[hop.packet].origin)];
    } else if (step != step_) {
      fault(Rule::barrier, t, hop, [&] {
        return fmt::format("the packet is on its way at the barrier after round {}",
                           schedule_.barriers[step] - 1);
      });
    }
    step = step_;
    ++loads_[std::uint64_t{classes_.of(hop.from)} * network_.degree() + hop.port];
  }

  void end_step() {
    const std::uint64_t sends = std::ranges::max(sends_),
                        load = loads_.empty() ? 0 : std::ranges::max(loads_);
    report_.step_sends.push_back(sends);
    report_.step_load.push_back(load);
    if (const auto& limits = schedule_.step_limits) {
      check_limit(sends, limits->sends, "a node sends {} packets of its own, and at most {} are allowed");
      check_limit(load, limits->load, "a link carries {} packets, and at most {} are allowed");
    }
    std::ranges::fill(sends_, 0);
    std::ranges::fill(loads_, 0);
    ++step_;
  }

  void check_limit(std::uint64_t count, std::uint64_t most, std::string_view text) {
    if (count <= most) return;
    violations_.add([&] {
      return Violation{
          .rule = Rule::step,
          .message = fmt::format("step {}: {}", step_, fmt::format(fmt::runtime(text), count, most))};
    });
  }

  const schedule::Schedule& schedule_;
  const schedule::Stage& stage_;
  const schedule::Network& network_;
  schedule::Packets packets_;
  schedule::NodeClasses classes_;
  Violations& violations_;
  Report& report_;
  std::vector<std::uint64_t> last_round_;  // in which a packet moved
  std::vector<std::uint64_t> step_of_;     // in which a packet moves
  std::uint64_t step_ = 0;
  std::vector<std::uint64_t> sends_;  // in this step, by class
  std::vector<std::uint64_t> loads_;  // in this step, by class and port
};

}  // namespace

void check_motion(const Plan& plan, Violations& violations, Report& report) {
  const schedule::Schedule& schedule = plan.schedule;
  if (schedule.waiting && schedule.barriers.empty() && !schedule.step_limits) return;
  MotionCheck(plan, violations, report).run();
}

}  // namespace isotrope::verify
