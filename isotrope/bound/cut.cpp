// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The cut bound: the packets that must leave, or enter, a set of nodes, over the links that do. Only failures, open axes
// and unlike rates leave so few links that the cuts count. The sets tried:
//
//     alltoall with open axes or rates, nothing  the halves of the axes (axis_halves.hpp)
//     failed
//     allgather with rates, nothing failed       the nodes with coordinate 0 along some axes (axis_slices.hpp)
//     scatter, gather                            all sets (scatter_cut.hpp)
//     else                                       the subtrees of a breadth-first tree of a central node
//     alltoall, allgather, also                  slabs and bent slabs (bent_cuts.hpp)
//     allgather, allreduce, also                 the sides of nodes that hold the network together (cut_nodes.hpp),
//                                                and two colours of nodes (two_colours.hpp)
//
// In an allreduce both sides need what the other one contributes to each of B packets, in a message each way.
#include <algorithm>

#include <fmt/format.h>

#include "isotrope/network/rates.hpp"

#include "isotrope/bound/axis_halves.hpp"
#include "isotrope/bound/axis_slices.hpp"
#include "isotrope/bound/bent_cuts.hpp"
#include "isotrope/bound/cut_nodes.hpp"
#include "isotrope/bound/kinds.hpp"
#include "isotrope/bound/scatter_cut.hpp"
#include "isotrope/bound/two_colours.hpp"

namespace isotrope::bound {
namespace {

// The subtrees of a breadth-first tree, with the links that leave each.
class Cuts {
 public:
  explicit Cuts(const SurvivingNetwork& network) : network_(network) {
    grow_from(centre());
    sizes_.assign(order_.size(), 1);
    for (std::size_t i = order_.size(); i-- > 1;) sizes_[parents_[i]] += sizes_[i];
    borders_.assign(order_.size(), 0);
    for (const Node node : order_) {
      network_.for_each_neighbour(node, [&](Port, Node neighbour) {
        if (node < neighbour) for_each_between(node, neighbour, [&](std::size_t i, Node) { ++borders_[i]; });
      });
    }
  }

  // Subtrees are numbered from 1; subtree 0 is all nodes.
  std::size_t end() const { return order_.size(); }
  Node top(std::size_t i) const { return order_[i]; }
  std::uint64_t size(std::size_t i) const { return sizes_[i]; }
  // The links that leave the subtree.
  std::uint64_t border(std::size_t i) const { return borders_[i]; }

  // Calls `function(i, inside)` for every subtree that holds exactly one of two nodes. Their tops are the nodes
  // between the two in the tree, without the meeting point.
  template <class Function>
  void for_each_between(Node a, Node b, Function&& function) const {
    std::size_t i = places_[a], j = places_[b];
    while (i != j) {
      function(std::max(i, j), i > j ? a : b);
      std::size_t& lower = i > j ? i : j;
      lower = parents_[lower];
    }
  }

 private:
  // A node in the middle of a shortest path between two nodes far apart; in a tree, the centre.
  Node centre() const {
    const auto farthest = [&](const std::vector<std::uint32_t>& distance) {
      return *std::max_element(network_.nodes().begin(), network_.nodes().end(),
                               [&](Node a, Node b) { return distance[a] < distance[b]; });
    };
    const auto from_a = network_.distances(farthest(network_.distances(network_.nodes().front())));
    const Node b = farthest(from_a);
    const auto from_b = network_.distances(b);
    return *std::find_if(network_.nodes().begin(), network_.nodes().end(), [&](Node node) {
      return from_a[node] == from_a[b] / 2 && from_a[node] + from_b[node] == from_a[b];
    });
  }

  void grow_from(Node root) {
    places_.assign(network_.whole().order(), 0);
    std::vector<std::uint8_t> seen(network_.whole().order(), 0);
    order_ = {root};
    parents_ = {0};
    seen[root] = 1;
    for (std::size_t i = 0; i < order_.size(); ++i) {
      places_[order_[i]] = i;
      network_.for_each_neighbour(order_[i], [&](Port, Node neighbour) {
        if (seen[neighbour] != 0) return;
        seen[neighbour] = 1;
        order_.push_back(neighbour);
        parents_.push_back(i);
      });
    }
  }

  const SurvivingNetwork& network_;
  std::vector<Node> order_;             // breadth first; subtree i hangs below order_[i]
  std::vector<std::size_t> parents_;    // by place in order_
  std::vector<std::size_t> places_;     // in order_, by node
  std::vector<std::uint64_t> sizes_;    // nodes of a subtree
  std::vector<std::uint64_t> borders_;  // links that leave it
};

// `room`: the packets that all links together carry in a round.
Bound bound_of_subtree(Node top, std::uint64_t nodes, std::uint64_t packets, std::uint64_t links,
                       std::uint64_t room) {
  return {
      "cut", ceil_div(packets, room),
      fmt::format("{} nodes around node {} must exchange {} packets with the others one way, over {} links: "
                  "ceil({}/{}) = {}",
                  nodes, top, packets, links, packets, room, ceil_div(packets, room))};
}

// The bound by the best bent slab.
Bound bound_of_slab(const GraphView& view, Crossing crossing) {
  const NodeCut cut = best_cut(view.survivors(), crossing);
  const std::uint64_t packets =
      crossing_packets(crossing, cut.inside, view.node_count() - cut.inside) * view.parts();
  const std::uint64_t room = view.room_over(cut.border), value = ceil_div(packets, room);
  return {
      "cut", value,
      fmt::format(
          "{} nodes, {}, must exchange {} packets with the others one way, over {} links: ceil({}/{}) = {}",
          cut.inside, cut.where, packets, cut.border, packets, room, value)};
}

// The bound if the size of a set says what must leave it.
Bound bound_by_size(const GraphView& view, Crossing crossing) {
  const Cuts cuts(view.survivors());
  Bound best{"cut", 0, ""};
  for (std::size_t i = 1; i < cuts.end(); ++i) {
    const std::uint64_t inside = cuts.size(i);
    const std::uint64_t packets =
        crossing_packets(crossing, inside, view.node_count() - inside) * view.parts();
    raise(best,
          bound_of_subtree(cuts.top(i), inside, packets, cuts.border(i), view.room_over(cuts.border(i))));
  }
  raise(best, bound_of_slab(view, crossing));
  return best;
}

// A message each way for every packet of the vector.
Bound contribution_bound(const GraphView& view) {
  const Cuts cuts(view.survivors());
  Bound best{"cut", 0, ""};
  for (std::size_t i = 1; i < cuts.end(); ++i) {
    raise(best, bound_of_subtree(cuts.top(i), cuts.size(i), view.parts(), cuts.border(i),
                                 view.room_over(cuts.border(i))));
  }
  return best;
}

Bound travel_bound(const GraphView& view) {
  const Cuts cuts(view.survivors());
  std::vector<std::uint64_t> leaving(view.node_count(), 0), entering(view.node_count(), 0);
  for (const Travel& travel : view.travels()) {
    cuts.for_each_between(travel.from, travel.to, [&](std::size_t i, Node inside) {
      (inside == travel.from ? leaving : entering)[i] += travel.blocks * view.parts();
    });
  }
  Bound best{"cut", 0, "no packet has to move"};
  for (std::size_t i = 1; i < cuts.end(); ++i) {
    const std::uint64_t packets = std::max(leaving[i], entering[i]);
    raise(best, bound_of_subtree(cuts.top(i), cuts.size(i), packets, cuts.border(i),
                                 view.room_over(cuts.border(i))));
  }
  return best;
}

}  // namespace

std::optional<Bound> cut_bound(const GraphView& view) {
  if (auto halves = axis_halves_bound(view)) return halves;
  auto slices = axis_slices_bound(view);
  const bool has_weak_cuts = !view.intact() || network::has_copies(view.network());
  if (has_weak_cuts && view.traffic() == Traffic::one_to_each) {
    if (auto best = scatter_cut_bound(view)) return best;
  }
  if (view.intact()) return slices;
  if (view.problem().task.collective == schedule::Collective::alltoall)
    return bound_by_size(view, Crossing::pairs);
  if (view.is_personal()) return travel_bound(view);
  // Either side must learn all that the other one knows.
  const bool reduces = view.traffic() == Traffic::reduced;
  if (!reduces && view.traffic() != Traffic::all_to_all) return std::nullopt;
  Bound best = reduces ? contribution_bound(view) : bound_by_size(view, Crossing::larger_side);
  if (slices && !reduces) raise(best, *std::move(slices));
  if (auto nodes = cut_nodes_bound(view)) raise(best, *std::move(nodes));
  if (auto both = two_colours_bound(view)) raise(best, *std::move(both));
  return best;
}

}  // namespace isotrope::bound
