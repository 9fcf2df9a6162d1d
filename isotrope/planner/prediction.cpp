// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/planner/prediction.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "isotrope/schedule/link_load.hpp"

namespace isotrope::planner {

Predictor::Predictor(const Algorithm& algorithm, Request request)
    : algorithm_(algorithm), request_(std::move(request)) {}

// Multiples of the degree, so that algorithms which send a packet over every port come out even.
PipelineCost Predictor::pipeline() {
  const std::uint32_t few = std::max<std::uint32_t>(request_.network.degree(), 1), many = 2 * few;
  const auto first = static_cast<double>(round_count(few)), second = static_cast<double>(round_count(many));
  const double per_packet = (second - first) / few;
  return {per_packet, std::max(0.0, first - per_packet * few)};
}

Prediction Predictor::with_packets(std::uint64_t block_bytes, std::uint32_t packets,
                                   const simulate::Machine& machine) {
  Prediction result{packets, (block_bytes + packets - 1) / packets, 0, 0};
  for (const auto& [load, count] : rounds(packets)) {
    result.rounds += count;
    result.seconds += static_cast<double>(count) * machine.message_time(load * result.packet_bytes);
  }
  return result;
}

// As many packets as ports, or a multiple of that, lose nothing where rounds fill all ports.
std::vector<std::uint64_t> Predictor::candidates(std::uint64_t block_bytes,
                                                 const simulate::Machine& machine) {
  const PipelineCost line = pipeline();
  const auto bytes = static_cast<double>(block_bytes);
  const double packet = std::max(1.0, line.best_packet(bytes, machine));
  const std::uint64_t degree = std::max<std::uint64_t>(request_.network.degree(), 1);

  std::vector<std::uint64_t> result;
  for (std::uint64_t packets = 1; packets <= degree; ++packets) result.push_back(packets);
  const auto add_near = [&](std::uint64_t packets) {
    for (const std::uint64_t near : {packets, packets + 1, packets / degree * degree}) result.push_back(near);
    result.push_back((packets / degree + 1) * degree);
  };
  add_near(static_cast<std::uint64_t>(bytes / packet));
  // Packets above the internal one save no start-ups. Without anything to fill, many gain nothing either.
  if (machine.internal_packet > 0 && packet > static_cast<double>(machine.internal_packet)) {
    const std::uint64_t pieces = (block_bytes - 1) / machine.internal_packet + 1;
    if (line.fill > 0 || pieces <= 8 * degree) add_near(pieces);
  }
  return result;
}

Prediction Predictor::fastest(std::uint64_t block_bytes, const simulate::Machine& machine) {
  Prediction best = with_packets(block_bytes, 1, machine);
  if (request_.merge > 1) return best;
  const std::uint64_t most = std::min<std::uint64_t>(block_bytes, UINT32_MAX / request_.network.order());
  for (const std::uint64_t packets : candidates(block_bytes, machine)) {
    const auto within = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(packets, 1, most));
    const Prediction prediction = with_packets(block_bytes, within, machine);
    if (prediction.seconds < best.seconds) best = prediction;
  }
  return best;
}

const Predictor::RoundsByLoad& Predictor::rounds(std::uint32_t packets) {
  const auto [entry, is_new] = counted_.try_emplace(packets);
  RoundsByLoad& result = entry->second;
  if (!is_new) return result;
  request_.task.parts = packets;
  if (request_.merge == 1) {
    result[1] = algorithm_.rounds(request_);
  } else {
    for (const std::uint64_t load : link_loads(request_.network, algorithm_.schedule(request_)))
      ++result[load];
  }
  return result;
}

std::uint64_t Predictor::round_count(std::uint32_t packets) {
  std::uint64_t count = 0;
  for (const auto& [load, rounds_of_load] : rounds(packets)) count += rounds_of_load;
  return count;
}

}  // namespace isotrope::planner
