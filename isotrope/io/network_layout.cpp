// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/io/network_layout.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"

#include "isotrope/network/hexmesh_route.hpp"
#include "isotrope/network/rates.hpp"
#include "isotrope/network/shortest_routes.hpp"

#include "isotrope/io/port_box.hpp"

namespace isotrope::io {
namespace {

using network::Coordinate;
using network::Network;
using network::Node;
using network::Port;

Point unit(Point a) {
  return 1 / std::hypot(a.x, a.y) * a;
}

// The places, and the step from node to node of a link that is drawn as a line, by port; other links are stubs.
struct Frame {
  std::vector<Point> places;
  std::vector<Point> steps;
};

bool coincide(Point a, Point b) {
  return std::hypot(a.x - b.x, a.y - b.y) < 1e-6;
}

NetworkLayout with_stubs(Frame frame, const Network& network) {
  NetworkLayout layout;
  for (Node node = 0; node < network.order(); ++node) {
    for (Port port = 0; port < network.degree(); ++port) {
      const Point from = frame.places[node], to = frame.places[network.neighbour(node, port)];
      const Point step = frame.steps[port];
      const bool is_line =
          coincide(from + step, to) || (network.opposite(port) == port && coincide(from + -1 * step, to));
      layout.stubs.push_back(is_line ? std::nullopt : std::optional(unit(step)));
    }
  }
  layout.places = std::move(frame.places);
  return layout;
}

NetworkLayout circle(const Network& network) {
  constexpr double least_radius = 130, apart = 44;
  const double turn = 2 * std::numbers::pi / network.order();
  const double radius = std::max(least_radius, apart / turn);
  NetworkLayout layout;
  for (Node node = 0; node < network.order(); ++node) {
    layout.places.push_back({radius * std::sin(turn * node), -radius * std::cos(turn * node)});
  }
  layout.stubs.resize(network.directed_links());
  return layout;
}

// The least distance of two places, and the largest.
std::pair<double, double> distances_between(const std::vector<Point>& places) {
  double least = HUGE_VAL, largest = 0;
  for (std::size_t i = 0; i < places.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const double distance = std::hypot(places[i].x - places[j].x, places[i].y - places[j].y);
      least = std::min(least, distance);
      largest = std::max(largest, distance);
    }
  }
  return {least, largest};
}

// Nothing without coordinates, or with some nodes too close to each other.
std::optional<NetworkLayout> projected(const Network& network, const Coordinates& coordinates) {
  constexpr double apart = 70, most_ratio = 100;
  constexpr Point depth{0.45, -0.3};
  if (coordinates.size() < 2) return std::nullopt;
  NetworkLayout layout;
  for (const auto [x, y, z] : coordinates) layout.places.push_back(Point{x, -y} + z * depth);
  const auto [least, largest] = distances_between(layout.places);
  if (least * most_ratio < largest) return std::nullopt;
  for (Point& place : layout.places) place = apart / least * place;
  layout.stubs.resize(network.directed_links());
  return layout;
}

// A step per dimension. No link passes over a node other than its ends.
constexpr std::array<Point, 6> hypercube_steps{
    {{140, 0}, {0, -140}, {63, -62}, {263, 68}, {-51, 287}, {502, 63}}};

NetworkLayout projected_hypercube(const Network& network) {
  Frame frame{std::vector<Point>(network.order()), {}};
  for (const Node generator : network.generators()) {
    const Point step = hypercube_steps[static_cast<std::size_t>(std::countr_zero(generator))];
    frame.steps.push_back(step);
    for (Node node = 0; node < network.order(); ++node) {
      if ((node & generator) != 0) frame.places[node] = frame.places[node] + step;
    }
  }
  return with_stubs(std::move(frame), network);
}

NetworkLayout hexagon(const Network& network) {
  constexpr double apart = 70;
  const double across = apart / 2, up = apart * std::numbers::sqrt3 / 2;
  const std::array<Point, 6> steps{
      {{apart, 0}, {-apart, 0}, {across, -up}, {-across, up}, {-across, -up}, {across, up}}};
  Frame frame{{}, {steps.begin(), steps.end()}};
  for (Node node = 0; node < network.order(); ++node) {
    Point place;
    for (const Port port : shortest_route(network, 0, node)) place = place + steps[port];
    frame.places.push_back(place);
  }
  return with_stubs(std::move(frame), network);
}

// Axes as they are drawn: columns, rows, depth, then those over blocks.
std::vector<std::size_t> drawing_order(const std::vector<PortAxis>& axes) {
  std::vector<std::size_t> order(axes.size());
  std::iota(order.rbegin(), order.rend(), 0);
  if (axes.size() < 3) return order;
  const auto shallowest = std::min_element(order.rend() - 3, order.rend(), [&](std::size_t a, std::size_t b) {
    return axes[a].extent < axes[b].extent;
  });
  std::rotate(shallowest.base() - 1, shallowest.base(), order.begin() + 3);
  return order;
}

constexpr std::size_t most_axes_drawn = 5;

// A step along every axis, in drawing order.
std::vector<Point> steps_of(const std::vector<Coordinate>& extents) {
  constexpr Point depth{58, -30};
  constexpr double apart = 70, aisle = 150;
  const bool deep = extents.size() > 2;
  const double layers = deep ? extents[2] : 0;
  std::vector<Point> steps{{apart + layers * depth.x, 0}, {0, apart - layers * depth.y}, depth};
  Point size;
  for (std::size_t i = 0; i < extents.size(); ++i) {
    if (i >= 3) steps.push_back(i % 2 == 1 ? Point{size.x + aisle, 0} : Point{0, size.y + aisle});
    size = size + (extents[i] - 1.0) * Point{std::abs(steps[i].x), std::abs(steps[i].y)};
  }
  return steps;
}

// The directions of stubs of links between blocks; no step has these directions.
constexpr std::array<Point, 2> block_ways{{{0.85, 0.53}, {0.5, 0.87}}};

NetworkLayout grid(const Network& network, const PortBox& box) {
  const std::vector<std::size_t> order = drawing_order(box.axes);
  std::vector<Coordinate> extents;
  for (const std::size_t axis : order) extents.push_back(box.axes[axis].extent);
  const std::vector<Point> steps = steps_of(extents);
  Frame frame{std::vector<Point>(network.order()), std::vector<Point>(network.degree())};
  for (std::size_t i = 0; i < order.size(); ++i) {
    const PortAxis axis = box.axes[order[i]];
    const Point way = i < 3 ? steps[i] : block_ways[i - 3];
    frame.steps[network.opposite(axis.forward)] = -1 * way;
    frame.steps[axis.forward] = way;
    const std::size_t stride = box.stride(order[i]);
    for (std::size_t position = 0; position < box.nodes.size(); ++position) {
      Point& place = frame.places[box.nodes[position]];
      place = place + static_cast<double>(position / stride % axis.extent) * steps[i];
    }
  }
  return with_stubs(std::move(frame), network);
}

NetworkLayout layout_of_simple(const Network& network) {
  if (network::hexmesh_size(network)) return hexagon(network);
  if (is_hypercube(network)) return projected_hypercube(network);
  const std::optional<PortBox> box = box_of(network);
  const bool drawn = box && box->axes.size() > 1 && box->axes.size() <= most_axes_drawn;
  return drawn ? grid(network, *box) : circle(network);
}

// The stubs of copies are those of their first port.
NetworkLayout with_copies(NetworkLayout simple, const std::vector<std::vector<Port>>& copies, Port degree) {
  const std::size_t nodes = simple.places.size(), ports = copies.size();
  std::vector<std::optional<Point>> stubs(nodes * degree);
  for (std::size_t i = 0; i < nodes * ports; ++i) {
    for (const Port port : copies[i % ports]) stubs[i / ports * degree + port] = simple.stubs[i];
  }
  return {std::move(simple.places), std::move(stubs)};
}

}  // namespace

std::optional<std::string> undrawable_reason(const Network& network, const network::Failures& failed) {
  const bool whole = failed.edges.empty();
  const std::uint64_t links = whole ? network.directed_links() / 2 : failed.edges.size();
  if (whole && is_hypercube(network) && network.group().rank() > hypercube_steps.size()) {
    return fmt::format("{}: hypercubes are drawn up to {} dimensions; give one of those", network.name(),
                       hypercube_steps.size());
  }
  if (network.order() > most_nodes_drawn || links > most_links_drawn) {
    return fmt::format("{}: {} nodes and {} links are too many to draw; give a network of at most {} and {}",
                       network.name(), network.order(), links, most_nodes_drawn, most_links_drawn);
  }
  return std::nullopt;
}

void check_drawable(const Network& network, const network::Failures& failed) {
  if (const auto reason = undrawable_reason(network, failed)) throw Error(*reason);
}

NetworkLayout layout_of(const Network& network, const network::Failures& failed,
                        const Coordinates& coordinates) {
  check_drawable(network, failed);
  if (auto layout = projected(network, coordinates)) return *std::move(layout);
  if (!failed.edges.empty()) return circle(network);
  if (!network::has_copies(network)) return layout_of_simple(network);
  const network::SimpleNetwork simple = network::without_copies(network);
  return with_copies(layout_of_simple(simple.network), simple.copies, network.degree());
}

}  // namespace isotrope::io
