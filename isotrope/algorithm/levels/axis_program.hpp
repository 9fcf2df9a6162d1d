// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Register programs (levels.hpp) and divisions for one axis of a torus, a ring of p nodes. An offset depends on the
// parity of the sender's coordinate at most.
//
//     fold       p a power of two, 4 or more: log2 p messages whose hops sum up to p / 2, the diameter, and so do the
//                vectors over a link. Odd coordinates first join those below them, w pairs each time
//
//                  ring:8    exchange with x ^ 1                     pairs
//                            odd x to x + 2, even x to x - 2         2 pairs: odd x those up to it, even x from it on
//                            odd x with x + 1                        all 4 pairs
//
//     windows    any p: a node has the sum of a window of offsets around it. A step joins to it the sum of a run of
//                pieces that begins right of the window, or one that ends left of it, or both
//
//                  ring:9    of x + 1: {0}, of x - 1: {0}            -1..1
//                            of x + 3: {0 1 2}, of x - 3: {0 1 2}    -4..4
//
//     one-sided  any p: ceil(log2 p) steps of one message. A window begins at the own offset and grows from w to 2 w by all that
//                x + w has, or to 2 w - 1 by what x + w - 1 has without its own contribution
//
//                  ring:5    of x + 1: {0}, of x + 1: {1}, of x + 2: {1 2}    0..1, 0..2, 0..4
//
//     stages     p = q 2^k, q odd: a division in r for every prime factor r of q, x +- j m for j up to r / 2, m the
//                product of the factors before; then k divisions in two, x -> x + s rho q, s = 1 for even x, -1 for odd
//                x, rho = 1, -1, 3, -5, ... Powers of two are those of Swing, powers of three those of Trivance. The
//                nearest come first: the components of the others need it
//
//                  ring:12    x +- 1, then even x to x + 3 and odd x to x - 3, then the other way round
//
// Cost of the windows: a depth-first search, bounded by messages, hops and the vectors over a link, of at most 2^14
// steps. It begins with the binary digits of p, so that it always ends with a program.
// Sources: D. De Sensi et al., Swing, NSDI 2024; Trivance, arXiv 2602.17254, 2026.
#pragma once

#include <cstdint>
#include <vector>

#include "isotrope/network/group.hpp"

namespace isotrope::algorithm {

/// A message of every node on the axis: its offset, 0..p-1, and what it contains.
struct AxisSend {
  network::Coordinate even = 0;          ///< of senders with an even coordinate
  network::Coordinate odd = 0;           ///< of senders with an odd one
  std::vector<std::uint32_t> registers;  ///< as RegisterSend

  bool operator==(const AxisSend&) const = default;
};

using AxisStep = std::vector<AxisSend>;
using AxisProgram = std::vector<AxisStep>;

/// Whether `extent` has a fold.
bool folds(network::Coordinate extent);
/// The fold. @pre folds(extent).
AxisProgram fold(network::Coordinate extent);
/// The windows. @pre extent >= 2.
AxisProgram windows(network::Coordinate extent);
/// The one-sided windows. @pre extent >= 2.
AxisProgram one_sided(network::Coordinate extent);
/// The stages, nearest first. A step has one send per partner, of register 0. @pre extent >= 2.
AxisProgram stages(network::Coordinate extent);

}  // namespace isotrope::algorithm
