// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/network/hypercube.hpp"

#include <bit>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"

namespace isotrope::network {
namespace {

class HypercubeMetric final : public Metric {
 public:
  explicit HypercubeMetric(std::uint32_t dimension) : dimension_(dimension) {}

  std::uint32_t distance(Node node) const override { return static_cast<std::uint32_t>(std::popcount(node)); }

  std::vector<std::uint64_t> distance_counts() const override {
    std::vector<std::uint64_t> binomials{1};
    for (std::uint32_t j = 0; j < dimension_; ++j)
      binomials.push_back(binomials[j] * (dimension_ - j) / (j + 1));
    return binomials;
  }

 private:
  std::uint32_t dimension_;
};

}  // namespace

Network hypercube(std::uint32_t dimension) {
  if (dimension < 1 || dimension > largest_hypercube_dimension)
    throw Error(
        fmt::format("d = {}: a hypercube has 1 to {} dimensions", dimension, largest_hypercube_dimension));
  std::vector<Node> generators;
  for (std::uint32_t bit = 0; bit < dimension; ++bit) generators.push_back(Node{1} << bit);
  return Network(fmt::format("hypercube:{}", dimension), Group(std::vector<Coordinate>(dimension, 2)),
                 generators, std::make_shared<HypercubeMetric>(dimension));
}

}  // namespace isotrope::network
