// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Messages between far nodes, digit by digit: the elements of a group in binary, several digits a round.
//
// Coordinate c of an element has the digits 1, 2, 4, ... below its modulus, those of the last coordinate come
// first, and `at_once` of them make a round. A packet with relative address x, what is left of its way, leaves
// in the first round of which x has a digit, to the node for which x has none of them:
//
//     Z_8, 2 at once      round 0: 1 2   round 1: 4      address 6 leaves in round 0 by 2, then in round 1 by 4
//     Z_5, 1 at once      rounds 1, 2, 4                 address 3 leaves in round 0 by 1, then in round 1 by 2
//
// Where a modulus is a power of two, digits of it that stand for more than half of what they can are made up
// for by one of the next, so that messages go both ways round: in Z_8, address 3 leaves by -1, then by 4. The
// same digits may also be taken the other way round, the first coordinate and its largest digits first, and
// without that.
//
// Digits of a round, once taken away, stay 0 in the rounds after it: elsewhere coordinates only become smaller,
// and a carry moves up. So every chain of addresses ends at 0, and the legs make a timetable (timetable.hpp)
// on the Cayley graph of the offsets. With one digit at once it is recursive halving and doubling, on
// hypercubes and, as Bruck's, on groups of any order; with those of an axis, sends along rows and columns;
// with all of them, every node sends to every other.
//
// Rounds: ceil(digits / at_once), of at most 2^at_once - 1 messages a node. Cost: O(rounds coordinates) a leg.
// Source: J. Bruck et al., Efficient algorithms for all-to-all communications, IEEE TPDS 8(11), 1997, for Z_N.
#pragma once

#include <cstdint>
#include <vector>

#include "isotrope/network/network.hpp"

#include "isotrope/algorithm/timetable/timetable.hpp"

namespace isotrope::algorithm {

/// Where a packet goes from a relative address: by `offset`, in `round`.
struct Leg {
  std::uint32_t round = 0;
  network::Node offset = 0;

  bool operator==(const Leg&) const = default;
};

class DigitSends {
 public:
  enum class Order { ascending, descending };

  /// @pre at_once >= 1. Refers to the group.
  DigitSends(const network::Group& group, std::uint32_t at_once, Order order = Order::ascending);

  /// The digits of all coordinates together.
  static std::uint32_t digits(const network::Group& group);

  std::uint32_t rounds() const { return static_cast<std::uint32_t>(rounds_.size()); }
  /// The leg from a relative address, 1..N-1.
  Leg leg(network::Node address) const;
  /// The Cayley graph of the group whose generators are all offsets and their inverses, ascending.
  network::Network overlay() const;
  /// The legs as departures over the ports of `overlay`, which has all offsets among its generators.
  Timetable timetable(const network::Network& overlay) const;

 private:
  // Some digits of one coordinate.
  struct Digits {
    std::size_t axis;
    network::Node stride;  // of the coordinate in the numbers of elements
    network::Coordinate modulus;
    network::Coordinate mask;
    bool carries;

    // By how much the coordinate changes to lose these digits.
    network::Coordinate offset(network::Coordinate coordinate) const;
  };
  using Round = std::vector<Digits>;

  void add(const Digits& digit, std::uint32_t at_once);

  const network::Group& group_;
  std::vector<Round> rounds_;
  std::uint32_t in_last_round_ = 0;  // digits
};

}  // namespace isotrope::algorithm
