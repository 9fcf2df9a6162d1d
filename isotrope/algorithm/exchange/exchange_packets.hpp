// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The packets of an isotropic exchange of blocks of one part, as a stage lists or implies them.
//
// A search numbers the packets that move from 0 on, in order of destinations and blocks. In a stage with one class of nodes
// alltoall implies its packets, and packet v is for node v; all others are listed by isotropic_packets, those of node 0 and
// then, with two classes, those of the odd origin.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "isotrope/schedule/isotropic_task.hpp"
#include "isotrope/schedule/schedule.hpp"

#include "isotrope/algorithm/exchange/parity_classes.hpp"

namespace isotrope::algorithm {

class ExchangePackets {
 public:
  /// @pre the destinations of alltoall are all nodes but 0, ascending.
  ExchangePackets(const schedule::Task& task, std::span<const schedule::RelativeDestination> destinations);

  /// The destinations other than 0.
  const std::vector<schedule::RelativeDestination>& moving() const { return moving_; }
  /// The packets that move.
  std::size_t size() const { return ids_.size(); }
  /// The number, in the stage of these classes, of packet `index` from the origin of class `origin_class`.
  schedule::PacketId id(std::uint32_t index, const ParityClasses& classes, std::uint32_t origin_class) const {
    return implied(classes) ? ids_[index] + 1 : ids_[index] + origin_class * listed_;
  }
  /// The stage without rounds.
  schedule::Stage stage(const network::Network& network, const ParityClasses& classes) const;

 private:
  // Packet 0 is then for node 0.
  bool implied(const ParityClasses& classes) const { return everywhere_ && classes.count == 1; }

  bool everywhere_;  // alltoall
  std::vector<schedule::RelativeDestination> destinations_;
  std::vector<schedule::RelativeDestination> moving_;
  std::vector<schedule::PacketId> ids_;
  schedule::PacketId listed_ = 0;  // of one origin
};

}  // namespace isotrope::algorithm
