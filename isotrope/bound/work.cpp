// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/bound/work.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "isotrope/bound/kinds.hpp"

namespace isotrope::bound {
namespace {

using schedule::Collective;
__extension__ using Wide = unsigned __int128;

// Nodes whose packets are counted alike: all of them, or the root alone.
std::uint64_t origins(const GraphView& view) {
  const bool everyone = view.traffic() == Traffic::all_to_all || view.traffic() == Traffic::isotropic;
  return everyone ? view.node_count() : 1;
}

// The least number of transmissions for the packets of one origin. A packet that reaches all nodes takes one per
// node that lacks it.
std::uint64_t hops_of_an_origin(const GraphView& view) {
  if (view.is_personal()) return view.wanted_distance_sum() * view.parts();
  const std::uint64_t calls = view.node_count() - 1;
  return (view.traffic() == Traffic::reduced ? 2 * calls : calls) * view.parts();
}

// Two factors, as they may not fit into one number.
struct Work {
  std::uint64_t origins, hops;

  Wide product() const { return Wide{origins} * hops; }
  std::uint64_t rounds(std::uint64_t room) const {
    const Wide rounds = product() / room + (product() % room == 0 ? 0 : 1);
    return static_cast<std::uint64_t>(std::min<Wide>(rounds, UINT64_MAX));
  }
};

Bound half_duplex_bound(const GraphView& view, Work work) {
  const std::uint64_t room = view.room_over(view.node_count() / 2), value = work.rounds(room);
  const bool symmetric = view.is_symmetric();
  const std::string all = !symmetric || work.origins == 1 ? fmt::format("{}", work.origins * work.hops)
                                                          : fmt::format("{} * {}", work.origins, work.hops);
  return {"work", value,
          fmt::format("{} transmissions, and {} nodes pair up for at most {} a round: ceil({}{}{}) = {}", all,
                      view.node_count(), room, all, symmetric ? " / " : "/", room, value)};
}

Bound full_duplex_bound(const GraphView& view, Work work) {
  const std::uint64_t room = view.room_over(view.all_usable_ports()), value = work.rounds(room);
  return {
      "work", value,
      fmt::format("the contributions of {} nodes to {} packets take {} transmissions to all nodes, and all "
                  "nodes together can send {} a round: ceil({} / {}) = {}",
                  view.node_count(), view.parts(), work.hops, room, work.hops, room, value)};
}

}  // namespace

std::optional<Bound> work_bound(const GraphView& view) {
  if (!view.is_symmetric() && view.is_personal()) return std::nullopt;  // the distance-sum bound counts them
  if (view.half_duplex()) return half_duplex_bound(view, {origins(view), hops_of_an_origin(view)});
  if (view.traffic() != Traffic::reduced) return std::nullopt;
  return full_duplex_bound(view, {1, hops_of_an_origin(view)});
}

std::uint64_t least_transmissions(const Problem& problem) {
  const Collective collective = problem.task.collective;
  const bool listed = collective == Collective::isotropic || collective == Collective::task;
  if (listed || !problem.failed.empty()) return 0;
  Problem strict = problem;
  strict.aggregation = 1;
  if (strict.task.vector_blocks == 0) strict.task.vector_blocks = 1;  // a plan may send the vector whole
  const GraphView view(strict);
  const Wide product = Work{origins(view), hops_of_an_origin(view)}.product();
  return static_cast<std::uint64_t>(std::min<Wide>(product, UINT64_MAX));
}

}  // namespace isotrope::bound
