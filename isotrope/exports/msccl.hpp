// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// A plan as an MSCCL algorithm, the XML that MSCCL's runtime loads.
//
//     <algo name proto nchannels nchunksperloop ngpus coll inplace outofplace minBytes maxBytes>
//       <gpu id i_chunks o_chunks s_chunks>
//         <tb id send recv chan>
//           <step s type srcbuf srcoff dstbuf dstoff cnt depid deps hasdep/>
//
//     buffers    i input    o output    s transit        chunks: one part of one block, all of one size
//     types      s   send                  r   receive            nop   wait only
//                rrc receive, reduce, copy          cpy copy
//
// Blocks and steps, their order and their limits are those of thread_blocks.hpp. A collective without a name
// in MSCCL is `custom`: the loader then requires input and output of the same number of chunks at every GPU,
// the most that any GPU needs; the chunks that a GPU uses come first.
//
// Sizes: MSCCL cuts the buffer into nchunksperloop chunks, a number that must divide the number of elements.
// An algorithm is offered for every size, minBytes = 0 to maxBytes = 2^40.
//
// Source: MSCCL's loader (topo.cc) and interpreter. Cost: O(steps).
#pragma once

#include <iosfwd>

#include "isotrope/schedule/plan.hpp"

namespace isotrope::exports {

/// Writes the algorithm.
/// @pre the plan is valid (verify it first).
/// @throws Error if MSCCL could not load the algorithm (a barrier, a single node, too many steps, blocks or
/// channels), or if the plan has too many hops or failed nodes.
void write_msccl(std::ostream& out, const schedule::Plan& plan);

}  // namespace isotrope::exports
