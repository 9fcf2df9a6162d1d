// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/timetable/digit_sends.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isotrope/network/parse.hpp"

#include "tests/algorithm/timetable_check.hpp"

namespace isotrope::algorithm {
namespace {

using network::Group;
using network::Network;
using network::Node;
using schedule::PortModel;
using testing::ElementsAre;

// The drawing of digit_sends.hpp.
TEST(DigitSends, of_cyclic_groups_by_hand) {
  const Group eight({8});
  const DigitSends pairs(eight, 2);
  EXPECT_EQ(pairs.rounds(), 2u);
  EXPECT_EQ(pairs.leg(6), (Leg{0, 2}));
  EXPECT_EQ(pairs.leg(4), (Leg{1, 4}));
  EXPECT_EQ(pairs.leg(3), (Leg{0, 7}));  // by -1, which leaves 4
  EXPECT_EQ(pairs.leg(7), (Leg{0, 7}));
  const Group five({5});
  const DigitSends single(five, 1);
  EXPECT_EQ(single.rounds(), 3u);
  EXPECT_EQ(single.leg(3), (Leg{0, 1}));
  EXPECT_EQ(single.leg(2), (Leg{1, 2}));
  const Network overlay = single.overlay();
  EXPECT_THAT(std::vector(overlay.generators().begin(), overlay.generators().end()), ElementsAre(1, 2, 3, 4));
}

// Number 5 x + y of torus:3x5: the digits 1, 2, 4 of y, then 1, 2 of x; three at once.
TEST(DigitSends, take_the_last_coordinate_first) {
  const Group group({3, 5});
  EXPECT_EQ(DigitSends::digits(group), 5u);
  const DigitSends sends(group, 3);
  EXPECT_EQ(sends.leg(2 * 5 + 4), (Leg{0, 4}));
  EXPECT_EQ(sends.leg(2 * 5), (Leg{1, 10}));
  const DigitSends mixed(group, 4);
  EXPECT_EQ(mixed.leg(1 * 5 + 3), (Leg{0, 8}));  // y and the first digit of x
  EXPECT_EQ(mixed.leg(2 * 5 + 3), (Leg{0, 3}));
}

TEST(DigitSends, are_timetables_on_any_group) {
  for (const char* name :
       {"hypercube:4", "ring:7", "torus:3x5", "torus:4x6", "hexmesh:3", "circulant:13:1,5"}) {
    const Network network = network::parse(name);
    const std::uint32_t digits = DigitSends::digits(network.group());
    for (std::uint32_t at_once = 1; at_once <= digits + 1; ++at_once) {
      const DigitSends sends(network.group(), at_once);
      EXPECT_EQ(sends.rounds(), (digits + at_once - 1) / at_once);
      const Network overlay = sends.overlay();
      for (std::uint32_t parts : {1u, 3u}) {
        const auto report = check_timetable(overlay, parts, PortModel::all(), sends.timetable(overlay));
        EXPECT_EQ(report.rounds, sends.rounds()) << name << " " << at_once;
      }
    }
  }
}

// Bruck's rounds: one message a node in each, in as many as digits.
TEST(DigitSends, one_at_once_take_one_port) {
  for (const char* name : {"ring:2", "ring:19", "hypercube:5", "torus:5x5"}) {
    const Network network = network::parse(name);
    const DigitSends sends(network.group(), 1);
    const Network overlay = sends.overlay();
    const auto report = check_timetable(overlay, 1, PortModel::one(), sends.timetable(overlay));
    EXPECT_EQ(report.rounds, DigitSends::digits(network.group())) << name;
  }
}

}  // namespace
}  // namespace isotrope::algorithm
