// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/balanced_scatter.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <vector>

#include "isotrope/algorithm/rotation_order.hpp"

namespace isotrope::algorithm {
namespace {

constexpr std::uint32_t most_dimensions = 26;

// The packets that the root sends over one port, nearest first, and the packets now on their way: the one
// sent in round k stands in slot k mod d until it arrives, at most d rounds later.
class Subtree {
 public:
  Subtree(std::uint32_t dimension, std::uint32_t port) : dimension_(dimension), port_(port) {}

  void add(schedule::PacketId packet) { packets_.push_back(packet); }
  std::uint64_t size() const { return packets_.size(); }

  // The hops of one round.
  void advance(std::uint64_t round, network::Node root, std::uint32_t parts, schedule::Rounds& rounds) {
    if (round < packets_.size()) launch(round, parts);
    const std::uint32_t slots = round < dimension_ ? static_cast<std::uint32_t>(round) + 1 : dimension_;
    for (std::uint32_t slot = 0; slot < slots; ++slot) {
      Flight& flight = flights_[slot];
      if (flight.ahead == 0) continue;
      const auto bit = static_cast<std::uint32_t>(std::countr_zero(flight.ahead));
      const network::Node from = root ^ rotate_left(flight.behind, port_, dimension_);
      const std::uint32_t port = bit + port_ < dimension_ ? bit + port_ : bit + port_ - dimension_;
      rounds.add({flight.packet, from, port});
      flight.behind |= flight.ahead & -flight.ahead;
      flight.ahead &= flight.ahead - 1;
    }
  }

 private:
  // One bits already taken and still to take, rotated so that the leading bit is bit 0.
  struct Flight {
    schedule::PacketId packet = 0;
    std::uint32_t behind = 0;
    std::uint32_t ahead = 0;
  };

  void launch(std::uint64_t round, std::uint32_t parts) {
    const schedule::PacketId packet = packets_[packets_.size() - 1 - round];
    const std::uint32_t to_bottom = port_ == 0 ? 0 : dimension_ - port_;
    flights_[round % dimension_] = {packet, 0, rotate_left(packet / parts, to_bottom, dimension_)};
  }

  std::uint32_t dimension_;
  std::uint32_t port_;
  std::vector<schedule::PacketId> packets_;
  std::array<Flight, most_dimensions> flights_;
};

}  // namespace

schedule::Schedule balanced_scatter(std::uint32_t dimension, network::Node root, std::uint32_t parts) {
  std::vector<Subtree> subtrees;
  for (std::uint32_t port = 0; port < dimension; ++port) subtrees.emplace_back(dimension, port);
  for_each_in_rotation_order(dimension, parts, [&](std::uint32_t t, std::uint32_t m, std::uint32_t part) {
    subtrees[m].add(t * parts + part);
  });

  schedule::Stage stage{schedule::Flow::move, schedule::Replication::none(), {}, {}};
  const std::uint64_t hops = (std::uint64_t{dimension} << (dimension - 1)) * parts;
  stage.rounds.reserve(subtrees[0].size(), hops);
  while (stage.rounds.hop_count() < hops) {
    for (Subtree& subtree : subtrees) subtree.advance(stage.rounds.size(), root, parts, stage.rounds);
    stage.rounds.close_round();
  }
  schedule::Schedule result;
  result.stages.push_back(std::move(stage));
  return result;
}

std::vector<network::Node> balanced_tree(std::uint32_t dimension) {
  std::vector<network::Node> parents(std::size_t{1} << dimension, 0);
  for_each_in_rotation_order(dimension, 1, [&](std::uint32_t t, std::uint32_t m, std::uint32_t) {
    // The bit taken last is the highest once the leading bit is rotated to the bottom.
    const std::uint32_t upright = rotate_left(t, m == 0 ? 0 : dimension - m, dimension);
    parents[t] = rotate_left(upright ^ std::bit_floor(upright), m, dimension);
  });
  return parents;
}

}  // namespace isotrope::algorithm
