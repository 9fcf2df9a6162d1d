// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/mpi/exchange_history.hpp"

namespace isotrope::mpi {
namespace {

using forward::ExchangeExtremes;
using forward::Forwarder;

// Blocks that are nearly alike load the links evenly.
bool is_uniform(const ExchangeExtremes& extremes) {
  return extremes.smallest_block >= extremes.largest_block - extremes.largest_block / 8;
}

}  // namespace

// The factors are those of exchanges in SimGrid (docs/unequal-counts.md): direct sends load the busiest link 2 to 3 times as
// much as the bound says if blocks differ, and a lane carries some messages more than its bytes need.
bool is_faster_directly(const ExchangeExtremes& extremes, const ExchangeNetwork& network,
                        const cost::Machine& machine) {
  if (!machine.cut_through || extremes.most_bytes == 0) return false;
  constexpr double uneven = 2.5, forwarded_uneven = 1.3, forwarded_even = 1.04;
  constexpr double first_messages = 4, messages_per_full = 1.5;
  const bool uniform = is_uniform(extremes);
  const double message_s = machine.overhead_s + machine.receive_overhead_s;
  const double lane_bytes = static_cast<double>(extremes.most_bytes) * network.mean_distance / network.degree;
  const double byte_s = machine.lane_byte_time_s();
  const double links_s = lane_bytes * byte_s;
  const double direct_s =
      machine.startup_s + (network.diameter - 1) * machine.hop_time_s +
      std::max(static_cast<double>(extremes.most_blocks) * message_s, (uniform ? 1 : uneven) * links_s);

  const double busy_bytes = byte_s > 0 ? network.degree * message_s / byte_s : 0;
  constexpr double least = Forwarder::least_message, most = Forwarder::most_message;
  const double full = std::clamp(std::max(lane_bytes / 16, busy_bytes), least, most);
  const double messages = first_messages + messages_per_full * lane_bytes / full;
  const double forwarded_s = network.diameter * machine.startup_s +
                             std::max(network.degree * message_s * messages,
                                      (uniform ? forwarded_even : forwarded_uneven) * links_s);
  return direct_s < forwarded_s;
}

}  // namespace isotrope::mpi
