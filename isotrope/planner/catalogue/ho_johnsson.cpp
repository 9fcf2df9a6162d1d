// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>
#include <type_traits>
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

#include "isotrope/planner/catalogue/shared.hpp"

namespace isotrope::planner {
namespace {

using algorithm::RootOrder;
using algorithm::SpanningBinomialTree;
using algorithm::TwoRootedTree;
using schedule::Schedule;

// Hypercubes, and one port, full or half duplex.
Reason not_one_port(const Problem& problem) {
  if (auto reason = not_a_hypercube(problem)) return reason;
  if (problem.ports.kind == schedule::PortModel::Kind::one_port || problem.ports.half_duplex())
    return std::nullopt;
  return fmt::format("it uses one port at a time, and {} was given", to_string(problem.ports));
}

// Hypercubes, and all ports or one.
Reason some_ports(const Problem& problem) {
  if (auto reason = not_a_hypercube(problem)) return reason;
  if (problem.ports.kind != schedule::PortModel::Kind::k_port) return std::nullopt;
  return fmt::format("it uses all ports or one, and {} was given", to_string(problem.ports));
}

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

// Scatter. Every tree has an order for single packets and one for merged messages. With single packets only the
// root's sends take time: the packets of the largest subtree over one port, or all packets over the ports of the
// root. The subtrees of the balanced tree are much alike, so a few rounds are lost over more than one port but not
// all.

// The trees in which one subtree has half the nodes.
template <class Tree>
struct ScatterAlong {
  static constexpr bool is_binomial = std::is_same_v<Tree, SpanningBinomialTree>;
  static constexpr RootOrder by_packets{
      is_binomial ? RootOrder::Sequence::descending : RootOrder::Sequence::reverse_breadth_first, false};
  static constexpr RootOrder aggregated{RootOrder::Sequence::postorder, false};
  static constexpr bool never_stalls = true;
  static std::uint64_t largest_subtree(const Problem& problem) { return problem.network.order() / 2; }
};

template <>
struct ScatterAlong<algorithm::BalancedSpanningTree> {
  static constexpr RootOrder by_packets{RootOrder::Sequence::reverse_breadth_first, true};
  static constexpr RootOrder aggregated{RootOrder::Sequence::postorder, true};
  static constexpr bool never_stalls = false;
  // As many nodes as there are necklaces, that of 0 left out.
  static std::uint64_t largest_subtree(const Problem& problem) {
    return algorithm::rotation_classes(problem.network.degree()).size();
  }
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
  if (direct)
    return algorithm::binomial_scatter(problem.network.degree(), problem.task.root, problem.task.parts,
                                       problem.ports);
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

// The catalogue.

constexpr const char* capped_claim = "one: P + d - 1 rounds, the least; half: 2P + d - 2";
constexpr const char* msbt_claim =
    "all: ceil(P / d) + d rounds, one more than the bound; one: P + d; half: 2P + d - 1";
constexpr const char* binomial_claim = "all: P + d - 1 rounds; one, half: d P; least for P = 1";
constexpr const char* two_rooted_claim = "all: P + d - 1 rounds; one: 2 (P + d - 2); half: 3P + 2d - 5";
constexpr const char* path_claim = "all, one: P + 2^d - 2 rounds; half: 2P + 2^d - 3";
constexpr const char* balanced_broadcast_claim = "all: P + d - 1 rounds; one, half: d P + d - 2";
constexpr const char* binomial_scatter_claim =
    "one, half: (2^d - 1) P rounds, the least; all: 2^(d-1) P; messages of 2^k packets, one-port: "
    "2^(d-k) + k - 1";
constexpr const char* balanced_scatter_claim =
    "one, half: (2^d - 1) P rounds, the least; all: (necklaces - 1) P, least for prime d; no aggregation "
    "limit, one-port: 2d - 2";
constexpr const char* two_rooted_scatter_claim =
    "one, half: (2^d - 1) P rounds, the least; all: 2^(d-1) P; no aggregation limit, one-port: 2d - 2";
constexpr const char* binomial_level_claim = "d rounds, the least; load 2^(d-1) P";
constexpr const char* balanced_level_claim = "d rounds, the least; load (necklaces - 1) P";
constexpr const char* two_rooted_level_claim = "d rounds, the least; load (3 2^(d-2) - 1) P";

// The rows of one tree after another.
class Rows {
 public:
  template <class Schedule, class Rounds>
  void broadcast(const char* tree, const char* ports, const char* section, const char* claim,
                 CatalogRow::ReasonFunction reason, Schedule schedule, Rounds rounds) {
    Traits result = traits(tree, "broadcast", "reduce", Collective::broadcast, ports, section, claim);
    result.pipelines = true;
    add_row(result_, std::move(result), std::move(reason), schedule, rounds);
  }
  template <class Tree>
  void broadcast_along(const char* tree, const char* section, const char* claim) {
    broadcast(tree, any_ports, section, claim, not_a_hypercube, plan_broadcast<Tree>, broadcast_rounds<Tree>);
  }
  template <class Tree>
  void scatter(const char* tree, const char* section, const char* claim) {
    Traits result = traits(tree, "scatter", "gather", Collective::scatter, any_ports, section, claim);
    result.takes_order = result.aggregates = true;
    result_.push_back(std::make_unique<CatalogRow>(std::move(result), not_a_hypercube, plan_scatter<Tree>,
                                                   scatter_rounds<Tree>));
  }
  template <class Tree>
  void level_scatter(const char* tree, const char* section, const char* claim) {
    Traits result = traits(tree, "level-scatter", "level-gather", Collective::scatter, "all", section, claim);
    result.strict = false;
    result.aggregates = true;
    add_row(result_, std::move(result), not_all_ports_of_hypercube, plan_level_scatter<Tree>,
            level_scatter_rounds<Tree>);
  }
  Algorithms take() { return std::move(result_); }

 private:
  static Traits traits(const char* tree, const char* noun, const char* reversed, Collective collective,
                       const char* ports, const char* section, const char* claim) {
    Traits result{fmt::format("{}-{}", tree, noun),
                  collective,
                  hypercubes,
                  ports,
                  fmt::format("Ho and Johnsson 1986, {}", section),
                  claim};
    result.reversed = {fmt::format("{}-{}", tree, reversed)};
    return result;
  }

  Algorithms result_;
};

}  // namespace

Algorithms ho_johnsson() {
  using Binomial = SpanningBinomialTree;
  using Balanced = algorithm::BalancedSpanningTree;
  Rows rows;
  rows.broadcast_along<Binomial>("binomial-tree", "Section 3.1", binomial_claim);
  rows.broadcast("capped-msbt", "one, half", "Section 3.3.2, one round better", capped_claim, not_one_port,
                 plan_capped_msbt_broadcast, msbt_rounds<true>);
  rows.broadcast("msbt", "all, one, half", "Section 3.3.2", msbt_claim, some_ports, plan_msbt_broadcast,
                 msbt_rounds<false>);
  rows.broadcast_along<TwoRootedTree>("two-rooted-tree", "Section 3.4", two_rooted_claim);
  rows.broadcast_along<algorithm::HamiltonianPath>("hamiltonian-path", "Section 3.4", path_claim);
  rows.broadcast_along<Balanced>("balanced-spanning-tree", "Section 3.4", balanced_broadcast_claim);
  rows.level_scatter<Balanced>("balanced-spanning-tree", "Section 4.2.2", balanced_level_claim);
  rows.level_scatter<Binomial>("binomial-tree", "Lemma 4.2", binomial_level_claim);
  rows.level_scatter<TwoRootedTree>("two-rooted-tree", "Table 6", two_rooted_level_claim);
  rows.scatter<Binomial>("binomial-tree", "Section 4.2.1", binomial_scatter_claim);
  rows.scatter<Balanced>("balanced-spanning-tree", "Section 4.2.2", balanced_scatter_claim);
  rows.scatter<TwoRootedTree>("two-rooted-tree", "Table 6", two_rooted_scatter_claim);
  return rows.take();
}

}  // namespace isotrope::planner
