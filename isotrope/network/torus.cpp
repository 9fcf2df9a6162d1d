// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/network/torus.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "isotrope/network/convolution.hpp"
#include "isotrope/network/port_pairs.hpp"

namespace isotrope::network {
namespace {

using Counts = std::vector<std::uint64_t>;

// On a cycle every distance has two nodes, except 0 and, of an even cycle, the middle.
Counts cycle_counts(Coordinate extent) {
  Counts counts(extent / 2 + 1, 2);
  if (extent % 2 == 0) counts.back() = 1;
  counts.front() = 1;
  return counts;
}

class TorusMetric final : public Metric {
 public:
  explicit TorusMetric(Group group) : group_(std::move(group)) {}

  std::uint32_t distance(Node node) const override {
    std::uint32_t sum = 0;
    for (std::size_t axis = 0; axis < group_.rank(); ++axis) {
      const Coordinate x = group_.coordinate(node, axis);
      sum += std::min(x, group_.moduli()[axis] - x);
    }
    return sum;
  }

  Counts distance_counts() const override {
    Counts counts{1};
    for (Coordinate extent : group_.moduli()) counts = convolution(counts, cycle_counts(extent));
    return counts;
  }

 private:
  Group group_;
};

Network named_torus(std::string name, std::vector<Coordinate> extents) {
  Group group(std::move(extents));
  std::vector<Node> steps;
  Node stride = group.order();
  for (Coordinate extent : group.moduli()) {
    stride /= extent;
    if (extent > 1) steps.push_back(stride);
  }
  std::vector<Node> generators = port_pairs(group, steps, name + ": axis");
  auto metric = std::make_shared<TorusMetric>(group);
  return Network(std::move(name), std::move(group), std::move(generators), std::move(metric));
}

}  // namespace

Network torus(std::vector<Coordinate> extents) {
  std::string name = fmt::format("torus:{}", fmt::join(extents, "x"));
  return named_torus(std::move(name), std::move(extents));
}

Network ring(Coordinate nodes) {
  return named_torus(fmt::format("ring:{}", nodes), {nodes});
}

}  // namespace isotrope::network
