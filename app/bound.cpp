// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// isotrope bound: what no schedule can beat, with the reasons.
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "isotrope/base/error.hpp"

#include "isotrope/schedule/plan_bound.hpp"

#include "isotrope/io/plan_file.hpp"

#include "app/commands.hpp"
#include "app/describe.hpp"

namespace isotrope::app {
namespace {

// A task, from a plan file or from the options, and what is known of it.
struct Answer {
  schedule::Network network;
  schedule::Task task;
  schedule::PortModel ports;
  std::vector<schedule::Bound> bounds;
  network::Failures failed;
};

Answer answer(const Options& options) {
  if (names_a_plan_file(options)) {
    const schedule::Plan plan = io::read_plan(options.subject);
    return {plan.network, plan.task, plan.schedule.ports, lower_bounds(plan), plan.failed};
  }
  planner::Request request = chosen_request(options);
  const auto kind = request.merge == 1 ? schedule::RoundKind::strict : schedule::RoundKind::combining;
  std::vector<schedule::Bound> bounds = planner::request_bounds(request, kind);
  return {std::move(request.network), request.task, request.ports, std::move(bounds),
          std::move(request.failed)};
}

}  // namespace

int bound_command(const Options& options) {
  const Answer asked = answer(options);
  const std::vector<schedule::Bound>& bounds = asked.bounds;
  const std::uint64_t transmissions =  // 0: not known
      !asked.failed.empty() ? 0 : least_transmissions(asked.network, asked.task);
  if (options.json) {
    Json facts{{"network", asked.network.name()},
               {"collective", to_string(asked.task)},
               {"parts", asked.task.parts},
               {"ports", to_string(asked.ports)}};
    if (transmissions > 0) facts["transmissions"] = transmissions;
    for (const schedule::Bound& bound : bounds) {
      Json entry{{"kind", bound.kind}, {"value", bound.value}, {"because", bound.because}};
      if (!facts.contains("bound")) facts["bound"] = entry;
      facts["bounds"].push_back(std::move(entry));
    }
    print_or_write(options, dump(facts));
    return 0;
  }
  std::string text = fmt::format("{} on {}{}, {}: ", to_string(asked.task), asked.network.name(),
                                 losses(asked.network, asked.failed), to_string(asked.ports));
  if (bounds.empty()) {
    text += "no lower bound is known\n";
  } else {
    text += fmt::format("at least {} rounds{}\n", bounds.front().value,
                        transmissions > 0 ? fmt::format(" and {} transmissions", transmissions) : "");
  }
  for (const schedule::Bound& bound : bounds) {
    text += line(bound.kind, fmt::format("{:>8}  {}", bound.value, bound.because));
  }
  print_or_write(options, text);
  return 0;
}

}  // namespace isotrope::app
