// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/scatter/tree_scatter.hpp"

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

namespace isotrope::algorithm {
namespace {

using network::Network;
using schedule::PacketId;

// First in, first out queues of packets, one per tree edge, named by its lower end. The number of a packet is its
// place in the root's order, so the numbers of a queue ascend.
class EdgeQueues {
 public:
  static constexpr std::uint32_t none = UINT32_MAX;

  EdgeQueues(std::uint32_t edges, std::size_t packets) : heads_(edges, none), tails_(edges), next_(packets) {}

  std::uint32_t head(std::uint32_t edge) const { return heads_[edge]; }
  void push(std::uint32_t edge, std::uint32_t packet) {
    (heads_[edge] == none ? heads_[edge] : next_[tails_[edge]]) = packet;
    tails_[edge] = packet;
    next_[packet] = none;
  }
  std::uint32_t pop(std::uint32_t edge) { return std::exchange(heads_[edge], next_[heads_[edge]]); }

 private:
  std::vector<std::uint32_t> heads_, tails_;
  std::vector<std::uint32_t> next_;
};

class QueueScatter {
 public:
  QueueScatter(const Network& network, const RootedTree& tree, const TreeScatter& options)
      : network_(network),
        tree_(tree),
        options_(options),
        at_once_(options.ports.sends(network.degree())),
        half_duplex_(options.ports.half_duplex()),
        destinations_(destinations(network, tree, options.order)),
        queues_(tree.size(), std::uint64_t{tree.size() - 1} * options.parts),
        waiting_(tree.size(), 0),
        engaged_(half_duplex_ ? tree.size() : 0, 0) {}

  schedule::Schedule run() {
    std::uint64_t hops = 0;
    for (std::uint32_t i = 1; i < tree_.size(); ++i) hops += tree_.depth(i);
    stage_.rounds.reserve(0, hops * options_.parts);
    for (std::uint32_t packet = 0; packet < destinations_.size() * options_.parts; ++packet) {
      enqueue(0, packet);
    }
    wake();
    while (!active_.empty()) one_round();

    const auto kind = options_.merge == 1 ? schedule::RoundKind::strict : schedule::RoundKind::aggregated;
    schedule::Schedule result{options_.ports, kind, {}};
    result.stages.push_back(std::move(stage_));
    return result;
  }

 private:
  struct QueuedPacket {
    std::uint32_t packet;
    std::uint32_t at;
  };

  std::uint32_t destination(std::uint32_t packet) const {
    return destinations_[packet % destinations_.size()];
  }

  PacketId id(std::uint32_t packet) const {
    const network::Node to = tree_.node(destination(packet));
    const auto part = static_cast<std::uint32_t>(packet / destinations_.size());
    return network_.group().subtract(to, tree_.node(0)) * options_.parts + part;
  }

  void enqueue(std::uint32_t at, std::uint32_t packet) {
    queues_.push(tree_.child_towards(at, destination(packet)), packet);
    if (waiting_[at]++ == 0) woken_.push_back(at);
  }

  // Adds the woken nodes to the active ones, which are sorted from the deepest to the root for half duplex.
  void wake() {
    const auto middle = static_cast<std::ptrdiff_t>(active_.size());
    std::sort(woken_.begin(), woken_.end(), std::greater());
    active_.insert(active_.end(), woken_.begin(), woken_.end());
    std::inplace_merge(active_.begin(), active_.begin() + middle, active_.end(), std::greater());
    woken_.clear();
  }

  void one_round() {
    ++round_;
    for (const std::uint32_t node : active_) send_from(node);
    stage_.rounds.close_round();

    std::erase_if(active_, [&](std::uint32_t node) { return waiting_[node] == 0; });
    for (const QueuedPacket& arrival : arrivals_) {
      if (destination(arrival.packet) != arrival.at) enqueue(arrival.at, arrival.packet);
    }
    arrivals_.clear();
    wake();
  }

  void send_from(std::uint32_t node) {
    if (half_duplex_ && engaged_[node] == round_) return;
    ready_.clear();
    for (auto [child, end] = tree_.children(node); child < end; ++child) {
      const bool free = !half_duplex_ || engaged_[child] != round_;
      if (free && queues_.head(child) != EdgeQueues::none) ready_.push_back(child);
    }
    if (ready_.size() > at_once_) {
      std::nth_element(ready_.begin(), ready_.begin() + at_once_ - 1, ready_.end(),
                       [&](std::uint32_t a, std::uint32_t b) { return queues_.head(a) < queues_.head(b); });
      ready_.resize(at_once_);
    }
    for (const std::uint32_t child : ready_) send_message(node, child);
  }

  void send_message(std::uint32_t node, std::uint32_t child) {
    for (std::uint64_t m = 0; m < options_.merge && queues_.head(child) != EdgeQueues::none; ++m) {
      const std::uint32_t packet = queues_.pop(child);
      stage_.rounds.add({id(packet), tree_.node(node), tree_.port(child)});
      arrivals_.push_back({packet, child});
      --waiting_[node];
    }
    if (half_duplex_) engaged_[node] = engaged_[child] = round_;
  }

  const Network& network_;
  const RootedTree& tree_;
  const TreeScatter& options_;
  std::uint32_t at_once_;
  bool half_duplex_;
  std::vector<std::uint32_t> destinations_;
  EdgeQueues queues_;
  std::vector<std::uint32_t> waiting_;  // packets that a node holds for others
  std::vector<std::uint64_t> engaged_;  // half duplex: the last round in which a node sent or received
  std::uint64_t round_ = 0;
  std::vector<std::uint32_t> active_, woken_;  // nodes with waiting packets, and new ones
  std::vector<std::uint32_t> ready_;
  std::vector<QueuedPacket> arrivals_;
  schedule::Stage stage_;
};

}  // namespace

schedule::Schedule tree_scatter(const Network& network, const RootedTree& tree, const TreeScatter& options) {
  return QueueScatter(network, tree, options).run();
}

}  // namespace isotrope::algorithm
