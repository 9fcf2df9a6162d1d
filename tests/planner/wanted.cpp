// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/planner/wanted.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"

#include "isotrope/network/parse.hpp"

namespace isotrope::planner {

Problem problem_on(std::string_view network_name, std::string_view collective, std::string_view ports) {
  const Network network = network::parse(network_name);
  return {.network = network,
          .task = schedule::parse_task(collective, network),
          .ports = schedule::parse_port_model(ports, network.degree())};
}

Wanted wanted_on(std::string_view network, std::string_view collective, std::string_view ports,
                 std::string algorithm) {
  return {problem_on(network, collective, ports), {.algorithm = std::move(algorithm)}};
}

cost::Machine simgrid_machine(double overhead_s) {
  return {.startup_s = 1e-6,
          .byte_time_s = 1e-9,
          .ports = schedule::PortModel::all(),
          .overhead_s = overhead_s,
          .receive_overhead_s = overhead_s,
          .cut_through = true,
          .hop_time_s = 1e-6};
}

std::string refusal_of(const Wanted& wanted) {
  try {
    make_plan(wanted);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

std::string collective_name(const Algorithm& algorithm) {
  const Collective collective = algorithm.traits().collective;
  if (collective == Collective::neighborhood) return "neighborhood:1:1";
  return to_string(schedule::Task{.collective = collective});
}

const Algorithm& algorithm_named(std::string_view name, schedule::Collective collective) {
  return **std::ranges::find_if(catalog(), [&](const Algorithm* algorithm) {
    return algorithm->name() == name && algorithm->traits().collective == collective;
  });
}

const Algorithm& algorithm_named(std::string_view name) {
  return **std::ranges::find_if(catalog(),
                                [&](const Algorithm* algorithm) { return algorithm->name() == name; });
}

std::string fault_of(const verify::Report& report) {
  if (report.valid && report.claims_hold) return "";
  return report.violations.empty() ? "claims do not hold"
                                   : fmt::format("{}", report.violations.front().message);
}

}  // namespace isotrope::planner
