// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/broadcast/msbt_broadcast.hpp"

#include <gtest/gtest.h>

#include "tests/algorithm/claims.hpp"
#include "tests/sanitizers.hpp"

namespace isotrope::algorithm {
namespace {

using schedule::PortModel;

std::uint64_t checked_rounds(std::uint32_t n, std::uint32_t packets, PortModel ports, bool capped) {
  const network::Node root = (network::Node{1} << n) / 3;
  const verify::Report report = check_on_hypercube(
      n, "broadcast",
      capped ? capped_msbt_broadcast(n, root, packets, ports) : msbt_broadcast(n, root, packets, ports), root,
      packets);
  EXPECT_TRUE(report.valid) << n << " " << packets << (capped ? " capped " : " ") << to_string(ports)
                            << (report.violations.empty() ? "" : report.violations[0].message);
  EXPECT_EQ(report.hops, ((std::uint64_t{1} << n) - 1) * packets);
  EXPECT_EQ(report.rounds, msbt_broadcast_rounds(n, packets, ports, capped));
  EXPECT_TRUE(report.optimal || !capped || ports != PortModel::one());
  return report.rounds;
}

class MsbtPackets : public testing::TestWithParam<std::uint32_t> {};

TEST_P(MsbtPackets, take_the_rounds_claimed) {
  const std::uint32_t n = GetParam();
  for (std::uint32_t p = 1; p <= 3 * n + 2; ++p) {
    EXPECT_EQ(checked_rounds(n, p, PortModel::one(), false), p + n);
    EXPECT_EQ(checked_rounds(n, p, PortModel::half(), false), 2 * p + n - 1);
    EXPECT_EQ(checked_rounds(n, p, PortModel::all(), false), (p + n - 1) / n + n);
    EXPECT_EQ(checked_rounds(n, p, PortModel::one(), true), p + n - 1);
    EXPECT_EQ(checked_rounds(n, p, PortModel::half(), true), 2 * p + n - 2);
  }
}

INSTANTIATE_TEST_SUITE_P(MsbtBroadcast, MsbtPackets, testing::Range(2u, unless_sanitized(10, 7)));

TEST(MsbtBroadcast, on_one_link_takes_a_round_a_packet) {
  for (std::uint32_t p = 1; p <= 4; ++p) {
    EXPECT_EQ(checked_rounds(1, p, PortModel::all(), false), p);
    for (PortModel ports : {PortModel::one(), PortModel::half()}) {
      EXPECT_EQ(checked_rounds(1, p, ports, false), p);
      EXPECT_EQ(checked_rounds(1, p, ports, true), p);
    }
  }
}

}  // namespace
}  // namespace isotrope::algorithm
