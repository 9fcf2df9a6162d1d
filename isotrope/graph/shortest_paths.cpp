// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/graph/shortest_paths.hpp"

#include <algorithm>
#include <vector>

namespace isotrope::graph {
namespace {

std::uint64_t sum(std::uint64_t a, std::uint64_t b) {
  return a > too_many_paths - b ? too_many_paths : a + b;
}

// Searches from one node after the other.
class Search {
 public:
  explicit Search(const SurvivingNetwork& network) : network_(network), found_(network.whole().order()) {}

  // The paths to a node so far.
  struct Paths {
    std::uint32_t length = network::unreachable;
    std::uint64_t number = 0;
    double about = 0;  // the number, to 15 digits
  };

  // Calls function(paths) for every other node.
  template <class Function>
  void from(Node start, const Function& function) {
    std::ranges::fill(found_, Paths{});
    found_[start] = {0, 1, 1};
    reached_.assign(1, start);
    for (std::size_t i = 0; i < reached_.size(); ++i) {
      if (i > 0) function(found_[reached_[i]]);
      extend(reached_[i]);
    }
  }

 private:
  // All paths to a node are known when its turn comes.
  void extend(Node node) {
    const Paths here = found_[node];
    network_.for_each_neighbour(node, [&](Port, Node neighbour) {
      Paths& there = found_[neighbour];
      if (there.length == network::unreachable) {
        there.length = here.length + 1;
        reached_.push_back(neighbour);
      }
      if (there.length != here.length + 1) return;
      there.number = sum(there.number, here.number);
      there.about += here.about;
    });
  }

  const SurvivingNetwork& network_;
  std::vector<Paths> found_;   // by node
  std::vector<Node> reached_;  // by distance
};

}  // namespace

ShortestPaths shortest_paths(const SurvivingNetwork& network, std::span<const Node> from) {
  ShortestPaths result;
  Search search(network);
  std::uint64_t pairs = 0, length = 0;
  double number = 0;
  result.fewest = too_many_paths;
  for (const Node node : from) {
    search.from(node, [&](const Search::Paths& paths) {
      ++pairs;
      length += paths.length;
      number += paths.about;
      result.longest = std::max(result.longest, paths.length);
      result.fewest = std::min(result.fewest, paths.number);
      result.most = std::max(result.most, paths.number);
    });
  }
  if (pairs == 0) return {};
  result.mean_length = static_cast<double>(length) / static_cast<double>(pairs);
  result.mean_number = number / static_cast<double>(pairs);
  return result;
}

}  // namespace isotrope::graph
