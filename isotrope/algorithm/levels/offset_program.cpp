// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/levels/offset_program.hpp"

namespace isotrope::algorithm {

using network::Network;
using network::Node;

Permutation receivers(const Network& network, std::size_t coordinate, Node even, Node odd) {
  Permutation result(network.order());
  for (Node node = 0; node < result.size(); ++node) {
    const bool is_odd = network.group().coordinate(node, coordinate) % 2 != 0;
    result[node] = network.group().add(node, is_odd ? odd : even);
  }
  return result;
}

RegisterProgram on_nodes(const Network& network, const OffsetProgram& program) {
  RegisterProgram result;
  for (const OffsetStep& step : program.steps) {
    RegisterStep sends;
    for (const auto& [even, odd, registers] : step)
      sends.push_back({receivers(network, program.coordinate, even, odd), registers});
    result.push_back(std::move(sends));
  }
  return result;
}

}  // namespace isotrope::algorithm
