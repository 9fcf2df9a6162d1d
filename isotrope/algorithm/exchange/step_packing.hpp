// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Packets packed into steps of limited loads, by an ejection search.
//
//     item      a packet with the loads that each of its routes puts on the ports
//     step      at most so many items, with at most so much load on every port
//     insert    Into the step, and by the route, for which the cheapest occupants must leave: at most three, those of the least
//               weights. The weight of an item grows by one whenever its insertion makes others leave
//
// A vector packing problem with as many dimensions as ports. Cost of an insertion: steps * routes * sets of at most
// three occupants; of more than 16 occupants, singles only are tried.
#pragma once

#include <cstdint>
#include <vector>

#include "isotrope/base/split_mix.hpp"

namespace isotrope::algorithm {

/// Packets of a step on a link of each port.
using PortLoads = std::vector<std::uint32_t>;

/// The room of a step.
struct StepRoom {
  std::uint32_t items;
  std::uint32_t load;  ///< of every port
};

/// A step and one of the loads of an item.
struct PackedItem {
  std::uint32_t step = 0;
  std::uint32_t choice = 0;
};

class StepPacking {
 public:
  /// `loads` lists, by item, the loads that it may have. @pre each item has one that fits into some empty step.
  StepPacking(std::vector<std::vector<PortLoads>> loads, std::vector<StepRoom> steps, std::uint32_t seed);

  /// Inserts items until all are packed, or until about `work` places have been looked at. Returns whether all are.
  bool run(std::uint64_t work);
  std::uint64_t work() const { return work_; }

  /// By item. @pre run has returned true.
  const std::vector<PackedItem>& items() const { return placed_; }

 private:
  struct Best {
    std::uint64_t cost = UINT64_MAX;
    std::uint32_t step = 0;
    std::uint32_t choice = 0;
    std::vector<std::uint32_t> leaving;
  };

  void insert(std::uint32_t item);
  Best any_emptied(std::uint32_t item);
  void look_at(std::uint32_t item, std::uint32_t step, std::uint32_t choice, Best& best);
  void try_leaving(std::uint32_t step, std::size_t first, std::uint64_t cost, Best& best);
  bool has_room(std::uint32_t step) const;
  void move_out(std::uint32_t item);
  const PortLoads& loads_of(std::uint32_t item) const { return loads_[item][placed_[item].choice]; }

  std::vector<std::vector<PortLoads>> loads_;
  std::vector<StepRoom> rooms_;
  SplitMix random_;
  std::vector<std::vector<std::uint32_t>> members_;  // by step
  std::vector<PortLoads> used_;                      // by step
  std::vector<PackedItem> placed_;
  std::vector<std::uint64_t> weights_;
  std::vector<std::uint32_t> queue_;
  std::vector<std::int64_t> excess_;    // by port, while an insertion looks at a step
  std::vector<std::uint32_t> leaving_;  // occupants chosen to leave
  std::uint32_t choice_ = 0;            // of the item being inserted
  std::uint64_t work_ = 0;
};

}  // namespace isotrope::algorithm
