// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Tasks as text, a line an entry:
//
//     # relative destination, blocks          # source, destination, blocks
//     1 2                                     0 1 2
//     3 1                                     1,2,2
//     5                                       2 0
//
// Blanks, tabs or commas separate numbers; `#` begins a comment; a missing number of blocks is 1. A file may also give an
// isotropic task in full, by sources and destinations, if the task is the same from every node. Entries for the same
// destination add up.
//
// Blocks of unequal sizes have the same form, with bytes in place of blocks, which may not be missing.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "isotrope/schedule/delivery.hpp"
#include "isotrope/schedule/isotropic_task.hpp"
#include "isotrope/schedule/task.hpp"

namespace isotrope::io {

/// The task called `collective`, as schedule::parse_task, or that of a file: isotropic:FILE, task:FILE.
/// @throws Error as parse_task and the readers below
schedule::Task named_task(const std::string& collective, const network::Network& network, std::uint64_t root,
                          std::uint64_t parts);

/// The relative destinations of an isotropic task, ascending, each once; lines of one or two numbers, or all
/// of three.
/// @throws Error naming file and line if a line has another form, a node is outside the network, or the file has 2^32
/// blocks or more; naming two nodes that differ if the file gives all sources and is not isotropic.
std::vector<schedule::RelativeDestination> read_isotropic_task(const std::string& path,
                                                               const network::Network& network);

/// The deliveries of a task by source, then destination, each pair once; lines of two or three numbers.
/// @throws Error as above.
std::vector<schedule::Delivery> read_task(const std::string& path, const network::Network& network);

/// The blocks of an exchange by source, then destination, each pair once; lines of source, destination and bytes. Those of a node
/// for itself, and those of 0 bytes, are left out.
/// @throws Error naming file and line if a line has another form, or a node is outside the network, or the bytes exceed
/// 2^62 in all
std::vector<schedule::SizedBlock> read_exchange_sizes(const std::string& path,
                                                      const network::Network& network);
/// The bytes of one block of every node, those without a line 0; lines of node and bytes. @throws Error as above
std::vector<std::uint64_t> read_block_sizes(const std::string& path, const network::Network& network);

}  // namespace isotrope::io
