// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The hexagonal mesh as it is drawn: a hexagon of places, n a side, without wrapping (H'_n) and with the
// C-type wrapping (H_n), built row by row; its labels turn it into hexmesh(n), which knows addresses only.
//
// Convention: x points to the right, y 60 degrees clockwise of it, z 60 degrees further, so that y = x + z. A
// place lies `x` hops along +x and `z` hops along +z from the centre. Places are numbered as one reads;
// addresses, which are x labels, are those of hexmesh:3 (drawn there with y and z upwards):
//
//      row        places              addresses
//       0        0   1   2            14  15  16
//       1      3   4   5   6         6   7   8   9            o--- +x
//       2    7   8   9  10  11    17  18   0   1   2         / \.
//       3     12  13  14  15        10  11  12  13         +z   +y
//       4      16  17  18             3   4   5
//
// Rows along y and z are those one reads from the top when the mesh is turned until y or z points to the
// right; a row lists its places in that direction, and there are 2n-1 rows each way.
//
// C-type wrapping: the last place of row i is joined to the first of row (i + n - 1) mod (2n - 1), in each of
// the three directions. Then each direction alone is a cycle through all places. Labels count the hops along
// those cycles: the place reached from the centre by l hops along +x has the x label l, and so on.
//
// Facts: 3n^2 - 3n + 1 places; H'_n has 9n^2 - 15n + 6 links, 6 corners with 3 neighbours, and 6n - 12 more
// places on the rim with 4; H_n has 9n^2 - 9n + 3 links. Labels modulo p = 3n^2 - 3n + 1: x = (3n^2 - 6n + 3)
// y = (3n^2 - 6n + 2) z (Theorem 1); so by x label +y adds -(3n-2) and +z adds -(3n-1).
// Cost: O(p) once, 44 bytes a place; every question is then O(1).
// Source: M.-S. Chen, K. G. Shin, D. D. Kandlur, Addressing, routing, and broadcasting in hexagonal mesh
// multiprocessors, IEEE Trans. Computers 39(1), 1990, Sections II and III.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "isotrope/network/network.hpp"

namespace isotrope::network {

/// A place of the hexagon, numbered as one reads: 0..p-1.
using Place = std::uint32_t;

/// The three directions of a hexagonal mesh; port 2d of hexmesh(n) leads forward along direction d, port 2d+1
/// back.
enum class HexDirection : std::uint32_t { x, y, z };
inline constexpr std::array hex_directions{HexDirection::x, HexDirection::y, HexDirection::z};

/// Hops along +x and +z from the centre to a place.
struct HexPoint {
  std::int32_t x = 0;
  std::int32_t z = 0;

  /// The hops between the centre and this point where there is no wrapping.
  std::uint32_t radius() const;
  bool operator==(const HexPoint&) const = default;
};

/// A point of a drawing: neighbours are 1 apart, the centre is (0, 0), `down` grows downwards.
struct PlanarPoint {
  double right = 0;
  double down = 0;
};

/// Where a place is drawn.
PlanarPoint planar(HexPoint point);

class HexagonalMesh {
 public:
  /// @throws Error unless the size is 2..4730, as hexmesh has it.
  explicit HexagonalMesh(std::uint32_t size);

  /// The places of one side, n.
  std::uint32_t size() const { return size_; }
  /// The number of places, p.
  Place order() const { return static_cast<Place>(points_.size()); }
  Place centre() const { return order() / 2; }
  HexPoint point(Place place) const { return points_[place]; }
  /// The place at a point, or nothing if that lies outside the hexagon.
  std::optional<Place> place(HexPoint point) const;

  /// Row `i`, 0..2n-2, along a direction: its places from first to last.
  std::vector<Place> row(HexDirection direction, std::uint32_t i) const;

  /// H'_n: the neighbour over a port, or nothing at the rim.
  std::optional<Place> unwrapped_neighbour(Place place, Port port) const;
  /// H'_n: the number of neighbours, 3, 4 or 6.
  std::uint32_t unwrapped_degree(Place place) const;

  /// H_n: the place that follows, or precedes, over a port.
  Place wrapped_neighbour(Place place, Port port) const {
    const Ring& ring = rings_[port / 2];
    return port % 2 == 0 ? ring.next[place] : ring.previous[place];
  }

  /// H_n: the label along a direction, 0..p-1. That along x is the node of hexmesh(n).
  Node label(Place place, HexDirection direction) const {
    return labels_[static_cast<std::size_t>(direction)][place];
  }

 private:
  // The cycle through all places along one direction.
  struct Ring {
    std::vector<Place> next;
    std::vector<Place> previous;
  };

  Ring wrapped(HexDirection direction) const;
  std::vector<Node> walked_labels(const Ring& ring) const;

  std::uint32_t size_;
  std::vector<HexPoint> points_;
  std::array<Ring, 3> rings_;
  std::array<std::vector<Node>, 3> labels_;
};

}  // namespace isotrope::network
