// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The time of pipelined execution of a strict broadcast over all ports, on a machine whose start-ups occupy no
// link: w messages of the root, the window, are on a link at once, and other nodes pass messages on as they
// come (ramp.hpp). A reduce, which is a broadcast backwards, takes as long. A tree of height h, over which S bytes go in segments of p bytes, takes about
//
//     h (o' + tau + c p t_c) + (S / p - 1) max(p t_c, o', (o' + tau + p t_c) / w)
//
// o' are the overheads of the busiest node with the segments of a round; c = 1 for w = 2, and 3/2 for more, since segments
// share links further on then. 1/32 is added for further waits. With w = 1 it is the round-synchronous time. In a single
// tree, a node that has overheads prepares the next segment while the last one is on its way: c = 11/8 for w = 2, the last
// o' is that of one message, and nothing is added.
//
// In SimGrid, with links of 1 us and 1 GB/s, broadcasts of 2 KiB to 1 MiB on three hypercubes, torus:8x8 and
// hexmesh:3 took 4 percent less to 2 percent more than that (docs/performance.md); of 64 KiB on ring:27, with overheads, in
// 16 to 32 segments, up to 3 percent less.
#pragma once

#include <cstdint>
#include <vector>

#include "isotrope/schedule/port_model.hpp"

#include "isotrope/cost/machine.hpp"
#include "isotrope/cost/pipeline_cost.hpp"
#include "isotrope/cost/prediction.hpp"

namespace isotrope::cost {

/// A broadcast, or a reduce, whose rounds are a line in the number of segments.
struct PipelinedTrees {
  PipelineCost line;  ///< rounds of P segments: line.per_packet P + line.fill
  schedule::Port degree = 0;
};

/// Blocks of `block_bytes` in `segments` segments that take `rounds` rounds, with a window of 2..most_in_flight.
Prediction pipelined(const PipelinedTrees& trees, std::uint64_t block_bytes, std::uint32_t segments,
                     std::uint64_t rounds, std::uint32_t window, const Machine& machine);

/// Numbers of segments that are worth a try: segments of which w - 1 take a start-up, or smaller ones, so that the
/// first is soon everywhere; or those with which links and processors are equally busy. A link carries at least twice as
/// many as the window and `most_segments` in all at most.
std::vector<std::uint32_t> pipelined_segments(const PipelinedTrees& trees, std::uint64_t block_bytes,
                                              std::uint32_t window, std::uint64_t most_segments,
                                              const Machine& machine);

/// Whether receipts do not keep a processor busy for longer than a link carries the segment.
bool links_bound(const PipelinedTrees& trees, const Prediction& prediction, const Machine& machine);

}  // namespace isotrope::cost
