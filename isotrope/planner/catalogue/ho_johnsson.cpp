// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "isotrope/algorithm/broadcast/msbt_broadcast.hpp"
#include "isotrope/algorithm/broadcast/tree_broadcast.hpp"
#include "isotrope/algorithm/scatter/binomial_scatter.hpp"
#include "isotrope/algorithm/scatter/level_scatter.hpp"
#include "isotrope/algorithm/scatter/tree_scatter.hpp"
#include "isotrope/algorithm/trees/balanced_spanning_tree.hpp"
#include "isotrope/algorithm/trees/hamiltonian_path.hpp"
#include "isotrope/algorithm/trees/rotation_order.hpp"
#include "isotrope/algorithm/trees/spanning_binomial_tree.hpp"
#include "isotrope/algorithm/trees/two_rooted_tree.hpp"

#include "isotrope/planner/catalogue/hypercubes.hpp"
#include "isotrope/planner/catalogue/sources.hpp"

namespace isotrope::planner {
namespace {

using algorithm::BalancedSpanningTree;
using algorithm::HamiltonianPath;
using algorithm::RootOrder;
using algorithm::SpanningBinomialTree;
using algorithm::TwoRootedTree;
using schedule::Schedule;

// Broadcast.

template <class Tree>
algorithm::ChildPorts ports_to_children(const Problem& problem) {
  return algorithm::child_ports(Tree(problem.network.degree()), problem.task.root);
}

template <class Tree>
std::uint64_t broadcast_rounds(const Problem& problem) {
  return algorithm::tree_broadcast_rounds(problem.network, problem.task.root, problem.task.parts,
                                          problem.ports, ports_to_children<Tree>(problem));
}

template <class Tree>
Schedule plan_broadcast(const Problem& problem) {
  return algorithm::tree_broadcast(problem.network, problem.task.root, problem.task.parts, problem.ports,
                                   ports_to_children<Tree>(problem));
}

template <bool capped>
std::uint64_t msbt_rounds(const Problem& problem) {
  return algorithm::msbt_broadcast_rounds(problem.network.degree(), problem.task.parts, problem.ports,
                                          capped);
}

Schedule plan_msbt_broadcast(const Problem& problem) {
  return algorithm::msbt_broadcast(problem.network.degree(), problem.task.root, problem.task.parts,
                                   problem.ports);
}

Schedule plan_capped_msbt_broadcast(const Problem& problem) {
  return algorithm::capped_msbt_broadcast(problem.network.degree(), problem.task.root, problem.task.parts,
                                          problem.ports);
}

// Scatter. Every tree has an order for single packets and one for merged messages. In the former the root's
// sends are all that takes time: those into its largest subtree, or all of them over the ports at its disposal.
// Under the balanced tree, whose subtrees are so alike, a few rounds are lost where ports are more than one
// and not all.

template <class Tree>
struct ScatterAlong;

template <>
struct ScatterAlong<SpanningBinomialTree> {
  static constexpr RootOrder by_packets{RootOrder::Sequence::descending, false};
  static constexpr RootOrder aggregated{RootOrder::Sequence::postorder, false};
  static constexpr bool never_stalls = true;
  static std::uint64_t largest_subtree(const Problem& problem) { return problem.network.order() / 2; }
};

template <>
struct ScatterAlong<BalancedSpanningTree> {
  static constexpr RootOrder by_packets{RootOrder::Sequence::reverse_breadth_first, true};
  static constexpr RootOrder aggregated{RootOrder::Sequence::postorder, true};
  static constexpr bool never_stalls = false;
  // As many nodes as there are necklaces, that of 0 left out.
  static std::uint64_t largest_subtree(const Problem& problem) {
    return algorithm::rotation_classes(problem.network.degree()).size();
  }
};

template <>
struct ScatterAlong<TwoRootedTree> {
  static constexpr RootOrder by_packets{RootOrder::Sequence::reverse_breadth_first, false};
  static constexpr RootOrder aggregated{RootOrder::Sequence::postorder, false};
  static constexpr bool never_stalls = true;
  static std::uint64_t largest_subtree(const Problem& problem) { return problem.network.order() / 2; }
};

template <class Tree>
RootOrder order_of(const Problem& problem, const Parameters& parameters) {
  const RootOrder own =
      problem.aggregated() ? ScatterAlong<Tree>::aggregated : ScatterAlong<Tree>::by_packets;
  return parameters.order.value_or(own);
}

template <class Tree>
algorithm::RootedTree rooted_tree(const Problem& problem) {
  return {problem.network, problem.task.root, ports_to_children<Tree>(problem)};
}

template <class Tree>
Schedule plan_scatter(const Problem& problem, const Parameters& parameters) {
  return algorithm::tree_scatter(
      problem.network, rooted_tree<Tree>(problem),
      {problem.task.parts, problem.ports, order_of<Tree>(problem, parameters), problem.aggregation});
}

// In descending order over one port no packet waits, and the schedule can be written down.
template <>
Schedule plan_scatter<SpanningBinomialTree>(const Problem& problem, const Parameters& parameters) {
  const bool direct =
      problem.aggregation == 1 && !not_one_port(problem) &&
      order_of<SpanningBinomialTree>(problem, parameters) == ScatterAlong<SpanningBinomialTree>::by_packets;
  if (direct) {
    return algorithm::binomial_scatter(problem.network.degree(), problem.task.root, problem.task.parts,
                                       problem.ports);
  }
  return algorithm::tree_scatter(problem.network, rooted_tree<SpanningBinomialTree>(problem),
                                 {problem.task.parts, problem.ports,
                                  order_of<SpanningBinomialTree>(problem, parameters), problem.aggregation});
}

template <class Tree>
std::uint64_t scatter_rounds(const Problem& problem, const Parameters& parameters) {
  using Along = ScatterAlong<Tree>;
  const std::uint64_t ports = problem.ports.sends(problem.network.degree());
  const bool usual = problem.aggregation == 1 && order_of<Tree>(problem, parameters) == Along::by_packets;
  if (usual && (Along::never_stalls || ports == 1 || ports == problem.network.degree())) {
    const std::uint64_t parts = problem.task.parts;
    const std::uint64_t all = (problem.network.order() - 1) * parts;
    return std::max(Along::largest_subtree(problem) * parts, (all + ports - 1) / ports);
  }
  return plan_scatter<Tree>(problem, parameters).round_count();
}

template <class Tree>
Schedule plan_level_scatter(const Problem& problem) {
  return algorithm::level_scatter(problem.network, rooted_tree<Tree>(problem), problem.task.parts,
                                  problem.aggregation);
}

template <class Tree>
std::uint64_t level_scatter_rounds(const Problem& problem) {
  if (problem.aggregation == unbounded) return problem.network.degree();
  return plan_level_scatter<Tree>(problem).round_count();
}

// What the catalogue says.

constexpr std::string_view one_port = "one, half";
constexpr std::string_view all_or_one = "all, one, half";
constexpr std::string_view any_ports = "all, K, one, half";
constexpr std::string_view all_ports = "all";

constexpr std::string_view capped_claim = "one: P + d - 1 rounds, the least; half: 2P + d - 2";
constexpr std::string_view msbt_claim =
    "all: ceil(P / d) + d rounds, one more than the bound; one: P + d; half: 2P + d - 1";
constexpr std::string_view binomial_claim = "all: P + d - 1 rounds; one, half: d P; least for P = 1";
constexpr std::string_view two_rooted_claim = "all: P + d - 1 rounds; one: 2 (P + d - 2); half: 3P + 2d - 5";
constexpr std::string_view path_claim = "all, one: P + 2^d - 2 rounds; half: 2P + 2^d - 3";
constexpr std::string_view balanced_broadcast_claim = "all: P + d - 1 rounds; one, half: d P + d - 2";

constexpr std::string_view binomial_scatter_claim =
    "one, half: (2^d - 1) P rounds, the least; all: 2^(d-1) P; messages of 2^k packets over one port: "
    "2^(d-k) + k - 1";
constexpr std::string_view balanced_scatter_claim =
    "one, half: (2^d - 1) P rounds, the least; all: (necklaces - 1) P, least for prime d; unbounded messages "
    "over one port: 2d - 2";
constexpr std::string_view two_rooted_scatter_claim =
    "one, half: (2^d - 1) P rounds, the least; all: 2^(d-1) P; unbounded messages over one port: 2d - 2";
constexpr std::string_view binomial_level_claim = "d rounds, the least; loads add up to 2^(d-1) P";
constexpr std::string_view balanced_level_claim = "d rounds, the least; loads add up to (necklaces - 1) P";
constexpr std::string_view two_rooted_level_claim = "d rounds, the least; loads add up to (3 2^(d-2) - 1) P";

constexpr std::string_view ho_and_johnsson = "Ho and Johnsson 1986, ";

Traits traits(std::string_view tree, std::string_view noun, std::string_view reversed, Collective collective,
              std::string_view ports, std::string_view section, std::string_view claim) {
  return {.name = fmt::format("{}-{}", tree, noun),
          .collective = collective,
          .networks = std::string(hypercubes),
          .ports = std::string(ports),
          .source = fmt::format("{}{}", ho_and_johnsson, section),
          .claim = std::string(claim),
          .reversed = {fmt::format("{}-{}", tree, reversed), ""}};
}

template <class Reason, class Schedule, class Rounds>
std::unique_ptr<const Algorithm> broadcast(std::string_view tree, std::string_view ports,
                                           std::string_view section, std::string_view claim, Reason reason,
                                           Schedule schedule, Rounds rounds) {
  Traits result = traits(tree, "broadcast", "reduce", Collective::broadcast, ports, section, claim);
  result.pipelines = true;
  return row(std::move(result), reason, schedule, rounds);
}

template <class Tree>
std::unique_ptr<const Algorithm> broadcast_along(std::string_view tree, std::string_view section,
                                                 std::string_view claim) {
  return broadcast(tree, any_ports, section, claim, not_a_hypercube, plan_broadcast<Tree>,
                   broadcast_rounds<Tree>);
}

template <class Tree>
std::unique_ptr<const Algorithm> scatter(std::string_view tree, std::string_view section,
                                         std::string_view claim) {
  Traits result = traits(tree, "scatter", "gather", Collective::scatter, any_ports, section, claim);
  result.takes_order = true;
  result.aggregates = true;
  return std::make_unique<Row>(std::move(result),
                               Functions{not_a_hypercube, plan_scatter<Tree>, scatter_rounds<Tree>});
}

template <class Tree>
std::unique_ptr<const Algorithm> level_scatter(std::string_view tree, std::string_view section,
                                               std::string_view claim) {
  Traits result =
      traits(tree, "level-scatter", "level-gather", Collective::scatter, all_ports, section, claim);
  result.strict = false;
  result.aggregates = true;
  return row(std::move(result), not_all_ports, plan_level_scatter<Tree>, level_scatter_rounds<Tree>);
}

}  // namespace

Algorithms ho_johnsson() {
  using Binomial = SpanningBinomialTree;
  using Balanced = BalancedSpanningTree;
  Algorithms result;
  result.push_back(broadcast_along<Binomial>("binomial-tree", "Section 3.1", binomial_claim));
  result.push_back(broadcast("capped-msbt", one_port, "Section 3.3.2, one round better", capped_claim,
                             not_one_port, plan_capped_msbt_broadcast, msbt_rounds<true>));
  result.push_back(broadcast("msbt", all_or_one, "Section 3.3.2", msbt_claim, some_ports, plan_msbt_broadcast,
                             msbt_rounds<false>));
  result.push_back(broadcast_along<TwoRootedTree>("two-rooted-tree", "Section 3.4", two_rooted_claim));
  result.push_back(broadcast_along<HamiltonianPath>("hamiltonian-path", "Section 3.4", path_claim));
  result.push_back(
      broadcast_along<Balanced>("balanced-spanning-tree", "Section 3.4", balanced_broadcast_claim));
  result.push_back(level_scatter<Balanced>("balanced-spanning-tree", "Section 4.2.2", balanced_level_claim));
  result.push_back(level_scatter<Binomial>("binomial-tree", "Lemma 4.2", binomial_level_claim));
  result.push_back(level_scatter<TwoRootedTree>("two-rooted-tree", "Table 6", two_rooted_level_claim));
  result.push_back(scatter<Binomial>("binomial-tree", "Section 4.2.1", binomial_scatter_claim));
  result.push_back(scatter<Balanced>("balanced-spanning-tree", "Section 4.2.2", balanced_scatter_claim));
  result.push_back(scatter<TwoRootedTree>("two-rooted-tree", "Table 6", two_rooted_scatter_claim));
  return result;
}

}  // namespace isotrope::planner
