// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/exports/simgrid_platform.hpp"

#include <iterator>
#include <map>
#include <span>
#include <vector>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"

#include "isotrope/network/routes_left.hpp"

#include "isotrope/cost/node_places.hpp"

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

class PlatformWriter {
 public:
  PlatformWriter()
      : text_(
            "<?xml version='1.0'?>\n"
            "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
            "<platform version=\"4.1\">\n"
            "<zone id=\"network\" routing=\"Full\">\n") {}

  void add_host(Node node) { fmt::format_to(end(), "<host id=\"n{}\" speed=\"1Gf\"/>\n", node); }
  void add_link(Node from, Node to, double latency_s, double bytes_per_second) {
    fmt::format_to(end(), "<link id=\"l{}_{}\" bandwidth=\"{:.12g}Bps\" latency=\"{}s\"/>\n", from, to,
                   bytes_per_second, latency_s);
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

// One link from every node to each of its neighbours: what leads there side by side.
void add_links(PlatformWriter& platform, const SurvivingNetwork& network, const cost::Machine& machine) {
  const cost::LinkTimes times(network.whole(), network.failures(), cost::with_even_shares(machine));
  for (const Node from : network.nodes()) {
    std::map<Node, std::vector<Port>> ports;  // by neighbour
    std::vector<Node> neighbours;             // in port order
    network.for_each_neighbour(from, [&](Port port, Node to) {
      if (!ports.contains(to)) neighbours.push_back(to);
      ports[to].push_back(port);
    });
    for (const Node to : neighbours) {
      double bandwidth = 0;
      for (const Port port : ports[to]) bandwidth += bandwidth_of(times.all()[times.of(from, port)]);
      platform.add_link(from, to, times.all()[times.of(from, ports[to].front())].startup_s, bandwidth);
    }
  }
}

void add_evened_routes(PlatformWriter& platform, const Network& network) {
  const EvenedRoutes routes(network);
  for (Node from = 0; from < network.order(); ++from) {
    for (Node offset = 1; offset < network.order(); ++offset)
      platform.add_route(network, from, network.group().add(from, offset), routes.route(from, offset));
  }
}

void add_routes_left(PlatformWriter& platform, const SurvivingNetwork& network) {
  network::RoutesLeft routes(network);
  std::vector<Port> route;
  for (const Node from : network.nodes()) {
    for (const Node to : network.nodes()) {
      if (from == to) continue;
      routes.find(from, to, route);
      platform.add_route(network.whole(), from, to, route);
    }
  }
}

}  // namespace

double bandwidth_of(const cost::LinkTime& link) {
  if (!(link.byte_time_s > 0))
    throw Error(
        "a link without a time per byte has no bandwidth: give the machine a byte_time_s above 0, such as "
        "1e-9");
  return 1 / link.byte_time_s;
}

std::string simgrid_platform(const Network& network, const cost::Machine& machine) {
  return simgrid_platform(SurvivingNetwork(network, {}), machine);
}

std::string simgrid_platform(const SurvivingNetwork& network, const cost::Machine& machine) {
  const bool is_whole = network.failures().empty();
  if (!is_whole && !network.cut_off(network.nodes().front()).empty())
    throw Error(
        fmt::format("a platform of {}: not all of its nodes can reach each other", network.whole().name()));
  require_few_hops(network.whole(), is_whole ? network.whole().distance_sum() * network.whole().order()
                                             : distance_sum(network));
  PlatformWriter platform;
  for (const Node node : network.nodes()) platform.add_host(node);
  add_links(platform, network, machine);
  if (is_whole) {
    add_evened_routes(platform, network.whole());
  } else {
    add_routes_left(platform, network);
  }
  return platform.finished();
}

}  // namespace isotrope::exports
