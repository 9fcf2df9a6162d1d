// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The time of rounds whose messages pass nodes without a stop, on a cut-through machine. A round takes
// Machine::direct_round_time of its farthest message and its busiest link. A message reaches the links that it shares
// after its hops, so that links wait for messages from far away:
//
//     ring:8, all to x + 1 and x + 3, 1 s a hop and a block    those of 3 hops: 3 s + 3 blocks; all: 1 s + 4 blocks
//
// If nodes send their farthest messages first, those wait for no others: message i of a node comes when i messages have
// been prepared and it has gone its way.
//
// Links of several classes: a message starts as slowly as over any link that messages of its distance use, its bytes pass as
// slowly as over the slowest of these, and the busiest link of every axis counts with its own time per byte.
//
//     torus:4x4, axis 1 half as fast, all to (x + 1, y) and (x, y + 1)    1 s and 2 blocks' time: the longer one over axis 1
//
// Cost: O(1) per round; O(M log M) for M messages in an order.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "isotrope/cost/machine.hpp"
#include "isotrope/cost/prediction.hpp"

namespace isotrope::cost {

/// The load of the messages of a round that go far.
struct FarLoad {
  std::uint32_t hops = 1;     ///< of the nearest of them
  std::uint64_t busiest = 0;  ///< blocks over one link, at most
  /// Messages that one node sends, and that one receives, at most, if every node sends its farthest first; 0: in any
  /// order, so that all of the round may come before the farthest.
  std::uint64_t messages = 0;
  std::uint64_t received = 0;

  bool operator==(const FarLoad&) const = default;
};

/// What the messages of a round that go so many hops or more load of one axis; links along none are axis `rank`.
struct AxisLoad {
  std::uint32_t hops = 1;
  std::uint32_t axis = 0;
  std::uint64_t busiest = 0;  ///< blocks over one link, at most

  bool operator==(const AxisLoad&) const = default;
};

/// The load of one round, in blocks.
struct CutThroughRound {
  std::uint64_t messages = 0;  ///< that one node sends, at most
  std::uint64_t received = 0;  ///< messages that one node receives, at most
  std::uint64_t sent = 0;      ///< blocks that one node sends, at most
  std::uint64_t largest = 0;   ///< blocks in a message, at most
  std::uint64_t busiest = 0;   ///< blocks over one link, at most
  std::uint32_t hops = 1;      ///< of the farthest message
  /// By the hops of its messages, ascending: what those of so many hops or more load. Empty: all take one hop.
  std::vector<FarLoad> far = {};
  /// For every entry of `far`, the axes that its messages use.
  std::vector<AxisLoad> axes = {};

  bool operator==(const CutThroughRound&) const = default;
  /// Adds the load of each axis with any, of messages of so many hops or more.
  void add_axes(std::uint32_t at_least, std::span<const std::uint64_t> busiest_by_axis);
};

/// The prediction for blocks of `block_bytes`, each sent whole. With `by_axis` links have these times (link_times.hpp), else
/// the machine's. @pre machine.cut_through, or all messages take one hop.
Prediction cut_through(std::span<const CutThroughRound> rounds, std::uint64_t block_bytes,
                       const Machine& machine, std::span<const LinkTime> by_axis = {});

}  // namespace isotrope::cost
