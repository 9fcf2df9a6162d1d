// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/network/product.hpp"

#include <memory>
#include <utility>

#include "isotrope/network/convolution.hpp"

namespace isotrope::network {
namespace {

class ProductMetric final : public Metric {
 public:
  explicit ProductMetric(const std::vector<Network>& factors) : factors_(factors.rbegin(), factors.rend()) {}

  std::uint32_t distance(Node node) const override {
    std::uint32_t sum = 0;
    for (const Network& factor : factors_) {
      sum += factor.distance(0, node % factor.order());
      node /= factor.order();
    }
    return sum;
  }

  std::vector<std::uint64_t> distance_counts() const override {
    std::vector<std::uint64_t> counts{1};
    for (const Network& factor : factors_) counts = convolution(counts, factor.distance_counts());
    return counts;
  }

 private:
  std::vector<Network> factors_;  // the last one first
};

}  // namespace

Network product(std::string name, const std::vector<Network>& factors) {
  std::vector<Coordinate> moduli;
  for (const Network& factor : factors) {
    const auto more = factor.group().moduli();
    moduli.insert(moduli.end(), more.begin(), more.end());
  }
  Group group(std::move(moduli));
  std::vector<Node> generators;
  Node stride = group.order();
  for (const Network& factor : factors) {
    stride /= factor.order();
    for (const Node generator : factor.generators()) generators.push_back(generator * stride);
  }
  auto metric = std::make_shared<ProductMetric>(factors);
  return Network(std::move(name), std::move(group), std::move(generators), std::move(metric));
}

}  // namespace isotrope::network
