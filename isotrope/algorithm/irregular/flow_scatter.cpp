// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/irregular/flow_scatter.hpp"

#include <algorithm>
#include <optional>
#include <queue>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"

#include "isotrope/graph/flow_network.hpp"
#include "isotrope/schedule/transform.hpp"

namespace isotrope::algorithm {
namespace {

using graph::FlowNetwork;
using network::Node;
using network::Port;
using network::SurvivingNetwork;
using schedule::Hop;
using schedule::PacketId;

constexpr std::uint64_t most_links_over_time = std::uint64_t{1} << 22;

// The scatter, and the links that its packets may use: all but those into the root.
class Scatter {
 public:
  struct Link {
    Node from;
    Port port;
    Node to;
  };

  Scatter(const SurvivingNetwork& network, Node root, std::uint32_t parts)
      : network_(network), root_(root), parts_(parts), distances_(network.distances(root)) {
    for (const Node node : network.nodes()) {
      if (node != root) destinations_.push_back(node);
      network.for_each_neighbour(node, [&](Port port, Node to) {
        if (to != root) links_.push_back({node, port, to});
      });
    }
    std::ranges::stable_sort(destinations_, std::greater<>(), [&](Node node) { return distances_[node]; });
  }

  Node nodes() const { return network_.whole().order(); }
  Node root() const { return root_; }
  std::uint32_t parts() const { return parts_; }
  /// Packets, without those of the root for itself.
  std::uint64_t wanted() const { return destinations_.size() * std::uint64_t{parts_}; }
  /// The farthest first.
  const std::vector<Node>& destinations() const { return destinations_; }
  const std::vector<Link>& links() const { return links_; }
  std::uint32_t distance(Node node) const { return distances_[node]; }
  /// The number of a packet as scatter implies it.
  PacketId number(Node to, std::uint32_t part) const {
    return network_.whole().group().subtract(to, root_) * parts_ + part;
  }

 private:
  const SurvivingNetwork& network_;
  Node root_;
  std::uint32_t parts_;
  std::vector<std::uint32_t> distances_;
  std::vector<Node> destinations_;
  std::vector<Link> links_;
};

// By packet number, the links from the root on.
using LinkRoutes = std::vector<std::vector<std::uint32_t>>;

// LinkRoutes by a flow in T rounds.
class StaticFlow {
 public:
  StaticFlow(const Scatter& scatter, std::uint64_t rounds)
      : scatter_(scatter),
        flow_(scatter.nodes() + 1),
        units_(scatter.links().size(), 0),
        incoming_(scatter.nodes()) {
    const Node sink = scatter.nodes();
    for (const Node node : scatter.destinations()) flow_.add_arc(node, sink, scatter.parts());
    std::vector<FlowNetwork::Arc> arcs(scatter.links().size());
    for (const bool shortest : {true, false}) {
      for (std::uint32_t i = 0; i < arcs.size(); ++i) {
        const auto [from, port, to] = scatter.links()[i];
        if ((scatter.distance(to) == scatter.distance(from) + 1) == shortest)
          arcs[i] = flow_.add_arc(from, to, rounds - std::min<std::uint64_t>(rounds, scatter.distance(from)));
      }
      sent_ += flow_.augment(scatter.root(), sink);
    }
    for (std::uint32_t i = 0; i < arcs.size(); ++i) {
      units_[i] = flow_.flow(arcs[i]);
      if (units_[i] > 0) incoming_[scatter.links()[i].to].push_back(i);
    }
  }

  bool saturates() const { return sent_ == scatter_.wanted(); }

  /// @pre saturates().
  LinkRoutes routes() {
    LinkRoutes result(std::size_t{scatter_.nodes()} * scatter_.parts());
    for (const Node to : scatter_.destinations()) {
      for (std::uint32_t part = 0; part < scatter_.parts(); ++part)
        result[scatter_.number(to, part)] = route(to);
    }
    return result;
  }

 private:
  // Takes a unit back to the root; what goes round in a loop is left out.
  std::vector<std::uint32_t> route(Node to) {
    std::vector<std::uint32_t> result;
    for (Node at = to; at != scatter_.root();) {
      const std::uint32_t link = take_unit(at);
      result.push_back(link);
      at = scatter_.links()[link].from;
      const auto again =
          std::ranges::find_if(result, [&](std::uint32_t i) { return scatter_.links()[i].to == at; });
      result.erase(again, result.end());
    }
    std::ranges::reverse(result);
    return result;
  }

  std::uint32_t take_unit(Node at) {
    std::vector<std::uint32_t>& links = incoming_[at];
    const std::uint32_t link = links.back();
    if (--units_[link] == 0) links.pop_back();
    return link;
  }

  const Scatter& scatter_;
  FlowNetwork flow_;
  std::uint64_t sent_ = 0;
  std::vector<std::uint64_t> units_;                  // by link
  std::vector<std::vector<std::uint32_t>> incoming_;  // by node: links with units
};

// Every link sends the packet with the most hops to go, of these the one with the smallest number.
schedule::Rounds list_scheduled(const Scatter& scatter, const LinkRoutes& routes) {
  using Waiting = std::pair<std::uint32_t, std::int64_t>;  // hops to go, - packet
  std::vector<std::priority_queue<Waiting>> queues(scatter.links().size());
  std::vector<std::uint32_t> done(routes.size(), 0), busy, links;
  const auto wait = [&](PacketId id) {
    if (done[id] == routes[id].size()) return;
    const std::uint32_t link = routes[id][done[id]];
    if (queues[link].empty()) busy.push_back(link);
    queues[link].emplace(static_cast<std::uint32_t>(routes[id].size() - done[id]), -std::int64_t{id});
  };
  for (PacketId id = 0; id < routes.size(); ++id) wait(id);
  schedule::Rounds rounds;
  std::vector<PacketId> arrivals;
  while (!busy.empty()) {
    links.swap(busy);
    busy.clear();
    arrivals.clear();
    for (const std::uint32_t link : links) {
      const auto id = static_cast<PacketId>(-queues[link].top().second);
      queues[link].pop();
      rounds.add({id, scatter.links()[link].from, scatter.links()[link].port});
      ++done[id];
      arrivals.push_back(id);
      if (!queues[link].empty()) busy.push_back(link);
    }
    rounds.close_round();
    for (const PacketId id : arrivals) wait(id);
  }
  return rounds;
}

// The schedule of a flow over time.
class FlowOverTime {
 public:
  FlowOverTime(const Scatter& scatter, std::uint64_t rounds)
      : scatter_(scatter),
        rounds_(static_cast<std::uint32_t>(rounds)),
        flow_(copy(scatter.nodes(), 0) + 1),
        arcs_(rounds * scatter.links().size(), no_arc),
        incoming_(copy(scatter.nodes(), 0)),
        waits_(copy(scatter.nodes(), 0), no_arc) {
    for (std::uint32_t t = rounds_; t-- > 0;) add_round(t);
    const std::uint32_t sink = copy(scatter.nodes(), 0);
    for (const Node node : scatter.destinations()) flow_.add_arc(copy(node, rounds_), sink, scatter.parts());
    saturates_ = flow_.augment(copy(scatter.root(), 0), sink) == scatter.wanted();
  }

  bool saturates() const { return saturates_; }

  /// @pre saturates().
  schedule::Rounds schedule() {
    list_units();
    std::vector<std::vector<Hop>> hops(rounds_);
    for (const Node to : scatter_.destinations()) {
      for (std::uint32_t part = 0; part < scatter_.parts(); ++part) {
        for (const auto& [t, link] : way(to))
          hops[t].push_back(
              {scatter_.number(to, part), scatter_.links()[link].from, scatter_.links()[link].port});
      }
    }
    schedule::Rounds result;
    append(hops, result);
    return result;
  }

 private:
  static constexpr FlowNetwork::Arc no_arc = UINT32_MAX;

  struct TimedLink {
    std::uint32_t round, link;
  };

  std::uint32_t copy(Node node, std::uint32_t t) const { return node * (rounds_ + 1) + t; }

  // Nodes that nothing has reached, in copies before their distance, have no arcs.
  void add_round(std::uint32_t t) {
    for (std::uint32_t i = 0; i < scatter_.links().size(); ++i) {
      const auto [from, port, to] = scatter_.links()[i];
      if (scatter_.distance(from) <= t)
        arcs_[std::size_t{t} * scatter_.links().size() + i] =
            flow_.add_arc(copy(from, t), copy(to, t + 1), 1);
    }
    const auto add_wait = [&](Node node) {
      if (scatter_.distance(node) <= t)
        waits_[copy(node, t + 1)] = flow_.add_arc(copy(node, t), copy(node, t + 1), scatter_.wanted());
    };
    add_wait(scatter_.root());
    std::ranges::for_each(scatter_.destinations(), add_wait);
  }

  void list_units() {
    for (std::uint32_t t = 0; t < rounds_; ++t) {
      for (std::uint32_t i = 0; i < scatter_.links().size(); ++i) {
        const FlowNetwork::Arc arc = arcs_[std::size_t{t} * scatter_.links().size() + i];
        if (arc != no_arc && flow_.flow(arc) > 0)
          incoming_[copy(scatter_.links()[i].to, t + 1)].push_back({t, i});
      }
    }
    waiting_.assign(waits_.size(), 0);
    for (std::size_t i = 0; i < waits_.size(); ++i)
      waiting_[i] = waits_[i] == no_arc ? 0 : flow_.flow(waits_[i]);
  }

  // Backwards; a unit that has been at its destination before need not leave.
  std::vector<TimedLink> way(Node to) {
    std::vector<TimedLink> result;
    std::uint32_t t = rounds_;
    for (Node at = to; at != scatter_.root() && t > 0; --t) {
      const std::uint32_t here = copy(at, t);
      if (waiting_[here] > 0) {
        --waiting_[here];
        continue;
      }
      const TimedLink last = incoming_[here].back();
      incoming_[here].pop_back();
      result.push_back(last);
      at = scatter_.links()[last.link].from;
      if (at == to) result.clear();
    }
    return result;
  }

  const Scatter& scatter_;
  std::uint32_t rounds_;
  FlowNetwork flow_;
  std::vector<FlowNetwork::Arc> arcs_;            // by round and link
  std::vector<std::vector<TimedLink>> incoming_;  // by copy: links with a unit
  std::vector<FlowNetwork::Arc> waits_;           // by copy: from the copy before
  std::vector<std::uint64_t> waiting_;            // by copy: units on it
  bool saturates_ = false;
};

// Fewer than `enough` rounds by a flow over time, if there are any from `rounds` on.
std::optional<schedule::Rounds> over_time(const Scatter& scatter, std::uint64_t rounds,
                                          std::uint64_t enough) {
  for (; rounds < enough; ++rounds) {
    if (rounds * (scatter.links().size() + scatter.nodes()) > most_links_over_time) return std::nullopt;
    FlowOverTime flow(scatter, rounds);
    if (flow.saturates()) return flow.schedule();
  }
  return std::nullopt;
}

}  // namespace

schedule::Schedule flow_scatter(const SurvivingNetwork& network, Node root, std::uint32_t parts,
                                std::uint64_t bound) {
  if (std::uint64_t{network.whole().order()} * parts > UINT32_MAX)
    throw Error(fmt::format("{} nodes and {} parts: at most {} packets can be listed; give fewer parts",
                            network.whole().order(), parts, UINT32_MAX));
  const Scatter scatter(network, root, parts);
  schedule::Rounds rounds;
  if (scatter.wanted() > 0) {
    std::uint64_t least = std::max<std::uint64_t>(bound, 1);
    std::optional<StaticFlow> flow(std::in_place, scatter, least);
    while (!flow->saturates()) flow.emplace(scatter, ++least);
    rounds = list_scheduled(scatter, flow->routes());
    if (auto fewer = over_time(scatter, least, rounds.size())) rounds = *std::move(fewer);
  }
  schedule::Schedule result{schedule::PortModel::all(), schedule::RoundKind::strict, {}};
  result.stages.push_back({schedule::Flow::move, schedule::Replication::none(), {}, std::move(rounds)});
  return result;
}

}  // namespace isotrope::algorithm
