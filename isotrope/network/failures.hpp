// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// What a network lacks of its Cayley graph: nodes that have failed, with all their links; links that have failed, in both
// directions; the links that would close its open axes; and all links but its edges, if these are listed.
//
//     line:4          ring:4 with axis 0 open: without the link between nodes 3 and 0
//     line:4xring:8   torus:4x8 with axis 0 open: without the links between rows 3 and 0
//     a star          complete:4 with the edges 0-1, 0-2, 0-3
//
// An axis is a coordinate of the group. It can be open if its modulus is 3 or more and every generator adds 0, 1 or -1 to
// it; the missing links are those that would lead from the last coordinate to 0.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "isotrope/network/network.hpp"

namespace isotrope::network {

/// A directed link by its sender; a failed link fails both ways.
struct Link {
  Node node;
  Port port;

  bool operator==(const Link&) const = default;
};

/// A link by its two nodes, the lower one first.
struct Edge {
  Node low = 0;
  Node high = 0;

  auto operator<=>(const Edge&) const = default;
};

/// Times of the links between two nodes, which all links side by side have. Those that are left out are the machine's.
struct EdgeTimes {
  Edge edge;
  std::optional<double> startup_s = {};    ///< seconds per message, its latency
  std::optional<double> byte_time_s = {};  ///< seconds per byte over each of the links

  bool operator==(const EdgeTimes&) const = default;
};

struct Failures {
  Failures() = default;
  Failures(std::vector<Node> failed_nodes, std::vector<Link> failed_links,
           std::vector<std::uint32_t> open = {})
      : nodes(std::move(failed_nodes)), links(std::move(failed_links)), open_axes(std::move(open)) {}

  std::vector<Node> nodes;
  std::vector<Link> links;
  std::vector<std::uint32_t> open_axes;  ///< ascending
  /// The only links, ascending; if empty, the network has all of its links. Edge i of r alike is copy i of r links side by
  /// side, in port order.
  std::vector<Edge> edges;
  /// The links that have times of their own, ascending. Nothing is missing if links have: no plan depends on them, and
  /// plan files do not hold them.
  std::vector<EdgeTimes> edge_times;

  bool empty() const { return nodes.empty() && links.empty() && open_axes.empty() && edges.empty(); }
  /// Whether nodes or links have failed.
  bool any_failed() const { return !nodes.empty() || !links.empty(); }
  /// Whether nothing is missing but the links that would close axes.
  bool only_open_axes() const { return !any_failed() && edges.empty(); }
  /// The same network before anything failed.
  Failures before() const {
    Failures result({}, {}, open_axes);
    result.edges = edges;
    result.edge_times = edge_times;
    return result;
  }
  bool operator==(const Failures&) const = default;
};

/// The links that would close the open axes, each once, by the node with the last coordinate.
/// @throws Error if an axis does not exist or cannot be open.
std::vector<Link> closing_links(const Network& network, const std::vector<std::uint32_t>& open_axes);

/// The edges as links of their lower nodes, in the same order.
/// @throws Error unless the edges are ascending and links of the network, given at most as often as there are links side by
/// side.
std::vector<Link> links_of(const Network& network, const std::vector<Edge>& edges);

/// Failed nodes in words: "5,12".
/// @throws Error unless they are different nodes of the network, separated by commas.
std::vector<Node> parse_failed_nodes(std::string_view text, const Network& network);

/// Failed links in words, each by its two nodes or by a node and its port: "3-4,7:0". Two nodes name all links side by side
/// between them, a port one of them. `lacks` are the open axes and edges of the network.
/// @throws Error unless they are links of the network, separated by commas.
std::vector<Link> parse_failed_links(std::string_view text, const Network& network,
                                     const Failures& lacks = {});

}  // namespace isotrope::network
