// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/planner/direct_sends.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isotrope/network/parse.hpp"

#include "isotrope/verify/verify.hpp"

#include "isotrope/planner/whole_vectors.hpp"

namespace isotrope::planner {
namespace {

using schedule::PortModel;
using testing::HasSubstr;

const cost::Machine machine{.startup_s = 2,
                            .byte_time_s = 0.5,
                            .overhead_s = 0.25,
                            .receive_overhead_s = 0.5,
                            .cut_through = true,
                            .hop_time_s = 0.125};

Request request(const char* network_name, const char* collective, std::uint64_t merge,
                PortModel ports = PortModel::all()) {
  const Network network = network::parse(network_name);
  Request result{network, schedule::parse_task(collective, network), ports};
  result.merge = merge;
  return result;
}

Request by(std::string name, Request request) {
  request.algorithm = std::move(name);
  return request;
}

std::uint64_t link_blocks(const char* network, const char* collective, std::uint64_t merge) {
  return DirectSends(request(network, collective, merge)).predict(1, machine).link_bytes;
}

// torus:4x4: every axis has distances 1, 1 and 2, so a port carries (1 + 2 + 1) * 4 / 2 = 8 blocks. Round by
// round the larger of both coordinates: 8 times 1 and 7 times 2.
TEST(DirectSends, loads_links_along_balanced_routes) {
  EXPECT_EQ(link_blocks("torus:4x4", "alltoall", unbounded), 8u);
  EXPECT_EQ(link_blocks("torus:4x4", "alltoall", 1), 8 * 1 + 7 * 2u);
  EXPECT_EQ(link_blocks("torus:4x4", "allgather", unbounded), 8u);
  EXPECT_EQ(link_blocks("torus:4x4", "scatter", unbounded), 6u);      // 12 nodes in other columns, two ways
  EXPECT_EQ(link_blocks("hypercube:4", "broadcast", unbounded), 8u);  // all odd nodes, by bit 0
  EXPECT_EQ(link_blocks("torus:4x4", "gather", 1), 15u);
  EXPECT_EQ(link_blocks("hypercube:6", "alltoall", unbounded), 32u);
  EXPECT_EQ(link_blocks("hypercube:6", "alltoall", 1), 63u);  // no link twice in a round
}

// 15 messages; diameter 4; 10 bytes a block. The busiest link takes longer than the farthest message. One by
// one: a message each for the nodes 1, 2, 3 and 4 links away.
TEST(DirectSends, take_their_rounds_and_their_way) {
  const Prediction merged = DirectSends(request("torus:4x4", "alltoall", unbounded)).predict(10, machine);
  EXPECT_EQ(merged.rounds, 1u);
  EXPECT_DOUBLE_EQ(merged.startup_s, 2);
  EXPECT_DOUBLE_EQ(merged.transfer_s, 80 * 0.5);
  EXPECT_DOUBLE_EQ(merged.seconds, machine.direct_round_time(15, 150, 15, machine.direct_time(10, 80, 4)));

  const Prediction single = DirectSends(request("torus:4x4", "alltoall", 1)).predict(10, machine);
  EXPECT_EQ(single.rounds, 15u);
  EXPECT_DOUBLE_EQ(single.seconds, 15 * 0.75 + 4 * machine.direct_time(10, 10, 1) +
                                       4 * machine.direct_time(10, 10, 2) +
                                       2 * machine.direct_time(10, 20, 2) +
                                       4 * machine.direct_time(10, 20, 3) + machine.direct_time(10, 20, 4));
}

// hypercube:4, two digits a round: 3 messages, of 4 blocks to a neighbour or two links away; of an allgather
// of 1 block, then of 4. A port carries those of its neighbour and of the one beyond.
TEST(DirectSends, by_digits_take_fewer_and_longer_messages) {
  const auto predicted = [](const char* collective) {
    return DirectSends(by("direct-sends-by-2", request("hypercube:4", collective, unbounded)))
        .predict(10, machine)
        .seconds;
  };
  const auto round = [](std::uint64_t messages, std::uint64_t received, std::uint64_t block,
                        std::uint64_t link) {
    return machine.direct_round_time(messages, messages * block, received,
                                     machine.direct_time(block, link, 2));
  };
  EXPECT_DOUBLE_EQ(predicted("alltoall"), 2 * round(3, 3, 40, 80));
  EXPECT_DOUBLE_EQ(predicted("allgather"), round(3, 3, 10, 20) + round(3, 3, 40, 80));
  EXPECT_DOUBLE_EQ(predicted("reduce-scatter"), predicted("allgather"));
  EXPECT_DOUBLE_EQ(predicted("allreduce"), 2 * predicted("allgather"));
  EXPECT_DOUBLE_EQ(predicted("broadcast"), 2 * round(3, 1, 10, 20));  // both over the lower port
  EXPECT_DOUBLE_EQ(predicted("reduce"), 2 * round(1, 3, 10, 20));
}

TEST(DirectSends, are_planned_between_all_pairs_of_nodes) {
  for (const char* name : {"torus:4x4", "hypercube:3", "ring:5", "hexmesh:2", "twisted-torus:4x4x8"}) {
    for (const char* collective : {"alltoall", "allgather", "broadcast", "scatter", "gather"}) {
      for (const auto& [merge, ports] : {std::pair{unbounded, PortModel::all()},
                                         {std::uint64_t{1}, PortModel::all()},
                                         {std::uint64_t{1}, PortModel::one()}}) {
        Request wanted = request(name, collective, merge, ports);
        wanted.task.root = is_rooted(wanted.task.collective) ? wanted.network.order() / 2 : 0;
        ASSERT_EQ(direct_obstacle(wanted), std::nullopt);
        const schedule::Plan plan = make_direct_plan(wanted);
        const verify::Report report = verify::verify(plan);
        EXPECT_TRUE(report.valid && report.claims_hold) << name << " " << collective << " " << merge;
        EXPECT_EQ(plan.network.order(), wanted.network.order());
        EXPECT_EQ(plan.network.degree(), wanted.network.order() - 1);
        EXPECT_EQ(report.rounds, merge == 1 ? wanted.network.order() - 1 : 1);
      }
    }
  }
}

TEST(DirectSends, by_digits_are_plans) {
  for (const char* name :
       {"torus:4x4", "hypercube:3", "ring:5", "hexmesh:3", "twisted-torus:4x4x8", "torus:3x5"}) {
    for (const char* collective : {"alltoall", "allgather", "broadcast", "scatter", "gather", "reduce",
                                   "reduce-scatter", "allreduce"}) {
      Request wanted = request(name, collective, unbounded);
      wanted.task.root = is_rooted(wanted.task.collective) ? wanted.network.order() / 2 : 0;
      for (const std::string& form : direct_sends_names(wanted.network)) {
        wanted.algorithm = form;
        wanted.ports = form == "direct-sends-by-1" ? PortModel::one() : PortModel::all();
        ASSERT_EQ(direct_obstacle(wanted), std::nullopt);
        const schedule::Plan plan = make_direct_plan(wanted);
        const verify::Report report = verify::verify(plan);
        EXPECT_TRUE(report.valid && report.claims_hold) << name << " " << collective << " " << form;
        EXPECT_EQ(report.rounds, DirectSends(wanted).predict(8, machine).rounds);
      }
    }
  }
}

TEST(DirectSends, have_a_form_for_fewer_digits_at_once) {
  EXPECT_THAT(
      direct_sends_names(network::parse("torus:4x4")),
      testing::ElementsAre("direct-sends", "direct-sends-by-1", "direct-sends-by-2", "direct-sends-by-3"));
  EXPECT_EQ(direct_sends_names(network::parse("hypercube:16")).size(), 9u);
  EXPECT_THAT(direct_sends_names(network::parse("ring:2")), testing::ElementsAre("direct-sends"));
}

TEST(DirectSends, name_their_network_where_one_name_says_it) {
  EXPECT_EQ(make_direct_plan(request("torus:4x4", "alltoall", unbounded)).network.name(), "complete:16");
  EXPECT_EQ(make_direct_plan(request("torus:4x4", "scatter", 1)).network.name(), "complete:16");
  EXPECT_EQ(make_direct_plan(request("ring:7", "alltoall", 1)).network.name(), "complete:7");
  const schedule::Plan plan = make_direct_plan(request("torus:4x4", "alltoall", 1));
  EXPECT_EQ(plan.network.name(), "cayley");
  EXPECT_TRUE(std::ranges::equal(plan.network.group().moduli(), std::vector<network::Coordinate>{4, 4}));
}

// In a ring of 4 partners are 2 links away, where two messages share each link, then 1.
TEST(WholeVectors, double_where_partners_can_be_reached) {
  cost::Machine neighbours = machine;
  neighbours.cut_through = false;
  EXPECT_TRUE(doubles_whole_vectors(network::parse("hypercube:4"), neighbours));
  EXPECT_FALSE(doubles_whole_vectors(network::parse("torus:4x4"), neighbours));
  EXPECT_TRUE(doubles_whole_vectors(network::parse("torus:4x4"), machine));
  EXPECT_FALSE(doubles_whole_vectors(network::parse("torus:4x3"), machine));
  EXPECT_FALSE(doubles_whole_vectors(network::parse("ring:1"), machine));
  neighbours.ports = PortModel::half();
  EXPECT_FALSE(doubles_whole_vectors(network::parse("hypercube:4"), neighbours));

  const Prediction prediction = predict_whole_vectors(network::parse("ring:4"), 10, machine);
  EXPECT_EQ(prediction.rounds, 2u);
  EXPECT_DOUBLE_EQ(prediction.seconds,
                   machine.direct_round_time(1, 10, 1, machine.direct_time(10, 20, 2)) +
                       machine.direct_round_time(1, 10, 1, machine.direct_time(10, 10, 1)));
}

TEST(DirectSends, say_what_they_cannot_serve) {
  const auto obstacle_to = [](const Request& wanted) { return direct_obstacle(wanted).value_or(""); };
  EXPECT_THAT(obstacle_to(request("torus:4x4", "reduce", 1)), HasSubstr("single, it serves broadcast"));
  EXPECT_THAT(obstacle_to(request("torus:4x4", "barrier", 1)), HasSubstr("it serves broadcast"));
  EXPECT_THAT(obstacle_to(by("direct-sends-by-2", request("torus:4x4", "alltoall", 1))),
              HasSubstr("--merge all"));
  EXPECT_THAT(
      obstacle_to(by("direct-sends-by-2", request("torus:4x4", "alltoall", unbounded, PortModel::one()))),
      HasSubstr("all ports at once"));
  EXPECT_THAT(obstacle_to(request("torus:4x4", "alltoall", unbounded, PortModel::one())),
              HasSubstr("all ports at once"));
  EXPECT_THAT(obstacle_to(request("torus:4x4", "alltoall", 1, PortModel::half())),
              HasSubstr("sends and receives at once"));
  EXPECT_EQ(obstacle_to(request("torus:4x4", "scatter", 1, PortModel::half())), "");
  EXPECT_THAT(obstacle_to(request("hypercube:17", "alltoall", 1)), HasSubstr("2 to 65536 nodes"));
  Request damaged = request("torus:4x4", "alltoall", 1);
  damaged.failed.nodes = {3};
  EXPECT_THAT(obstacle_to(damaged), HasSubstr("whole network"));
}

}  // namespace
}  // namespace isotrope::planner
