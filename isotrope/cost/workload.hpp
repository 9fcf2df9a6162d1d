// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The bytes of a block and of the packets into which a plan cuts the block.
//
//     block of 10 bytes, packets of 4      | part 0: 0..3 | part 1: 4..7 | part 2: 8..9 |
//
// All packets but the last are full. A block with fewer bytes than parts leaves empty parts at its end. The plan
// sends empty parts too, each for a start-up.
#pragma once

#include <algorithm>
#include <cstdint>

#include "isotrope/schedule/task.hpp"

namespace isotrope::cost {

/// The largest block.
inline constexpr std::uint64_t most_block_bytes = std::uint64_t{1} << 62;

struct Workload {
  std::uint64_t block_bytes = 1;   ///< 1..most_block_bytes
  std::uint64_t packet_bytes = 1;  ///< 1..block_bytes

  /// A block cut into `parts` >= 1 parts by the smallest packets that hold it.
  static Workload in_parts(std::uint64_t block_bytes, std::uint32_t parts) {
    return {block_bytes, block_bytes / parts + (block_bytes % parts == 0 ? 0 : 1)};
  }

  /// Bytes of part number `part`, 0 beyond the block. @pre check(*this, task) passed, part < task.parts.
  std::uint64_t bytes(std::uint32_t part) const {
    const std::uint64_t begin = std::min(part * packet_bytes, block_bytes);
    return std::min(packet_bytes, block_bytes - begin);
  }
  /// Whether `parts` parts have all the same size.
  bool even(std::uint32_t parts) const { return parts * packet_bytes == block_bytes; }
};

/// @throws Error if a size is outside its range, or the task's parts are not those that packets of this
/// size make of a block: ceil(block / packet), or, beside empty parts, as many as in_parts was given.
void check(const Workload& workload, const schedule::Task& task);

}  // namespace isotrope::cost
