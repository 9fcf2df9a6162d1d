// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"

#include "isotrope/algorithm/broadcast/disjoint_trees_broadcast.hpp"
#include "isotrope/algorithm/broadcast/fresh_first_broadcast.hpp"
#include "isotrope/algorithm/exchange/isotropic_exchange.hpp"
#include "isotrope/algorithm/exchange/least_delay_exchange.hpp"
#include "isotrope/algorithm/irregular/task_routing.hpp"
#include "isotrope/algorithm/scatter/layered_scatter.hpp"
#include "isotrope/algorithm/scatter/level_scatter.hpp"
#include "isotrope/algorithm/scatter/tree_scatter.hpp"
#include "isotrope/algorithm/trees/layered_tree.hpp"

#include "isotrope/planner/catalogue/layered_broadcast.hpp"
#include "isotrope/planner/catalogue/sources.hpp"

namespace isotrope::planner {
namespace {

using algorithm::IsotropicExchange;
using algorithm::RootOrder;
using schedule::Schedule;

std::optional<std::string> any_network(const Problem& /*problem*/) {
  return std::nullopt;
}

std::optional<std::string> limited_ports(const Problem& problem) {
  if (problem.ports.kind == schedule::PortModel::Kind::all_port) return std::nullopt;
  return fmt::format("it uses all ports at once, so it cannot serve {}", to_string(problem.ports));
}

std::optional<std::string> half_duplex(const Problem& problem) {
  if (!problem.ports.half_duplex()) return std::nullopt;
  return fmt::format("every node sends and receives at once, so it cannot serve {}",
                     to_string(problem.ports));
}

IsotropicExchange exchange(const Problem& problem) {
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

// Every destination once.
std::vector<schedule::RelativeDestination> ascending(
    std::vector<schedule::RelativeDestination> destinations) {
  std::sort(destinations.begin(), destinations.end(),
            [](const auto& a, const auto& b) { return a.to < b.to; });
  std::vector<schedule::RelativeDestination> result;
  for (const schedule::RelativeDestination& destination : destinations) {
    if (result.empty() || result.back().to != destination.to) {
      result.push_back(destination);
    } else {
      result.back().blocks += destination.blocks;
    }
  }
  return result;
}

Schedule plan_least_delay(const Problem& problem) {
  if (problem.task.collective == Collective::isotropic) {
    return algorithm::least_delay_exchange(problem.network, ascending(problem.task.destinations),
                                           problem.task.parts);
  }
  return algorithm::least_delay_exchange(problem.network, problem.task);
}

Schedule plan_task(const Problem& problem) {
  return algorithm::task_routing(problem.network, problem.task.deliveries, problem.task.parts, problem.ports);
}

Schedule plan_fresh_first_broadcast(const Problem& problem) {
  return algorithm::fresh_first_broadcast(problem.network, problem.task.parts, problem.ports);
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

// Over all ports at once, where the trees can be searched for.

std::optional<std::string> too_large_for_disjoint_trees(const Problem& problem) {
  if (auto reason = limited_ports(problem)) return reason;
  if (algorithm::DisjointTrees::affordable(problem.network)) return std::nullopt;
  return fmt::format("it searches for its trees, in N * degree^2 steps: {} for {}, and at most {} are taken",
                     problem.network.directed_links() * problem.network.degree(), problem.network.name(),
                     algorithm::DisjointTrees::most_steps);
}

// The search takes longer than what is made of it, and whoever chooses by size asks for many numbers of
// parts: the trees of the last network are kept.
const std::optional<algorithm::DisjointTrees>& disjoint_trees(const network::Network& network) {
  struct Found {
    network::Network network;
    std::optional<algorithm::DisjointTrees> trees;
  };
  thread_local std::optional<Found> last;
  if (!last || !same_network(last->network, network))
    last.emplace(Found{network, algorithm::DisjointTrees::find(network)});
  return last->trees;
}

// More than any other algorithm where there are no trees.
std::uint64_t disjoint_trees_rounds(const Problem& problem) {
  const auto& trees = disjoint_trees(problem.network);
  return trees ? algorithm::disjoint_trees_broadcast_rounds(*trees, problem.task.parts) : no_rounds;
}

Schedule plan_disjoint_trees_broadcast(const Problem& problem) {
  const auto& trees = disjoint_trees(problem.network);
  if (!trees) {
    throw Error(
        fmt::format("the search for disjoint trees of {} ended without them: take another algorithm, "
                    "such as layered-tree-broadcast",
                    problem.network.name()));
  }
  return algorithm::disjoint_trees_broadcast(problem.network, problem.task.root, problem.task.parts, *trees);
}

constexpr std::string_view every_network = "every network";
constexpr std::string_view small_networks = "every network with N * degree^2 up to 2^24";
constexpr std::string_view full_duplex = "all, K, one";
constexpr std::string_view any_ports = "all, K, one, half";
constexpr std::string_view varvarigos = "Varvarigos and Bertsekas 1992";
constexpr std::string_view exchange_claim =
    "least for its routes; the port-sum bound on tori, the distance-sum bound on hypercubes and hexagonal "
    "meshes";
constexpr std::string_view least_delay_claim =
    "as many rounds as isotropic-total-exchange; meets the delay bound on cubes of prime d, hexagonal "
    "meshes, "
    "equal odd tori and odd rings";
constexpr std::string_view fresh_first_claim =
    "max(ceil((N - 1) P / k), diameter) rounds on every network tried: the bound for P = 1";
constexpr std::string_view layered_claim =
    "ceil((N - 1) P / k) rounds, or the diameter, on every network tried; shortest paths";
constexpr std::string_view tree_scatter_claim =
    "any order, any messages; packet by packet over one port (N - 1) P rounds on most networks";
constexpr std::string_view level_claim = "as many rounds as the diameter for unbounded messages: least";
constexpr std::string_view tree_claim = "all: P + diameter - 1 rounds; least for P = 1";
constexpr std::string_view disjoint_trees_claim =
    "ceil(P / degree) + height - 1 rounds for equal heights: diameter + 1 on cubes, up to 2.5 times it "
    "elsewhere";

Traits traits(std::string name, Collective collective, std::string_view ports, std::string_view source,
              std::string_view claim) {
  return {.name = std::move(name),
          .collective = collective,
          .networks = std::string(every_network),
          .ports = std::string(ports),
          .source = std::string(source),
          .claim = std::string(claim)};
}

// The exchanges in which every node sends the same, by the names of the paper.
struct ExchangeName {
  Collective collective;
  std::string_view noun;
};
constexpr std::array exchanges{ExchangeName{Collective::alltoall, "total-exchange"},
                               ExchangeName{Collective::neighborhood, "neighborhood-exchange"},
                               ExchangeName{Collective::isotropic, "exchange"}};

void add_exchanges(Algorithms& result) {
  for (const auto& [collective, noun] : exchanges) {
    const bool listed = collective == Collective::isotropic;
    result.push_back(row(traits(fmt::format("isotropic-{}", noun), collective, full_duplex, varvarigos,
                                listed ? "least for its routes" : exchange_claim),
                         half_duplex, plan_exchange, exchange_rounds));
  }
  for (const auto& [collective, noun] : exchanges) {
    Traits delay = traits(fmt::format("least-delay-{}", noun), collective, "all",
                          "Varvarigos and Bertsekas 1992, Sections 4 and 8", least_delay_claim);
    delay.least_delay = true;
    result.push_back(row(std::move(delay), limited_ports, plan_least_delay, exchange_rounds));
  }
}

void add_scatters(Algorithms& result) {
  Traits layered = traits("layered-scatter", Collective::scatter, full_duplex,
                          "Bertsekas et al. 1991, Section 3, on any network", layered_claim);
  layered.reversed = {"layered-gather", ""};
  Traits level = traits("layered-tree-level-scatter", Collective::scatter, "all",
                        "Ho and Johnsson 1986, Lemma 4.2, along the tree of layered-scatter", level_claim);
  level.strict = false;
  level.aggregates = true;
  level.reversed = {"layered-tree-level-gather", ""};
  Traits tree =
      traits("layered-tree-scatter", Collective::scatter, any_ports,
             "Ho and Johnsson 1986, Section 4.2, along the tree of layered-scatter", tree_scatter_claim);
  tree.takes_order = true;
  tree.aggregates = true;
  tree.reversed = {"layered-tree-gather", ""};
  result.push_back(row(std::move(layered), half_duplex, plan_layered_scatter));
  result.push_back(row(std::move(level), limited_ports, plan_level_scatter));
  result.push_back(std::make_unique<Row>(std::move(tree), Functions{any_network, plan_tree_scatter}));
}

void add_broadcasts(Algorithms& result) {
  Traits layered = traits("layered-tree-broadcast", Collective::broadcast, any_ports,
                          "pipelined along the tree of layered-scatter", tree_claim);
  layered.pipelines = true;
  layered.reversed = {"layered-tree-reduce", ""};
  layered.barrier = {"layered-tree-barrier", "all: twice the diameter"};
  Traits disjoint = traits("disjoint-trees-broadcast", Collective::broadcast, "all",
                           "Ho and Johnsson 1986, Section 3.3.2, on any network", disjoint_trees_claim);
  disjoint.networks = small_networks;
  disjoint.pipelines = true;
  disjoint.reversed = {"disjoint-trees-reduce", ""};
  result.push_back(row(std::move(layered), any_network, plan_layered_broadcast, layered_broadcast_rounds));
  result.push_back(row(std::move(disjoint), too_large_for_disjoint_trees, plan_disjoint_trees_broadcast,
                       disjoint_trees_rounds));
}

}  // namespace

Algorithms abelian() {
  Traits fresh_first = traits("fresh-first-broadcast", Collective::allgather, full_duplex,
                              "Bertsekas et al. 1991, Section 2, on any network", fresh_first_claim);
  fresh_first.reversed = {"fresh-first-reduction", ""};
  fresh_first.reversed_then_forward = {"fresh-first-reduction-and-broadcast", "twice the rounds of either"};
  Algorithms result;
  add_exchanges(result);
  result.push_back(
      row(traits("list-scheduling", Collective::task, any_ports, "list scheduling on balanced routes",
                 "shortest paths; rounds not shown to be least"),
          any_network, plan_task));
  result.push_back(row(std::move(fresh_first), half_duplex, plan_fresh_first_broadcast));
  add_scatters(result);
  add_broadcasts(result);
  return result;
}

}  // namespace isotrope::planner
