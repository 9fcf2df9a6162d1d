// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Collectives with blocks of unequal sizes, which --counts FILE gives (docs/unequal-counts.md).
//
//     alltoallv, alltoallw, scatterv, gatherv     bytes by source and destination; planned as a task, whose blocks are packets of
//                                                 one size: a block of b bytes is ceil(b / packet) of them
//     allgatherv, reduce-scatter                  bytes by node; bounded only, as they run along trees or by plans of equal blocks
//
// `isotrope bench` runs all of them over MPI (app/mpi/unequal_call.hpp).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "isotrope/bound/unequal_blocks.hpp"

#include "isotrope/io/task_file.hpp"

#include "app/json.hpp"
#include "app/options.hpp"
#include "app/subject.hpp"

namespace isotrope::app {

struct Counts {
  std::string collective;  ///< MPI's name
  network::Network network;
  std::uint64_t root = 0;                           ///< of scatterv and gatherv
  network::Failures failed = {};                    ///< with open axes
  std::vector<schedule::SizedBlock> exchange = {};  ///< of the first row of the table
  std::vector<std::uint64_t> by_node = {};          ///< of the second; else empty

  std::uint64_t bytes() const;   ///< of all blocks
  std::uint64_t blocks() const;  ///< that have bytes
};

/// @throws Error for a collective that needs --counts
void require_equal_blocks(const std::string& collective);

/// @pre --counts is given
/// @throws Error for a collective that has no such blocks, sizes that do not suit it, or a node that has failed
Counts chosen_counts(const ProblemOptions& options);

/// The bytes of a packet: --packet, else a power of two, 4 KiB or so much that blocks are cut 65,536 times at most.
/// @throws Error if blocks would be cut more than 262,144 times
std::uint64_t packet_of(const Counts& counts, const PlanningOptions& options);

/// The problem of the packets.
/// @throws Error for a collective that is bounded only, or too many packets
schedule::Problem problem_of(const Counts& counts, const PlanningOptions& options);

/// The bytes that some link must carry.
bound::LinkBytes bound_of(const Counts& counts);

/// Both as an object: collective, bytes, blocks, link_bytes, because.
Json facts_of(const Counts& counts);
/// "alltoallv of 1 MiB in 12 blocks".
std::string payload_in_words(const Counts& counts);
/// "65536 at least over the busiest link: ...".
std::string in_words(const bound::LinkBytes& bound);
/// Both as lines.
std::string in_words(const Counts& counts);

}  // namespace isotrope::app
