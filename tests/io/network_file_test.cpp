// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/io/network_file.hpp"

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isotrope/base/error.hpp"

#include "tests/io/temporary_folder.hpp"

namespace isotrope::io {
namespace {

using network::Edge;
using testing::ElementsAre;
using testing::HasSubstr;

class NetworkFileTest : public testing::Test {
 protected:
  NetworkFile read(const std::string& text) const {
    std::ofstream(file_) << text;
    return read_network_file(file_);
  }
  // What reading says, without the name of the file, which it must begin with.
  std::string refusal(const std::string& text) const {
    try {
      read(text);
    } catch (const Error& error) {
      const std::string what = error.what(), start = file_.string() + ":";
      EXPECT_TRUE(what.starts_with(start)) << what;
      return what.substr(start.size());
    }
    return "";
  }
  bool is_network(const std::string& text) const {
    std::ofstream(file_) << text;
    return is_network_file(file_);
  }

  TemporaryFolder folder_;
  std::filesystem::path file_ = folder_.path() / "network.json";
};

TEST_F(NetworkFileTest, of_numbered_nodes) {
  const NetworkFile star =
      read(R"({"format": "isotrope-network/1", "nodes": 4, "links": [[0, 1], [2, 0], [0, 3]]})");

  EXPECT_EQ(star.named.network.order(), 4);
  EXPECT_THAT(star.named.lacks.edges, ElementsAre(Edge{0, 1}, Edge{0, 2}, Edge{0, 3}));
  EXPECT_THAT(star.names, ElementsAre("0", "1", "2", "3"));
  EXPECT_TRUE(star.coordinates.empty());
}

TEST_F(NetworkFileTest, as_networkx_writes_it) {
  const NetworkFile path = read(R"({
    "directed": false, "multigraph": false, "graph": {"name": "path"},
    "nodes": [{"id": "b", "pos": [1, 0]}, {"colour": [1, 2], "id": ["a", 7], "pos": [0, 0.5, 2]},
              {"id": 3, "pos": [2, 0]}],
    "links": [{"source": "b", "target": ["a", 7], "weight": 2.5}, {"source": 3, "target": "b"}]})");

  EXPECT_THAT(path.names, ElementsAre("\"b\"", "[\"a\",7]", "3"));
  EXPECT_THAT(path.named.lacks.edges, ElementsAre(Edge{0, 1}, Edge{0, 2}));
  EXPECT_THAT(path.coordinates[1], ElementsAre(0, 0.5, 2));
}

TEST_F(NetworkFileTest, with_keys_in_any_order_and_edges_for_links) {
  const NetworkFile path = read(R"({"edges": [[0, 1], [1, 2]], "nodes": [2, 0, 1]})");

  EXPECT_THAT(path.names, ElementsAre("0", "1", "2"));
  EXPECT_THAT(path.named.lacks.edges, ElementsAre(Edge{0, 1}, Edge{1, 2}));
}

TEST_F(NetworkFileTest, of_a_directed_graph_with_every_link_both_ways) {
  EXPECT_THAT(
      read(R"({"directed": true, "nodes": 3, "links": [[0, 1], [1, 0], [2, 1], [1, 2]]})").named.lacks.edges,
      ElementsAre(Edge{0, 1}, Edge{1, 2}));
}

TEST_F(NetworkFileTest, of_links_of_unlike_rates) {
  const std::vector<Edge> edges{{0, 1}, {1, 2}, {1, 2}};
  EXPECT_EQ(read(R"({"nodes": 3, "links": [[0, 1], [1, 2, 2]]})").named.lacks.edges, edges);
  EXPECT_EQ(read(R"({"nodes": 3, "links": [[0, 1, "slow"], [2, 1, "fast"]],
                     "classes": {"slow": {"rate": 1}, "fast": {"rate": 2}}})")
                .named.lacks.edges,
            edges);
  EXPECT_EQ(
      read(R"({"directed": false, "multigraph": true, "graph": {}, "nodes": [{"id": 0}, {"id": 1}, {"id": 2}],
                     "links": [{"source": 0, "target": 1, "key": 0}, {"source": 1, "target": 2, "key": 0},
                               {"source": 2, "target": 1, "key": 1}]})")
          .named.lacks.edges,
      edges);
  EXPECT_EQ(read(R"({"directed": true, "nodes": 3, "links": [{"source": 0, "target": 1}, [1, 0, 1],
                     {"source": 2, "target": 1, "rate": 2}, [1, 2, 2]]})")
                .named.lacks.edges,
            edges);

  const auto with_link = [](const std::string& link) {
    return "{\"nodes\": 2, \"links\": [\n" + link + "]}";
  };
  for (const char* rate : {"0", "0.5", "-1", "65", "[]"})
    EXPECT_THAT(refusal(with_link(std::string("[0, 1, ") + rate + "]")), HasSubstr("2: rate ")) << rate;
  EXPECT_THAT(refusal(with_link("[0, 1, \"slow\"]")), HasSubstr("2: there is no link class 'slow'"));
  EXPECT_THAT(refusal("{\"directed\": true, \"nodes\": 2, \"links\": [[0, 1, 2],\n [1, 0]]}"),
              HasSubstr("1: the link from 0 to 1 has rate 2 and the link back 1"));
  EXPECT_THAT(refusal("{\"nodes\": 1, \"links\": [],\n\"classes\": {\"a\": {\"rate\": 1, \"latency\": 1}}}"),
              HasSubstr("2: \"classes\""));
}

TEST_F(NetworkFileTest, of_links_of_unlike_latencies) {
  const NetworkFile path =
      read(R"({"nodes": 4, "links": [[0, 1, "long"], {"source": 3, "target": 2, "class": "far"}, [1, 2]],
                                   "classes": {"long": {"latency_s": 5e-6, "rate": 2}, "far": {"latency_s": 1}}})");
  EXPECT_THAT(path.named.lacks.edge_times,
              ElementsAre(network::EdgeTimes{{0, 1}, 5e-6}, network::EdgeTimes{{2, 3}, 1}));
  EXPECT_THAT(path.named.lacks.edges, ElementsAre(Edge{0, 1}, Edge{0, 1}, Edge{1, 2}, Edge{2, 3}));
  ASSERT_EQ(path.classes.size(), 2U);
  EXPECT_EQ(path.classes[0].name, "far");
  EXPECT_EQ(path.classes[0].latency_s, 1);
  EXPECT_EQ(path.classes[1].rate, 2U);
  EXPECT_EQ(path.classes[1].links, 1U);

  // Two links side by side share the bandwidth.
  const NetworkFile wide = read(R"({"nodes": 3, "links": [[0, 1, "wide"], [1, 2]],
                                    "classes": {"wide": {"rate": 2, "byte_time_s": 3e-10}}})");
  EXPECT_THAT(wide.named.lacks.edge_times, ElementsAre(network::EdgeTimes{{0, 1}, {}, 6e-10}));
  EXPECT_EQ(wide.classes[0].byte_time_s, 3e-10);

  const NetworkFile ring =
      read(R"({"directed": true, "nodes": 3, "links": [[0, 1, "a"], [1, 0, "a"], [1, 2], [2, 1],
                                    [2, 0], [0, 2]], "classes": {"a": {"latency_s": 0}}})");
  EXPECT_TRUE(ring.named.lacks.empty()) << "all links of a ring are there, so that its algorithms serve it";
  EXPECT_THAT(ring.named.lacks.edge_times, ElementsAre(network::EdgeTimes{{0, 1}, 0}));
  EXPECT_EQ(ring.classes[0].links, 1U);

  const auto with_classes = [](const std::string& classes) {
    return "{\"nodes\": 2, \"links\": [[0, 1, \"a\"]],\n\"classes\": " + classes + "}";
  };
  EXPECT_EQ(refusal(with_classes(R"({"a": {"latency_s": -1}})")),
            "2: latency_s -1 of link class 'a': give seconds per message, 0 or more, such as 5e-6");
  EXPECT_THAT(refusal(with_classes(R"({"a": {"latency_s": "5us"}})")), HasSubstr("2: latency_s \"5us\""));
  EXPECT_THAT(refusal(with_classes(R"({"a": {"byte_time_s": -3}})")),
              HasSubstr("2: byte_time_s -3 of link class 'a'"));
  EXPECT_THAT(refusal(with_classes(R"({"a": {}})")), HasSubstr("2: \"classes\""));
  EXPECT_THAT(refusal(with_classes(R"({"a": 1e-6})")), HasSubstr("2: \"classes\""));
  EXPECT_THAT(refusal("{\"multigraph\": true, \"nodes\": 2, \"links\": [[0, 1, \"a\"],\n[0, 1]],"
                      "\"classes\": {\"a\": {\"latency_s\": 1}}}"),
              HasSubstr("2: the link from 0 to 1 has other times than in line 1"));
  EXPECT_THAT(refusal("{\"directed\": true, \"nodes\": 2, \"links\": [[0, 1, \"a\"],\n[1, 0]],"
                      "\"classes\": {\"a\": {\"latency_s\": 1}}}"),
              HasSubstr("1: the link from 0 to 1 has other times than the link back"));
  std::string many = "{\"a\": {\"rate\": 1}";
  for (int i = 0; i < 63; ++i) many += ", \"" + std::to_string(i) + "\": {\"rate\": 1}";
  EXPECT_THAT(refusal(with_classes(many + "}")), HasSubstr("2: 64 link classes: give at most 63"));
}

TEST_F(NetworkFileTest, names_the_line_at_fault) {
  const auto with_links = [](const std::string& links) {
    return "{\"nodes\": 4, \"links\": [\n[0, 1],\n" + links + "]}";
  };

  EXPECT_EQ(refusal(with_links("[1,2],\n[2,2]")), "4: the link from 2 leads to itself: leave it out");
  EXPECT_EQ(refusal(with_links("[1,\n2],\n[1,0]")),
            "5: the link from 1 to 0 is given in line 2 too: give it once, with its rate as a third number");
  EXPECT_EQ(refusal(with_links("[1,4]")),
            "3: the link from 1 to 4: there is no node 4: correct the link, or add the node");
  EXPECT_THAT(refusal(with_links("[1,2,3,4]")), HasSubstr("3: link [1,2,3,4]: give [NODE, NODE]"));
  EXPECT_THAT(refusal(with_links("\n7")), HasSubstr("4: link 7: give [NODE, NODE]"));
  EXPECT_EQ(refusal("{\"nodes\": [1,\n2,\n1], \"links\": [[1,2]]}"),
            "3: node 1 is given twice; give it once");
  EXPECT_THAT(refusal("{\"nodes\": [\n{\"name\": 1}], \"links\": []}"),
              HasSubstr("2: node {\"name\":1} has no \"id\""));
  EXPECT_THAT(refusal("{\"nodes\": [{\"id\": 1, \"pos\": [1]}], \"links\": []}"),
              HasSubstr("1: coordinates [1]: give two or three numbers"));
  EXPECT_EQ(refusal("{\"directed\": true, \"nodes\": 2,\n \"links\": [[0,1]]}"),
            "2: the link from 0 to 1 leads one way: add the link back, or write \"directed\": false");
}

TEST_F(NetworkFileTest, refuses_what_is_no_network) {
  EXPECT_THAT(refusal("{\"nodes\": 4, \"links\": [[0,1],[2,3]]}"),
              HasSubstr("no path leads from node 0 to node 2"));
  EXPECT_THAT(refusal("{\"nodes\": 0, \"links\": []}"),
              HasSubstr("1: \"nodes\": 0: give a number from 1 to 16384"));
  EXPECT_THAT(refusal("{\"links\": []}"), HasSubstr("no \"nodes\""));
  EXPECT_THAT(refusal("{\"nodes\": 4}"), HasSubstr("no \"links\""));
  EXPECT_THAT(refusal("{\"nodes\": 4,\n\"lniks\": []}"),
              HasSubstr("2: unknown key 'lniks': did you mean links?"));
  EXPECT_THAT(refusal("{\"nodes\": 1,\n\"nodes\": 2}"), HasSubstr("2: 'nodes' is given twice"));
  EXPECT_THAT(refusal("{\"nodes\": 2, \"links\": {}}"), HasSubstr("\"links\": {}: give a list"));
  EXPECT_THAT(refusal("{\"format\": \"isotrope-network/2\", \"nodes\": 1, \"links\": []}"),
              HasSubstr("give \"isotrope-network/1\""));
  EXPECT_THAT(refusal("{\"nodes\": 2, "), HasSubstr("not JSON"));
  EXPECT_THAT(refusal("[1]"), HasSubstr("not a network"));
  EXPECT_THAT(refusal("7"), HasSubstr("not a network"));
}

TEST_F(NetworkFileTest, is_told_from_a_plan) {
  EXPECT_TRUE(is_network(R"({"edges": [[0, 1]], "nodes": 2})"));
  EXPECT_TRUE(is_network(R"({"directed": false, "graph": {"network": 1}})"));
  EXPECT_TRUE(is_network(R"({"format": "isotrope-network/1"})"));
  EXPECT_FALSE(is_network(R"({"format": "isotrope-plan/2", "edges": []})"));
  EXPECT_FALSE(is_network(R"({"failed": {"nodes": [1]}, "format": "isotrope-plan/1"})"));
  EXPECT_FALSE(is_network("[]"));
  EXPECT_FALSE(is_network_file(folder_.path() / "none.json"));
}

TEST_F(NetworkFileTest, is_read_for_a_name_that_ends_in_json) {
  std::ofstream(file_) << R"({"nodes": 2, "links": [[0, 1]]})";

  EXPECT_EQ(named_network(file_.string()).network.order(), 2);
  EXPECT_EQ(named_network("ring:5").network.order(), 5);
}

}  // namespace
}  // namespace isotrope::io
