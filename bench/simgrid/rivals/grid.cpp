// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "bench/simgrid/rivals/grid.hpp"

#include <algorithm>
#include <sstream>
#include <utility>

namespace judge::rivals {

namespace {

std::vector<int> numbers(const std::string& text, char separator) {
  std::vector<int> result;
  std::istringstream stream(text);
  for (std::string each; std::getline(stream, each, separator);) result.push_back(std::stoi(each));
  return result;
}

bool power_of(int base, int number) {
  while (number % base == 0) number /= base;
  return number == 1;
}

}  // namespace

Grid::Grid(std::vector<int> extents) : extents_(std::move(extents)), strides_(extents_.size()) {
  for (std::size_t axis = extents_.size(); axis-- > 0;) {
    strides_[axis] = size_;
    size_ *= extents_[axis];
  }
}

int Grid::moved(int rank, int axis, int value) const {
  const int to = (value % extent(axis) + extent(axis)) % extent(axis);
  return rank + (to - coordinate(rank, axis)) * stride(axis);
}

bool Grid::powers_of(int base) const {
  return std::all_of(extents_.begin(), extents_.end(), [=](int each) { return power_of(base, each); });
}

Grid grid_of(const std::string& network, int ranks) {
  const std::string family = network.substr(0, network.find(':'));
  const std::string rest = network.substr(std::min(family.size() + 1, network.size()));
  if (family == "torus") return Grid(numbers(rest, 'x'));
  if (family == "hypercube") return Grid(std::vector<int>(static_cast<std::size_t>(std::stoi(rest)), 2));
  if (family == "twisted-torus" && rest.find('/') == std::string::npos) return Grid(numbers(rest, 'x'));
  return Grid({ranks});
}

std::vector<int> snake(const Grid& grid) {
  std::vector<int> result;
  for (int place = 0; place < grid.size(); ++place) {
    int rank = place, turns = 0;
    for (int axis = 0; axis < grid.axes(); ++axis) {
      const int coordinate = grid.coordinate(place, axis);
      if (turns % 2 == 1) rank = grid.moved(rank, axis, grid.extent(axis) - 1 - coordinate);
      turns = turns * grid.extent(axis) + coordinate;
    }
    result.push_back(rank);
  }
  return result;
}

}  // namespace judge::rivals
