// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The predicted time of a plan on a machine, and its parts. Every mode of execution has one formula:
//
//     round-synchronous    round_synchronous.hpp    a round begins when the one before is over everywhere
//     pipelined            pipelined.hpp            packets follow each other, several messages on a link
//     cut-through          cut_through.hpp          messages pass nodes on their way without a stop
//     message by message   routed_completion.hpp    a node's round begins when its own messages of the one before are over;
//                                                   chains and shares of the data go on by themselves
#pragma once

#include <cstdint>

namespace isotrope::cost {

struct Prediction {
  std::uint32_t segments = 1;       ///< parts that a block is cut into
  std::uint64_t segment_bytes = 0;  ///< of the largest segment; pipelined: of all but the first
  std::uint64_t rounds = 0;
  double seconds = 0;
  std::uint32_t window = 1;  ///< messages of the root on a link at once; above 1: pipelined
  std::uint32_t chains = 1;  ///< above 1: so many chains go through their rounds by themselves
  bool is_followed = false;  ///< the seconds are those of all messages, followed one by one

  // The parts of the seconds. Pipelined, start-ups are the remainder.
  double overhead_s = 0;         ///< processors
  double startup_s = 0;          ///< start-ups, and over an overlay the links on the way
  double transfer_s = 0;         ///< bytes
  std::uint64_t link_bytes = 0;  ///< over the busiest link of every round, added up
};

}  // namespace isotrope::cost
