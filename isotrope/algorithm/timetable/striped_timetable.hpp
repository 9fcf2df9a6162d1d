// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Timetables of products whose last axis is complete, as that of several ranks a node (algorithm/lanes.hpp): between nodes every block stays
// in one lane.
//
//     scatter      inside the node of the root first, each block to the lane of its destination, then layer by layer along the lanes
//     allgather    backwards: each block along its lane to all nodes, then to the other places of every node
//
// So a link between nodes carries the blocks of one lane, whose N / R nodes' blocks all lanes share; a timetable that mixes both
// kinds of links sends part of the blocks over the links of all lanes.
//
// Claims: the rounds of the layered timetable on the network of the nodes, and with k ports ceil((R - 1) / k) more. The links between nodes
// carry no more than there.
// Cost: that of the layered timetable on the nodes, and O(N P).
#pragma once

#include "isotrope/schedule/port_model.hpp"

#include "isotrope/algorithm/timetable/timetable.hpp"

namespace isotrope::algorithm {

/// The tables of `parts` >= 1 parts, one each. @pre lanes exist without failures, nodes times parts stay below 2^32, and `ports` is not
/// half duplex
Timetable striped_timetable(const network::Network& network, std::uint32_t parts, schedule::PortModel ports);

/// Its rounds.
std::uint32_t striped_timetable_rounds(const network::Network& network, schedule::PortModel ports);

}  // namespace isotrope::algorithm
