// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/trees/hamiltonian_path.hpp"

namespace isotrope::algorithm {
namespace {

using network::Node;

Node gray_code(Node position) {
  return position ^ (position >> 1);
}

Node position_of(Node code) {
  for (std::uint32_t shift = 1; shift < 32; shift *= 2) code ^= code >> shift;
  return code;
}

}  // namespace

NodeList HamiltonianPath::children(Node node, Node root) const {
  NodeList result;
  const Node position = position_of(node ^ root);
  if (position + 1 < Node{1} << dimension_) result.push_back(root ^ gray_code(position + 1));
  return result;
}

}  // namespace isotrope::algorithm
