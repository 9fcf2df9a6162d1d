// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The sources of the catalogue, and all that they share: rows, reasons, and the broadcast along the layered tree.
#pragma once

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "isotrope/schedule/isotropic_task.hpp"

#include "isotrope/algorithm/search_limits.hpp"

#include "isotrope/planner/algorithm.hpp"

namespace isotrope::planner {

using Algorithms = std::vector<std::unique_ptr<const Algorithm>>;

/// Allreduces of short and middle vectors.
Algorithms allreduces();
/// Scan and exscan by sums of runs of nodes; others gather and then reduce (derived.cpp).
Algorithms scans();
/// Allreduce and barrier by gathering sums axis after axis.
Algorithms axis_exchanges();
/// Bertsekas et al. 1991: optimal communication on hypercubes, all ports at once.
Algorithms bertsekas();
/// Ho and Johnsson 1986: broadcast and personalized communication from one node, along trees of hypercubes.
Algorithms ho_johnsson();
/// Chen, Shin and Kandlur 1990: C-wrapped hexagonal meshes.
Algorithms chen();
/// Varvarigos and Bertsekas 1992, and related algorithms for every network of the library.
Algorithms abelian();
/// Few rounds of aggregated messages over all ports at once, on every network.
Algorithms aggregated();
/// All packets round a Hamiltonian cycle, over one or two ports of a node.
Algorithms cycle_allgathers();
/// Exchanges in which a node sends or receives in a round, but never both.
Algorithms half_duplex_ports();
/// Searches for schedules of few rounds, on every network and around failures.
Algorithms searched();
/// Exchanges whose packets never wait on their way.
Algorithms no_wait();
/// Exchanges in steps of limited loads, with a barrier behind each.
Algorithms packed();
/// Aggregated collectives by gossip: few rounds, in which messages hold all that their senders know.
Algorithms gossip();
/// Algorithms for products of lines, rings and complete networks, with open axes or closed ones.
Algorithms products();
/// Algorithms for the residue of any network after failures, without symmetry.
Algorithms residual();
/// The same over all ports with messages of any number of packets.
Algorithms merged_around_failures();
/// Messages to nodes that are no neighbours, over an overlay that a cut-through machine carries.
Algorithms overlays();
/// Allreduce by levels of reduce-scatter stages and register programs, and known algorithms of the same form.
Algorithms levels();
/// Broadcast and allgather by the same levels, and known algorithms of the same form.
Algorithms copied_levels();
/// The algorithms that the traits of `original` derive from it: reversed, or reversed and then forward; of an
/// allgather also the allreduce and the barrier that gather all contributions at every node and reduce them there.
/// All refer to `original`, which must outlive them.
Algorithms derived_from(const Algorithm& original);

using Reason = std::optional<std::string>;

/// An algorithm by its traits and functions of the problem.
class CatalogRow final : public Algorithm {
 public:
  using ReasonFunction = std::function<Reason(const Problem&)>;
  template <class Result>
  using Function = std::function<Result(const Problem&, const Parameters&)>;
  using QuickFunction = std::function<bool(const Problem&)>;

  /// Without `rounds` the rounds of the schedule are counted; without `quick` the row is quick.
  CatalogRow(Traits traits, ReasonFunction reason, Function<schedule::Schedule> schedule,
             Function<std::uint64_t> rounds = {}, QuickFunction quick = {})
      : Algorithm(std::move(traits)),
        reason_(std::move(reason)),
        schedule_(std::move(schedule)),
        rounds_(std::move(rounds)),
        quick_(std::move(quick)) {}

  Reason unsupported_reason(const Problem& problem) const override { return reason_(problem); }
  bool is_quick(const Problem& problem) const override { return !quick_ || quick_(problem); }
  std::uint64_t rounds(const Problem& problem, const Parameters& parameters) const override {
    return rounds_ ? rounds_(problem, parameters) : Algorithm::rounds(problem, parameters);
  }
  schedule::Schedule schedule(const Problem& problem, const Parameters& parameters) const override {
    return schedule_(problem, parameters);
  }

 private:
  ReasonFunction reason_;
  Function<schedule::Schedule> schedule_;
  Function<std::uint64_t> rounds_;
  QuickFunction quick_;
};

/// Appends a row; the last functions, `schedule` and perhaps `rounds`, take the problem alone.
template <class... Functions>
void add_row(Algorithms& result, Traits traits, CatalogRow::ReasonFunction reason, Functions... functions) {
  const auto of_problem = [](auto function) {
    return [function](const Problem& problem, const Parameters& /*parameters*/) { return function(problem); };
  };
  result.push_back(
      std::make_unique<CatalogRow>(std::move(traits), std::move(reason), of_problem(functions)...));
}

/// A search for a schedule.
using Search = schedule::Schedule (*)(const Problem& problem, const Parameters& parameters);

/// Whether a search finds the same for both problems.
bool are_alike(const Problem& a, const Problem& b);

/// What `search` finds, which takes longer than anything done with it: the last ones of every search are kept. All
/// that the schedule depends on is compared. Valid until the next call with this search.
const schedule::Schedule& last_found(Search search, const Problem& problem, const Parameters& parameters);

/// Appends a row whose schedule and rounds `search` finds.
void add_searched_row(Algorithms& result, Traits traits, CatalogRow::ReasonFunction reason, Search search,
                      CatalogRow::QuickFunction quick = {});

/// `original`, whose hops go over the ports of the network, on unlike links too: over one of those that lie side by side, as
/// on the network without copies. For algorithms of few rounds that need the ports of one family.
std::unique_ptr<const Algorithm> over_one_copy(std::unique_ptr<const Algorithm> original);

/// The broadcast, allreduce or barrier `original`, which must outlive it, among one rank of each node. Of `traits` the names, the
/// ports and the source are kept.
std::unique_ptr<const Algorithm> among_leaders(const Algorithm& original, Traits traits);
/// The allreduce `original`, which must outlive it, of a stripe of the vector among the ranks of each number. Of `traits` the names and
/// the source are kept.
std::unique_ptr<const Algorithm> among_stripes(const Algorithm& original, Traits traits);

/// The problem of a product of lanes on the network of its nodes, with what has failed there, from the root's node.
Problem on_nodes(Problem problem);

/// A broadcast of one packet inside a node of a product of lanes, from the root's place there, on the network of its places alone.
const schedule::Schedule& broadcast_in_node(const Problem& problem, const Parameters& parameters);

/// The node at which a vector is reduced, and from which it is copied: one in the middle (network/centre.hpp); 0 on a network that
/// looks alike from every node.
network::Node reduction_root(const Problem& problem);

/// The network whose group counts the nodes of messages beyond neighbours: if links are missing, the torus of the axes as they are
/// split (network/split_axes.hpp); else the problem's.
Network joined_network(const Problem& problem);

/// `schedule`, of the task, backwards and then forward: of an allreduce or barrier. Packets of another node than 0 are listed, as these
/// collectives imply those of node 0.
schedule::Schedule reversed_then_forward(const Network& network, const schedule::Task& task,
                                         schedule::Schedule schedule);

/// Whether a search takes milliseconds on networks of this size.
bool is_searched_quickly(const Network& network);

/// Why farthest-first-total-exchange does not plan an alltoall.
Reason unsuitable_for_farthest_first(const Problem& problem);

/// Appends a row for alltoall, one for neighborhood and one for isotropic, named traits.name-total-exchange and so on, whose
/// schedules exchange part after part what `search` finds for one part.
void add_exchanges_part_after_part(Algorithms& result, const Traits& traits,
                                   const CatalogRow::ReasonFunction& reason, Search search);

inline constexpr const char* hypercubes = "hypercube:1 to hypercube:26";
inline constexpr const char* every_network = "every network";
inline constexpr const char* networks_of_lanes =
    "products whose last axis is complete, as several ranks a node, with lanes that fail alike";
inline constexpr const char* any_ports = "all, K, one, half";
inline constexpr const char* full_duplex = "all, K, one";

/// The reason of algorithms that use all ports at once.
Reason limited_ports(const Problem& problem);
/// The reason of algorithms whose nodes send and receive at once.
Reason half_duplex(const Problem& problem);
/// The reason of algorithms that aggregate all packets of one way or none.
Reason partly_aggregated(const Problem& problem);
/// A network is a hypercube by its ports, whatever its name: the ports of torus:2x2x2 come in another order.
Reason not_a_hypercube(const Problem& problem);
/// The reason of algorithms for hypercubes that use all ports at once.
Reason not_all_ports_of_hypercube(const Problem& problem);

/// The blocks that every node sends in alltoall, neighborhood and isotropic.
std::vector<schedule::RelativeDestination> destinations_of(const Problem& problem);
/// The same, every destination once, in ascending order.
std::vector<schedule::RelativeDestination> merged_destinations(const Problem& problem);
/// The reason of exchanges that list the shortest routes of all nodes.
Reason too_many_hops(const Problem& problem, std::uint64_t most);

/// The limits of a search for `problem`, with its lower bound as the target.
algorithm::SearchLimits search_limits(const Problem& problem, const Parameters& parameters);

/// The broadcast along the balanced tree of shortest paths, for every network and port model.
schedule::Schedule plan_layered_broadcast(const Problem& problem);
std::uint64_t layered_broadcast_rounds(const Problem& problem);

}  // namespace isotrope::planner
