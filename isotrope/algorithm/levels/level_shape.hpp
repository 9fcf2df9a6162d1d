// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The parameters of a plan by levels (torus_levels.hpp, group_levels.hpp).
#pragma once

#include <cstdint>
#include <string>

namespace isotrope::algorithm {

struct LevelShape {
  /// What an axis does that no reduce-scatter divides (axis_program.hpp).
  enum class Program {
    fold,       ///< the fold if the axis has one, else windows
    windows,    ///< the windows
    one_sided,  ///< the one-sided windows: one message a step
    stages,     ///< its stages, one after the other
    searched    ///< one program for the whole group, of any Cayley graph (offset_search.hpp)
  };

  std::uint32_t divisions = 0;  ///< stages that scatter blocks, axis by axis
  std::uint32_t grouped = 1;    ///< that many of them in one step
  Program program = Program::fold;
  std::uint32_t copies = 1;  ///< each for an equal share of the vector
  /// That many steps of the programs of all axes are one: a node sends to all that it can reach by some of them. Above 1 for
  /// copies only (level_copies.hpp), as sums would be added twice.
  std::uint32_t joined = 1;
  /// Messages of a step of a searched program, at most.
  std::uint32_t messages = 1;
  /// Half of the copies are mirror images of the others, however few there are; else only those beyond the number of axes.
  bool mirrored = false;
  /// On the same torus by other axes (network/regrouped_axes.hpp).
  bool regrouped = false;

  bool operator==(const LevelShape&) const = default;
};

/// "2 divisions by 2, 4 copies".
std::string to_string(const LevelShape& shape);

}  // namespace isotrope::algorithm
