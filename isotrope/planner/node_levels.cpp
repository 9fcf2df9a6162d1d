// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/planner/node_levels.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "isotrope/base/error.hpp"

#include "isotrope/network/complete.hpp"

#include "isotrope/cost/node_places.hpp"

#include "isotrope/algorithm/lanes.hpp"

#include "isotrope/planner/rate_slots.hpp"
#include "isotrope/planner/time_bound.hpp"

namespace isotrope::planner {
namespace {

enum class Level { memory, lanes, links };

// A stage before its time is known. Bytes are those of the stage's collective: a vector or a block.
struct PlannedStage {
  Collective collective;
  Level level;
  double bytes;
};

using Stages = std::vector<PlannedStage>;

// What the ways need to know of a job: its nodes and ranks a node, and the bytes of a vector or a block.
struct Sizes {
  double nodes, ranks, bytes;
};

Stages striping(Collective collective, const Sizes& size) {
  const auto& [nodes, ranks, bytes] = size;
  switch (collective) {
    case Collective::broadcast:
      return {{Collective::scatter, Level::memory, bytes / ranks},
              {Collective::broadcast, Level::lanes, bytes / ranks},
              {Collective::allgather, Level::memory, bytes / ranks}};
    case Collective::reduce:
      return {{Collective::reduce_scatter, Level::memory, bytes / ranks},
              {Collective::reduce, Level::lanes, bytes / ranks},
              {Collective::gather, Level::memory, bytes / ranks}};
    case Collective::allreduce:
      return {{Collective::reduce_scatter, Level::memory, bytes / ranks},
              {Collective::allreduce, Level::lanes, bytes / ranks},
              {Collective::allgather, Level::memory, bytes / ranks}};
    case Collective::allgather:
      return {{Collective::allgather, Level::lanes, bytes},
              {Collective::allgather, Level::memory, nodes * bytes}};
    case Collective::reduce_scatter:
      return {{Collective::reduce_scatter, Level::memory, nodes * bytes},
              {Collective::reduce_scatter, Level::lanes, bytes}};
    case Collective::scatter:
      return {{Collective::scatter, Level::memory, nodes * bytes},
              {Collective::scatter, Level::lanes, bytes}};
    case Collective::gather:
      return {{Collective::gather, Level::lanes, bytes}, {Collective::gather, Level::memory, nodes * bytes}};
    case Collective::alltoall:
      return {{Collective::alltoall, Level::memory, nodes * bytes},
              {Collective::alltoall, Level::lanes, ranks * bytes}};
    default:
      return {};
  }
}

Stages leaders(Collective collective, const Sizes& size) {
  const auto& [nodes, ranks, bytes] = size;
  switch (collective) {
    case Collective::broadcast:
      return {{Collective::broadcast, Level::links, bytes}, {Collective::broadcast, Level::memory, bytes}};
    case Collective::reduce:
      return {{Collective::reduce, Level::memory, bytes}, {Collective::reduce, Level::links, bytes}};
    case Collective::allreduce:
      return {{Collective::reduce, Level::memory, bytes},
              {Collective::allreduce, Level::links, bytes},
              {Collective::broadcast, Level::memory, bytes}};
    case Collective::allgather:
      return {{Collective::gather, Level::memory, bytes},
              {Collective::allgather, Level::links, ranks * bytes},
              {Collective::broadcast, Level::memory, nodes * ranks * bytes}};
    case Collective::reduce_scatter:
      return {{Collective::reduce, Level::memory, nodes * ranks * bytes},
              {Collective::reduce_scatter, Level::links, ranks * bytes},
              {Collective::scatter, Level::memory, bytes}};
    case Collective::scatter:
      return {{Collective::scatter, Level::links, ranks * bytes},
              {Collective::scatter, Level::memory, bytes}};
    case Collective::gather:
      return {{Collective::gather, Level::memory, bytes}, {Collective::gather, Level::links, ranks * bytes}};
    case Collective::alltoall:
      return {{Collective::gather, Level::memory, nodes * ranks * bytes},
              {Collective::alltoall, Level::links, ranks * ranks * bytes},
              {Collective::scatter, Level::memory, nodes * ranks * bytes}};
    case Collective::barrier:
      return {{Collective::barrier, Level::memory, 0},
              {Collective::barrier, Level::links, 0},
              {Collective::barrier, Level::memory, 0}};
    default:
      return {};
  }
}

// Every lane of a link has its share of the bandwidth.
cost::Machine in_lanes(cost::Machine links, std::uint32_t lanes) {
  links.byte_time_s *= lanes;
  for (cost::LinkClass& listed : std::span(links.listed_classes).first(links.link_class_count)) {
    if (listed.byte_time_s) *listed.byte_time_s *= lanes;
  }
  return links;
}

// A collective on one level with the machine there.
struct LevelProblem {
  Problem problem;
  cost::Machine machine;
};

// Ports are those of the machine, if the network has so many.
LevelProblem problem_on(const NodeLevels& levels, Level level, Collective collective) {
  const schedule::PortModel ports = levels.links.ports;
  if (level == Level::memory) {
    cost::Machine machine = levels.links;
    machine.startup_s = levels.memory.startup_s;
    machine.byte_time_s = levels.memory.byte_time_s;
    machine.link_class_count = 0;
    machine.listed_classes = {};
    machine.cut_through = false;
    machine.hop_time_s = 0;
    machine.ports = algorithm::ports_within(ports, levels.ranks_per_node - 1);
    return {{.network = network::complete(levels.ranks_per_node),
             .failed = {},
             .task = {.collective = collective},
             .ports = machine.ports},
            machine};
  }
  return {{.network = levels.nodes.network,
           .failed = levels.nodes.lacks,
           .task = {.collective = collective},
           .ports = ports},
          level == Level::lanes ? in_lanes(levels.links, levels.ranks_per_node) : levels.links};
}

std::uint64_t whole_bytes(double bytes) {
  return static_cast<std::uint64_t>(std::max(bytes, 1.0));
}

double seconds_of(const NodeLevels& levels, const PlannedStage& stage) {
  const auto [problem, machine] = problem_on(levels, stage.level, stage.collective);
  const std::uint64_t bytes = whole_bytes(stage.bytes);
  double seconds = choose_for(problem, bytes, machine).best().prediction.seconds;
  if (const auto slots = with_rate_slots(problem, machine))
    seconds = std::min(seconds, choose_for(*slots, bytes, machine).best().prediction.seconds);
  return seconds;
}

std::string in_words(const PlannedStage& stage) {
  constexpr std::array<const char*, 3> where{"in memory", "in lanes", "over links"};
  return fmt::format("{} {}", to_string(schedule::Task{.collective = stage.collective}),
                     where[static_cast<std::size_t>(stage.level)]);
}

// Without stages if one of them has no plan.
StagedWay timed(const NodeLevels& levels, std::string name, const Stages& stages) {
  StagedWay way{std::move(name), {}};
  try {
    for (const PlannedStage& stage : stages)
      way.stages.push_back({in_words(stage), seconds_of(levels, stage)});
  } catch (const Error&) {
    way.stages.clear();
  }
  return way;
}

bool has_vector(Collective collective) {
  return collective == Collective::broadcast || collective == Collective::reduce ||
         collective == Collective::allreduce;
}

// The bytes of the problem of one memory, if nodes share the work: a vector in parts, blocks between all ranks of two numbers.
double bytes_of_memory(Collective collective, const Sizes& size) {
  if (has_vector(collective)) return size.bytes / size.nodes;
  return collective == Collective::alltoall ? size.nodes * size.bytes : size.bytes;
}

std::string explain_line(const std::string& label, const std::string& text) {
  return fmt::format("  {:<13} {}\n", label, text);
}

std::string microseconds(double seconds) {
  return seconds < 1e-3 ? fmt::format("{:.4g} us", seconds * 1e6) : fmt::format("{:.4g} ms", seconds * 1e3);
}

std::string bound_line(const NodeLevels& levels, Level level, Collective collective, double bytes,
                       const std::string& which) {
  const auto [problem, machine] = problem_on(levels, level, collective);
  const TimeBound bound = TimeBounds(problem, machine).at(whole_bytes(bytes));
  if (!bound.knows_bytes)
    return explain_line("", which + ": no bound on the bytes of the busiest links is known");
  return explain_line("", fmt::format("{}: at least {:.0f} bytes over the busiest links, {}", which,
                                      bound.bytes, microseconds(bound.bytes * bound.byte_time_s)));
}

std::string way_line(const StagedWay& way, double flat) {
  if (way.stages.empty()) return explain_line(way.name, "no way of this collective");
  std::vector<std::string> stages;
  for (const Stage& stage : way.stages)
    stages.push_back(fmt::format("{} {}", stage.what, microseconds(stage.seconds)));
  return explain_line(way.name, fmt::format("{}, {:.2f} of flat: {}", microseconds(way.seconds()),
                                            way.seconds() / flat, fmt::join(stages, ", ")));
}

Sizes staged_sizes(const NodeLevels& levels, std::uint64_t bytes) {
  return {static_cast<double>(levels.nodes.network.order()), static_cast<double>(levels.ranks_per_node),
          static_cast<double>(bytes)};
}

}  // namespace

double StagedWay::seconds() const {
  return std::accumulate(stages.begin(), stages.end(), 0.0,
                         [](double sum, const Stage& stage) { return sum + stage.seconds; });
}

std::vector<StagedWay> staged_ways(const NodeLevels& levels, Collective collective, std::uint64_t bytes) {
  const Sizes size = staged_sizes(levels, bytes);
  return {timed(levels, "striping", striping(collective, size)),
          timed(levels, "leaders", leaders(collective, size))};
}

std::string explain_levels(const NodeLevels& levels, const Choice& choice) {
  const Collective collective = choice.problem.task.collective;
  const double flat = choice.best().prediction.seconds;
  std::string text = explain_line(
      "two levels",
      fmt::format("{} between nodes, {} ranks in each", levels.nodes.network.name(), levels.ranks_per_node));
  if (collective != Collective::barrier) {
    const Sizes size = staged_sizes(levels, choice.bytes);
    text +=
        bound_line(levels, Level::links, collective,
                   size.bytes * cost::bytes_of_node(collective, levels.ranks_per_node), "ports of a node") +
        bound_line(levels, Level::memory, collective, bytes_of_memory(collective, size),
                   "memory of a node, if links cost nothing");
  }
  text += explain_line("flat", fmt::format("{}: the plan above, one for both levels", microseconds(flat)));
  for (const StagedWay& way : staged_ways(levels, collective, choice.bytes)) text += way_line(way, flat);
  return text;
}

}  // namespace isotrope::planner
