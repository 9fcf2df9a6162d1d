// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/irregular/deadline_routing.hpp"

#include <algorithm>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

namespace isotrope::algorithm {
namespace {

using network::Node;
using network::Port;
using network::SurvivingNetwork;
using schedule::Packet;
using schedule::PacketId;

// What is free in each round.
class FreeSlots {
 public:
  FreeSlots(const network::Network& network, schedule::PortModel ports, std::uint64_t rounds)
      : nodes_(network.order()),
        degree_(network.degree()),
        limit_(ports.sends(network.degree())),
        half_duplex_(ports.half_duplex()),
        rounds_(rounds),
        links_(rounds * network.directed_links()),
        sends_(rounds * nodes_),
        receipts_(rounds * nodes_) {
    clear();
  }

  void clear() {
    std::fill(links_.begin(), links_.end(), false);
    std::fill(sends_.begin(), sends_.end(), Port{0});
    std::fill(receipts_.begin(), receipts_.end(), Port{0});
  }

  /// The first round from `t` on in which the link is free, or the number of rounds.
  std::uint64_t next(std::uint64_t t, Node from, Port port, Node to) const {
    while (t < rounds_ && !is_free(t, from, port, to)) ++t;
    return t;
  }
  void take(std::uint64_t t, Node from, Port port, Node to) {
    links_[link(t, from, port)] = true;
    ++sends_[t * nodes_ + from];
    ++receipts_[t * nodes_ + to];
  }

 private:
  std::uint64_t link(std::uint64_t t, Node from, Port port) const {
    return (t * nodes_ + from) * degree_ + port;
  }
  bool is_free(std::uint64_t t, Node from, Port port, Node to) const {
    const std::uint64_t at = t * nodes_;
    if (half_duplex_)
      return sends_[at + from] + receipts_[at + from] + sends_[at + to] + receipts_[at + to] == 0;
    return !links_[link(t, from, port)] && sends_[at + from] < limit_ && receipts_[at + to] < limit_;
  }

  std::uint64_t nodes_;
  Port degree_, limit_;
  bool half_duplex_;
  std::uint64_t rounds_;
  std::vector<bool> links_;
  std::vector<Port> sends_, receipts_;  // by round and node
};

struct TimedHop {
  std::uint64_t round;
  schedule::Hop hop;
};

class DeadlineRouting {
 public:
  DeadlineRouting(const SurvivingNetwork& network, std::span<const Packet> packets, schedule::PortModel ports,
                  std::uint64_t rounds)
      : network_(network), packets_(packets), rounds_(rounds), free_(network.whole(), ports, rounds) {}

  /// Puts the packets into the rounds. @returns those left out.
  std::vector<PacketId> pass(std::span<const PacketId> order, SearchBudget& budget) {
    free_.clear();
    hops_.clear();
    std::vector<PacketId> left_out;
    for (const PacketId id : order) {
      if (!place(id)) left_out.push_back(id);
    }
    budget.spend(looked_at_);
    looked_at_ = 0;
    return left_out;
  }

  schedule::Rounds rounds() {
    std::stable_sort(hops_.begin(), hops_.end(),
                     [](const TimedHop& a, const TimedHop& b) { return a.round < b.round; });
    schedule::Rounds result;
    std::uint64_t t = 0;
    for (const auto& [round, hop] : hops_) {
      for (; t < round; ++t) result.close_round();
      result.add(hop);
    }
    result.close_round();
    return result;
  }

 private:
  // The earliest arrival at a node with so many hops.
  struct Arrival {
    Node at;
    std::uint64_t round;   // the first in which the packet can go on
    std::uint32_t before;  // in the level before
    Port port;             // of the last hop
  };
  using Level = std::vector<Arrival>;

  std::uint32_t distance(Node a, Node b) const { return network_.whole().distance(a, b); }

  bool place(PacketId id) {
    const auto [origin, to, block, part] = packets_[id];
    if (origin == to) return true;
    levels_.assign(1, {{origin, 0, 0, 0}});
    earliest_.assign(network_.whole().order(), rounds_ + 1);
    earliest_[origin] = 0;
    while (!levels_.back().empty()) {
      levels_.push_back(next_level(levels_.back(), to));
      const Level& level = levels_.back();
      for (std::uint32_t i = 0; i < level.size(); ++i) {
        if (level[i].at == to) return take(id, i);
      }
    }
    return false;
  }

  // Only arrivals that are earlier than any with fewer hops, and from which the packet can still be in time.
  Level next_level(const Level& level, Node to) {
    Level next;
    for (std::uint32_t i = 0; i < level.size(); ++i) {
      network_.for_each_neighbour(level[i].at, [&](Port port, Node at) {
        ++looked_at_;
        const std::uint64_t round = free_.next(level[i].round, level[i].at, port, at) + 1;
        if (round >= earliest_[at] || round + distance(at, to) > rounds_) return;
        earliest_[at] = round;
        next.push_back({at, round, i, port});
      });
    }
    std::erase_if(next, [&](const Arrival& arrival) { return arrival.round > earliest_[arrival.at]; });
    return next;
  }

  bool take(PacketId id, std::uint32_t place) {
    for (std::size_t hops = levels_.size() - 1; hops > 0; --hops) {
      const Arrival& arrival = levels_[hops][place];
      const Node from = levels_[hops - 1][arrival.before].at;
      free_.take(arrival.round - 1, from, arrival.port, arrival.at);
      hops_.push_back({arrival.round - 1, {id, from, arrival.port}});
      place = arrival.before;
    }
    return true;
  }

  const SurvivingNetwork& network_;
  std::span<const Packet> packets_;
  std::uint64_t rounds_;
  FreeSlots free_;
  std::vector<TimedHop> hops_;
  std::vector<Level> levels_;            // of the current packet, by hops
  std::vector<std::uint64_t> earliest_;  // of the current packet, by node
  std::uint64_t looked_at_ = 0;          // links, in this pass
};

std::vector<PacketId> farthest_first(const network::Network& network, std::span<const Packet> packets,
                                     std::mt19937& random) {
  std::vector<PacketId> order(packets.size());
  std::iota(order.begin(), order.end(), PacketId{0});
  std::shuffle(order.begin(), order.end(), random);
  std::stable_sort(order.begin(), order.end(), [&](PacketId a, PacketId b) {
    return network.distance(packets[a].origin, packets[a].to) >
           network.distance(packets[b].origin, packets[b].to);
  });
  return order;
}

// Those left out first, and two others in each other's place.
void reorder(std::vector<PacketId>& order, const std::vector<PacketId>& left_out, std::mt19937& random) {
  std::vector<PacketId> rest;
  std::vector<PacketId> sorted = left_out;
  std::sort(sorted.begin(), sorted.end());
  for (const PacketId id : order) {
    if (!std::binary_search(sorted.begin(), sorted.end(), id)) rest.push_back(id);
  }
  if (rest.size() > 1) std::swap(rest[random() % rest.size()], rest[random() % rest.size()]);
  order = left_out;
  order.insert(order.end(), rest.begin(), rest.end());
}

}  // namespace

std::optional<schedule::Rounds> route_by_deadline(const SurvivingNetwork& network,
                                                  std::span<const Packet> packets, schedule::PortModel ports,
                                                  std::uint64_t rounds, std::uint32_t passes,
                                                  std::uint32_t seed, SearchBudget& budget) {
  std::mt19937 random(seed);
  std::vector<PacketId> order = farthest_first(network.whole(), packets, random);
  DeadlineRouting routing(network, packets, ports, rounds);
  for (std::uint32_t pass = 0; pass < passes && budget.allows(pass + 2); ++pass) {
    const std::vector<PacketId> left_out = routing.pass(order, budget);
    if (left_out.empty()) return routing.rounds();
    reorder(order, left_out, random);
  }
  return std::nullopt;
}

}  // namespace isotrope::algorithm
