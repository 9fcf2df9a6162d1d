// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Network names, one grammar for the program, plan files and the environment:
//
//     hypercube:6              2^6 nodes
//     torus:4x4x8              any extents
//     ring:9                   torus of one extent
//     hexmesh:4                C-wrapped hexagonal mesh of size 4, 37 nodes
//     twisted-torus:4x4x8      extents k and 2k; wrapping an extent k shifts by k along every extent 2k
//     twisted-torus:8,0/3,8    Z^2 modulo the lattice with basis rows (8,0) and (3,8)
//     circulant:13:1,5         Z_13 with generators +1, -1, +5, -5
//     complete:8               every two nodes joined
//     cayley:4x6:1,0/3,0/0,1/0,5   moduli, then one generator per port, closed under negation
//     line:8                   a ring without one link
//     mesh:4x8                 the product of lines
//     line:8xring:16           the product of any networks (product.hpp)
//     torus:8x8x8@2,2,1        links along axes 0 and 1 are twice as fast as along axis 2 (rates.hpp)
//     line:4xring:8@2          rates belong to one factor: all links of the ring are twice as fast as those of the line
//     tpu:v5e-4x8              the network of a published TPU slice (tpu_slices.hpp), under its own name
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "isotrope/network/failures.hpp"
#include "isotrope/network/network.hpp"

namespace isotrope::network {

/// A network by its name: a Cayley graph, and what it lacks of it.
struct NamedNetwork {
  Network network;      ///< with closed axes; its name is that of the network with open ones
  Failures lacks = {};  ///< its open axes: of lines of 3 nodes or more
};

/// The network called `name`.
/// @throws Error if a family is unknown (with the nearest names) or its parameters are out of range.
NamedNetwork parse_named(std::string_view name);

/// The network called `name`, for those who need all of its symmetry.
/// @throws Error as parse_named, or if axes are open.
Network parse(std::string_view name);

/// `name` with a rate for each of its axes: of line:4xring:8 and 1, 2 that is line:4xring:8@2.
/// @pre a name without rates, and as many rates as moduli. @throws Error as parse_named
std::string name_with_rates(std::string_view name, std::span<const std::uint32_t> by_axis);

/// The families of networks, as names begin: "hypercube", "torus", ...
std::vector<std::string_view> family_names();

}  // namespace isotrope::network
