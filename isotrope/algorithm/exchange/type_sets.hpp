// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Pairs of packets, to x and to -x, sorted into sets that load all ports alike.
//
// The type of a route is its number of hops over each pair of opposite ports. A packet and its twin (route_sets.hpp) take
// mirrored routes, so together they cross a port as often as its opposite, each as often as the type says.
//
//     sum 3    (1,1,1) (0,2,1) (2,0,1)    six packets, three hops over each of six ports
//
// Method: all sets of types with the sum are listed; then one after the other is taken while pairs are left: the set whose
// types have the fewest usable sets for the pairs left, with some chance; of many trials the one that takes the most sets.
// Cost: at most 2^20 steps for the list and 2^24 for the trials.
#pragma once

#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include "isotrope/algorithm/exchange/route_sets.hpp"

namespace isotrope::algorithm {

/// Hops over each pair of opposite ports.
using RouteType = std::vector<std::uint32_t>;

/// Pairs of twins of one type, each by its packet of the lower number.
struct PairsOfType {
  RouteType type;
  std::vector<std::uint32_t> pairs;
};

/// The pairs of twins by the types of `chosen` routes, those with fewer hops first. `chosen` has a route for every packet;
/// only those of the lower numbers of pairs count, and pairs with an empty one are left out. None if a port is its own
/// opposite, which a pair crosses twice as often.
std::vector<PairsOfType> pairs_by_type(const network::Network& network, const RouteSets& routes,
                                       std::span<const Route> chosen);

/// Sets of at most `count` pairs whose types add up to `sum` for every pair of ports, without a common pair, as many as are
/// found; hard ones first.
std::vector<std::vector<std::uint32_t>> sets_of_pairs(std::vector<PairsOfType> types, std::uint32_t sum,
                                                      std::size_t count, std::mt19937_64& random);

}  // namespace isotrope::algorithm
