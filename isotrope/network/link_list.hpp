// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The directed links that carry, numbered by their senders and then by port, for arrays by link and for walks that look at
// many. A graph of 16,384 nodes in a network file is a complete network, of 2^28 directed links, without most of them.
//
// Cost: O(1), and O(log degree) for the number of a port. Memory: none of its own.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "isotrope/network/surviving_network.hpp"

namespace isotrope::network {

/// The number of a directed link.
using LinkNumber = std::uint32_t;

class LinkList {
 public:
  /// Refers to the network, which must outlive the list.
  explicit LinkList(const SurvivingNetwork& network) : network_(network), to_(network.receivers()) {}

  /// One more than the largest number.
  std::uint64_t count() const { return to_.size(); }
  /// The receiver of a link.
  Node to(LinkNumber link) const { return to_[link]; }
  /// @pre the link is one of `from`.
  Port port(Node from, LinkNumber link) const { return network_.ports(from)[link - first(from)]; }
  /// @pre the link carries.
  LinkNumber of(Node from, Port port) const {
    const auto ports = network_.ports(from);
    return first(from) + static_cast<LinkNumber>(std::ranges::lower_bound(ports, port) - ports.begin());
  }
  /// Calls `function(link, to)` for the links of a node, in the order of ports.
  template <class Function>
  void for_each(Node from, Function&& function) const {
    const LinkNumber end = first(from + 1);
    for (LinkNumber link = first(from); link < end; ++link) function(link, to_[link]);
  }

 private:
  LinkNumber first(Node node) const { return static_cast<LinkNumber>(network_.first_link(node)); }

  const SurvivingNetwork& network_;
  std::span<const Node> to_;  // by link
};

}  // namespace isotrope::network
