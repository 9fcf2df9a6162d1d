// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/network/hexmesh.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"

#include "isotrope/network/port_pairs.hpp"

namespace isotrope::network {
namespace {

class HexmeshMetric final : public Metric {
 public:
  HexmeshMetric(CyclicGroup group, std::int32_t size) : group_(group), size_(size) {}

  std::uint32_t distance(Node node) const override {
    const std::int32_t half = size_ - 1, block_length = 3 * size_ - 1;
    const auto offset = static_cast<std::int32_t>(group_.add(node, static_cast<Node>(half)));
    const std::int32_t block = offset / block_length, place = offset % block_length;
    const bool first_row = place < 2 * size_ - 1 - block;
    const std::int32_t b = first_row ? block : block - half;
    const std::int32_t a = first_row ? place - half : place - (2 * size_ - 1);
    return static_cast<std::uint32_t>(std::max({std::abs(a), std::abs(b), std::abs(a + b)}));
  }

  std::vector<std::uint64_t> distance_counts() const override {
    std::vector<std::uint64_t> counts{1};
    for (std::int32_t ring = 1; ring < size_; ++ring) counts.push_back(6 * static_cast<std::uint64_t>(ring));
    return counts;
  }

 private:
  CyclicGroup group_;
  std::int32_t size_;
};

}  // namespace

Network hexmesh(std::uint32_t size) {
  if (size < 2 || size > largest_hexmesh_size)
    throw Error(fmt::format("n = {}: a hexagonal mesh has size 2 to {}", size, largest_hexmesh_size));
  const Node order = 3 * size * (size - 1) + 1;
  const std::array<Node, 3> steps{1, order - (3 * size - 2), order - (3 * size - 1)};
  std::string name = fmt::format("hexmesh:{}", size);
  Group group({order});
  std::vector<Node> generators = port_pairs(group, steps, name + ": axis");
  return Network(std::move(name), std::move(group), std::move(generators),
                 std::make_shared<HexmeshMetric>(CyclicGroup(order), static_cast<std::int32_t>(size)));
}

}  // namespace isotrope::network
