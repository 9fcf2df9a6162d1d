// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/exchange/isotropic_exchange.hpp"

#include <algorithm>
#include <random>
#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isotrope/base/error.hpp"

#include "isotrope/bound/lower_bounds.hpp"

#include "tests/algorithm/exchange_check.hpp"

namespace isotrope::algorithm {
namespace {

using network::Network;
using network::Node;
using schedule::PortModel;
using schedule::RelativeDestination;
using testing::HasSubstr;
using testing::ThrowsMessage;

// The rounds of total exchange, which the checker finds to be the least.
std::uint64_t optimal_rounds(const std::string& name, std::uint64_t parts = 1,
                             PortModel ports = PortModel::all()) {
  const verify::Report report = check_exchange(name, "alltoall", parts, ports);
  EXPECT_TRUE(report.valid) << name;
  EXPECT_TRUE(report.claims_hold) << name;
  EXPECT_TRUE(report.optimal) << name << " " << parts << " " << report.rounds << " " << report.bound.because;
  return report.rounds;
}

TEST(IsotropicExchange, lets_every_node_use_every_port_once_on_a_complete_network) {
  const Network network = network::parse("complete:4");
  const auto schedule = IsotropicExchange(network, {}, PortModel::all()).schedule();
  ASSERT_EQ(schedule.stages.size(), 1);
  EXPECT_EQ(schedule.stages[0].replication, schedule::Replication::all());
  EXPECT_TRUE(schedule.stages[0].packets.empty());
  ASSERT_EQ(schedule.stages[0].rounds.size(), 1);
  EXPECT_THAT(
      schedule.stages[0].rounds.round(0),
      testing::UnorderedElementsAre(schedule::Hop{1, 0, 0}, schedule::Hop{2, 0, 1}, schedule::Hop{3, 0, 2}));
}

TEST(IsotropicExchange, takes_the_known_rounds_on_tori) {
  EXPECT_EQ(optimal_rounds("torus:3x5"), 9);
  EXPECT_EQ(optimal_rounds("torus:4x6"), 18);
  EXPECT_EQ(optimal_rounds("torus:2x4"), 4);
  EXPECT_EQ(optimal_rounds("torus:2x3x4"), 12);
  EXPECT_EQ(optimal_rounds("torus:5x5x5"), 75);
  EXPECT_EQ(optimal_rounds("torus:6x6"), 27);
  EXPECT_EQ(optimal_rounds("torus:3x3x3x3"), 27);
  EXPECT_EQ(optimal_rounds("ring:9"), 10);
  EXPECT_EQ(optimal_rounds("ring:1"), 0);
  EXPECT_EQ(optimal_rounds("torus:2x1"), 1);
}

// Of two to four axes with extents 1 to 6 and at most 300 nodes.
TEST(IsotropicExchange, is_optimal_on_all_small_tori) {
  std::vector<std::string> names{"torus:1"};
  for (std::size_t begin = 0, axes = 2; axes <= 4; ++axes) {
    for (const std::size_t end = names.size(); begin < end; ++begin) {
      for (std::uint32_t extent = 1; extent <= 6; ++extent) {
        const std::string name = fmt::format("{}x{}", names[begin], extent);
        if (network::parse(name).order() <= 300) names.push_back(name);
      }
    }
  }
  for (const std::string& name : names) optimal_rounds(name);
  EXPECT_GT(names.size(), 200);
}

TEST(IsotropicExchange, takes_the_known_rounds_on_hexagonal_meshes) {
  for (std::uint64_t n = 2; n <= 8; ++n) {
    EXPECT_EQ(optimal_rounds(fmt::format("hexmesh:{}", n)), n * (n - 1) * (2 * n - 1) / 6);
  }
}

// Theorem 7 for total exchange; parts make every row so many.
TEST(IsotropicExchange, takes_the_known_rounds_on_hypercubes_with_any_number_of_ports) {
  for (std::uint32_t d = 1; d <= 7; ++d) {
    const std::uint64_t hops = (std::uint64_t{1} << d) / 2 * d;
    for (std::uint32_t k = 1; k <= d; ++k) {
      for (std::uint64_t parts = 1; parts <= 3; ++parts) {
        EXPECT_EQ(optimal_rounds(fmt::format("hypercube:{}", d), parts, PortModel::ports(k)),
                  (hops * parts + k - 1) / k);
      }
    }
  }
}

TEST(IsotropicExchange, is_optimal_on_networks_of_other_families) {
  for (const char* name :
       {"circulant:13:1,5", "circulant:13:1,2", "circulant:31:1,3,5", "circulant:45:1,7", "circulant:15:3,5",
        "complete:2", "complete:7", "twisted-torus:2x4", "twisted-torus:4x8", "twisted-torus:4x4x8",
        "twisted-torus:4x8x8", "twisted-torus:8x16", "twisted-torus:8,0/3,8", "twisted-torus:5,2/3,7",
        "cayley:3x5:1,0/2,0/0,1/0,4/1,1/2,4"}) {
    optimal_rounds(name);
  }
}

TEST(IsotropicExchange, is_optimal_with_parts_and_fewer_ports) {
  for (const char* name :
       {"torus:3x4", "torus:3x5", "ring:6", "hexmesh:3", "twisted-torus:4x4x8", "circulant:13:1,2"}) {
    for (std::uint64_t parts = 1; parts <= 3; ++parts) {
      optimal_rounds(name, parts, PortModel::one());
      optimal_rounds(name, parts, PortModel::ports(2));
      optimal_rounds(name, parts);
    }
  }
}

// Networks that need not reach the bound, in particular of groups with one element t = -t: valid, with the
// rounds announced, and near.
TEST(IsotropicExchange, is_near_the_bound_elsewhere) {
  for (const char* name : {"circulant:8:1,3", "circulant:12:3,4", "circulant:24:1,5", "circulant:30:1,4,15",
                           "cayley:4x2:1,0/3,0/2,1/0,1", "twisted-torus:1x2x2"}) {
    const Network network = network::parse(name);
    const verify::Report report = check_exchange(name);
    EXPECT_TRUE(report.valid && report.claims_hold) << name;
    EXPECT_LE(report.rounds, report.bound.value + 2) << name << " " << report.bound.value;
    EXPECT_EQ(report.rounds, IsotropicExchange(network, {}, PortModel::all()).rounds()) << name;
  }
}

// Section 4: max(L, sum of C(d - 1, i - 1) for i from K to L).
TEST(IsotropicExchange, takes_the_known_rounds_for_neighbourhoods_of_hypercubes) {
  for (std::uint32_t d = 1; d <= 7; ++d) {
    for (std::uint32_t nearest = 1; nearest <= d; ++nearest) {
      std::uint64_t expected = 0, binomial = 1;
      for (std::uint32_t j = 1; j <= d; ++j) {
        if (j >= nearest) {
          expected += binomial;
          const verify::Report report =
              check_exchange(fmt::format("hypercube:{}", d), fmt::format("neighborhood:{}:{}", nearest, j));
          EXPECT_TRUE(report.valid && report.claims_hold) << d << " " << nearest << " " << j;
          EXPECT_EQ(report.rounds, std::max<std::uint64_t>(j, expected)) << d << " " << nearest << " " << j;
        }
        binomial = binomial * (d - j) / j;
      }
    }
  }
}

TEST(IsotropicExchange, serves_neighbourhoods_of_any_network) {
  for (const char* name : {"ring:6", "ring:7", "torus:3x4", "torus:4x4", "torus:3x3x6", "hexmesh:4",
                           "twisted-torus:4x8", "circulant:31:1,3,5"}) {
    for (const char* task : {"neighborhood:1:1", "neighborhood:1:2", "neighborhood:2:3"}) {
      for (std::uint64_t parts = 1; parts <= 2; ++parts) {
        const verify::Report report = check_exchange(name, task, parts);
        EXPECT_TRUE(report.valid && report.claims_hold) << name << " " << task;
        EXPECT_LE(report.rounds, report.bound.value + 1) << name << " " << task << " " << parts;
      }
    }
  }
}

// Packets as listed by hand: 2 blocks for node 1, in 2 parts, and one for the node itself.
TEST(IsotropicExchange, lists_the_packets_of_a_list) {
  const Network ring = network::parse("ring:5");
  const std::vector<RelativeDestination> destinations{{1, 2}, {0, 1}};
  const auto schedule = IsotropicExchange(ring, destinations, 2, PortModel::all()).schedule();
  EXPECT_EQ(schedule.stages[0].packets.size(), 6);
  EXPECT_EQ(schedule.stages[0].packets[3], (schedule::Packet{0, 1, 1, 1}));
  EXPECT_EQ(schedule.stages[0].packets[5], (schedule::Packet{0, 0, 2, 1}));
  EXPECT_EQ(schedule.round_count(), 4);  // the other way round takes 4 as well
}

TEST(IsotropicExchange, serves_random_lists) {
  std::mt19937 generator(7);
  const auto random = [&](std::uint32_t bound) { return static_cast<std::uint32_t>(generator() % bound); };
  for (const char* name : {"ring:8", "torus:3x4", "torus:2x3x3", "hypercube:4", "hexmesh:3",
                           "twisted-torus:4x8", "circulant:20:1,8", "complete:6"}) {
    const Network network = network::parse(name);
    for (int list = 0; list < 4; ++list) {
      std::vector<RelativeDestination> destinations(1 + random(20));
      for (auto& destination : destinations) destination = {random(network.order()), 1 + random(4)};
      const std::uint32_t parts = 1 + random(2);
      const PortModel ports = PortModel::ports(1 + random(network.degree()));
      const IsotropicExchange exchange(network, destinations, parts, ports);
      schedule::Plan plan{
          network, {}, schedule::parse_task("isotropic", network, 0, parts), exchange.schedule(), {}, {}};
      EXPECT_TRUE(verify::verify(plan).valid) << name << " " << list;
      EXPECT_EQ(plan.schedule.round_count(), exchange.rounds()) << name << " " << list;
      const auto bounds = bound::lower_bounds({.network = network,
                                               .task = {.collective = schedule::Collective::isotropic,
                                                        .parts = parts,
                                                        .destinations = destinations},
                                               .ports = ports});
      EXPECT_GE(exchange.rounds(), bounds.front().value) << name << " " << list;
    }
  }
}

TEST(IsotropicExchange, has_nothing_to_do_for_an_empty_list) {
  const Network ring = network::parse("ring:5");
  EXPECT_EQ(IsotropicExchange(ring, std::vector<RelativeDestination>{}, 1, PortModel::all()).rounds(), 0);
  EXPECT_EQ(IsotropicExchange(ring, std::vector<RelativeDestination>{{0, 3}}, 1, PortModel::all()).rounds(),
            0);
}

TEST(IsotropicExchange, refuses_what_it_cannot_serve) {
  const Network ring = network::parse("ring:5");
  const std::vector<RelativeDestination> outside{{5, 1}}, many{{1, UINT32_MAX}};
  EXPECT_THAT([&] { IsotropicExchange(ring, {}, PortModel::half()); },
              ThrowsMessage<Error>(HasSubstr("half duplex")));
  EXPECT_THAT([&] { IsotropicExchange(ring, schedule::parse_task("allgather", ring), PortModel::all()); },
              ThrowsMessage<Error>(HasSubstr("give alltoall or neighborhood:K:L")));
  EXPECT_THAT(
      [&] { IsotropicExchange(ring, schedule::parse_task("neighborhood:3:4", ring), PortModel::all()); },
      ThrowsMessage<Error>(HasSubstr("distances of at most 2")));
  EXPECT_THAT([&] { IsotropicExchange(ring, outside, 1, PortModel::all()); },
              ThrowsMessage<Error>(HasSubstr("relative destination 5: the nodes of ring:5 are 0..4")));
  EXPECT_THAT([&] { IsotropicExchange(ring, many, 2, PortModel::all()); },
              ThrowsMessage<Error>(HasSubstr("fewer than 2^32 packets")));
  EXPECT_THAT([&] { IsotropicExchange(ring, outside, 0, PortModel::all()); },
              ThrowsMessage<Error>(HasSubstr("1 part or more")));
}

}  // namespace
}  // namespace isotrope::algorithm
