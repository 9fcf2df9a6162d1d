// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Broadcasts, and allreduces and barriers that exchange sums, among one rank of each node (algorithm/broadcast/leader_broadcast.hpp,
// algorithm/allreduce/leader_exchange.hpp), and allreduces among all ranks of the same number, a stripe of the vector each.
#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "isotrope/algorithm/allreduce/leader_exchange.hpp"
#include "isotrope/algorithm/broadcast/leader_broadcast.hpp"
#include "isotrope/algorithm/lanes.hpp"
#include "isotrope/algorithm/leader_ports.hpp"

#include "isotrope/planner/catalogue/listed_exchange.hpp"

namespace isotrope::planner {
namespace {

using schedule::Schedule;

bool is_complete(const Network& network) {
  return network.diameter() <= 1;
}

// The most messages that one place sends in a round of the tree in a node, from the leader outwards.
std::uint64_t most_sent(std::span<const schedule::Hop> hops) {
  std::map<schedule::Node, std::uint64_t> messages;
  for (const schedule::Hop& hop : hops) ++messages[hop.from];
  std::uint64_t most = 0;
  for (const auto& [from, count] : messages) most = std::max(most, count);
  return most;
}

// Messages within nodes, `packets` blocks each: so many as one place sends, and receives, at most.
cost::CutThroughRound round_within(std::uint32_t memory_axis, std::uint64_t packets, std::uint64_t messages,
                                   std::uint64_t received) {
  return {.messages = messages,
          .received = received,
          .sent = messages * packets,
          .largest = packets,
          .busiest = packets,
          .hops = 1,
          .far = {{1, packets}},
          .axes = {{1, memory_axis, packets}}};
}

enum class Leaders { one_a_node, one_a_stripe };

// On the places of several ranks a node, by an algorithm on the network of the nodes, its original.
class AmongLeaders final : public Algorithm {
 public:
  AmongLeaders(const Algorithm& original, Traits traits, Leaders leaders)
      : Algorithm(std::move(traits)), original_(original), leaders_(leaders) {}

  Reason unsupported_reason(const Problem& problem) const override {
    if (auto reason = algorithm::lacks_lanes(problem.network, problem.failed)) return reason;
    if (has_stripes() && problem.ports.kind != schedule::PortModel::Kind::all_port)
      return "all ranks of a node send at once: it needs all ports";
    if (has_stripes() && problem.network.order() > most_striped_ranks)
      return fmt::format("it lists the messages of every rank, of {} at most", most_striped_ranks);
    const Problem nodes = among_nodes(problem);
    if (nodes.network.order() > most_listed_nodes)
      return fmt::format("it lists the messages of every node, of {} at most", most_listed_nodes);
    return original_.unsupported_reason(nodes);
  }
  bool is_quick(const Problem& problem) const override { return original_.is_quick(among_nodes(problem)); }
  std::vector<Parameters> choices(const Problem& problem) const override {
    return original_.choices(among_nodes(problem));
  }
  std::uint32_t fixed_parts(const Problem& problem, const Parameters& parameters) const override {
    return stripes(problem) * parts_of_stripe(problem, parameters);
  }
  bool adds_alike(const Problem& problem, const Parameters& parameters) const override {
    return original_.adds_alike(among_nodes(problem), parameters);
  }
  std::uint64_t local_reductions(const Problem& problem, const Parameters& parameters) const override {
    return original_.local_reductions(among_nodes(problem), parameters);
  }
  std::uint64_t rounds(const Problem& problem, const Parameters& parameters) const override {
    return (gathers() ? 2 : 1) * broadcast_in_node(problem, parameters).round_count() +
           original_.rounds(among_nodes(problem), parameters);
  }
  // Between the nodes of a complete network all are neighbours.
  bool sends_far(const Problem& problem, const Parameters& parameters) const override {
    const Problem nodes = among_nodes(problem);
    return !are_all_joined(nodes) && original_.sends_far(nodes, parameters);
  }
  std::optional<Network> overlay(const Problem& problem, const Parameters& parameters) const override {
    if (!sends_far(problem, parameters)) return std::nullopt;
    return algorithm::overlay_of_lanes(problem.network, *original_.overlay(among_nodes(problem), parameters));
  }
  Schedule schedule(const Problem& problem, const Parameters& parameters) const override {
    const Schedule node = broadcast_in_node(problem, parameters);
    const Problem nodes = among_nodes(problem);
    const auto overlay = original_.overlay(nodes, parameters);
    const Network& joined = overlay ? *overlay : nodes.network;
    const auto ports = sends_far(problem, parameters) ? algorithm::ports_of_overlay(problem.network, joined)
                                                      : algorithm::ports_of_links(problem.network, joined);
    const Schedule among = original_.schedule(nodes, parameters);
    const std::uint32_t parts = parts_of_stripe(problem, parameters);
    Schedule result = gathers() ? algorithm::leader_exchange(problem.network, ports, parts, among, joined,
                                                             node, stripes(problem))
                                : algorithm::leader_broadcast(problem.network, problem.failed, ports,
                                                              problem.task.root, parts, among, node);
    result.ports = problem.ports;
    return result;
  }
  // One lane alone has the whole bandwidth of the links, so they are those of the original; the messages of all lanes share it.
  std::vector<cost::CutThroughRound> cut_through_rounds(const Problem& problem,
                                                        const Parameters& parameters) const override {
    if (!sends_far(problem, parameters)) return {};
    const auto memory_axis = static_cast<std::uint32_t>(problem.network.group().rank() - 1);
    const std::uint64_t packets = parts_of_stripe(problem, parameters);
    const schedule::Rounds tree = broadcast_in_node(problem, parameters).stages.front().rounds;
    // Of stripes each place has the same messages, one for every hop, both ways.
    const auto outwards = [&](std::uint64_t t) -> std::uint64_t {
      return has_stripes() ? tree.round(t).size() : most_sent(tree.round(t));
    };
    const auto inwards = [&](std::uint64_t t) -> std::uint64_t {
      return has_stripes() ? tree.round(t).size() : 1;
    };
    std::vector<cost::CutThroughRound> result;
    for (std::uint64_t t = gathers() ? tree.size() : 0; t-- > 0;)
      result.push_back(round_within(memory_axis, packets, inwards(t), outwards(t)));
    for (cost::CutThroughRound round : original_.cut_through_rounds(among_nodes(problem), parameters)) {
      share_links(round, stripes(problem));
      for (cost::AxisLoad& load : round.axes) {
        if (load.axis == memory_axis) ++load.axis;  // links along no axis
      }
      result.push_back(std::move(round));
    }
    for (std::uint64_t t = 0; t < tree.size(); ++t)
      result.push_back(round_within(memory_axis, packets, outwards(t), inwards(t)));
    return result;
  }

 private:
  static constexpr network::Node most_striped_ranks = 4096;

  bool has_stripes() const { return leaders_ == Leaders::one_a_stripe; }
  std::uint32_t stripes(const Problem& problem) const {
    return has_stripes() ? algorithm::places_of_node(problem.network) : 1;
  }
  std::uint32_t parts_of_stripe(const Problem& problem, const Parameters& parameters) const {
    return std::max(1U, original_.fixed_parts(among_nodes(problem), parameters));
  }
  // Of all stripes at once.
  static void share_links(cost::CutThroughRound& round, std::uint32_t stripes) {
    round.busiest *= stripes;
    for (cost::FarLoad& load : round.far) load.busiest *= stripes;
    for (cost::AxisLoad& load : round.axes) load.busiest *= stripes;
  }
  // Whether leaders get the contributions of their nodes first.
  bool gathers() const { return traits().collective != Collective::broadcast; }
  // Over links k ports are all ports if a node has no more of them; messages to far nodes may be more.
  Problem among_nodes(const Problem& problem) const {
    Problem result = on_nodes(problem);
    if (original_.traits().overlay && !are_all_joined(result)) result.ports = problem.ports;
    return result;
  }
  static bool are_all_joined(const Problem& nodes) {
    return nodes.failed.empty() && is_complete(nodes.network);
  }

  const Algorithm& original_;
  Leaders leaders_;
};

Traits traits_on_places(Traits traits) {
  traits.networks = networks_of_lanes;
  traits.claim =
      "rounds of the original on the network of the nodes, and once or twice those of one packet within a "
      "node";
  traits.for_machines = traits.aggregates = traits.counts_lanes = true;
  traits.whole_vector = traits.collective == Collective::allreduce;
  traits.overlay = traits.strict = traits.around_nodes = false;
  return traits;
}

}  // namespace

std::unique_ptr<const Algorithm> among_leaders(const Algorithm& original, Traits traits) {
  traits = traits_on_places(std::move(traits));
  if (!original.traits().reversed.name.empty())
    traits.reversed = {"leader-" + original.traits().reversed.name};
  return std::make_unique<AmongLeaders>(original, std::move(traits), Leaders::one_a_node);
}

std::unique_ptr<const Algorithm> among_stripes(const Algorithm& original, Traits traits) {
  traits = traits_on_places(std::move(traits));
  traits.ports = "all";
  return std::make_unique<AmongLeaders>(original, std::move(traits), Leaders::one_a_stripe);
}

}  // namespace isotrope::planner
