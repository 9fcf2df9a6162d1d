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
// Numbers are separated by blanks, tabs or commas; `#` begins a comment; the number of blocks is 1 where it is
// left out of the last column. An isotropic task may also be given in full, by sources and destinations, if
// it is the same from every node. Entries for the same destination add up.
#pragma once

#include <string>
#include <vector>

#include "isotrope/schedule/delivery.hpp"
#include "isotrope/schedule/isotropic_task.hpp"

namespace isotrope::io {

/// The relative destinations of an isotropic task, ascending, each once; lines of one or two numbers, or all
/// of three.
/// @throws Error, naming file and line, where a line is none of these, a node is outside the network, or there are
/// 2^32 blocks or more; where the file is given in full and is not isotropic, with two nodes that differ.
std::vector<schedule::RelativeDestination> read_isotropic_task(const std::string& path,
                                                               const network::Network& network);

/// The deliveries of a task by source, then destination, each pair once; lines of two or three numbers.
/// @throws Error as above.
std::vector<schedule::Delivery> read_task(const std::string& path, const network::Network& network);

}  // namespace isotrope::io
