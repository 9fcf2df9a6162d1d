// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/network/search_metric.hpp"

#include <cstdint>
#include <limits>
#include <mutex>
#include <span>
#include <utility>
#include <variant>

namespace isotrope::network {
namespace {

template <class Distance>
struct Search {
  // The greatest value of the type marks nodes not yet seen.
  static constexpr Distance unseen = std::numeric_limits<Distance>::max();

  std::vector<Distance> distances;
  std::vector<std::uint64_t> counts;

  // Fills both tables; false if the distances do not fit the type.
  template <class ConcreteGroup>
  bool run(const ConcreteGroup& group, std::span<const Node> generators) {
    distances.assign(group.order(), unseen);
    distances[0] = 0;
    std::vector<Node> level{0}, next;
    for (Distance distance = 0; !level.empty(); std::swap(level, next), next.clear()) {
      counts.push_back(level.size());
      if (++distance == unseen) return false;
      for (Node node : level) {
        for (Node generator : generators) {
          const Node neighbour = group.add(node, generator);
          if (distances[neighbour] != unseen) continue;
          distances[neighbour] = distance;
          next.push_back(neighbour);
        }
      }
    }
    return true;
  }
};

class SearchMetric final : public Metric {
 public:
  SearchMetric(Group group, std::vector<Node> generators)
      : group_(std::move(group)), generators_(std::move(generators)) {}

  std::uint32_t distance(Node node) const override {
    return std::visit([node](const auto& search) -> std::uint32_t { return search.distances[node]; },
                      searched());
  }

  std::vector<std::uint64_t> distance_counts() const override {
    return std::visit([](const auto& search) { return search.counts; }, searched());
  }

 private:
  using Table = std::variant<Search<std::uint16_t>, Search<std::uint32_t>>;

  const Table& searched() const {
    std::call_once(once_, [this] {
      group_.visit([this](const auto& group) {
        if (!table_.emplace<0>().run(group, generators_)) table_.emplace<1>().run(group, generators_);
      });
    });
    return table_;
  }

  Group group_;
  std::vector<Node> generators_;
  mutable std::once_flag once_;
  mutable Table table_;
};

}  // namespace

std::shared_ptr<const Metric> search_metric(Group group, std::vector<Node> generators) {
  return std::make_shared<const SearchMetric>(std::move(group), std::move(generators));
}

}  // namespace isotrope::network
