// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// isotrope draw: a picture of a network, of a route on it, or of a plan, all rounds together or one.
#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"
#include "isotrope/base/spelling.hpp"

#include "isotrope/network/losses.hpp"
#include "isotrope/network/shortest_routes.hpp"

#include "isotrope/io/network_picture.hpp"
#include "isotrope/io/plan_picture.hpp"

#include "app/animate.hpp"
#include "app/commands.hpp"
#include "app/describe.hpp"
#include "app/output.hpp"
#include "app/subject.hpp"

namespace isotrope::app {
namespace {

using io::NetworkPicture;
using network::Failures;
using network::Network;
using network::Node;
using network::Port;
using schedule::Plan;

constexpr const char* node_colour = "#333333";
constexpr const char* route_colour = "#0072B2";

Node route_end(const DrawOptions& options, std::string_view text, const Network& network) {
  const std::optional<std::uint64_t> number = whole_number(text);
  if (number && *number < network.order()) return static_cast<Node>(*number);
  throw Error(fmt::format("--route {}: '{}' is no node of {}, whose nodes are 0..{}", options.route, text,
                          network.name(), network.order() - 1));
}

// Around failures, if there are any.
std::vector<Port> route_between(const Network& network, const Failures& failed, Node from, Node to) {
  if (failed.empty()) return shortest_route(network, from, to);
  if (auto route = shortest_route(network::SurvivingNetwork(network, failed), from, to)) return *route;
  throw Error(fmt::format("--route {0}:{1}: the failures leave no route from {0} to {1}", from, to));
}

NetworkPicture route_picture(const DrawOptions& options, const Network& network, const Failures& failed) {
  const std::vector<std::string_view> ends = split(options.route, ':');
  if (ends.size() != 2) {
    throw Error(fmt::format("--route {}: give two nodes as FROM:TO, such as --route 0:1", options.route));
  }
  Node at = route_end(options, ends[0], network);
  const Node to = route_end(options, ends[1], network);
  NetworkPicture picture;
  picture.nodes = {{at, node_colour}, {to, node_colour}};
  const std::vector<Port> route = route_between(network, failed, at, to);
  picture.title = fmt::format("Shortest route from {} to {} on {}: {}", at, to, network.name(),
                              counted(route.size(), "hop"));
  picture.note = "Labels count the hops. Every hop goes over the lowest port that leads closer.";
  for (std::size_t hop = 0; hop < route.size(); ++hop) {
    picture.links.push_back({{at, route[hop]}, route_colour, fmt::format("{}", hop + 1)});
    at = network.neighbour(at, route[hop]);
  }
  return picture;
}

NetworkPicture plan_picture(const DrawOptions& options, const Subject& subject) {
  const Plan& plan = subject.plan;
  if (options.animate) {
    NetworkPicture picture = motion_picture(subject);
    picture.coordinates = chosen_coordinates(options);
    return picture;
  }
  std::string title = headline(subject);
  title.pop_back();  // the end of the line
  NetworkPicture picture = io::picture_of(plan, std::move(title), options.round);
  picture.coordinates = chosen_coordinates(options);
  return picture;
}

std::string network_picture(const DrawOptions& options) {
  const network::NamedNetwork named = chosen_named_network(options);
  const Network& network = named.network;
  if (options.round) {
    throw Error(
        fmt::format("--round {} without a plan: give a plan file or --collective NAME", *options.round));
  }
  const Failures failed = chosen_failures(options, named);
  NetworkPicture picture;
  picture.title = network.name() + network::losses(network, failed);
  if (!options.route.empty()) picture = route_picture(options, network, failed);
  picture.failed = failed;
  picture.coordinates = chosen_coordinates(options);
  return draw_network(network, picture);
}

void refuse_contradictions(const DrawOptions& options, bool has_plan) {
  if (options.animate && !has_plan)
    throw Error("--animate without a plan: give a plan file or --collective NAME");
  if (options.animate && options.round)
    throw Error(fmt::format("--animate shows all rounds; leave out --round {}", *options.round));
  if (!options.output.empty() && !options.output.ends_with(".svg"))
    throw Error(fmt::format("-o {}: pictures are SVG; give a name that ends in .svg", options.output));
  if (has_plan && !options.route.empty())
    throw Error(fmt::format("--route {} beside a plan: give one of the two", options.route));
}

}  // namespace

int draw_command(const DrawOptions& options) {
  const bool from_file = names_a_plan_file(options), has_plan = from_file || !options.collective.empty();
  refuse_contradictions(options, has_plan);
  if (!has_plan) {
    print_or_write(options, network_picture(options));
    return 0;
  }
  if (!from_file) {
    const network::NamedNetwork named = chosen_named_network(options);
    io::check_pictured(named.network, named.lacks);
  }
  const Subject subject = chosen_plan(options);
  print_or_write(options, draw_network(hop_network(subject.plan), plan_picture(options, subject)));
  return 0;
}

}  // namespace isotrope::app
