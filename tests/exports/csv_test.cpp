// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/exports/csv.hpp"

#include <sstream>

#include <gtest/gtest.h>

#include "isotrope/network/parse.hpp"

#include "tests/exports/holdings.hpp"
#include "tests/exports/plans.hpp"
#include "tests/sanitizers.hpp"

namespace isotrope::exports {
namespace {

using schedule::Collective;

std::string csv(const schedule::Plan& plan, std::uint64_t bytes) {
  std::ostringstream out;
  write_csv(out, plan, bytes);
  return out.str();
}

TEST(CsvExport, of_a_network) {
  std::ostringstream out;
  write_csv(out, network::SurvivingNetwork(network::parse("ring:3"), {}));
  EXPECT_EQ(out.str(), "node,port,neighbour\n0,0,1\n0,1,2\n1,0,2\n1,1,0\n2,0,0\n2,1,1\n");
}

// The root is the last node; the block is numbered by its relative destination. 10 bytes in 3 parts are 3, 3
// and 4.
TEST(CsvExport, of_a_scatter_on_a_ring) {
  EXPECT_EQ(csv(chosen_plan("ring:2", Collective::scatter, 3), 10),
            "stage,round,from,port,to,origin,destination,block,part,bytes\n"
            "0,0,1,0,0,1,0,1,0,3\n"
            "0,1,1,0,0,1,0,1,1,3\n"
            "0,2,1,0,0,1,0,1,2,4\n");
}

// Ports and neighbours are those of the overlay.
TEST(CsvExport, of_messages_to_nodes_that_are_no_neighbours) {
  EXPECT_EQ(csv(overlay_plan(), 10),
            "stage,round,from,port,to,origin,destination,block,part,bytes\n"
            "0,0,3,0,0,3,all,0,0,10\n"
            "0,0,3,1,2,3,all,0,0,10\n"
            "0,0,3,2,1,3,all,0,0,10\n");
}

std::vector<std::string> fields(const std::string& line) {
  std::vector<std::string> result(1);
  for (const char c : line) {
    if (c == ',')
      result.emplace_back();
    else
      result.back() += c;
  }
  return result;
}

// The messages that the lines of a table add up to.
std::map<MessageName, std::uint64_t> read_messages(const std::string& text) {
  std::istringstream lines(text);
  std::map<MessageName, std::uint64_t> messages;
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line)) {
    const std::vector<std::string> values = fields(line);
    if (values.size() != 10) return {};
    const auto node = [&](std::size_t i) { return static_cast<Node>(std::stoul(values[i])); };
    messages[{std::stoul(values[1]), node(2), node(4)}] += std::stoul(values[9]);
  }
  std::erase_if(messages, [](const auto& message) { return message.second == 0; });
  return messages;
}

TEST(CsvExport, adds_up_to_the_messages_of_every_plan) {
  for (const char* network : {"hypercube:3", "torus:4x3"}) {
    unsigned trial = 0;
    for (const auto& [name, plan] : plans_of_catalogue(network)) {
      if (is_left_out(trial++, 4)) continue;
      EXPECT_EQ(read_messages(csv(plan, 100)), bytes_of_messages(plan, 100)) << name;
    }
    for (const auto& [name, plan] : plans_around_failed_links(network))
      EXPECT_EQ(read_messages(csv(plan, 100)), bytes_of_messages(plan, 100)) << name;
  }
}

}  // namespace
}  // namespace isotrope::exports
