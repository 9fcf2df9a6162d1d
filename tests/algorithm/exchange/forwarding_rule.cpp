// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/algorithm/exchange/forwarding_rule.hpp"

#include <bit>

namespace isotrope::algorithm {

ForwardingNode::ForwardingNode(const OwnPacketOrder& order, std::uint32_t dimension, network::Node self)
    : order_(order), self_(self), own_sent_(dimension, 0), queues_(dimension) {}

std::optional<PacketHeader> ForwardingNode::transmit(network::Port port) {
  const auto own = order_.column(port);
  if (own_sent_[port] < own.size()) return PacketHeader{self_, self_ ^ own[own_sent_[port]++]};
  auto& queue = queues_[port];
  if (queue.empty()) return std::nullopt;
  return queue.extract(queue.begin()).mapped();
}

void ForwardingNode::receive(PacketHeader packet) {
  const network::Node ahead = packet.destination ^ self_;
  if (ahead == 0) return;
  const auto port = static_cast<network::Port>(std::bit_width(ahead) - 1);
  queues_[port].emplace(Key{packet.origin ^ self_, arrivals_++}, packet);
}

}  // namespace isotrope::algorithm
