// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/exchange/half_duplex_exchange.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include "isotrope/schedule/node_classes.hpp"
#include "isotrope/schedule/packets.hpp"

#include "isotrope/algorithm/broadcast/link_matching.hpp"
#include "isotrope/algorithm/exchange/isotropic_exchange.hpp"

namespace isotrope::algorithm {
namespace {

using network::Network;
using schedule::Hop;
using schedule::Packet;
using schedule::PacketId;
using schedule::Rounds;

constexpr std::uint32_t none = UINT32_MAX;

schedule::Schedule half_duplex_schedule(std::vector<Packet> packets, Rounds rounds) {
  return {schedule::PortModel::half(),
          schedule::RoundKind::strict,
          {{schedule::Flow::move, schedule::Replication::none(), std::move(packets), std::move(rounds)}}};
}

// ---- split

class SplitRounds {
 public:
  SplitRounds(const Network& network, const schedule::Task& task, const schedule::Stage& stage)
      : network_(network),
        stage_(stage),
        packets_(network, task, stage),
        number_(packets_.size() * network.order(), none),
        hop_of_(network.order()),
        used_(network.order(), 0) {
    const schedule::NodeClasses classes(network.group(), stage.replication);
    for (Node node = 0; node < network.order(); ++node) {
      if (classes.of(node) == 0) translations_.push_back(node);
    }
    if (stage.replication == schedule::Replication::none()) translations_ = {0};
  }

  std::optional<schedule::Schedule> run() {
    for (std::uint64_t t = 0; t < stage_.rounds.size(); ++t) {
      spread(t);
      if (!split()) return std::nullopt;
    }
    return half_duplex_schedule(std::move(listed_), std::move(rounds_));
  }

 private:
  // The hops of a round from all nodes, by sender.
  void spread(std::uint64_t t) {
    std::ranges::fill(hop_of_, Hop{none, 0, 0});
    for (const Hop& hop : stage_.rounds.round(t)) {
      for (const Node by : translations_) {
        const Node from = network_.group().add(hop.from, by);
        hop_of_[from] = {listed(hop.packet, by), from, hop.port};
      }
    }
  }

  PacketId listed(PacketId packet, Node by) {
    PacketId& number = number_[std::size_t{packet} * network_.order() + by];
    if (number == none) {
      number = static_cast<PacketId>(listed_.size());
      const Packet original = packets_[packet];
      listed_.push_back({network_.group().add(original.origin, by), network_.group().add(original.to, by),
                         original.block, original.part});
    }
    return number;
  }

  bool sends(Node node) const { return hop_of_[node].packet != none; }
  Node receiver(Node node) const { return network_.neighbour(node, hop_of_[node].port); }

  // Alternate hops along every path and cycle go into alternate rounds.
  bool split() {
    std::array<std::vector<Hop>, 2> halves;
    std::ranges::fill(used_, 0);
    std::vector<std::uint8_t> receives(network_.order(), 0);
    for (Node node = 0; node < network_.order(); ++node) {
      if (sends(node)) receives[receiver(node)] = 1;
    }
    const auto follow = [&](Node first) {
      std::uint32_t length = 0;
      for (Node node = first; sends(node) && used_[node] == 0; node = receiver(node)) {
        used_[node] = 1;
        halves[length++ % 2].push_back(hop_of_[node]);
      }
      return length;
    };
    for (Node node = 0; node < network_.order(); ++node) {
      if (receives[node] == 0) follow(node);
    }
    for (Node node = 0; node < network_.order(); ++node) {
      if (follow(node) % 2 != 0) return false;
    }
    for (const auto& half : halves) {
      if (half.empty()) continue;
      for (const Hop& hop : half) rounds_.add(hop);
      rounds_.close_round();
    }
    return true;
  }

  const Network& network_;
  const schedule::Stage& stage_;
  schedule::Packets packets_;
  std::vector<Node> translations_;
  std::vector<PacketId> number_;  // in the list, by packet of the stage and translation
  std::vector<Packet> listed_;
  std::vector<Hop> hop_of_;  // by sender
  std::vector<std::uint8_t> used_;
  Rounds rounds_;
};

// ---- listed

// The port by which a packet leaves, by its relative address: on a shortest route, over ports in turn.
std::vector<Port> first_ports(const Network& network) {
  std::vector<Port> result(network.order(), 0);
  std::vector<std::uint32_t> uses(network.degree(), 0);
  for (Node address = 1; address < network.order(); ++address) {
    const std::uint32_t distance = network.distance(0, address);
    Port best = network.degree();
    for (Port port = 0; port < network.degree(); ++port) {
      const Node rest = network.group().subtract(address, network.neighbour(0, port));
      if (network.distance(0, rest) < distance && (best == network.degree() || uses[port] < uses[best]))
        best = port;
    }
    result[address] = best;
    ++uses[best];
  }
  return result;
}

class ListedExchange {
 public:
  ListedExchange(const Network& network, std::span<const DirectedLink> links,
                 const std::vector<Port>& first_port, const std::vector<Packet>& packets, std::uint32_t seed)
      : network_(network),
        links_(links),
        first_port_(first_port),
        packets_(packets),
        matching_(links, network.order(), true),
        random_(seed),
        waiting_(links.size()),
        left_(network.order(), 0) {
    for (PacketId id = 0; id < packets_.size(); ++id) {
      put(id, packets_[id].origin);
      count_operations(packets_[id]);
    }
    noise_ = std::exp2(std::uniform_real_distribution<float>(-6, 1)(random_));
  }

  std::optional<Rounds> run(std::uint64_t enough, SearchBudget& budget) {
    Rounds rounds;
    while (under_way_ > 0) {
      if (rounds.size() + 1 >= enough) return std::nullopt;
      make_round(rounds);
      budget.spend(links_.size());
    }
    return rounds;
  }

 private:
  struct Waiting {
    std::uint32_t hops;  // to go
    PacketId packet;
    bool operator<(const Waiting& other) const { return hops < other.hops; }
  };

  Node address(PacketId id, Node at) const { return network_.group().subtract(packets_[id].to, at); }
  std::size_t link(Node from, Port port) const { return std::size_t{from} * network_.degree() + port; }

  void put(PacketId id, Node at) {
    const Node rest = address(id, at);
    auto& heap = waiting_[link(at, first_port_[rest])];
    heap.push_back({network_.distance(0, rest), id});
    std::push_heap(heap.begin(), heap.end());
    ++under_way_;
  }

  void count_operations(const Packet& packet) {
    for (Node at = packet.origin; at != packet.to;) {
      ++left_[at];
      at = network_.neighbour(at, first_port_[network_.group().subtract(packet.to, at)]);
      ++left_[at];
    }
  }

  void make_round(Rounds& rounds) {
    std::uniform_real_distribution<float> chance(0, noise_);
    weighed_.clear();
    for (std::uint32_t i = 0; i < links_.size(); ++i) {
      if (waiting_[i].empty()) continue;
      const float weight = static_cast<float>(left_[links_[i].from] + left_[links_[i].to]) +
                           0.5F * static_cast<float>(waiting_[i].front().hops) + chance(random_);
      weighed_.emplace_back(weight, i);
    }
    std::ranges::sort(weighed_, std::greater());
    order_.clear();
    for (const auto& [weight, i] : weighed_) order_.push_back(i);
    arrived_.clear();
    for (const std::uint32_t i : matching_.match(order_)) {
      if (i == LinkMatching::no_link) continue;
      std::pop_heap(waiting_[i].begin(), waiting_[i].end());
      const PacketId packet = waiting_[i].back().packet;
      waiting_[i].pop_back();
      --under_way_;
      rounds.add({packet, links_[i].from, links_[i].port});
      --left_[links_[i].from], --left_[links_[i].to];
      if (packets_[packet].to != links_[i].to) arrived_.emplace_back(packet, links_[i].to);
    }
    rounds.close_round();
    for (const auto& [packet, node] : arrived_) put(packet, node);
  }

  const Network& network_;
  std::span<const DirectedLink> links_;
  const std::vector<Port>& first_port_;
  const std::vector<Packet>& packets_;
  LinkMatching matching_;
  std::mt19937 random_;
  float noise_;
  std::vector<std::vector<Waiting>> waiting_;  // by link, as heaps
  std::vector<std::uint32_t> left_;            // sends and receipts to come, by node
  std::uint64_t under_way_ = 0;
  std::vector<std::pair<float, std::uint32_t>> weighed_;
  std::vector<std::uint32_t> order_;
  std::vector<std::pair<PacketId, Node>> arrived_;
};

std::vector<Packet> packets_of_all(const Network& network,
                                   std::span<const schedule::RelativeDestination> destinations,
                                   std::uint32_t parts) {
  std::vector<Packet> result;
  for (Node origin = 0; origin < network.order(); ++origin) {
    for (const Packet& packet : schedule::isotropic_packets(network, destinations, parts, origin)) {
      if (packet.to != origin) result.push_back(packet);
    }
  }
  return result;
}

schedule::Schedule listed_exchange(const Network& network,
                                   std::span<const schedule::RelativeDestination> destinations,
                                   std::uint32_t parts, const SearchLimits& limits) {
  const std::vector<Packet> packets = packets_of_all(network, destinations, parts);
  const std::vector<DirectedLink> links = all_links(network);
  const std::vector<Port> ports = first_ports(network);
  Rounds best;
  std::uint64_t enough = UINT64_MAX;
  SearchBudget budget(limits);
  for (std::uint32_t run = 1; enough > limits.target && budget.allows(run); ++run) {
    auto rounds = ListedExchange(network, links, ports, packets, limits.seed + run).run(enough, budget);
    if (!rounds) continue;
    enough = rounds->size();
    best = *std::move(rounds);
  }
  return half_duplex_schedule(packets, std::move(best));
}

schedule::Schedule one_port_exchange(const Network& network, const schedule::Task& task,
                                     std::span<const schedule::RelativeDestination> destinations) {
  const auto one = schedule::PortModel::one();
  if (task.collective == schedule::Collective::isotropic)
    return IsotropicExchange(network, destinations, task.parts, one).schedule();
  return IsotropicExchange(network, task, one).schedule();
}

}  // namespace

std::optional<schedule::Schedule> split_rounds(const Network& network, const schedule::Task& task,
                                               const schedule::Schedule& one_port) {
  return SplitRounds(network, task, one_port.stages.front()).run();
}

schedule::Schedule half_duplex_exchange(const Network& network, const schedule::Task& task,
                                        std::span<const schedule::RelativeDestination> destinations,
                                        const SearchLimits& limits) {
  auto split = split_rounds(network, task, one_port_exchange(network, task, destinations));
  if (split && split->round_count() <= limits.target) return *std::move(split);
  schedule::Schedule listed = listed_exchange(network, destinations, task.parts, limits);
  return split && split->round_count() <= listed.round_count() ? *std::move(split) : listed;
}

}  // namespace isotrope::algorithm
