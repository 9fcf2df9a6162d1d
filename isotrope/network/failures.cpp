// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/network/failures.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"
#include "isotrope/base/spelling.hpp"

#include "isotrope/network/port_index.hpp"
#include "isotrope/network/surviving_network.hpp"

namespace isotrope::network {
namespace {

Node parse_node(std::string_view text, std::string_view item, const Network& network) {
  const std::optional<std::uint64_t> number = whole_number(text);
  if (number && *number < network.order()) return static_cast<Node>(*number);
  throw Error(fmt::format("failed {}: '{}' is no node of {}, whose nodes are 0..{}", item, text,
                          network.name(), network.order() - 1));
}

Link link_by_port(std::string_view node, std::string_view port, std::string_view item,
                  const Network& network) {
  if (network.degree() == 0)
    throw Error(fmt::format("failed link {}: {} has one node and no links: leave the link out", item,
                            network.name()));
  const std::optional<std::uint64_t> number = whole_number(port);
  if (!number || *number >= network.degree())
    throw Error(fmt::format("failed link {}: '{}' is no port of {}, whose ports are 0..{}", item, port,
                            network.name(), network.degree() - 1));
  return {parse_node(node, fmt::format("link {}", item), network), static_cast<Port>(*number)};
}

// All links side by side between two nodes: a cable that fails takes its whole rate along.
std::vector<Link> links_by_ends(std::string_view from, std::string_view to, std::string_view item,
                                const Network& network) {
  const std::string what = fmt::format("link {}", item);
  const Node a = parse_node(from, what, network), b = parse_node(to, what, network);
  std::vector<Link> result;
  for (Port port = 0; port < network.degree(); ++port) {
    if (network.neighbour(a, port) == b) result.push_back({a, port});
  }
  return result;
}

// The links of the network before anything failed that `item` names, at least one.
std::vector<Link> parse_links(std::string_view item, const SurvivingNetwork& before) {
  const Network& network = before.whole();
  for (const char separator : {'-', ':'}) {
    const std::vector<std::string_view> ends = split(item, separator);
    if (ends.size() != 2) continue;
    std::vector<Link> links = separator == '-' ? links_by_ends(ends[0], ends[1], item, network)
                                               : std::vector{link_by_port(ends[0], ends[1], item, network)};
    std::erase_if(links, [&](const Link& link) { return !before.carries(link.node, link.port); });
    if (!links.empty()) return links;
    throw Error(fmt::format(
        "failed link {0}: {1}; `isotrope network {2} --node {3}` shows who is", item,
        separator == '-'
            ? fmt::format("nodes {} and {} of {} are not neighbours", ends[0], ends[1], network.name())
            : fmt::format("over port {} node {} of {} has no neighbour", ends[1], ends[0], network.name()),
        network.name(), ends[0]));
  }
  throw Error(fmt::format(
      "failed link '{}': name it by its two nodes, as 3-4, or by a node and its port, as 3:0", item));
}

// The ports that add 1 to the axis.
std::vector<Port> ports_up(const Network& network, std::uint32_t axis) {
  const Group& group = network.group();
  const auto refuse = [&](std::string_view why) {
    throw Error(fmt::format("open axis {} of {}: {}", axis, network.name(), why));
  };
  if (axis >= group.rank()) refuse(fmt::format("its axes are 0..{}", group.rank() - 1));
  const Coordinate last = group.moduli()[axis] - 1;
  if (last < 2) refuse("its extent is below 3, so no link closes it");
  std::vector<Port> result;
  for (Port port = 0; port < network.degree(); ++port) {
    const Coordinate step = group.coordinate(network.generators()[port], axis);
    if (step > 1 && step != last) refuse("a link leads more than one step along it");
    if (step == 1) result.push_back(port);
  }
  return result;
}

}  // namespace

std::vector<Link> closing_links(const Network& network, const std::vector<std::uint32_t>& open_axes) {
  std::vector<Link> result;
  for (const std::uint32_t axis : open_axes) {
    const std::vector<Port> ports = ports_up(network, axis);
    const Coordinate last = network.group().moduli()[axis] - 1;
    for (Node node = 0; node < network.order(); ++node) {
      if (network.group().coordinate(node, axis) != last) continue;
      for (const Port port : ports) result.push_back({node, port});
    }
  }
  return result;
}

std::vector<Link> links_of(const Network& network, const std::vector<Edge>& edges) {
  const PortIndex index(network.generators());
  std::vector<Link> result;
  std::size_t copy = 0;
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const Edge edge = edges[i];
    const auto refuse = [edge](std::string_view why) {
      throw Error(fmt::format("edge {}-{}: {}", edge.low, edge.high, why));
    };
    if (edge.high >= network.order())
      refuse(fmt::format("the nodes of {} are 0..{}", network.name(), network.order() - 1));
    if (edge.low >= edge.high) refuse("give the lower node first");
    if (i > 0 && edges[i - 1] > edges[i]) refuse("give edges in ascending order");
    copy = i > 0 && edges[i - 1] == edges[i] ? copy + 1 : 0;
    const auto copies = index.ports_of(network.group().subtract(edge.high, edge.low));
    if (copies.empty()) refuse(fmt::format("no link of {}", network.name()));
    if (copy >= copies.size())
      refuse(
          fmt::format("given more often than {} has links side by side, {}", network.name(), copies.size()));
    result.push_back({edge.low, copies[copy]});
  }
  return result;
}

std::vector<Node> parse_failed_nodes(std::string_view text, const Network& network) {
  std::vector<Node> result;
  std::vector<bool> is_named(network.order(), false);
  for (std::string_view item : split(text, ',')) {
    const Node node = parse_node(item, "nodes", network);
    if (is_named[node]) throw Error(fmt::format("failed nodes: {} is named twice; name it once", node));
    is_named[node] = true;
    result.push_back(node);
  }
  return result;
}

std::vector<Link> parse_failed_links(std::string_view text, const Network& network, const Failures& lacks) {
  const SurvivingNetwork before(network, lacks);
  std::vector<Link> result;
  for (std::string_view item : split(text, ',')) {
    for (const Link link : parse_links(item, before)) {
      const Link back{network.neighbour(link.node, link.port), network.opposite(link.port)};
      if (std::find_if(result.begin(), result.end(),
                       [&](const Link& known) { return known == link || known == back; }) != result.end()) {
        throw Error(
            fmt::format("failed links: {} is named twice; name it once, it fails in both directions", item));
      }
      result.push_back(link);
    }
  }
  return result;
}

}  // namespace isotrope::network
