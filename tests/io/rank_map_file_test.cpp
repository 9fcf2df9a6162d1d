// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/io/rank_map_file.hpp"

#include <fstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isotrope/base/error.hpp"

#include "isotrope/network/parse.hpp"

#include "tests/io/temporary_folder.hpp"

namespace isotrope::io {
namespace {

using network::Node;
using network::RankMap;
using testing::HasSubstr;

RankMap parsed(const std::string& text, const char* network) {
  return parse_rank_map("ranks.txt", text, network::parse(network));
}

std::string map_refusal(const std::string& text, const char* network = "torus:2x2") {
  try {
    parsed(text, network);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(RankMapFile, has_a_node_a_line_as_a_number_or_by_coordinates) {
  const RankMap expected({3, 0, 2, 1});
  EXPECT_EQ(parsed("3\n0\n2\n1\n", "torus:2x2"), expected);
  EXPECT_EQ(parsed("1,1\n0,0\n1,0\n0,1", "torus:2x2"), expected);
  EXPECT_EQ(parsed("# by hosts\n\n(1,1)  # rack 3\r\n [0, 0]\n\t1 0\n0\t1 \n", "torus:2x2"), expected);
  EXPECT_EQ(parsed("(3)\n[0]\n2\n1\n", "ring:4"), expected);
}

TEST(RankMapFile, that_is_malformed_is_refused_with_its_line) {
  EXPECT_EQ(map_refusal("0\n\n4\n"),
            "ranks.txt:3: '4' is no node of torus:2x2: give a number 0..3 or coordinates "
            "(0,0)..(1,1)");
  EXPECT_THAT(map_refusal("0,2\n"), HasSubstr("ranks.txt:1: '0,2' is no node"));
  EXPECT_THAT(map_refusal("5\n", "ring:5"), HasSubstr("give a number 0..4"));
  for (const char* line : {"1,", ",1", "(0,1", "0,1)", "()", "(", "-1", "1.0", "0,0,0", "a", "0x1", "(0,1]"})
    EXPECT_THAT(map_refusal(line), HasSubstr("is no node of torus:2x2")) << line;
  EXPECT_THAT(map_refusal(fmt::format("\x1b[31m{:x<5000}", "")), HasSubstr("'\\x1b[31m"));
}

TEST(RankMapFile, gives_every_node_once) {
  EXPECT_EQ(map_refusal("0\n# c\n1,0\n2\n"),
            "ranks.txt:4: node 2 is rank 1 already, by line 3: give every node to one rank");
  EXPECT_EQ(map_refusal("0\n1\n2\n3\n0\n"),
            "ranks.txt:5: node 0 is rank 0 already, by line 1: give every node to one rank");
  EXPECT_EQ(map_refusal("0\n1\n2\n"),
            "ranks.txt: 3 lines for the 4 nodes of torus:2x2: give a line for every rank");
  EXPECT_THAT(map_refusal(""), HasSubstr("0 lines for the 4 nodes"));
}

TEST(RankMapFile, gives_a_node_to_as_many_ranks_as_it_has) {
  const network::Network ring = network::parse("ring:3");
  const RankMap map = parse_rank_map("ranks.txt", "2\n0\n2\n1\n1\n0\n", ring, 2);
  EXPECT_THAT(map.nodes(6), testing::ElementsAre(4, 0, 5, 2, 3, 1));
  const auto refusal_of_two = [&](const std::string& text) -> std::string {
    try {
      parse_rank_map("ranks.txt", text, ring, 2);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(refusal_of_two("2\n0\n2\n2\n"),
            "ranks.txt:4: node 2 is rank 2 already, by line 3: give every node to 2 ranks");
  EXPECT_EQ(refusal_of_two("2\n0\n2\n"),
            "ranks.txt: 3 lines for 2 ranks in each of the 3 nodes of ring:3: give a line for every rank");
}

TEST(RankMapFile, that_is_written_is_read_back) {
  const network::Network network = network::parse("torus:3x4");
  std::vector<Node> nodes;
  for (Node rank = 0; rank < 12; ++rank) nodes.push_back(rank * 5 % 12);
  const RankMap map(nodes);
  const TemporaryFolder folder;
  const std::string path = folder.path() / "ranks.txt";
  std::ofstream(path) << rank_map_text(map, network);
  EXPECT_EQ(read_rank_map(path, network), map);
  EXPECT_THAT(rank_map_text(map, network), HasSubstr("0,0\n1,1\n2,2\n0,3\n"));
}

TEST(RankMapFile, that_cannot_be_read_is_named) {
  try {
    read_rank_map("/none/ranks.txt", network::parse("ring:4"));
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("/none/ranks.txt"));
  }
}

}  // namespace
}  // namespace isotrope::io
