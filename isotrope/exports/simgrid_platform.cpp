// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/exports/simgrid_platform.hpp"

#include <cmath>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"

#include "isotrope/exports/evened_routes.hpp"

namespace isotrope::exports {
namespace {

using network::Network;
using network::Node;
using network::Port;

void require_reasonable(const Network& network, const SimgridLinks& links) {
  const std::uint64_t hops = network.distance_sum() * network.order();
  if (hops > most_route_hops) {
    throw Error(
        fmt::format("a platform of {}: its routes have {} hops together, and at most {} are written; take "
                    "a smaller network, as hypercube:10 or torus:32x32",
                    network.name(), hops, most_route_hops));
  }
  if (!(links.bytes_per_second > 0) || !std::isfinite(links.bytes_per_second))
    throw Error(fmt::format("links of {} bytes a second: give a number above 0", links.bytes_per_second));
  if (!(links.latency_s >= 0) || !std::isfinite(links.latency_s))
    throw Error(fmt::format("a latency of {} s: give 0 or more", links.latency_s));
}

class Platform {
 public:
  Platform(const Network& network, const SimgridLinks& links) : network_(network) {
    write(
        "<?xml version='1.0'?>\n"
        "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
        "<platform version=\"4.1\">\n"
        "<zone id=\"network\" routing=\"Full\">\n");
    add_hosts();
    add_links(links);
    add_routes();
    write("</zone>\n</platform>\n");
  }

  std::string take() { return std::move(text_); }

 private:
  template <class... Values>
  void write(fmt::format_string<Values...> form, Values&&... values) {
    fmt::format_to(std::back_inserter(text_), form, std::forward<Values>(values)...);
  }

  void add_hosts() {
    for (Node node = 0; node < network_.order(); ++node) write("<host id=\"n{}\" speed=\"1Gf\"/>\n", node);
  }

  void add_links(const SimgridLinks& links) {
    for (Node node = 0; node < network_.order(); ++node) {
      for (Port port = 0; port < network_.degree(); ++port) {
        write("<link id=\"l{}_{}\" bandwidth=\"{}Bps\" latency=\"{}s\"/>\n", node,
              network_.neighbour(node, port), links.bytes_per_second, links.latency_s);
      }
    }
  }

  void add_routes() {
    const EvenedRoutes routes(network_);
    for (Node from = 0; from < network_.order(); ++from) {
      for (Node offset = 1; offset < network_.order(); ++offset)
        add_route(from, network_.group().add(from, offset), routes.route(from, offset));
    }
  }

  void add_route(Node from, Node to, const Route& route) {
    write("<route src=\"n{}\" dst=\"n{}\" symmetrical=\"NO\">", from, to);
    for (const Port port : route) {
      const Node next = network_.neighbour(from, port);
      write("<link_ctn id=\"l{}_{}\"/>", from, next);
      from = next;
    }
    write("</route>\n");
  }

  const Network& network_;
  std::string text_;
};

}  // namespace

std::string simgrid_platform(const Network& network, const SimgridLinks& links) {
  require_reasonable(network, links);
  return Platform(network, links).take();
}

}  // namespace isotrope::exports
