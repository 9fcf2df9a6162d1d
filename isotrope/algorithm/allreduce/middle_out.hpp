// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Allreduce from the middles of clusters on tori and hypercubes: between a reduction to one node, whose result is
// broadcast (2 D rounds of few bytes), and flooding (D rounds of many bytes), D being the diameter.
//
// The vector is cut into slices. In each slice every axis is a ring cut into clusters (clustered_ring.hpp):
//
//     reduce    along axis 1 on all its lines; along axis 2 on the lines through hubs of axis 1; and so on
//     join      along every axis, on the lines through hubs of all others
//     spread    in the reverse order; along axis 2 on the lines through hubs of axis 1; along axis 1 on all lines
//
//     rounds, uses of links per slice and node      8x8     8 of 8     9 of 4.5    10 of 3.5    ...   14 of 2
//     by the clusters of the two axes                       4, 4       2, 4        2, 2               1, 1
//
// Slices are translated so that all links of an axis carry alike; they take the axes in all cyclic orders; and if a ring
// treats its two directions differently, half of them are mirrored. Slices of one link and round share a message.
//
// Rounds: per axis floor(p / 2) + ceil(q / 2) - 1 for clusters of q of p nodes (2 floor(p / 2) for one cluster of an odd
// number of nodes). With q = 2, or 1 on odd rings, they are the diameter, the least possible.
//
// Cost: loads O(axes * extents^2); a schedule O(hops). Message sums are kept apart where a later node adds them, so that
// no contribution is added twice.
#pragma once

#include <cstdint>
#include <vector>

#include "isotrope/schedule/schedule.hpp"

#include "isotrope/cost/round_load.hpp"

#include "isotrope/algorithm/allreduce/clustered_ring.hpp"
#include "isotrope/algorithm/allreduce/middle_out_cut.hpp"

namespace isotrope::algorithm {

class MiddleOut {
 public:
  /// @pre the network is a torus by its ports, of at least 2 nodes, and outlives this; the cut has each axis once
  MiddleOut(const network::Network& network, const MiddleOutCut& cut);

  /// Slices of the vector: parts of the schedule.
  std::uint64_t slices() const;
  std::uint64_t rounds() const;
  /// Hops of the schedule.
  std::uint64_t hops() const;
  /// The load of every round, in slices. The order of ports may differ from node to node, so rounds are not alike.
  std::vector<cost::RoundLoad> loads() const;
  /// All ports, aggregated messages.
  schedule::Schedule schedule() const;

 private:
  // An axis with its place in the order of a slice.
  struct Line {
    ClusteredRing ring;
    schedule::Port forward, backward;
    network::Node stride;  // the number of the node with coordinate 1 on this axis and 0 on others
  };
  struct Phase;
  struct Slice;

  std::vector<Phase> phases(const std::vector<Line>& lines) const;
  std::uint64_t translations() const;

  const network::Network& network_;
  std::vector<std::vector<Line>> orders_;  // the cyclic orders, each a list of axes
  bool mirrored_ = false;                  // whether half of the slices are
};

/// The cuts that are worth a try: for each number of rounds different loads; at most `most_hops` hops each.
std::vector<MiddleOutCut> middle_out_cuts(const network::Network& network, std::uint64_t most_hops);

}  // namespace isotrope::algorithm
