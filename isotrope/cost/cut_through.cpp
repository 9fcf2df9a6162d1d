// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/cost/cut_through.hpp"

#include <algorithm>

namespace isotrope::cost {

Prediction cut_through(std::span<const CutThroughRound> rounds, std::uint64_t block_bytes,
                       const Machine& machine) {
  Prediction result{.segments = 1, .segment_bytes = block_bytes};
  double networks_s = 0;
  for (const CutThroughRound& round : rounds) {
    const std::uint64_t bytes = round.busiest * block_bytes;
    double network_s =
        machine.direct_time(round.largest * block_bytes, round.far.empty() ? bytes : 0, round.hops);
    for (const FarLoad& far : round.far)
      network_s = std::max(network_s, machine.direct_time(round.largest * block_bytes,
                                                          far.busiest * block_bytes, round.hops, far.hops));
    ++result.rounds;
    result.link_bytes += bytes;
    result.seconds +=
        machine.direct_round_time(round.messages, round.sent * block_bytes, round.received, network_s);
    networks_s += network_s;
  }
  result.overhead_s = result.seconds - networks_s;
  result.transfer_s = static_cast<double>(result.link_bytes) * machine.byte_time_s;
  result.startup_s = networks_s - result.transfer_s;
  return result;
}

}  // namespace isotrope::cost
