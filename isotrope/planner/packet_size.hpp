// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Packets of so many bytes, in place of parts and messages in numbers.
//
//     blocks of one size       a block of b bytes is ceil(b / packet) parts, or floor(packet / b) blocks are one message
//     blocks of unequal sizes  a block of b bytes is ceil(b / packet) packets of a task, all of one size
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "isotrope/schedule/problem.hpp"
#include "isotrope/schedule/traffic.hpp"

namespace isotrope::planner {

/// Cuts blocks, or merges them. `bytes` is the size as MPI counts it, `option` the word for the packet in messages.
/// @throws Error if a packet is larger than the message
void set_packet_size(schedule::Problem& problem, std::uint64_t bytes, std::uint64_t packet,
                     std::string_view option);

/// The bytes of a packet for unequal blocks: `packet`, else a power of two, 4 KiB or so much that blocks are cut 65,536
/// times at most.
/// @throws Error if blocks would be cut more than 262,144 times
std::uint64_t packet_of(std::span<const schedule::SizedBlock> blocks, std::optional<std::uint64_t> packet,
                        std::string_view option);

/// The blocks in packets: the deliveries of a task.
std::vector<schedule::Delivery> in_packets(std::span<const schedule::SizedBlock> blocks,
                                           std::uint64_t packet);

}  // namespace isotrope::planner
