// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/bound/lower_bounds.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isotrope/network/parse.hpp"

#include "isotrope/bound/work.hpp"

namespace isotrope::bound {
namespace {

using network::Network;
using schedule::Collective;
using schedule::parse_task;
using schedule::PortModel;
using schedule::RelativeDestination;
using schedule::Task;

std::vector<Bound> bounds(std::string_view network_name, std::string_view collective,
                          std::string_view ports = "all", std::uint64_t parts = 1,
                          std::uint64_t aggregation = 1) {
  const Network network = network::parse(network_name);
  return lower_bounds({.network = network,
                       .task = parse_task(collective, network, 0, parts),
                       .ports = schedule::parse_port_model(ports, network.degree()),
                       .aggregation = aggregation});
}

std::uint64_t of_kind(const std::vector<Bound>& bounds, std::string_view kind) {
  for (const Bound& bound : bounds) {
    if (bound.kind == kind) return bound.value;
  }
  ADD_FAILURE() << "no bound of kind " << kind;
  return 0;
}

// Bertsekas et al. 1991, Table I.
TEST(Bound, gives_table_1_of_bertsekas_et_al) {
  for (std::uint64_t d = 1; d <= 20; ++d) {
    const std::string name = "hypercube:" + std::to_string(d);
    const Network network = network::parse(name);
    const std::uint64_t n = std::uint64_t{1} << d;
    const std::uint64_t balanced = (n - 1 + d - 1) / d;
    EXPECT_EQ(bounds(name, "scatter").front().value, balanced);
    EXPECT_EQ(bounds(name, "allgather").front().value, balanced);
    EXPECT_EQ(bounds(name, "alltoall").front().value, n / 2);
    EXPECT_EQ(bounds(name, "alltoall").front().kind, "distance-sum");
    EXPECT_EQ(least_transmissions({.network = network, .task = parse_task("scatter", network)}), d * n / 2);
    EXPECT_EQ(least_transmissions({.network = network, .task = parse_task("allgather", network)}),
              n * (n - 1));
    EXPECT_EQ(least_transmissions({.network = network, .task = parse_task("alltoall", network)}),
              n * d * n / 2);
    // The vector may go whole, along a tree to its root and back.
    EXPECT_EQ(least_transmissions({.network = network, .task = parse_task("allreduce", network)}),
              2 * (n - 1));
  }
}

// 2^40 packets are more than any problem here has, so larger messages change nothing; their products exceed 64 bits.
TEST(Bound, is_that_of_large_messages_for_the_largest) {
  for (const std::string_view network : {"hypercube:3", "torus:3x4", "torus:3x3@2,1", "ring:9"}) {
    for (const std::string_view collective :
         {"broadcast", "scatter", "allgather", "alltoall", "allreduce", "barrier", "neighborhood:1:2"}) {
      for (const std::string_view ports : {"all", "2", "half"}) {
        const auto large = bounds(network, collective, ports, 2, std::uint64_t{1} << 40);
        for (const std::uint64_t aggregation :
             {std::uint64_t{1} << 62, std::uint64_t{1} << 63, UINT64_MAX - 1}) {
          const auto largest = bounds(network, collective, ports, 2, aggregation);
          ASSERT_EQ(largest.size(), large.size());
          for (std::size_t i = 0; i < large.size(); ++i) {
            EXPECT_EQ(largest[i].kind, large[i].kind) << network << ' ' << collective << ' ' << ports;
            EXPECT_EQ(largest[i].value, large[i].value) << network << ' ' << collective << ' ' << ports;
          }
        }
      }
    }
  }
}

TEST(Bound, of_weighted_ports_has_the_weights) {
  EXPECT_THAT(bounds("torus:3x4", "alltoall").front().weights, testing::ElementsAre(0, 0, 1, 1));
  EXPECT_TRUE(bounds("torus:4x4", "alltoall").front().weights.empty());
}

// On a 4x4 torus: 15 others, distances sum to 32, diameter 4, 4 ports.
TEST(Bound, of_a_torus_by_hand) {
  EXPECT_EQ(of_kind(bounds("torus:4x4", "alltoall"), "distance-sum"), 8u);
  EXPECT_EQ(of_kind(bounds("torus:4x4", "alltoall"), "degree"), 4u);
  EXPECT_EQ(of_kind(bounds("torus:4x4", "alltoall", "one"), "distance-sum"), 32u);
  EXPECT_EQ(of_kind(bounds("torus:4x4", "alltoall", "3"), "distance-sum"), 11u);
  EXPECT_EQ(of_kind(bounds("torus:4x4", "allgather", "all", 3), "degree"), 12u);
  EXPECT_EQ(of_kind(bounds("torus:4x4", "broadcast"), "distance"), 4u);
  EXPECT_EQ(of_kind(bounds("torus:4x4", "broadcast", "one"), "doubling"), 4u);
}

// p parts on Q_n, one port, full duplex: p + n - 1, which the capped MSBT reaches.
TEST(Bound, of_broadcast_counts_the_last_part) {
  EXPECT_EQ(bounds("hypercube:3", "broadcast", "one", 5).front().value, 7u);
  EXPECT_EQ(bounds("hypercube:2", "broadcast", "all", 5).front().value, 4u);  // exhaustive: 2,2,3,3,4,4
}

// Half duplex on Q_2: 3p deliveries, 2 at a time. The exhaustive optimum is ceil((3p + 1) / 2).
TEST(Bound, of_half_duplex_counts_pairs) {
  for (std::uint64_t p = 1; p <= 6; ++p) {
    EXPECT_EQ(of_kind(bounds("hypercube:2", "broadcast", "half", p), "work"), (3 * p + 1) / 2);
    EXPECT_LE(bounds("hypercube:2", "broadcast", "half", p).front().value, (3 * p + 2) / 2);
  }
  EXPECT_EQ(of_kind(bounds("ring:5", "allgather", "half"), "work"), 10u);  // 20 deliveries, 2 pairs
}

// A thin torus, where the farthest packets decide: ring:3 x ring:64 scattered over 4 ports.
TEST(Bound, of_scatter_sees_the_farthest_packets) {
  const auto thin = bounds("ring:2", "scatter", "all", 1);
  EXPECT_EQ(thin.front().value, 1u);
  // circulant:8:4,1 has 3 ports, distances 0,1x3,2x4: 7 packets over 3 ports leave in 3 rounds.
  EXPECT_EQ(bounds("circulant:8:4,1", "scatter").front().value, 3u);
  // torus:2x3: 3 ports, 5 packets: 2 rounds by degree; 2 packets are 2 hops away: 1 - 1 + 2.
  EXPECT_EQ(of_kind(bounds("torus:2x3", "scatter"), "distance"), 2u);
}

TEST(Bound, of_aggregated_rounds_is_reach) {
  const auto found = bounds("hypercube:5", "alltoall", "one", 8, schedule::unbounded);
  EXPECT_EQ(of_kind(found, "distance"), 5u);
  EXPECT_EQ(of_kind(found, "doubling"), 5u);
  EXPECT_EQ(of_kind(bounds("torus:5x5", "neighborhood:1:2", "all", 1, schedule::unbounded), "distance"), 2u);
}

TEST(Bound, of_a_neighborhood_counts_only_its_distances) {
  // torus:4x4 has 4, 6, 4, 1 nodes at distances 1..4.
  EXPECT_EQ(of_kind(bounds("torus:4x4", "neighborhood:2:3"), "distance-sum"), (2 * 6 + 3 * 4) / 4u);
  EXPECT_EQ(of_kind(bounds("torus:4x4", "neighborhood:2:3"), "degree"), 3u);
}

// 12 nodes in rings of 4, of 4 hops each: 12 hops over 2 ports, where equal weights give ceil(20 / 4).
TEST(Bound, of_an_exchange_weighs_its_ports) {
  EXPECT_EQ(bounds("torus:3x4", "alltoall").front().kind, "port-sum");
  EXPECT_EQ(bounds("torus:3x4", "alltoall").front().value, 6u);
  EXPECT_EQ(of_kind(bounds("torus:3x4", "alltoall"), "distance-sum"), 5u);
  EXPECT_EQ(bounds("torus:3x4", "alltoall", "all", 3).front().value, 18u);
  EXPECT_EQ(bounds("torus:3x4", "alltoall", "2").front().value, 10u);  // 20 hops over any 2 ports
  EXPECT_EQ(bounds("circulant:13:1,2", "alltoall").front().value, 7u);
  // Along the longer axis of 3 x 5: (0,2), (0,3) two hops, (1,1), (2,1), (1,4), (2,4) one.
  EXPECT_EQ(of_kind(bounds("torus:3x5", "neighborhood:2:2"), "port-sum"), 4u);
  EXPECT_THAT(bounds("torus:3x4", "alltoall").front().because,
              testing::HasSubstr("links of length 0,0,1,1 by port, the packets of one origin have 12 to go"));
}

// ring:6: 3 blocks 3 hops away and one 1 hop away: 10 hops over 2 ports; the last of 3 leaves in round 2.
TEST(Bound, of_a_list_of_destinations) {
  const Network ring = network::parse("ring:6");
  const std::vector<RelativeDestination> destinations{{3, 3}, {1, 1}, {0, 7}};
  const auto bounds_of = [&](std::uint32_t parts, PortModel ports, std::uint64_t aggregation) {
    const Task task{.collective = Collective::isotropic, .parts = parts, .destinations = destinations};
    return lower_bounds({.network = ring, .task = task, .ports = ports, .aggregation = aggregation});
  };
  const auto found = bounds_of(1, PortModel::all(), 1);
  EXPECT_EQ(of_kind(found, "distance-sum"), 5u);
  EXPECT_EQ(of_kind(found, "distance"), 4u);
  EXPECT_EQ(of_kind(found, "degree"), 2u);
  EXPECT_EQ(bounds_of(3, PortModel::all(), 1).front().value, 15u);
  EXPECT_EQ(of_kind(bounds_of(1, PortModel::half(), 1), "work"), 20u);
  EXPECT_EQ(bounds_of(9, PortModel::one(), schedule::unbounded).front().value, 3u);
}

// More goes one way round than the other, and some of it goes back: 100 - x = 6 x; 76 - x = 44 + 2 x.
TEST(Bound, of_an_uneven_list_weighs_each_direction) {
  const auto bound_of = [](const char* name, std::vector<RelativeDestination> destinations,
                           std::uint32_t parts) {
    const Network ring = network::parse(name);
    return lower_bounds({.network = ring,
                         .task = {.collective = Collective::isotropic,
                                  .parts = parts,
                                  .destinations = std::move(destinations)}})
        .front()
        .value;
  };
  EXPECT_EQ(bound_of("ring:7", {{1, 100}}, 1), 86U);
  EXPECT_EQ(bound_of("ring:3", {{1, 19}, {2, 11}}, 4), 66U);
}

// Messages of 3 packets: three times as many of everything that is counted.
TEST(Bound, of_messages_up_to_a_limit_counts_their_packets) {
  EXPECT_EQ(of_kind(bounds("torus:4x4", "alltoall", "all", 2, 3), "distance-sum"), 6U);  // 64 / 12
  EXPECT_EQ(of_kind(bounds("torus:4x4", "scatter", "one", 2, 3), "degree"), 10U);        // 30 / 3
  EXPECT_EQ(of_kind(bounds("hypercube:3", "broadcast", "one", 8, 3), "distance"), 5U);   // 3 - 1 + 3
  EXPECT_EQ(of_kind(bounds("hypercube:3", "allreduce", "one", 3, 3), "work"), 14U);      // 2 * 7 * 24 / 24
  EXPECT_EQ(of_kind(bounds("hypercube:3", "allgather", "half", 3, 3), "work"), 14U);     // 8 * 21 / 12
  EXPECT_EQ(of_kind(bounds("ring:9", "broadcast", "one", 48, 3), "root-sends"), 20U);    // as 16 packets
  EXPECT_EQ(of_kind(bounds("complete:64", "broadcast", "half", 32, 2), "ramp"), 36U);    // as 16 packets
}

// The corners of a mesh have few links and are far apart; all nodes together have few links.
TEST(Bound, of_an_allreduce_counts_the_blocks_of_all_nodes_around_failures) {
  const auto found = [](std::string_view name, std::uint32_t parts) {
    auto [network, lacks] = network::parse_named(name);
    return lower_bounds({.network = std::move(network),
                         .failed = std::move(lacks),
                         .task = {.collective = Collective::allreduce, .parts = parts}});
  };
  EXPECT_EQ(of_kind(found("mesh:4x4", 1), "distance"), 13U);  // 16 / 2 - 1 + 6
  EXPECT_EQ(of_kind(found("mesh:4x4", 1), "work"), 10U);      // 16 * 15 / 24
  EXPECT_EQ(of_kind(found("mesh:4x4", 3), "distance"), 29U);  // 48 / 2 - 1 + 6
  EXPECT_EQ(of_kind(found("line:5", 2), "cut"), 13U);  // 10 packets over one link, and 2 + 2 - 1 rounds
}

std::uint64_t cut(std::string_view name, Collective collective, PortModel ports, std::uint32_t parts) {
  auto [network, lacks] = network::parse_named(name);
  return of_kind(lower_bounds({.network = std::move(network),
                               .failed = std::move(lacks),
                               .task = {.collective = collective, .parts = parts},
                               .ports = ports}),
                 "cut");
}

// A node inside a line sends each packet both ways, once what is at the end of the other side is there, and in time for what is at the end
// of this one; in an allgather the one in the middle of line:5 sends 3 packets to either side, and half of an allreduce takes more.
TEST(Bound, counts_what_nodes_pass_on_that_hold_a_network_together) {
  EXPECT_EQ(cut("line:3", Collective::allreduce, PortModel::one(), 1), 7U);
  EXPECT_EQ(cut("line:5", Collective::allreduce, PortModel::one(), 2), 23U);
  EXPECT_EQ(cut("line:5", Collective::allreduce, PortModel::half(), 2), 42U);
  EXPECT_EQ(cut("line:5", Collective::allreduce, PortModel::all(), 2), 13U);
  EXPECT_EQ(cut("line:3", Collective::allgather, PortModel::one(), 1), 4U);
  EXPECT_EQ(cut("line:5", Collective::allgather, PortModel::one(), 1), 7U);
  EXPECT_EQ(cut("line:5", Collective::allgather, PortModel::half(), 1), 11U);
  EXPECT_EQ(cut("line:5@2", Collective::allgather, PortModel::one(), 1), 7U);
  EXPECT_EQ(cut("line:16", Collective::reduce_scatter, PortModel::one(), 1), 23U);
}

// Five nodes of mesh:3x3 have links to the four others only, which over one port send them four packets a round.
TEST(Bound, counts_messages_between_two_colours) {
  EXPECT_EQ(cut("mesh:3x3", Collective::allgather, PortModel::one(), 1), 10U);
  EXPECT_EQ(cut("mesh:3x3", Collective::reduce_scatter, PortModel::one(), 2), 20U);
  EXPECT_EQ(cut("mesh:3x3", Collective::allgather, PortModel::half(), 1), 18U);
  EXPECT_EQ(cut("mesh:3x3", Collective::allreduce, PortModel::one(), 1), 18U);
  EXPECT_EQ(cut("mesh:3x3", Collective::allreduce, PortModel::half(), 1), 36U);
  EXPECT_EQ(cut("mesh:3x4", Collective::allgather, PortModel::one(), 1), 11U);
}

// A star of three and a triangle that share a node: without it three sides.
TEST(Bound, finds_the_sides_of_a_node) {
  network::Failures lacks;
  lacks.edges = {{0, 1}, {0, 2}, {0, 3}, {0, 4}, {2, 3}};
  const auto found = lower_bounds({.network = network::parse("complete:5"),
                                   .failed = lacks,
                                   .task = {.collective = Collective::allreduce},
                                   .ports = PortModel::one()});
  EXPECT_EQ(of_kind(found, "cut"), 16U);  // 3 sides, 5 packets, and a round until the first is there
}

// Half of the rows, or of the even nodes, must send as many different sums as there are rows, or even nodes.
TEST(Bound, of_a_scan_counts_different_sums) {
  const auto cut = [](std::string_view name, std::uint32_t parts, PortModel ports = PortModel::all()) {
    auto [network, lacks] = network::parse_named(name);
    return of_kind(lower_bounds({.network = std::move(network),
                                 .failed = std::move(lacks),
                                 .task = {.collective = Collective::scan, .parts = parts},
                                 .ports = ports}),
                   "cut");
  };
  EXPECT_EQ(cut("line:9", 7), 7U);
  EXPECT_EQ(cut("mesh:4x4", 7), 7U);
  EXPECT_EQ(cut("mesh:3x4x5", 7), 7U);
  EXPECT_EQ(cut("mesh:4x4@1,2", 7), 4U);  // 4 sums a part over 8 links; between rows 1 a part over 4
  EXPECT_EQ(cut("hypercube:5", 7), 7U);
  EXPECT_EQ(cut("hypercube:5", 7, PortModel::one()), 7U);
  EXPECT_EQ(cut("torus:4x4", 7), 4U);      // 4 sums a part over 8 links
  EXPECT_EQ(cut("complete:8", 100), 25U);  // 4 sums a part over 16 links
}

TEST(Bound, of_a_scan_in_merged_messages_has_no_cut) {
  for (const Bound& bound : bounds("hypercube:5", "scan", "all", 9, schedule::unbounded))
    EXPECT_NE(bound.kind, "cut");
  EXPECT_EQ(of_kind(bounds("hypercube:5", "scan", "all", 9, 3), "cut"), 3U);
}

// Two triangles with a link between them, of which each packet needs a message either way.
TEST(Bound, of_an_allreduce_counts_the_links_between_two_sides) {
  const Network network = network::parse("complete:6");
  network::Failures failed;
  for (const network::Node a : {0U, 1U, 2U}) {
    for (const network::Node b : {3U, 4U, 5U}) {
      if (a != 2 || b != 3) failed.links.push_back({a, b - a - 1});
    }
  }
  const auto found =
      lower_bounds({.network = network, .failed = failed, .task = {.collective = Collective::allreduce}});
  EXPECT_EQ(found.front().kind, "cut");
  EXPECT_EQ(found.front().value, 6U);
}

// Whichever way round, a block crosses the link from 1 to 2 or that from 0 to 3: 12 blocks over two links.
TEST(Bound, of_a_task_asks_what_its_packets_pay) {
  const Network ring = network::parse("ring:4");
  const Task task{.collective = Collective::task, .deliveries = {{0, 2, 6}, {1, 3, 6}}};
  const auto found = lower_bounds({.network = ring, .task = task});
  EXPECT_EQ(found.front().kind, "prices");
  EXPECT_EQ(found.front().value, 6U);
}

std::uint64_t bound_of_open(std::string_view name, Collective collective, std::uint32_t parts = 1,
                            network::Node root = 0) {
  const auto [network, lacks] = network::parse_named(name);
  return lower_bounds({.network = network,
                       .failed = lacks,
                       .task = {.collective = collective, .root = root, .parts = parts}})
      .front()
      .value;
}

// N P / p times floor(p^2 / 4) for a line of p, half of it for a ring, N P / p for a complete axis.
TEST(Bound, of_an_exchange_cuts_open_axes_in_the_middle) {
  const auto rounds = [](const char* name, std::uint32_t parts = 1) {
    return bound_of_open(name, Collective::alltoall, parts);
  };
  EXPECT_EQ(rounds("line:11"), 30);
  EXPECT_EQ(rounds("mesh:5x7", 2), 120);
  EXPECT_EQ(rounds("mesh:8x8x8"), 1024);
  EXPECT_EQ(rounds("mesh:32x32"), 8192);
  EXPECT_EQ(rounds("line:8xring:16"), 256);
  EXPECT_EQ(rounds("line:3xring:16"), 96);
  EXPECT_EQ(rounds("line:3xcomplete:9"), 18);
  EXPECT_EQ(rounds("line:3xhypercube:4", 3), 96);
}

// ring:3xline:11 from node (1, 9): 27 nodes take in 3 packets each over 3 links, from the root and two neighbours.
TEST(Bound, of_scatter_cuts_off_what_is_behind_the_root) {
  EXPECT_EQ(bound_of_open("ring:3xline:11", Collective::scatter, 3, 20), 28);
  EXPECT_EQ(bound_of_open("ring:3xline:11", Collective::gather, 3, 20), 28);
  EXPECT_EQ(bound_of_open("line:8xring:16", Collective::scatter, 4, 0), 170);
  EXPECT_EQ(bound_of_open("line:9", Collective::scatter, 2, 3), 10);
}

// The corner and the middle of a mesh, one to 64 packets.
TEST(Bound, of_broadcast_follows_disjoint_paths_where_axes_are_open) {
  const auto rounds = [](const char* name, std::uint32_t parts, network::Node root) {
    return bound_of_open(name, Collective::broadcast, parts, root);
  };
  EXPECT_EQ(rounds("mesh:8x8", 16, 0), 21);
  EXPECT_EQ(rounds("mesh:8x8", 64, 0), 45);
  EXPECT_EQ(rounds("mesh:8x8", 16, 36), 15);
  EXPECT_EQ(rounds("mesh:4x4x4", 4, 0), 10);
  EXPECT_EQ(rounds("mesh:4x4x4", 64, 42), 27);
  EXPECT_EQ(rounds("line:8xring:16", 16, 0), 20);
  EXPECT_EQ(rounds("line:5xhypercube:3", 16, 0), 10);
}

TEST(Bound, of_a_single_node_is_zero) {
  EXPECT_EQ(bounds("ring:1", "alltoall").front().value, 0u);
}

TEST(Bound, does_not_overflow_on_the_longest_ring) {
  const Network ring = network::parse("ring:67108864");
  const Task task = parse_task("alltoall", ring, 0, 63);
  EXPECT_EQ(least_transmissions({.network = ring, .task = task}), UINT64_MAX);
  // Distances sum to N^2/4 = 2^50; two ports.
  EXPECT_EQ(lower_bounds({.network = ring, .task = task}).front().value, 63 * (std::uint64_t{1} << 49));
  EXPECT_EQ(of_kind(lower_bounds({.network = ring, .task = task, .ports = PortModel::half()}), "work"),
            63 * (std::uint64_t{1} << 51));
}

TEST(Bound, states_its_reason_in_numbers) {
  EXPECT_THAT(bounds("hypercube:6", "allgather").front().because, testing::HasSubstr("ceil(63/6) = 11"));
}

}  // namespace
}  // namespace isotrope::bound
