// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/schedule/collective.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"
#include "isotrope/base/spelling.hpp"

namespace isotrope::schedule {
namespace {

using enum Collective;

constexpr std::array<std::string_view, 0> no_alias{};
constexpr std::array<std::string_view, 1> broadcast_aliases{"single-node-broadcast"};
constexpr std::array<std::string_view, 2> scatter_aliases{"single-node-scatter", "personalized"};
constexpr std::array<std::string_view, 1> allgather_aliases{"multinode-broadcast"};
constexpr std::array<std::string_view, 1> alltoall_aliases{"total-exchange"};
constexpr std::array<std::string_view, 1> allreduce_aliases{"global-sum"};
constexpr std::array<std::string_view, 1> scan_aliases{"prefix-sum"};

// The table. Columns: collective, name, aliases, rooted, reduces, reversal, payload, MPI's function. Without a
// case for every enumerator it does not compile (-Werror=switch).
constexpr CollectiveTraits row(Collective collective) {
  switch (collective) {
    case broadcast:
      return {broadcast, "broadcast", broadcast_aliases, true, false, reduce, Payload::vector};
    case scatter:
      return {scatter, "scatter", scatter_aliases, true, false, gather, Payload::block};
    case gather:
      return {gather, "gather", no_alias, true, false, scatter, Payload::block};
    case reduce:
      return {reduce, "reduce", no_alias, true, true, broadcast, Payload::vector};
    case allgather:
      return {allgather, "allgather", allgather_aliases, false, false, reduce_scatter, Payload::block};
    case alltoall:
      return {alltoall, "alltoall", alltoall_aliases, false, false, alltoall, Payload::block};
    case reduce_scatter:
      return {reduce_scatter, "reduce-scatter", no_alias, false, true, allgather, Payload::block};
    case allreduce:
      return {allreduce, "allreduce", allreduce_aliases, false, true, {}, Payload::vector};
    case scan:
      return {scan, "scan", scan_aliases, false, true, {}, Payload::vector};
    case exscan:
      return {exscan, "exscan", no_alias, false, true, {}, Payload::vector};
    case barrier:
      return {barrier, "barrier", no_alias, false, true, {}, Payload::none};
    case neighborhood:
      return {neighborhood, "neighborhood", no_alias, false, false, neighborhood, Payload::block};
    case isotropic:
      return {isotropic, "isotropic", no_alias, false, false, isotropic, Payload::block};
    case task:
      return {task, "task", no_alias, false, false, task, Payload::block};
  }
  return {};
}

consteval std::size_t count() {
  std::size_t index = 0;
  while (!row(static_cast<Collective>(index)).name.empty()) ++index;
  return index;
}

constexpr auto rows = [] {
  std::array<CollectiveTraits, count()> result{};
  for (std::size_t index = 0; index < result.size(); ++index)
    result[index] = row(static_cast<Collective>(index));
  return result;
}();

}  // namespace

const CollectiveTraits& traits_of(Collective collective) {
  return rows[static_cast<std::size_t>(collective)];
}

std::span<const CollectiveTraits> all_collectives() {
  return rows;
}

Collective parse_collective(std::string_view name) {
  std::vector<std::string_view> known;
  for (const CollectiveTraits& row : rows) {
    if (row.name == name || std::ranges::find(row.aliases, name) != row.aliases.end()) return row.collective;
    known.push_back(row.name);
    known.insert(known.end(), row.aliases.begin(), row.aliases.end());
  }
  throw Error(fmt::format("unknown collective '{}': {}", name, name_hint(name, known)));
}

}  // namespace isotrope::schedule
