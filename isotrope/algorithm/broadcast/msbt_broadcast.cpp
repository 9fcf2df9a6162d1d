// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/broadcast/msbt_broadcast.hpp"

#include <utility>
#include <vector>

#include "isotrope/algorithm/trees/multiple_binomial_trees.hpp"

namespace isotrope::algorithm {
namespace {

using network::Node;
using schedule::PacketId;
using schedule::PortModel;

class Broadcast {
 public:
  Broadcast(std::uint32_t dimension, Node root, std::uint32_t parts)
      : n_(dimension), nodes_(Node{1} << dimension), root_(root), parts_(parts) {
    stage_.flow = schedule::Flow::copy;
  }

  schedule::Schedule all_ports() {
    const std::uint64_t rounds =
        msbt_broadcast_rounds(n_, static_cast<std::uint32_t>(parts_), PortModel::all(), false);
    reserve(rounds);
    for (std::uint64_t t = 0; t < rounds; ++t) {
      for (Node c = 1; c < nodes_; ++c) {
        for (std::uint32_t d = 0; d < n_; ++d) {
          const std::uint32_t tree = msbt_of_link(n_, c, d);
          const std::uint64_t ahead = msbt_depth(c, tree) - 1;
          if (t >= ahead && tree + n_ * (t - ahead) < parts_) add(tree + n_ * (t - ahead), c, d);
        }
      }
      stage_.rounds.close_round();
    }
    return finished(PortModel::all());
  }

  schedule::Schedule in_cycles(PortModel ports, bool capped) {
    const std::uint64_t cycles =
        msbt_broadcast_rounds(n_, static_cast<std::uint32_t>(parts_), PortModel::one(), capped);
    reserve(ports.half_duplex() ? 2 * cycles : cycles);
    if (capped) has_last_.assign(nodes_, false);
    for (std::uint64_t t = 0; t < cycles; ++t) {
      const auto d = static_cast<std::uint32_t>(t % n_);
      if (!ports.half_duplex()) {
        for (Node c = 1; c < nodes_; ++c) receive(t, c, d, capped);
        stage_.rounds.close_round();
        continue;
      }
      for (const Node one : {Node{0}, Node{1}}) {  // receivers with bit d = 0 first
        const std::uint64_t before = stage_.rounds.hop_count();
        for (Node c = 1; c < nodes_; ++c) {
          if ((c >> d & 1) == one) receive(t, c, d, capped);
        }
        if (stage_.rounds.hop_count() != before) stage_.rounds.close_round();
      }
    }
    return finished(ports);
  }

 private:
  void reserve(std::uint64_t rounds) { stage_.rounds.reserve(rounds, std::uint64_t{nodes_ - 1} * parts_); }

  // Adds the hop to the node of relative address c over dimension d in cycle t, if there is one.
  void receive(std::uint64_t t, Node c, std::uint32_t d, bool capped) {
    const std::uint32_t tree = msbt_of_link(n_, c, d);
    const bool late = (c >> tree & 1) == 0 || d < tree;  // the label is d + n
    if (late && t < n_ + d) return;
    const std::uint64_t packet = tree + n_ * (t / n_ - (late ? 1 : 0));
    if (packet + 1 < parts_) return add(packet, c, d);
    if (!capped) {
      if (packet < parts_) add(packet, c, d);
    } else if (!has_last_[c]) {
      has_last_[c] = true;
      add(parts_ - 1, c, d);
    }
  }

  void add(std::uint64_t packet, Node c, std::uint32_t d) {
    stage_.rounds.add({static_cast<PacketId>(packet), root_ ^ c ^ Node{1} << d, d});
  }

  schedule::Schedule finished(PortModel ports) {
    schedule::Schedule result{ports, schedule::RoundKind::strict, {}};
    result.stages.push_back(std::move(stage_));
    return result;
  }

  std::uint32_t n_;
  Node nodes_;
  Node root_;
  std::uint64_t parts_;
  schedule::Stage stage_;
  std::vector<bool> has_last_;  // by relative address: the last packet is there or on its way
};

}  // namespace

schedule::Schedule msbt_broadcast(std::uint32_t dimension, Node root, std::uint32_t parts, PortModel ports) {
  Broadcast broadcast(dimension, root, parts);
  return ports.kind == PortModel::Kind::all_port ? broadcast.all_ports() : broadcast.in_cycles(ports, false);
}

schedule::Schedule capped_msbt_broadcast(std::uint32_t dimension, Node root, std::uint32_t parts,
                                         PortModel ports) {
  return Broadcast(dimension, root, parts).in_cycles(ports, true);
}

std::uint64_t msbt_broadcast_rounds(std::uint32_t dimension, std::uint32_t parts, PortModel ports,
                                    bool capped) {
  const std::uint64_t p = parts, n = dimension;
  if (n == 1) return p;
  if (ports.kind == PortModel::Kind::all_port) return (p + n - 1) / n + n;
  return (ports.half_duplex() ? 2 * p - 1 : p) + n - (capped ? 1 : 0);
}

}  // namespace isotrope::algorithm
