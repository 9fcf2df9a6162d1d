// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/scatter/layered_scatter.hpp"

#include <algorithm>
#include <queue>
#include <utility>
#include <vector>

#include "isotrope/algorithm/trees/layered_tree.hpp"

namespace isotrope::algorithm {
namespace {

using network::Network;
using network::Node;
using network::Port;
using schedule::Hop;

class LayeredScatter {
 public:
  LayeredScatter(const Network& network, Node root, std::uint32_t parts, Port at_once)
      : network_(network),
        tree_(network, root),
        parts_(parts),
        at_once_(at_once),
        subtrees_(network.degree()),
        busy_(network.degree(), false),
        ahead_(std::max(tree_.height(), 1U)) {}

  schedule::Rounds run() {
    std::uint64_t hops = 0;
    for (const Node node : tree_.nodes()) hops += tree_.depth(node);
    rounds_.reserve(0, hops * parts_);
    for (std::uint32_t part = 0; part < parts_; ++part) {
      if (part > 0) tree_.next();
      send_part(part);
    }
    if (!sending_.empty()) close_round();
    return std::move(rounds_);
  }

 private:
  // The number of packets left for a subtree, and its port.
  using Waiting = std::pair<std::size_t, Port>;

  // Leaves the last round open if ports are left over.
  void send_part(std::uint32_t part) {
    for (const Node node : tree_.nodes().subspan(1)) subtrees_[tree_.subtree(node)].push_back(node);
    std::priority_queue<Waiting> waiting;
    for (Port port = 0; port < network_.degree(); ++port) {
      if (!subtrees_[port].empty()) waiting.emplace(subtrees_[port].size(), port);
    }
    while (!waiting.empty()) {
      if (sending_.size() == at_once_) close_round();
      send_round(part, waiting);
      if (!waiting.empty()) close_round();
    }
  }

  // Fills the round under construction from the subtrees that are not busy.
  void send_round(std::uint32_t part, std::priority_queue<Waiting>& waiting) {
    std::vector<Waiting> later;
    while (sending_.size() < at_once_ && !waiting.empty()) {
      const Port port = waiting.top().second;
      if (!busy_[port]) {
        busy_[port] = true;
        sending_.push_back(port);
        send(subtrees_[port].back(), part);
        subtrees_[port].pop_back();
      }
      if (!subtrees_[port].empty()) later.emplace_back(subtrees_[port].size(), port);
      waiting.pop();
    }
    for (const Waiting& subtree : later) waiting.push(subtree);
  }

  // Adds the hops of a packet to this round and the following ones.
  void send(Node to, std::uint32_t part) {
    const schedule::PacketId packet = network_.group().subtract(to, tree_.root()) * parts_ + part;
    for (Node node = to; node != tree_.root(); node = tree_.parent(node).from) {
      const auto [from, port] = tree_.parent(node);
      ahead_[(rounds_.size() + tree_.depth(from)) % ahead_.size()].push_back({packet, from, port});
    }
  }

  void close_round() {
    std::vector<Hop>& hops = ahead_[rounds_.size() % ahead_.size()];
    for (const Hop& hop : hops) rounds_.add(hop);
    hops.clear();
    rounds_.close_round();
    for (const Port port : sending_) busy_[port] = false;
    sending_.clear();
  }

  const Network& network_;
  LayeredTree tree_;
  std::uint32_t parts_;
  Port at_once_;
  std::vector<std::vector<Node>> subtrees_;  // destinations left in each, the farthest last
  std::vector<Port> sending_;                // the ports of the root in use in the round under construction
  std::vector<bool> busy_;                   // by port: true for those in sending_
  std::vector<std::vector<Hop>> ahead_;      // the hops of round t, in place t modulo the height
  schedule::Rounds rounds_;
};

}  // namespace

schedule::Schedule layered_scatter(const Network& network, Node root, std::uint32_t parts,
                                   schedule::PortModel ports) {
  schedule::Stage stage{schedule::Flow::move, schedule::Replication::none(), {}, {}};
  stage.rounds = LayeredScatter(network, root, parts, ports.sends(network.degree())).run();
  schedule::Schedule result{ports, schedule::RoundKind::strict, {}};
  result.stages.push_back(std::move(stage));
  return result;
}

}  // namespace isotrope::algorithm
