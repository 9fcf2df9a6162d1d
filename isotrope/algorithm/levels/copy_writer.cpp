// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/levels/copy_writer.hpp"

#include <utility>

namespace isotrope::algorithm {

CopyWriter::CopyWriter(const network::Network& network, schedule::PacketId packets)
    : nodes_(network.order()), arrivals_(std::size_t{packets} * nodes_, never), rounds_(network) {}

void CopyWriter::copy(Node from, Node to, schedule::PacketId packet) {
  std::uint16_t& arrival = arrivals_[at(to, packet)];
  if (arrival != never || arrivals_[at(from, packet)] > round_) return;
  arrival = static_cast<std::uint16_t>(round_ + 1);
  rounds_.add(packet, from, to);
  is_empty_ = false;
}

void CopyWriter::close_round() {
  if (is_empty_) return;
  rounds_.close_round();
  ++round_;
  is_empty_ = true;
}

OverlaidSchedule CopyWriter::finish(std::vector<schedule::Packet> listed, schedule::PortModel ports,
                                    std::uint32_t parts) const {
  return rounds_.finish({schedule::Flow::copy, schedule::Replication::none(), std::move(listed), {}}, ports,
                        parts);
}

}  // namespace isotrope::algorithm
