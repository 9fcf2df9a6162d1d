// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/simulate/packet_simulator.hpp"

#include <algorithm>
#include <array>
#include <tuple>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isotrope/network/edge_list.hpp"
#include "isotrope/network/hypercube.hpp"
#include "isotrope/network/parse.hpp"

#include "isotrope/verify/verify.hpp"

#include "tests/cost/plans.hpp"
#include "tests/simulate/recorded_run.hpp"

namespace isotrope::simulate {
namespace {

using schedule::PortModel;
using testing::ElementsAre;
using testing::HasSubstr;
using Order = RoutingPolicy::Order;

constexpr std::array orders = {Order::random, Order::oldest, Order::nearest, Order::farthest,
                               Order::largest_residual};

PacketTask packets(const Network& network, const char* collective) {
  return {schedule::relative_destinations(network, schedule::parse_task(collective, network))};
}

std::uint64_t exchange_rounds(const Network& network, RoutingPolicy policy, std::uint64_t seed) {
  return PacketSimulator(network, packets(network, "alltoall"), policy).run(seed).rounds;
}

// Three packets for the next node have one port, so they wait for 0, 1 and 2 rounds.
TEST(PacketSimulator, sends_one_packet_a_port_and_round) {
  const auto ring = network::parse("ring:5");
  for (const Order order : orders) {
    const PacketRun run = PacketSimulator(ring, {.listed = {{1, 2, 3}}}, {order, false}).run(1);
    EXPECT_EQ(run.rounds, 3U);
    EXPECT_TRUE(run.complete);
    EXPECT_EQ(run.packets, 3U);
    EXPECT_THAT(run.delays, ElementsAre(0, 1, 1, 1));
    EXPECT_EQ(run.delay_sum(), 6U);
    EXPECT_EQ(run.mean_delay(), 2);
    EXPECT_THAT(run.port_transmissions, ElementsAre(3, 0));
    EXPECT_DOUBLE_EQ(run.mean_queue, (3 + 2 + 1) / (5.0 * 3.0));
    EXPECT_EQ(run.longest_queue, 3U);
  }
}

// Two packets for the node opposite: whichever port the first one takes, the second takes the other.
TEST(PacketSimulator, uses_every_shortest_path) {
  const auto ring = network::parse("ring:4");
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const PacketRun run = PacketSimulator(ring, {.isotropic = {{2, 2}}}, {Order::random, true}).run(seed);
    EXPECT_THAT(run.delays, ElementsAre(0, 0, 8));
    EXPECT_EQ(run.transmissions, 16U);
  }
}

// From node 0 packet a goes to 3 and packets b and c to 1, all over the same port.
TEST(PacketSimulator, serves_in_the_order_of_the_policy) {
  const auto ring = network::parse("ring:7");
  const PacketTask task{.listed = {{0, 3, 1}, {0, 1, 2}}};
  const auto delays = [&](Order order) { return PacketSimulator(ring, task, {order, false}).run(1).delays; };
  EXPECT_THAT(delays(Order::farthest), ElementsAre(0, 0, 1, 2));          // a at 3, b at 2, c at 3
  EXPECT_THAT(delays(Order::largest_residual), ElementsAre(0, 0, 1, 2));  // the same
  EXPECT_THAT(delays(Order::nearest), ElementsAre(0, 1, 1, 0, 0, 1));     // b at 1, c at 2, a at 5
}

// Packet a, from 0 to 3, is at node 1 after a round, when one of the two packets there for node 2 has left.
TEST(PacketSimulator, counts_age_from_the_arrival_at_the_node) {
  const auto ring = network::parse("ring:7");
  const PacketTask task{.listed = {{0, 3, 1}, {1, 2, 3}}};
  const auto delays = [&](Order order) { return PacketSimulator(ring, task, {order, false}).run(1).delays; };
  EXPECT_THAT(delays(Order::oldest), ElementsAre(0, 1, 1, 1, 0, 1));
  EXPECT_THAT(delays(Order::largest_residual), ElementsAre(0, 1, 0, 2, 1));
}

TEST(PacketSimulator, finds_packets_for_their_own_origin_there) {
  const auto ring = network::parse("ring:3");
  const PacketRun run =
      PacketSimulator(ring, {.isotropic = {{0, 2}, {1, 1}}, .listed = {{2, 2, 1}}, .parts = 2}, {}).run(1);
  EXPECT_EQ(run.packets, (3U * 3U + 1U) * 2U);
  EXPECT_THAT(run.delays, ElementsAre(14, 3, 3));
}

TEST(PacketSimulator, has_nothing_to_do_without_packets) {
  for (const char* name : {"ring:5", "torus:1"}) {
    const auto network = network::parse(name);
    const PacketRun run =
        PacketSimulator(network, packets(network, "alltoall"), {}).run(1, {.most_rounds = 0});
    EXPECT_EQ(run.complete, network.order() == 1);
    EXPECT_EQ(run.rounds, 0U);
    EXPECT_EQ(run.mean_delay(), 0);
    EXPECT_EQ(run.mean_queue, 0);
  }
}

TEST(PacketSimulator, is_the_same_for_the_same_seed) {
  const auto cube = network::hypercube(5);
  for (const bool symmetric : {false, true}) {
    for (const Order order : orders) {
      const PacketSimulator simulator(cube, packets(cube, "alltoall"), {order, symmetric});
      const PacketRun run = simulator.run(1);
      EXPECT_EQ(run.delays, simulator.run(1).delays);
      const auto differs = [&](std::uint64_t seed) { return simulator.run(seed).delays != run.delays; };
      EXPECT_TRUE(differs(2) || differs(3) || differs(4)) << to_string(RoutingPolicy{order, symmetric});
    }
  }
}

TEST(PacketSimulator, stops_when_told_and_tells_how_far_it_is) {
  const auto cube = network::hypercube(6);
  const PacketSimulator simulator(cube, packets(cube, "alltoall"), {Order::nearest, true});
  const PacketRun whole = simulator.run(1);
  double told = 0;
  const PacketRun half =
      simulator.run(1, {.most_rounds = 16, .progress = [&](double share) { told = share; }});
  EXPECT_TRUE(whole.complete);
  EXPECT_FALSE(half.complete);
  EXPECT_EQ(half.rounds, 16U);
  EXPECT_EQ(half.delays, std::vector(whole.delays.begin(), whole.delays.begin() + 17));
  EXPECT_LT(half.mean_delay(), whole.mean_delay());
  EXPECT_DOUBLE_EQ(told, static_cast<double>(half.transmissions) / static_cast<double>(whole.transmissions));
}

class RecordedRuns : public testing::TestWithParam<const char*> {};

TEST_P(RecordedRuns, are_valid_non_wasting_and_counted_rightly) {
  const auto network = network::parse(GetParam());
  const std::array ports = {PortModel::all(), PortModel::ports(2), PortModel::one()};
  for (const bool symmetric : {false, true}) {
    for (const Order order : orders) {
      for (const PortModel model : ports) {
        const auto [run, plan, delays, idle_ports] =
            record(network, packets(network, "alltoall"), {order, symmetric}, model, 1);
        const verify::Report report = verify::verify(plan);
        ASSERT_TRUE(report.valid) << report.violations[0].message;
        EXPECT_EQ(report.rounds, run.rounds);
        EXPECT_EQ(run.transmissions, std::uint64_t{network.order()} * network.distance_sum());
        EXPECT_EQ(run.delays, delays);
        EXPECT_EQ(idle_ports, 0U);
        // A packet waits in as many rounds as its delay.
        EXPECT_NEAR(run.mean_queue * network.order() * static_cast<double>(run.rounds),
                    static_cast<double>(run.delay_sum()), 1e-6 * static_cast<double>(run.delay_sum()));
      }
    }
  }
}

TEST_P(RecordedRuns, of_listed_packets_are_valid_and_non_wasting) {
  const auto network = network::parse(GetParam());
  PacketTask task{.isotropic = {{1, 2}}};
  for (Node node = 0; node < network.order(); ++node) {
    task.listed.push_back({node, 0, 1 + node % 3});  // a busy node
    task.listed.push_back({0, node * 5 % network.order(), 1});
  }
  for (const Order order : orders) {
    for (const PortModel model : {PortModel::all(), PortModel::one()}) {
      const auto [run, plan, delays, idle_ports] = record(network, task, {order, false}, model, 1);
      const verify::Report report = verify::verify(plan);
      ASSERT_TRUE(report.valid) << report.violations[0].message;
      EXPECT_EQ(run.delays, delays);
      EXPECT_EQ(idle_ports, 0U);
    }
  }
}

// Open axes, listed edges, failed nodes and links.
TEST(PacketSimulator, routes_around_what_is_missing) {
  std::vector<network::NamedNetwork> networks{
      network::parse_named("mesh:3x4"), network::parse_named("line:4xring:5@2"),
      network::from_edges(7, {{0, 1}, {1, 2}, {2, 0}, {2, 3}, {3, 4}, {4, 5}, {5, 6}})};
  networks.push_back({network::parse("torus:4x4"), {{5}, {{0, 0}}}});
  for (const auto& [network, missing] : networks) {
    const network::SurvivingNetwork survivors(network, missing);
    PacketTask task;
    std::uint64_t hops = 0;
    for (const Node from : survivors.nodes()) {
      const std::vector<std::uint32_t> distance = survivors.distances(from);
      for (const Node to : survivors.nodes()) {
        if (to != from) task.listed.push_back({from, to, 1});
        hops += distance[to];
      }
    }
    for (const Order order : orders) {
      for (const PortModel model : {PortModel::all(), PortModel::one()}) {
        const auto [run, plan, delays, idle_ports] = record(network, task, {order, false}, model, 1, missing);
        const verify::Report report = verify::verify(plan);
        ASSERT_TRUE(report.valid) << report.violations[0].message;
        EXPECT_EQ(run.transmissions, hops);
        EXPECT_EQ(run.delays, delays);
        EXPECT_EQ(idle_ports, 0U);
        const PacketRun exchange =
            PacketSimulator(network, packets(network, "alltoall"), {order, false}, model, missing).run(1);
        EXPECT_TRUE(exchange.complete);
        EXPECT_EQ(exchange.transmissions, hops);
      }
    }
  }
}

TEST(PacketSimulator, refuses_what_it_cannot_route) {
  const auto error = [](const network::NamedNetwork& named, RoutingPolicy policy) {
    return cost::error_of([&] {
      PacketSimulator(named.network, packets(named.network, "alltoall"), policy, PortModel::all(),
                      named.lacks);
    });
  };
  EXPECT_THAT(error(network::parse_named("line:4"), {Order::random, true}),
              HasSubstr("without 'symmetric-'"));
  EXPECT_THAT(error({network::parse("ring:6"), {{}, {{0, 0}, {3, 0}}}}, {}),
              HasSubstr("no path leads from node 0 to node 1"));
  EXPECT_THAT(error(network::parse_named("line:5000"), {}), HasSubstr("at most 4096"));
}

INSTANTIATE_TEST_SUITE_P(PacketSimulator, RecordedRuns,
                         testing::Values("hypercube:4", "torus:3x5", "torus:4x4", "hexmesh:3", "complete:6",
                                         "circulant:13:1,5", "twisted-torus:2x4", "ring:6"));

// Section 5: N/2 + d - 1 rounds at most.
TEST(SymmetricPolicies, keep_the_bound_of_the_hypercube) {
  for (std::uint32_t d = 2; d <= 8; ++d) {
    const auto cube = network::hypercube(d);
    for (const Order order : orders) {
      const PacketSimulator simulator(cube, packets(cube, "alltoall"), {order, true});
      for (std::uint64_t seed = 0; seed < 50; ++seed) {
        const std::uint64_t rounds = simulator.run(seed).rounds;
        EXPECT_GE(rounds, cube.order() / 2);
        EXPECT_LE(rounds, cube.order() / 2 + d - 1);
      }
    }
  }
}

TEST(SymmetricPolicies, may_need_all_the_rounds_of_the_bound) {
  EXPECT_EQ(exchange_rounds(network::hypercube(3), {Order::nearest, true}, 1), 6U);           // 4 + 3 - 1
  EXPECT_EQ(exchange_rounds(network::hypercube(5), {Order::nearest, true}, 1842), 20U);       // 16 + 5 - 1
  EXPECT_EQ(exchange_rounds(network::parse("torus:3x3"), {Order::nearest, true}, 3), 4U);     // 3 + 2 - 1
  EXPECT_EQ(exchange_rounds(network::parse("torus:3x3x3"), {Order::nearest, true}, 3), 11U);  // 9 + 3 - 1
}

// Not proved: observed in every run.
TEST(SymmetricPolicies, by_largest_residual_are_optimal_on_hypercubes) {
  for (std::uint32_t d = 1; d <= 10; ++d) {
    const auto cube = network::hypercube(d);
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
      EXPECT_EQ(exchange_rounds(cube, {Order::largest_residual, true}, seed), cube.order() / 2);
    }
  }
}

// Section 8: h_r + h_c - 1 with h_c = (p N - N / p) / 8 for odd p: no packet has a choice of directions.
TEST(SymmetricPolicies, keep_the_bound_of_odd_tori) {
  for (const auto& [name, p, d] : {std::tuple{"torus:3x3", 3U, 2U}, std::tuple{"torus:5x5", 5U, 2U},
                                   std::tuple{"torus:3x3x3", 3U, 3U}, std::tuple{"torus:5x5x5", 5U, 3U}}) {
    const auto torus = network::parse(name);
    const std::uint64_t busiest = (std::uint64_t{p} * torus.order() - torus.order() / p) / 8;
    for (const Order order : orders) {
      for (std::uint64_t seed = 0; seed < 50; ++seed) {
        const std::uint64_t rounds = exchange_rounds(torus, {order, true}, seed);
        EXPECT_GE(rounds, busiest);
        EXPECT_LE(rounds, busiest + (p - 1) / 2 * d - 1);
      }
    }
  }
}

// On every network, with the columns that the run has made of its choices.
TEST(SymmetricPolicies, keep_the_bound_of_rows_and_columns) {
  for (const char* name : {"torus:4x4", "torus:6x6", "torus:3x8", "hexmesh:4", "circulant:13:1,5",
                           "complete:7", "twisted-torus:4x8", "cayley:4x6:1,0/3,0/0,1/0,5/1,1/3,5"}) {
    const auto network = network::parse(name);
    for (const Order order : orders) {
      const PacketSimulator simulator(network, packets(network, "alltoall"), {order, true});
      for (std::uint64_t seed = 0; seed < 30; ++seed) {
        const PacketRun run = simulator.run(seed);
        const std::uint64_t busiest = std::ranges::max(run.port_transmissions) / network.order();
        EXPECT_LE(run.rounds, network.diameter() + busiest - 1) << name;
      }
    }
  }
}

// Where a node half-way round can be reached both ways, columns chosen on the way may be worse than balanced
// ones, h_c = 8, for which the bound would be 4 + 8 - 1 = 11.
TEST(SymmetricPolicies, need_balanced_columns_for_the_bound_of_even_tori) {
  const auto torus = network::parse("torus:4x4");
  const PacketRun run = PacketSimulator(torus, packets(torus, "alltoall"), {Order::random, true}).run(50);
  EXPECT_EQ(run.rounds, 12U);
  EXPECT_GT(std::ranges::max(run.port_transmissions) / torus.order(), 8U);
}

// Every node on its own: N/2 + d - 1 is 6, 11, 20 and 135.
TEST(NodeByNodePolicies, break_the_bound_of_symmetric_ones) {
  EXPECT_EQ(exchange_rounds(network::hypercube(3), {Order::random, false}, 24), 7U);
  EXPECT_EQ(exchange_rounds(network::hypercube(3), {Order::random, false}, 800), 8U);
  EXPECT_EQ(exchange_rounds(network::hypercube(4), {Order::random, false}, 14228), 14U);
  EXPECT_EQ(exchange_rounds(network::hypercube(5), {Order::largest_residual, false}, 3283), 24U);
  EXPECT_GT(exchange_rounds(network::hypercube(8), {Order::random, false}, 1), 135U);
}

TEST(PacketSimulator, refuses_bad_input) {
  const auto error = [&](const PacketTask& task, RoutingPolicy policy = {},
                         PortModel ports = PortModel::all(), const char* name = "ring:5") {
    return cost::error_of([&] { PacketSimulator(network::parse(name), task, policy, ports); });
  };
  EXPECT_EQ(error({.isotropic = {{4, 1}}}), "");
  EXPECT_THAT(error({.isotropic = {{5, 1}}}),
              HasSubstr("a packet of node 5: the nodes of the network are 0 to 4"));
  EXPECT_THAT(error({.listed = {{5, 0, 1}}}), HasSubstr("node 5"));
  EXPECT_THAT(error({.listed = {{0, 9, 1}}}), HasSubstr("node 9"));
  EXPECT_THAT(error({.parts = 0}), HasSubstr("give 1 part or more"));
  EXPECT_THAT(error({.listed = {{0, 1, 1}}}, {Order::random, true}), HasSubstr("without 'symmetric-'"));
  EXPECT_THAT(error({}, {}, PortModel::half()), HasSubstr("half duplex"));
  EXPECT_THAT(error({}, {}, PortModel::ports(0)), HasSubstr("0 ports at once: give 1 to 2"));
  EXPECT_THAT(error({}, {}, PortModel::ports(3)), HasSubstr("3 ports at once"));
  EXPECT_THAT(error({}, {}, PortModel::all(), "complete:66"), HasSubstr("65 ports per node"));
  EXPECT_EQ(error({}, {}, PortModel::all(), "complete:65"), "");
  constexpr std::uint32_t many = UINT32_MAX;
  EXPECT_THAT(error({.isotropic = {{1, many}}, .parts = many}), HasSubstr("packets to follow"));
  EXPECT_THAT(error({.listed = {{0, 1, 1U << 30}, {0, 2, 1}}}), HasSubstr("packets to follow"));
  EXPECT_THAT(error({.listed = {{0, 32768, 1}}}, {Order::nearest, false}, PortModel::all(), "ring:65536"),
              HasSubstr("more than 134217728 queues"));
}

}  // namespace
}  // namespace isotrope::simulate
