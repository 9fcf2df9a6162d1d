// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The distances from nodes to all others, searched at their first use and kept, for searches that need the same
// nodes again and again.
//
// Cost: a search of all links for a row, once. Memory: 2 bytes a node and row, up to a limit.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "isotrope/network/surviving_network.hpp"

namespace isotrope::network {

class DistanceRows {
 public:
  using Row = std::vector<std::uint16_t>;
  /// In a row: as far as this or farther, or out of reach.
  static constexpr std::uint16_t far = std::numeric_limits<std::uint16_t>::max();

  /// Refers to the network, which must outlive the rows.
  explicit DistanceRows(const SurvivingNetwork& network, std::uint64_t most_bytes = std::uint64_t{1} << 27)
      : network_(network), most_bytes_(most_bytes), rows_(network.whole().order()) {}

  /// By node; nothing if memory for further rows is spent. Valid as long as the rows live.
  const Row* from(Node node) {
    Row& row = rows_[node];
    if (!row.empty()) return &row;
    const std::uint64_t more = 2 * std::uint64_t{network_.whole().order()};
    if (bytes_ + more > most_bytes_) return nullptr;
    bytes_ += more;
    row.reserve(network_.whole().order());
    for (const std::uint32_t distance : network_.distances(node))
      row.push_back(static_cast<std::uint16_t>(std::min<std::uint32_t>(distance, far)));
    return &row;
  }

 private:
  const SurvivingNetwork& network_;
  std::uint64_t most_bytes_;
  std::vector<Row> rows_;
  std::uint64_t bytes_ = 0;
};

}  // namespace isotrope::network
