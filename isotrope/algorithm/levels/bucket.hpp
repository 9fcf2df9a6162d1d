// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Allreduce and allgather of blocks that go round rings, and trees over node numbers: baselines that users know.
//
//     bucket      on a grid of rings, axis by axis: the block of a node starts behind it, goes once round the ring of
//                 the first axis, and every node adds what it has; then round those of the next axis. Backwards as an
//                 allgather. 2 (p - 1) rounds per axis of p, each message to a neighbour on the ring
//     ring        the bucket on one ring of all nodes, such as a Hamiltonian cycle of the network
//     binomial    the whole vector up a binomial tree over the numbers of the nodes, and down again
//
// An allgather has the second half of the rounds. A broadcast has that of the binomial tree, whose numbers are those of
// the nodes moved by the root.
//
// Copy c of a bucket begins with axis c mod D; from c = D on it goes round the other way.
//
// Cost: O(N^2) messages a bucket and copy, O(N) a binomial tree.
// Sources: M. Barnett et al., Global combine on mesh architectures with wormhole routing, IPPS 1993; R. Thakur,
// R. Rabenseifner and W. Gropp, IJHPCA 19(1), 2005.
#pragma once

#include <cstdint>
#include <vector>

#include "isotrope/network/network.hpp"

#include "isotrope/schedule/port_model.hpp"

#include "isotrope/algorithm/levels/overlay_rounds.hpp"

namespace isotrope::algorithm {

/// Nodes in rings: the last axis runs fastest.
struct RingGrid {
  std::vector<network::Coordinate> extents;
  std::vector<network::Node> nodes;  ///< by position
};

/// The grid of a torus: its axes. @pre `network` is a torus by its ports.
RingGrid torus_grid(const network::Network& network);
/// One ring: a Hamiltonian cycle.
RingGrid cycle_grid(const network::Network& network);

/// The bucket, with a part per copy and node.
OverlaidSchedule bucket(const network::Network& network, const RingGrid& grid, std::uint32_t copies,
                        schedule::PortModel ports);

/// The allgather of the bucket, with a part per copy.
OverlaidSchedule bucket_allgather(const network::Network& network, const RingGrid& grid, std::uint32_t copies,
                                  schedule::PortModel ports);

/// The allreduce along the binomial tree, with one part.
OverlaidSchedule binomial_reduce_and_broadcast(const network::Network& network, schedule::PortModel ports);
/// The broadcast along it, with one part.
OverlaidSchedule binomial_broadcast(const network::Network& network, network::Node root,
                                    schedule::PortModel ports);

}  // namespace isotrope::algorithm
