// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The failures of a network: nodes, with all their links, and links, in both directions.
#pragma once

#include <string_view>
#include <vector>

#include "isotrope/network/network.hpp"

namespace isotrope::network {

/// A directed link by its sender; a failed link fails both ways.
struct Link {
  Node node;
  Port port;

  bool operator==(const Link&) const = default;
};

struct Failures {
  std::vector<Node> nodes;
  std::vector<Link> links;

  bool empty() const { return nodes.empty() && links.empty(); }
  bool operator==(const Failures&) const = default;
};

/// Failed nodes in words: "5,12".
/// @throws Error unless they are different nodes of the network, separated by commas.
std::vector<Node> parse_failed_nodes(std::string_view text, const Network& network);

/// Failed links in words, each by its two nodes or by a node and its port: "3-4,7:0".
/// @throws Error unless they are links of the network, separated by commas.
std::vector<Link> parse_failed_links(std::string_view text, const Network& network);

}  // namespace isotrope::network
