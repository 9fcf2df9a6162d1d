// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The routes of an exchange that all ranks balance (forward/balanced_routes.hpp): one sum over all ranks before the first
// round, and one a round. When they do is decided from earlier exchanges (exchange_history.hpp).
//
// Memory of an exchange: 8 bytes a lane of the network, and, for each round, 8 bytes * (diameter + 3) * ranks.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "isotrope/forward/balanced_routes.hpp"
#include "isotrope/mpi/forwarding.hpp"

namespace isotrope::mpi {

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
