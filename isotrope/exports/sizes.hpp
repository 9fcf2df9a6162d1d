// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The bytes of the packets of a plan, and the largest plan that is written out.
//
//     block of B bytes in P parts        part p begins at byte floor(p B / P) (rank/segmentation.hpp)
//     allreduce of a vector in S slices  the vector has B bytes; packet (slice s, part p) is unit s P + p of
//                                        its S P units (rank/vector_slices.hpp)
//     barrier                            no data: a packet counts as one byte
#pragma once

#include <cstdint>
#include <optional>

#include "isotrope/schedule/plan.hpp"

#include "isotrope/rank/segmentation.hpp"
#include "isotrope/rank/vector_slices.hpp"

namespace isotrope::exports {

using network::Network;
using network::Node;
using network::Port;
using schedule::Plan;

/// The most hops, translates included, of a plan that is written out message by message.
inline constexpr std::uint64_t most_hops = std::uint64_t{1} << 27;

/// @throws Error if the plan has more hops, with the number.
void require_writable(const Plan& plan);

/// The bytes of the packets of a plan.
class PacketSizes {
 public:
  /// @param block_bytes of a block, or of the vector of an allreduce
  PacketSizes(const Plan& plan, std::uint64_t block_bytes);

  /// The units of the plan's rank programs.
  const rank::Segmentation& units() const { return units_; }
  std::uint64_t bytes(const schedule::Packet& packet) const;

 private:
  std::uint32_t parts_;
  std::optional<rank::VectorSlices> slices_;  // of an allreduce
  rank::Segmentation units_;
};

}  // namespace isotrope::exports
