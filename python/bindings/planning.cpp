// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// plan, verify and bound, by the functions that the program calls.
#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <pybind11/stl.h>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"
#include "isotrope/base/spelling.hpp"

#include "isotrope/bound/lower_bounds.hpp"

#include "isotrope/io/task_file.hpp"

#include "isotrope/planner/packet_size.hpp"
#include "isotrope/planner/plan.hpp"
#include "isotrope/planner/rate_slots.hpp"

#include "python/bindings/long_work.hpp"
#include "python/bindings/made_plan.hpp"
#include "python/bindings/module.hpp"
#include "python/bindings/wanted.hpp"

namespace isotrope::python {
namespace {

struct Wishes {
  std::optional<std::uint64_t> bytes;   // as MPI counts them; with unequal blocks, of a packet
  std::optional<std::uint64_t> packet;  // bytes
  planner::Preferences preferences;
  bool explain = false;
};

// The objective by the program's word, and whether packets may wait.
void apply_objective(const std::string& objective, planner::Preferences& preferences,
                     schedule::Problem& problem) {
  constexpr std::array<std::string_view, 3> names{"completion", "delay", "no-wait"};
  if (std::ranges::find(names, objective) == names.end())
    throw Error(fmt::format("objective {}: {}", in_quotes(objective), name_hint(objective, names)));
  if (objective == "delay") preferences.objective = planner::Objective::delay;
  problem.waiting = objective != "no-wait";
}

MadePlan made_by_rounds(const schedule::Problem& problem, const Wishes& wishes) {
  const planner::Algorithm& algorithm = planner::choose(problem, wishes.preferences);
  return {planner::make_plan(problem, algorithm, planner::parameters_of(wishes.preferences)),
          algorithm.name()};
}

MadePlan made_for_size(const Wanted& wanted, const schedule::Problem& problem, const Wishes& wishes) {
  const planner::Fixed fixed{.parts = wanted.parts || wishes.packet || !wanted.blocks.empty(),
                             .aggregation = wanted.merge || wishes.packet};
  const planner::Choice choice =
      planner::choose_with_rate_slots(problem, *wishes.bytes, machine_of(wanted, problem), wishes.preferences,
                                      fixed, wishes.explain ? planner::Detail::all : planner::Detail::winner);
  Forecast forecast{*wishes.bytes, choice.best().prediction.seconds, choice.bound.seconds};
  if (wishes.explain) forecast.in_words = explain(choice);
  return {planner::make_plan(choice.best()), choice.best().algorithm->name(), std::move(forecast)};
}

// Source, destination and bytes.
using Block = std::tuple<std::uint32_t, std::uint32_t, std::uint64_t>;

std::vector<schedule::SizedBlock> sized(const std::vector<Block>& blocks) {
  std::vector<schedule::SizedBlock> result;
  for (const auto& [from, to, bytes] : blocks) result.push_back({from, to, bytes});
  return result;
}

std::vector<Block> read_counts(const std::string& file, const Nodes& nodes) {
  std::vector<Block> result;
  for (const schedule::SizedBlock& block : io::read_exchange_sizes(file, nodes.named.network))
    result.emplace_back(block.from, block.to, block.bytes);
  return result;
}

void require_valid(const verify::Report& report, const std::string& algorithm) {
  if (report.valid) return;
  throw Error(fmt::format("the plan by {} is not valid: {}", algorithm, report.violations.front().message));
}

PlanPointer plan(const Nodes& nodes, const std::string& collective, std::optional<std::uint64_t> bytes,
                 const std::optional<GivenMachine>& machine, const std::string& ports, std::uint64_t root,
                 std::optional<std::uint64_t> parts, std::optional<std::uint64_t> merge,
                 const std::string& algorithm, const std::string& order, const std::string& objective,
                 std::optional<std::uint32_t> search_seed, std::optional<double> time_limit, bool associative,
                 bool explain, const std::optional<std::vector<Block>>& counts,
                 std::optional<std::uint64_t> packet,
                 const std::optional<std::pair<std::uint32_t, std::uint32_t>>& pack, py::object progress) {
  Wanted wanted{nodes, collective, machine, ports, root, parts, merge};
  if (counts) {
    wanted.blocks = sized(*counts);
    bytes = wanted.packet = planner::packet_of(wanted.blocks, packet, "packet");
  }
  schedule::Problem problem = problem_of(wanted);
  if (packet && !counts) planner::set_packet_size(problem, *bytes, *packet, "packet");
  if (pack) problem.step_limits = schedule::StepLimits{pack->first, pack->second};
  Wishes wishes{
      .bytes = bytes, .packet = packet, .preferences = {.algorithm = algorithm}, .explain = explain};
  if (!order.empty()) wishes.preferences.order = algorithm::parse_root_order(order);
  wishes.preferences.seed = search_seed.value_or(1);
  wishes.preferences.seconds = time_limit.value_or(0);
  wishes.preferences.associative = associative;
  apply_objective(objective, wishes.preferences, problem);
  return LongWork(std::move(progress)).run([&](const auto& callback) {
    auto made = std::make_shared<MadePlan>(bytes ? made_for_size(wanted, problem, wishes)
                                                 : made_by_rounds(problem, wishes));
    if (!machine || machine->ranks_per_node() == 1) made->coordinates = nodes.coordinates;
    require_valid(planner::certify(made->plan, {.progress = callback}), made->algorithm);
    return made;
  });
}

verify::Report check(const MadePlan& made, py::object progress) {
  return LongWork(std::move(progress)).run([&](const auto& callback) {
    return verify::verify(made.plan, {.progress = callback});
  });
}

std::vector<schedule::Bound> bounds(const Nodes& nodes, const std::string& collective,
                                    const std::optional<GivenMachine>& machine, const std::string& ports,
                                    std::uint64_t root, std::optional<std::uint64_t> parts,
                                    std::optional<std::uint64_t> merge) {
  const schedule::Problem problem = problem_of({nodes, collective, machine, ports, root, parts, merge});
  return LongWork(py::none()).run([&](const auto&) {
    planner::require_solvable(problem);
    return bound::lower_bounds(problem);
  });
}

}  // namespace

void add_planning(py::module_& module) {
  module.attr("UNBOUNDED") = schedule::unbounded;
  module.def("plan", &plan, py::arg("network"), py::arg("collective"), py::kw_only(), py::arg("bytes"),
             py::arg("machine"), py::arg("ports"), py::arg("root"), py::arg("parts"), py::arg("merge"),
             py::arg("algorithm"), py::arg("order"), py::arg("objective"), py::arg("search_seed"),
             py::arg("time_limit"), py::arg("associative"), py::arg("explain"), py::arg("counts"),
             py::arg("packet"), py::arg("pack"), py::arg("progress"));
  module.def("read_counts", &read_counts, py::arg("file"), py::arg("network"));
  module.def("verify", &check, py::arg("plan"), py::kw_only(), py::arg("progress") = py::none());
  module.def("bound", &bounds, py::arg("network"), py::arg("collective"), py::kw_only(), py::arg("machine"),
             py::arg("ports"), py::arg("root"), py::arg("parts"), py::arg("merge"));
}

}  // namespace isotrope::python
