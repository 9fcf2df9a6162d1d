// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/exports/simgrid_platform.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <span>
#include <vector>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"

#include "isotrope/network/shortest_routes.hpp"

#include "isotrope/exports/evened_routes.hpp"

namespace isotrope::exports {

using network::Network;
using network::Node;
using network::Port;
using network::SurvivingNetwork;

namespace {

void require_few_hops(const Network& network, std::uint64_t hops) {
  if (hops <= most_route_hops) return;
  throw Error(
      fmt::format("a platform of {}: its routes have {} hops together, and at most {} are written; take "
                  "a smaller network, as hypercube:10 or torus:32x32",
                  network.name(), hops, most_route_hops));
}

void require_possible(const SimgridLinks& links) {
  if (!(links.bytes_per_second > 0) || !std::isfinite(links.bytes_per_second))
    throw Error(fmt::format("links of {} bytes per second: give a number above 0", links.bytes_per_second));
  if (!(links.latency_s >= 0) || !std::isfinite(links.latency_s))
    throw Error(fmt::format("a latency of {} s: give 0 or more", links.latency_s));
}

class PlatformWriter {
 public:
  PlatformWriter()
      : text_(
            "<?xml version='1.0'?>\n"
            "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
            "<platform version=\"4.1\">\n"
            "<zone id=\"network\" routing=\"Full\">\n") {}

  void add_host(Node node) { fmt::format_to(end(), "<host id=\"n{}\" speed=\"1Gf\"/>\n", node); }
  /// One link to each of `neighbours`, as fast as all ports that lead there together.
  void add_links(Node from, const std::vector<Node>& neighbours, const SimgridLinks& links) {
    for (auto to = neighbours.begin(); to != neighbours.end(); ++to) {
      if (std::find(neighbours.begin(), to, *to) != to) continue;
      const auto rate = static_cast<double>(std::count(to, neighbours.end(), *to));
      fmt::format_to(end(), "<link id=\"l{}_{}\" bandwidth=\"{}Bps\" latency=\"{}s\"/>\n", from, *to,
                     rate * links.bytes_per_second, links.latency_s);
    }
  }
  void add_route(const Network& network, Node from, Node to, std::span<const Port> ports) {
    fmt::format_to(end(), "<route src=\"n{}\" dst=\"n{}\" symmetrical=\"NO\">", from, to);
    Node node = from;
    for (const Port port : ports) {
      const Node next = network.neighbour(node, port);
      fmt::format_to(end(), "<link_ctn id=\"l{}_{}\"/>", node, next);
      node = next;
    }
    text_ += "</route>\n";
  }
  std::string finished() { return std::move(text_) + "</zone>\n</platform>\n"; }

 private:
  std::back_insert_iterator<std::string> end() { return std::back_inserter(text_); }

  std::string text_;
};

std::uint64_t distance_sum(const SurvivingNetwork& network) {
  std::uint64_t result = 0;
  for (const Node from : network.nodes()) {
    const std::vector<std::uint32_t> distances = network.distances(from);
    for (const Node to : network.nodes()) result += distances[to];
  }
  return result;
}

}  // namespace

std::string simgrid_platform(const Network& network, const SimgridLinks& links) {
  require_few_hops(network, network.distance_sum() * network.order());
  require_possible(links);
  PlatformWriter platform;
  for (Node node = 0; node < network.order(); ++node) platform.add_host(node);
  for (Node node = 0; node < network.order(); ++node) {
    std::vector<Node> neighbours;
    for (Port port = 0; port < network.degree(); ++port) neighbours.push_back(network.neighbour(node, port));
    platform.add_links(node, neighbours, links);
  }
  const EvenedRoutes routes(network);
  for (Node from = 0; from < network.order(); ++from) {
    for (Node offset = 1; offset < network.order(); ++offset)
      platform.add_route(network, from, network.group().add(from, offset), routes.route(from, offset));
  }
  return platform.finished();
}

std::string simgrid_platform(const SurvivingNetwork& network, const SimgridLinks& links) {
  if (network.failures().empty()) return simgrid_platform(network.whole(), links);
  if (!network.cut_off(network.nodes().front()).empty())
    throw Error(
        fmt::format("a platform of {}: not all of its nodes can reach each other", network.whole().name()));
  require_few_hops(network.whole(), distance_sum(network));
  require_possible(links);
  PlatformWriter platform;
  for (const Node node : network.nodes()) platform.add_host(node);
  for (const Node node : network.nodes()) {
    std::vector<Node> neighbours;
    network.for_each_neighbour(node, [&](Port, Node neighbour) { neighbours.push_back(neighbour); });
    platform.add_links(node, neighbours, links);
  }
  for (const Node from : network.nodes()) {
    for (const Node to : network.nodes()) {
      if (from != to) platform.add_route(network.whole(), from, to, *shortest_route(network, from, to));
    }
  }
  return platform.finished();
}

}  // namespace isotrope::exports
