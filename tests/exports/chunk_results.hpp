// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Numbers for chunks, and what a collective makes of them: for machines that run exported plans. Sums are modulo 2^64.
#pragma once

#include <cstdint>
#include <vector>

#include "isotrope/schedule/plan.hpp"

namespace isotrope::exports {

/// Chunk `chunk` of the input of `node`.
std::uint64_t input_chunk(network::Node node, std::uint64_t chunk);

/// The number of chunks of the input of `node`.
std::uint64_t input_chunks(const schedule::Plan& plan, network::Node node);

/// The output of `node`, chunk by chunk, of collectives that copy or reduce.
std::vector<std::uint64_t> wanted_output(const schedule::Plan& plan, network::Node node);

}  // namespace isotrope::exports
