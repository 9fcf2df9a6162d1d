// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Rank maps on the command line.
#include "tests/cli/cli.hpp"

namespace isotrope::app {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

std::string content(const std::filesystem::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST_F(Cli, proposes_rank_maps) {
  EXPECT_EQ(run("map --network hypercube:3 --grid 8 -o ranks.txt").out,
            "torus:8 of 8 ranks on hypercube:3\n"
            "  in order      dilation 3, mean distance 1.750\n"
            "  proposed      dilation 1, mean distance 1.000, along axes\n"
            "                least possible: neighbours are next to each other\n"
            "  written to    ranks.txt\n");
  EXPECT_THAT(content(folder_ / "ranks.txt"), StartsWith("0,0,0\n"));
  const json found = answer("map --network hypercube:3 --grid 8 --ranks ranks.txt");
  EXPECT_EQ(found.at("given").at("dilation"), 1);
  EXPECT_EQ(found.at("in_order").at("dilation"), 3);
  EXPECT_EQ(found.at("nodes").size(), 8u);
}

// A torus whose links come from a file, and whose nodes have the numbers v -> 5 v + 2 modulo 12.
TEST_F(Cli, proposes_rank_maps_on_network_files) {
  const auto number = [](int row, int column) { return (5 * (4 * (row % 3) + column % 4) + 2) % 12; };
  json links = json::array();
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 4; ++column) {
      links.push_back({number(row, column), number(row + 1, column)});
      links.push_back({number(row, column), number(row, column + 1)});
    }
  }
  write("torus.json", json{{"nodes", 12}, {"links", links}}.dump());
  const json found = answer("map torus.json --grid 4x3 -o ranks.txt");
  EXPECT_EQ(found.at("proposed").at("dilation"), 1);
  EXPECT_THAT(run("map torus.json --grid 4x3 --ranks ranks.txt").out,
              HasSubstr("\n  given         dilation 1, mean distance 1.000, ranks.txt\n"));
}

TEST_F(Cli, takes_open_axes_of_grids) {
  EXPECT_EQ(answer("map --network line:4xring:3 --grid 3x4 --open 1").at("grid"), "ring:3xline:4");
  EXPECT_EQ(answer("map --network line:4xring:3 --grid 3x4 --open 1").at("proposed").at("dilation"), 1);
  EXPECT_EQ(answer("map --network mesh:4x3 --grid 3x4 --open all").at("proposed").at("dilation"), 1);
  const json folded = answer("map --network line:5 --grid 5");
  EXPECT_EQ(folded.at("proposed").at("dilation"), 2);
  EXPECT_THAT(folded.at("proposed").at("why_least"), HasSubstr("ranks with 2 neighbours: 5"));
}

TEST_F(Cli, refuses_grids_and_rank_maps_that_do_not_fit) {
  expect_refusal("map --network ring:8", "--grid");
  expect_refusal("map --network ring:8 --grid 3x3 -o refused.json",
                 "a grid of 9 ranks on ring:8, which has 8 nodes: give as many ranks as nodes");
  for (const char* grid : {"0x8", "8x", "x8", "4*2", "-8", "99999999999999999999", "''"})
    expect_refusal(std::string("map --network ring:8 --grid ") + grid, "--grid");
  expect_refusal("map --network ring:8 --grid 4x2 --open 2", "--open '2': give axes of the grid, 0..1");
  expect_refusal("map --network ring:8192 --grid 8192", "give a network of at most 4096");
  expect_refusal("map --grid 8", "no network");
  write("ranks.txt", "0\n1\n1\n");
  expect_refusal("map --network ring:3 --grid 3 --ranks ranks.txt -o refused.json",
                 "ranks.txt:3: node 1 is rank 1 already, by line 2");
  expect_refusal("map --network ring:3 --grid 3 --ranks none.txt", "none.txt: cannot read this file");
}

}  // namespace
}  // namespace isotrope::app
