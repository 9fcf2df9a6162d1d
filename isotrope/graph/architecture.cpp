// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/graph/architecture.hpp"

#include <cstdint>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"
#include "isotrope/base/spelling.hpp"

#include "isotrope/network/cayley.hpp"
#include "isotrope/network/complete.hpp"
#include "isotrope/network/parse.hpp"

namespace isotrope::graph {
namespace {

constexpr std::uint64_t most_levels = 10;
constexpr std::uint64_t most_nodes = 1023;

std::uint64_t number(std::string_view text, std::string_view name, std::uint64_t least, std::uint64_t most,
                     std::string_view what) {
  const auto value = whole_number(text);
  if (value && *value >= least && *value <= most) return *value;
  throw Error(fmt::format("{}: {} is a whole number from {} to {}, not '{}'", name, what, least, most, text));
}

// All links but those for which `has(node, neighbour)` says yes.
template <class Has>
network::Failures without(const Network& network, Has&& has) {
  network::Failures missing;
  for (Node node = 0; node < network.order(); ++node) {
    for (Port port = 0; port < network.degree(); ++port) {
      const Node neighbour = network.neighbour(node, port);
      if (node < neighbour && !has(node, neighbour)) missing.links.push_back({node, port});
    }
  }
  return missing;
}

Architecture binary_tree(std::string_view name, std::string_view levels) {
  const std::uint64_t k = number(levels, name, 2, most_levels, "the number of levels");
  Network all = network::complete((std::uint32_t{1} << k) - 1);
  network::Failures missing = without(all, [](Node above, Node below) { return (below - 1) / 2 == above; });
  return {std::string(name), std::move(all), std::move(missing)};
}

Architecture star(std::string_view name, std::string_view nodes) {
  Network all =
      network::complete(static_cast<Node>(number(nodes, name, 3, most_nodes, "the number of nodes")));
  network::Failures missing = without(all, [](Node first, Node) { return first == 0; });
  return {std::string(name), std::move(all), std::move(missing)};
}

Architecture chordal_ring(std::string_view name, std::string_view nodes, std::string_view chord) {
  const auto p = static_cast<Node>(number(nodes, name, 6, network::largest_order, "the number of nodes"));
  const auto w = static_cast<Node>(number(chord, name, 3, p / 2, "the chord"));
  if (p % 2 != 0 || w % 2 == 0) {
    throw Error(fmt::format(
        "{}: a chordal ring joins even nodes to odd ones, so its nodes are even in number and the "
        "chord is odd; write, for example, chordal-ring:128:15",
        name));
  }
  Network ring = network::circulant(p, std::vector<network::Coordinate>{1, w});
  network::Failures missing = without(ring, [&](Node a, Node b) {
    const Node even = a % 2 == 0 ? a : b, odd = a % 2 == 0 ? b : a;
    return b - a == 1 || b - a == p - 1 || (even + w) % p == odd;
  });
  return {std::string(name), std::move(ring), std::move(missing)};
}

}  // namespace

Architecture parse_architecture(std::string_view name) {
  const std::vector<std::string_view> fields = split(name, ':');
  if (fields[0] == "binary-tree" && fields.size() == 2) return binary_tree(name, fields[1]);
  if (fields[0] == "star" && fields.size() == 2) return star(name, fields[1]);
  if (fields[0] == "chordal-ring" && fields.size() == 3) return chordal_ring(name, fields[1], fields[2]);
  for (const auto& [family, form] : {std::pair("binary-tree", "binary-tree:K"), std::pair("star", "star:P"),
                                     std::pair("chordal-ring", "chordal-ring:P:W")}) {
    if (fields[0] == family) throw Error(fmt::format("'{}': write {}", name, form));
  }
  auto [network, lacks] = network::parse_named(name);
  return {std::string(name), std::move(network), std::move(lacks)};
}

}  // namespace isotrope::graph
