// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/planner/packet_size.hpp"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"
#include "isotrope/base/quantity.hpp"

#include "isotrope/schedule/ceil_div.hpp"

#include "isotrope/planner/contest.hpp"

namespace isotrope::planner {
namespace {

using schedule::Collective;
using schedule::SizedBlock;

std::uint64_t packets_in(const SizedBlock& block, std::uint64_t packet) {
  return schedule::ceil_div(block.bytes, packet);
}

// The packets beyond one of each block.
std::uint64_t cuts(std::span<const SizedBlock> blocks, std::uint64_t packet) {
  std::uint64_t result = 0;
  for (const SizedBlock& block : blocks) result += packets_in(block, packet) - 1;
  return result;
}

// The least power of two, from `packet` on, with so many cuts.
std::uint64_t packet_with(std::span<const SizedBlock> blocks, std::uint64_t packet, std::uint64_t most_cuts) {
  packet = std::bit_ceil(packet);
  while (cuts(blocks, packet) > most_cuts) packet *= 2;
  return packet;
}

}  // namespace

void set_packet_size(schedule::Problem& problem, std::uint64_t bytes, std::uint64_t packet,
                     std::string_view option) {
  const std::uint64_t block = block_bytes_of(problem, bytes);
  const Collective collective = problem.task.collective;
  const bool sends_blocks_of_others = collective == Collective::scatter || collective == Collective::gather;
  const std::uint64_t blocks = sends_blocks_of_others ? problem.network.order() - 1 : 1;
  if (packet / block > blocks || (packet / block == blocks && packet % block != 0)) {
    throw Error(fmt::format("{0} {1}: larger than the message of {2}; give at most {0} {3}", option, packet,
                            format_size(block * blocks), block * blocks));
  }
  problem.task = schedule::parse_task(to_string(problem.task), problem.network, problem.task.root,
                                      schedule::ceil_div(block, packet));
  problem.aggregation = std::max<std::uint64_t>(packet / block, 1);
}

std::uint64_t packet_of(std::span<const SizedBlock> blocks, std::optional<std::uint64_t> packet,
                        std::string_view option) {
  constexpr std::uint64_t least = 4096, most_cuts = std::uint64_t{1} << 16, most_given = most_cuts * 4;
  if (!packet) return packet_with(blocks, least, most_cuts);
  if (cuts(blocks, *packet) <= most_given) return *packet;
  throw Error(fmt::format("{0} {1}: blocks would be cut {2} times, more than {3}; give {0} {4} or more",
                          option, *packet, cuts(blocks, *packet), most_given,
                          packet_with(blocks, *packet, most_given)));
}

std::vector<schedule::Delivery> in_packets(std::span<const SizedBlock> blocks, std::uint64_t packet) {
  std::vector<schedule::Delivery> result;
  for (const SizedBlock& block : blocks)
    result.push_back({block.from, block.to, static_cast<std::uint32_t>(packets_in(block, packet))});
  return result;
}

}  // namespace isotrope::planner
