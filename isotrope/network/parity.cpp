// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/network/parity.hpp"

namespace isotrope::network {

std::vector<std::uint8_t> parities(const Group& group) {
  std::vector<std::uint8_t> result(group.order(), 0);
  for (Node node = 0; node < group.order(); ++node) {
    for (std::size_t axis = 0; axis < group.rank(); ++axis) {
      if (group.moduli()[axis] % 2 == 0)
        result[node] ^= static_cast<std::uint8_t>(group.coordinate(node, axis) & 1U);
    }
  }
  return result;
}

}  // namespace isotrope::network
