// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The collectives and their properties, in one table (collective.cpp). A new collective is a new enumerator and a new
// row; without the row the table does not compile.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace isotrope::schedule {

enum class Collective : std::uint8_t {
  broadcast,
  scatter,
  gather,
  reduce,
  allgather,
  alltoall,
  reduce_scatter,
  allreduce,
  scan,    ///< node c ends with the sum of the vectors of nodes 0..c
  exscan,  ///< node c ends with the sum of the vectors of nodes 0..c-1, node 0 with nothing
  barrier,
  neighborhood,  ///< a block to every node at distance nearest..farthest
  isotropic,     ///< blocks of origin 0 that the task lists, the same from every node
  task           ///< any blocks that the task lists
};

inline constexpr std::size_t collective_count = static_cast<std::size_t>(Collective::task) + 1;

/// The unit of the count argument of the MPI function: count times the size of its type is the bytes of one.
enum class Payload : std::uint8_t {
  vector,  ///< the whole vector, of one length at every node
  block,   ///< one block, of as many as the traffic has
  none     ///< no data
};

struct CollectiveTraits {
  Collective collective = Collective::broadcast;
  std::string_view name = {};                      ///< MPI's, in lower case: "reduce-scatter"
  std::span<const std::string_view> aliases = {};  ///< the papers' names
  bool rooted = false;                             ///< has a root
  bool reduces = false;                            ///< reduces the contributions of all nodes, or of some
  /// The collective of the reversed schedule. Nothing for allreduce and barrier, whose stages are reversed one by
  /// one, and for scan and exscan, whose messages are sums.
  std::optional<Collective> reversal = {};
  Payload payload = Payload::none;
};

/// The row of a collective.
const CollectiveTraits& traits_of(Collective collective);

/// All rows, in order of the enumeration.
std::span<const CollectiveTraits> all_collectives();

/// broadcast, scatter, gather and reduce have a root.
inline bool is_rooted(Collective collective) {
  return traits_of(collective).rooted;
}
/// reduce, reduce-scatter, allreduce, scan, exscan and barrier reduce contributions.
inline bool reduces(Collective collective) {
  return traits_of(collective).reduces;
}
/// scan and exscan reduce, for every node, the contributions of the nodes up to it.
inline bool is_prefix(Collective collective) {
  return collective == Collective::scan || collective == Collective::exscan;
}

/// The collective with an MPI name or a paper's alias, parameters left out.
/// @throws Error for an unknown name, with the nearest ones.
Collective parse_collective(std::string_view name);

}  // namespace isotrope::schedule
