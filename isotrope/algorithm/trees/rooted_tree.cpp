// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/trees/rooted_tree.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace isotrope::algorithm {

using network::Network;
using network::Node;
using network::Port;

RootedTree::RootedTree(const Network& network, Node root, const ChildPorts& child_ports) {
  list_by_levels(network, root, child_ports);
  measure();
  higher_children_first();
  number_in_preorder();
}

std::uint32_t RootedTree::child_towards(std::uint32_t i, std::uint32_t below) const {
  const auto first = preorder_.begin() + first_children_[i];
  const auto end = preorder_.begin() + first_children_[i + 1];
  const auto after = std::upper_bound(first, end, preorder_[below]);
  return static_cast<std::uint32_t>(after - preorder_.begin()) - 1;
}

void RootedTree::list_by_levels(const Network& network, Node root, const ChildPorts& child_ports) {
  nodes_.reserve(network.order());
  nodes_ = {root};
  parents_ = {0};
  ports_ = {0};
  depths_ = {0};
  for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
    first_children_.push_back(size());
    for (const Port port : child_ports(nodes_[i])) {
      nodes_.push_back(network.neighbour(nodes_[i], port));
      parents_.push_back(i);
      ports_.push_back(port);
      depths_.push_back(depths_[i] + 1);
    }
  }
  first_children_.push_back(size());
}

void RootedTree::measure() {
  heights_.assign(size(), 0);
  sizes_.assign(size(), 1);
  for (std::uint32_t i = size() - 1; i > 0; --i) {
    heights_[parents_[i]] = std::max(heights_[parents_[i]], heights_[i] + 1);
    sizes_[parents_[i]] += sizes_[i];
  }
}

// Renumbers by a second walk in breadth-first order.
void RootedTree::higher_children_first() {
  std::vector<std::uint32_t> order{0}, place(size(), 0), first_children;
  order.reserve(size());
  first_children.reserve(size() + 1);
  for (std::uint32_t i = 0; i < order.size(); ++i) {
    const auto [begin, end] = children(order[i]);
    first_children.push_back(static_cast<std::uint32_t>(order.size()));
    for (std::uint32_t child = begin; child < end; ++child) order.push_back(child);
    std::stable_sort(order.begin() + first_children[i], order.end(), [&](std::uint32_t a, std::uint32_t b) {
      return std::tie(heights_[a], sizes_[a]) > std::tie(heights_[b], sizes_[b]);
    });
    place[order[i]] = i;
  }
  first_children.push_back(size());

  for (auto* values : {&nodes_, &parents_, &ports_, &depths_, &heights_, &sizes_}) {
    const std::vector<std::uint32_t> old = *values;
    for (std::uint32_t i = 0; i < size(); ++i) (*values)[i] = old[order[i]];
  }
  for (std::uint32_t& parent : parents_) parent = place[parent];
  first_children_ = std::move(first_children);
}

void RootedTree::number_in_preorder() {
  preorder_.assign(size(), 0);
  for (std::uint32_t i = 0; i < size(); ++i) {
    std::uint32_t next = preorder_[i] + 1;
    for (auto [child, end] = children(i); child < end; ++child) {
      preorder_[child] = next;
      next += sizes_[child];
    }
  }
}

}  // namespace isotrope::algorithm
