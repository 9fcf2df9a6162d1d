// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Messages between far nodes, digit by digit: the elements of a group in binary, several digits per round.
//
// Coordinate c of an element has the digits 1, 2, 4, ... below its modulus. The digits of the last coordinate come
// first, and `at_once` of them make a round. A packet with relative address x, the rest of its way, leaves in the
// first round in which x has a digit, to the node at which x has none of the digits of that round:
//
//     Z_8, 2 at once      round 0: 1 2   round 1: 4      address 6 leaves in round 0 by 2, then in round 1 by 4
//     Z_5, 1 at once      rounds 1, 2, 4                 address 3 leaves in round 0 by 1, then in round 1 by 2
//
// If a modulus is a power of two, digits that stand for more than half of their maximum are compensated by one of
// the next digit, so messages go both ways round: in Z_8, address 3 leaves by -1, then by 4. The descending order
// takes the first coordinate and its largest digits first, without compensation.
//
// Digits of a round, once taken away, stay 0 in later rounds: elsewhere coordinates only become smaller, and a
// carry moves up. So every chain of addresses ends at 0, and the legs make a timetable (timetable.hpp) on the Cayley
// graph of the offsets. With one digit at once the result is recursive halving and doubling, on hypercubes and, as
// Bruck's, on groups of any order; with the digits of an axis, sends along rows and columns; with all digits, every
// node sends to every other.
//
// Rounds: ceil(digits / at_once), of at most 2^at_once - 1 messages per node. Cost: O(rounds coordinates) per leg.
// Source: J. Bruck et al., Efficient algorithms for all-to-all communications, IEEE TPDS 8(11), 1997, for Z_N.
#pragma once

#include <cstdint>
#include <vector>

#include "isotrope/network/network.hpp"

#include "isotrope/algorithm/timetable/timetable.hpp"

namespace isotrope::algorithm {

/// The next move of a packet from a relative address: by `offset`, in `round`.
struct Leg {
  std::uint32_t round = 0;
  network::Node offset = 0;

  bool operator==(const Leg&) const = default;
};

class DigitSends {
 public:
  enum class DigitOrder { ascending, descending };

  /// @pre at_once >= 1. Refers to the group.
  DigitSends(const network::Group& group, std::uint32_t at_once, DigitOrder order = DigitOrder::ascending);

  /// The number of digits of all coordinates together.
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
    network::Node stride;  // the element with coordinate 1
    network::Coordinate modulus;
    network::Coordinate mask;
    bool carries;

    // The amount to subtract from the coordinate so that it loses these digits.
    network::Coordinate offset(network::Coordinate coordinate) const;
  };
  using Round = std::vector<Digits>;

  void add(const Digits& digit, std::uint32_t at_once);

  const network::Group& group_;
  std::vector<Round> rounds_;
  std::uint32_t in_last_round_ = 0;  // digits
};

}  // namespace isotrope::algorithm
