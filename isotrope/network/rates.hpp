// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Links of unlike rates: a link that is r times as fast as the slowest one of the network is r links side by side, so that
// in every round each of them carries a packet. The network is a Cayley graph whose generators repeat.
//
//     ring:4@2          ports +1, +1, -1, -1
//     torus:4x4@2,1     ports +1, +1, -1, -1 along axis 0, +1, -1 along axis 1
//     hypercube:2@3     ports 0, 0, 0, 1, 1, 1 of hypercube:2
//
// Convention: the copies of a port follow each other. The rate of a port is the number of ports that lead the same way.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "isotrope/network/network.hpp"

namespace isotrope::network {

/// The largest rate in a network name.
inline constexpr std::uint32_t largest_rate = 64;

/// `simple` with `rates[p]` >= 1 copies of its port p, called `name`.
/// @throws Error if it has more ports or links than a network may have, or opposite ports have different rates.
Network with_rates(std::string name, const Network& simple, std::span<const std::uint32_t> rates);

/// Whether several ports lead the same way.
bool has_copies(const Network& network);

/// By port, how many ports lead the same way, itself included.
std::vector<std::uint32_t> port_rates(const Network& network);

/// A network with one port for each generator, and the ports of the whole one that lead the same way.
struct SimpleNetwork {
  Network network;                        ///< of the same name; its ports are the first copies, in port order
  std::vector<std::vector<Port>> copies;  ///< by port of `network`, ascending
};

/// The network with all rates 1. Cost: O(degree log degree), and the distances of the given one.
SimpleNetwork without_copies(const Network& network);

}  // namespace isotrope::network
