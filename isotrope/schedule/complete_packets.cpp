// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/schedule/complete_packets.hpp"

#include "isotrope/schedule/packets.hpp"

namespace isotrope::schedule {
namespace {

class PartialResults {
 public:
  PartialResults(const Plan& plan, const Stage& stage)
      : network_(hop_network(plan)),
        packets_(network_, plan.task, stage),
        held_(packets_.size() * network_.order(), true),
        complete_from_(packets_.size(), never) {
    Node survivors = network_.order();
    std::vector<bool> failed(network_.order(), false);
    for (const Node node : plan.failed.nodes) {
      if (node >= network_.order() || failed[node]) continue;
      failed[node] = true;
      --survivors;
      for (PacketId packet = 0; packet < packets_.size(); ++packet) held_[key(packet, node)] = false;
    }
    results_.assign(packets_.size(), survivors);
    for (PacketId packet = 0; packet < packets_.size(); ++packet) note(packet, 0);
  }

  void follow(const Rounds& rounds) {
    for (std::uint64_t t = 0; t < rounds.size(); ++t) {
      for (const Hop& hop : rounds.round(t)) send(hop, t);
      for (const Hop& hop : sent_) receive(hop.packet, network_.neighbour(hop.from, hop.port));
      for (const Hop& hop : sent_) note(hop.packet, t + 1);
      sent_.clear();
    }
  }
  std::vector<std::uint64_t> complete_from() && { return std::move(complete_from_); }

 private:
  std::uint64_t key(PacketId packet, Node node) const {
    return std::uint64_t{packet} * network_.order() + node;
  }

  void send(const Hop& hop, std::uint64_t t) {
    if (hop.packet >= packets_.size() || hop.from >= network_.order() || hop.port >= network_.degree())
      return;
    if (complete_from_[hop.packet] <= t || !held_[key(hop.packet, hop.from)]) return;
    held_[key(hop.packet, hop.from)] = false;
    sent_.push_back(hop);
  }
  void receive(PacketId packet, Node node) {
    if (held_[key(packet, node)]) --results_[packet];
    held_[key(packet, node)] = true;
  }
  void note(PacketId packet, std::uint64_t t) {
    const Node origin = packets_[packet].origin;
    const bool complete = results_[packet] == 1 && origin < network_.order() && held_[key(packet, origin)];
    if (complete && complete_from_[packet] == never) complete_from_[packet] = t;
  }

  const Network& network_;
  Packets packets_;
  std::vector<bool> held_;     // partial results, by packet and node
  std::vector<Node> results_;  // how many there are, by packet
  std::vector<Hop> sent_;      // in this round
  std::vector<std::uint64_t> complete_from_;
};

}  // namespace

std::vector<std::uint64_t> complete_from(const Plan& plan, const Stage& stage) {
  PartialResults results(plan, stage);
  results.follow(stage.rounds);
  return std::move(results).complete_from();
}

}  // namespace isotrope::schedule
