// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/exchange/equitable_exchange.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/algorithm/timetable_check.hpp"

namespace isotrope::algorithm {
namespace {

using network::Network;
using schedule::PortModel;

verify::Report check_exchange_of(const Network& network, std::uint32_t parts, PortModel ports) {
  const EquitableExchange exchange(network, parts, ports);
  verify::Report report = check_on(network, "alltoall", exchange.schedule(), 0, parts);
  EXPECT_TRUE(report.valid) << network.name() << " " << parts << " " << to_string(ports);
  EXPECT_EQ(report.rounds, exchange.rounds()) << network.name();
  return report;
}

// A ring of 5: over each port two packets and a hop on, in two rounds 2 + 1 packets.
TEST(EquitableExchange, of_a_ring_by_hand) {
  const verify::Report report = check_exchange_of(network::parse("ring:5"), 1, PortModel::all());
  EXPECT_THAT(report.link_load, testing::ElementsAre(2U, 1U));
  EXPECT_EQ(check_exchange_of(network::parse("ring:1"), 1, PortModel::all()).rounds, 0U);
}

TEST(EquitableExchange, serves_every_network_parts_and_ports) {
  for (const std::string& name : small_networks()) {
    const Network network = network::parse(name);
    if (network.order() == 1) continue;
    for (const std::uint32_t parts : numbers_of_parts(network)) {
      for (const PortModel ports : full_duplex_models(network)) {
        const verify::Report report = check_exchange_of(network, parts, ports);
        if (ports == PortModel::one()) {
          EXPECT_EQ(total_load(report), network.distance_sum() * parts) << name;
          EXPECT_EQ(report.rounds, network.diameter() * network.degree()) << name;
        }
      }
    }
  }
}

// With as many parts as ports, or twice as many: the bound in as many rounds as the diameter.
TEST(EquitableExchange, meets_the_bound_with_as_many_parts_as_ports) {
  for (const std::string& name : small_networks()) {
    const Network network = network::parse(name);
    if (network.order() == 1) continue;
    const PortModel ports = PortModel::all();
    for (const std::uint32_t parts : {network.degree(), 2 * network.degree()}) {
      const verify::Report report = check_exchange_of(network, parts, ports);
      EXPECT_EQ(total_load(report), least_load(network, "alltoall", parts, ports)) << name << " " << parts;
      EXPECT_EQ(report.rounds, network.diameter()) << name << " " << parts;
    }
  }
}

TEST(EquitableExchange, gives_the_same_schedule_every_time) {
  const Network network = network::parse("torus:4x5x3");
  EXPECT_EQ(EquitableExchange(network, 3, PortModel::all()).schedule(),
            EquitableExchange(network, 3, PortModel::all()).schedule());
}

}  // namespace
}  // namespace isotrope::algorithm
