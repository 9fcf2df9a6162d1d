// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/cost/translates.hpp"

#include <algorithm>

namespace isotrope::cost {

using schedule::NodeClasses;
using schedule::Replication;

Translates::Translates(const Network& network, Replication replication, schedule::PortModel ports)
    : classes_(network.group(), replication) {
  const auto generators = network.generators();
  const bool collides =
      std::ranges::any_of(generators, [&](Node g) { return classes_.of(g) == classes_.of(0); });
  if (!ports.half_duplex() || !collides) return;
  shifts_.clear();
  for (Node node = 0; node < network.order(); ++node) {
    if (classes_.of(node) == classes_.of(0)) shifts_.push_back(node);
  }
  classes_ = NodeClasses(network.group(), Replication::none());
}

}  // namespace isotrope::cost
