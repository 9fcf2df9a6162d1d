// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
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

#include "isotrope/planner/backwards.hpp"
#include "isotrope/planner/layered_broadcast.hpp"
#include "isotrope/planner/sources.hpp"

namespace isotrope::planner {
namespace {

using algorithm::IsotropicExchange;
using algorithm::RootOrder;
using schedule::Collective;
using schedule::Schedule;

std::optional<std::string> no_misfit(const Request& /*request*/) {
  return std::nullopt;
}

std::optional<std::string> limited_ports(const Request& request) {
  if (request.ports.kind == schedule::PortModel::Kind::all_port) return std::nullopt;
  return fmt::format("it uses all ports at once, so it cannot serve {}", to_string(request.ports));
}

std::optional<std::string> half_duplex(const Request& request) {
  if (!request.ports.half_duplex()) return std::nullopt;
  return fmt::format("every node sends and receives at once, so it cannot serve {}",
                     to_string(request.ports));
}

// Every schedule below that is not told by a formula.
template <Schedule (*make)(const Request&)>
std::uint64_t counted_rounds(const Request& request) {
  return make(request).round_count();
}

IsotropicExchange exchange(const Request& request) {
  if (request.task.collective == Collective::isotropic)
    return {request.network, std::span<const schedule::RelativeDestination>(request.destinations),
            request.task.parts, request.ports};
  return {request.network, request.task, request.ports};
}

std::uint64_t exchange_rounds(const Request& request) {
  return exchange(request).rounds();
}

Schedule plan_exchange(const Request& request) {
  return exchange(request).schedule();
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

Schedule plan_least_delay(const Request& request) {
  if (request.task.collective == Collective::isotropic) {
    return algorithm::least_delay_exchange(request.network, ascending(request.destinations),
                                           request.task.parts);
  }
  return algorithm::least_delay_exchange(request.network, request.task);
}

Schedule plan_task(const Request& request) {
  return algorithm::task_routing(request.network, request.deliveries, request.task.parts, request.ports);
}

Schedule plan_fresh_first_broadcast(const Request& request) {
  return algorithm::fresh_first_broadcast(request.network, request.task.parts, request.ports);
}

constexpr auto plan_fresh_first_reduction = backwards<Collective::allgather, plan_fresh_first_broadcast>;

Schedule plan_reduction_and_broadcast(const Request& request) {
  return concatenate(plan_fresh_first_reduction(request), plan_fresh_first_broadcast(request));
}

Schedule plan_layered_scatter(const Request& request) {
  return algorithm::layered_scatter(request.network, request.task.root, request.task.parts, request.ports);
}

algorithm::RootedTree rooted(const Request& request) {
  const algorithm::LayeredTree tree(request.network, request.task.root);
  return {request.network, request.task.root, algorithm::child_ports(request.network, tree)};
}

Schedule plan_tree_scatter(const Request& request) {
  constexpr RootOrder by_packets{RootOrder::Sequence::reverse_breadth_first, true};
  constexpr RootOrder merged{RootOrder::Sequence::postorder, true};
  const RootOrder own = request.merge == 1 ? by_packets : merged;
  return algorithm::tree_scatter(
      request.network, rooted(request),
      {request.task.parts, request.ports, request.order.value_or(own), request.merge});
}

Schedule plan_level_scatter(const Request& request) {
  return algorithm::level_scatter(request.network, rooted(request), request.task.parts, request.merge);
}

constexpr auto plan_tree_reduce = backwards<Collective::broadcast, plan_layered_broadcast>;

// Over all ports at once, where the trees can be searched for.

std::optional<std::string> too_large_for_disjoint_trees(const Request& request) {
  if (auto misfit = limited_ports(request)) return misfit;
  if (algorithm::DisjointTrees::affordable(request.network)) return std::nullopt;
  return fmt::format("it searches for its trees, in N * degree^2 steps: {} for {}, and at most {} are taken",
                     request.network.directed_links() * request.network.degree(), request.network.name(),
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
std::uint64_t disjoint_trees_rounds(const Request& request) {
  const auto& trees = disjoint_trees(request.network);
  return trees ? algorithm::disjoint_trees_broadcast_rounds(*trees, request.task.parts) : UINT64_MAX;
}

Schedule plan_disjoint_trees_broadcast(const Request& request) {
  const auto& trees = disjoint_trees(request.network);
  if (!trees) {
    throw Error(
        fmt::format("the search for disjoint trees of {} ended without them: take another algorithm, "
                    "such as layered-tree-broadcast",
                    request.network.name()));
  }
  return algorithm::disjoint_trees_broadcast(request.network, request.task.root, request.task.parts, *trees);
}

// A barrier is a reduction of nothing and the news that it is done.
Schedule plan_barrier(const Request& request) {
  return concatenate(plan_tree_reduce(request), plan_layered_broadcast(request));
}

std::uint64_t barrier_rounds(const Request& request) {
  return 2 * layered_broadcast_rounds(request);
}

constexpr std::string_view every_network = "every network";
constexpr std::string_view small_networks = "every network with N * degree^2 up to 2^24";
constexpr std::string_view full_duplex = "all, K, one";
constexpr std::string_view any_ports = "all, K, one, half";
constexpr std::string_view varvarigos = "Varvarigos and Bertsekas 1992";
constexpr std::string_view exchange_claim =
    "least for its routes; the port-sum bound on tori, the distance-sum bound on hypercubes and hexagonal "
    "meshes";
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

// The last: for the objective delay.
constexpr Algorithm least_delay(std::string_view name, Collective collective) {
  return {
      name,
      collective,
      every_network,
      "all",
      "Varvarigos and Bertsekas 1992, Sections 4 and 8",
      "rounds as without; the delay bound on cubes of prime d, hexagonal meshes, equal odd tori, odd rings",
      limited_ports,
      exchange_rounds,
      plan_least_delay,
      false,
      false,
      false,
      true};
}

constexpr std::array algorithms{
    Algorithm{"isotropic-total-exchange", Collective::alltoall, every_network, full_duplex, varvarigos,
              exchange_claim, half_duplex, exchange_rounds, plan_exchange},
    Algorithm{"isotropic-neighborhood-exchange", Collective::neighborhood, every_network, full_duplex,
              varvarigos, exchange_claim, half_duplex, exchange_rounds, plan_exchange},
    Algorithm{"isotropic-exchange", Collective::isotropic, every_network, full_duplex, varvarigos,
              "least for its routes", half_duplex, exchange_rounds, plan_exchange},
    least_delay("least-delay-total-exchange", Collective::alltoall),
    least_delay("least-delay-neighborhood-exchange", Collective::neighborhood),
    least_delay("least-delay-exchange", Collective::isotropic),
    Algorithm{"list-scheduling", Collective::task, every_network, any_ports,
              "list scheduling on balanced routes", "shortest paths; rounds not shown to be least", no_misfit,
              counted_rounds<plan_task>, plan_task},
    Algorithm{"fresh-first-broadcast", Collective::allgather, every_network, full_duplex,
              "Bertsekas et al. 1991, Section 2, on any network", fresh_first_claim, half_duplex,
              counted_rounds<plan_fresh_first_broadcast>, plan_fresh_first_broadcast},
    Algorithm{"fresh-first-reduction", Collective::reduce_scatter, every_network, full_duplex,
              "fresh-first-broadcast, reversed", fresh_first_claim, half_duplex,
              counted_rounds<plan_fresh_first_broadcast>, plan_fresh_first_reduction},
    Algorithm{"fresh-first-reduction-and-broadcast", Collective::allreduce, every_network, full_duplex,
              "fresh-first-reduction, then fresh-first-broadcast", "twice the rounds of either", half_duplex,
              counted_rounds<plan_reduction_and_broadcast>, plan_reduction_and_broadcast},
    Algorithm{"layered-scatter", Collective::scatter, every_network, full_duplex,
              "Bertsekas et al. 1991, Section 3, on any network", layered_claim, half_duplex,
              counted_rounds<plan_layered_scatter>, plan_layered_scatter},
    Algorithm{"layered-gather", Collective::gather, every_network, full_duplex, "layered-scatter, reversed",
              layered_claim, half_duplex, counted_rounds<plan_layered_scatter>,
              backwards<Collective::scatter, plan_layered_scatter>},
    Algorithm{"layered-tree-level-scatter", Collective::scatter, every_network, "all",
              "Ho and Johnsson 1986, Lemma 4.2, along the tree of layered-scatter", level_claim,
              limited_ports, counted_rounds<plan_level_scatter>, plan_level_scatter, false, true, true},
    Algorithm{"layered-tree-scatter", Collective::scatter, every_network, any_ports,
              "Ho and Johnsson 1986, Section 4.2, along the tree of layered-scatter", tree_scatter_claim,
              no_misfit, counted_rounds<plan_tree_scatter>, plan_tree_scatter, true, true, false},
    Algorithm{"layered-tree-level-gather", Collective::gather, every_network, "all",
              "layered-tree-level-scatter, reversed", level_claim, limited_ports,
              counted_rounds<plan_level_scatter>, backwards<Collective::scatter, plan_level_scatter>, false,
              true, true},
    Algorithm{"layered-tree-gather", Collective::gather, every_network, any_ports,
              "layered-tree-scatter, reversed", tree_scatter_claim, no_misfit,
              counted_rounds<plan_tree_scatter>, backwards<Collective::scatter, plan_tree_scatter>, true,
              true, false},
    Algorithm{"layered-tree-broadcast", Collective::broadcast, every_network, any_ports,
              "pipelined along the tree of layered-scatter", tree_claim, no_misfit, layered_broadcast_rounds,
              plan_layered_broadcast},
    Algorithm{"layered-tree-reduce", Collective::reduce, every_network, any_ports,
              "layered-tree-broadcast, reversed", tree_claim, no_misfit, layered_broadcast_rounds,
              plan_tree_reduce},
    Algorithm{"disjoint-trees-broadcast", Collective::broadcast, small_networks, "all",
              "Ho and Johnsson 1986, Section 3.3.2, on any network", disjoint_trees_claim,
              too_large_for_disjoint_trees, disjoint_trees_rounds, plan_disjoint_trees_broadcast},
    Algorithm{"disjoint-trees-reduce", Collective::reduce, small_networks, "all",
              "disjoint-trees-broadcast, reversed", disjoint_trees_claim, too_large_for_disjoint_trees,
              disjoint_trees_rounds, backwards<Collective::broadcast, plan_disjoint_trees_broadcast>},
    Algorithm{"layered-tree-barrier", Collective::barrier, every_network, any_ports,
              "layered-tree-reduce, then layered-tree-broadcast", "all: twice the diameter", no_misfit,
              barrier_rounds, plan_barrier},
};

}  // namespace

std::span<const Algorithm> abelian() {
  return algorithms;
}

}  // namespace isotrope::planner
