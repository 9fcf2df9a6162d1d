// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/io/network_picture.hpp"

#include <cmath>
#include <sstream>

#include <boost/property_tree/ptree.hpp>
#include <boost/property_tree/xml_parser.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isotrope/network/parse.hpp"

#include "isotrope/io/network_layout.hpp"

#include "tests/io/refusal.hpp"

namespace isotrope::io {
namespace {

using network::Network;
using network::Node;
using network::parse;
using network::Port;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

struct Element {
  std::string tag;
  std::string text;
  boost::property_tree::ptree attributes;

  double number(const char* attribute) const { return attributes.get<double>(attribute); }
  std::string of_class() const { return attributes.get<std::string>("class", ""); }
};

void collect(const boost::property_tree::ptree& tree, std::vector<Element>& elements) {
  for (const auto& [tag, child] : tree) {
    if (tag == "<xmlattr>") continue;
    elements.push_back({tag, child.data(), child.get_child("<xmlattr>", {})});
    collect(child, elements);
  }
}

// All elements in order; throws where the text is no XML.
std::vector<Element> elements_of(const std::string& svg) {
  std::istringstream in(svg);
  boost::property_tree::ptree tree;
  boost::property_tree::read_xml(in, tree);
  std::vector<Element> elements;
  collect(tree, elements);
  return elements;
}

std::vector<Element> of_class(const std::vector<Element>& elements, const std::string& name) {
  std::vector<Element> result;
  for (const Element& element : elements) {
    if (element.of_class() == name) result.push_back(element);
  }
  return result;
}

std::vector<std::string> texts(const std::vector<Element>& elements) {
  std::vector<std::string> result;
  for (const Element& element : elements) result.push_back(element.text);
  return result;
}

TEST(NetworkPicture, draws_a_route_on_a_ring) {
  NetworkPicture picture;
  picture.title = "Two hops";
  picture.links = {{{0, 0}, "#0072B2", "first"}, {{1, 0}, "#D55E00", "second"}};
  picture.nodes = {{0, "#333333"}};
  picture.key = {{KeyEntry::Sign::node, "#333333", "start"}};
  const std::vector<Element> drawn = elements_of(draw_network(parse("ring:5"), picture));

  EXPECT_THAT(of_class(drawn, "link"), SizeIs(5));
  EXPECT_THAT(of_class(drawn, "node"), SizeIs(5));
  EXPECT_THAT(texts(of_class(drawn, "label")), ElementsAre("first", "second"));
  const std::vector<Element> arrows = of_class(drawn, "arrow");
  ASSERT_THAT(arrows, SizeIs(2));
  EXPECT_EQ(arrows[0].attributes.get<std::string>("stroke"), "#0072B2");
  EXPECT_EQ(of_class(drawn, "node")[0].attributes.get<std::string>("fill"), "#333333");
  EXPECT_EQ(drawn.back().text, "start");
}

TEST(NetworkPicture, draws_every_link_and_node_once) {
  for (const char* name :
       {"ring:1", "ring:2", "torus:4x4", "torus:3x3x3", "torus:2x3x3x3", "hypercube:6", "hexmesh:4",
        "complete:6", "circulant:13:1,5", "twisted-torus:4x8", "twisted-torus:8,0/3,8", "ring:6@2",
        "torus:4x4@2,1", "hypercube:3@3", "hexmesh:3@2"}) {
    const Network network = parse(name);
    const std::vector<Element> drawn = elements_of(draw_network(network, {}));
    EXPECT_THAT(of_class(drawn, "link"), SizeIs(network.directed_links() / 2)) << name;
    EXPECT_THAT(of_class(drawn, "node"), SizeIs(network.order())) << name;
    std::vector<std::string> lines;
    for (const Element& link : of_class(drawn, "link"))
      lines.push_back(link.attributes.get<std::string>("d"));
    std::ranges::sort(lines);
    EXPECT_EQ(std::ranges::adjacent_find(lines), lines.end()) << name;
  }
}

// Every stub of the layout ends at the number of the neighbour, at one distance from its node.
TEST(NetworkPicture, labels_stubs_with_the_nodes_they_lead_to) {
  for (const char* name : {"hexmesh:4", "torus:5x6", "torus:3x3x3", "twisted-torus:4x8"}) {
    const Network network = parse(name);
    const NetworkLayout layout = layout_of(network);
    const std::vector<Element> drawn = elements_of(draw_network(network, {}));
    const std::vector<Element> nodes = of_class(drawn, "node"), numbers = of_class(drawn, "stub");
    std::size_t found = 0;
    for (Node node = 0; node < network.order(); ++node) {
      for (Port port = 0; port < network.degree(); ++port) {
        const auto& stub = layout.stubs[std::size_t{node} * network.degree() + port];
        if (!stub) continue;
        ASSERT_LT(found, numbers.size()) << name;
        const Element& number = numbers[found++];
        EXPECT_EQ(number.text, std::to_string(network.neighbour(node, port))) << name;
        const double across = number.number("x") - nodes[node].number("cx");
        const double down = number.number("y") - nodes[node].number("cy");
        EXPECT_NEAR(across, 38 * stub->x, 0.1) << name;
        EXPECT_NEAR(down, 38 * stub->y, 5) << name;  // texts stand on their base line
      }
    }
    EXPECT_EQ(found, numbers.size()) << name;
  }
}

TEST(NetworkPicture, shows_both_ends_of_a_highlighted_wrap) {
  NetworkPicture picture;
  picture.links = {{{0, 1}, "#0072B2", "wrap"}};
  const std::vector<Element> drawn = elements_of(draw_network(parse("torus:4x4"), picture));

  EXPECT_THAT(of_class(drawn, "arrow"), SizeIs(2));
  EXPECT_THAT(texts(of_class(drawn, "label")), ElementsAre("wrap"));
}

TEST(NetworkPicture, keeps_arrows_both_ways_apart) {
  NetworkPicture picture;
  picture.links = {{{0, 0}, "#0072B2", ""}, {{1, 1}, "#D55E00", ""}};
  const std::vector<Element> arrows =
      of_class(elements_of(draw_network(parse("circulant:6:1,2"), picture)), "arrow");

  ASSERT_THAT(arrows, SizeIs(2));
  std::vector<Point> middles;
  for (const Element& arrow : arrows) {
    std::istringstream path(arrow.attributes.get<std::string>("d"));
    char letter = 0;
    Point from, to;
    path >> letter >> from.x >> from.y >> letter >> to.x >> to.y;
    middles.push_back({(from.x + to.x) / 2, (from.y + to.y) / 2});
  }
  EXPECT_GT(std::hypot(middles[0].x - middles[1].x, middles[0].y - middles[1].y), 8);
}

TEST(NetworkPicture, shows_what_has_failed) {
  NetworkPicture picture;
  picture.failed.nodes = {2};
  picture.failed.links = {{0, 0}};
  const std::vector<Element> drawn = elements_of(draw_network(parse("ring:6"), picture));

  EXPECT_THAT(of_class(drawn, "failed"), SizeIs(4));  // the node, its two links, and the link 0-1
  std::size_t dashed = 0;
  for (const Element& link : of_class(drawn, "link")) dashed += link.attributes.count("stroke-dasharray");
  EXPECT_EQ(dashed, 3u);
}

TEST(NetworkPicture, shows_listed_edges_only_and_nodes_at_their_coordinates) {
  NetworkPicture picture;
  picture.failed.edges = {{0, 1}, {1, 2}, {1, 3}};
  picture.coordinates = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {1, 1, 0}};
  const std::vector<Element> drawn = elements_of(draw_network(parse("complete:4"), picture));

  EXPECT_THAT(of_class(drawn, "link"), SizeIs(3));
  const std::vector<Element> nodes = of_class(drawn, "node");
  EXPECT_EQ(nodes[0].number("cy"), nodes[2].number("cy"));
  EXPECT_EQ(nodes[1].number("cx"), nodes[3].number("cx"));
  EXPECT_LT(nodes[3].number("cy"), nodes[1].number("cy"));
}

TEST(NetworkPicture, draws_chords_of_a_circle_for_nodes_too_close) {
  const network::Failures star = [] {
    network::Failures only;
    only.edges = {{0, 1}, {0, 2}, {0, 3}};
    return only;
  }();
  const Coordinates close{{0, 0, 0}, {0, 0, 0}, {2, 0, 0}, {1, 1, 0}};
  const std::vector<Point> circle = layout_of(parse("complete:4"), star).places;
  const std::vector<Point> places = layout_of(parse("complete:4"), star, close).places;
  ASSERT_EQ(places.size(), circle.size());
  for (std::size_t i = 0; i < places.size(); ++i) EXPECT_EQ(places[i].x, circle[i].x);
}

TEST(NetworkPicture, escapes_texts) {
  NetworkPicture picture;
  picture.title = "a < b & c";
  picture.note = "<script>";
  picture.links = {{{0, 0}, "#0072B2", "1 > 0"}};
  picture.key = {{KeyEntry::Sign::arrow, "#0072B2", "x & y"}};
  const std::string svg = draw_network(parse("ring:5"), picture);

  const std::vector<Element> drawn = elements_of(svg);
  EXPECT_THAT(svg, Not(HasSubstr("<script>")));
  EXPECT_THAT(texts(drawn), testing::IsSupersetOf({"a < b & c", "<script>", "1 > 0", "x & y"}));
}

TEST(NetworkPicture, stays_within_its_frame) {
  for (const char* name : {"hexmesh:3", "torus:3x4x5", "complete:7", "hypercube:5", "ring:1"}) {
    const std::vector<Element> drawn = elements_of(draw_network(parse(name), {}));
    const double width = drawn.front().number("width"), height = drawn.front().number("height");
    for (const Element& node : of_class(drawn, "node")) {
      EXPECT_GE(std::min(node.number("cx"), node.number("cy")), node_radius) << name;
      EXPECT_LE(node.number("cx"), width - node_radius) << name;
      EXPECT_LE(node.number("cy"), height - node_radius) << name;
    }
    for (const Element& number : of_class(drawn, "stub")) {
      EXPECT_GE(number.number("x"), 9) << name;
      EXPECT_LE(number.number("x"), width - 9) << name;
      EXPECT_LE(number.number("y"), height) << name;
    }
  }
}

TEST(NetworkPicture, is_the_same_every_time) {
  NetworkPicture picture;
  picture.title = "twice";
  picture.links = {{{3, 1}, "#0072B2", "7"}};
  EXPECT_EQ(draw_network(parse("hexmesh:3"), picture), draw_network(parse("hexmesh:3"), picture));
}

TEST(NetworkPicture, refuses_what_is_too_large) {
  EXPECT_THAT(refusal([] { draw_network(parse("hexmesh:30"), {}); }), HasSubstr("too many to draw"));
}

}  // namespace
}  // namespace isotrope::io
