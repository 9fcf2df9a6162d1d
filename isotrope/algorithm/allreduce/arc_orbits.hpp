// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The arcs of a network under symmetries (schedule/symmetries.hpp): those into the first nodes of orbits, with their images.
// Memory: 12 bytes an arc.
#pragma once

#include <cstdint>
#include <vector>

#include "isotrope/network/surviving_network.hpp"

#include "isotrope/schedule/symmetries.hpp"

#include "isotrope/algorithm/allreduce/link_shares.hpp"

namespace isotrope::algorithm {

class ArcOrbits {
 public:
  /// Refers to the graph, that of the network, and to the network. @pre the network has the symmetry; if nodes have failed,
  /// that is none.
  ArcOrbits(const network::SurvivingNetwork& network, const ArcGraph& graph, schedule::SymmetryAxes axes);

  schedule::SymmetryAxes axes() const { return axes_; }
  const schedule::Symmetries& symmetries() const { return symmetries_; }
  /// How many arcs, and nodes, an orbit has.
  std::uint32_t size() const { return symmetries_.size(); }
  /// The first nodes of orbits, ascending.
  const std::vector<std::uint32_t>& nodes() const { return nodes_; }
  /// The image of an arc.
  std::uint32_t image(std::uint32_t symmetry, std::uint32_t arc) const {
    return images_[std::size_t{place_[arc]} * size() + symmetries_.then(to_[arc], symmetry)];
  }

  /// The arc into a first node of which an arc is an image.
  std::uint32_t first(std::uint32_t arc) const { return images_[std::size_t{place_[arc]} * size()]; }

 private:
  schedule::SymmetryAxes axes_;
  schedule::Symmetries symmetries_;
  std::vector<std::uint32_t> nodes_;
  std::vector<std::uint32_t> to_;      // by arc: the symmetry that leads to it from the first one
  std::vector<std::uint32_t> place_;   // by arc
  std::vector<std::uint32_t> images_;  // of first arcs: by place, then symmetry
};

}  // namespace isotrope::algorithm
