// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/broadcast/tree_broadcast.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "isotrope/schedule/ceil_div.hpp"

namespace isotrope::algorithm {
namespace {

using network::Node;
using network::Port;
using schedule::Hop;
using schedule::PortModel;

struct Timed {
  std::uint64_t round;
  Hop hop;
};

// The hops of one packet with their rounds, and the period of the pipeline.
class OnePacket {
 public:
  OnePacket(const network::Network& network, Node root, PortModel ports, const ChildPorts& child_ports)
      : at_once_(std::max<Port>(ports.sends(network.degree()), 1)) {
    std::vector<std::pair<Node, std::uint64_t>> arrived{{root, 0}};
    arrived.reserve(network.order());
    for (std::size_t i = 0; i < arrived.size(); ++i) {
      const auto [node, round] = arrived[i];
      const std::vector<Port> children = child_ports(node);
      for (std::size_t c = 0; c < children.size(); ++c) {
        const std::uint64_t sent = round + c / at_once_;
        timed_.push_back({sent, {0, node, children[c]}});
        arrived.emplace_back(network.neighbour(node, children[c]), sent + 1);
        height_ = std::max(height_, sent + 1);
      }
      const std::uint64_t sending = schedule::ceil_div(children.size(), at_once_);
      period_ = std::max(period_, sending + (ports.half_duplex() && node != root ? 1 : 0));
    }
    std::stable_sort(timed_.begin(), timed_.end(),
                     [](const Timed& a, const Timed& b) { return a.round < b.round; });
  }

  std::uint64_t rounds(std::uint32_t packets) const {
    return timed_.empty() ? 0 : height_ + (packets - 1) * period_;  // a single node sends nothing
  }
  std::uint64_t period() const { return period_; }

  // The hops of the rounds that are `residue` modulo the period, ascending.
  std::vector<Timed> residue_class(std::uint64_t residue) const {
    std::vector<Timed> result;
    std::copy_if(timed_.begin(), timed_.end(), std::back_inserter(result),
                 [&](const Timed& timed) { return timed.round % period_ == residue; });
    return result;
  }

 private:
  Port at_once_;
  std::vector<Timed> timed_;
  std::uint64_t height_ = 0;
  std::uint64_t period_ = 1;
};

}  // namespace

schedule::Schedule tree_broadcast(const network::Network& network, Node root, std::uint32_t parts,
                                  PortModel ports, const ChildPorts& child_ports) {
  const OnePacket one(network, root, ports, child_ports);
  std::vector<std::vector<Timed>> classes;
  for (std::uint64_t residue = 0; residue < one.period(); ++residue)
    classes.push_back(one.residue_class(residue));

  schedule::Stage stage{schedule::Flow::copy, schedule::Replication::none(), {}, {}};
  const std::uint64_t rounds = one.rounds(parts);
  stage.rounds.reserve(rounds, std::uint64_t{network.order() - 1} * parts);
  // By class: the number of hops at its front that have carried the last packet.
  std::vector<std::size_t> done(one.period(), 0);
  for (std::uint64_t t = 0; t < rounds; ++t) {
    const auto& hops = classes[t % one.period()];
    std::size_t& first = done[t % one.period()];
    while (first < hops.size() && hops[first].round + parts * one.period() <= t) ++first;
    for (std::size_t i = first; i < hops.size() && hops[i].round <= t; ++i) {
      const auto packet = static_cast<schedule::PacketId>((t - hops[i].round) / one.period());
      stage.rounds.add({packet, hops[i].hop.from, hops[i].hop.port});
    }
    stage.rounds.close_round();
  }
  schedule::Schedule result{ports, schedule::RoundKind::strict, {}};
  result.stages.push_back(std::move(stage));
  return result;
}

std::uint64_t tree_broadcast_rounds(const network::Network& network, Node root, std::uint32_t parts,
                                    PortModel ports, const ChildPorts& child_ports) {
  return OnePacket(network, root, ports, child_ports).rounds(parts);
}

}  // namespace isotrope::algorithm
