// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// What every timetable must be, and the checker run on the schedules after it.
#pragma once

#include <cstdint>
#include <numeric>
#include <string>

#include <gtest/gtest.h>

#include "isotrope/bound/bandwidth.hpp"

#include "isotrope/algorithm/timetable/timetable_schedules.hpp"

#include "tests/algorithm/abelian_networks.hpp"

namespace isotrope::algorithm {

/// The networks of tests that try all port models and several numbers of parts.
inline std::vector<std::string> small_networks() {
  std::vector<std::string> names{"ring:1",
                                 "ring:2",
                                 "ring:5",
                                 "ring:6",
                                 "torus:2x3",
                                 "torus:3x3",
                                 "torus:4x4",
                                 "torus:1x5",
                                 "torus:3x4x5",
                                 "torus:2x2x5",
                                 "torus:4x8",
                                 "hexmesh:2",
                                 "hexmesh:3",
                                 "hexmesh:5",
                                 "circulant:13:1,5",
                                 "circulant:20:1,6",
                                 "circulant:15:3,5,7",
                                 "complete:6",
                                 "twisted-torus:2x2x4",
                                 "twisted-torus:4x8",
                                 "cayley:4x6:1,0/3,0/0,1/0,5"};
  for (int d = 1; d <= 7; ++d) names.push_back(fmt::format("hypercube:{}", d));
  return names;
}

inline std::vector<std::uint32_t> numbers_of_parts(const network::Network& network) {
  return {1, 2, network.degree(), 2 * network.degree() + 1};
}

/// All models but half duplex: all ports, every number of them, one.
inline std::vector<schedule::PortModel> full_duplex_models(const network::Network& network) {
  std::vector<schedule::PortModel> models{schedule::PortModel::all(), schedule::PortModel::one()};
  for (network::Port k = 2; k < network.degree(); ++k) models.push_back(schedule::PortModel::ports(k));
  return models;
}

/// What the largest loads of all rounds add up to.
inline std::uint64_t total_load(const verify::Report& report) {
  return std::accumulate(report.link_load.begin(), report.link_load.end(), std::uint64_t{0});
}

/// The least that they can add up to.
inline std::uint64_t least_load(const network::Network& network, std::string_view collective,
                                std::uint32_t parts, schedule::PortModel ports) {
  return bound::bandwidth_bound(schedule::Problem{.network = network,
                                                  .task = schedule::parse_task(collective, network, 0, parts),
                                                  .ports = ports})
      ->value;
}

/// Every chain of addresses ends at 0 in rounds that grow; `shortest` ones in as many hops as the distance.
inline void expect_chains(const network::Network& network, const Timetable& timetable, bool shortest) {
  for (std::uint32_t table = 0; table < timetable.tables(); ++table) {
    for (network::Node start = 1; start < network.order(); ++start) {
      std::uint32_t hops = 0, next_round = 0;
      for (network::Node address = start; address != 0; ++hops) {
        const auto [round, port] = timetable.at(table, address);
        ASSERT_LE(next_round, round) << network.name() << " from " << start;
        ASSERT_LT(round, timetable.rounds());
        next_round = round + 1;
        address = network.group().subtract(address, network.generators()[port]);
      }
      if (shortest) {
        ASSERT_EQ(hops, network.distance(0, start)) << network.name();
      }
    }
  }
}

/// Checks scatter from the last node, allgather and alltoall after a timetable; all are valid, and the loads
/// of scatter and allgather are the same, round by round backwards. Returns the report on the allgather.
inline verify::Report check_timetable(const network::Network& network, std::uint32_t parts,
                                      schedule::PortModel ports, const Timetable& timetable) {
  const network::Node root = network.order() - 1;
  const std::string where = fmt::format("{}, {} parts, {}", network.name(), parts, to_string(ports));
  const verify::Report scatter =
      check_on(network, "scatter", timetable_scatter(network, root, parts, ports, timetable), root, parts);
  EXPECT_TRUE(scatter.valid) << where;
  EXPECT_EQ(scatter.rounds, timetable.rounds()) << where;
  const verify::Report exchange =
      check_on(network, "alltoall", timetable_exchange(network, parts, ports, timetable), 0, parts);
  EXPECT_TRUE(exchange.valid) << where;
  EXPECT_EQ(exchange.rounds, timetable.rounds()) << where;
  verify::Report allgather =
      check_on(network, "allgather", timetable_allgather(network, parts, ports, timetable), 0, parts);
  EXPECT_TRUE(allgather.valid) << where;
  EXPECT_EQ(allgather.rounds, timetable.rounds()) << where;
  EXPECT_TRUE(std::equal(scatter.link_load.rbegin(), scatter.link_load.rend(), allgather.link_load.begin(),
                         allgather.link_load.end()))
      << where;
  return allgather;
}

}  // namespace isotrope::algorithm
