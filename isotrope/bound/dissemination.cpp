// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The dissemination bound, "doubling" in files: a packet known to m nodes is known to at most (c+1) m after the
// next round. The last of P parts leaves the root in round ceil(P / c) or later.
#include <fmt/format.h>

#include "isotrope/bound/kinds.hpp"

namespace isotrope::bound {
namespace {

// The least t with (c+1)^t >= nodes.
std::uint64_t doublings(std::uint64_t nodes, std::uint64_t c) {
  std::uint64_t rounds = 0;
  for (std::uint64_t informed = 1; informed < nodes; informed *= c + 1) ++rounds;
  return rounds;
}

Bound symmetric_bound(const GraphView& view) {
  const std::uint64_t nodes = view.node_count(), c = view.port_limit();
  const std::uint64_t parts = view.is_personal() ? 1 : view.parts();
  const std::uint64_t last = ceil_div(parts, view.room()), spread = doublings(nodes, c);
  const std::uint64_t value = last - 1 + spread;
  return {"doubling", value,
          fmt::format("the last of {} parts leaves the root in round {} or later, and {} nodes cannot all "
                      "know it in fewer "
                      "than {} rounds when their number grows {}-fold at most: {} - 1 + {} = {}",
                      parts, last, nodes, spread, c + 1, last, spread, value)};
}

Bound bound_around_failures(const GraphView& view) {
  const std::uint64_t c = view.most_usable_ports(), rounds = doublings(view.node_count(), c);
  return {"doubling", rounds,
          fmt::format(
              "{} nodes cannot all know a packet in fewer than {} rounds when their number grows {}-fold at "
              "most",
              view.node_count(), rounds, c + 1)};
}

}  // namespace

std::optional<Bound> dissemination_bound(const GraphView& view) {
  if (!view.is_known_everywhere()) return std::nullopt;
  return view.is_symmetric() ? symmetric_bound(view) : bound_around_failures(view);
}

}  // namespace isotrope::bound
