// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// A short list of nodes without allocation, for the children of a tree node of a hypercube.
#pragma once

#include <array>
#include <cstdint>

#include "isotrope/network/network.hpp"

namespace isotrope::algorithm {

class NodeList {
 public:
  static constexpr std::uint32_t most = 26;

  /// @pre size() < most.
  void push_back(network::Node node) { nodes_[size_++] = node; }

  std::uint32_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  network::Node operator[](std::uint32_t i) const { return nodes_[i]; }
  const network::Node* begin() const { return nodes_.data(); }
  const network::Node* end() const { return nodes_.data() + size_; }

 private:
  std::array<network::Node, most> nodes_;  // the first size_ are set
  std::uint32_t size_ = 0;
};

}  // namespace isotrope::algorithm
