// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/io/solid_layout.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <numbers>
#include <optional>

#include "isotrope/network/hexmesh_route.hpp"
#include "isotrope/network/rates.hpp"
#include "isotrope/network/shortest_routes.hpp"

#include "isotrope/io/port_box.hpp"
#include "isotrope/io/relaxed_layout.hpp"

namespace isotrope::io {
namespace {

using network::Coordinate;
using network::Failures;
using network::Network;
using network::Node;
using network::Port;

constexpr double full_turn = 2 * std::numbers::pi;

Place operator+(const Place& a, const Place& b) {
  return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}

Place operator*(double factor, const Place& a) {
  return {factor * a[0], factor * a[1], factor * a[2]};
}

double distance(const Place& a, const Place& b) {
  return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

SolidLayout with_lines(std::vector<Place> places, const Network& network) {
  return {std::move(places), std::vector<Course>(network.directed_links())};
}

// The radius of a circle whose `count` places are 1 apart.
double radius_for(double count) {
  return std::max(1.0, count / full_turn);
}

SolidLayout circle(const Network& network) {
  const double turn = full_turn / network.order(), radius = radius_for(network.order());
  std::vector<Place> places;
  for (Node node = 0; node < network.order(); ++node)
    places.push_back({radius * std::sin(turn * node), radius * std::cos(turn * node), 0});
  return with_lines(std::move(places), network);
}

// Dimensions in groups of four: three for the corners of a cube, and one that puts a smaller cube into it.
Place nested_place(Node node, std::size_t dimensions) {
  constexpr double apart = 2.6, nest = 0.45, further_nest = 0.36;
  Place place{};
  double reach = 1;
  for (std::size_t first = 0; first < dimensions; first += 4) {
    for (std::size_t axis = 0; axis < 3 && first + axis < dimensions; ++axis)
      place[axis] += (node >> (first + axis) & 1) != 0 ? reach : -reach;
    if (first + 3 < dimensions && (node >> (first + 3) & 1) != 0)
      place = (first == 0 ? nest : further_nest) * place;
    reach *= apart;
  }
  return place;
}

SolidLayout nested_cubes(const Network& network) {
  std::vector<Place> places;
  for (Node node = 0; node < network.order(); ++node)
    places.push_back(nested_place(node, network.group().rank()));
  return with_lines(std::move(places), network);
}

// Links that wrap around are longer than a step; their arches rise with their lengths.
SolidLayout hexagon(const Network& network) {
  const double up = std::numbers::sqrt3 / 2;
  const std::array<Place, 6> steps{
      {{1, 0, 0}, {-1, 0, 0}, {0.5, up, 0}, {-0.5, -up, 0}, {-0.5, up, 0}, {0.5, -up, 0}}};
  std::vector<Place> places;
  for (Node node = 0; node < network.order(); ++node) {
    Place place{};
    for (const Port port : shortest_route(network, 0, node)) place = place + steps[port];
    places.push_back(place);
  }
  SolidLayout layout = with_lines(std::move(places), network);
  for (Node node = 0; node < network.order(); ++node) {
    for (Port port = 0; port < network.degree(); ++port) {
      const double length = distance(layout.places[node], layout.places[network.neighbour(node, port)]);
      if (length > 1.5)
        layout.courses[std::size_t{node} * network.degree() + port] = {Course::Kind::arc, {0, 0, -length}};
    }
  }
  return layout;
}

// A box, and which of its axes close: the link from the last position of every row leads to its first one.
class Box {
 public:
  Box(const Network& network, const Failures& failed, PortBox box) : network_(network), box_(std::move(box)) {
    const std::vector<network::Link> missing = network::closing_links(network, failed.open_axes);
    std::vector<bool> absent(network.directed_links());
    for (const auto [node, port] : missing) {
      absent[std::size_t{node} * network.degree() + port] = true;
      absent[std::size_t{network.neighbour(node, port)} * network.degree() + network.opposite(port)] = true;
    }
    for (std::size_t axis = 0; axis < box_.axes.size(); ++axis) closed_.push_back(closes(axis, absent));
  }

  std::size_t axes() const { return box_.axes.size(); }
  Coordinate extent(std::size_t axis) const { return box_.axes[axis].extent; }
  bool is_closed(std::size_t axis) const { return closed_[axis]; }

  // The places by positions along the axes, given as place(along), a function of them.
  std::vector<Place> places(const std::function<Place(const std::vector<double>&)>& place) const {
    std::vector<Place> result(network_.order());
    std::vector<double> along(axes());
    for (std::size_t position = 0; position < box_.nodes.size(); ++position) {
      for (std::size_t axis = 0; axis < axes(); ++axis)
        along[axis] = static_cast<double>(position / box_.stride(axis) % extent(axis));
      result[box_.nodes[position]] = place(along);
    }
    return result;
  }

  // Lines for steps of `steps[axis]` and no other links: these are stubs along the first three axes, else arcs.
  std::vector<Course> courses(const std::vector<Place>& places, const std::vector<Place>& steps) const {
    constexpr double stub_length = 0.45, rise = 0.3;
    std::vector<Course> result(network_.directed_links());
    for (std::size_t axis = 0; axis < axes(); ++axis) {
      const Port forward = box_.axes[axis].forward, backward = network_.opposite(forward);
      for (Node node = 0; node < network_.order(); ++node) {
        const Node next = network_.neighbour(node, forward);
        const bool is_step = distance(places[node] + steps[axis], places[next]) < 1e-6;
        if (is_step && axis + 3 >= axes()) continue;
        Course course{Course::Kind::stub, (stub_length / distance({}, steps[axis])) * steps[axis]};
        if (extent(axis) == 2 && !is_step && distance(places[next] + steps[axis], places[node]) < 1e-6)
          course.bend = {};
        if (is_step) course = {Course::Kind::arc, {0, rise * distance({}, steps[axis]), 0}};
        if (course.bend == Place{}) continue;
        Course back = course;
        if (course.kind == Course::Kind::stub) back.bend = -1 * course.bend;
        result[std::size_t{node} * network_.degree() + forward] = course;
        result[std::size_t{next} * network_.degree() + backward] = back;
      }
    }
    return result;
  }

 private:
  bool closes(std::size_t axis, const std::vector<bool>& absent) const {
    const Port port = box_.axes[axis].forward;
    if (extent(axis) < 3) return false;
    const std::size_t stride = box_.stride(axis), back = stride * (extent(axis) - 1);
    for (std::size_t position = 0; position < box_.nodes.size(); ++position) {
      if (position / stride % extent(axis) + 1 < extent(axis)) continue;
      const Node last = box_.nodes[position];
      if (absent[std::size_t{last} * network_.degree() + port] ||
          network_.neighbour(last, port) != box_.nodes[position - back])
        return false;
    }
    return true;
  }

  const Network& network_;
  PortBox box_;
  std::vector<bool> closed_;
};

SolidLayout grid(const Box& box) {
  constexpr double aisle = 2;
  std::vector<Place> steps(box.axes());
  Place size{1, 1, 1};
  for (std::size_t i = 0; i < box.axes(); ++i) {  // the last axis to the right, the one before downwards
    const std::size_t axis = box.axes() - 1 - i, way = i % 3;
    const double apart = i < 3 ? 1 : size[way] + aisle;
    steps[axis][way] = way == 1 ? -apart : apart;
    size[way] += apart * (box.extent(axis) - 1.0);
  }
  std::vector<Place> places = box.places([&](const std::vector<double>& along) {
    Place place{};
    for (std::size_t axis = 0; axis < box.axes(); ++axis) place = place + along[axis] * steps[axis];
    return place;
  });
  std::vector<Course> courses = box.courses(places, steps);
  return {std::move(places), std::move(courses)};
}

// The longer axis is the way round the hole.
SolidLayout doughnut(const Network& network, const Box& box) {
  const std::size_t longer = box.extent(0) > box.extent(1) ? 0 : 1, shorter = 1 - longer;
  const double tube = radius_for(box.extent(shorter));
  const double ring = std::max(radius_for(box.extent(longer)), 2.1 * tube);
  return with_lines(box.places([&](const std::vector<double>& along) {
    const double round = full_turn * along[longer] / box.extent(longer);
    const double across = full_turn * along[shorter] / box.extent(shorter);
    const double radius = ring + tube * std::cos(across);
    return Place{radius * std::sin(round), tube * std::sin(across), radius * std::cos(round)};
  }),
                    network);
}

SolidLayout cylinder(const Network& network, const Box& box) {
  const std::size_t round_axis = box.is_closed(0) ? 0 : 1, up_axis = 1 - round_axis;
  const double radius = radius_for(box.extent(round_axis));
  return with_lines(box.places([&](const std::vector<double>& along) {
    const double round = full_turn * along[round_axis] / box.extent(round_axis);
    return Place{radius * std::sin(round), -along[up_axis], radius * std::cos(round)};
  }),
                    network);
}

SolidLayout layout_of_box(const Network& network, const Box& box) {
  if (box.axes() == 1 && box.is_closed(0)) return circle(network);
  if (box.axes() == 2 && box.is_closed(0) && box.is_closed(1)) return doughnut(network, box);
  if (box.axes() == 2 && box.is_closed(0) != box.is_closed(1)) return cylinder(network, box);
  return grid(box);
}

SolidLayout layout_of_simple(const Network& network, const Failures& failed) {
  if (network::hexmesh_size(network)) return hexagon(network);
  if (is_hypercube(network)) return nested_cubes(network);
  std::optional<PortBox> box = box_of(network);
  if (!box || box->axes.empty()) return circle(network);
  return layout_of_box(network, Box(network, failed, *std::move(box)));
}

// Copies of a line are arcs beside it.
SolidLayout with_copies(SolidLayout simple, const std::vector<std::vector<Port>>& copies, Port degree) {
  constexpr double apart = 0.16;
  const std::size_t ports = copies.size();
  std::vector<Course> courses(simple.places.size() * degree);
  for (std::size_t i = 0; i < simple.courses.size(); ++i) {
    const std::vector<Port>& alike = copies[i % ports];
    for (std::size_t k = 0; k < alike.size(); ++k) {
      Course& course = courses[i / ports * degree + alike[k]] = simple.courses[i];
      const double aside = apart * (static_cast<double>(k) - (static_cast<double>(alike.size()) - 1) / 2);
      if (course.kind == Course::Kind::line && aside != 0)
        course = {Course::Kind::arc, {aside, aside, aside}};
    }
  }
  return {std::move(simple.places), std::move(courses)};
}

}  // namespace

SolidLayout solid_layout_of(const Network& network, const Failures& failed, const Coordinates& coordinates) {
  if (coordinates.size() == network.order()) {
    std::vector<Place> places(coordinates);
    for (Place& place : places) place[2] = -place[2];
    return with_lines(std::move(places), network);
  }
  if (!failed.edges.empty()) {
    return network.order() <= most_nodes_relaxed
               ? with_lines(relaxed_places(network.order(), failed.edges), network)
               : circle(network);
  }
  if (!network::has_copies(network)) return layout_of_simple(network, failed);
  const network::SimpleNetwork simple = network::without_copies(network);
  return with_copies(layout_of_simple(simple.network, failed), simple.copies, network.degree());
}

}  // namespace isotrope::io
