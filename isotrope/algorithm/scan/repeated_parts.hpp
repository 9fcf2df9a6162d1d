// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The exchange of a few parts, mostly of one, repeated for all parts of the vector at equal intervals of rounds.
//
//     one part uses a link in rounds 0 and 1    interval 2    part 0 in rounds 0 and 1, part 1 in 2 and 3, ...
//     one part uses a link in rounds 0 and 3    interval 2    part 0 in rounds 0 and 3, part 1 in 2 and 5, ...
//
// The interval is the least one in which no link and no node has more to do than in one round. In aggregated rounds all
// parts go together, and the interval is 0. Of the last repetition only the parts that are left go.
// Rounds in which nothing goes are left out.
//
// Cost: O(parts * hops), and O(hops log hops) for every interval tried, from what the busiest link has to do on.
#pragma once

#include <cstdint>
#include <vector>

#include "isotrope/network/network.hpp"

#include "isotrope/schedule/schedule.hpp"

namespace isotrope::algorithm {

class RepeatedParts {
 public:
  /// @pre `group` is a valid exchange of one stage on `network`, which outlives this object, and lists all hops; its sums
  /// stand in the order of their parts
  RepeatedParts(const network::Network& network, schedule::Schedule group);

  /// The parts of the group.
  std::uint32_t group_parts() const { return static_cast<std::uint32_t>(busy_.size()); }
  std::uint64_t interval() const { return interval_; }
  /// The values that all nodes add up for the parts of the group.
  std::uint64_t added_values() const;
  /// @pre parts > 0, also below
  std::uint64_t rounds(std::uint32_t parts) const;
  schedule::Schedule schedule(std::uint32_t parts) const;

 private:
  /// Whether anything goes in round `t` if no round is left out.
  bool is_busy(std::uint32_t parts, std::uint64_t t) const;

  schedule::Schedule group_;
  std::uint64_t interval_;
  std::vector<std::vector<bool>>
      busy_;  // by number of parts less one and round: whether any of these parts goes
};

}  // namespace isotrope::algorithm
