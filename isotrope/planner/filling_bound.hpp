// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// What it costs to fill and drain the pipeline of a broadcast or reduce: bounds on time in which rounds and bytes count together.
//
//     root = = = = o - o - o - o = = = = v      h hops; c ports at the root or at the farthest node v
//
// Filling bound, for messages of any sizes. Take any h - 1 consecutive rounds, at most. No byte goes from the root to v in these
// alone, so it leaves the root before them or reaches v after them: all bytes go over c links in the other rounds. With g such
// blocks that make up all rounds, the busiest links carry g / (g - 1) m / c bytes together, and there are more than (g - 1) (h - 1)
// rounds. The least over g is near
//
//     a + 2 sqrt((h - 1) a m t / c) + m t / c         overheads and start-up a, time per byte t, m bytes
//
// Segmented bound, for strict rounds of P equal segments: ceil(P / c) + h - 1 rounds of one segment each, (h - 2) a more.
// Proofs: docs/bounds.md. Cost: O(log m).
#pragma once

#include <cstdint>
#include <optional>

#include "isotrope/schedule/problem.hpp"

namespace isotrope::planner {

/// The root of a broadcast or reduce and the node farthest from it.
struct RootedWay {
  double hops = 0;            ///< between them
  double root_ports = 0;      ///< that the root uses in a round, at most
  double farthest_ports = 0;  ///< that the farthest node uses, the fewest of such nodes

  double ports() const { return root_ports > farthest_ports ? root_ports : farthest_ports; }
};

/// Nothing for other collectives and for networks of one node.
std::optional<RootedWay> rooted_way(const schedule::Problem& problem);

/// Seconds of round-synchronous execution. @param bytes_s of all bytes over one link
/// @param message_s of an empty message with its overheads
/// @param least_rounds,least_bytes_s other bounds: on rounds, and on the seconds of the bytes of busiest links
double filling_bound(const RootedWay& way, double bytes_s, double message_s, std::uint64_t least_rounds,
                     double least_bytes_s);

/// Seconds of strict rounds of equal segments, of any number up to `bytes`.
double segmented_bound(const RootedWay& way, double bytes, double bytes_s, double message_s);

}  // namespace isotrope::planner
