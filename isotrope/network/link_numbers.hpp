// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Numbers of directed links, for arrays by link: those of a node and its port, node * degree + port, or, where few links are
// left of many, of those that carry alone. A graph of 16,384 nodes in a network file is a complete network, of 2^28 directed
// links, without most of them.
//
// Cost: of a number O(1), or O(log degree) where few are left. Memory: 8 bytes a node in the second case.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "isotrope/network/surviving_network.hpp"

namespace isotrope::network {

class LinkNumbers {
 public:
  explicit LinkNumbers(const Network& network)
      : degree_(network.degree()), count_(network.directed_links()) {}
  /// Refers to the network, which must outlive the numbers.
  explicit LinkNumbers(const SurvivingNetwork& network)
      : degree_(network.whole().degree()), count_(network.whole().directed_links()) {
    constexpr std::uint64_t many = 4;
    const std::uint64_t left = 2 * network.links();
    if (count_ / many <= left) return;
    network_ = &network;
    count_ = left;
    std::uint64_t first = 0;
    for (Node node = 0; node < network.whole().order(); ++node) {
      first_.push_back(first);
      first += network.degree(node);
    }
  }

  /// One more than the largest number.
  std::uint64_t count() const { return count_; }
  /// @pre the link carries
  std::uint64_t of(Node node, Port port) const {
    if (network_ == nullptr) return std::uint64_t{node} * degree_ + port;
    const auto ports = network_->ports(node);
    return first_[node] + static_cast<std::uint64_t>(std::ranges::lower_bound(ports, port) - ports.begin());
  }

 private:
  Port degree_;
  std::uint64_t count_;
  const SurvivingNetwork* network_ = nullptr;  // if few links are left
  std::vector<std::uint64_t> first_;           // by node, of the links that carry
};

}  // namespace isotrope::network
