// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Collectives by stages: in a stage, rank x sends to the images of x under one or two permutations.
//
//     doubling   x -> x with bit i flipped: recursive doubling, recursive halving, binomial trees
//     swing      x -> x + r on even coordinates, x - r on odd ones, r = 1, -1, 3, -5, ..: Swing, and the butterflies
//                and trees of Bine, which have the same partners
//     trivance   x -> x + 3^i and x -> x - 3^i
//
// On a torus the stages take the axes in turn: distance 1 on every axis, then the next distance on every axis. A
// variant begins with another axis, or has all signs mirrored.
// Sources: Thakur, Rabenseifner and Gropp 2005; De Sensi et al., Swing, NSDI 2024; De Sensi et al., Bine Trees, SC
// 2025; Trivance, arXiv 2602.17254, 2026. Written from the ideas of these papers; no code of theirs is used.
#pragma once

#include <vector>

#include "bench/simgrid/rivals/grid.hpp"
#include "bench/simgrid/rivals/program.hpp"

namespace judge::rivals {

/// A permutation of ranks and its inverse; -1 where a rank has no partner.
struct Move {
  std::vector<int> to, from;
};

using Stage = std::vector<Move>;

enum class Family { doubling, swing, trivance };

struct Variant {
  int first_axis = 0;
  bool mirrored = false;

  /// Along the axes.
  int direction() const { return mirrored ? -1 : 1; }
};

/// Nearest partners first. Extents need not be powers of 2 for `doubling`: then partners are missing, which only
/// trees allow.
std::vector<Stage> stages(const Grid& grid, Family family, Variant variant);

/// The ranks exchange sums of the whole vector: the latency form.
Chain exchange(const std::vector<Stage>& stages, int rank);

/// The ranks halve (or third) their part of the vector in each stage, and keep the block of their number at the end.
/// @throws std::logic_error if partners are not in different classes of the later stages.
Chain reduce_scatter(const std::vector<Stage>& stages, int ranks, int rank);

/// A rank that has the data of rank 0 sends it in each later stage. With `scatter`, a message has only the blocks of
/// the ranks below its receiver.
Chain tree(const std::vector<Stage>& stages, int ranks, int rank, bool scatter);

}  // namespace judge::rivals
