// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The routes of an exchange that all ranks balance (forward/balanced_routes.hpp), and when they do. That costs a sum over all
// ranks before the first byte, so it must be likely to pay; and all ranks must decide alike, although no rank knows the sizes
// of the others. They decide from the exchanges before: each tells all ranks the most bytes that one of them has sent, without a
// message of its own (forward/forwarder.hpp).
//
// Only exchanges that the caller has waited for count, because all ranks know then that they are over. If balancing was
// tried in vain, 1, 2, 4, ... 64 exchanges pass until it is tried again.
//
// Memory of an exchange: 8 bytes a lane of the network, and, for each round, 8 bytes * (diameter + 3) * ranks.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "isotrope/forward/balanced_routes.hpp"
#include "isotrope/mpi/forwarding.hpp"

namespace isotrope::mpi {

class RouteHistory {
 public:
  /// The most bytes that a rank sent in the last exchange; 0 before the first one.
  std::uint64_t most_sent() const { return most_sent_; }
  /// Whether the next exchange balances its routes, if it lasts long enough. Counts the exchange.
  bool tries() {
    if (passing_ == 0) return true;
    --passing_;
    return false;
  }
  /// Takes what all ranks know of an exchange that is over.
  void take(std::uint64_t most_sent) { most_sent_ = most_sent; }
  /// Takes the rounds that were made in an exchange that tried.
  void take_rounds(std::uint32_t rounds) {
    passing_ = rounds > 0 ? 0 : next_pause_;
    next_pause_ = rounds > 0 ? 1 : std::min(2 * next_pause_, longest_pause);
  }

 private:
  static constexpr std::uint32_t longest_pause = 64;

  std::uint64_t most_sent_ = 0;
  std::uint32_t passing_ = 0, next_pause_ = 1;
};

/// The agreement on the routes of one exchange.
class RouteBalancing {
 public:
  /// @param bytes of the blocks of `rank`, by destination @param received bytes that it receives
  RouteBalancing(std::shared_ptr<ForwardingTables> tables, network::Node rank,
                 std::vector<std::uint64_t> bytes, std::uint64_t received);

  /// What is summed over all ranks, in place: first all of it, then the loads once a round.
  std::span<std::uint64_t> demand() { return numbers_; }
  std::span<std::uint64_t> loads() {
    return std::span(numbers_).first(forward::BalancedRoutes::round_numbers(tables_->lanes()));
  }

  /// Begins anew: writes the demand.
  void begin();
  /// Takes the sums of the demand and decides how many rounds pay; writes the loads of the first one.
  void take_demand(double byte_s, double round_s);
  /// Takes the sums of the loads; writes those of the next round.
  void take_loads();

  bool wants_round() const { return made_ < wanted_; }
  std::uint32_t rounds() const { return made_; }
  const forward::BalancedRoutes& routes() const { return *routes_; }

 private:
  std::shared_ptr<ForwardingTables> tables_;
  network::Node rank_;
  std::vector<std::uint64_t> bytes_;
  std::uint64_t received_;
  std::vector<std::uint64_t> numbers_;
  std::optional<forward::BalancedRoutes> routes_ = {};
  std::uint32_t wanted_ = 0, made_ = 0;  // rounds
};

}  // namespace isotrope::mpi
