// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/bound/cut_nodes.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace isotrope::bound {
namespace {

// A node with the sizes of the sides into which the others fall without it.
struct CutNode {
  Node node;
  std::vector<std::uint64_t> sides;  // at least two
};

// Nodes are numbered in the order in which the search finds them.
class DepthFirstSearch {
 public:
  explicit DepthFirstSearch(const SurvivingNetwork& network)
      : network_(network),
        found_(network.whole().order(), none),
        parent_(network.whole().order(), none),
        reach_(network.whole().order()),
        size_(network.whole().order(), 1),
        next_port_(network.whole().order(), 0) {
    search(network.nodes().front());
  }

  std::vector<CutNode> cut_nodes() const {
    std::vector<std::vector<std::uint64_t>> sides(
        parent_.size());  // subtrees from which no link leads above the node
    for (const Node node : network_.nodes()) {
      const Node parent = parent_[node];
      if (parent != none && reach_[node] >= found_[parent]) sides[parent].push_back(size_[node]);
    }
    std::vector<CutNode> result;
    for (const Node node : network_.nodes()) {
      const std::uint64_t below = std::accumulate(sides[node].begin(), sides[node].end(), std::uint64_t{0});
      const std::uint64_t above = network_.nodes().size() - 1 - below;
      if (above > 0) sides[node].push_back(above);
      if (sides[node].size() > 1) result.push_back({node, std::move(sides[node])});
    }
    return result;
  }

 private:
  static constexpr Node none = UINT32_MAX;

  void search(Node root) {
    Node number = 0;
    std::vector<Node> way{root};
    found_[root] = reach_[root] = number++;
    while (!way.empty()) {
      const Node node = way.back();
      if (next_port_[node] == network_.degree(node)) {
        leave(way);
        continue;
      }
      const Node other = network_.whole().neighbour(node, network_.ports(node)[next_port_[node]++]);
      if (found_[other] != none) {
        if (other != parent_[node]) reach_[node] = std::min(reach_[node], found_[other]);
        continue;
      }
      parent_[other] = node;
      found_[other] = reach_[other] = number++;
      way.push_back(other);
    }
  }
  void leave(std::vector<Node>& way) {
    const Node node = way.back();
    way.pop_back();
    if (way.empty()) return;
    reach_[way.back()] = std::min(reach_[way.back()], reach_[node]);
    size_[way.back()] += size_[node];
  }

  const SurvivingNetwork& network_;
  std::vector<Node> found_;          // by node, its number
  std::vector<Node> parent_;         // by node
  std::vector<Node> reach_;          // the least number that a link from the node's subtree leads to
  std::vector<std::uint64_t> size_;  // of the node's subtree
  std::vector<Port> next_port_;      // by node, of those that carry
};

// What the node must send, under half duplex also receive, and how many rounds that takes.
struct Passing {
  std::uint64_t packets;
  std::uint64_t room;  // a round
  std::uint64_t rounds() const { return ceil_div(packets, room); }
};

// In an allreduce of so many packets.
Passing passing_of_sums(const GraphView& view, const CutNode& cut, std::uint64_t packets) {
  return {(view.half_duplex() ? 2 : 1) * cut.sides.size() * packets, view.room(cut.node)};
}

// In an allgather.
Passing passing_of_blocks(const GraphView& view, const CutNode& cut) {
  std::uint64_t sent = 0;
  for (const std::uint64_t side : cut.sides) sent += (view.node_count() - side) * view.parts();
  const std::uint64_t received = (view.node_count() - 1) * view.parts();
  return {view.half_duplex() ? sent + received : sent, view.room(cut.node)};
}

Passing passing(const GraphView& view, const CutNode& cut) {
  return view.traffic() == Traffic::reduced ? passing_of_sums(view, cut, view.parts())
                                            : passing_of_blocks(view, cut);
}

// The largest distance from the node in each of its sides, ascending.
std::vector<std::uint64_t> depths(const SurvivingNetwork& network, Node node) {
  const std::vector<std::uint32_t> distance = network.distances(node);
  std::vector<bool> seen(distance.size(), false);
  seen[node] = true;
  std::vector<std::uint64_t> result;
  std::vector<Node> way;
  const auto visit = [&](Port, Node next) {
    if (seen[next]) return;
    seen[next] = true;
    result.back() = std::max<std::uint64_t>(result.back(), distance[next]);
    way.push_back(next);
  };
  network.for_each_neighbour(node, [&](Port port, Node first) {
    if (seen[first]) return;
    result.push_back(0);
    visit(port, first);
    while (!way.empty()) {
      const Node last = way.back();
      way.pop_back();
      network.for_each_neighbour(last, visit);
    }
  });
  std::ranges::sort(result);
  return result;
}

// Rounds of an allreduce before the first of the messages that count and after the last. Under half duplex receipts count too,
// which begin when the end of a side has reached the node.
std::uint64_t other_rounds(const GraphView& view, const CutNode& cut) {
  const std::vector<std::uint64_t> depth = depths(view.survivors(), cut.node);
  if (view.half_duplex()) return 2 * (depth.front() - 1);
  return depth.front() + depth[depth.size() - 2] - 1;
}

Bound bound_of(const GraphView& view, const CutNode& cut, const Passing& passing, std::uint64_t others) {
  const auto [packets, room] = passing;
  const std::uint64_t value = passing.rounds() + others;
  const std::string more =
      others == 0 ? ""
                  : fmt::format(" + {}, as the ends of the sides are {} rounds away before and after", others,
                                others);
  return {"cut", value,
          fmt::format(
              "node {}, without which the others fall into {} sides, must {} {} packets, at most {} a round: "
              "ceil({}/{}){} = {}",
              cut.node, cut.sides.size(), view.half_duplex() ? "send and receive" : "send", packets, room,
              packets, room, more, value)};
}

Bound bound_of_sums(const GraphView& view, const CutNode& cut, std::uint64_t packets) {
  return bound_of(view, cut, passing_of_sums(view, cut, packets), other_rounds(view, cut));
}

Bound bound_of_blocks(const GraphView& view, const CutNode& cut) {
  Bound best = bound_of(view, cut, passing_of_blocks(view, cut), 0);
  Bound both = bound_of_sums(view, cut, view.node_count() * view.parts());
  both.because = fmt::format("half of {}, as backwards and then forwards it is an allreduce, in which {}",
                             both.value, both.because);
  both.value = ceil_div(both.value, 2);
  raise(best, std::move(both));
  return best;
}

// Those with the most rounds, the most even sides first: they are the likeliest to be far from the ends of all sides.
std::vector<CutNode> busiest(const GraphView& view, std::vector<CutNode> cuts) {
  constexpr std::size_t most_tried = 16;
  const auto largest_side = [](const CutNode& cut) { return std::ranges::max(cut.sides); };
  std::ranges::sort(cuts, [&](const CutNode& a, const CutNode& b) {
    return std::tuple(passing(view, b).rounds(), largest_side(a), a.node) <
           std::tuple(passing(view, a).rounds(), largest_side(b), b.node);
  });
  if (cuts.size() > most_tried) cuts.resize(most_tried);
  return cuts;
}

}  // namespace

std::optional<Bound> cut_nodes_bound(const GraphView& view) {
  Bound best{"cut", 0, ""};
  for (const CutNode& cut : busiest(view, DepthFirstSearch(view.survivors()).cut_nodes())) {
    raise(best, view.traffic() == Traffic::reduced ? bound_of_sums(view, cut, view.parts())
                                                   : bound_of_blocks(view, cut));
  }
  if (best.value == 0) return std::nullopt;
  return best;
}

}  // namespace isotrope::bound
