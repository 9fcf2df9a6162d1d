// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/cost/ramp.hpp"

#include <array>

namespace isotrope::cost {
namespace {

constexpr std::uint64_t longest = 8;
// By messages in flight, from 2 on.
constexpr std::array<std::array<std::uint32_t, longest>, most_in_flight - 1> ramps{{
    {2, 100, 100, 100, 100, 100, 100, 100},
    {2, 50, 105, 80, 75, 105, 100, 100},
    {2, 35, 80, 120, 100, 80, 80, 120},
}};

}  // namespace

std::uint32_t ramp_weight(std::uint64_t place, std::uint32_t in_flight) {
  return place < longest ? ramps[in_flight - 2][place] : full_weight;
}

std::uint64_t ramp_weights(std::uint64_t packets, std::uint32_t in_flight) {
  std::uint64_t sum = packets > longest ? (packets - longest) * full_weight : 0;
  for (std::uint64_t place = 0; place < longest && place < packets; ++place)
    sum += ramp_weight(place, in_flight);
  return sum;
}

double ramp_packets(std::uint32_t in_flight) {
  return static_cast<double>(longest) - static_cast<double>(ramp_weights(longest, in_flight)) / full_weight;
}

}  // namespace isotrope::cost
