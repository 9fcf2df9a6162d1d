// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Networks of all families, and the checker run on any network, for the tests of algorithms that know no
// family.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "isotrope/network/parse.hpp"

#include "isotrope/verify/verify.hpp"

namespace isotrope::algorithm {

inline std::vector<std::string> tori() {
  std::vector<std::string> names{"torus:5x24",   "torus:3x64",     "torus:4x40",
                                 "torus:2x40",   "torus:64x3",     "torus:2x3x4",
                                 "torus:3x3x20", "torus:12x12x12", "torus:2x2x2x9"};
  for (int a = 2; a <= 8; ++a) {
    for (int b = a; b <= 8; ++b) names.push_back(fmt::format("torus:{}x{}", a, b));
  }
  for (int a = 3; a <= 6; ++a) {
    for (int b = a; b <= 6; ++b) names.push_back(fmt::format("torus:{}x{}x{}", a, b, b));
  }
  return names;
}

// With the jumps given, which have no common divisor, and from the fewest nodes for which they differ.
inline std::vector<std::string> circulants(std::string_view jumps, int fewest, int most) {
  std::vector<std::string> names;
  for (int nodes = fewest; nodes <= most; ++nodes)
    names.push_back(fmt::format("circulant:{}:{}", nodes, jumps));
  return names;
}

inline std::vector<std::string> other_families() {
  std::vector<std::string> names{
      "twisted-torus:2x4",     "twisted-torus:3x6",          "twisted-torus:8x16",
      "twisted-torus:2x2x4",   "twisted-torus:4x4x8",        "twisted-torus:2x4x4",
      "twisted-torus:3x6x6",   "twisted-torus:8,0/3,8",      "twisted-torus:5,1/2,7",
      "twisted-torus:9,2/1,6", "cayley:4x6:1,0/3,0/0,1/0,5", "cayley:4x4:1,0/3,0/0,1/0,3/1,1/3,3"};
  for (int d = 1; d <= 14; ++d) names.push_back(fmt::format("hypercube:{}", d));
  for (int n = 2; n <= 12; ++n) names.push_back(fmt::format("hexmesh:{}", n));
  for (int n = 1; n <= 20; ++n) names.push_back(fmt::format("ring:{}", n));
  for (int n : {2, 3, 4, 5, 8, 33}) names.push_back(fmt::format("complete:{}", n));
  return names;
}

inline std::vector<std::string> abelian_networks() {
  std::vector<std::string> names;
  for (const auto& family :
       {tori(), circulants("1,2", 5, 130), circulants("1,5", 11, 130), circulants("1,2,3", 7, 130),
        circulants("3,5,7", 16, 130), circulants("1,6,11,13", 27, 130), other_families()}) {
    names.insert(names.end(), family.begin(), family.end());
  }
  return names;
}

/// The checker's report on `schedule` as a plan of `collective`, without claims.
inline verify::Report check_on(const network::Network& network, std::string_view collective,
                               schedule::Schedule schedule, network::Node root = 0, std::uint64_t parts = 1) {
  const schedule::Task task = schedule::parse_task(collective, network, root, parts);
  return verify::verify({network, {}, task, std::move(schedule), {}, {}});
}

/// The largest number of packets that must go into one subtree of the root where all paths are shortest ones:
/// for every set of ports, those for nodes that no shortest path from the root reaches over another port,
/// shared evenly. Cost: O(N degree + 2^degree N).
inline std::uint64_t least_largest_subtree(const network::Network& network, std::uint64_t parts) {
  std::vector<network::Node> nodes(network.order());
  std::iota(nodes.begin(), nodes.end(), network::Node{0});
  std::stable_sort(nodes.begin(), nodes.end(), [&](network::Node a, network::Node b) {
    return network.distance(0, a) < network.distance(0, b);
  });
  std::vector<std::uint32_t> first_ports(network.order(), 0);  // as bits
  for (const network::Node node : nodes) {
    for (network::Port port = 0; port < network.degree(); ++port) {
      const network::Node next = network.neighbour(node, port);
      if (network.distance(0, next) != network.distance(0, node) + 1) continue;
      first_ports[next] |= node == 0 ? std::uint32_t{1} << port : first_ports[node];
    }
  }
  std::uint64_t most = 0;
  for (std::uint32_t ports = 1; ports < std::uint32_t{1} << network.degree(); ++ports) {
    std::uint64_t packets = 0;
    for (network::Node node = 1; node < network.order(); ++node) {
      if ((first_ports[node] & ~ports) == 0) packets += parts;
    }
    const auto size = static_cast<std::uint64_t>(std::popcount(ports));
    most = std::max(most, (packets + size - 1) / size);
  }
  return most;
}

}  // namespace isotrope::algorithm
