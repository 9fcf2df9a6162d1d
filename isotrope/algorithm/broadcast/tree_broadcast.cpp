// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/broadcast/tree_broadcast.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "isotrope/schedule/ceil_div.hpp"
#include "isotrope/schedule/transform.hpp"

#include "isotrope/algorithm/broadcast/pipelined_rounds.hpp"

namespace isotrope::algorithm {
namespace {

using network::Node;
using network::Port;
using schedule::Hop;
using schedule::PortModel;

// The hops of one packet by round, and the period of the pipeline.
class OnePacket {
 public:
  OnePacket(const network::Network& network, Node root, PortModel ports, const ChildPorts& child_ports) {
    const Port at_once = std::max<Port>(ports.sends(network.degree()), 1);
    std::vector<std::pair<Node, std::uint64_t>> arrived{{root, 0}};
    arrived.reserve(network.order());
    for (std::size_t i = 0; i < arrived.size(); ++i) {
      const auto [node, round] = arrived[i];
      const std::vector<Port> children = child_ports(node);
      for (std::size_t c = 0; c < children.size(); ++c) {
        const std::uint64_t sent = round + c / at_once;
        if (hops_.size() <= sent) hops_.resize(sent + 1);
        hops_[sent].push_back({0, node, children[c]});
        arrived.emplace_back(network.neighbour(node, children[c]), sent + 1);
      }
      const std::uint64_t sending = schedule::ceil_div(children.size(), at_once);
      period_ = std::max(period_, sending + (ports.half_duplex() && node != root ? 1 : 0));
    }
  }

  std::uint64_t rounds(std::uint32_t packets) const {
    return hops_.empty() ? 0 : hops_.size() + (packets - 1) * period_;  // a single node sends nothing
  }
  std::uint64_t period() const { return period_; }

  schedule::Rounds first() const {
    schedule::Rounds result;
    append(hops_, result);
    return result;
  }

 private:
  std::vector<std::vector<Hop>> hops_;
  std::uint64_t period_ = 1;
};

}  // namespace

schedule::Schedule tree_broadcast(const network::Network& network, Node root, std::uint32_t parts,
                                  PortModel ports, const ChildPorts& child_ports) {
  const OnePacket one(network, root, ports, child_ports);
  schedule::Stage stage{schedule::Flow::copy, schedule::Replication::none(), {}, {}};
  stage.rounds = pipelined_rounds(one.first(), 1, one.period(), parts);
  schedule::Schedule result{ports, schedule::RoundKind::strict, {}};
  result.stages.push_back(std::move(stage));
  return result;
}

std::uint64_t tree_broadcast_rounds(const network::Network& network, Node root, std::uint32_t parts,
                                    PortModel ports, const ChildPorts& child_ports) {
  return OnePacket(network, root, ports, child_ports).rounds(parts);
}

}  // namespace isotrope::algorithm
