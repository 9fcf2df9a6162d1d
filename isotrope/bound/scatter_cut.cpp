// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/bound/scatter_cut.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "isotrope/graph/flow_network.hpp"

#include "isotrope/bound/kinds.hpp"

namespace isotrope::bound {
namespace {

constexpr std::uint64_t most_links = std::uint64_t{1} << 17;

class ScatterCuts {
 public:
  explicit ScatterCuts(const GraphView& view)
      : view_(view),
        root_(view.problem().task.root),
        network_(view.intact() ? SurvivingNetwork(view.network(), {}) : view.survivors()),
        distances_(network_.distances(root_)),
        best_{"cut", 0, "no packet has to move"} {}

  Bound largest() {
    while (raise_by_smallest_cut()) {
    }
    return best_;
  }

 private:
  // Whether the flow for the rounds so far does not saturate, so that a cut asks for more.
  bool raise_by_smallest_cut() {
    const Node order = view_.network().order();
    graph::FlowNetwork flow(order + 1);
    for (const Node node : network_.nodes()) {
      if (node != root_) flow.add_arc(node, order, view_.parts());
      network_.for_each_neighbour(
          node, [&](Port, Node to) { flow.add_arc(node, to, view_.room_over(rounds_left(node))); });
    }
    if (flow.augment(root_, order) == (view_.node_count() - 1) * view_.parts()) return false;
    raise(best_, bound_of(flow.source_side(root_)));
    return true;
  }

  std::uint64_t rounds_left(Node node) const {
    return best_.value - std::min<std::uint64_t>(best_.value, distances_[node]);
  }

  Bound bound_of(const std::vector<bool>& outside) const {
    std::uint64_t nodes = 0;
    std::vector<std::uint64_t> idle;  // by link into the set: rounds without a packet
    for (const Node node : network_.nodes()) {
      nodes += outside[node] ? 0 : 1;
      network_.for_each_neighbour(node, [&](Port, Node to) {
        if (outside[node] && !outside[to]) idle.push_back(distances_[node]);
      });
    }
    std::ranges::sort(idle);
    const std::uint64_t packets = nodes * view_.parts(), messages = ceil_div(packets, view_.message_room());
    std::uint64_t links = 0, rounds = UINT64_MAX, sum = 0, best_sum = 0;
    for (std::uint64_t i = 0; i < idle.size(); ++i) {
      sum += idle[i];
      const std::uint64_t enough = ceil_div(messages + sum, i + 1);
      if (enough < rounds) rounds = enough, links = i + 1, best_sum = sum;
    }
    return {"cut", rounds,
            fmt::format("the {} packets between node {} and {} other nodes fill {} messages over {} links, "
                        "which are idle for {} rounds together, as they are away from node {}: "
                        "ceil(({} + {})/{}) = {}",
                        packets, root_, nodes, messages, links, best_sum, root_, messages, best_sum, links,
                        rounds)};
  }

  const GraphView& view_;
  Node root_;
  SurvivingNetwork network_;
  std::vector<std::uint32_t> distances_;
  Bound best_;
};

}  // namespace

std::optional<Bound> scatter_cut_bound(const GraphView& view) {
  if (view.network().directed_links() > most_links) return std::nullopt;
  return ScatterCuts(view).largest();
}

}  // namespace isotrope::bound
