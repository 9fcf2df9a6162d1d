// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/cost/shares.hpp"

#include <numeric>

#include "isotrope/schedule/ceil_div.hpp"

namespace isotrope::cost {

bool gains_by_shares(const Machine& machine, schedule::PortModel ports) {
  return ports.kind == schedule::PortModel::Kind::all_port && machine.cut_through && machine.startup_s > 0 &&
         machine.overhead_byte_s < machine.byte_time_s && machine.link_classes().empty() &&
         machine.lanes == 1;
}

std::vector<std::uint32_t> staggered_shares(std::uint32_t count) {
  std::uint32_t multiple = 1;
  for (std::uint32_t i = 2; i <= count; ++i) multiple = std::lcm(multiple, i);
  std::vector<std::uint32_t> result;
  for (std::uint32_t i = count; i > 0; --i) result.push_back(multiple / i);
  return result;
}

std::vector<std::uint32_t> graded_shares(std::uint32_t count, std::uint32_t first) {
  std::vector<std::uint32_t> result(count);
  std::iota(result.begin(), result.end(), first);
  return result;
}

std::vector<std::uint64_t> part_bytes_of_shares(std::uint64_t block_bytes, std::uint64_t parts,
                                                std::span<const std::uint32_t> shares) {
  if (shares.empty()) return {schedule::ceil_div(block_bytes, parts)};
  const std::uint64_t all = std::accumulate(shares.begin(), shares.end(), std::uint64_t{0});
  std::vector<std::uint64_t> result;
  for (const std::uint64_t weight : shares) {
    const std::uint64_t bytes =
        block_bytes / all * weight + schedule::ceil_div(block_bytes % all * weight, all);
    result.push_back(schedule::ceil_div(bytes, parts));
  }
  return result;
}

}  // namespace isotrope::cost
