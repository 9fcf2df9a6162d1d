// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/schedule/delivery.hpp"

namespace isotrope::schedule {

std::vector<Packet> packets_of(const network::Network& network, std::span<const Delivery> deliveries,
                               std::uint32_t parts) {
  std::vector<std::uint32_t> next_block(network.order(), 0);
  std::vector<Packet> packets;
  for (const Delivery& delivery : deliveries) {
    for (std::uint32_t i = 0; i < delivery.blocks; ++i) {
      const std::uint32_t block = next_block[delivery.from]++;
      for (std::uint32_t part = 0; part < parts; ++part)
        packets.push_back({delivery.from, delivery.to, block, part});
    }
  }
  return packets;
}

}  // namespace isotrope::schedule
