// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// How long the ports of nodes are busy with the messages of a scan.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "isotrope/schedule/ceil_div.hpp"
#include "isotrope/schedule/port_model.hpp"

namespace isotrope::algorithm {

/// The rounds that the busiest node needs at least. `sent` and `received` are its messages, by node; all nodes have `degree` ports.
inline std::uint64_t rounds_of_busiest_node(schedule::PortModel ports, schedule::Port degree,
                                            std::span<const std::uint64_t> sent,
                                            std::span<const std::uint64_t> received) {
  std::uint64_t most = 0;
  for (std::size_t node = 0; node < sent.size(); ++node) {
    most = std::max(most,
                    ports.half_duplex() ? sent[node] + received[node] : std::max(sent[node], received[node]));
  }
  return schedule::ceil_div(most, std::max<schedule::Port>(1, ports.sends(degree)));
}

}  // namespace isotrope::algorithm
