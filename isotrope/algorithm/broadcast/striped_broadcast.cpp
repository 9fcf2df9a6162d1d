// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/broadcast/striped_broadcast.hpp"

#include <algorithm>
#include <utility>

#include "isotrope/algorithm/broadcast/rarest_first_broadcast.hpp"
#include "isotrope/algorithm/lanes.hpp"

namespace isotrope::algorithm {
namespace {

using network::Failures;
using network::Network;
using network::Node;
using network::Port;
using schedule::Hop;

// The broadcast of one stripe, drawn on the lane of the root.
class Stripes {
 public:
  Stripes(const Network& network, const Failures& failed, Node root, std::uint32_t parts,
          const SearchLimits& limits)
      : network_(network),
        places_(places_of_node(network)),
        root_(root),
        parts_(parts),
        packets_((parts + places_ - 1) / places_),
        ports_(ports_in_node(network)),
        lane_(rarest_first_broadcast({network, only_lane(network, failed, root % places_)}, root, packets_,
                                     schedule::PortModel::all(), limits)) {
    order_at_root();
  }

  schedule::Schedule broadcast() {
    feed_lanes();
    for (std::uint32_t lane = 0; lane < places_; ++lane) follow(lane);
    spread_at_root();
    schedule::Schedule result;
    schedule::Stage& stage = result.stages.emplace_back();
    stage.flow = schedule::Flow::copy;
    for (const std::vector<Hop>& round : rounds_) {
      for (const Hop& hop : round) stage.rounds.add(hop);
      stage.rounds.close_round();
    }
    return result;
  }

 private:
  // The packets of a stripe in the order in which the root first sends them on, and when it does.
  void order_at_root() {
    std::vector<bool> is_known(packets_, false);
    const schedule::Rounds& rounds = lane_.stages.front().rounds;
    for (std::uint64_t t = 0; t < rounds.size(); ++t) {
      for (const Hop& hop : rounds.round(t)) {
        if (hop.from != root_ || is_known[hop.packet]) continue;
        is_known[hop.packet] = true;
        order_.push_back(hop.packet);
        first_use_.push_back(t);
      }
    }
    for (std::uint32_t packet = 0; packet < packets_; ++packet) {  // of a network of one node
      if (is_known[packet]) continue;
      order_.push_back(packet);
      first_use_.push_back(rounds.size());
    }
  }

  bool exists(std::uint32_t packet, std::uint32_t lane) const { return packet * places_ + lane < parts_; }
  std::uint32_t steps(std::uint32_t from, std::uint32_t to) const { return (to + places_ - from) % places_; }

  void add(std::uint64_t round, std::uint32_t packet, std::uint32_t lane, Node from, Port port) {
    if (rounds_.size() <= round) rounds_.resize(round + 1);
    rounds_[round].push_back({packet * places_ + lane, from, port});
  }

  // Sends what the place `to` lacks, over the links between two places of a node, no packet before its round.
  // `sent` packets have gone this way already.
  struct Queue {
    std::uint64_t round = 0;
    std::size_t used = 0;
  };
  void send(Queue& queue, std::uint64_t from_round, std::uint32_t packet, std::uint32_t lane, Node from,
            std::uint32_t step) {
    const std::vector<Port>& ports = ports_[step];
    if (queue.round < from_round) queue = {from_round, 0};
    add(queue.round, packet, lane, from, ports[queue.used]);
    if (++queue.used == ports.size()) queue = {queue.round + 1, 0};
  }

  // The root gives the other places of its node their stripes, and lanes wait until these come in time.
  void feed_lanes() {
    const std::uint32_t own = root_ % places_;
    from_root_.resize(places_);
    fed_.assign(places_, {});
    for (std::uint32_t lane = 0; lane < places_; ++lane) {
      if (lane == own) continue;
      fed_[lane].assign(packets_, 0);
      for (std::size_t i = 0; i < order_.size(); ++i) {
        if (!exists(order_[i], lane)) continue;
        send(from_root_[lane], 0, order_[i], lane, root_, steps(own, lane));
        const std::uint64_t came = last_round(from_root_[lane]) + 1;
        fed_[lane][order_[i]] = came;
        if (came > first_use_[i]) shift_ = std::max(shift_, came - first_use_[i]);
      }
    }
  }

  // The round of the message that was added last.
  static std::uint64_t last_round(const Queue& queue) {
    return queue.used == 0 ? queue.round - 1 : queue.round;
  }

  // The lane's broadcast, and from every place of it to the others of its node.
  void follow(std::uint32_t lane) {
    const std::uint32_t own = root_ % places_;
    const std::uint64_t shift = lane == own ? 0 : shift_;
    std::vector<Queue> queues(std::size_t{network_.order()} / places_ * places_);
    const schedule::Rounds& rounds = lane_.stages.front().rounds;
    for (std::uint64_t t = 0; t < rounds.size(); ++t) {
      for (const Hop& hop : rounds.round(t)) {
        if (!exists(hop.packet, lane)) continue;
        const Node from = hop.from - own + lane;
        add(t + shift, hop.packet, lane, from, hop.port);
        const Node to = network_.neighbour(from, hop.port);
        for (std::uint32_t other = 0; other < places_; ++other) {
          if (other != lane)
            send(queues[to - lane + other], t + shift + 1, hop.packet, lane, to, steps(lane, other));
        }
      }
    }
  }

  // In the node of the root, the other places lack the root's own stripe and those of each other.
  void spread_at_root() {
    const std::uint32_t own = root_ % places_;
    for (std::uint32_t to = 0; to < places_; ++to) {
      if (to == own) continue;
      for (std::uint32_t packet = 0; packet < packets_ && exists(packet, own); ++packet)
        send(from_root_[to], 0, packet, own, root_, steps(own, to));
      for (std::uint32_t lane = 0; lane < places_; ++lane) {
        if (lane == own || lane == to) continue;
        Queue queue;
        for (const std::uint32_t packet : order_) {
          if (exists(packet, lane))
            send(queue, fed_[lane][packet], packet, lane, root_ - own + lane, steps(lane, to));
        }
      }
    }
  }

  const Network& network_;
  std::uint32_t places_;
  Node root_;
  std::uint32_t parts_;
  std::uint32_t packets_;  // of the longest stripe
  std::vector<std::vector<Port>> ports_;
  schedule::Schedule lane_;
  std::vector<std::uint32_t> order_;
  std::vector<std::uint64_t> first_use_;  // in the same order
  std::vector<Queue> from_root_;          // by place of its node
  std::vector<std::vector<std::uint64_t>>
      fed_;                  // by lane and packet, the round in which its place at the root has it
  std::uint64_t shift_ = 0;  // of the lanes that the root feeds
  std::vector<std::vector<Hop>> rounds_;
};

}  // namespace

schedule::Schedule striped_broadcast(const Network& network, const Failures& failed, Node root,
                                     std::uint32_t parts, const SearchLimits& limits) {
  return Stripes(network, failed, root, parts, limits).broadcast();
}

}  // namespace isotrope::algorithm
