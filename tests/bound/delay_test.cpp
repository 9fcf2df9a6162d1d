// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/bound/delay.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isotrope/base/error.hpp"

#include "isotrope/network/parse.hpp"

#include "isotrope/schedule/isotropic_task.hpp"

namespace isotrope::bound {
namespace {

using network::Network;
using network::Node;
using network::Port;
using schedule::Collective;
using schedule::parse_task;
using schedule::PortModel;
using schedule::Task;
using testing::HasSubstr;
using testing::ThrowsMessage;

DelayBound total_exchange_bound(std::string_view name, std::uint32_t parts = 1) {
  const Network network = network::parse(name);
  return delay_bound({.network = network, .task = parse_task("alltoall", network, 0, parts)});
}

// From the definition: every job on the machine that is free first.
std::uint64_t served_one_by_one(const Network& network, std::uint32_t parts, Port c) {
  std::vector<std::uint32_t> lengths;
  for (Node node = 1; node < network.order(); ++node) {
    lengths.insert(lengths.end(), parts, network.distance(0, node));
  }
  std::sort(lengths.begin(), lengths.end());
  std::vector<std::uint64_t> busy_until(c, 0);
  std::uint64_t sum = 0;
  for (std::uint32_t length : lengths) {
    auto& machine = *std::min_element(busy_until.begin(), busy_until.end());
    machine += length;
    sum += machine;
  }
  return sum;
}

// torus:3x3: 4 packets of 1 hop and 4 of 2 over 4 ports, done after 1 and after 1 + 2.
// ring:4: 1, 1 and 2 hops over 2 ports, done after 1, 1 and 3.
TEST(DelayBound, of_small_networks) {
  EXPECT_EQ(total_exchange_bound("torus:3x3"), (DelayBound{8, 16, 2.0}));
  EXPECT_EQ(total_exchange_bound("ring:4"), (DelayBound{3, 5, 5.0 / 3}));
  EXPECT_EQ(total_exchange_bound("hypercube:3"), (DelayBound{7, 18, 18.0 / 7}));
}

TEST(DelayBound, of_hypercubes) {
  const std::vector<std::uint64_t> sums{5,     18,    64,     235,    892,     3465,
                                        13684, 54540, 218524, 877855, 3530564, 14203696};
  for (std::uint32_t d = 2; d <= 13; ++d) {
    EXPECT_EQ(total_exchange_bound(fmt::format("hypercube:{}", d)).sum, sums[d - 2]) << d;
  }
}

// n^2/4 + n d/4 - C(2d-1, d)/2 + (d-1)/2.
TEST(DelayBound, of_hypercubes_of_prime_dimension_has_a_formula) {
  for (std::uint64_t d : {3u, 5u, 7u, 11u, 13u, 17u, 19u, 23u}) {
    const std::uint64_t n = std::uint64_t{1} << d;
    std::uint64_t choices = 1;  // C(2d-1, d)
    for (std::uint64_t i = 1; i <= d; ++i) choices = choices * (d - 1 + i) / i;
    EXPECT_EQ(2 * total_exchange_bound(fmt::format("hypercube:{}", d)).sum,
              n * n / 2 + n * d / 2 - choices + d - 1)
        << d;
  }
}

TEST(DelayBound, of_rings_and_hexagonal_meshes_has_formulas) {
  for (std::uint64_t n = 3; n <= 101; ++n) {
    const std::uint64_t sum = n % 2 == 1 ? (n - 1) * (n + 1) * (n + 3) / 24 : n * (n + 1) * (n + 2) / 24;
    EXPECT_EQ(total_exchange_bound(fmt::format("ring:{}", n)).sum, sum) << n;
  }
  for (std::uint64_t n = 2; n <= 50; ++n) {
    const std::uint64_t packets = 3 * n * n - 3 * n;
    EXPECT_EQ(total_exchange_bound(fmt::format("hexmesh:{}", n)).sum * 15,
              packets * (2 * n - 1) * (n * n - n + 3))
        << n;
  }
}

TEST(DelayBound, is_that_of_serving_the_shortest_first) {
  for (const char* name : {"hypercube:4", "torus:3x5", "torus:4x6", "hexmesh:3", "circulant:13:1,2",
                           "complete:6", "ring:9", "twisted-torus:2x2x4"}) {
    const Network network = network::parse(name);
    for (std::uint32_t parts : {1u, 3u}) {
      for (Port c = 1; c <= network.degree(); ++c) {
        const Task task = parse_task("alltoall", network, 0, parts);
        const DelayBound bound =
            delay_bound({.network = network, .task = task, .ports = PortModel::ports(c)});
        EXPECT_EQ(bound.sum, served_one_by_one(network, parts, c)) << name << " " << parts << " " << c;
        const Task listed{.collective = Collective::isotropic,
                          .parts = parts,
                          .destinations = relative_destinations(network, task)};
        EXPECT_EQ(delay_bound({.network = network, .task = listed, .ports = PortModel::ports(c)}), bound);
      }
    }
  }
}

// hypercube:4, distance 2: 6 packets over 4 ports, 4 done after 2 rounds and 2 after 4.
TEST(DelayBound, of_a_neighbourhood_counts_its_packets_only) {
  const Network cube = network::parse("hypercube:4");
  Task task;
  task.collective = Collective::neighborhood;
  task.nearest = task.farthest = 2;
  EXPECT_EQ(delay_bound({.network = cube, .task = task}), (DelayBound{6, 16, 16.0 / 6}));
}

TEST(DelayBound, is_0_where_nothing_moves_and_saturates) {
  EXPECT_EQ(total_exchange_bound("ring:1"), DelayBound{});
  const DelayBound large = total_exchange_bound("ring:7999999");
  EXPECT_EQ(large.sum, std::uint64_t{1} << 63);
  EXPECT_NEAR(large.mean / (8e6 * 8000002.0 / 24), 1, 1e-12);
}

TEST(DelayBound, refuses_other_tasks_and_half_duplex) {
  const Network ring = network::parse("ring:5");
  EXPECT_THAT([&] { delay_bound({.network = ring, .task = parse_task("broadcast", ring)}); },
              ThrowsMessage<Error>(HasSubstr("give alltoall or neighborhood")));
  EXPECT_THAT(
      [&] {
        delay_bound({.network = ring, .task = parse_task("alltoall", ring), .ports = PortModel::half()});
      },
      ThrowsMessage<Error>(HasSubstr("give one port, k ports or all")));
}

}  // namespace
}  // namespace isotrope::bound
