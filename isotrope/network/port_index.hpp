// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The ports of a network by their generators, which may be given several times. Cost: O(log degree) a question.
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <span>
#include <vector>

#include "isotrope/network/network.hpp"

namespace isotrope::network {

class PortIndex {
 public:
  /// `generators` are one per port, and must outlive the index.
  explicit PortIndex(std::span<const Node> generators) : generators_(generators), ports_(generators.size()) {
    std::iota(ports_.begin(), ports_.end(), Port{0});
    std::ranges::stable_sort(ports_, {}, [&](Port port) { return generators_[port]; });
  }

  /// The ports of a generator, ascending; none if the element is no generator.
  std::span<const Port> ports_of(Node element) const {
    const auto generator = [&](Port port) { return generators_[port]; };
    const auto first = std::ranges::lower_bound(ports_, element, {}, generator),
               last = std::ranges::upper_bound(ports_, element, {}, generator);
    return std::span(ports_).subspan(static_cast<std::size_t>(first - ports_.begin()),
                                     static_cast<std::size_t>(last - first));
  }

 private:
  std::span<const Node> generators_;
  std::vector<Port> ports_;  // by generator, then number
};

}  // namespace isotrope::network
