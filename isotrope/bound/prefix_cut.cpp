// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/bound/prefix_cut.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace isotrope::bound {
namespace {

class PrefixCuts {
 public:
  explicit PrefixCuts(const schedule::Problem& problem)
      : problem_(problem), network_(problem.network, problem.failed), inside_(problem.network.order(), 0) {}

  Bound run() {
    const std::size_t nodes = network_.nodes().size();
    for (std::size_t block = 1; block < nodes; block *= 2) {
      for (std::size_t i = 0; i < nodes; ++i) inside_[network_.nodes()[i]] = i / block % 2 == 0 ? 1 : 0;
      consider(block == 1 ? "every other node" : fmt::format("every other run of {} nodes", block));
    }
    const network::Group& group = problem_.network.group();
    for (std::size_t axis = 0; axis < group.rank(); ++axis) {
      const std::uint64_t extent = group.moduli()[axis];
      if (extent > most_layers) continue;
      for (std::uint64_t end = 1; end < extent; ++end) consider_slab(axis, 0, end);
      for (std::uint64_t begin = 1; extent > 2 && begin < extent; ++begin)
        consider_slab(axis, begin, begin + extent / 2);
    }
    return best_;
  }

 private:
  static constexpr std::uint64_t most_layers = 512;

  // The nodes with a coordinate of at least `begin`, and below `end` modulo the extent.
  void consider_slab(std::size_t axis, std::uint64_t begin, std::uint64_t end) {
    const network::Group& group = problem_.network.group();
    const std::uint64_t extent = group.moduli()[axis];
    for (const Node node : network_.nodes())
      inside_[node] = (group.coordinate(node, axis) + extent - begin) % extent < end - begin ? 1 : 0;
    consider(fmt::format("the nodes with coordinates {} to {} of axis {}", begin, (end - 1) % extent, axis));
  }

  void consider(const std::string& set) {
    const std::uint64_t messages = crossing_messages();
    consider_side(set, 1, messages);
    consider_side(set, 0, messages);
  }
  // `messages`: the most that may leave the side in a round.
  void consider_side(const std::string& set, std::uint8_t side, std::uint64_t messages) {
    const std::uint64_t sums = sums_that_leave(side) * problem_.task.parts;
    if (sums == 0 || messages == 0) return;
    const std::uint64_t room = saturating_product(messages, problem_.aggregation),
                        value = ceil_div(sums, room);
    if (value <= best_.value) return;
    best_ = {"cut", value,
             fmt::format(
                 "{} must {} the others {} different sums, in at most {} messages a round: ceil({}/{}) = {}",
                 set, side == 1 ? "send" : "receive from", sums, messages, sums, room, value)};
  }

  // The different sums of nodes on a side that nodes on the other side need.
  std::uint64_t sums_that_leave(std::uint8_t side) const {
    std::uint64_t sums = 0;
    bool is_new = false;
    for (const Node node : network_.nodes()) {
      if (inside_[node] == side) {
        is_new = true;
      } else if (is_new) {
        ++sums;
        is_new = false;
      }
    }
    return sums;
  }

  // The most messages that may leave either side in a round: the sends of its nodes, and the receives of the others.
  std::uint64_t crossing_messages() const {
    const Port limit = problem_.ports.sends(problem_.network.degree());
    std::uint64_t inside = 0, outside = 0;
    for (const Node node : network_.nodes()) {
      Port links = 0;
      network_.for_each_neighbour(
          node, [&](Port, Node neighbour) { links += inside_[neighbour] != inside_[node] ? 1 : 0; });
      (inside_[node] == 1 ? inside : outside) += std::min(links, limit);
    }
    return std::min(inside, outside);
  }

  const schedule::Problem& problem_;
  SurvivingNetwork network_;
  std::vector<std::uint8_t> inside_;  // by node
  Bound best_{"cut", 0, ""};
};

}  // namespace

std::optional<Bound> prefix_cut_bound(const schedule::Problem& problem) {
  constexpr std::uint64_t most_links = std::uint64_t{1} << 16;
  const auto& edges = problem.failed.edges;
  if ((edges.empty() ? problem.network.directed_links() : 2 * edges.size()) > most_links) return std::nullopt;
  Bound best = PrefixCuts(problem).run();
  if (best.value == 0) return std::nullopt;
  return best;
}

}  // namespace isotrope::bound
