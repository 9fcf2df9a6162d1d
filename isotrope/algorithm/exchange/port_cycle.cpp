// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/exchange/port_cycle.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>

#include "isotrope/network/rates.hpp"
#include "isotrope/network/torus_axes.hpp"

namespace isotrope::algorithm {
namespace {

using network::Coordinate;
using network::Network;
using network::Node;
using network::Port;

// The images of all nodes, from the images of the units, one per coordinate.
std::vector<Node> linear_map(const Network& network, std::span<const Node> image_of_unit) {
  const auto moduli = network.group().moduli();
  std::vector<Node> image(network.order(), 0);
  network.group().visit([&](const auto& group) {
    Node stride = 1;
    for (std::size_t i = moduli.size(); i-- > 0; stride *= moduli[i]) {
      for (Node node = stride; node < stride * moduli[i]; ++node) {
        image[node] = group.add(image[node - stride], image_of_unit[i]);
      }
    }
  });
  return image;
}

PortCycle signed_shift(const Network& network, std::span<const network::TorusAxis> axes) {
  PortCycle cycle;
  for (const network::TorusAxis& axis : axes) cycle.ports.push_back(axis.forward);
  if (axes.front().extent > 2) {
    for (const network::TorusAxis& axis : axes) cycle.ports.push_back(axis.backward);
  }
  std::vector<Node> image_of_unit(network.group().rank(), 0);
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const Port next = i + 1 < axes.size() ? axes[i + 1].forward : axes.front().backward;
    image_of_unit[axes[i].coordinate] = network.generators()[next];
  }
  cycle.image = linear_map(network, image_of_unit);
  return cycle;
}

// x with x * factor = value modulo `modulus`. @pre factor has no common divisor with the modulus.
Node quotient(Node value, Node factor, Node modulus) {
  // Euclid's algorithm, with multiples of `value` in place of multiples of 1.
  std::uint64_t a = modulus, b = factor, at_a = 0, at_b = value;
  while (b != 1) {
    const std::uint64_t times = a / b;
    const std::uint64_t next = (at_a + (modulus - times % modulus) * at_b) % modulus;
    a = std::exchange(b, a - times * b);
    at_a = std::exchange(at_b, next);
  }
  return static_cast<Node>(at_b);
}

// The ports in the cycle of multiplication by a unit from port 0; none if the cycle leaves the generators or
// misses some.
std::vector<Port> multiplied(const Network& network, std::span<const Port> port_to, Node factor) {
  std::vector<Port> ports;
  Port port = 0;
  do {
    ports.push_back(port);
    port = port_to[std::uint64_t{network.generators()[port]} * factor % network.order()];
  } while (port != 0 && port < network.degree());
  if (port != 0 || ports.size() != network.degree()) ports.clear();
  return ports;
}

// In a cycle all generators have the same divisors in common with the order, hence none, because they generate.
std::optional<PortCycle> multiplication(const Network& network) {
  const auto generators = network.generators();
  const auto is_unit = [&network](Node node) { return std::gcd(node, network.order()) == 1; };
  if (!std::all_of(generators.begin(), generators.end(), is_unit)) return std::nullopt;
  std::vector<Port> port_to(network.order(), network.degree());  // port_to[generators[j]] = j
  for (Port port = 0; port < network.degree(); ++port) port_to[generators[port]] = port;
  for (Node generator : generators) {
    const Node factor = quotient(generator, generators[0], network.order());
    std::vector<Port> ports = multiplied(network, port_to, factor);
    if (ports.empty()) continue;
    std::vector<Node> image_of_unit;
    for (Coordinate modulus : network.group().moduli()) image_of_unit.push_back(modulus == 1 ? 0 : factor);
    return PortCycle{std::move(ports), linear_map(network, image_of_unit)};
  }
  return std::nullopt;
}

}  // namespace

std::optional<PortCycle> port_cycle(const Network& network) {
  if (network.degree() == 0 || network::has_copies(network)) return std::nullopt;
  if (const auto axes = torus_axes(network)) {
    const bool equal = std::ranges::all_of(
        *axes, [&](const network::TorusAxis& axis) { return axis.extent == axes->front().extent; });
    return equal ? std::optional(signed_shift(network, *axes)) : std::nullopt;
  }
  const auto moduli = network.group().moduli();
  if (std::count(moduli.begin(), moduli.end(), network.order()) == 0) return std::nullopt;
  return multiplication(network);
}

}  // namespace isotrope::algorithm
