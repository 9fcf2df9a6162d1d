// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// What the threads of a run do, each for the nodes at the positions it owns, which only it writes to.
//
// A thread receives: it copies from its nodes' neighbours into its nodes' arenas. So no two threads write to
// the same arena, and nothing they read is written in the same round (copy_program.hpp): one barrier a round is
// all the synchronization there is.
#pragma once

#include <cstdint>

#include "isotrope/network/network.hpp"

#include "isotrope/local/arenas.hpp"
#include "isotrope/local/copy_program.hpp"

namespace isotrope::local {

/// Touches the arenas of the nodes at `mine` and writes to them what these nodes send.
void fill(const network::Network& network, const CopyProgram& program, const Arenas& arenas,
          std::uint64_t seed, Positions mine);

/// Makes the copies of round `t` to the nodes at `mine`. All threads must have done with the round before.
void run_round(const network::Network& network, const CopyProgram& program, const Arenas& arenas,
               std::uint64_t t, Positions mine);

/// The measure of an exchange: copies `bytes` bytes with memcpy, in pieces of the program's largest piece,
/// from one half of `memory` to the other, over and over from end to end. Destroys what is there.
/// @pre `memory` has 2 bytes or more.
void copy_plainly(std::span<std::byte> memory, std::uint64_t piece_bytes, std::uint64_t bytes);

}  // namespace isotrope::local
