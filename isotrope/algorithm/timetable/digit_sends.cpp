// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/timetable/digit_sends.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace isotrope::algorithm {

using network::Coordinate;
using network::Group;
using network::Network;
using network::Node;
using network::Port;

DigitSends::DigitSends(const Group& group, std::uint32_t at_once, DigitOrder order) : group_(group) {
  std::vector<Digits> digits;
  Node stride = 1;
  for (std::size_t axis = group.rank(); axis-- > 0;) {
    const Coordinate modulus = group.moduli()[axis];
    const bool carries = order == DigitOrder::ascending && std::has_single_bit(modulus);
    for (std::uint64_t digit = 1; digit < modulus; digit *= 2)
      digits.push_back({axis, stride, modulus, static_cast<Coordinate>(digit), carries});
    stride *= modulus;
  }
  if (order == DigitOrder::descending) std::ranges::reverse(digits);
  for (const Digits& digit : digits) add(digit, at_once);
}

void DigitSends::add(const Digits& digit, std::uint32_t at_once) {
  if (rounds_.empty() || in_last_round_ == at_once) {
    rounds_.emplace_back();
    in_last_round_ = 0;
  }
  Round& round = rounds_.back();
  if (round.empty() || round.back().axis != digit.axis) {
    round.push_back(digit);
  } else {
    round.back().mask |= digit.mask;
  }
  ++in_last_round_;
}

Coordinate DigitSends::Digits::offset(Coordinate coordinate) const {
  const Coordinate value = coordinate & mask, next = mask + (mask & -mask);
  return carries && value > next / 2 ? modulus - next + value : value;
}

std::uint32_t DigitSends::digits(const Group& group) {
  std::uint32_t result = 0;
  for (const Coordinate modulus : group.moduli())
    result += static_cast<std::uint32_t>(std::bit_width(modulus - 1));
  return result;
}

Leg DigitSends::leg(Node address) const {
  Leg result;
  for (; result.round < rounds_.size(); ++result.round) {
    for (const Digits& digits : rounds_[result.round])
      result.offset += digits.offset(group_.coordinate(address, digits.axis)) * digits.stride;
    if (result.offset > 0) break;
  }
  return result;
}

Network DigitSends::overlay() const {
  std::vector<bool> used(group_.order(), false);
  for (Node address = 1; address < group_.order(); ++address) {
    const Node offset = leg(address).offset;
    used[offset] = used[group_.negate(offset)] = true;
  }
  std::vector<Node> generators;
  for (Node offset = 1; offset < group_.order(); ++offset) {
    if (used[offset]) generators.push_back(offset);
  }
  return {"cayley", group_, std::move(generators)};
}

Timetable DigitSends::timetable(const Network& overlay) const {
  std::vector<Port> port_of(overlay.order(), 0);
  for (Port port = 0; port < overlay.degree(); ++port) port_of[overlay.generators()[port]] = port;
  Timetable result(overlay.order(), 1, rounds());
  for (Node address = 1; address < overlay.order(); ++address) {
    const auto [round, offset] = leg(address);
    result.at(0, address) = {round, port_of[offset]};
  }
  return result;
}

}  // namespace isotrope::algorithm
