// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// What a node sends over each port in each round, if all nodes send alike: round t, port p is number t * degree + p.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <span>
#include <vector>

#include "isotrope/network/network.hpp"

#include "isotrope/cost/round_load.hpp"

namespace isotrope::algorithm {

using PortLoads = std::vector<std::uint64_t>;

/// Over the busiest port of every round, together.
inline std::uint64_t busiest(const PortLoads& loads, network::Port degree) {
  std::uint64_t result = 0;
  for (std::size_t first = 0; first < loads.size(); first += degree)
    result += std::ranges::max(std::span(loads).subspan(first, degree));
  return result;
}

inline std::uint64_t total(const PortLoads& loads) {
  return std::accumulate(loads.begin(), loads.end(), std::uint64_t{0});
}

/// Of as many rounds.
inline PortLoads sum(PortLoads a, const PortLoads& b) {
  std::ranges::transform(a, b, a.begin(), std::plus());
  return a;
}

/// By round, of nodes that receive as they send.
inline std::vector<cost::RoundLoad> round_loads(const PortLoads& loads, network::Port degree) {
  std::vector<cost::RoundLoad> result;
  for (std::size_t first = 0; first < loads.size(); first += degree) {
    const auto by_port = std::span(loads).subspan(first, degree);
    cost::RoundLoad load;
    load.messages =
        static_cast<std::uint64_t>(std::ranges::count_if(by_port, [](auto packets) { return packets > 0; }));
    load.sent = std::accumulate(by_port.begin(), by_port.end(), std::uint64_t{0});
    load.packets = std::ranges::max(by_port);
    load.received = load.messages;
    result.push_back(load);
  }
  return result;
}

}  // namespace isotrope::algorithm
