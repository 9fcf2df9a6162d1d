// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The ways of all packets of a total exchange, every translate written out, for the packets between nodes that are left
// after failures.
//
// Packets are numbered as packets_of(deliveries_of(problem)) lists them: by origin, then destination, then part.
// Cost: O(hops + N^2). Memory: 8 bytes a hop.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "isotrope/network/surviving_network.hpp"

#include "isotrope/schedule/packets.hpp"
#include "isotrope/schedule/schedule.hpp"

#include "isotrope/algorithm/irregular/slot_table.hpp"

namespace isotrope::algorithm {

class TimetableRoutes {
 public:
  /// @pre `schedule` is a valid one of one stage for the alltoall `task` on the whole network.
  TimetableRoutes(const network::SurvivingNetwork& network, const schedule::Task& task,
                  const schedule::Schedule& schedule);

  std::size_t packets() const { return ends_.size(); }
  /// The slots of a packet, by ascending rounds.
  std::span<const Slot> of(schedule::PacketId packet) const {
    const std::uint64_t begin = packet == 0 ? 0 : ends_[packet - 1];
    return {slots_.data() + begin, ends_[packet] - begin};
  }

 private:
  template <class Function>
  void for_each_translate(Function&& function);
  schedule::PacketId number(network::Node origin, network::Node to, std::uint32_t part) const;
  void measure();
  void fill();

  const network::SurvivingNetwork& network_;
  const schedule::Stage& stage_;
  std::vector<schedule::Packet> stage_packets_;
  std::uint32_t parts_;
  std::vector<std::uint32_t> ranks_;  // by node: among the nodes that are left
  std::vector<std::uint64_t> ends_;
  std::vector<Slot> slots_;
};

}  // namespace isotrope::algorithm
