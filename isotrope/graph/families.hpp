// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The networks of a given number of nodes that machines are built as, each graph once: products of lines, rings and complete
// networks, hexagonal meshes, and twisted tori.
//
// Cost: as many networks as there are ways to write N as a product, each factor of three kinds; 2 to 4 factors matter for
// machines, so at most four are tried, but for hypercubes.
#pragma once

#include <vector>

#include "isotrope/network/parse.hpp"

namespace isotrope::graph {

/// Those of few factors first. A ring of 4 is a square of 2x2 and stands for it. @pre order >= 2
std::vector<network::NamedNetwork> families_of(network::Node order);

}  // namespace isotrope::graph
