// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "isotrope/network/hexmesh.hpp"
#include "isotrope/network/parse.hpp"

#include "isotrope/bound/kinds.hpp"
#include "isotrope/bound/lower_bounds.hpp"

namespace isotrope::bound {
namespace {

using network::Network;
using network::Node;
using network::Port;

std::uint64_t broadcast_bound(const Network& network) {
  return lower_bounds({.network = network,
                       .task = {.collective = schedule::Collective::broadcast},
                       .ports = schedule::PortModel::one()})
      .front()
      .value;
}

// Chen, Shin, Kandlur 1990, Theorem 3, for every size.
TEST(FarNodes, of_a_hexagonal_mesh_are_at_least_its_size) {
  for (std::uint32_t n = 3; n <= 40; ++n) {
    const Network mesh = network::hexmesh(n);
    if (n >= 5) {
      EXPECT_EQ(fewest_far_nodes(mesh), n);
    }
    EXPECT_EQ(broadcast_bound(mesh), n + 2);
  }
  EXPECT_EQ(broadcast_bound(network::hexmesh(2)), 3u);
}

// The fewest rounds of a broadcast over one port, by going through all sets of informed nodes.
std::uint64_t by_exhaustion(const Network& network) {
  std::set<std::uint32_t> sets{1};
  const std::uint32_t all = (std::uint32_t{1} << network.order()) - 1;
  for (std::uint64_t rounds = 0;; ++rounds) {
    if (sets.contains(all)) return rounds;
    std::set<std::uint32_t> next;
    for (const std::uint32_t set : sets) {
      // Senders one after the other, each to one neighbour or none.
      std::set<std::uint32_t> grown{set};
      for (Node node = 0; node < network.order(); ++node) {
        if ((set >> node & 1) == 0) continue;
        const std::set<std::uint32_t> before = grown;
        for (const std::uint32_t informed : before) {
          for (Port port = 0; port < network.degree(); ++port)
            grown.insert(informed | std::uint32_t{1} << network.neighbour(node, port));
        }
      }
      next.merge(grown);
    }
    sets = std::move(next);
  }
}

TEST(FarNodes, never_promise_more_than_there_is) {
  for (const char* name : {"hexmesh:2", "torus:3x3", "ring:7", "circulant:11:1,3", "complete:6",
                           "hypercube:3", "circulant:9:1,2", "torus:2x4", "circulant:10:1,4,5"}) {
    const Network network = network::parse(name);
    EXPECT_LE(broadcast_bound(network), by_exhaustion(network)) << name;
  }
}

TEST(FarNodes, are_not_counted_where_that_would_take_long) {
  EXPECT_EQ(fewest_far_nodes(network::parse("complete:600")), 0u);
}

}  // namespace
}  // namespace isotrope::bound
