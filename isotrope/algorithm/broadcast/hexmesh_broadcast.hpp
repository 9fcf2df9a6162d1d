// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Broadcast from one node of a C-wrapped hexagonal mesh over one port (algorithm A2): the rule by which a node
// forwards the packet, the resulting schedule, and its tree.
//
// Convention: ports 0..5 are +x, -x, +y, -y, +z, -z; steps count from 1 as in the paper, and step s is round
// s - 1. `clockwise(port)` is the direction 60 degrees on: +x, +y, +z, -x, -y, -z.
//
// Method: three steps inform the six neighbours of the root. Then the packet travels outwards in six directions u
// at once: the corner a u of ring a sends on along u, then along v = clockwise(u), and packets that left a corner
// along v go on along v. A node knows only the size n of the mesh; the message tells the node what to do.
//
//     step     1   2   2   3   3   3        the corner a u hears in step a + 2            (a >= 2)
//     node     x   z   y  -y  -z  -x        the node a u + b v hears in step a + b + 3    (a, b >= 1)
//     from     0   0   x   0   x   z                                       from a u + (b-1) v
//
// Facts, corrected: n + 2 steps (3 for n = 2), p - 1 messages, every node hears once. The printed procedure has
// two slips, which cost a step and 13 messages, all to nodes that know the packet:
//     1. Case 2 asks whether the message came along z. That holds for node z, as intended, but also for node y
//        (informed by x along z), which then sends back to the root: 1 message. The propagation direction is
//        intended: z at node z and y at node y.
//     2. A corner goes on if count <= n + 1 instead of count <= n: the six corners of the last ring, which hear in
//        step n + 1, send twice each over the wrapping, in steps n + 2 and n + 3: 12 messages. By the same slip
//        n = 2 has a second phase (its corners hear in steps 1 to 3) and takes 5 steps instead of 3. A corner that
//        does not go on sends nothing, although the printed "else" allows it.
// Neither slip sends two messages over one port or to one node in a step, so both variants are valid over one
// port.
//
// The tree of the corrected variant has the same parents. In tree_broadcast.hpp a node sends without a break, so
// node y does not wait for step 4: its corners, and all nodes below them, hear a step earlier. Rounds:
//     one port      n + 2 + 4 (P - 1) (n = 2: 3 P)           node x has 4 children
//     half duplex   n + 2 + 5 (P - 1) (n = 2: 3 P)           and receives
//     all ports     n + P - 1
//
// Claim: n + 2 is the least for one port and P = 1 (Theorem 3; n = 2: 3, as 7 nodes take 3 doublings).
// Cost: O(p) for a schedule, O(1) for the children of a node.
// Source: M.-S. Chen, K. G. Shin, D. D. Kandlur, Addressing, routing, and broadcasting in hexagonal mesh
// multiprocessors, IEEE Trans. Computers 39(1), 1990, Section IV-C, algorithm A2 and Theorem 3.
#pragma once

#include <cstdint>
#include <vector>

#include "isotrope/schedule/schedule.hpp"

#include "isotrope/algorithm/trees/child_ports.hpp"

namespace isotrope::algorithm {

enum class HexmeshVariant { corrected, as_printed };

/// A message of the procedure.
struct HexmeshMessage {
  network::Port along = 0;      ///< the port of the sender
  network::Port propagate = 0;  ///< the direction in which the receiver goes on
  bool corner = false;          ///< whether the receiver is the corner of a ring
  std::uint32_t count = 0;      ///< the step of the message, from 1

  bool operator==(const HexmeshMessage&) const = default;
};

/// The messages of the root.
std::vector<HexmeshMessage> hexmesh_root_messages();

/// The messages of any other node of a mesh of `size`, in order, after the first message `heard`.
std::vector<HexmeshMessage> hexmesh_messages(std::uint32_t size, const HexmeshMessage& heard,
                                             HexmeshVariant variant = HexmeshVariant::corrected);

/// The broadcast of one packet over one port: all nodes of hexmesh(size) follow the procedure.
/// One stage, copied, not replicated. @pre root is a node of the mesh.
/// @throws Error unless the size is 2..4730.
schedule::Schedule hexmesh_broadcast(std::uint32_t size, network::Node root,
                                     HexmeshVariant variant = HexmeshVariant::corrected);

/// The rounds of that schedule.
std::uint64_t hexmesh_broadcast_rounds(std::uint32_t size,
                                       HexmeshVariant variant = HexmeshVariant::corrected);

/// The corrected broadcast's tree. @pre root is a node of hexmesh(size).
/// @throws Error unless the size is 2..4730.
ChildPorts hexmesh_broadcast_tree(std::uint32_t size, network::Node root);

}  // namespace isotrope::algorithm
