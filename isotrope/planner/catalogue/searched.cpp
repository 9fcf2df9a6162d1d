// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include <deque>
#include <utility>

#include <fmt/format.h>

#include "isotrope/network/complete.hpp"
#include "isotrope/network/surviving_network.hpp"
#include "isotrope/network/torus_axes.hpp"

#include "isotrope/schedule/delivery.hpp"

#include "isotrope/bound/lower_bounds.hpp"

#include "isotrope/algorithm/broadcast/lane_broadcast.hpp"
#include "isotrope/algorithm/broadcast/leader_broadcast.hpp"
#include "isotrope/algorithm/broadcast/rarest_first_broadcast.hpp"
#include "isotrope/algorithm/broadcast/striped_broadcast.hpp"
#include "isotrope/algorithm/broadcast/tree_messages.hpp"
#include "isotrope/algorithm/irregular/task_routing.hpp"
#include "isotrope/algorithm/lanes.hpp"
#include "isotrope/algorithm/search_limits.hpp"

#include "isotrope/planner/catalogue/shared.hpp"

namespace isotrope::planner {
namespace {

using schedule::Schedule;

Schedule search_broadcast(const Problem& problem, const Parameters& parameters) {
  return algorithm::rarest_first_broadcast({problem.network, problem.failed}, problem.task.root,
                                           problem.task.parts, problem.ports,
                                           search_limits(problem, parameters));
}

// A broadcast of one packet, whose tree the messages follow.
Schedule tree_of(Problem problem, const Parameters& parameters) {
  problem.task.collective = Collective::broadcast;
  problem.task.parts = 1;
  problem.aggregation = 1;
  return last_found(search_broadcast, problem, parameters);
}

Schedule plan_tree_broadcast(const Problem& problem, const Parameters& parameters) {
  return algorithm::tree_message_broadcast(tree_of(problem, parameters), problem.task.parts);
}

Schedule plan_tree_scatter(const Problem& problem, const Parameters& parameters) {
  return algorithm::tree_message_scatter(problem.network, problem.task.root, problem.task.parts,
                                         tree_of(problem, parameters));
}

std::uint64_t tree_rounds(const Problem& problem, const Parameters& parameters) {
  return tree_of(problem, parameters).round_count();
}

// The links that one construction looks at: all of them in every round, and there are about as many rounds as the
// bounds by degree and distance say together.
std::uint64_t links_of_broadcast(const Problem& problem) {
  const Network& network = problem.network;
  const std::uint64_t ports = problem.ports.sends(network.degree());
  const std::uint64_t packets = problem.task.parts / ports * (problem.ports.half_duplex() ? 2 : 1);
  return network.directed_links() * (network.diameter() + packets);
}

Reason too_large_for_broadcast(const Problem& problem) {
  constexpr std::uint64_t most_links = std::uint64_t{1} << 25;
  if (problem.network.order() == 1) return std::nullopt;
  const std::uint64_t links = links_of_broadcast(problem);
  if (links <= most_links) return std::nullopt;
  return fmt::format(
      "it looks at all links in every round: about {} for {} in {} parts, and at most {} are taken", links,
      problem.network.name(), problem.task.parts, most_links);
}

Reason unsuitable_for_tree(Problem problem) {
  if (auto reason = partly_aggregated(problem)) return reason;
  problem.task.parts = 1;
  return too_large_for_broadcast(problem);
}

void add_tree_messages(Algorithms& result) {
  Traits broadcast{"searched-tree-broadcast",
                   Collective::broadcast,
                   "every network with about 2^25 links in all rounds together",
                   any_ports,
                   "messages along the tree of rarest-first-broadcast of one packet",
                   "the fewest rounds on most networks"};
  broadcast.strict = false;
  broadcast.aggregates = broadcast.searched = true;
  Traits scatter = broadcast;
  scatter.name = "searched-tree-scatter";
  scatter.collective = Collective::scatter;
  broadcast.reversed = {"searched-tree-reduce"};
  scatter.reversed = {"searched-tree-gather"};
  result.push_back(std::make_unique<CatalogRow>(std::move(broadcast), unsuitable_for_tree,
                                                plan_tree_broadcast, tree_rounds));
  result.push_back(
      std::make_unique<CatalogRow>(std::move(scatter), unsuitable_for_tree, plan_tree_scatter, tree_rounds));
}

// Several ranks a node.

Schedule search_striped_broadcast(const Problem& problem, const Parameters& parameters) {
  return algorithm::striped_broadcast(problem.network, problem.failed, problem.task.root, problem.task.parts,
                                      search_limits(problem, parameters));
}

Reason unsuitable_for_stripes(const Problem& problem) {
  if (auto reason = limited_ports(problem)) return reason;
  if (auto reason = algorithm::lacks_lanes(problem.network, problem.failed)) return reason;
  return too_large_for_broadcast(problem);
}

void add_striped(Algorithms& result) {
  Traits broadcast{
      "striped-broadcast",
      Collective::broadcast,
      networks_of_lanes,
      "all",
      "a stripe of the vector a lane, each by rarest-first-broadcast on the network of the nodes",
      "2 rounds more than the broadcast of a stripe, if links within a node are fast enough"};
  broadcast.around_failures = broadcast.for_machines = true;
  broadcast.reversed = {"striped-reduce"};
  add_searched_row(result, std::move(broadcast), unsuitable_for_stripes, search_striped_broadcast);
}

// Of single packets, which messages take together afterwards.
Problem broadcast_among_nodes(const Problem& problem) {
  Problem result = on_nodes(problem);
  result.task.collective = Collective::broadcast;
  result.aggregation = 1;
  return result;
}

Schedule plan_leader_broadcast(const Problem& problem, const Parameters& parameters) {
  const Problem nodes = broadcast_among_nodes(problem);
  const Schedule node = broadcast_in_node(problem, parameters);
  Schedule result = algorithm::leader_broadcast(
      problem.network, problem.failed, algorithm::ports_of_links(problem.network, nodes.network),
      problem.task.root, problem.task.parts, last_found(search_broadcast, nodes, parameters), node);
  result.ports = problem.ports;
  return result;
}

std::uint64_t leader_rounds(const Problem& problem, const Parameters& parameters) {
  const std::uint64_t node = broadcast_in_node(problem, parameters).round_count();
  return node + last_found(search_broadcast, broadcast_among_nodes(problem), parameters).round_count();
}

Reason unsuitable_for_leaders(const Problem& problem) {
  if (auto reason = partly_aggregated(problem)) return reason;
  if (auto reason = algorithm::lacks_lanes(problem.network, problem.failed)) return reason;
  return too_large_for_broadcast(problem);
}

void add_leaders(Algorithms& result) {
  Traits broadcast{
      "leader-broadcast",
      Collective::broadcast,
      networks_of_lanes,
      any_ports,
      "rarest-first-broadcast among one rank of each node, then one message to each other rank there",
      "rounds of the broadcast on the network of the nodes and of one packet within a node"};
  broadcast.strict = false;
  broadcast.aggregates = broadcast.searched = broadcast.streams = true;
  broadcast.around_failures = broadcast.for_machines = true;
  broadcast.reversed = {"leader-reduce"};
  broadcast.reversed_then_forward = {"leader-allreduce"};
  broadcast.barrier = {"leader-barrier"};
  result.push_back(std::make_unique<CatalogRow>(std::move(broadcast), unsuitable_for_leaders,
                                                plan_leader_broadcast, leader_rounds));
}

// Tori of any size, over one port or half duplex.

Reason unsuitable_for_lanes(const Problem& problem) {
  using schedule::PortModel;
  const auto axes = torus_axes(problem.network);
  if (!axes || axes->empty()) return fmt::format("it needs a torus, not {}", problem.network.name());
  constexpr std::uint64_t most_nodes = std::uint64_t{1} << 24;
  if (problem.network.order() > most_nodes)
    return fmt::format("it keeps calendars of all nodes: {} has {}, and at most {} are taken",
                       problem.network.name(), problem.network.order(), most_nodes);
  if (problem.ports == PortModel::one() || problem.ports.half_duplex()) return std::nullopt;
  return fmt::format("its nodes send over one port, and {} was given", to_string(problem.ports));
}

// The last ones are kept: they know the periods of their pipelines, and a choice by size wants many of these.
algorithm::LaneBroadcast& lanes(const Problem& problem) {
  struct Kept {
    Problem problem;
    algorithm::LaneBroadcast lanes;
  };
  constexpr std::size_t most_kept = 8;
  thread_local std::deque<Kept> kept;
  for (Kept& last : kept) {
    if (same_network(last.problem.network, problem.network) && last.problem.ports == problem.ports)
      return last.lanes;
  }
  if (kept.size() == most_kept) kept.pop_back();
  kept.push_front({problem, algorithm::LaneBroadcast(problem.network, problem.ports)});
  return kept.front().lanes;
}

void add_lanes(Algorithms& result) {
  Traits traits{"lane-broadcast",
                Collective::broadcast,
                "tori of up to 2^24 nodes",
                "one, half",
                "waves along parallel lanes, a tree for each",
                "for many packets on large tori; 1.1 to 1.4 times the bound over one port in 2 or 3 "
                "dimensions of 16 or more"};
  traits.searched = true;
  traits.reversed = {"lane-reduce"};
  add_row(
      result, std::move(traits), unsuitable_for_lanes,
      [](const Problem& problem) { return lanes(problem).schedule(problem.task.root, problem.task.parts); },
      [](const Problem& problem) { return lanes(problem).rounds(problem.task.parts); });
}

// Exchanges in which every node sends the same, without use of the symmetry: nodes may send the same block different
// ways round.

Schedule search_exchange(const Problem& problem, const Parameters& parameters) {
  return algorithm::task_routing({problem.network, {}}, deliveries_of(problem), problem.task.parts,
                                 problem.ports, search_limits(problem, parameters));
}

Reason too_large_for_lists(const Problem& problem) {
  return too_many_hops(problem, std::uint64_t{1} << 12);
}

void add_exchanges_by_lists(Algorithms& result) {
  for (const auto& [collective, noun] : {std::pair(Collective::alltoall, "total-exchange"),
                                         std::pair(Collective::neighborhood, "neighborhood-exchange"),
                                         std::pair(Collective::isotropic, "exchange")}) {
    add_searched_row(
        result,
        {fmt::format("list-scheduled-{}", noun), collective, "every network with at most 2^12 hops",
         any_ports, "list scheduling of all packets, tried again and again",
         "at the bound for many small exchanges that differ by direction; else not shown to be least"},
        too_large_for_lists, search_exchange);
  }
}

}  // namespace

Problem on_nodes(Problem problem) {
  problem.task.root /= algorithm::places_of_node(problem.network);
  problem.failed = algorithm::failures_of_nodes(problem.network, problem.failed);
  problem.network = algorithm::lane_of(problem.network).network;
  problem.ports = algorithm::ports_within(problem.ports, problem.network.degree());
  return problem;
}

const Schedule& broadcast_in_node(const Problem& problem, const Parameters& parameters) {
  const std::uint32_t places = algorithm::places_of_node(problem.network);
  const Problem node{
      .network = network::complete(places),
      .failed = {},
      .task = {.collective = Collective::broadcast, .root = problem.task.root % places, .parts = 1},
      .ports = algorithm::ports_within(problem.ports, places - 1)};
  return last_found(search_broadcast, node, {.seed = parameters.seed, .brief = parameters.brief});
}

Algorithms searched() {
  Traits broadcast{"rarest-first-broadcast",
                   Collective::broadcast,
                   "every network with about 2^25 links in all rounds together",
                   any_ports,
                   "rarest first, as in file distribution among peers; matchings over fewer ports",
                   "fewest transmissions; at the bound or a few per cent above it on most networks"};
  broadcast.around_failures = true;
  broadcast.reversed = {"rarest-first-reduce"};
  Algorithms result;
  add_searched_row(result, std::move(broadcast), too_large_for_broadcast, search_broadcast);
  add_striped(result);
  add_leaders(result);
  add_lanes(result);
  add_tree_messages(result);
  add_exchanges_by_lists(result);
  return result;
}

}  // namespace isotrope::planner
