// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The ports in groups that a node may use at once: a round over all ports becomes one round per group.
//
//     degree 6    all ports    0 1 2 3 4 5        two ports    0 1 | 2 3 | 4 5        four    0 1 2 3 | 4 5
//
// If all nodes use the same ports in a round, they receive on as many ports as they send on.
#pragma once

#include <algorithm>

#include "isotrope/schedule/ceil_div.hpp"
#include "isotrope/schedule/port_model.hpp"

namespace isotrope::algorithm {

class PortGroups {
 public:
  PortGroups(network::Port degree, schedule::PortModel ports)
      : degree_(degree), size_(std::max<network::Port>(ports.sends(degree), 1)) {}

  network::Port degree() const { return degree_; }
  /// The number of groups.
  std::uint32_t count() const { return static_cast<std::uint32_t>(schedule::ceil_div(degree_, size_)); }
  /// The group of a port, 0..count-1.
  std::uint32_t of(network::Port port) const { return port / size_; }

 private:
  network::Port degree_;
  network::Port size_;
};

}  // namespace isotrope::algorithm
