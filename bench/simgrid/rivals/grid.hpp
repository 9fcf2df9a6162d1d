// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The coordinates that the rivals give to ranks.
//
//     torus:4x8      extents 4, 8; row-major, last coordinate fastest
//     hypercube:3    extents 2, 2, 2
//     others         one axis of all ranks (twisted-torus:4x4x8: 4, 4, 8)
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace judge::rivals {

class Grid {
 public:
  explicit Grid(std::vector<int> extents);

  int size() const { return size_; }
  int axes() const { return static_cast<int>(extents_.size()); }
  int extent(int axis) const { return extents_[static_cast<std::size_t>(axis)]; }
  int coordinate(int rank, int axis) const { return rank / stride(axis) % extent(axis); }
  /// `rank` with another coordinate; `value` counts modulo the extent.
  int moved(int rank, int axis, int value) const;
  /// Whether every extent is a power of `base`.
  bool powers_of(int base) const;

 private:
  int stride(int axis) const { return strides_[static_cast<std::size_t>(axis)]; }

  std::vector<int> extents_, strides_;
  int size_ = 1;
};

/// The grid of the network called `network`, which has `ranks` ranks.
Grid grid_of(const std::string& network, int ranks);

/// All ranks so that neighbours in the list differ by one in one coordinate.
std::vector<int> snake(const Grid& grid);

}  // namespace judge::rivals
