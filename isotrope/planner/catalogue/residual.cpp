// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "isotrope/network/rates.hpp"
#include "isotrope/network/surviving_network.hpp"

#include "isotrope/schedule/ceil_div.hpp"
#include "isotrope/schedule/delivery.hpp"
#include "isotrope/schedule/transform.hpp"

#include "isotrope/algorithm/allreduce/mirrored_broadcasts.hpp"
#include "isotrope/algorithm/broadcast/tree_broadcast.hpp"
#include "isotrope/algorithm/irregular/flow_scatter.hpp"
#include "isotrope/algorithm/irregular/merged_allgather.hpp"
#include "isotrope/algorithm/irregular/plan_repair.hpp"
#include "isotrope/algorithm/irregular/rarest_first_allgather.hpp"
#include "isotrope/algorithm/irregular/striped_merged_allgather.hpp"
#include "isotrope/algorithm/irregular/task_routing.hpp"
#include "isotrope/algorithm/lanes.hpp"
#include "isotrope/algorithm/trees/surviving_tree.hpp"

#include "isotrope/planner/catalogue/shared.hpp"
#include "isotrope/planner/plan.hpp"

namespace isotrope::planner {
namespace {

using schedule::Schedule;

Reason nothing_failed(const Problem& problem) {
  if (!problem.failed.empty()) return std::nullopt;
  return "it plans around failures and nothing has failed";
}

// Flows also share packets among links of unlike rates, which trees of single ports do not.
Reason nothing_lacks_and_rates_are_1(const Problem& problem) {
  if (!problem.failed.empty() || network::has_copies(problem.network)) return std::nullopt;
  return "it plans around failures and on networks of unlike links; nothing has failed, and all rates are 1";
}

network::SurvivingNetwork survivors(const Problem& problem) {
  return {problem.network, problem.failed};
}

Schedule plan_tree_broadcast(Problem problem) {
  if (problem.aggregated()) {
    const std::uint32_t parts = problem.task.parts;
    const std::uint64_t merged = std::min<std::uint64_t>(problem.aggregation, parts);
    problem.aggregation = 1;
    problem.task.parts = static_cast<std::uint32_t>(schedule::ceil_div(parts, merged));
    return schedule::group_packets(plan_tree_broadcast(problem), parts, merged);
  }
  return algorithm::tree_broadcast(problem.network, problem.task.root, problem.task.parts, problem.ports,
                                   algorithm::surviving_tree(survivors(problem), problem.task.root));
}

Schedule search_allgather(const Problem& problem, const Parameters& /*parameters*/) {
  return algorithm::rarest_first_allgather(survivors(problem), problem.task.parts, problem.ports);
}

Reason unsuitable_for_flows(const Problem& problem) {
  constexpr std::uint64_t most_hops = std::uint64_t{1} << 24;
  if (auto reason = nothing_lacks_and_rates_are_1(problem)) return reason;
  if (auto reason = limited_ports(problem)) return reason;
  const std::vector<network::Edge>& edges = problem.failed.edges;
  const std::uint64_t links = edges.empty() ? problem.network.directed_links() : 2 * edges.size();
  if (links <= most_hops / problem.task.parts) return std::nullopt;
  return fmt::format(
      "it routes packet by packet: {} in {} parts has {} directed links, and links times parts may be {}",
      problem.network.name(), problem.task.parts, links, most_hops);
}

Schedule search_flow_scatter(const Problem& problem, const Parameters& parameters) {
  return algorithm::flow_scatter(survivors(problem), problem.task.root, problem.task.parts,
                                 search_limits(problem, parameters).target);
}

// A reduction at a survivor and a broadcast from there.
Schedule plan_reduction_and_broadcast(const Problem& problem) {
  Problem rooted = problem;
  rooted.task.collective = Collective::broadcast;
  rooted.task.root = reduction_root(problem);
  return reversed_then_forward(rooted.network, rooted.task, plan_tree_broadcast(rooted));
}

// ---- messages of any number of packets

std::uint64_t packets_of(const Problem& problem) {
  const std::uint64_t nodes = problem.network.order();
  std::uint64_t blocks = is_rooted(problem.task.collective) ? nodes : nodes * nodes;
  if (problem.task.collective == Collective::task) {
    blocks = 0;
    for (const schedule::Delivery& delivery : problem.task.deliveries) blocks += delivery.blocks;
  }
  return blocks * problem.task.parts;
}

// On a network without failures, other algorithms use its symmetry for all but tasks.
Reason unsuitable_for_merging(const Problem& problem) {
  constexpr std::uint64_t most_packets = std::uint64_t{1} << 22;
  if (problem.task.collective != Collective::task) {
    if (auto reason = nothing_failed(problem)) return reason;
  }
  if (auto reason = limited_ports(problem)) return reason;
  if (auto reason = partly_aggregated(problem)) return reason;
  const std::uint64_t packets = packets_of(problem);
  if (packets <= most_packets) return std::nullopt;
  return fmt::format(
      "it lists the hops of up to {} packets, and {} are taken: give fewer parts or a smaller network",
      packets, most_packets);
}

Schedule plan_merged_deliveries(const Problem& problem) {
  return algorithm::merged_task_routing(survivors(problem), deliveries_of(problem), problem.task.parts);
}

Reason unsuitable_for_striping(const Problem& problem) {
  if (auto reason = algorithm::lacks_lanes(problem.network, problem.failed)) return reason;
  return unsuitable_for_merging(problem);
}

Schedule plan_striped_allgather(const Problem& problem) {
  return algorithm::striped_merged_allgather(problem.network, problem.failed, problem.task.parts);
}

Schedule plan_merged_allgather(const Problem& problem) {
  return algorithm::merged_allgather(survivors(problem), problem.task.parts);
}

// ---- allreduce by broadcasts and their mirror

template <algorithm::MirrorRoots roots>
Schedule search_mirrored(const Problem& problem, const Parameters& parameters) {
  return algorithm::mirrored_broadcasts(survivors(problem), problem.task.parts,
                                        search_limits(problem, parameters), roots);
}

const Schedule& mirrored_group(Problem problem, const Parameters& parameters, std::uint32_t parts) {
  using Roots = algorithm::MirrorRoots;
  const Search search =
      parts == problem.task.parts ? search_mirrored<Roots::any> : search_mirrored<Roots::fixed>;
  problem.task.parts = parts;
  return last_found(search, problem, parameters);
}

std::uint64_t nodes_up(const Problem& problem) {
  return problem.network.order() - problem.failed.nodes.size();
}

Schedule plan_mirrored(const Problem& problem, const Parameters& parameters) {
  const auto groups = algorithm::mirrored_groups(nodes_up(problem), problem.task.parts);
  if (groups.size() == 1) return mirrored_group(problem, parameters, groups.front());
  return algorithm::groups_in_turn(groups, [&](std::uint32_t parts) -> const Schedule& {
    return mirrored_group(problem, parameters, parts);
  });
}

std::uint64_t mirrored_rounds(const Problem& problem, const Parameters& parameters) {
  std::uint64_t rounds = 0;
  for (const std::uint32_t parts : algorithm::mirrored_groups(nodes_up(problem), problem.task.parts))
    rounds += mirrored_group(problem, parameters, parts).round_count();
  return rounds;
}

Reason unsuitable_for_mirror(const Problem& problem) {
  if (auto reason = nothing_failed(problem)) return reason;
  if (auto reason = limited_ports(problem)) return reason;
  constexpr std::uint64_t most_nodes = std::uint64_t{1} << 11;
  const std::uint64_t nodes = nodes_up(problem);
  if (nodes >= 2 && nodes <= most_nodes) return std::nullopt;
  return fmt::format("it keeps sets of all packets at every node: it takes 2 to {} nodes, and {} are up",
                     most_nodes, nodes);
}

void add_mirrored(Algorithms& result) {
  Traits traits{
      "mirrored-broadcasts-allreduce",
      Collective::allreduce,
      "every network with failures or open axes, up to 2^11 nodes",
      "all",
      "staggered broadcasts, rarest first, together with their time mirror",
      "fewest transmissions; up to 12 % above the bound on meshes of 16 to 512 nodes, 0.6 to 1 times "
      "the rounds of a reduce-scatter and an allgather"};
  traits.around_failures = traits.searched = true;
  result.push_back(
      std::make_unique<CatalogRow>(std::move(traits), unsuitable_for_mirror, plan_mirrored, mirrored_rounds));
}

// Before the packets are listed; the hops are counted when they are routed.
Reason too_many_to_route(const Problem& problem) {
  if (auto reason = nothing_failed(problem)) return reason;
  constexpr std::uint64_t most_packets = std::uint64_t{1} << 25;
  const std::uint64_t packets = packets_of(problem);
  if (packets <= most_packets) return std::nullopt;
  return fmt::format(
      "it lists the routes of up to {} packets, and there are {}: give fewer parts or a smaller network",
      most_packets, packets);
}

// One try: the detours take longer than all else.
Schedule plan_deliveries(const Problem& problem) {
  algorithm::SearchLimits limits = search_limits(problem, {});
  limits.runs = 1;
  return algorithm::task_routing(survivors(problem), deliveries_of(problem), problem.task.parts,
                                 problem.ports, limits);
}

Schedule plan_deliveries_of(const Problem& problem, const Parameters& /*parameters*/) {
  return plan_deliveries(problem);
}

Reason unsuitable_for_repair(const Problem& problem) {
  constexpr std::uint64_t most_hops = std::uint64_t{1} << 24;
  if (!problem.failed.any_failed())
    return "it repairs a plan around failed nodes and links, and none has failed";
  if (auto reason = limited_ports(problem)) return reason;
  return too_many_hops(problem, most_hops);
}

// The planner's choice for the network before nodes and links failed.
Schedule plan_before_failures(Problem problem) {
  problem.failed = problem.failed.before();
  return choose(problem).schedule(problem, {});
}

// Repair needs one stage of single packets.
bool is_repairable(const Schedule& whole) {
  return whole.stages.size() == 1 && whole.stages.front().flow == schedule::Flow::move;
}

Schedule repair_exchange(const Problem& problem, const Parameters& parameters) {
  constexpr std::uint64_t most_links = std::uint64_t{1} << 24, most_brief_links = std::uint64_t{1} << 20;
  constexpr std::uint64_t most_slots = std::uint64_t{1} << 26;
  algorithm::SearchLimits limits = search_limits(problem, parameters);
  limits.links = parameters.brief ? most_brief_links : most_links;
  if (const Schedule whole = plan_before_failures(problem); is_repairable(whole)) {
    auto repaired = algorithm::repair_total_exchange(survivors(problem), problem.task, whole,
                                                     most_slots / problem.network.directed_links(), limits);
    if (repaired) return *std::move(repaired);
  }
  return plan_deliveries(problem);
}

// Whether no quicker row serves: routes and detours of all packets take longer than a farthest-first exchange, or than
// a repair of many packets.
bool is_quickest(const Problem& problem) {
  constexpr std::uint64_t most_hops = std::uint64_t{1} << 15;
  if (!unsuitable_for_farthest_first(problem) && is_searched_quickly(problem.network)) return false;
  return unsuitable_for_repair(problem) || !too_many_hops(problem, most_hops);
}

constexpr const char* rarest_claim = "fewest transmissions; rounds not shown to be least";
constexpr const char* both = "surviving-tree-reduce, then surviving-tree-broadcast";

Traits around_failures(std::string name, Collective collective, std::string claim) {
  Traits result{std::move(name),
                collective,
                "every network with failures",
                any_ports,
                "Chen, Shin, Kandlur 1990, Section III, on any network",
                std::move(claim)};
  result.around_failures = true;
  return result;
}

}  // namespace

Algorithms residual() {
  Traits tree = around_failures("surviving-tree-broadcast", Collective::broadcast,
                                "all: P + h - 1 rounds, h hops to the farthest survivor; least for P = 1");
  tree.reversed = {"surviving-tree-reduce"};
  Traits allgather = around_failures("rarest-first-allgather", Collective::allgather, rarest_claim);
  allgather.searched = allgather.single_pass = true;
  allgather.reversed = {"rarest-first-reduce-scatter"};
  allgather.reversed_then_forward = {"rarest-first-allreduce"};
  Traits allreduce = around_failures("surviving-tree-allreduce", Collective::allreduce, both);
  allreduce.whole_vector = true;
  Traits barrier = around_failures("surviving-tree-barrier", Collective::barrier, both);
  tree.aggregates = barrier.aggregates = true;
  Traits scatter =
      around_failures("flow-scatter", Collective::scatter,
                      "the fewest rounds of all schedules, where N * degree * rounds is up to 2^22");
  scatter.networks = "every network with failures, open axes or rates and up to 2^24 / P directed links";
  scatter.ports = "all";
  scatter.source = "Ford and Fulkerson 1962, flows over time";
  scatter.reversed = {"flow-gather"};
  Algorithms result;
  add_row(result, tree, nothing_failed, plan_tree_broadcast);
  add_searched_row(result, std::move(allgather), nothing_failed, search_allgather);
  add_row(result, allreduce, nothing_failed, plan_reduction_and_broadcast);
  add_row(result, barrier, nothing_failed, plan_reduction_and_broadcast);
  add_searched_row(result, std::move(scatter), unsuitable_for_flows, search_flow_scatter);
  add_mirrored(result);
  Traits repaired = around_failures("repaired-total-exchange", Collective::alltoall,
                                    "at the bound or a few per cent above it");
  repaired.networks = "every network with failed nodes or links and at most 2^24 hops";
  repaired.ports = "all";
  repaired.source = "the plan of the whole network, with packets inserted anew by ejection chains";
  add_searched_row(result, std::move(repaired), unsuitable_for_repair, repair_exchange);
  // Personal packets, all routed by one algorithm.
  constexpr const char* routed_claim = "a light busiest link, with detours; rounds not shown to be least";
  result.push_back(std::make_unique<CatalogRow>(
      around_failures("surviving-total-exchange", Collective::alltoall, routed_claim), too_many_to_route,
      plan_deliveries_of, CatalogRow::Function<std::uint64_t>{}, is_quickest));
  for (const auto& [collective, name] :
       {std::pair(Collective::scatter, "surviving-scatter"),
        std::pair(Collective::gather, "surviving-gather"),
        std::pair(Collective::neighborhood, "surviving-neighborhood-exchange"),
        std::pair(Collective::isotropic, "surviving-exchange"),
        std::pair(Collective::task, "surviving-task")}) {
    add_row(result, around_failures(name, collective, routed_claim), too_many_to_route, plan_deliveries);
  }
  return result;
}

Algorithms merged_around_failures() {
  Algorithms result;
  const auto traits_of = [](std::string name, Collective collective) {
    Traits traits = around_failures(std::move(name), collective,
                                    "as many rounds as the farthest nodes are apart, the least");
    traits.networks = "every network with failures or open axes, and up to 2^22 packets";
    traits.ports = "all";
    traits.source = "shortest paths, all packets at once";
    traits.aggregates = true;
    traits.strict = false;
    return traits;
  };
  for (const auto& [collective, name] :
       {std::pair(Collective::alltoall, "merged-total-exchange"),
        std::pair(Collective::scatter, "merged-scatter"), std::pair(Collective::gather, "merged-gather"),
        std::pair(Collective::neighborhood, "merged-neighborhood-exchange"),
        std::pair(Collective::isotropic, "merged-exchange")})
    add_row(result, traits_of(name, collective), unsuitable_for_merging, plan_merged_deliveries);
  Traits task = traits_of("merged-task", Collective::task);
  task.networks = "every network, and up to 2^22 packets";
  add_row(result, std::move(task), unsuitable_for_merging, plan_merged_deliveries);
  Traits allgather = traits_of("merged-allgather", Collective::allgather);
  allgather.reversed = {"merged-reduce-scatter"};
  allgather.reversed_then_forward = {"merged-allreduce"};
  allgather.least_rounds = true;
  add_row(result, std::move(allgather), unsuitable_for_merging, plan_merged_allgather);
  Traits striped = traits_of("striped-merged-allgather", Collective::allgather);
  striped.networks =
      "products with failures or open axes whose last axis is complete, as several ranks a node, with lanes "
      "that fail alike";
  striped.source = "shortest paths between nodes, one round inside them";
  striped.claim = "one round more than the farthest nodes are apart; each link carries a block once at most";
  striped.reversed = {"striped-merged-reduce-scatter"};
  striped.reversed_then_forward = {"striped-merged-allreduce"};
  add_row(result, std::move(striped), unsuitable_for_striping, plan_striped_allgather);
  return result;
}

}  // namespace isotrope::planner
