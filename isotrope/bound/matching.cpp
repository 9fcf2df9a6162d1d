// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/bound/matching.hpp"

#include <fmt/format.h>

#include "isotrope/bound/kinds.hpp"

namespace isotrope::bound {
namespace {

using schedule::Collective;

// Nodes whose packets are counted alike: all of them, or the root alone.
std::uint64_t origins(const GraphView& view) {
  const bool everyone = view.traffic() == Traffic::all_to_all || view.traffic() == Traffic::isotropic;
  return everyone ? view.node_count() : 1;
}

// The least number of transmissions for the packets of one origin. A packet that reaches all nodes takes one per
// node that lacks it; a reduction to all nodes takes as many again.
std::uint64_t hops_of_an_origin(const GraphView& view) {
  const std::uint64_t parts = view.problem().task.parts;
  if (view.is_personal()) return view.wanted_distance_sum() * parts;
  const std::uint64_t calls = (view.node_count() - 1) * parts;
  return view.traffic() == Traffic::reduced ? 2 * calls : calls;
}

Bound work_bound(const GraphView& view) {
  const std::uint64_t senders = origins(view), hops = hops_of_an_origin(view);
  const std::uint64_t pairs = view.node_count() / 2;
  const std::uint64_t value = senders / pairs * hops + ceil_div(senders % pairs * hops, pairs);
  const bool symmetric = view.is_symmetric();
  const std::string all =
      !symmetric || senders == 1 ? fmt::format("{}", senders * hops) : fmt::format("{} * {}", senders, hops);
  return {"work", value,
          fmt::format("{} transmissions, and {} nodes pair up for at most {} a round: ceil({}{}{}) = {}", all,
                      view.node_count(), pairs, all, symmetric ? " / " : "/", pairs, value)};
}

}  // namespace

std::optional<Bound> matching_bound(const GraphView& view) {
  if (!view.half_duplex()) return std::nullopt;
  if (!view.is_symmetric() && view.is_personal()) return std::nullopt;  // the distance-sum bound counts pairs
  return work_bound(view);
}

std::uint64_t least_transmissions(const Problem& problem) {
  const Collective collective = problem.task.collective;
  const bool listed = collective == Collective::isotropic || collective == Collective::task;
  if (listed || !problem.failed.empty()) return 0;
  const GraphView view(problem);
  std::uint64_t product = 0;
  const bool overflow = __builtin_mul_overflow(origins(view), hops_of_an_origin(view), &product);
  return overflow ? UINT64_MAX : product;
}

}  // namespace isotrope::bound
