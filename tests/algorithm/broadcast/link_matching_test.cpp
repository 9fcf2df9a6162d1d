// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/broadcast/link_matching.hpp"

#include <algorithm>
#include <numeric>
#include <random>

#include <gtest/gtest.h>

#include "isotrope/network/parse.hpp"

namespace isotrope::algorithm {
namespace {

std::vector<DirectedLink> links_of(const network::Network& network) {
  std::vector<DirectedLink> result;
  for (Node node = 0; node < network.order(); ++node) {
    for (Port port = 0; port < network.degree(); ++port)
      result.push_back({node, network.neighbour(node, port), port});
  }
  return result;
}

// The most links of a matching, over all subsets.
std::size_t largest(const std::vector<DirectedLink>& links, const std::vector<std::uint32_t>& candidates,
                    bool half_duplex, std::size_t from, std::uint64_t senders, std::uint64_t receivers) {
  if (from == candidates.size()) return 0;
  const auto [sender, receiver, port] = links[candidates[from]];
  const std::uint64_t s = std::uint64_t{1} << sender, r = std::uint64_t{1} << receiver;
  std::size_t best = largest(links, candidates, half_duplex, from + 1, senders, receivers);
  const bool free =
      half_duplex ? ((senders | receivers) & (s | r)) == 0 : (senders & s) == 0 && (receivers & r) == 0;
  if (free)
    best = std::max(best, 1 + largest(links, candidates, half_duplex, from + 1, senders | s, receivers | r));
  return best;
}

// As many links as possible; of nodes in an odd network one fewer may be missed.
TEST(LinkMatching, is_a_largest_one) {
  std::mt19937 random(3);
  for (const char* name : {"ring:6", "torus:2x3", "complete:5", "hypercube:3"}) {
    const network::Network network = network::parse(name);
    const auto links = links_of(network);
    for (const bool half_duplex : {false, true}) {
      LinkMatching matching(links, network.order(), half_duplex);
      for (int trial = 0; trial < 20; ++trial) {
        std::vector<std::uint32_t> candidates(links.size());
        std::iota(candidates.begin(), candidates.end(), 0U);
        std::shuffle(candidates.begin(), candidates.end(), random);
        candidates.resize(std::min<std::size_t>(candidates.size(), 9));
        std::vector<int> sends(network.order(), 0), receives(network.order(), 0);
        std::size_t matched = 0;
        for (const std::uint32_t link : matching.match(candidates)) {
          if (link == LinkMatching::no_link) continue;
          ASSERT_NE(std::ranges::find(candidates, link), candidates.end());
          ++sends[links[link].from], ++receives[links[link].to], ++matched;
        }
        for (Node node = 0; node < network.order(); ++node) {
          EXPECT_LE(sends[node], 1);
          EXPECT_LE(receives[node], 1);
          EXPECT_LE(sends[node] + receives[node], half_duplex ? 1 : 2);
        }
        const std::size_t most = largest(links, candidates, half_duplex, 0, 0, 0);
        EXPECT_GE(matched + (half_duplex ? 1 : 0), most) << name;
      }
    }
  }
}

}  // namespace
}  // namespace isotrope::algorithm
