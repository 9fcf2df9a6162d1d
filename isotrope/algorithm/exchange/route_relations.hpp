// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The differences between routes to one destination.
//
// A route is written in signed hops, one number per pair of opposite ports. Two routes to the same destination
// differ by a relation: signed hops that lead back to their start.
//
//     circulant:13:1,2    pairs (+1,-1), (+2,-2)    relations (2,-1), (1,6), ...
//                         to node 2: (0,1), or (0,1) + (2,-1) = (2,0), a detour of one hop
//
// Relations are found as mismatches of the routes of neighbours: the route to u plus one hop g, minus the route to
// u + g. The relations with the least detours are kept, one for each pair of a relation and its negative.
//
// Lengths are weighted by the weights of the port-sum bound (bound/port_sum.hpp).
// Source: relations are the vectors of the lattice of Camarero, Martinez and Beivide 2015, whose quotient is
// the network.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "isotrope/network/network.hpp"

#include "isotrope/algorithm/exchange/matrix_decomposition.hpp"

namespace isotrope::algorithm {

/// Opposite ports; equal if a port is its own opposite.
struct PortPair {
  network::Port forward, backward;
};

/// The pairs in order of their first ports, which are the forward ones.
std::vector<PortPair> opposite_pairs(const network::Network& network);

/// Routes in signed hops by pair of ports. 4 bytes per number.
class SignedRoutes {
 public:
  /// The rows of `matrix`, with a column per port.
  SignedRoutes(std::span<const PortPair> pairs, const TaskMatrix& matrix);

  std::uint64_t rows() const { return rows_; }
  std::span<std::int32_t> row(std::uint64_t i) { return {hops_.data() + i * pairs_.size(), pairs_.size()}; }
  std::span<const std::int32_t> row(std::uint64_t i) const {
    return {hops_.data() + i * pairs_.size(), pairs_.size()};
  }

  /// Back to a matrix.
  TaskMatrix matrix() const;

 private:
  std::vector<PortPair> pairs_;
  std::uint64_t rows_;
  std::vector<std::int32_t> hops_;
};

/// One weight per pair of ports.
using PairWeights = std::vector<std::int64_t>;

/// The nonzero hops of a relation.
struct RelationStep {
  std::uint32_t pair;
  std::int32_t hops;
};
using Relation = std::vector<RelationStep>;

/// The growth of a row's length by a relation, taken `sign` (1 or -1) times.
std::int64_t detour(std::span<const std::int32_t> row, const Relation& relation, std::int32_t sign,
                    const PairWeights& weights);

/// Adds a relation to a row, `sign` times.
inline void take(std::span<std::int32_t> row, const Relation& relation, std::int32_t sign) {
  for (const auto [pair, hops] : relation) row[pair] += sign * hops;
}

/// Shortens every route by single relations as long as one helps.
void shorten(SignedRoutes& routes, std::span<const Relation> relations, const PairWeights& weights);

/// The relations of a network, at most 64, the least detours first. Cost: O(N) routes, and 2^16 comparisons.
std::vector<Relation> find_relations(const network::Network& network, const PairWeights& weights);

}  // namespace isotrope::algorithm
