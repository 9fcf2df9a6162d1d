// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/forward/forwarder.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "isotrope/base/error.hpp"
#include "isotrope/base/split_mix.hpp"

#include "isotrope/verify/verify.hpp"

#include "forwarding_job.hpp"
#include "tests/sanitizers.hpp"

namespace isotrope::forward {
namespace {

using Sizes = std::vector<std::vector<std::uint64_t>>;

// Networks of every kind: closed, open, products, rated, and one of the lowest degree.
const std::vector<std::string>& networks() {
  static const std::vector<std::string> names{
      "ring:2",     "ring:5",        "hypercube:3",       "torus:4x4",         "torus:3x5",
      "hexmesh:2",  "line:6",        "mesh:3x4",          "line:4xring:4",     "circulant:13:1,5",
      "complete:6", "torus:4x3@2,1", "twisted-torus:2x4", "hypercube:2xline:3"};
  return names;
}

Sizes random_sizes(Node nodes, std::uint64_t seed, std::uint64_t most, std::uint32_t one_in) {
  SplitMix random(seed);
  Sizes sizes(nodes, std::vector<std::uint64_t>(nodes, 0));
  for (auto& row : sizes) {
    for (std::uint64_t& size : row)
      size = random.below(one_in) == 0 ? random.below(static_cast<std::uint32_t>(most)) : 0;
  }
  return sizes;
}

class Forwarding : public testing::TestWithParam<std::string> {};

TEST_P(Forwarding, DeliversBlocksOfAnySizes) {
  const network::NamedNetwork network = network::parse_named(GetParam());
  const Node nodes = network.network.order();
  for (const auto& [most, one_in] : std::vector<std::pair<std::uint64_t, std::uint32_t>>{
           {1, 1}, {40, 1}, {5000, 2}, {70000, 8}, {200, 20}}) {
    ForwardingJob job(network, random_sizes(nodes, most, most + 1, one_in));
    ASSERT_TRUE(job.run()) << GetParam() << ", up to " << most << " bytes";
    const verify::Report report = verify::verify(job.plan());
    EXPECT_TRUE(report.valid) << GetParam() << ": "
                              << (report.violations.empty() ? "" : report.violations[0].message);
    EXPECT_TRUE(job.knows_extremes());
  }
}

TEST_P(Forwarding, DeliversBlocksByBalancedRoutes) {
  const network::NamedNetwork network = network::parse_named(GetParam());
  const Node nodes = network.network.order();
  for (const auto& [most, one_in] : std::vector<std::pair<std::uint64_t, std::uint32_t>>{
           {1, 1}, {40, 1}, {5000, 2}, {300000, 8}, {200, 20}}) {
    ForwardingJob job(network, random_sizes(nodes, most, most + 1, one_in), 3);
    ASSERT_TRUE(job.run()) << GetParam() << ", up to " << most << " bytes";
    const verify::Report report = verify::verify(job.plan());
    EXPECT_TRUE(report.valid) << GetParam() << ": "
                              << (report.violations.empty() ? "" : report.violations[0].message);
    EXPECT_TRUE(job.knows_extremes());
    EXPECT_GE(job.busiest().back() + nodes, job.bound());  // loads are rounded
    EXPECT_TRUE(std::ranges::is_sorted(job.busiest(), std::ranges::greater()));
  }
}

// What every node receives, or lets out, over its links, evenly; parts are rounded.
void expect_bound(const ForwardingJob& job, const network::NamedNetwork& network,
                  const std::vector<std::uint64_t>& sizes) {
  EXPECT_EQ(job.empty_messages(), 0U);
  if (!network.lacks.empty()) return;
  std::uint64_t least = UINT64_MAX, sum = 0;
  for (const std::uint64_t size : sizes) sum += size;
  for (const std::uint64_t size : sizes) least = std::min(least, size);
  // Short blocks are not divided.
  const std::uint64_t most_short = 512 * network.network.degree() * network.network.order();
  EXPECT_LE(job.largest_lane_bytes(),
            (sum - least) / network.network.degree() + std::min(sum, most_short) + network.network.order());
}

TEST_P(Forwarding, GathersAndSumsBlocksOfAnySizes) {
  using enum ForwardingJob::Form;
  const network::NamedNetwork network = network::parse_named(GetParam());
  const Node nodes = network.network.order();
  for (const std::uint64_t most : {0U, 1U, 50U, unless_sanitized(200000, 30000)}) {
    std::vector<std::uint64_t> sizes = random_sizes(nodes, most, most + 1, 1).front();
    sizes.back() = 2 * most;
    for (const ForwardingJob::Form form : {allgather, reduce_scatter}) {
      ForwardingJob job(network, form, sizes);
      ASSERT_TRUE(job.run()) << GetParam() << ", up to " << most << " bytes";
      expect_bound(job, network, sizes);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Networks, Forwarding, testing::ValuesIn(networks()), [](const auto& test) {
  std::string name = test.param;
  std::ranges::replace_if(
      name, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
  return name;
});

RC_GTEST_PROP(ForwarderProperty, EndsOnAnyGraph, ()) {
  const auto nodes = *rc::gen::inRange<Node>(2, 12);
  const auto seed = *rc::gen::inRange<std::uint64_t>(0, 1000);
  const auto most = *rc::gen::element<std::uint64_t>(1, 100, 20000);
  // A random tree with a few more edges.
  SplitMix random(seed);
  network::NamedNetwork network = network::parse_named("complete:" + std::to_string(nodes));
  std::vector<network::Edge> edges;
  for (Node node = 1; node < nodes; ++node) edges.push_back({random.below(node), node});
  for (Node i = 0; i < 3; ++i) {
    const Node a = random.below(nodes), b = random.below(nodes);
    if (a != b) edges.push_back({std::min(a, b), std::max(a, b)});
  }
  std::ranges::sort(edges);
  const auto same = std::ranges::adjacent_find(edges);
  RC_PRE(same == edges.end());
  network.lacks.edges = edges;
  ForwardingJob job(network, random_sizes(nodes, seed, most + 1, 2));
  RC_ASSERT(job.run());
  RC_ASSERT(verify::verify(job.plan()).valid);
}

// Blocks of one pair of twenty. Farthest first alone takes a tenth longer than the busiest link, which waits for what is held back.
TEST(Forwarder, KeepsBusyLinksBusyByStages) {
  Sizes sizes(16, std::vector<std::uint64_t>(16, 0));
  SplitMix random(1);
  for (auto& row : sizes) {
    for (std::uint64_t& size : row) size = random.below(20) == 0 ? 1 << 20 : 0;
  }
  ForwardingJob job(network::parse_named("torus:4x4"), sizes, 8);
  ASSERT_TRUE(job.run());
  constexpr double part = 4096;  // a message in a step
  EXPECT_LE(static_cast<double>(job.steps()), 1.05 * static_cast<double>(job.largest_lane_bytes()) / part);
}

// The bound is what each node sends over its links.
TEST(Forwarder, BalancesUniformTraffic) {
  for (const std::string name : {"torus:4x4", "hypercube:4", "torus:3x3x3"}) {
    const network::NamedNetwork network = network::parse_named(name);
    const Node nodes = network.network.order();
    ForwardingJob job(network, Sizes(nodes, std::vector<std::uint64_t>(nodes, 16384)));
    ASSERT_TRUE(job.run());
    const double bound =
        16384.0 * static_cast<double>(network.network.distance_sum()) / network.network.degree();
    EXPECT_LE(static_cast<double>(job.largest_lane_bytes()), 1.03 * bound) << name;
  }
}

TEST(Forwarder, UsesAllLinksForOneReceiver) {
  const network::NamedNetwork network = network::parse_named("torus:4x4");
  Sizes sizes(16, std::vector<std::uint64_t>(16, 0));
  for (auto& row : sizes) row[5] = 65536;
  ForwardingJob job(network, sizes);
  ASSERT_TRUE(job.run());
  EXPECT_LE(static_cast<double>(job.largest_lane_bytes()), 1.1 * 15 * 65536 / 4);
}

// Every node sends all to one other: shortest paths alone take 1.9 to 2.7 times the bound.
TEST(Forwarder, BalancesPermutations) {
  for (const std::string name : {"torus:4x4", "hypercube:4", "torus:4x4x4", "mesh:4x4", "hexmesh:3"}) {
    const network::NamedNetwork network = network::parse_named(name);
    const Node nodes = network.network.order();
    if (is_sanitized && nodes > 20) continue;
    std::vector<Node> to(nodes);
    std::iota(to.begin(), to.end(), 0);
    SplitMix random(3);
    for (Node i = nodes; i > 1; --i) std::swap(to[i - 1], to[random.below(i)]);
    Sizes sizes(nodes, std::vector<std::uint64_t>(nodes, 0));
    for (Node i = 0; i < nodes; ++i) sizes[i][to[i]] = i == to[i] ? 0 : 1 << 20;
    ForwardingJob job(network, sizes, BalancedRoutes::most_rounds);
    ASSERT_TRUE(job.run());
    EXPECT_LE(job.busiest().back(), 0.75 * job.busiest().front()) << name;
    EXPECT_LE(static_cast<double>(job.largest_lane_bytes()), 1.1 * job.busiest().back()) << name;
  }
}

TEST(Forwarder, EndsWithoutData) {
  ForwardingJob job(network::parse_named("torus:4x4"), Sizes(16, std::vector<std::uint64_t>(16, 0)));
  ASSERT_TRUE(job.run());
  EXPECT_LE(job.steps(), 5U);  // one a level, and one to hear of the last
}

TEST(Forwarder, RefusesMessagesOfOthers) {
  const network::NamedNetwork network = network::parse_named("ring:4");
  const network::SurvivingNetwork survivors(network.network, {});
  const ShortestPorts ports(survivors, 0);
  Forwarder forwarder(ports, 2, [](const Unit&, const std::byte*) {});
  const auto message = [](std::uint32_t units, std::uint64_t bytes) {
    Message result = std::make_shared<std::byte[]>(bytes);
    if (bytes >= sizeof(units)) std::memcpy(result.get(), &units, sizeof(units));
    return result;
  };
  const std::uint64_t header = Forwarder::header_bytes;
  EXPECT_THROW(forwarder.receive(0, message(0, 4), 4), Error);                      // no header
  EXPECT_THROW(forwarder.receive(0, message(3, header + 24), header + 24), Error);  // units cut off
  EXPECT_THROW(forwarder.receive(0, message(0, header + 1), header + 1), Error);    // more than its units
  EXPECT_THROW(forwarder.receive(0, message(1, header + 24), header + 24), Error);  // a unit that made no hop
  EXPECT_THROW(forwarder.receive(0, message(1U << 31, header + 99), header + 99), Error);
}

}  // namespace
}  // namespace isotrope::forward
