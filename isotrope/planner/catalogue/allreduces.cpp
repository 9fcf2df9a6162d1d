// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Allreduces of short and middle vectors, between reduction with broadcast and flooding.
//
//     middle-out-allreduce        tori and hypercubes, from the middles of clusters (algorithm/allreduce/middle_out.hpp)
//     shared-subtree-allreduce    every Cayley graph, towards all nodes at once (algorithm/allreduce/shared_subtrees.hpp)
//     hub-allreduce               every Cayley graph, over hubs (algorithm/allreduce/hubs.hpp)
//
// An allreduce of 1 KiB on torus:8x8, tau 1 us, t_c 1 ns, in 10 rounds of 3.5 uses instead of 16 of 2: 10.9 us.
#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "isotrope/network/torus_axes.hpp"

#include "isotrope/algorithm/allreduce/hubs.hpp"
#include "isotrope/algorithm/allreduce/middle_out.hpp"
#include "isotrope/algorithm/allreduce/shared_subtrees.hpp"

#include "isotrope/planner/catalogue/shared.hpp"

namespace isotrope::planner {
namespace {

using algorithm::MiddleOut;
using schedule::Node;
using schedule::Schedule;

// The most hops of a schedule.
constexpr std::uint64_t most_hops = std::uint64_t{1} << 21;

// Without a cut: in as few rounds as possible.
MiddleOut middle_out(const Problem& problem, const Parameters& parameters) {
  if (!parameters.cut.order.empty()) return {problem.network, parameters.cut};
  return {problem.network, algorithm::middle_out_cuts(problem.network, most_hops).front()};
}

// All algorithms here send what goes the same way in one message.
Reason unsuitable_for_slices(const Problem& problem) {
  if (auto reason = limited_ports(problem)) return reason;
  if (auto reason = partly_aggregated(problem)) return reason;
  if (problem.task.parts > 1) return "it cuts the vector itself: leave the parts at 1";
  return std::nullopt;
}

class MiddleOutAllreduce final : public Algorithm {
 public:
  using Algorithm::Algorithm;

  Reason unsupported_reason(const Problem& problem) const override {
    if (auto reason = unsuitable_for_slices(problem)) return reason;
    if (!network::torus_axes(problem.network) || problem.network.order() < 2)
      return "it needs a torus or a hypercube of 2 nodes or more";
    const auto cuts = algorithm::middle_out_cuts(problem.network, most_hops);
    if (cuts.empty()) return fmt::format("it lists the hops of every node, of {} at most", most_hops);
    return std::nullopt;
  }
  std::vector<Parameters> choices(const Problem& problem) const override {
    std::vector<Parameters> result;
    for (auto& cut : algorithm::middle_out_cuts(problem.network, most_hops))
      result.push_back({.cut = std::move(cut)});
    return result;
  }
  std::uint32_t fixed_parts(const Problem& problem, const Parameters& parameters) const override {
    return static_cast<std::uint32_t>(middle_out(problem, parameters).slices());
  }
  // Two sums may be added either way round.
  bool adds_alike(const Problem& /*problem*/, const Parameters& parameters) const override {
    return std::ranges::all_of(parameters.cut.order,
                               [](const auto& axis) { return axis.clusters.clusters <= 2; });
  }
  std::vector<cost::RoundLoad> loads(const Problem& problem, const Parameters& parameters) const override {
    return middle_out(problem, parameters).loads();
  }
  std::uint64_t rounds(const Problem& problem, const Parameters& parameters) const override {
    return middle_out(problem, parameters).rounds();
  }
  Schedule schedule(const Problem& problem, const Parameters& parameters) const override {
    return middle_out(problem, parameters).schedule();
  }
};

class SharedSubtreeAllreduce final : public Algorithm {
 public:
  using Algorithm::Algorithm;

  Reason unsupported_reason(const Problem& problem) const override {
    constexpr Node most_nodes = 1U << 16;
    if (auto reason = unsuitable_for_slices(problem)) return reason;
    if (problem.network.order() < 2 || problem.network.order() > most_nodes)
      return fmt::format("it needs 2 to {} nodes", most_nodes);
    return std::nullopt;
  }
  // On tori the middle-out allreduce takes as few rounds, and mostly fewer bytes.
  bool is_quick(const Problem& problem) const override { return !network::torus_axes(problem.network); }
  std::vector<Parameters> choices(const Problem& problem) const override {
    std::vector<Parameters> result;
    for (const std::uint32_t trees : algorithm::shared_subtree_counts(problem.network))
      result.push_back({.levels = algorithm::LevelShape{.copies = trees}});
    return result;
  }
  std::uint32_t fixed_parts(const Problem& /*problem*/, const Parameters& parameters) const override {
    return trees(parameters);
  }
  bool adds_alike(const Problem& problem, const Parameters& /*parameters*/) const override {
    return problem.network.order() == 2;
  }
  std::uint64_t rounds(const Problem& problem, const Parameters& /*parameters*/) const override {
    return problem.network.diameter();
  }
  Schedule schedule(const Problem& problem, const Parameters& parameters) const override {
    return algorithm::shared_subtree_allreduce(problem.network, trees(parameters));
  }

 private:
  static std::uint32_t trees(const Parameters& parameters) {
    return parameters.levels ? parameters.levels->copies : 1;
  }
};

class HubAllreduce final : public Algorithm {
 public:
  using Algorithm::Algorithm;

  Reason unsupported_reason(const Problem& problem) const override {
    if (auto reason = unsuitable_for_slices(problem)) return reason;
    if (problem.network.order() > most_hub_nodes)
      return fmt::format("it searches hubs among {} nodes at most", most_hub_nodes);
    if (problem.network.diameter() < 2) return "it needs nodes that are 2 links or more apart";
    return std::nullopt;
  }
  // On tori the middle-out allreduce takes as few rounds, and mostly fewer bytes.
  bool is_quick(const Problem& problem) const override { return !network::torus_axes(problem.network); }
  std::vector<Parameters> choices(const Problem& problem) const override {
    std::vector<Parameters> result;
    for (const auto& [radius, turns] : algorithm::hub_shapes(problem.network, most_hops)) {
      Parameters each{.levels = algorithm::LevelShape{.copies = turns}};
      each.radius = radius;
      result.push_back(each);
    }
    return result;
  }
  std::uint32_t fixed_parts(const Problem& problem, const Parameters& parameters) const override {
    return algorithm::hub_slices(problem.network, shape(parameters));
  }
  bool adds_alike(const Problem& /*problem*/, const Parameters& /*parameters*/) const override {
    return false;
  }
  std::vector<cost::RoundLoad> loads(const Problem& problem, const Parameters& parameters) const override {
    return algorithm::hub_loads(problem.network, shape(parameters));
  }
  std::uint64_t rounds(const Problem& problem, const Parameters& parameters) const override {
    return algorithm::hub_rounds(problem.network, shape(parameters));
  }
  Schedule schedule(const Problem& problem, const Parameters& parameters) const override {
    return algorithm::hub_allreduce(problem.network, shape(parameters));
  }

 private:
  // Of so many nodes a search takes a second at most, and a schedule has at most most_hops hops.
  static constexpr Node most_hub_nodes = 256;

  static algorithm::HubShape shape(const Parameters& parameters) {
    return {std::max(1U, parameters.radius), parameters.levels ? parameters.levels->copies : 1};
  }
};

}  // namespace

Algorithms allreduces() {
  Algorithms result;
  Traits traits{"middle-out-allreduce",
                Collective::allreduce,
                "every torus, hypercubes",
                "all",
                "reduction to the middles of clusters, and flooding from there",
                "the diameter of rounds for clusters of two, and up to twice as many for fewer bytes"};
  traits.strict = false;
  traits.aggregates = traits.whole_vector = traits.for_machines = true;
  traits.by_leaders = {"leader-middle-out-allreduce"};
  result.push_back(over_one_copy(std::make_unique<MiddleOutAllreduce>(traits)));
  traits.name = "shared-subtree-allreduce";
  traits.by_leaders = {"leader-shared-subtree-allreduce"};
  traits.networks = every_network;
  traits.source = "translated trees of shortest paths (docs/algorithms.md)";
  traits.claim = "the diameter of rounds, the least possible";
  result.push_back(std::make_unique<SharedSubtreeAllreduce>(traits));
  traits.name = "hub-allreduce";
  traits.by_leaders = {"leader-hub-allreduce"};
  traits.source = "balls around hubs, whose sums come as late as they can (docs/algorithms.md)";
  traits.claim = "r rounds more than the diameter, for balls of radius r: fewer bytes the larger r is";
  result.push_back(over_one_copy(std::make_unique<HubAllreduce>(std::move(traits))));
  return result;
}

}  // namespace isotrope::planner
