// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// How far neighbours of one graph are apart on another: the measure of a rank map. The graph of a program has a link between
// two ranks that exchange messages; the map puts both on nodes of a machine.
//
//     a ring of 6 on a line of 6, in order        0-1-2-3-4-5     the link 5-0 is 5 long       dilation 5, mean 10/6
//     folded                                      0-5-1-4-2-3     all links are 1 or 2 long    dilation 2, mean 10/6
//
// Cost: 2 bytes a pair of nodes, and a search from every node.
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "isotrope/network/rank_map.hpp"
#include "isotrope/network/surviving_network.hpp"

namespace isotrope::graph {

/// The distances of all pairs of nodes.
class Distances {
 public:
  static constexpr network::Node most_nodes = 4096;

  /// @throws Error if the network has more than most_nodes. @pre the network is connected and no node has failed
  explicit Distances(const network::SurvivingNetwork& network);

  std::uint32_t operator()(network::Node from, network::Node to) const {
    return table_[std::size_t{from} * order_ + to];
  }

 private:
  network::Node order_;
  std::vector<std::uint16_t> table_;
};

/// Less is better: the largest distance counts, then the sum.
struct Dilation {
  std::uint32_t largest = 0;  ///< between neighbours
  std::uint64_t sum = 0;      ///< over all links of the program
  std::uint64_t links = 0;    ///< of the program

  double mean() const { return links == 0 ? 0 : static_cast<double>(sum) / static_cast<double>(links); }
  auto operator<=>(const Dilation&) const = default;
};

/// @param program the graph of the ranks, as many as the machine has nodes
Dilation dilation(const network::SurvivingNetwork& program, const Distances& machine,
                  const network::RankMap& ranks);

}  // namespace isotrope::graph
