// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/network/hexmesh_route.hpp"

#include "isotrope/network/hexmesh.hpp"
#include "isotrope/network/multinomial.hpp"

namespace isotrope::network {
namespace {

Node hexmesh_order(std::uint32_t size) {
  return 3 * size * (size - 1) + 1;
}

}  // namespace

std::string RoutingRecord::paths() const {
  const auto count = [](std::int32_t hops) { return static_cast<std::uint32_t>(std::abs(hops)); };
  return multinomial(std::array{count(x), count(y), count(z)});
}

// The network is made first, which refuses other sizes.
HexmeshRouting::HexmeshRouting(std::uint32_t size)
    : group_(hexmesh(size).order()),
      n_(static_cast<std::int32_t>(size)),
      p_(static_cast<std::int32_t>(group_.order())),
      group_length_(3 * size - 2),
      steps_{1,
             group_.negate(1),
             group_.negate(3 * size - 2),
             3 * size - 2,
             group_.negate(3 * size - 1),
             3 * size - 1} {}

// A turn by 60 degrees multiplies addresses by t = 3n^2 - 6n + 3, so +y = t, +z = t^2, and t^6 = 1: node = y
// t = z t^2.
std::array<Node, 3> hexmesh_labels(std::uint32_t size, Node node) {
  const std::uint64_t p = hexmesh_order(size), turn = p - (3 * size - 2);
  const std::uint64_t twice = turn * turn % p, four_times = twice * twice % p;
  const std::uint64_t z = node * four_times % p, y = z * turn % p;
  return {node, static_cast<Node>(y), static_cast<Node>(z)};
}

std::optional<std::uint32_t> hexmesh_size(const Network& network) {
  if (network.degree() != 6) return std::nullopt;
  // +y = -(3n-2) tells the size.
  const Node back = network.generators()[3];
  const std::uint32_t size = (back + 2) / 3;
  if (size < 2 || size > largest_hexmesh_size || network.order() != hexmesh_order(size)) return std::nullopt;
  return same_network(network, hexmesh(size)) ? std::optional(size) : std::nullopt;
}

}  // namespace isotrope::network
