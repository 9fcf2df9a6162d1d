// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Shortest routes between two nodes of any network: one of them, and how many there are.
//
// Convention: a route is the ports over which its hops go, in order. Of all shortest ones it is the first in
// lexicographic order: every hop goes over the lowest port that leads closer. As the order of hops is free on
// a network without failures, such a route uses its ports in ascending order:
//
//     torus:4x4, from (0,0) to (2,3):  ports 0 0 3       (0,0) (1,0) (2,0) (2,3)
//                                      6 routes: 3 orders, and 1+ or 1- for the axis crossed half-way
//
// Counting, by closed forms if there are any:
//     tori            the orders of the hops per axis, doubled for each axis above 2 crossed half-way
//     hexagonal mesh  the orders of the hops of its routing record (hexmesh_route.hpp)
//     any other       level by level over the nodes between: those v with d(0, v) + d(v, to) = d(0, to)
// Links side by side count once.
//
// Cost: a route of D hops takes O(D + degree) distances, after failures a search of the network; counting level by
// level takes O(nodes between * degree) distances and additions of long numbers, and memory for two levels.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "isotrope/network/network.hpp"
#include "isotrope/network/surviving_network.hpp"

namespace isotrope::network {

/// The ports of the shortest route described above; empty if both nodes are the same.
/// @throws Error if a node lies outside the network.
std::vector<Port> shortest_route(const Network& network, Node from, Node to);

/// The same around failures, or nothing if no route is left. There the ports need not ascend.
/// @throws Error if a node lies outside the network or has failed.
std::optional<std::vector<Port>> shortest_route(const SurvivingNetwork& network, Node from, Node to);

/// How many hops of a route go over each port of the network. @pre the ports are below degree().
std::vector<std::uint32_t> hops_per_port(const Network& network, std::span<const Port> route);

/// The nodes of a route, `from` and the destination included.
std::vector<Node> nodes_along(const Network& network, Node from, std::span<const Port> route);

/// The exact number of shortest routes, in decimal; "1" if both nodes are the same.
/// @throws Error if a node lies outside the network.
std::string count_shortest_routes(const Network& network, Node from, Node to);

}  // namespace isotrope::network
