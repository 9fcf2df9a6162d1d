// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Networks and plans as Graphviz graphs.
//
//     graph "ring:4" {                       digraph "broadcast on ring:4" {
//       0 -- 1;                                0 -> 1 [label="0"];
//       ...                                    1 -> 2 [label="1,4"];      rounds in which the link is used
//     }                                      }
//
// A replicated plan shows the hops of the packets of origin 0; all others are their translates. Rounds are
// counted from 0 through all stages. Cost: O(links + listed hops * log).
#pragma once

#include <iosfwd>

#include "isotrope/network/surviving_network.hpp"

#include "isotrope/schedule/plan.hpp"

namespace isotrope::exports {

/// Writes every link once, from the lower node.
void write_dot(std::ostream& out, const network::SurvivingNetwork& network);

/// Writes every directed link that the plan uses.
void write_dot(std::ostream& out, const schedule::Plan& plan);

}  // namespace isotrope::exports
