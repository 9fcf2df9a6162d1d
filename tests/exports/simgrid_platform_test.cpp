// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/exports/simgrid_platform.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isotrope/base/error.hpp"

#include "isotrope/network/parse.hpp"

#include "isotrope/bound/bandwidth.hpp"

namespace isotrope::exports {
namespace {

using network::Network;
using network::Node;
using testing::HasSubstr;

using Link = std::pair<Node, Node>;

// A platform as a reader sees it, who knows nothing of networks.
struct Platform {
  std::vector<Node> hosts = {};
  std::vector<Link> links = {};
  std::map<Link, std::vector<Link>> routes = {};  // from and to, over which links
};

// The numbers in a text, in order.
std::vector<Node> numbers(std::string_view text) {
  std::vector<Node> result;
  for (const char* at = text.data(); at != text.data() + text.size();) {
    Node number = 0;
    const auto [end, error] = std::from_chars(at, text.data() + text.size(), number);
    if (error == std::errc()) result.push_back(number);
    at = error == std::errc() ? end : at + 1;
  }
  return result;
}

// The values of an attribute, one after the other.
std::vector<std::string_view> values(std::string_view line, std::string_view attribute) {
  std::vector<std::string_view> result;
  const std::string opening = " " + std::string(attribute) + "=\"";
  for (auto at = line.find(opening); at != std::string_view::npos; at = line.find(opening, at)) {
    at += opening.size();
    result.push_back(line.substr(at, line.find('"', at) - at));
  }
  return result;
}

Link link_named(std::string_view id) {
  const std::vector<Node> ends = numbers(id);
  return {ends.at(0), ends.at(1)};
}

Platform read_platform(const std::string& text) {
  Platform result;
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(line.size() + 1);
    if (line.starts_with("<host")) result.hosts.push_back(numbers(values(line, "id").at(0)).at(0));
    if (line.starts_with("<link")) result.links.push_back(link_named(values(line, "id").at(0)));
    if (!line.starts_with("<route")) continue;
    auto& route =
        result.routes[{numbers(values(line, "src").at(0)).at(0), numbers(values(line, "dst").at(0)).at(0)}];
    for (const std::string_view id : values(line, "id")) route.push_back(link_named(id));
  }
  return result;
}

std::uint64_t busiest(const Platform& platform) {
  std::map<Link, std::uint64_t> loads;
  std::uint64_t result = 0;
  for (const auto& [pair, route] : platform.routes) {
    for (const Link& link : route) result = std::max(result, ++loads[link]);
  }
  return result;
}

std::uint64_t exchange_bound(const Network& network) {
  const schedule::Task task{.collective = schedule::Collective::alltoall};
  return bound::bandwidth_bound(schedule::Problem{.network = network, .task = task})->value;
}

TEST(SimgridPlatform, of_a_ring_by_hand) {
  EXPECT_EQ(simgrid_platform(network::parse("ring:3"), {.startup_s = 5e-7, .byte_time_s = 5e-10}),
            "<?xml version='1.0'?>\n"
            "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
            "<platform version=\"4.1\">\n"
            "<zone id=\"network\" routing=\"Full\">\n"
            "<host id=\"n0\" speed=\"1Gf\"/>\n"
            "<host id=\"n1\" speed=\"1Gf\"/>\n"
            "<host id=\"n2\" speed=\"1Gf\"/>\n"
            "<link id=\"l0_1\" bandwidth=\"2000000000Bps\" latency=\"5e-07s\"/>\n"
            "<link id=\"l0_2\" bandwidth=\"2000000000Bps\" latency=\"5e-07s\"/>\n"
            "<link id=\"l1_2\" bandwidth=\"2000000000Bps\" latency=\"5e-07s\"/>\n"
            "<link id=\"l1_0\" bandwidth=\"2000000000Bps\" latency=\"5e-07s\"/>\n"
            "<link id=\"l2_0\" bandwidth=\"2000000000Bps\" latency=\"5e-07s\"/>\n"
            "<link id=\"l2_1\" bandwidth=\"2000000000Bps\" latency=\"5e-07s\"/>\n"
            "<route src=\"n0\" dst=\"n1\" symmetrical=\"NO\"><link_ctn id=\"l0_1\"/></route>\n"
            "<route src=\"n0\" dst=\"n2\" symmetrical=\"NO\"><link_ctn id=\"l0_2\"/></route>\n"
            "<route src=\"n1\" dst=\"n2\" symmetrical=\"NO\"><link_ctn id=\"l1_2\"/></route>\n"
            "<route src=\"n1\" dst=\"n0\" symmetrical=\"NO\"><link_ctn id=\"l1_0\"/></route>\n"
            "<route src=\"n2\" dst=\"n0\" symmetrical=\"NO\"><link_ctn id=\"l2_0\"/></route>\n"
            "<route src=\"n2\" dst=\"n1\" symmetrical=\"NO\"><link_ctn id=\"l2_1\"/></route>\n"
            "</zone>\n</platform>\n");
}

TEST(SimgridPlatform, of_a_line_has_its_links_alone) {
  const auto [network, lacks] = network::parse_named("line:3");
  const Platform line = read_platform(simgrid_platform(network::SurvivingNetwork(network, lacks)));
  EXPECT_THAT(line.links, testing::ElementsAre(Link{0, 1}, Link{1, 2}, Link{1, 0}, Link{2, 1}));
  EXPECT_THAT(line.routes.at({0, 2}), testing::ElementsAre(Link{0, 1}, Link{1, 2}));
}

// Links side by side are one of their bandwidth together, on the whole network and on what is left.
TEST(SimgridPlatform, has_faster_links_of_higher_rates) {
  const std::string whole = simgrid_platform(network::parse("torus:3x3@3,1"));
  EXPECT_THAT(whole, HasSubstr("<link id=\"l0_3\" bandwidth=\"3000000000Bps\""));
  EXPECT_THAT(whole, HasSubstr("<link id=\"l0_1\" bandwidth=\"1000000000Bps\""));
  EXPECT_EQ(read_platform(whole).links.size(), 36U);
  const auto [network, lacks] = network::parse_named("line:3@2");
  network::Failures failed = lacks;
  failed.links = {{0, 1}};
  const std::string left = simgrid_platform(network::SurvivingNetwork(network, failed));
  EXPECT_THAT(left, HasSubstr("<link id=\"l0_1\" bandwidth=\"1000000000Bps\""));
  EXPECT_THAT(left, HasSubstr("<link id=\"l1_2\" bandwidth=\"2000000000Bps\""));
}

// Two ways round for each of the four nodes: 0 and 2 send forwards, 1 and 3 backwards.
TEST(SimgridPlatform, splits_the_sources_of_two_equal_ways) {
  const Platform ring = read_platform(simgrid_platform(network::parse("ring:4")));

  const auto way = [&ring](Node from, Node to) { return ring.routes.at({from, to}).front().second; };
  EXPECT_EQ((std::vector{way(0, 2), way(1, 3), way(2, 0), way(3, 1)}), (std::vector<Node>{1, 0, 3, 2}));
  EXPECT_EQ(busiest(ring), 2U);
}

class SimgridPlatforms : public testing::TestWithParam<const char*> {};

TEST_P(SimgridPlatforms, have_a_shortest_route_over_links_for_every_pair) {
  const Network network = network::parse(GetParam());
  const Platform platform = read_platform(simgrid_platform(network));

  std::vector<Link> links;
  for (Node node = 0; node < network.order(); ++node) {
    EXPECT_EQ(platform.hosts.at(node), node);
    for (network::Port port = 0; port < network.degree(); ++port)
      links.emplace_back(node, network.neighbour(node, port));
  }
  EXPECT_EQ(platform.hosts.size(), network.order());
  EXPECT_THAT(platform.links, testing::ElementsAreArray(links));
  std::ranges::sort(links);
  EXPECT_EQ(platform.routes.size(), std::uint64_t{network.order()} * (network.order() - 1));
  for (const auto& [ends, route] : platform.routes) {
    ASSERT_EQ(route.size(), network.distance(ends.first, ends.second));
    Node at = ends.first;
    for (const Link& link : route) {
      ASSERT_EQ(link.first, at);
      ASSERT_TRUE(std::ranges::binary_search(links, link));
      at = link.second;
    }
    ASSERT_EQ(at, ends.second);
  }
}

TEST_P(SimgridPlatforms, carry_a_total_exchange_at_the_bound) {
  const Network network = network::parse(GetParam());

  EXPECT_EQ(busiest(read_platform(simgrid_platform(network))), exchange_bound(network));
}

INSTANTIATE_TEST_SUITE_P(Families, SimgridPlatforms,
                         testing::Values("hypercube:1", "hypercube:3", "hypercube:4", "hypercube:6",
                                         "torus:4x4", "torus:8x8", "torus:4x4x4", "torus:3x5", "torus:4x6",
                                         "torus:6x6", "torus:2x4x3", "torus:2x6", "torus:5x5", "torus:10x6",
                                         "ring:2", "ring:5", "ring:6", "ring:8", "ring:9", "ring:10",
                                         "ring:12", "hexmesh:2", "hexmesh:3", "hexmesh:4", "complete:7",
                                         "complete:8", "circulant:8:1,3", "circulant:13:1,5",
                                         "circulant:16:1,4", "circulant:10:1,2", "circulant:25:1,7",
                                         "circulant:15:3,5,7", "twisted-torus:2x2x4", "twisted-torus:4x4x8",
                                         "circulant:64:1,8", "circulant:17:1,4", "circulant:30:1,7,11"));

// Where the ways that are shortest cannot be shared evenly, or are not found to be.
TEST(SimgridPlatform, loads_unlike_links_nearly_evenly) {
  for (const auto& [name, excess] : {std::pair{"circulant:12:1,3", 1U},
                                     {"circulant:12:1,5", 1U},
                                     {"circulant:24:1,5,12", 1U},
                                     {"circulant:20:1,6", 2U}}) {
    const Network network = network::parse(name);
    EXPECT_LE(busiest(read_platform(simgrid_platform(network))), exchange_bound(network) + excess) << name;
  }
}

TEST(SimgridPlatform, refuses_more_routes_than_a_file_should_hold) {
  try {
    simgrid_platform(network::parse("hypercube:12"));
    FAIL() << "a platform of 4096 hosts";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("hypercube:12: its routes have 100663296 hops together, and at most "
                                        "16777216 are written"));
  }
}

// Axis 1 has a class of its own; its two links side by side share the bandwidth of the class. Nodes 0 and 1 are further apart.
TEST(SimgridPlatform, has_the_link_classes_of_the_machine) {
  cost::Machine machine{.startup_s = 1e-6, .byte_time_s = 1e-9, .link_class_count = 1};
  machine.listed_classes[0] = {.axes = 2, .startup_s = 2e-6, .byte_time_s = 4e-9};
  const std::string whole = simgrid_platform(network::parse("torus:3x3@1,2"), machine);
  EXPECT_THAT(whole, HasSubstr("<link id=\"l0_3\" bandwidth=\"1000000000Bps\" latency=\"1e-06s\"/>"));
  EXPECT_THAT(whole, HasSubstr("<link id=\"l0_1\" bandwidth=\"250000000Bps\" latency=\"2e-06s\"/>"));

  network::Failures lacks;
  lacks.edge_times = {{.edge = {0, 1}, .startup_s = 7e-6}};
  const network::SurvivingNetwork ring(network::parse("ring:4"), lacks);
  EXPECT_THAT(simgrid_platform(ring),
              HasSubstr("<link id=\"l1_0\" bandwidth=\"1000000000Bps\" latency=\"7e-06s\"/>"));
}

TEST(SimgridPlatform, refuses_links_without_a_bandwidth) {
  EXPECT_THROW(simgrid_platform(network::parse("ring:4"), {.startup_s = 1e-6}), Error);
}

}  // namespace
}  // namespace isotrope::exports
