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

double message_seconds(const cost::Machine& machine) {
  return machine.overhead_s + machine.receive_overhead_s;
}

// The bytes of the messages of a lane, long enough for the processor.
double full_message(double least_bytes, const ExchangeNetwork& network, const cost::Machine& machine) {
  const double byte_s = machine.lane_byte_time_s();
  const double busy_bytes = byte_s > 0 ? network.degree * message_seconds(machine) / byte_s : 0;
  constexpr double least = Forwarder::least_message, most = Forwarder::most_message;
  return std::clamp(std::max(least_bytes, busy_bytes), least, most);
}

}  // namespace

// Trees are a hop higher than the diameter, or more, and a block waits for others on its lanes; the factors are those of SimGrid.
double tree_seconds(double block_bytes, double lane_bytes, const ExchangeNetwork& network,
                    const cost::Machine& machine) {
  constexpr double least = Forwarder::least_message, spare_messages = 1.2, spare_bytes = 1.04, waiting = 0.7;
  const double byte_s = machine.lane_byte_time_s();
  const double hops = network.diameter + 1 + waiting * lane_bytes / block_bytes;
  const double hop_s = machine.startup_s + message_seconds(machine) + std::min(block_bytes, least) * byte_s;
  const double messages = spare_messages * lane_bytes / full_message(0, network, machine);
  return hops * hop_s +
         std::max(network.degree * message_seconds(machine) * messages, spare_bytes * lane_bytes * byte_s);
}

// The factors are those of exchanges in SimGrid (docs/unequal-counts.md): direct sends load the busiest link 2 to 3 times as
// much as the bound says if blocks differ, and a lane carries some messages more than its bytes need.
bool is_faster_directly(const ExchangeExtremes& extremes, const ExchangeNetwork& network,
                        const cost::Machine& machine) {
  if (!machine.cut_through || extremes.most_bytes == 0) return false;
  constexpr double uneven = 2.5, forwarded_uneven = 1.3, forwarded_even = 1.04;
  constexpr double first_messages = 4, messages_per_full = 1.5;
  const bool uniform = is_uniform(extremes);
  const double message_s = message_seconds(machine);
  const double lane_bytes = static_cast<double>(extremes.most_bytes) * network.mean_distance / network.degree;
  const double links_s = lane_bytes * machine.lane_byte_time_s();
  const double direct_s =
      machine.startup_s + (network.diameter - 1) * machine.hop_time_s +
      std::max(static_cast<double>(extremes.most_blocks) * message_s, (uniform ? 1 : uneven) * links_s);

  const double messages =
      first_messages + messages_per_full * lane_bytes / full_message(lane_bytes / 16, network, machine);
  const double forwarded_s = network.diameter * machine.startup_s +
                             std::max(network.degree * message_s * messages,
                                      (uniform ? forwarded_even : forwarded_uneven) * links_s);
  return direct_s < forwarded_s;
}

}  // namespace isotrope::mpi
