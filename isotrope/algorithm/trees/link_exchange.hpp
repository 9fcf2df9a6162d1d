// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The incoming links of one node, shared out among the trees anew at the least price.
//
//     price(tree, link)    what the depths of the node and of all below it in that tree come to, once they
//                          hang on that link; infinite where the link comes from below the node
//
// Every tree gets one link, so the least sum of prices is an assignment problem. What hangs below the node in
// one tree moves with it, and no other tree is touched: the sum is exact.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "isotrope/algorithm/trees/least_assignment.hpp"
#include "isotrope/algorithm/trees/link_table.hpp"

namespace isotrope::algorithm {

class LinkExchange {
 public:
  using Node = LinkTable::Node;
  using Port = LinkTable::Port;
  using Tree = LinkTable::Tree;

  /// Refers to the table. @pre the trees span.
  explicit LinkExchange(LinkTable& links)
      : links_(links), prices_(std::size_t{links.degree()} * links.degree()) {}

  /// Prices all links of the node for all trees. pricing(depths) is called once a tree, with the depths of the
  /// node and of what is below it, and returns price(deeper): what they come to, each so much deeper; at least
  /// 0.
  template <class Pricing>
  void weigh(Node node, const Pricing& pricing) {
    node_ = node;
    present_ = 0;
    for (Tree tree = 0; tree < links_.degree(); ++tree) {
      depths_.clear();
      links_.visit_depths(node, tree, [this](std::uint32_t depth) { depths_.push_back(depth); });
      weigh_links(tree, pricing(std::span<const std::uint32_t>(depths_)));
      present_ += price(tree, links_.port(node, tree));
    }
  }

  /// What the links come to as they are shared out now.
  double present() const { return present_; }

  /// Whether any tree alone could do better.
  bool any_cheaper() const {
    for (Tree tree = 0; tree < links_.degree(); ++tree) {
      const auto row = std::span(prices_).subspan(at(tree, 0), links_.degree());
      if (*std::min_element(row.begin(), row.end()) < row[links_.port(node_, tree)]) return true;
    }
    return false;
  }

  /// The ports of the trees, by tree, at the least sum of prices, which is at most present().
  std::vector<Port> least() {
    // Dearer than all that there is, and no dearer than that, for the sake of precision.
    for (double& price : prices_) price = std::min(price, 2 * present_);
    links_.add_steps(prices_.size() * links_.degree());
    return least_assignment(prices_, links_.degree());
  }

  double sum(std::span<const Port> ports) const {
    double result = 0;
    for (Tree tree = 0; tree < links_.degree(); ++tree) result += price(tree, ports[tree]);
    return result;
  }

 private:
  template <class Price>
  void weigh_links(Tree tree, const Price& price_of) {
    const int depth = static_cast<int>(links_.depth(node_, tree));
    for (Port port = 0; port < links_.degree(); ++port) {
      const Node source = links_.source(node_, port);
      const bool barred = source == 0 ? port != tree : links_.below(source, node_, tree);
      prices_[at(tree, port)] = barred ? std::numeric_limits<double>::infinity()
                                       : price_of(static_cast<int>(links_.depth(source, tree)) + 1 - depth);
    }
  }

  std::size_t at(Tree tree, Port port) const { return std::size_t{tree} * links_.degree() + port; }
  double price(Tree tree, Port port) const { return prices_[at(tree, port)]; }

  LinkTable& links_;
  Node node_ = 0;
  double present_ = 0;
  std::vector<double> prices_;  // by tree, then port
  std::vector<std::uint32_t> depths_;
};

}  // namespace isotrope::algorithm
