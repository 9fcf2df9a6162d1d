// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/broadcast/pipelined_rounds.hpp"

#include <algorithm>
#include <vector>

namespace isotrope::algorithm {
namespace {

// By tree, the number of rounds after which its first packet has come everywhere.
std::vector<std::uint64_t> heights(const schedule::Rounds& first, std::uint32_t trees) {
  std::vector<std::uint64_t> result(trees, 0);
  for (std::uint64_t t = 0; t < first.size(); ++t) {
    for (const schedule::Hop& hop : first.round(t)) result[hop.packet] = t + 1;
  }
  return result;
}

}  // namespace

schedule::Rounds pipelined_rounds(const schedule::Rounds& first, std::uint32_t trees, std::uint64_t period,
                                  std::uint32_t parts) {
  if (first.hop_count() == 0) return {};  // a single node
  const std::vector<std::uint64_t> height = heights(first, trees);
  std::uint64_t rounds = 0;
  for (std::uint32_t c = 0; c < std::min(trees, parts); ++c)
    rounds = std::max(rounds, height[c] + (parts - 1 - c) / trees * period);

  schedule::Rounds result;
  result.reserve(rounds, first.hop_count() / trees * parts);
  const std::uint64_t last = (parts - 1) / trees;
  for (std::uint64_t t = 0; t < rounds; ++t) {
    for (std::uint64_t turn = std::min(last, t / period) + 1; turn-- > 0;) {
      if (t - turn * period >= first.size()) break;
      for (const auto [tree, from, port] : first.round(t - turn * period)) {
        const std::uint64_t packet = tree + turn * trees;
        if (packet < parts) result.add({static_cast<schedule::PacketId>(packet), from, port});
      }
    }
    result.close_round();
  }
  return result;
}

}  // namespace isotrope::algorithm
