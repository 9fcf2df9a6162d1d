// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/trees/root_order.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"
#include "isotrope/base/spelling.hpp"

namespace isotrope::algorithm {
namespace {

using network::Network;

struct OrderName {
  std::string_view text;
  RootOrder order;
};

// The first name of an order is its printed name.
constexpr std::array names{
    OrderName{"descending", {RootOrder::Sequence::descending, false}},
    OrderName{"reverse-breadth-first", {RootOrder::Sequence::reverse_breadth_first, false}},
    OrderName{"postorder", {RootOrder::Sequence::postorder, false}},
    OrderName{"preorder", {RootOrder::Sequence::preorder, false}},
    OrderName{"cyclic", {RootOrder::Sequence::reverse_breadth_first, true}},
    OrderName{"cyclic-reverse-breadth-first", {RootOrder::Sequence::reverse_breadth_first, true}},
    OrderName{"cyclic-descending", {RootOrder::Sequence::descending, true}},
    OrderName{"cyclic-postorder", {RootOrder::Sequence::postorder, true}},
    OrderName{"cyclic-preorder", {RootOrder::Sequence::preorder, true}},
};

std::vector<std::uint32_t> in_sequence(const Network& network, const RootedTree& tree,
                                       RootOrder::Sequence sequence) {
  const std::uint32_t last = tree.size() - 1;
  const auto place = [&](std::uint32_t i) -> std::uint32_t {  // from 1
    switch (sequence) {
      case RootOrder::Sequence::descending:
        return last + 1 - network.group().subtract(tree.node(i), tree.node(0));
      case RootOrder::Sequence::reverse_breadth_first:
        return last + 1 - i;
      case RootOrder::Sequence::
          postorder:  // after all before it in preorder but its ancestors, and all below it
        return tree.preorder(i) - tree.depth(i) + tree.subtree_size(i);
      case RootOrder::Sequence::preorder:
        break;
    }
    return tree.preorder(i);
  };
  std::vector<std::uint32_t> result(last);
  for (std::uint32_t i = 1; i <= last; ++i) result[place(i) - 1] = i;
  return result;
}

// The first of every subtree, then the second of every subtree, and so on.
std::vector<std::uint32_t> by_turns(const RootedTree& tree, const std::vector<std::uint32_t>& sequence) {
  std::vector<std::vector<std::uint32_t>> subtrees(tree.children(0).end);
  for (const std::uint32_t i : sequence) subtrees[tree.child_towards(0, i)].push_back(i);
  std::vector<std::uint32_t> result;
  for (std::size_t turn = 0; result.size() < sequence.size(); ++turn) {
    for (const auto& subtree : subtrees) {
      if (turn < subtree.size()) result.push_back(subtree[turn]);
    }
  }
  return result;
}

}  // namespace

std::string to_string(RootOrder order) {
  const auto* const found =
      std::find_if(names.begin(), names.end(), [&](const OrderName& name) { return name.order == order; });
  return std::string(found->text);
}

RootOrder parse_root_order(std::string_view text) {
  std::vector<std::string_view> known;
  for (const OrderName& name : names) {
    if (name.text == text) return name.order;
    known.push_back(name.text);
  }
  throw Error(fmt::format("unknown order '{}': {}", text, name_hint(text, known)));
}

std::vector<std::uint32_t> destinations(const Network& network, const RootedTree& tree, RootOrder order) {
  std::vector<std::uint32_t> sequence = in_sequence(network, tree, order.sequence);
  return order.by_turns ? by_turns(tree, sequence) : sequence;
}

}  // namespace isotrope::algorithm
