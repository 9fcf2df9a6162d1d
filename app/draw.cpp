// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// isotrope draw: a picture of a network, of a route on it, or of a plan, all rounds together or one.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"
#include "isotrope/base/spelling.hpp"

#include "isotrope/network/shortest_routes.hpp"

#include "isotrope/schedule/packets.hpp"

#include "isotrope/io/network_layout.hpp"
#include "isotrope/io/network_picture.hpp"

#include "app/commands.hpp"
#include "app/describe.hpp"
#include "app/output.hpp"
#include "app/subject.hpp"

namespace isotrope::app {
namespace {

using io::KeyEntry;
using io::NetworkPicture;
using network::Failures;
using network::Network;
using network::Node;
using network::Port;
using schedule::Hop;
using schedule::Plan;
using schedule::Stage;

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

// From blue, early, over green and amber to red, late.
std::string colour_of_round(std::uint64_t round, std::uint64_t rounds) {
  using Rgb = std::array<double, 3>;
  constexpr std::array<Rgb, 4> scale{{{0, 90, 178}, {0, 158, 115}, {230, 159, 0}, {200, 40, 60}}};
  const double share = rounds < 2 ? 0 : static_cast<double>(round) / static_cast<double>(rounds - 1);
  const double at = share * (scale.size() - 1);
  const std::size_t low = std::min<std::size_t>(static_cast<std::size_t>(at), scale.size() - 2);
  Rgb mixed{};
  for (std::size_t i = 0; i < mixed.size(); ++i)
    mixed[i] =
        std::round(scale[low][i] + (at - static_cast<double>(low)) * (scale[low + 1][i] - scale[low][i]));
  return fmt::format("#{:02X}{:02X}{:02X}", static_cast<unsigned>(mixed[0]), static_cast<unsigned>(mixed[1]),
                     static_cast<unsigned>(mixed[2]));
}

// Calls `function(round, hop)` for every hop of the plan; of a replicated stage only for packets of origin 0.
template <class Function>
void for_each_shown_hop(const Plan& plan, Function function) {
  std::uint64_t round = 0;
  for (const Stage& stage : plan.schedule.stages) {
    const bool two_origins = stage.replication.kind == schedule::Replication::Kind::even_axis;
    const schedule::Packets packets(plan.network, plan.task, stage);
    for (std::uint64_t t = 0; t < stage.rounds.size(); ++t, ++round) {
      for (const Hop& hop : stage.rounds.round(t)) {
        if (!two_origins || packets[hop.packet].origin == 0) function(round, hop);
      }
    }
  }
}

bool is_replicated(const Plan& plan) {
  return std::ranges::any_of(plan.schedule.stages, [](const Stage& stage) {
    return stage.replication != schedule::Replication::none();
  });
}

// The node where all packets begin or end.
void add_centre(const Plan& plan, NetworkPicture& picture) {
  const bool rooted = is_rooted(plan.task.collective);
  if (!rooted && !is_replicated(plan)) return;
  const Node node = rooted ? plan.task.root : 0;
  const char* role = rooted ? "root" : (reduces(plan.task.collective) ? "destination" : "origin");
  picture.nodes.push_back({node, node_colour});
  picture.key.push_back({KeyEntry::Sign::node, node_colour, fmt::format("{} {}", role, node)});
}

void add_rounds_to_key(std::uint64_t rounds, NetworkPicture& picture) {
  constexpr std::uint64_t most = 10;
  const std::uint64_t shown = std::min(rounds, most);
  for (std::uint64_t i = 0; i < shown; ++i) {
    const std::uint64_t round = shown < 2 ? 0 : i * (rounds - 1) / (shown - 1);
    picture.key.push_back(
        {KeyEntry::Sign::arrow, colour_of_round(round, rounds), fmt::format("round {}", round)});
  }
}

std::string whose_hops(const Plan& plan) {
  return is_replicated(plan)
             ? "Shown are the packets of origin 0; packets of other origins move alike, translated. "
             : "";
}

// Every link that is used, once, in the colour of the first round.
void add_all_hops(const Plan& plan, NetworkPicture& picture) {
  const std::uint64_t rounds = plan.schedule.round_count();
  std::vector<bool> used(plan.network.directed_links());
  bool again = false;
  for_each_shown_hop(plan, [&](std::uint64_t round, const Hop& hop) {
    const std::uint64_t link = std::uint64_t{hop.from} * plan.network.degree() + hop.port;
    if (!used[link]) {
      picture.links.push_back(
          {{hop.from, hop.port}, colour_of_round(round, rounds), fmt::format("{}", round)});
    }
    again = again || used[link];
    used[link] = true;
  });
  add_rounds_to_key(rounds, picture);
  picture.note = whose_hops(plan) + (again ? "Labels are the first round in which a link is used."
                                           : "Labels are the round of a hop.");
}

void require_round(std::uint64_t round, const Plan& plan) {
  const std::uint64_t rounds = plan.schedule.round_count();
  if (round < rounds) return;
  if (rounds == 0)
    throw Error(fmt::format("--round {}: the plan has no rounds; leave the option out", round));
  throw Error(fmt::format("--round {}: the rounds of the plan are 0..{}", round, rounds - 1));
}

void add_one_round(std::uint64_t wanted, const Plan& plan, NetworkPicture& picture) {
  constexpr std::size_t most_named = 2;
  std::map<std::pair<Node, Port>, std::vector<schedule::PacketId>> carried;
  for_each_shown_hop(plan, [&](std::uint64_t round, const Hop& hop) {
    if (round == wanted) carried[{hop.from, hop.port}].push_back(hop.packet);
  });
  const std::string colour = colour_of_round(wanted, plan.schedule.round_count());
  for (const auto& [link, packets] : carried) {
    const std::string label = packets.size() > most_named ? fmt::format("{} packets", packets.size())
                                                          : fmt::format("{}", fmt::join(packets, ","));
    picture.links.push_back({{link.first, link.second}, colour, label});
  }
  picture.title += fmt::format(": round {}", wanted);
  picture.key.push_back({KeyEntry::Sign::arrow, colour, fmt::format("round {}", wanted)});
  picture.note = whose_hops(plan) + "Labels are the numbers of the packets.";
}

NetworkPicture plan_picture(const DrawOptions& options, const Subject& subject) {
  const Plan& plan = subject.plan;
  NetworkPicture picture;
  picture.title = headline(subject);
  picture.title.pop_back();  // the end of the line
  picture.failed = plan.failed;
  picture.coordinates = chosen_coordinates(options);
  add_centre(plan, picture);
  if (options.round) {
    require_round(*options.round, plan);
    add_one_round(*options.round, plan, picture);
  } else {
    add_all_hops(plan, picture);
  }
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
  picture.title = network.name() + losses(network, failed);
  if (!options.route.empty()) picture = route_picture(options, network, failed);
  picture.failed = failed;
  picture.coordinates = chosen_coordinates(options);
  return draw_network(network, picture);
}

void refuse_contradictions(const DrawOptions& options, bool has_plan) {
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
    io::check_drawable(named.network, named.lacks);
  }
  const Subject subject = chosen_plan(options);
  io::check_drawable(subject.plan.network, subject.plan.failed);
  print_or_write(options, draw_network(subject.plan.network, plan_picture(options, subject)));
  return 0;
}

}  // namespace isotrope::app
