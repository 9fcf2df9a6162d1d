// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/io/scene.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "isotrope/base/error.hpp"

#include "isotrope/schedule/packets.hpp"

#include "isotrope/io/network_layout.hpp"
#include "isotrope/io/solid_layout.hpp"

namespace isotrope::io {
namespace {

using network::Failures;
using network::Link;
using network::Network;
using network::Node;
using network::Port;
using nlohmann::ordered_json;
using schedule::Plan;
using schedule::Stage;

// Every link that the network has, once.
class Links {
 public:
  Links(const Network& network, const Failures& failed)
      : network_(network), absent_(network.directed_links(), !failed.edges.empty()) {
    for (const Link link : network::links_of(network, failed.edges)) mark(link, false);
    for (const Link link : network::closing_links(network, failed.open_axes)) mark(link, true);
  }

  template <class Function>
  void for_each(Function function) const {
    for (Node node = 0; node < network_.order(); ++node) {
      for (Port port = 0; port < network_.degree(); ++port) {
        const Link link{node, port};
        if (!absent_[index(link)] && index(link) <= index(back(link))) function(link, index(link));
      }
    }
  }

 private:
  std::size_t index(Link link) const { return std::size_t{link.node} * network_.degree() + link.port; }
  Link back(Link link) const {
    return {network_.neighbour(link.node, link.port), network_.opposite(link.port)};
  }
  void mark(Link link, bool absent) { absent_[index(link)] = absent_[index(back(link))] = absent; }

  const Network& network_;
  std::vector<bool> absent_;
};

double rounded(double value) {
  constexpr double steps = 10000;
  return std::round(value * steps) / steps;
}

ordered_json in_space(const SolidLayout& layout, const Links& links) {
  std::vector<double> places, bent;
  for (const Place& place : layout.places) {
    for (const double coordinate : place) places.push_back(rounded(coordinate));
  }
  std::size_t number = 0;
  links.for_each([&](Link, std::size_t index) {
    const Course& course = layout.courses[index];
    if (course.kind != Course::Kind::line) {
      bent.push_back(static_cast<double>(number));
      bent.push_back(static_cast<double>(course.kind));
      for (const double coordinate : course.bend) bent.push_back(rounded(coordinate));
    }
    ++number;
  });
  return {{"places", places}, {"bent", bent}};
}

// The picture of `isotrope draw`, a grid step of 70 pixels being 1.
SolidLayout unfolded(const NetworkLayout& layout) {
  constexpr double step = 70;
  SolidLayout result;
  for (const Point at : layout.places) result.places.push_back({at.x / step, -at.y / step, 0});
  for (const auto& stub : layout.stubs) {
    constexpr double length = (node_radius + stub_length) / step;
    result.courses.push_back(stub ? Course{Course::Kind::stub, {length * stub->x, -length * stub->y, 0}}
                                  : Course{});
  }
  return result;
}

std::string_view name_of(schedule::Flow flow) {
  constexpr std::array<std::string_view, 5> names{"copy", "move", "reduce", "exchange", "reduce-then-copy"};
  return names[static_cast<std::size_t>(flow)];
}

std::string_view name_of(schedule::Replication::Kind kind) {
  constexpr std::array<std::string_view, 3> names{"none", "even", "all"};
  return names[static_cast<std::size_t>(kind)];
}

ordered_json stage_of(const Plan& plan, const Stage& stage) {
  const schedule::Packets packets(hop_network(plan), plan.task, stage);
  std::vector<std::int64_t> listed;
  for (schedule::PacketId id = 0; id < packets.size(); ++id) {
    const schedule::Packet packet = packets[id];
    listed.push_back(packet.origin);
    listed.push_back(packet.to == schedule::to_all ? -1 : std::int64_t{packet.to});
    listed.push_back(packet.part);
  }
  ordered_json rounds = ordered_json::array();
  for (std::uint64_t t = 0; t < stage.rounds.size(); ++t) {
    std::vector<std::uint32_t> hops;
    for (const schedule::Hop& hop : stage.rounds.round(t))
      hops.insert(hops.end(), {hop.packet, hop.from, hop.port});
    rounds.push_back(std::move(hops));
  }
  ordered_json sums = ordered_json::array();
  for (const schedule::Sum& sum : stage.sums) sums.push_back({{"part", sum.part}, {"values", sum.values}});
  return {{"flow", name_of(stage.flow)},    {"replication", name_of(stage.replication.kind)},
          {"axes", stage.replication.axes}, {"packets", std::move(listed)},
          {"sums", std::move(sums)},        {"rounds", std::move(rounds)}};
}

ordered_json links_in(const Links& links) {
  std::vector<std::uint32_t> result;
  links.for_each([&](Link link, std::size_t) { result.insert(result.end(), {link.node, link.port}); });
  return result;
}

ordered_json failed_links(const Failures& failed) {
  std::vector<std::uint32_t> result;
  for (const Link link : failed.links) result.insert(result.end(), {link.node, link.port});
  return result;
}

}  // namespace

void check_page_limits(const Plan& plan) {
  const Network& network = plan.network;
  const std::uint64_t links = network.directed_links(), hops = plan.schedule.hop_count();
  if (network.order() <= most_nodes_in_page && links <= most_links_in_page && hops <= most_hops_in_page)
    return;
  throw Error(
      fmt::format("a page holds at most {} nodes, {} directed links and {} listed hops, but this plan on {} "
                  "has {}, {} and "
                  "{}; view a plan on a smaller network",
                  most_nodes_in_page, most_links_in_page, most_hops_in_page, network.name(), network.order(),
                  links, hops));
}

std::string scene_of(const Plan& plan, const Coordinates& coordinates) {
  check_page_limits(plan);
  const Network &network = plan.network, &hops = hop_network(plan);
  const Links links(network, plan.failed);
  ordered_json scene{{"network", network.name()},
                     {"collective", schedule::to_string(plan.task)},
                     {"rooted", is_rooted(plan.task.collective)},
                     {"root", plan.task.root},
                     {"nodes", network.order()},
                     {"moduli", hops.group().moduli()},
                     {"generators", hops.generators()},
                     {"overlay", plan.overlay.has_value()},
                     {"failed_nodes", plan.failed.nodes},
                     {"failed_links", failed_links(plan.failed)},
                     {"links", links_in(links)},
                     {"ends", network.generators()},
                     {"solid", in_space(solid_layout_of(network, plan.failed, coordinates), links)},
                     {"flat", nullptr}};
  if (!undrawable_reason(network, plan.failed))
    scene["flat"] = in_space(unfolded(layout_of(network, plan.failed, coordinates)), links);
  scene["bound"] = {{"kind", plan.bound.kind}, {"value", plan.bound.value}, {"because", plan.bound.because}};
  for (const Stage& stage : plan.schedule.stages) scene["stages"].push_back(stage_of(plan, stage));
  return scene.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

}  // namespace isotrope::io
