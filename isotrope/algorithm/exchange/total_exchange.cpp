// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/exchange/total_exchange.hpp"

#include <bit>

namespace isotrope::algorithm {

OwnPacketOrder::OwnPacketOrder(std::uint32_t dimension) {
  entries_.reserve(std::size_t{1} << dimension);
  entries_.push_back(0);
  for (std::uint32_t port = 0; port < dimension; ++port) {
    const std::uint32_t bit = std::uint32_t{1} << port;
    for (std::uint32_t row = 0; row < bit / 2; ++row) {
      // Row `row` of the table has entries in the columns longer than it.
      for (auto k = static_cast<std::uint32_t>(std::bit_width(row)); k < port; ++k) {
        entries_.push_back(column(k)[row] | bit);
      }
    }
    entries_.push_back(bit);
  }
}

schedule::Schedule total_exchange(std::uint32_t dimension, std::uint32_t parts) {
  const OwnPacketOrder order(dimension);
  schedule::Stage stage{schedule::Flow::move, schedule::Replication::all(), {}, {}};
  const std::uint32_t last = std::uint32_t{1} << (dimension - 1);
  stage.rounds.reserve(std::uint64_t{last} * parts, std::uint64_t{last} * parts * dimension);
  for (std::uint32_t t = 0; t < last; ++t) {
    for (std::uint32_t part = 0; part < parts; ++part) {
      for (std::uint32_t port = 0; port < dimension; ++port) {
        const std::uint32_t row = t & ((std::uint32_t{1} << port) - 1);
        const std::uint32_t from = t >> port << (port + 1);
        stage.rounds.add({(from | order.column(port)[row]) * parts + part, from, port});
      }
      stage.rounds.close_round();
    }
  }
  schedule::Schedule result;
  result.stages.push_back(std::move(stage));
  return result;
}

}  // namespace isotrope::algorithm
