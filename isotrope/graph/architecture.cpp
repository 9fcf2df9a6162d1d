// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/graph/architecture.hpp"

#include <algorithm>
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

// All links but these.
network::Failures all_but(std::vector<network::Edge> edges) {
  std::ranges::sort(edges);
  network::Failures missing;
  missing.edges = std::move(edges);
  return missing;
}

Architecture binary_tree(std::string_view name, std::string_view levels) {
  const std::uint64_t k = number(levels, name, 2, most_levels, "the number of levels");
  const Node order = (Node{1} << k) - 1;
  std::vector<network::Edge> edges;
  for (Node below = 1; below < order; ++below) edges.push_back({(below - 1) / 2, below});
  return {std::string(name), network::complete(order), all_but(std::move(edges))};
}

Architecture star(std::string_view name, std::string_view nodes) {
  const auto order = static_cast<Node>(number(nodes, name, 3, most_nodes, "the number of nodes"));
  std::vector<network::Edge> edges;
  for (Node node = 1; node < order; ++node) edges.push_back({0, node});
  return {std::string(name), network::complete(order), all_but(std::move(edges))};
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
  std::vector<network::Edge> edges;
  for (Node node = 0; node < p; ++node) {
    for (const Node step : {Node{1}, w}) {
      const Node to = (node + step) % p;
      if (step == 1 || node % 2 == 0) edges.push_back({std::min(node, to), std::max(node, to)});
    }
  }
  return {std::string(name), std::move(ring), all_but(std::move(edges))};
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
