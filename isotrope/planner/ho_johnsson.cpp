// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

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

#include "isotrope/planner/backwards.hpp"
#include "isotrope/planner/misfit.hpp"
#include "isotrope/planner/sources.hpp"

namespace isotrope::planner {
namespace {

using algorithm::BalancedSpanningTree;
using algorithm::HamiltonianPath;
using algorithm::RootOrder;
using algorithm::SpanningBinomialTree;
using algorithm::TwoRootedTree;
using schedule::Collective;
using schedule::Schedule;

// Broadcast.

template <class Tree>
algorithm::ChildPorts ports_to_children(const Request& request) {
  return algorithm::child_ports(Tree(request.network.degree()), request.task.root);
}

template <class Tree>
std::uint64_t broadcast_rounds(const Request& request) {
  return algorithm::tree_broadcast_rounds(request.network, request.task.root, request.task.parts,
                                          request.ports, ports_to_children<Tree>(request));
}

template <class Tree>
Schedule plan_broadcast(const Request& request) {
  return algorithm::tree_broadcast(request.network, request.task.root, request.task.parts, request.ports,
                                   ports_to_children<Tree>(request));
}

template <bool capped>
std::uint64_t msbt_rounds(const Request& request) {
  return algorithm::msbt_broadcast_rounds(request.network.degree(), request.task.parts, request.ports,
                                          capped);
}

Schedule plan_msbt_broadcast(const Request& request) {
  return algorithm::msbt_broadcast(request.network.degree(), request.task.root, request.task.parts,
                                   request.ports);
}

Schedule plan_capped_msbt_broadcast(const Request& request) {
  return algorithm::capped_msbt_broadcast(request.network.degree(), request.task.root, request.task.parts,
                                          request.ports);
}

template <Schedule (*broadcast)(const Request&)>
constexpr auto plan_reduce = backwards<Collective::broadcast, broadcast>;

// Scatter. Every tree has an order for single packets and one for merged messages. In the former the root's
// sends are all that takes time: those into its largest subtree, or all of them over the ports at its disposal.
// Under the balanced tree, whose subtrees are so alike, a few rounds are lost where ports are more than one
// and not all.

template <class Tree>
struct ScatterAlong;

template <>
struct ScatterAlong<SpanningBinomialTree> {
  static constexpr RootOrder by_packets{RootOrder::Sequence::descending, false};
  static constexpr RootOrder merged{RootOrder::Sequence::postorder, false};
  static constexpr bool never_stalls = true;
  static std::uint64_t largest_subtree(const Request& request) { return request.network.order() / 2; }
};

template <>
struct ScatterAlong<BalancedSpanningTree> {
  static constexpr RootOrder by_packets{RootOrder::Sequence::reverse_breadth_first, true};
  static constexpr RootOrder merged{RootOrder::Sequence::postorder, true};
  static constexpr bool never_stalls = false;
  // As many nodes as there are necklaces, that of 0 left out.
  static std::uint64_t largest_subtree(const Request& request) {
    return algorithm::rotation_classes(request.network.degree()).size();
  }
};

template <>
struct ScatterAlong<TwoRootedTree> {
  static constexpr RootOrder by_packets{RootOrder::Sequence::reverse_breadth_first, false};
  static constexpr RootOrder merged{RootOrder::Sequence::postorder, false};
  static constexpr bool never_stalls = true;
  static std::uint64_t largest_subtree(const Request& request) { return request.network.order() / 2; }
};

template <class Tree>
RootOrder order_of(const Request& request) {
  const RootOrder own = request.merge == 1 ? ScatterAlong<Tree>::by_packets : ScatterAlong<Tree>::merged;
  return request.order.value_or(own);
}

template <class Tree>
algorithm::RootedTree rooted_tree(const Request& request) {
  return {request.network, request.task.root, ports_to_children<Tree>(request)};
}

template <class Tree>
Schedule plan_scatter(const Request& request) {
  return algorithm::tree_scatter(request.network, rooted_tree<Tree>(request),
                                 {request.task.parts, request.ports, order_of<Tree>(request), request.merge});
}

// In descending order over one port no packet waits, and the schedule can be written down.
template <>
Schedule plan_scatter<SpanningBinomialTree>(const Request& request) {
  const bool direct =
      request.merge == 1 && !not_one_port(request) &&
      order_of<SpanningBinomialTree>(request) == ScatterAlong<SpanningBinomialTree>::by_packets;
  if (direct) {
    return algorithm::binomial_scatter(request.network.degree(), request.task.root, request.task.parts,
                                       request.ports);
  }
  return algorithm::tree_scatter(
      request.network, rooted_tree<SpanningBinomialTree>(request),
      {request.task.parts, request.ports, order_of<SpanningBinomialTree>(request), request.merge});
}

template <class Tree>
std::uint64_t scatter_rounds(const Request& request) {
  using Along = ScatterAlong<Tree>;
  const std::uint64_t ports = request.ports.sends(request.network.degree());
  const bool usual = request.merge == 1 && order_of<Tree>(request) == Along::by_packets;
  if (usual && (Along::never_stalls || ports == 1 || ports == request.network.degree())) {
    const std::uint64_t parts = request.task.parts;
    const std::uint64_t all = (request.network.order() - 1) * parts;
    return std::max(Along::largest_subtree(request) * parts, (all + ports - 1) / ports);
  }
  return plan_scatter<Tree>(request).round_count();
}

template <class Tree>
Schedule plan_level_scatter(const Request& request) {
  return algorithm::level_scatter(request.network, rooted_tree<Tree>(request), request.task.parts,
                                  request.merge);
}

template <class Tree>
std::uint64_t level_scatter_rounds(const Request& request) {
  if (request.merge == unbounded) return request.network.degree();
  return plan_level_scatter<Tree>(request).round_count();
}

template <Schedule (*scatter)(const Request&)>
constexpr auto plan_gather = backwards<Collective::scatter, scatter>;

// What the catalogue says.

constexpr std::string_view one_port = "one, half";
constexpr std::string_view all_or_one = "all, one, half";
constexpr std::string_view any_ports = "all, K, one, half";
constexpr std::string_view all_ports = "all";

constexpr std::string_view trees_section = "Ho and Johnsson 1986, Section 3.4";
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

constexpr Algorithm broadcast(std::string_view name, std::string_view ports, std::string_view source,
                              std::string_view claim, decltype(Algorithm::misfit) misfit,
                              decltype(Algorithm::rounds) rounds, decltype(Algorithm::schedule) schedule) {
  return {name, Collective::broadcast, hypercubes, ports, source, claim, misfit, rounds, schedule};
}

constexpr Algorithm reduce(std::string_view name, const Algorithm& forward,
                           decltype(Algorithm::schedule) schedule) {
  Algorithm result = forward;
  result.name = name;
  result.collective = Collective::reduce;
  result.source = "the broadcast, reversed";
  result.schedule = schedule;
  return result;
}

template <class Tree>
constexpr Algorithm scatter(std::string_view name, std::string_view source, std::string_view claim) {
  return {name,
          Collective::scatter,
          hypercubes,
          any_ports,
          source,
          claim,
          not_a_hypercube,
          scatter_rounds<Tree>,
          plan_scatter<Tree>,
          true,
          true,
          false};
}

template <class Tree>
constexpr Algorithm level_scatter(std::string_view name, std::string_view source, std::string_view claim) {
  return {name,
          Collective::scatter,
          hypercubes,
          all_ports,
          source,
          claim,
          not_all_ports,
          level_scatter_rounds<Tree>,
          plan_level_scatter<Tree>,
          false,
          true,
          true};
}

constexpr Algorithm gather(std::string_view name, const Algorithm& forward,
                           decltype(Algorithm::schedule) schedule) {
  Algorithm result = forward;
  result.name = name;
  result.collective = Collective::gather;
  result.source = "the scatter, reversed";
  result.schedule = schedule;
  return result;
}

constexpr Algorithm binomial_broadcast =
    broadcast("binomial-tree-broadcast", any_ports, "Ho and Johnsson 1986, Section 3.1", binomial_claim,
              not_a_hypercube, broadcast_rounds<SpanningBinomialTree>, plan_broadcast<SpanningBinomialTree>);
constexpr Algorithm capped_broadcast =
    broadcast("capped-msbt-broadcast", one_port, "Ho and Johnsson 1986, Section 3.3.2, one round better",
              capped_claim, not_one_port, msbt_rounds<true>, plan_capped_msbt_broadcast);
constexpr Algorithm msbt_broadcast =
    broadcast("msbt-broadcast", all_or_one, "Ho and Johnsson 1986, Section 3.3.2", msbt_claim, some_ports,
              msbt_rounds<false>, plan_msbt_broadcast);
constexpr Algorithm two_rooted_broadcast =
    broadcast("two-rooted-tree-broadcast", any_ports, trees_section, two_rooted_claim, not_a_hypercube,
              broadcast_rounds<TwoRootedTree>, plan_broadcast<TwoRootedTree>);
constexpr Algorithm path_broadcast =
    broadcast("hamiltonian-path-broadcast", any_ports, trees_section, path_claim, not_a_hypercube,
              broadcast_rounds<HamiltonianPath>, plan_broadcast<HamiltonianPath>);
constexpr Algorithm balanced_broadcast =
    broadcast("balanced-spanning-tree-broadcast", any_ports, "Ho and Johnsson 1986, Section 4.1",
              balanced_broadcast_claim, not_a_hypercube, broadcast_rounds<BalancedSpanningTree>,
              plan_broadcast<BalancedSpanningTree>);

constexpr Algorithm binomial_tree_scatter = scatter<SpanningBinomialTree>(
    "binomial-tree-scatter", "Ho and Johnsson 1986, Section 4.2.1", binomial_scatter_claim);
constexpr Algorithm balanced_tree_scatter = scatter<BalancedSpanningTree>(
    "balanced-spanning-tree-scatter", "Ho and Johnsson 1986, Section 4.2.2", balanced_scatter_claim);
constexpr Algorithm two_rooted_tree_scatter = scatter<TwoRootedTree>(
    "two-rooted-tree-scatter", "Ho and Johnsson 1986, Table 6", two_rooted_scatter_claim);
constexpr Algorithm balanced_level_scatter = level_scatter<BalancedSpanningTree>(
    "balanced-spanning-tree-level-scatter", "Ho and Johnsson 1986, Section 4.2.2", balanced_level_claim);
constexpr Algorithm binomial_level_scatter = level_scatter<SpanningBinomialTree>(
    "binomial-tree-level-scatter", "Ho and Johnsson 1986, Lemma 4.2", binomial_level_claim);
constexpr Algorithm two_rooted_level_scatter = level_scatter<TwoRootedTree>(
    "two-rooted-tree-level-scatter", "Ho and Johnsson 1986, Table 6", two_rooted_level_claim);

constexpr std::array algorithms{
    binomial_broadcast,
    capped_broadcast,
    msbt_broadcast,
    two_rooted_broadcast,
    path_broadcast,
    balanced_broadcast,
    reduce("binomial-tree-reduce", binomial_broadcast, plan_reduce<plan_broadcast<SpanningBinomialTree>>),
    reduce("capped-msbt-reduce", capped_broadcast, plan_reduce<plan_capped_msbt_broadcast>),
    reduce("msbt-reduce", msbt_broadcast, plan_reduce<plan_msbt_broadcast>),
    reduce("two-rooted-tree-reduce", two_rooted_broadcast, plan_reduce<plan_broadcast<TwoRootedTree>>),
    reduce("hamiltonian-path-reduce", path_broadcast, plan_reduce<plan_broadcast<HamiltonianPath>>),
    reduce("balanced-spanning-tree-reduce", balanced_broadcast,
           plan_reduce<plan_broadcast<BalancedSpanningTree>>),
    balanced_level_scatter,
    binomial_level_scatter,
    two_rooted_level_scatter,
    binomial_tree_scatter,
    balanced_tree_scatter,
    two_rooted_tree_scatter,
    gather("balanced-spanning-tree-level-gather", balanced_level_scatter,
           plan_gather<plan_level_scatter<BalancedSpanningTree>>),
    gather("binomial-tree-level-gather", binomial_level_scatter,
           plan_gather<plan_level_scatter<SpanningBinomialTree>>),
    gather("two-rooted-tree-level-gather", two_rooted_level_scatter,
           plan_gather<plan_level_scatter<TwoRootedTree>>),
    gather("binomial-tree-gather", binomial_tree_scatter, plan_gather<plan_scatter<SpanningBinomialTree>>),
    gather("balanced-spanning-tree-gather", balanced_tree_scatter,
           plan_gather<plan_scatter<BalancedSpanningTree>>),
    gather("two-rooted-tree-gather", two_rooted_tree_scatter, plan_gather<plan_scatter<TwoRootedTree>>),
};

}  // namespace

std::span<const Algorithm> ho_johnsson() {
  return algorithms;
}

}  // namespace isotrope::planner
