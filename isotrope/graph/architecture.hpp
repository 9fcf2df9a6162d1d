// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Interconnection networks to compare, symmetric or not. A network without symmetry is a symmetric one that
// lists its links, so all results around failures hold:
//
//     binary-tree:K        the complete binary tree of K levels: complete:2^K-1 with the links v, (v-1)/2
//                          only
//     star:P               complete:P with the links of node 0 only
//     chordal-ring:P:W     circulant:P:1,W with the chords v, v+W for even v only (degree 3; P even, W odd)
//     anything else        a network by its own name, with its open axes
//
// Sources: M.-S. Chen, K. G. Shin, D. D. Kandlur 1990, Table I; B. W. Arden, H. Lee, Analysis of chordal ring
// network, IEEE Trans. Computers 30(4), 1981.
#pragma once

#include <string>
#include <string_view>

#include "isotrope/network/failures.hpp"
#include "isotrope/network/network.hpp"

namespace isotrope::graph {

using network::Network;
using network::Node;
using network::Port;

struct Architecture {
  std::string name;
  Network network;
  network::Failures missing;  ///< open axes, and all links but the listed ones
};

/// The architecture of that name.
/// @throws Error if the name is unknown, with the grammar, or if the sizes do not fit: a tree has 2 to
/// 10 levels, a star 3 to 1023 nodes, a chordal ring at least 6, with 3 <= W <= P / 2.
Architecture parse_architecture(std::string_view name);

}  // namespace isotrope::graph
