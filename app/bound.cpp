// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// isotrope bound: what no schedule can beat, with the reasons.
#include "isotrope/schedule/bound.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "isotrope/base/error.hpp"

#include "isotrope/io/plan_file.hpp"

#include "app/commands.hpp"
#include "app/describe.hpp"

namespace isotrope::app {
namespace {

// A request and the kind of rounds, from a plan file or from the options.
struct Question {
  schedule::Network network;
  schedule::Task task;
  schedule::PortModel ports;
  schedule::RoundKind rounds = schedule::RoundKind::strict;
};

Question question(const Options& options) {
  if (names_a_plan_file(options)) {
    const schedule::Plan plan = io::read_plan(options.subject);
    if (!plan.failed.empty()) {
      throw Error(fmt::format("{}: its network is damaged, and bounds are known for whole networks only",
                              options.subject));
    }
    return {plan.network, plan.task, plan.schedule.ports, plan.schedule.round_kind};
  }
  planner::Request request = chosen_request(options);
  return {std::move(request.network), request.task, request.ports};
}

}  // namespace

int bound_command(const Options& options) {
  const Question asked = question(options);
  const auto bounds = lower_bounds(asked.network, asked.task, asked.ports, asked.rounds);
  const std::uint64_t transmissions = least_transmissions(asked.network, asked.task);
  if (options.json) {
    Json facts{{"network", asked.network.name()},
               {"collective", to_string(asked.task)},
               {"parts", asked.task.parts},
               {"ports", to_string(asked.ports)},
               {"transmissions", transmissions}};
    for (const schedule::Bound& bound : bounds) {
      Json entry{{"kind", bound.kind}, {"value", bound.value}, {"because", bound.because}};
      if (!facts.contains("bound")) facts["bound"] = entry;
      facts["bounds"].push_back(std::move(entry));
    }
    print_or_write(options, dump(facts));
    return 0;
  }
  std::string text =
      fmt::format("{} on {}, {}: ", to_string(asked.task), asked.network.name(), to_string(asked.ports));
  text += bounds.empty()
              ? "no lower bound is known\n"
              : fmt::format("at least {} rounds and {} transmissions\n", bounds.front().value, transmissions);
  for (const schedule::Bound& bound : bounds) {
    text += line(bound.kind, fmt::format("{:>8}  {}", bound.value, bound.because));
  }
  print_or_write(options, text);
  return 0;
}

}  // namespace isotrope::app
