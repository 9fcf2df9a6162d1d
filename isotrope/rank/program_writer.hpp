// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes the program of a node: collects the fragments of a round by port, and closes them as messages.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "isotrope/network/network.hpp"

#include "isotrope/rank/program.hpp"

namespace isotrope::rank {

class ProgramWriter {
 public:
  using ByPort = std::vector<std::vector<Fragment>>;

  ProgramWriter(const network::Network& network, Node node, RankProgram& program)
      : network_(network),
        node_(node),
        program_(program),
        sent_(network.degree()),
        received_(network.degree()) {}

  ByPort& sent() { return sent_; }
  ByPort& received() { return received_; }
  /// Puts every message into ascending order of units.
  void sort() {
    for (ByPort* ports : {&sent_, &received_}) {
      for (std::vector<Fragment>& fragments : *ports) std::ranges::sort(fragments, {}, &Fragment::unit);
    }
  }
  /// A move before the sends of the round under construction, or after the last one.
  void add(LocalMove move) { program_.local_moves_.push_back(move); }
  /// Ends the local moves of the round under construction, or of the program. A program has them in no round or in all.
  void close_local_moves() {
    program_.local_ends_.push_back(static_cast<std::uint32_t>(program_.local_moves_.size()));
  }
  void close_round() {
    for (Port port = 0; port < sent_.size(); ++port) add_message(sent_[port], port);
    const auto sends = static_cast<std::uint32_t>(program_.messages_.size());
    for (Port port = 0; port < received_.size(); ++port) add_message(received_[port], port);
    program_.round_ends_.push_back({sends, static_cast<std::uint32_t>(program_.messages_.size())});
  }

 private:
  static bool follows(const Fragment& before, const Fragment& after) {
    const std::uint32_t n = before.count;
    return before.buffer == after.buffer && before.arrival == after.arrival &&
           before.unit + n == after.unit && before.place + n == after.place &&
           (after.arrival != OnArrival::join || before.own + n == after.own);
  }

  void add_message(std::vector<Fragment>& fragments, Port port) {
    if (fragments.empty()) return;
    const auto first = static_cast<std::uint32_t>(program_.fragments_.size());
    for (const Fragment& fragment : fragments) {
      if (program_.fragments_.size() > first && fragment.buffer != Buffer::slots &&
          follows(program_.fragments_.back(), fragment)) {
        ++program_.fragments_.back().count;
      } else {
        program_.fragments_.push_back(fragment);
      }
    }
    const auto count = static_cast<std::uint32_t>(program_.fragments_.size()) - first;
    program_.messages_.push_back({network_.neighbour(node_, port), port, first, count});
    fragments.clear();
  }

  const network::Network& network_;
  Node node_;
  RankProgram& program_;
  ByPort sent_, received_;
};

}  // namespace isotrope::rank
