// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Timetables of tori, axis by axis: recursive halving and doubling on hypercubes, rings one after the other
// elsewhere, in both directions at once.
//
// A table has a phase for each axis. Packets leave along the first axis, in the order of the table, with a nonzero
// coordinate of their address, as late as the phase allows; half-way round they go one way in some tables, the
// other way in the others.
//
//     torus:5x4, axis 0 first     round             0       1       2       3
//                                 leave addresses  (2,*)   (1,*)   (0,2)   (0,1)
//                                                  (3,*)   (4,*)           (0,3)      (0,2): 2+, or 2-
//                                                  phase of axis 0 | phase of axis 1
//
// With all ports the tables begin with different axes and take the rest cyclically, so all axes of a torus of d
// equal extents are always in use. A node with c ports has floor(c/2) such tables, c of them on a hypercube. With
// one port, packets go forwards only, except on hypercubes.
//
// Claims: rounds are the diameter, the least; over one port on other tori, the sum of all extent - 1. The loads of
// scatter and allgather add up to (N-1) P / c, the degree bound, and with two directions those of alltoall to the
// sum of distances times P / c, the distance-sum bound,
//     on hypercubes, for P a multiple of c;
//     on tori of equal extents, for even c and P a multiple of c (c/2 suffices for odd extents);
//     on all tori over one port, for any P.
// Cost: O(N tables). Sources: Johnsson and Ho 1989 for hypercubes, whose spanning trees and rotated spanning trees
// the tables are; in MPI libraries the one-port forms are known as recursive doubling and recursive halving, on
// rings as the ring algorithm.
#pragma once

#include <span>

#include "isotrope/network/torus_axes.hpp"

#include "isotrope/schedule/port_model.hpp"

#include "isotrope/algorithm/timetable/timetable.hpp"

namespace isotrope::algorithm {

/// The tables for `parts` >= 1 parts. @pre `axes` are those of `network`, and `ports` is not half duplex.
Timetable axis_timetable(const network::Network& network, std::span<const network::TorusAxis> axes,
                         std::uint32_t parts, schedule::PortModel ports);

/// Its rounds. Cost: O(axes).
std::uint32_t axis_timetable_rounds(std::span<const network::TorusAxis> axes, schedule::PortModel ports);

}  // namespace isotrope::algorithm
