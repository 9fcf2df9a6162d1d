// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/cost/ramp.hpp"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

namespace isotrope::cost {
namespace {

TEST(Ramp, begins_small) {
  EXPECT_EQ(ramp_weight(0, 2), 2U);
  EXPECT_EQ(ramp_weight(1, 2), full_weight);
  EXPECT_EQ(ramp_weight(1, 4), 35U);
  EXPECT_EQ(ramp_weight(1000, 4), full_weight);
  EXPECT_EQ(ramp_weights(3, 4), 2U + 35 + 80);
  EXPECT_EQ(ramp_weights(10, 2), 902U);
  EXPECT_DOUBLE_EQ(ramp_packets(2), 0.98);
}

TEST(Ramp, sums_are_those_of_weights) {
  for (std::uint32_t in_flight = 2; in_flight <= most_in_flight; ++in_flight) {
    std::uint64_t sum = 0;
    for (std::uint64_t packets = 0; packets < 40; ++packets) {
      EXPECT_EQ(ramp_weights(packets, in_flight), sum);
      sum += ramp_weight(packets, in_flight);
    }
    EXPECT_NEAR(40 - static_cast<double>(sum) / full_weight, ramp_packets(in_flight), 1e-9);
  }
}

// A link whose messages start up for a while and then share it evenly, `in_flight` of them at once: the time
// until `weights` are over. Units: a full packet takes 1.
double link_time(const std::vector<double>& weights, std::uint32_t in_flight, double startup) {
  struct Flight {
    double begins;
    double left;
  };
  std::vector<Flight> flights;
  double now = 0;
  for (std::size_t next = 0; next < weights.size() || !flights.empty();) {
    for (; next < weights.size() && flights.size() < in_flight; ++next)
      flights.push_back({now + startup, weights[next]});
    const auto begun = [&](const Flight& flight) { return flight.begins <= now + 1e-12; };
    const auto sharing = static_cast<double>(std::ranges::count_if(flights, begun));
    double step = 1e9;
    for (const Flight& flight : flights)
      step = std::min(step, begun(flight) ? flight.left * sharing : flight.begins - now);
    for (Flight& flight : flights) {
      if (begun(flight)) flight.left -= step / sharing;
    }
    now += step;
    std::erase_if(flights, [](const Flight& flight) { return flight.left < 1e-9; });
  }
  return now;
}

// w - 1 packets take a start-up. Without a ramp the link stands still half of the time; with it, hardly.
TEST(Ramp, keeps_a_link_busy) {
  for (std::uint32_t in_flight = 2; in_flight <= most_in_flight; ++in_flight) {
    std::vector<double> weights;
    for (std::uint64_t place = 0; place < 200; ++place)
      weights.push_back(static_cast<double>(ramp_weight(place, in_flight)) / full_weight);
    const double startup = in_flight - 1;
    const double carried = static_cast<double>(ramp_weights(200, in_flight)) / full_weight;
    EXPECT_LT(link_time(weights, in_flight, startup), 1.06 * (startup + carried)) << in_flight;
    EXPECT_GT(link_time(std::vector<double>(200, 1), in_flight, startup), 1.4 * 200) << in_flight;
  }
}

}  // namespace
}  // namespace isotrope::cost
