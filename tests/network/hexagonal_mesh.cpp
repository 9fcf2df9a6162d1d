// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/network/hexagonal_mesh.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"

#include "isotrope/network/hexmesh.hpp"

namespace isotrope::network {
namespace {

// One hop over each port.
constexpr std::array<HexPoint, 6> hops{{{1, 0}, {-1, 0}, {1, 1}, {-1, -1}, {0, 1}, {0, -1}}};

// The point after the drawing is turned by 60 degrees clockwise: x becomes y = x + z, and z becomes z - y =
// -x.
HexPoint turned_clockwise(HexPoint point) {
  return {point.x - point.z, point.x};
}

// What row `i` of 2n-1 holds: its number downwards from the centre, and the x of its first and last point.
struct RowRange {
  std::int32_t z, first, last;
};

RowRange row_range(std::uint32_t size, std::uint32_t i) {
  const auto half = static_cast<std::int32_t>(size) - 1;
  const std::int32_t z = static_cast<std::int32_t>(i) - half;
  return {z, std::max(-half, z - half), std::min(half, z + half)};
}

}  // namespace

std::uint32_t HexPoint::radius() const {
  return static_cast<std::uint32_t>(std::max({std::abs(x), std::abs(z), std::abs(x - z)}));
}

PlanarPoint planar(HexPoint point) {
  return {point.x - point.z / 2.0, point.z * std::sqrt(3.0) / 2};
}

HexagonalMesh::HexagonalMesh(std::uint32_t size) : size_(size) {
  if (size < 2 || size > largest_hexmesh_size)
    throw Error(fmt::format("n = {}: a hexagonal mesh has size 2 to {}", size, largest_hexmesh_size));
  points_.reserve(3 * size * (size - 1) + 1);
  for (std::uint32_t i = 0; i < 2 * size - 1; ++i) {
    const RowRange range = row_range(size, i);
    for (std::int32_t x = range.first; x <= range.last; ++x) points_.push_back({x, range.z});
  }
  for (const HexDirection direction : hex_directions) {
    const auto d = static_cast<std::size_t>(direction);
    rings_[d] = wrapped(direction);
    labels_[d] = walked_labels(rings_[d]);
  }
}

std::optional<Place> HexagonalMesh::place(HexPoint point) const {
  if (point.radius() >= size_) return std::nullopt;
  // The rows above hold n, n + 1, ... places down to the central one, and so do those below, read backwards.
  const auto n = static_cast<std::int32_t>(size_);
  const std::int32_t above = point.z + n - 1;
  if (point.z <= 0) {
    const std::int32_t first = n * above + above * (above - 1) / 2;
    return static_cast<Place>(first + point.x + n - 1);
  }
  const std::int32_t below = n - 1 - point.z;
  const std::int32_t last = static_cast<std::int32_t>(order()) - 1 - (n * below + below * (below - 1) / 2);
  return static_cast<Place>(last - (n - 1 - point.x));
}

std::vector<Place> HexagonalMesh::row(HexDirection direction, std::uint32_t i) const {
  const RowRange range = row_range(size_, i);
  std::vector<Place> places;
  for (std::int32_t x = range.first; x <= range.last; ++x) {
    HexPoint point{x, range.z};
    // The mesh was turned counterclockwise for this direction to point to the right: turn it back.
    for (std::uint32_t turn = 0; turn < static_cast<std::uint32_t>(direction); ++turn)
      point = turned_clockwise(point);
    places.push_back(place(point).value());
  }
  return places;
}

std::optional<Place> HexagonalMesh::unwrapped_neighbour(Place place, Port port) const {
  const HexPoint from = points_[place], hop = hops[port];
  return this->place({from.x + hop.x, from.z + hop.z});
}

std::uint32_t HexagonalMesh::unwrapped_degree(Place place) const {
  std::uint32_t degree = 0;
  for (Port port = 0; port < hops.size(); ++port) degree += unwrapped_neighbour(place, port) ? 1 : 0;
  return degree;
}

HexagonalMesh::Ring HexagonalMesh::wrapped(HexDirection direction) const {
  const std::uint32_t rows = 2 * size_ - 1;
  Ring ring{std::vector<Place>(order()), std::vector<Place>(order())};
  const auto join = [&ring](Place from, Place to) {
    ring.next[from] = to;
    ring.previous[to] = from;
  };
  for (std::uint32_t i = 0; i < rows; ++i) {
    const std::vector<Place> places = row(direction, i);
    for (std::size_t j = 1; j < places.size(); ++j) join(places[j - 1], places[j]);
    join(places.back(), row(direction, (i + size_ - 1) % rows).front());
  }
  return ring;
}

std::vector<Node> HexagonalMesh::walked_labels(const Ring& ring) const {
  std::vector<Node> labels(order(), 0);
  Node label = 0;
  for (Place place = ring.next[centre()]; place != centre(); place = ring.next[place])
    labels[place] = ++label;
  return labels;
}

}  // namespace isotrope::network
