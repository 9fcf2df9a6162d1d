// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/exports/translations.hpp"

#include "isotrope/schedule/node_classes.hpp"

namespace isotrope::exports {

using network::Network;
using network::Node;

std::vector<Node> translations(const Network& network, const schedule::Replication& replication) {
  const schedule::NodeClasses classes(network.group(), replication);
  std::vector<Node> result;
  for (Node g = 0; g < network.order(); ++g) {
    if (classes.of(g) == classes.of(0)) result.push_back(g);
  }
  return result;
}

schedule::Packet translated(const Network& network, schedule::Packet packet, Node shift) {
  packet.origin = network.group().add(packet.origin, shift);
  if (packet.to != schedule::to_all) packet.to = network.group().add(packet.to, shift);
  return packet;
}

}  // namespace isotrope::exports
