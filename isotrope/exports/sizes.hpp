// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// How many bytes the packets of a plan have, and how much of a plan is still a file.
//
//     block of B bytes in P parts        part p has the bytes from floor(p B / P) on (rank/segmentation.hpp)
//     allreduce that leaves a block of   the vector has B bytes; packet (block b, part p) is unit b P + p of
//     the result at every node           its N P units
//     barrier                            carries nothing: a packet counts one byte
#pragma once

#include <cstdint>

#include "isotrope/schedule/plan.hpp"

#include "isotrope/rank/segmentation.hpp"

namespace isotrope::exports {

using network::Network;
using network::Node;
using network::Port;
using schedule::Plan;

/// The most hops, translates included, that a plan may have to be written out message by message.
inline constexpr std::uint64_t most_hops = std::uint64_t{1} << 27;

/// @throws Error if the plan has more hops, with the number.
void require_writable(const Plan& plan);

/// Units of bytes of the packets of a plan; blocks (of allreduce the vector) have `block_bytes` bytes.
class PacketSizes {
 public:
  PacketSizes(const Plan& plan, std::uint64_t block_bytes);

  /// The units in which the plan's rank programs count.
  const rank::Segmentation& units() const { return units_; }
  /// Bytes of a packet of a stage with this flow.
  std::uint64_t bytes(schedule::Flow flow, const schedule::Packet& packet) const;

 private:
  bool one_vector_;  // cut into blocks
  std::uint32_t parts_;
  rank::Segmentation units_;
};

}  // namespace isotrope::exports
