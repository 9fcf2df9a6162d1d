// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/exports/simgrid_platform.hpp"

#include <cmath>
#include <iterator>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"

#include "isotrope/exports/evened_routes.hpp"

namespace isotrope::exports {

using network::Network;
using network::Node;
using network::Port;

std::string simgrid_platform(const Network& network, const SimgridLinks& links) {
  const std::uint64_t hops = network.distance_sum() * network.order();
  if (hops > most_route_hops) {
    throw Error(
        fmt::format("a platform of {}: its routes have {} hops together, and at most {} are written; take "
                    "a smaller network, as hypercube:10 or torus:32x32",
                    network.name(), hops, most_route_hops));
  }
  if (!(links.bytes_per_second > 0) || !std::isfinite(links.bytes_per_second))
    throw Error(fmt::format("links of {} bytes per second: give a number above 0", links.bytes_per_second));
  if (!(links.latency_s >= 0) || !std::isfinite(links.latency_s))
    throw Error(fmt::format("a latency of {} s: give 0 or more", links.latency_s));
  std::string text =
      "<?xml version='1.0'?>\n"
      "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
      "<platform version=\"4.1\">\n"
      "<zone id=\"network\" routing=\"Full\">\n";
  const auto end = std::back_inserter(text);
  for (Node node = 0; node < network.order(); ++node)
    fmt::format_to(end, "<host id=\"n{}\" speed=\"1Gf\"/>\n", node);
  for (Node node = 0; node < network.order(); ++node) {
    for (Port port = 0; port < network.degree(); ++port) {
      fmt::format_to(end, "<link id=\"l{}_{}\" bandwidth=\"{}Bps\" latency=\"{}s\"/>\n", node,
                     network.neighbour(node, port), links.bytes_per_second, links.latency_s);
    }
  }
  const EvenedRoutes routes(network);
  for (Node from = 0; from < network.order(); ++from) {
    for (Node offset = 1; offset < network.order(); ++offset) {
      fmt::format_to(end, "<route src=\"n{}\" dst=\"n{}\" symmetrical=\"NO\">", from,
                     network.group().add(from, offset));
      Node node = from;
      for (const Port port : routes.route(from, offset)) {
        const Node next = network.neighbour(node, port);
        fmt::format_to(end, "<link_ctn id=\"l{}_{}\"/>", node, next);
        node = next;
      }
      text += "</route>\n";
    }
  }
  text += "</zone>\n</platform>\n";
  return text;
}

}  // namespace isotrope::exports
