// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/scan/word_tree.hpp"

#include <algorithm>

namespace isotrope::algorithm {
namespace {

using network::Network;
using network::Node;
using network::Port;

constexpr std::uint32_t not_reached = UINT32_MAX;

WordTree only_root(const Network& network) {
  const Node nodes = network.order();
  WordTree tree{{0}, std::vector<Node>(nodes, 0), std::vector<Port>(nodes, 0), {}};
  tree.depth.assign(nodes, not_reached);
  tree.depth[0] = 0;
  return tree;
}

void add_child(WordTree& tree, Node parent, Port port, Node child) {
  tree.nodes.push_back(child);
  tree.parent[child] = parent;
  tree.port[child] = port;
  tree.depth[child] = tree.depth[parent] + 1;
}

// Whether the first coordinate that is not its own negative lies beyond half of its modulus.
bool is_upper(const network::Group& group, Node node) {
  for (std::size_t axis = 0; axis < group.rank(); ++axis) {
    const std::uint64_t x = group.coordinate(node, axis);
    if (x != 0 && 2 * x != group.moduli()[axis]) return 2 * x > group.moduli()[axis];
  }
  return false;
}

// A letter of the words along subgroups, and how often it takes to return to the subgroup.
struct Letter {
  Port port;
  std::uint32_t order;
};

class SubgroupChain {
 public:
  explicit SubgroupChain(const Network& network)
      : network_(network), contains_(network.order(), false), members_{0} {
    contains_[0] = true;
  }

  /// The letter of a generator outside the subgroup; then the subgroup contains it.
  Letter grow_by(Port port) {
    std::uint32_t order = 0;
    const std::vector<Node> before = members_;
    for (Node multiple = 0; order == 0 || !is_member(before, multiple); ++order) {
      for (const Node member : before) enter(network_.group().add(member, multiple));
      multiple = network_.neighbour(multiple, port);
    }
    return {port, order};
  }
  bool has(Port port) const { return contains_[network_.generators()[port]]; }

 private:
  static bool is_member(const std::vector<Node>& subgroup, Node node) {
    return std::ranges::find(subgroup, node) != subgroup.end();
  }
  void enter(Node node) {
    if (!contains_[node]) members_.push_back(node);
    contains_[node] = true;
  }

  const Network& network_;
  std::vector<bool> contains_;
  std::vector<Node> members_;
};

// The letters that are needed, in the given order.
std::vector<Letter> letters(const Network& network, std::span<const Port> order) {
  SubgroupChain chain(network);
  std::vector<Letter> result;
  const std::vector<Port> last_first(order.rbegin(), order.rend());
  for (const Port port : last_first) {
    if (!chain.has(port)) result.push_back(chain.grow_by(port));
  }
  std::ranges::reverse(result);
  return result;
}

}  // namespace

WordTree shortest_words(const Network& network, std::span<const Port> order) {
  WordTree tree = only_root(network);
  for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
    const Node node = tree.nodes[i];
    for (const Port port : order) {
      const Node child = network.neighbour(node, port);
      if (tree.depth[child] == not_reached) add_child(tree, node, port, child);
    }
  }
  return tree;
}

WordTree mirrored(const Network& network, const WordTree& tree) {
  WordTree result = tree;
  for (const Node node : tree.nodes) {
    if (!is_upper(network.group(), node)) continue;
    const Node negative = network.group().negate(node);
    result.parent[node] = network.group().negate(tree.parent[negative]);
    result.port[node] = network.opposite(tree.port[negative]);
  }
  return result;
}

WordTree rarest_last(const Network& network, const WordTree& tree, std::span<const Port> order) {
  WordTree result = tree;
  const std::size_t degree = network.degree();
  std::vector<std::uint32_t> counts(degree * network.order(), 0);  // of letters, by node and port
  for (const Node node : tree.words()) {
    const auto of_parent = counts.begin() + static_cast<std::ptrdiff_t>(tree.parent[node] * degree);
    const auto own = counts.begin() + static_cast<std::ptrdiff_t>(node * degree);
    std::copy_n(of_parent, degree, own);
    ++own[tree.port[node]];
    Port rarest = tree.port[node];
    for (const Port port : order) {
      if (own[port] > 0 && own[port] <= own[rarest]) rarest = port;
    }
    result.port[node] = rarest;
    result.parent[node] = network.neighbour(node, network.opposite(rarest));
  }
  return result;
}

WordTree subgroup_words(const Network& network, std::span<const Port> order) {
  WordTree tree = only_root(network);
  for (const Letter letter : letters(network, order)) {
    const std::vector<Node> begins = tree.nodes;
    const auto append = [&](Port port, std::uint32_t times) {
      for (Node node : begins) {
        for (std::uint32_t i = 0; i < times; ++i) {
          add_child(tree, node, port, network.neighbour(node, port));
          node = tree.nodes.back();
        }
      }
    };
    append(letter.port, letter.order / 2);
    append(network.opposite(letter.port), (letter.order - 1) / 2);
  }
  std::ranges::stable_sort(tree.nodes, {}, [&](Node node) { return tree.depth[node]; });
  return tree;
}

}  // namespace isotrope::algorithm
