// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/broadcast/hexmesh_broadcast.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isotrope/base/error.hpp"

#include "isotrope/network/hexmesh.hpp"
#include "isotrope/network/hexmesh_route.hpp"

#include "isotrope/schedule/transform.hpp"

#include "isotrope/algorithm/broadcast/tree_broadcast.hpp"

#include "tests/algorithm/abelian_networks.hpp"

namespace isotrope::algorithm {
namespace {

using network::hexmesh;
using network::Network;
using network::Node;
using network::Port;
using schedule::Hop;
using schedule::PortModel;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::ThrowsMessage;

constexpr HexmeshVariant as_printed = HexmeshVariant::as_printed;
constexpr std::uint32_t largest_tested = 40;

// Rounds with the links used in them, in any order within a round.
using TimedHops = std::set<std::pair<std::uint64_t, std::pair<Node, Port>>>;

TimedHops timed_hops(const schedule::Rounds& rounds) {
  TimedHops hops;
  for (std::uint64_t t = 0; t < rounds.size(); ++t) {
    for (const Hop& hop : rounds.round(t)) hops.insert({t, {hop.from, hop.port}});
  }
  return hops;
}

// For every node the rounds in which it hears.
std::vector<std::vector<std::uint64_t>> hearings(const Network& network, const schedule::Rounds& rounds) {
  std::vector<std::vector<std::uint64_t>> heard(network.order());
  for (std::uint64_t t = 0; t < rounds.size(); ++t) {
    for (const Hop& hop : rounds.round(t)) heard[network.neighbour(hop.from, hop.port)].push_back(t);
  }
  return heard;
}

// Chen, Shin, Kandlur, Fig. 8: the nodes a, b, c, d of the first phase, on a mesh of size 4.
TEST(HexmeshBroadcast, node_by_node_is_that_of_the_paper) {
  const Port x = 0, minus_x = 1, y = 2, minus_y = 3, z = 4, minus_z = 5;
  const HexmeshMessage to_b{x, x, true, 1}, to_c{z, z, true, 2}, to_e{minus_y, minus_y, true, 3};
  EXPECT_THAT(hexmesh_root_messages(), ElementsAre(to_b, to_c, to_e));

  const HexmeshMessage to_d{z, y, true, 2}, to_f{minus_y, minus_z, true, 3}, to_g{minus_y, minus_x, true, 3};
  EXPECT_THAT(hexmesh_messages(4, to_b),
              ElementsAre(to_d, to_f, HexmeshMessage{x, x, true, 4}, HexmeshMessage{y, y, false, 5}));
  EXPECT_THAT(hexmesh_messages(4, to_c),
              ElementsAre(to_g, HexmeshMessage{z, z, true, 4}, HexmeshMessage{minus_x, minus_x, false, 5}));
  EXPECT_THAT(hexmesh_messages(4, to_d),
              ElementsAre(HexmeshMessage{y, y, true, 4}, HexmeshMessage{z, z, false, 5}));
  EXPECT_THAT(hexmesh_messages(4, {y, y, false, 5}), ElementsAre(HexmeshMessage{y, y, false, 6}));
  EXPECT_THAT(hexmesh_messages(4, {y, y, false, 6}), IsEmpty());
  EXPECT_THAT(hexmesh_messages(4, {x, x, true, 5}), IsEmpty()) << "a corner of the last ring";
}

// The two slips: node y sends back to the root, the corners of the last ring go on.
TEST(HexmeshBroadcast, as_printed_sends_more) {
  const Port x = 0, y = 2, minus_y = 3, z = 4;
  EXPECT_THAT(hexmesh_messages(4, {z, y, true, 2}, as_printed),
              ElementsAre(HexmeshMessage{minus_y, 1, true, 3}, HexmeshMessage{y, y, true, 4},
                          HexmeshMessage{z, z, false, 5}));
  EXPECT_THAT(hexmesh_messages(4, {x, x, true, 5}, as_printed),
              ElementsAre(HexmeshMessage{x, x, true, 6}, HexmeshMessage{y, y, false, 7}));
}

TEST(HexmeshBroadcast, takes_n_plus_two_rounds_and_the_fewest_messages) {
  for (std::uint32_t n = 2; n <= largest_tested; ++n) {
    const Network network = hexmesh(n);
    const Node root = network.order() / 3;
    const schedule::Schedule schedule = hexmesh_broadcast(n, root);
    const verify::Report report = check_on(network, "broadcast", schedule, root);

    EXPECT_TRUE(report.valid) << n;
    EXPECT_EQ(report.rounds, n == 2 ? 3 : n + 2);
    EXPECT_EQ(report.rounds, hexmesh_broadcast_rounds(n));
    EXPECT_EQ(report.hops, network.order() - 1);
  }
}

// Everybody knows the packet after n + 2 rounds here as well (n = 2: 3); 13 messages tell nothing new.
TEST(HexmeshBroadcast, as_printed_takes_a_round_and_thirteen_messages_more) {
  for (std::uint32_t n = 2; n <= largest_tested; ++n) {
    const Network network = hexmesh(n);
    const Node root = network.order() / 2;
    const schedule::Schedule schedule = hexmesh_broadcast(n, root, as_printed);
    const verify::Report report = check_on(network, "broadcast", schedule, root);

    EXPECT_TRUE(report.valid) << n;
    EXPECT_EQ(report.rounds, n + 3);
    EXPECT_EQ(report.rounds, hexmesh_broadcast_rounds(n, as_printed));
    EXPECT_EQ(report.hops, network.order() - 1 + 13);
    const TimedHops first = timed_hops(hexmesh_broadcast(n, root).stages[0].rounds);
    const TimedHops printed = timed_hops(schedule.stages[0].rounds);
    EXPECT_TRUE(std::ranges::includes(printed, first)) << n;
    EXPECT_TRUE(printed.contains({2, {network.neighbour(root, 2), 3}})) << "node y back to the root";
  }
}

// The closed form of the header.
TEST(HexmeshBroadcast, informs_every_node_when_its_sector_says) {
  const std::array<std::uint64_t, 6> first_step{1, 3, 2, 3, 2, 3};
  for (std::uint32_t n = 2; n <= largest_tested; ++n) {
    const Network network = hexmesh(n);
    const auto heard = hearings(network, hexmesh_broadcast(n, 0).stages[0].rounds);

    EXPECT_THAT(heard[0], IsEmpty());
    for (Port u = 0; u < 6; ++u) {
      Node corner = 0;
      for (std::uint32_t a = 1; a < n; ++a) {
        corner = network.neighbour(corner, u);
        EXPECT_THAT(heard[corner], ElementsAre(a == 1 ? first_step[u] - 1 : a + 1)) << n << " " << u;
        Node node = corner;
        for (std::uint32_t b = 1; a + b < n; ++b) {
          node = network.neighbour(node, network::clockwise(u));
          EXPECT_THAT(heard[node], ElementsAre(a + b + 2)) << n << " " << u << " " << a << " " << b;
        }
      }
    }
  }
}

// Whether a node hangs below node y outside the first ring: there the tree is a round ahead of the procedure.
bool below_y(const network::HexmeshRouting& routing, Node relative) {
  const network::RoutingRecord record = routing.record(relative);
  return record.y > 0 && record.x == 0 && record.z >= 0 && record.hops() > 1;
}

TEST(HexmeshBroadcastTree, is_that_of_the_procedure) {
  for (std::uint32_t n = 2; n <= largest_tested; ++n) {
    const Network network = hexmesh(n);
    const Node root = network.order() / 5;
    const network::HexmeshRouting routing(n);
    const ChildPorts children = hexmesh_broadcast_tree(n, root);
    const schedule::Schedule schedule = tree_broadcast(network, root, 1, PortModel::one(), children);

    EXPECT_TRUE(check_on(network, "broadcast", schedule, root).valid) << n;
    EXPECT_EQ(schedule.round_count(), hexmesh_broadcast_rounds(n));
    TimedHops expected;
    for (const auto& [round, link] : timed_hops(hexmesh_broadcast(n, root).stages[0].rounds)) {
      const Node to = network.neighbour(link.first, link.second);
      const bool ahead = below_y(routing, network.group().subtract(to, root));
      expected.insert({ahead ? round - 1 : round, link});
    }
    EXPECT_EQ(timed_hops(schedule.stages[0].rounds), expected) << n;
  }
}

TEST(HexmeshBroadcastTree, pipelines_parts_under_every_port_model) {
  for (std::uint32_t n = 2; n <= 9; ++n) {
    const Network network = hexmesh(n);
    const Node root = network.order() - 1;
    const ChildPorts children = hexmesh_broadcast_tree(n, root);
    for (const std::uint32_t p : {1u, 2u, 5u}) {
      for (const PortModel ports : {PortModel::all(), PortModel::ports(2), PortModel::ports(3),
                                    PortModel::one(), PortModel::half()}) {
        const schedule::Schedule schedule = tree_broadcast(network, root, p, ports, children);
        const verify::Report report = check_on(network, "broadcast", schedule, root, p);
        EXPECT_TRUE(report.valid) << n << " " << p << " " << to_string(ports);
        const schedule::TaskSchedule reduce =
            reverse(network, schedule::parse_task("broadcast", network, root, p), schedule);
        EXPECT_TRUE(check_on(network, "reduce", reduce.schedule, root, p).valid)
            << n << " " << p << " " << to_string(ports);
      }
      EXPECT_EQ(tree_broadcast_rounds(network, root, p, PortModel::one(), children),
                n == 2 ? 3 * p : n + 2 + 4 * (p - 1));
      EXPECT_EQ(tree_broadcast_rounds(network, root, p, PortModel::half(), children),
                n == 2 ? 3 * p : n + 2 + 5 * (p - 1));
      EXPECT_EQ(tree_broadcast_rounds(network, root, p, PortModel::all(), children), n + p - 1);
    }
  }
}

TEST(HexmeshBroadcast, refuses_other_sizes) {
  for (const std::uint32_t n : {0u, 1u, 4731u}) {
    EXPECT_THAT([n] { hexmesh_broadcast(n, 0); }, ThrowsMessage<Error>(HasSubstr("size 2 to 4730")));
    EXPECT_THAT([n] { hexmesh_broadcast_tree(n, 0); }, ThrowsMessage<Error>(HasSubstr("size 2 to 4730")));
  }
}

}  // namespace
}  // namespace isotrope::algorithm
