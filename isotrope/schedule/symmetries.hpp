// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Symmetries of a network that is not symmetric as a whole: all translations along some coordinates, and the reflections
// of others, x -> m - 1 - x. They are what open axes leave of the translations of a Cayley graph.
//
//     line:4xring:8    8 translations along the ring, 2 reflections of the line: 16 in all; orbits of 16 nodes
//     mesh:4x6         4 reflections; orbits of 4 nodes
//     mesh:3x3         none: the reflection of an odd axis keeps its middle
//
// Convention: symmetries are numbered, and number 0 is the identity. A symmetry moves the port of a link along with the
// link: a translation keeps ports, a reflection exchanges the two directions of its axis. None but the identity keeps a
// node, as every reflected modulus is even, so the nodes, and the directed links, fall into orbits of size() each. The
// first node of an orbit is the one with coordinate 0 along every translated axis and below m / 2 along every
// reflected one.
//
// Method: tables by node. Cost: O(N 2^reflections) once, then O(rank) a node. Memory: as much, 4 bytes an entry.
#pragma once

#include <cstdint>
#include <vector>

#include "isotrope/network/failures.hpp"
#include "isotrope/network/network.hpp"

#include "isotrope/schedule/schedule.hpp"

namespace isotrope::schedule {

/// All axes that a network has these symmetries along: translations along closed ones, reflections of open ones. None if
/// more is missing than the links that close open axes. @pre the axes can be open (closing_links).
SymmetryAxes symmetry_axes(const network::Network& network, const network::Failures& failed);

/// The most packets, and the most hops, of a stage that is written and read by orbits: a small file must not take all memory.
inline constexpr std::uint64_t most_images = std::uint64_t{1} << 28;

class Symmetries {
 public:
  /// Refers to the network, which must outlive them.
  /// @throws Error if an axis is no coordinate, is both translated and reflected, has an odd modulus and is reflected, or
  /// if a reflection leads to a link that the network does not have, or if there are more than most_images nodes times
  /// sets of reflected axes.
  Symmetries(const network::Network& network, SymmetryAxes axes);

  std::uint32_t size() const { return static_cast<std::uint32_t>(shifts_.size() * masks()); }

  Node image(std::uint32_t symmetry, Node node) const {
    return network_.group().add(reflected(symmetry % masks(), node), shifts_[symmetry / masks()]);
  }
  Port image_of_port(std::uint32_t symmetry, Port port) const {
    return ports_[symmetry % masks() * network_.degree() + port];
  }
  /// The symmetry that is `second` after `first`.
  std::uint32_t then(std::uint32_t first, std::uint32_t second) const {
    const Node shift = network_.group().add(shifts_[first / masks()], shifts_[second / masks()]);
    return place_[shift] * masks() + (first ^ second) % masks();
  }

  std::uint32_t inverse(std::uint32_t symmetry) const {
    return place_[network_.group().negate(shifts_[symmetry / masks()])] * masks() + symmetry % masks();
  }
  /// The symmetry that leads from image `from` of an orbit to image `to`.
  std::uint32_t between(std::uint32_t from, std::uint32_t to) const { return then(inverse(from), to); }

  /// The first node of the orbit of a node.
  Node first(Node node) const { return first_[node]; }
  /// The symmetry that leads from the first node of its orbit to a node.
  std::uint32_t to(Node node) const { return to_[node]; }
  /// The first nodes of all orbits, ascending.
  std::vector<Node> first_nodes() const;

 private:
  std::uint32_t masks() const { return masks_; }
  Node reflected(std::uint32_t mask, Node node) const {
    return reflected_[std::size_t{mask} * network_.order() + node];
  }
  void add_reflections(SymmetryAxes axes);
  void add_translations(SymmetryAxes axes);
  void find_orbits(SymmetryAxes axes);

  const network::Network& network_;
  std::uint32_t masks_ = 1;           // sets of reflected axes
  std::vector<Node> reflected_;       // by set, then node
  std::vector<Port> ports_;           // by set, then port
  std::vector<Node> shifts_;          // the translations
  std::vector<std::uint32_t> place_;  // in shifts_, of a translation
  std::vector<Node> first_;           // by node
  std::vector<std::uint32_t> to_;     // by node
};

/// A symmetric stage with the first packet and hop of every orbit only, as a plan file lists it.
/// @throws Error unless the axes are coordinates.
Stage first_of_orbits(const network::Network& network, const Stage& stage);

/// Whether the packets and hops of a stage are what its symmetry says: those of first_of_orbits with all images.
/// @throws Error as Symmetries.
bool has_symmetry(const network::Network& network, const Stage& stage);

/// The stage with all images of the packets and hops of `first`, which lists the first ones of their orbits: orbit after
/// orbit, so symmetric under `axes`.
/// @throws Error as Symmetries, or if there are more than most_images packets or hops.
Stage with_images(const network::Network& network, const Stage& first, SymmetryAxes axes);

}  // namespace isotrope::schedule
