// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/network/twisted_torus.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"

#include "isotrope/network/port_pairs.hpp"

namespace isotrope::network {
namespace {

// The least path so far whose crossings of wraps are even, and odd, in number.
struct Parities {
  std::uint32_t even = 0;
  std::uint32_t odd = UINT32_MAX / 2;

  void walk(Coordinate x, Coordinate extent) {
    *this = {std::min(even + x, odd + (extent - x)), std::min(odd + x, even + (extent - x))};
  }
};

class TwistedTorusMetric final : public Metric {
 public:
  TwistedTorusMetric(Group group, Coordinate k) : group_(std::move(group)), k_(k) {
    for (std::size_t axis = 0; axis < group_.rank(); ++axis)
      (group_.moduli()[axis] == k ? short_axes_ : long_axes_).push_back(axis);
  }

  std::uint32_t distance(Node node) const override {
    Parities paths;
    Coordinate sum = 0;
    for (std::size_t axis : short_axes_) {
      const Coordinate x = group_.coordinate(node, axis);
      sum += x;
      paths.walk(x, k_);
    }
    std::uint32_t along = 0;
    for (std::size_t axis : long_axes_) {
      const Coordinate x = (group_.coordinate(node, axis) + sum) % (2 * k_);
      along += std::min(x, 2 * k_ - x);
    }
    const auto farthest = static_cast<std::uint32_t>(long_axes_.size()) * k_;
    return std::min(paths.even + along, paths.odd + (farthest - along));
  }

  std::vector<std::uint64_t> distance_counts() const override {
    std::vector<std::uint64_t> counts;
    for (Node node = 0; node < group_.order(); ++node) {
      const std::uint32_t d = distance(node);
      if (d >= counts.size()) counts.resize(d + 1, 0);
      ++counts[d];
    }
    return counts;
  }

 private:
  Group group_;
  Coordinate k_;
  std::vector<std::size_t> short_axes_, long_axes_;
};

// k of extents k and 2k.
Coordinate short_extent(const std::vector<Coordinate>& extents) {
  const Coordinate k = extents.empty() ? 0 : std::ranges::min(extents);
  const auto is_long = [k](Coordinate extent) { return extent == std::uint64_t{2} * k; };
  const bool all_fit =
      std::ranges::all_of(extents, [&](Coordinate extent) { return extent == k || is_long(extent); });
  if (k == 0 || !all_fit || std::ranges::none_of(extents, is_long)) {
    throw Error(
        fmt::format("extents {}: a twisted torus has extents k and 2k, at least one of each, as in 4x4x8; "
                    "give other twists by basis rows, as in 8,0/3,8",
                    fmt::join(extents, "x")));
  }
  return k;
}

// The steps + along the axes, as the file's head derives them.
std::vector<Node> unit_steps(const Group& group, Coordinate k) {
  std::vector<Node> steps;
  for (std::size_t axis = 0; axis < group.rank(); ++axis) {
    std::vector<Coordinate> step(group.rank(), 0);
    if (group.moduli()[axis] == k) {
      for (std::size_t i = 0; i < group.rank(); ++i) step[i] = group.moduli()[i] == k ? 0 : 2 * k - 1;
    }
    step[axis] = 1 % group.moduli()[axis];
    steps.push_back(group.number(step));
  }
  return steps;
}

}  // namespace

Network twisted_torus(std::vector<Coordinate> extents) {
  std::string name = fmt::format("twisted-torus:{}", fmt::join(extents, "x"));
  const Coordinate k = short_extent(extents);
  Group group(std::move(extents));
  std::vector<Node> generators = port_pairs(group, unit_steps(group, k), name + ": axis");
  auto metric = std::make_shared<TwistedTorusMetric>(group, k);
  return Network(std::move(name), std::move(group), std::move(generators), std::move(metric));
}

}  // namespace isotrope::network
