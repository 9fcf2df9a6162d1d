// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The bound of fronts: under half duplex all nodes of a ring learn from all others in m + ceil(2 sqrt(m)) - 1 rounds or
// more, m = ceil(N / 2).
//
// What a node knows spreads between two fronts, one each way round. Fronts that meet delay each other, and those that
// wait to go on as one group are late: K groups each way lose K rounds at their crossings and m / K in waiting.
// Proof: docs/bounds.md.
//
//     ring:8    m = 4: 4 + 4 - 1 = 7 rounds          ring:9    m = 5: 5 + 5 - 1 = 9 rounds
//
// Claim: exact for N = 3 to 40, by exhaustion to 15 and by schedules beyond.
// Source: the value is that of Krumme, Cybenko, Venkataraman 1992.
#include <fmt/format.h>

#include "isotrope/bound/kinds.hpp"

namespace isotrope::bound {

std::optional<Bound> fronts_bound(const GraphView& view) {
  const bool ring = view.problem().failed.empty() && view.network().degree() == 2;
  if (!ring || !view.half_duplex() || !view.all_learn_from_all()) return std::nullopt;
  const std::uint64_t half = ceil_div(view.node_count(), 2);
  std::uint64_t root = 0;
  while (root * root < 4 * half) ++root;
  return Bound{
      "fronts", half + root - 1,
      fmt::format("what {} nodes know goes both ways round a ring, and messages that meet or wait for "
                  "each other lose rounds: {} + ceil(2 sqrt({})) - 1 = {}",
                  view.node_count(), half, half, half + root - 1)};
}

}  // namespace isotrope::bound
