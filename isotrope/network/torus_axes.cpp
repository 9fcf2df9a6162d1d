// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/network/torus_axes.hpp"

#include <algorithm>

namespace isotrope::network {

std::optional<std::vector<TorusAxis>> torus_axes(const Network& network) {
  const auto moduli = network.group().moduli();
  const auto generators = network.generators();
  std::vector<TorusAxis> axes;
  Port ports = 0;
  Node stride = network.order();
  for (std::uint32_t i = 0; i < moduli.size(); ++i) {
    stride /= moduli[i];
    if (moduli[i] == 1) continue;
    const auto unit = std::find(generators.begin(), generators.end(), stride);
    if (unit == generators.end()) return std::nullopt;
    const auto forward = static_cast<Port>(unit - generators.begin());
    axes.push_back({i, moduli[i], forward, network.opposite(forward)});
    ports += moduli[i] == 2 ? 1 : 2;
  }
  if (ports != network.degree()) return std::nullopt;
  return axes;
}

}  // namespace isotrope::network
