// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The work of the threads of a run. Each thread owns the nodes at some positions.
//
// A thread copies from the neighbours of its nodes into the arenas of its nodes. So no two threads write to the
// same arena. No byte that is read in a round is written in it (copy_program.hpp), so one barrier per round is
// the only synchronization.
#pragma once

#include <cstdint>

#include "isotrope/network/network.hpp"

#include "isotrope/local/arenas.hpp"
#include "isotrope/local/copy_program.hpp"

namespace isotrope::local {

/// Touches the arenas of the nodes at `mine` and writes the packets that these nodes send.
void fill(const network::Network& network, const CopyProgram& program, const Arenas& arenas,
          std::uint64_t seed, Positions mine);

/// Makes the copies of step `t` to the nodes at `mine`. @pre all threads have completed the step before.
void run_step(const network::Network& network, const CopyProgram& program, const Arenas& arenas,
              std::uint64_t t, Positions mine);

/// The reference for the speed of an exchange: copies `bytes` bytes with memcpy, in pieces of `piece_bytes` bytes,
/// from the first half of `memory` to the second, as often as necessary. Overwrites the second half.
/// @pre `memory` has 2 bytes or more.
void copy_plainly(std::span<std::byte> memory, std::uint64_t piece_bytes, std::uint64_t bytes);

}  // namespace isotrope::local
