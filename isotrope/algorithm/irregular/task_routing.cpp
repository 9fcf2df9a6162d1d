// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/irregular/task_routing.hpp"

#include <algorithm>
#include <queue>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"
#include "isotrope/base/split_mix.hpp"

#include "isotrope/network/link_numbers.hpp"

#include "isotrope/schedule/transform.hpp"

#include "isotrope/algorithm/irregular/deadline_routing.hpp"
#include "isotrope/algorithm/irregular/route_negotiation.hpp"

namespace isotrope::algorithm {
namespace {

using network::Network;
using network::Node;
using network::Port;
using network::SurvivingNetwork;
using schedule::Packet;
using schedule::PacketId;

constexpr int walks = 3;
constexpr std::size_t beam_width = 8;

// A whole network with the interface of SurvivingDistances.
class WholeGraph {
 public:
  explicit WholeGraph(const Network& network) : network_(network) {}

  const Network& network() const { return network_; }
  network::LinkNumbers link_numbers() const { return network::LinkNumbers(network_); }
  std::uint32_t distance(Node from, Node to) const { return network_.distance(from, to); }
  template <class Function>
  void for_each_neighbour(Node node, Function&& function) const {
    for (Port port = 0; port < network_.degree(); ++port) function(port, network_.neighbour(node, port));
  }

 private:
  const Network& network_;
};

// The shortest routes of all packets.
template <class Graph>
class Routes {
 public:
  Routes(const Graph& graph, std::span<const Packet> packets)
      : graph_(graph),
        network_(graph.network()),
        packets_(packets),
        links_(graph.link_numbers()),
        loads_(links_.count(), 0) {
    ends_.reserve(packets.size());
    std::uint64_t hops = 0;
    for (const Packet& packet : packets) ends_.push_back(hops += graph.distance(packet.origin, packet.to));
    if (hops > UINT32_MAX) {
      throw Error(fmt::format("a task of {} hops on {}: at most {} can be listed; give fewer blocks or parts",
                              hops, network_.name(), UINT32_MAX));
    }
    ports_.resize(hops);
    for (PacketId id = 0; id < packets.size(); ++id) walk(id);
    for (int again = 1; again < walks; ++again) {
      for (PacketId id = 0; id < packets.size(); ++id) {
        take_out(id);
        walk(id);
      }
    }
  }

  std::span<const Port> of(PacketId id) const {
    const std::uint64_t begin = id == 0 ? 0 : ends_[id - 1];
    return {ports_.data() + begin, ends_[id] - begin};
  }

 private:
  std::uint64_t& load(Node node, Port port) { return loads_[links_.of(node, port)]; }

  // The last step of a way from the origin to a node.
  struct WalkStep {
    Node at;
    std::uint64_t cost;    // the sum of 2 load + 1 over the links so far
    std::uint32_t before;  // the index of the step before in its level
    Port port;
  };

  void walk(PacketId id) {
    const auto [origin, to, block, part] = packets_[id];
    const auto distance = static_cast<std::uint32_t>(of(id).size());
    levels_.resize(distance + 1);
    levels_[0] = {{origin, 0, 0, 0}};
    for (std::uint32_t level = 0; level < distance; ++level) {
      advance(levels_[level], levels_[level + 1], to, distance - level);
    }
    std::uint32_t step = 0;
    for (std::uint32_t level = distance; level > 0; --level) {
      const WalkStep& last = levels_[level][step];
      ports_[ends_[id] - distance + level - 1] = last.port;
      ++load(levels_[level - 1][last.before].at, last.port);
      step = last.before;
    }
  }

  // The lightest ways that are one step longer, one per node.
  void advance(const std::vector<WalkStep>& level, std::vector<WalkStep>& next, Node to, std::uint32_t left) {
    next.clear();
    for (std::uint32_t i = 0; i < level.size(); ++i) {
      graph_.for_each_neighbour(level[i].at, [&](Port port, Node at) {
        if (graph_.distance(at, to) + 1 == left)
          next.push_back({at, level[i].cost + 2 * load(level[i].at, port) + 1, i, port});
      });
    }
    std::stable_sort(next.begin(), next.end(), [](const WalkStep& a, const WalkStep& b) {
      return std::pair(a.at, a.cost) < std::pair(b.at, b.cost);
    });
    const auto same = std::unique(next.begin(), next.end(),
                                  [](const WalkStep& a, const WalkStep& b) { return a.at == b.at; });
    next.erase(same, next.end());
    std::stable_sort(next.begin(), next.end(),
                     [](const WalkStep& a, const WalkStep& b) { return a.cost < b.cost; });
    if (next.size() > beam_width) next.resize(beam_width);
  }

  void take_out(PacketId id) {
    Node at = packets_[id].origin;
    for (const Port port : of(id)) {
      --load(at, port);
      at = network_.neighbour(at, port);
    }
  }

  const Graph& graph_;
  const Network& network_;
  std::span<const Packet> packets_;
  network::LinkNumbers links_;
  std::vector<std::uint64_t> loads_;  // packets, by directed link
  std::vector<std::uint64_t> ends_;   // by packet: one past its route in ports_
  std::vector<Port> ports_;
  std::vector<std::vector<WalkStep>> levels_;  // of the current walk
};

// The port use of all nodes in the current round.
class PortsInUse {
 public:
  PortsInUse(const Network& network, schedule::PortModel model)
      : limit_(model.sends(network.degree())),
        half_duplex_(model.half_duplex()),
        sends_(network.order(), 0),
        receipts_(network.order(), 0) {}

  bool admit(Node from, Node to) {
    const bool room = half_duplex_ ? sends_[from] + receipts_[from] + sends_[to] + receipts_[to] == 0
                                   : sends_[from] < limit_ && receipts_[to] < limit_;
    if (!room) return false;
    ++sends_[from];
    ++receipts_[to];
    touched_.push_back(from);
    touched_.push_back(to);
    return true;
  }
  void next_round() {
    for (const Node node : touched_) sends_[node] = receipts_[node] = 0;
    touched_.clear();
  }

 private:
  Port limit_;
  bool half_duplex_;
  std::vector<Port> sends_, receipts_;
  std::vector<Node> touched_;
};

template <class Routes>
class ListScheduling {
 public:
  ListScheduling(const Network& network, const network::LinkNumbers& links, std::span<const Packet> packets,
                 const Routes& routes, schedule::PortModel ports)
      : network_(network),
        links_(links),
        packets_(packets),
        routes_(routes),
        limited_(ports.kind != schedule::PortModel::Kind::all_port),
        ports_(network, ports),
        crossed_(packets.size(), 0),
        waiting_(links.count()) {
    for (PacketId id = 0; id < packets.size(); ++id) join_queue(id, packets[id].origin);
  }

  schedule::Rounds run() {
    schedule::Rounds rounds;
    while (!busy_.empty()) {
      one_round(rounds);
      rounds.close_round();
    }
    return rounds;
  }

 private:
  // A packet that waits for a link. Packets with the most hops to go come first, ties by relative destination:
  // origins then start with different destinations and do not compete for one link.
  struct Waiting {
    std::uint32_t hops_to_go;
    Node relative;  // destination - origin
    PacketId id;

    bool operator<(const Waiting& other) const {
      return std::tuple(hops_to_go, other.relative, other.id) < std::tuple(other.hops_to_go, relative, id);
    }
  };

  // A link for which packets wait.
  struct BusyLink {
    std::uint64_t number;
    Node from;
    Port port;
  };

  void join_queue(PacketId id, Node at) {
    const std::span<const Port> route = routes_.of(id);
    if (crossed_[id] == route.size()) return;
    const Port port = route[crossed_[id]];
    const std::uint64_t link = links_.of(at, port);
    if (waiting_[link].empty()) busy_.push_back({link, at, port});
    const Node relative = network_.group().subtract(packets_[id].to, packets_[id].origin);
    waiting_[link].push({static_cast<std::uint32_t>(route.size() - crossed_[id]), relative, id});
  }

  void one_round(schedule::Rounds& rounds) {
    if (limited_) {
      std::sort(busy_.begin(), busy_.end(), [&](const BusyLink& a, const BusyLink& b) {
        const Waiting &first = waiting_[a.number].top(), &second = waiting_[b.number].top();
        return second < first;
      });
    }
    arrivals_.clear();
    std::vector<BusyLink> links;
    links.swap(busy_);
    for (const BusyLink& link : links) {
      send_over(link, rounds);
      if (!waiting_[link.number].empty()) busy_.push_back(link);
    }
    ports_.next_round();
    for (const auto& [id, at] : arrivals_) join_queue(id, at);
  }

  void send_over(const BusyLink& link, schedule::Rounds& rounds) {
    const Node to = network_.neighbour(link.from, link.port);
    if (limited_ && !ports_.admit(link.from, to)) return;
    const PacketId id = waiting_[link.number].top().id;
    waiting_[link.number].pop();
    rounds.add({id, link.from, link.port});
    ++crossed_[id];
    arrivals_.emplace_back(id, to);
  }

  const Network& network_;
  const network::LinkNumbers& links_;
  std::span<const Packet> packets_;
  const Routes& routes_;
  bool limited_;
  PortsInUse ports_;
  std::vector<std::uint32_t> crossed_;                 // hops made, by packet
  std::vector<std::priority_queue<Waiting>> waiting_;  // by directed link
  std::vector<BusyLink> busy_;
  std::vector<std::pair<PacketId, Node>> arrivals_;
};

std::uint64_t packet_count(std::span<const schedule::Delivery> deliveries, std::uint32_t parts) {
  std::uint64_t blocks = 0;
  for (const schedule::Delivery& delivery : deliveries) blocks += delivery.blocks;
  return blocks > UINT32_MAX ? UINT64_MAX : blocks * parts;
}

schedule::Stage listed_stage(const Network& network, std::span<const schedule::Delivery> deliveries,
                             std::uint32_t parts) {
  if (packet_count(deliveries, parts) > UINT32_MAX) {
    throw Error(fmt::format("a task of more than {} packets: give fewer blocks or parts", UINT32_MAX));
  }
  return {schedule::Flow::move, schedule::Replication::none(), packets_of(network, deliveries, parts), {}};
}

// Routes with detours; a busiest link with `enough` packets is good enough.
struct NegotiatedRoutes {
  std::vector<Route> routes;

  NegotiatedRoutes(const SurvivingDistances& distances, std::span<const Packet> packets,
                   std::uint64_t enough) {
    const Routes shortest(distances, packets);
    for (PacketId id = 0; id < packets.size(); ++id)
      routes.emplace_back(shortest.of(id).begin(), shortest.of(id).end());
    routes = negotiate(distances, packets, std::move(routes), enough);
  }

  std::span<const Port> of(PacketId id) const { return routes[id]; }
};

// Packets that never wait. Each takes the ports that lead closer in cyclic order from one on that is drawn for it: on
// products axis after axis, and all axes are the first equally often, so that loads are even.
class AtOnce {
 public:
  AtOnce(const SurvivingNetwork& network, std::span<const Packet> packets)
      : network_(network), distances_(network, packets) {}

  void send(PacketId id, const Packet& packet) {
    std::uint32_t left = distances_.distance(packet.origin, packet.to);
    if (left == 0) return;
    if (hops_.size() < left) hops_.resize(left);
    const Port first = random_.below(network_.whole().degree());
    Node at = packet.origin;
    for (std::size_t round = 0; left > 0; ++round, --left) {
      const Port port = next(at, packet.to, left, first);
      hops_[round].push_back({id, at, port});
      at = network_.whole().neighbour(at, port);
    }
  }

  // By round.
  const std::vector<std::vector<schedule::Hop>>& hops() const { return hops_; }

 private:
  Port next(Node at, Node to, std::uint32_t left, Port first) const {
    Port least = UINT32_MAX, result = 0;
    network_.for_each_neighbour(at, [&](Port port, Node neighbour) {
      const Port turn = port >= first ? port - first : port + network_.whole().degree() - first;
      if (turn >= least || distances_.distance(neighbour, to) >= left) return;
      least = turn;
      result = port;
    });
    return result;
  }

  const SurvivingNetwork& network_;
  SurvivingDistances distances_;
  SplitMix random_{1};
  std::vector<std::vector<schedule::Hop>> hops_;
};

// One round fewer, again and again, while the search finds how.
void lower_deadline(const SurvivingNetwork& network, schedule::Stage& stage, schedule::PortModel ports,
                    const SearchLimits& limits) {
  constexpr std::uint32_t passes = 200, seeds = 8;
  constexpr std::uint64_t most_slots = std::uint64_t{1} << 24;
  SearchBudget budget(limits);
  for (std::uint32_t seed = 0; seed < seeds;) {
    const std::uint64_t rounds = stage.rounds.size();
    if (rounds <= limits.target || rounds * network.whole().directed_links() > most_slots) return;
    auto fewer =
        route_by_deadline(network, stage.packets, ports, rounds - 1, passes, limits.seed + seed, budget);
    seed = fewer ? 0 : seed + 1;
    if (fewer) stage.rounds = *std::move(fewer);
  }
}

}  // namespace

schedule::Schedule task_routing(const SurvivingNetwork& network,
                                std::span<const schedule::Delivery> deliveries, std::uint32_t parts,
                                schedule::PortModel ports, const SearchLimits& limits) {
  schedule::Stage stage = listed_stage(network.whole(), deliveries, parts);
  const network::LinkNumbers links(network);
  const auto in_rounds = [&](const auto& routes) {
    return ListScheduling(network.whole(), links, stage.packets, routes, ports).run();
  };
  if (network.failures().empty()) {
    const WholeGraph graph(network.whole());
    stage.rounds = in_rounds(Routes(graph, stage.packets));
  } else {
    const SurvivingDistances distances(network, stage.packets);
    stage.rounds = in_rounds(NegotiatedRoutes(distances, stage.packets, limits.target));
  }
  if (limits.runs > 1) lower_deadline(network, stage, ports, limits);
  schedule::Schedule result{ports, schedule::RoundKind::strict, {}};
  result.stages.push_back(std::move(stage));
  return result;
}

schedule::Schedule merged_task_routing(const SurvivingNetwork& network,
                                       std::span<const schedule::Delivery> deliveries, std::uint32_t parts) {
  schedule::Stage stage = listed_stage(network.whole(), deliveries, parts);
  AtOnce way(network, stage.packets);
  for (PacketId id = 0; id < stage.packets.size(); ++id) way.send(id, stage.packets[id]);
  append(way.hops(), stage.rounds);
  schedule::Schedule result{schedule::PortModel::all(), schedule::RoundKind::aggregated, {}};
  result.stages.push_back(std::move(stage));
  return result;
}

}  // namespace isotrope::algorithm
