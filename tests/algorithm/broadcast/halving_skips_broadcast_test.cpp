// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/broadcast/halving_skips_broadcast.hpp"

#include <bit>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "isotrope/network/complete.hpp"

#include "isotrope/verify/verify.hpp"

#include "tests/sanitizers.hpp"

namespace isotrope::algorithm {
namespace {

using network::Network;
using network::Node;

TEST(HalvingSkips, halve) {
  const HalvingSkips skips(13);
  EXPECT_EQ(skips.count(), 4U);
  EXPECT_EQ(skips.skip(0), 1U);
  EXPECT_EQ(skips.skip(1), 2U);
  EXPECT_EQ(skips.skip(2), 4U);
  EXPECT_EQ(skips.skip(3), 7U);
}

// So a node receives every packet once: one of each residue class.
TEST(HalvingSkips, give_each_node_labels_of_all_classes) {
  for (std::uint32_t nodes = 2; nodes <= 1100; ++nodes) {
    const HalvingSkips skips(nodes);
    const auto q = static_cast<std::int32_t>(skips.count());
    for (std::uint32_t address = 1; address < nodes; ++address) {
      std::set<std::int32_t> classes;
      for (const std::int32_t label : skips.labels(address)) classes.insert((label + q) % q);
      ASSERT_EQ(classes.size(), skips.count()) << nodes << ", " << address;
    }
  }
}

TEST(HalvingSkipsBroadcast, takes_the_rounds_of_the_bound_on_every_complete_network) {
  constexpr std::uint32_t most_nodes = is_sanitized ? 40 : 1100;
  for (std::uint32_t nodes = 2; nodes <= most_nodes; nodes += nodes < 140 ? 1 : 37) {
    const Network network = network::complete(nodes);
    for (const std::uint32_t parts : {1U, 2U, 3U, 8U, 17U, 64U}) {
      if (nodes > 140 && parts != 3 && parts != 64) continue;
      const Node root = nodes / 3;
      schedule::Plan plan{network,
                          {},
                          {.collective = schedule::Collective::broadcast, .root = root, .parts = parts},
                          halving_skips_broadcast(network, root, parts),
                          {},
                          {}};
      const auto report = verify::verify(plan);
      EXPECT_TRUE(report.valid) << nodes << " x " << parts;
      EXPECT_EQ(report.rounds, parts - 1 + static_cast<std::uint32_t>(std::bit_width(nodes - 1)));
      EXPECT_EQ(report.rounds, halving_skips_rounds(nodes, parts));
      EXPECT_EQ(report.transmissions, std::uint64_t{nodes - 1} * parts);
    }
  }
}

}  // namespace
}  // namespace isotrope::algorithm
