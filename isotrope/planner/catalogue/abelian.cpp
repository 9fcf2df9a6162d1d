// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"

#include "isotrope/network/complete.hpp"

#include "isotrope/graph/connectivity.hpp"

#include "isotrope/algorithm/broadcast/disjoint_trees_broadcast.hpp"
#include "isotrope/algorithm/broadcast/fresh_first_broadcast.hpp"
#include "isotrope/algorithm/broadcast/halving_skips_broadcast.hpp"
#include "isotrope/algorithm/exchange/isotropic_exchange.hpp"
#include "isotrope/algorithm/exchange/least_delay_exchange.hpp"
#include "isotrope/algorithm/irregular/task_routing.hpp"
#include "isotrope/algorithm/scatter/layered_scatter.hpp"
#include "isotrope/algorithm/scatter/level_scatter.hpp"
#include "isotrope/algorithm/scatter/tree_scatter.hpp"
#include "isotrope/algorithm/trees/layered_tree.hpp"

#include "isotrope/planner/catalogue/shared.hpp"

namespace isotrope::planner {
namespace {

using algorithm::RootOrder;
using schedule::Schedule;

Reason any_network(const Problem& /*problem*/) {
  return std::nullopt;
}

algorithm::IsotropicExchange exchange(const Problem& problem) {
  if (problem.task.collective == Collective::isotropic)
    return {problem.network, std::span<const schedule::RelativeDestination>(problem.task.destinations),
            problem.task.parts, problem.ports};
  return {problem.network, problem.task, problem.ports};
}

std::uint64_t exchange_rounds(const Problem& problem) {
  return exchange(problem).rounds();
}

Schedule plan_exchange(const Problem& problem) {
  return exchange(problem).schedule();
}

Schedule plan_least_delay(const Problem& problem) {
  if (problem.task.collective == Collective::isotropic)
    return algorithm::least_delay_exchange(problem.network, merged_destinations(problem), problem.task.parts);
  return algorithm::least_delay_exchange(problem.network, problem.task);
}

Schedule search_task(const Problem& problem, const Parameters& parameters) {
  return algorithm::task_routing({problem.network, {}}, problem.task.deliveries, problem.task.parts,
                                 problem.ports, search_limits(problem, parameters));
}

Schedule plan_fresh_first_broadcast(const Problem& problem, const Parameters& parameters) {
  constexpr std::uint64_t brief_links = std::uint64_t{1} << 17;
  return algorithm::fresh_first_broadcast(problem.network, problem.task.parts, problem.ports,
                                          parameters.brief ? brief_links : UINT64_MAX);
}

Reason no_halving_skips(const Problem& problem) {
  const Network& network = problem.network;
  if (network.order() < 2 || !network::is_complete(network))
    return fmt::format("it needs complete:N of at least two nodes, not {}", network.name());
  if (problem.ports.half_duplex() || problem.ports.sends(network.degree()) > 1)
    return fmt::format("it sends and receives over one port, so it cannot serve {}",
                       to_string(problem.ports));
  return std::nullopt;
}

Schedule plan_halving_skips(const Problem& problem) {
  return algorithm::halving_skips_broadcast(problem.network, problem.task.root, problem.task.parts);
}

std::uint64_t halving_skips_rounds(const Problem& problem) {
  return algorithm::halving_skips_rounds(problem.network.order(), problem.task.parts);
}

Schedule plan_layered_scatter(const Problem& problem) {
  return algorithm::layered_scatter(problem.network, problem.task.root, problem.task.parts, problem.ports);
}

algorithm::RootedTree rooted(const Problem& problem) {
  const algorithm::LayeredTree tree(problem.network, problem.task.root);
  return {problem.network, problem.task.root, algorithm::child_ports(problem.network, tree)};
}

Schedule plan_tree_scatter(const Problem& problem, const Parameters& parameters) {
  constexpr RootOrder by_packets{RootOrder::Sequence::reverse_breadth_first, true};
  constexpr RootOrder aggregated{RootOrder::Sequence::postorder, true};
  const RootOrder own = problem.aggregated() ? aggregated : by_packets;
  return algorithm::tree_scatter(
      problem.network, rooted(problem),
      {problem.task.parts, problem.ports, parameters.order.value_or(own), problem.aggregation});
}

Schedule plan_level_scatter(const Problem& problem) {
  return algorithm::level_scatter(problem.network, rooted(problem), problem.task.parts, problem.aggregation);
}

// Over all ports at once, if the search for the trees is affordable.

Reason too_large_for_disjoint_trees(const Problem& problem) {
  if (auto reason = limited_ports(problem)) return reason;
  const auto cut = graph::link_connectivity(problem.network);
  if (cut && *cut < problem.network.degree())
    return fmt::format("it needs a tree from each of {} ports, and a cut of {} links leaves room for as many",
                       problem.network.degree(), *cut);
  if (algorithm::DisjointTrees::affordable(problem.network)) return std::nullopt;
  return fmt::format("it searches for its trees, in N * degree^2 steps: {} for {}, and at most {} are taken",
                     problem.network.directed_links() * problem.network.degree(), problem.network.name(),
                     algorithm::DisjointTrees::most_steps);
}

// More than any other algorithm if there are no trees.
std::uint64_t disjoint_trees_rounds(const Problem& problem, const Parameters& parameters) {
  const auto trees = algorithm::DisjointTrees::kept(problem.network);
  return trees ? algorithm::disjoint_trees_broadcast_rounds(*trees, problem.task.parts, parameters.hop_rounds)
               : no_rounds;
}

Schedule plan_disjoint_trees_broadcast(const Problem& problem, const Parameters& parameters) {
  const auto trees = algorithm::DisjointTrees::kept(problem.network);
  if (!trees) {
    throw Error(
        fmt::format("the search for disjoint trees of {} ended without them: take another algorithm, "
                    "such as layered-tree-broadcast",
                    problem.network.name()));
  }
  return algorithm::disjoint_trees_broadcast(problem.network, problem.task.root, problem.task.parts, *trees,
                                             parameters.hop_rounds);
}

constexpr const char* varvarigos = "Varvarigos and Bertsekas 1992";
constexpr const char* exchange_claim =
    "least for its routes; the port-sum bound on tori, the distance-sum bound on hypercubes and hexagonal "
    "meshes";
constexpr const char* least_delay_claim =
    "as many rounds as isotropic-total-exchange; meets the delay bound on cubes of prime d, hexagonal "
    "meshes, equal odd tori and odd rings";
constexpr const char* fresh_first_claim =
    "max(ceil((N - 1) P / k), diameter) rounds on every network tried: the bound for P = 1";
constexpr const char* layered_claim =
    "ceil((N - 1) P / k) rounds, or the diameter, on every network tried; shortest paths";
constexpr const char* tree_scatter_claim =
    "any order, any aggregation limit; strict, one-port: (N - 1) P rounds on most networks";
constexpr const char* disjoint_trees_claim =
    "at most ceil(P / degree) + height - 1 rounds for equal heights: diameter + 1 on cubes, up to 2.5 times "
    "the "
    "diameter elsewhere";

// Its rounds are those of isotropic-total-exchange; what takes long are the delays.
bool is_small(const Problem& problem) {
  constexpr std::uint64_t most_links = std::uint64_t{1} << 10;
  return problem.network.directed_links() <= most_links;
}

// The exchanges in which every node sends the same, by the names of the paper.
void add_exchanges(Algorithms& result) {
  const auto exchanges = {std::pair(Collective::alltoall, "total-exchange"),
                          std::pair(Collective::neighborhood, "neighborhood-exchange"),
                          std::pair(Collective::isotropic, "exchange")};
  for (const auto& [collective, noun] : exchanges) {
    const bool listed = collective == Collective::isotropic;
    add_row(result,
            {fmt::format("isotropic-{}", noun), collective, every_network, full_duplex, varvarigos,
             listed ? "least for its routes" : exchange_claim},
            half_duplex, plan_exchange, exchange_rounds);
  }
  for (const auto& [collective, noun] : exchanges) {
    Traits delay{fmt::format("least-delay-{}", noun),
                 collective,
                 every_network,
                 "all",
                 "Varvarigos and Bertsekas 1992, Sections 4 and 8",
                 least_delay_claim};
    delay.least_delay = true;
    result.push_back(std::make_unique<CatalogRow>(
        std::move(delay), limited_ports,
        [](const Problem& problem, const Parameters& /*parameters*/) { return plan_least_delay(problem); },
        [](const Problem& problem, const Parameters& /*parameters*/) { return exchange_rounds(problem); },
        is_small));
  }
}

void add_scatters(Algorithms& result) {
  Traits layered{"layered-scatter",
                 Collective::scatter,
                 every_network,
                 full_duplex,
                 "Bertsekas et al. 1991, Section 3, on any network",
                 layered_claim};
  layered.reversed = {"layered-gather"};
  Traits level{"layered-tree-level-scatter",
               Collective::scatter,
               every_network,
               "all",
               "Ho and Johnsson 1986, Lemma 4.2, along the tree of layered-scatter",
               "diameter rounds, the least, without an aggregation limit"};
  level.strict = false;
  level.aggregates = true;
  level.reversed = {"layered-tree-level-gather"};
  Traits tree{"layered-tree-scatter",
              Collective::scatter,
              every_network,
              any_ports,
              "Ho and Johnsson 1986, Section 4.2, along the tree of layered-scatter",
              tree_scatter_claim};
  tree.takes_order = tree.aggregates = true;
  tree.reversed = {"layered-tree-gather"};
  add_row(result, std::move(layered), half_duplex, plan_layered_scatter);
  add_row(result, std::move(level), limited_ports, plan_level_scatter);
  result.push_back(std::make_unique<CatalogRow>(std::move(tree), any_network, plan_tree_scatter));
}

void add_broadcasts(Algorithms& result) {
  Traits layered{"layered-tree-broadcast",
                 Collective::broadcast,
                 every_network,
                 any_ports,
                 "pipelined along the tree of layered-scatter",
                 "all: P + diameter - 1 rounds; least for P = 1"};
  layered.pipelines = true;
  layered.reversed = {"layered-tree-reduce"};
  layered.barrier = {"layered-tree-barrier", "all: twice the diameter"};
  Traits disjoint{"disjoint-trees-broadcast",
                  Collective::broadcast,
                  "every network with N * degree^2 up to 2^24",
                  "all",
                  "Ho and Johnsson 1986, Section 3.3.2, on any network",
                  disjoint_trees_claim};
  disjoint.pipelines = true;
  disjoint.reversed = {"disjoint-trees-reduce"};
  Traits halving{"halving-skips-broadcast",
                 Collective::broadcast,
                 "complete:N",
                 "one",
                 "Traff 2024, doubling by skips that halve",
                 "P - 1 + ceil(log2 N) rounds, the bound, for every N tried"};
  halving.reversed = {"halving-skips-reduce"};
  add_row(result, std::move(halving), no_halving_skips, plan_halving_skips, halving_skips_rounds);
  add_row(result, std::move(layered), any_network, plan_layered_broadcast, layered_broadcast_rounds);
  result.push_back(std::make_unique<CatalogRow>(std::move(disjoint), too_large_for_disjoint_trees,
                                                plan_disjoint_trees_broadcast, disjoint_trees_rounds));
}

}  // namespace

Algorithms abelian() {
  Traits fresh_first{"fresh-first-broadcast",
                     Collective::allgather,
                     every_network,
                     full_duplex,
                     "Bertsekas et al. 1991, Section 2, on any network",
                     fresh_first_claim};
  fresh_first.reversed = {"fresh-first-reduction"};
  fresh_first.reversed_then_forward = {"fresh-first-reduction-and-broadcast",
                                       "twice the rounds of fresh-first-broadcast"};
  Algorithms result;
  add_exchanges(result);
  add_searched_row(
      result,
      {"list-scheduling", Collective::task, every_network, any_ports,
       "list scheduling on balanced routes, tried again and again", "rounds not shown to be least"},
      any_network, search_task);
  result.push_back(
      std::make_unique<CatalogRow>(std::move(fresh_first), half_duplex, plan_fresh_first_broadcast));
  add_scatters(result);
  add_broadcasts(result);
  return result;
}

}  // namespace isotrope::planner
