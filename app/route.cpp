// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// isotrope route: a shortest route between two nodes, around failures if there are any, and what all shortest
// routes have in common.
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "isotrope/base/error.hpp"

#include "isotrope/network/hexmesh_route.hpp"
#include "isotrope/network/shortest_routes.hpp"
#include "isotrope/network/surviving_network.hpp"
#include "isotrope/network/torus_axes.hpp"

#include "app/commands.hpp"
#include "app/describe.hpp"
#include "app/output.hpp"
#include "app/subject.hpp"
#include "app/values.hpp"

namespace isotrope::app {
namespace {

using network::Network;
using network::Node;
using network::Port;

// A route with its ends.
struct Route {
  Network network;
  Node from;
  Node to;
  std::vector<Port> ports;

  std::uint64_t distance() const { return ports.size(); }
};

// The first and the last of many, separated by blanks.
std::string shortened(const std::vector<std::uint32_t>& numbers) {
  constexpr std::size_t most = 24, shown = 10;
  if (numbers.size() <= most) return fmt::format("{}", fmt::join(numbers, " "));
  return fmt::format("{} ... {} ({} in all)", fmt::join(numbers.begin(), numbers.begin() + shown, " "),
                     fmt::join(numbers.end() - shown, numbers.end(), " "), numbers.size());
}

// The first digits of a long number.
std::string shortened_number(const std::string& digits) {
  constexpr std::size_t most = 48, shown = 12;
  if (digits.size() <= most) return digits;
  return fmt::format("{}... ({} digits)", digits.substr(0, shown), digits.size());
}

std::string path_in_words(const Route& route) {
  return line("nodes", shortened(nodes_along(route.network, route.from, route.ports))) +
         line("ports", route.ports.empty() ? "none" : shortened(route.ports));
}

void add_path(Json& facts, const Route& route) {
  facts["nodes"] = nodes_along(route.network, route.from, route.ports);
  facts["ports"] = route.ports;
}

// The hops that all shortest routes have in common, for every family of networks.

std::string axes_in_words(const Route& route, const std::vector<network::TorusAxis>& axes) {
  const std::vector<std::uint32_t> hops = hops_per_port(route.network, route.ports);
  std::string text;
  for (const network::TorusAxis& axis : axes) {
    const bool ahead = hops[axis.forward] > 0;
    const Port port = ahead ? axis.forward : axis.backward;
    if (hops[port] == 0) continue;
    const bool half_way = axis.extent > 2 && 2 * hops[port] == axis.extent;
    text += line(fmt::format("axis {}", axis.coordinate),
                 fmt::format("{} {} over port {}{}", counted(hops[port], "hop"), ahead ? "ahead" : "back",
                             port, half_way ? ", halfway round: back is equally short" : ""));
  }
  return text;
}

std::string ports_in_words(const Route& route) {
  const std::vector<std::uint32_t> hops = hops_per_port(route.network, route.ports);
  std::string text;
  for (Port port = 0; port < hops.size(); ++port) {
    if (hops[port] > 0) text += line(fmt::format("port {}", port), counted(hops[port], "hop"));
  }
  return text;
}

std::string hops_in_words(const Route& route) {
  if (const auto size = network::hexmesh_size(route.network)) {
    const auto [x, y, z] = network::HexmeshRouting(*size).record(route.from, route.to);
    return line("record", fmt::format("m_x = {}, m_y = {}, m_z = {}", x, y, z));
  }
  if (const auto axes = network::torus_axes(route.network)) return axes_in_words(route, *axes);
  return ports_in_words(route);
}

void add_hops(Json& facts, const Route& route) {
  if (const auto size = network::hexmesh_size(route.network)) {
    const auto [x, y, z] = network::HexmeshRouting(*size).record(route.from, route.to);
    facts["record"] = {{"x", x}, {"y", y}, {"z", z}};
  }
  facts["hops_per_port"] = hops_per_port(route.network, route.ports);
}

Json facts_of(const Network& network, Node from, Node to) {
  return {{"network", network.name()}, {"from", from}, {"to", to}};
}

std::string headline(const Route& route) {
  return fmt::format("{} from {} to {}\n", route.network.name(), route.from, route.to);
}

int show_route(const RouteOptions& options, const Route& route) {
  const std::string paths = count_shortest_routes(route.network, route.from, route.to);
  Json facts = facts_of(route.network, route.from, route.to);
  facts["distance"] = route.distance();
  add_hops(facts, route);
  add_path(facts, route);
  facts["shortest_routes"] = paths;  // a string: the number may exceed every number type
  print_or_write(options, options.json
                              ? answer("route", facts)
                              : headline(route) + line("distance", counted(route.distance(), "hop")) +
                                    hops_in_words(route) + path_in_words(route) +
                                    line("paths", fmt::format("{} of this length", shortened_number(paths))));
  return 0;
}

// Around failures.

int show_disconnected(const RouteOptions& options, const network::SurvivingNetwork& left, Node from,
                      Node to) {
  const std::vector<Node> lost = left.cut_off(from);
  Json facts = facts_of(left.whole(), from, to);
  facts.update({{"reachable", false}, {"disconnected", lost}});
  print_or_write(options,
                 options.json
                     ? answer("route", facts)
                     : fmt::format("{} cannot be reached from {} on {}: disconnected node{} {}\n", to, from,
                                   left.whole().name(), lost.size() == 1 ? "" : "s", shortened(lost)));
  return 1;
}

std::string detour_in_words(const Route& route, std::uint64_t intact) {
  return line("distance", fmt::format("{}, {} without failures", counted(route.distance(), "hop"), intact)) +
         line("detour", counted(route.distance() - intact, "hop"));
}

// `lacks`: failures, and links that an open or listed network never had.
int show_detour(const RouteOptions& options, const Route& route, const network::Failures& lacks) {
  const network::SurvivingNetwork whole(route.network, lacks.before());
  const std::uint64_t intact = shortest_route(whole, route.from, route.to)->size();
  Json facts = facts_of(route.network, route.from, route.to);
  facts.update({{"reachable", true},
                {"distance", route.distance()},
                {"intact_distance", intact},
                {"detour", route.distance() - intact}});
  add_path(facts, route);
  const std::string distance = lacks.any_failed() ? detour_in_words(route, intact)
                                                  : line("distance", counted(route.distance(), "hop"));
  print_or_write(options,
                 options.json ? answer("route", facts) : headline(route) + distance + path_in_words(route));
  return 0;
}

// Two numbers alone are the ends: the network has its option, or is that of the machine file.
RouteOptions with_named_network(RouteOptions options) {
  constexpr std::size_t ends = 2;
  if (options.ends.size() + 1 == ends && (!options.network.empty() || !options.machine.empty()))
    options.ends.insert(options.ends.begin(), std::exchange(options.subject, ""));
  if (options.ends.size() == ends) return options;
  if (options.ends.size() > ends)
    throw Error(
        fmt::format("'{}' is one argument too many for route: give NETWORK FROM TO", options.ends[ends]));
  throw Error(
      "a route has a network and two nodes: give NETWORK FROM TO, as in isotrope route torus:4x4 0 5");
}

Node node_value(const std::string& option, const std::string& text, const Network& network) {
  const std::uint64_t number = whole_value(option, text);
  require_node(option, number, network);
  return static_cast<Node>(number);
}

}  // namespace

int route_command(const RouteOptions& given) {
  const RouteOptions options = with_named_network(given);
  const network::NamedNetwork nodes = chosen_nodes(options);
  const Network& network = nodes.network;
  const Node from = node_value("FROM", options.ends[0], network),
             to = node_value("TO", options.ends[1], network);
  if (nodes.lacks.empty()) return show_route(options, {network, from, to, shortest_route(network, from, to)});
  const network::SurvivingNetwork left(network, nodes.lacks);
  auto ports = shortest_route(left, from, to);
  if (!ports) return show_disconnected(options, left, from, to);
  return show_detour(options, {network, from, to, std::move(*ports)}, nodes.lacks);
}

}  // namespace isotrope::app
