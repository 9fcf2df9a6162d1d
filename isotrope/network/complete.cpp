// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/network/complete.hpp"

#include <numeric>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"

namespace isotrope::network {
namespace {

class CompleteMetric final : public Metric {
 public:
  explicit CompleteMetric(Node order) : order_(order) {}

  std::uint32_t distance(Node node) const override { return node == 0 ? 0 : 1; }

  std::vector<std::uint64_t> distance_counts() const override {
    if (order_ == 1) return {1};
    return {1, order_ - 1};
  }

 private:
  Node order_;
};

}  // namespace

Network complete(Node order) {
  if (order < 1 || order > largest_complete_order)
    throw Error(fmt::format("N = {}: a complete network has 1 to {} nodes", order, largest_complete_order));
  std::vector<Node> generators(order - 1);
  std::iota(generators.begin(), generators.end(), Node{1});
  return Network(fmt::format("complete:{}", order), Group({order}), std::move(generators),
                 std::make_shared<CompleteMetric>(order));
}

bool is_complete(const Network& network) {
  return network.group().rank() == 1 && network.degree() == network.order() - 1 && network.diameter() <= 1;
}

}  // namespace isotrope::network
