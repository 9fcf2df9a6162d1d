// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/cost/round_synchronous.hpp"

namespace isotrope::cost {

RoundSynchronous::RoundSynchronous(std::uint64_t block_bytes, std::uint32_t segments, const Machine& machine)
    : machine_(machine),
      prediction_{.segments = segments, .segment_bytes = (block_bytes + segments - 1) / segments} {}

void RoundSynchronous::add(const RoundLoad& load, std::uint64_t rounds) {
  const std::uint64_t segment = prediction_.segment_bytes;
  const std::uint64_t bytes = load.packets * segment;
  const auto count = static_cast<double>(rounds);
  prediction_.rounds += rounds;
  prediction_.seconds +=
      count * machine_.round_time(load.messages, load.sent * segment, bytes, load.received);
  prediction_.overhead_s += count * (machine_.overhead(load.messages, load.sent * segment) +
                                     machine_.receive_overhead(load.received));
  prediction_.startup_s += count * static_cast<double>(machine_.startups(bytes)) * machine_.startup_s;
  prediction_.transfer_s += count * static_cast<double>(bytes) * machine_.byte_time_s;
  prediction_.link_bytes += rounds * bytes;
}

}  // namespace isotrope::cost
