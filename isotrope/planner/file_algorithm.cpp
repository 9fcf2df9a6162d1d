// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/planner/file_algorithm.hpp"

#include <utility>

#include <fmt/format.h>

#include "isotrope/schedule/addition_order.hpp"
#include "isotrope/schedule/transform.hpp"

#include "isotrope/rank/vector_slices.hpp"

namespace isotrope::planner {

using schedule::Plan;
using schedule::PortModel;
using schedule::Task;

namespace {

bool is_strict(const Plan& plan) {
  return plan.schedule.round_kind == schedule::RoundKind::strict;
}

bool is_translated(const Plan& plan) {
  return schedule::is_rooted(plan.task.collective) && plan.failed.empty();
}

// Whether a schedule for `used` is one for `allowed` too.
bool fits(PortModel used, PortModel allowed, network::Port degree) {
  if (allowed.half_duplex()) return used.half_duplex();
  return used.sends(degree) <= allowed.sends(degree);
}

Traits traits_of(std::string name, std::string source, const Plan& plan) {
  Traits traits{.name = std::move(name),
                .collective = plan.task.collective,
                .networks = plan.network.name(),
                .ports = to_string(plan.schedule.ports),
                .source = std::move(source),
                .claim = fmt::format("{} rounds for P = {}", plan.schedule.round_count(), plan.task.parts)};
  traits.strict = is_strict(plan);
  traits.aggregates = !traits.strict;
  traits.around_failures = !plan.failed.empty();
  traits.whole_vector =
      plan.task.collective == Collective::allreduce && rank::VectorSlices(plan).count() == 1;
  traits.gathers_only = true;
  traits.from_file = true;
  return traits;
}

class FileAlgorithm final : public Algorithm {
 public:
  FileAlgorithm(Traits traits, Plan plan, SizeRange sizes)
      : Algorithm(std::move(traits)), plan_(std::move(plan)), sizes_(sizes) {}

  std::optional<std::string> unsupported_reason(const Problem& problem) const override {
    const network::Network& network = plan_.network;
    if (!same_network(problem.network, network))
      return fmt::format("its plan is for {}, not for {}", network.name(), problem.network.name());
    if (!(problem.failed == plan_.failed)) return "other nodes or links have failed than in its plan";
    if (!fits(plan_.schedule.ports, problem.ports, network.degree()))
      return fmt::format("its plan needs ports {}", to_string(plan_.schedule.ports));
    if (problem.aggregated() && problem.aggregation < plan_.aggregation)
      return "its plan has messages of more packets";
    if (!(as_planned(problem.task) == plan_.task))
      return fmt::format("its plan is of {}, not of {}", to_string(plan_.task), to_string(problem.task));
    return std::nullopt;
  }

  bool serves(std::uint64_t bytes) const override { return sizes_.least <= bytes && bytes <= sizes_.most; }

  std::uint32_t fixed_parts(const Problem& /*problem*/, const Parameters& /*parameters*/) const override {
    return plan_.task.parts;
  }
  std::uint64_t rounds(const Problem& /*problem*/, const Parameters& /*parameters*/) const override {
    return plan_.schedule.round_count();
  }
  bool adds_alike(const Problem& /*problem*/, const Parameters& /*parameters*/) const override {
    const schedule::Stage& first = plan_.schedule.stages.front();
    return first.flow != schedule::Flow::exchange ||
           schedule::adds_alike(hop_network(plan_), plan_.task.parts, first);
  }
  schedule::Schedule schedule(const Problem& problem, const Parameters& /*parameters*/) const override {
    schedule::Schedule result =
        is_translated(plan_) && problem.task.root != plan_.task.root
            ? translate(plan_.network, plan_.task, plan_.schedule, problem.task.root).schedule
            : plan_.schedule;
    result.ports = problem.ports;
    return result;
  }

 private:
  // The task but for what the algorithm chooses itself.
  Task as_planned(Task task) const {
    task.parts = plan_.task.parts;
    task.vector_blocks = plan_.task.vector_blocks;
    if (is_translated(plan_)) task.root = plan_.task.root;
    return task;
  }

  Plan plan_;
  SizeRange sizes_;
};

}  // namespace

std::optional<std::string> unsuitable_plan(const Plan& plan) {
  if (plan.overlay) return "its messages go to nodes that are no neighbours";
  if (plan.window > 1) return "it is executed with several messages under way on a link (\"window\")";
  if (plan.schedule.stages.empty()) return "it has no stage";
  if (plan.task.collective != Collective::allreduce) return std::nullopt;
  const std::uint32_t slices = rank::VectorSlices(plan).count();
  const std::size_t nodes = plan.network.order() - plan.failed.nodes.size();
  if (slices == 1 || slices == nodes) return std::nullopt;
  return fmt::format("it cuts the vector into {} blocks: one per node, {}, or a single one is possible",
                     slices, nodes);
}

std::unique_ptr<const Algorithm> file_algorithm(std::string name, std::string source, Plan plan,
                                                SizeRange sizes) {
  Traits traits = traits_of(std::move(name), std::move(source), plan);
  return std::make_unique<FileAlgorithm>(std::move(traits), std::move(plan), sizes);
}

}  // namespace isotrope::planner
