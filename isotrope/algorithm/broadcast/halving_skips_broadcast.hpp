// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Broadcast on complete networks over one port, P packets to N nodes in P - 1 + ceil(log2 N) rounds: the bound.
//
//     skips     s_q = N, s_k = ceil(s_(k+1) / 2) down to s_0 = 1; q = ceil(log2 N)
//     rounds    t = x, ..., x + P - 2 + q with x = (1 - P) mod q; in round t every node v but the last ones sends to
//               v + s_(t mod q), by relative addresses, and so receives from v - s_(t mod q)
//     labels    a node receives in q rounds running one packet of its base label and q - 1 older ones: the packet of
//               round t is label_(t mod q)(receiver) + q floor(t / q) - x. Negative: nothing; beyond the last: the last,
//               unless the receiver has it
//
// A node's base label is the largest skip in the canonical sum of its address: the round in which the packet comes to
// it over the least skips, on the way of that sum. Its other labels are those of the nodes from which the sums of
// shorter ways come, found by a search over sums of skips, each ending in the window (v - s_(k+1), v - s_k].
//
// Claim: P - 1 + ceil(log2 N) rounds, N - 1 hops a packet; checked for all N up to 1100, not proved.
// Cost: O(N (P + log^2 N)), the search for labels as measured.
// Source: J. L. Traff, Optimal broadcast schedules in logarithmic time, 2024, for the skips and labels.
#pragma once

#include <cstdint>
#include <vector>

#include "isotrope/schedule/schedule.hpp"

namespace isotrope::algorithm {

/// The labels of all nodes of a complete network.
class HalvingSkips {
 public:
  /// @pre nodes >= 2.
  explicit HalvingSkips(std::uint32_t nodes);

  /// q, the rounds of one packet.
  std::uint32_t count() const { return static_cast<std::uint32_t>(skips_.size()) - 1; }
  std::uint32_t skip(std::uint32_t k) const { return static_cast<std::uint32_t>(skips_[k]); }
  /// label_0, ..., label_(q-1) of the node at `address` 1..N-1 from the root: from -q to q - 1.
  std::vector<std::int32_t> labels(std::uint32_t address) const;

 private:
  std::uint32_t base(std::uint32_t address) const;

  std::vector<std::int64_t> skips_;  // s_0, ..., s_q
};

std::uint64_t halving_skips_rounds(std::uint32_t nodes, std::uint32_t parts);

/// @pre a complete network on a cyclic group, with at least 2 nodes, and parts >= 1.
schedule::Schedule halving_skips_broadcast(const network::Network& network, network::Node root,
                                           std::uint32_t parts);

}  // namespace isotrope::algorithm
