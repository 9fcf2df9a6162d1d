// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/planner/prediction.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "isotrope/network/hypercube.hpp"
#include "isotrope/network/parse.hpp"

#include "isotrope/cost/round_time.hpp"

#include "isotrope/planner/plan.hpp"

namespace isotrope::planner {
namespace {

const Algorithm& algorithm_named(std::string_view name) {
  return *std::find_if(catalog().begin(), catalog().end(),
                       [&](const Algorithm& algorithm) { return algorithm.name == name; });
}

Request request_for(const Algorithm& algorithm, std::uint32_t dimension, schedule::PortModel ports) {
  Request request{network::hypercube(dimension),
                  {.collective = algorithm.collective},
                  ports,
                  std::string(algorithm.name)};
  if (algorithm.only_merges) request.merge = unbounded;
  request.task.nearest = request.task.farthest = 1;
  request.destinations = {{1, 2}, {3, 1}};
  request.deliveries = {{0, 3, 2}};
  return request;
}

const cost::Machine machine{.startup_s = 1e-3, .byte_time_s = 1e-6};

// 12 packets over MSBT under full duplex: 12 + 4 rounds of 1e-3 + 1e2 * 1e-6.
TEST(Predictor, counts_rounds_of_equal_packets) {
  const Algorithm& msbt = algorithm_named("msbt-broadcast");
  Predictor predictor(msbt, request_for(msbt, 4, schedule::PortModel::one()));
  const Prediction prediction = predictor.with_packets(1200, 12, machine);
  EXPECT_EQ(prediction.rounds, 16u);
  EXPECT_EQ(prediction.packet_bytes, 100u);
  EXPECT_DOUBLE_EQ(prediction.seconds, 16 * 1.1e-3);
  EXPECT_DOUBLE_EQ(predictor.pipeline().per_packet, 1);
  EXPECT_DOUBLE_EQ(predictor.pipeline().fill, 4);
}

// Strict over 4 ports, of which the tree uses fewer and fewer: 4, 3, 2 and 1 messages of a node.
TEST(Predictor, counts_the_messages_of_processors) {
  const Algorithm& tree = algorithm_named("binomial-tree-broadcast");
  Predictor predictor(tree, request_for(tree, 4, schedule::PortModel::all()));
  cost::Machine busy = machine;
  busy.overhead_s = 1e-2;
  const Prediction prediction = predictor.with_packets(100, 1, busy);
  EXPECT_DOUBLE_EQ(prediction.overhead_s, (4 + 3 + 2 + 1) * 1e-2);
  EXPECT_DOUBLE_EQ(prediction.startup_s, 4 * 1e-3);
  EXPECT_DOUBLE_EQ(prediction.transfer_s, 4 * 1e-4);
  EXPECT_EQ(prediction.link_bytes, 400u);
  EXPECT_DOUBLE_EQ(prediction.seconds, 0.1 + 4e-3 + 4e-4);
}

std::vector<Request> requests_on(const Network& network, const Algorithm& algorithm) {
  std::vector<Request> result;
  for (const auto ports : {schedule::PortModel::all(), schedule::PortModel::ports(2),
                           schedule::PortModel::one(), schedule::PortModel::half()}) {
    for (const std::uint64_t merge : {std::uint64_t{1}, unbounded}) {
      Request request = request_for(algorithm, 1, ports);
      request.network = network;
      request.merge = merge;
      if (!obstacle(algorithm, request)) result.push_back(std::move(request));
    }
  }
  return result;
}

// What is predicted without a plan is what its rounds cost in lock step.
TEST(Predictor, agrees_with_the_rounds_of_the_plan) {
  cost::Machine busy{.startup_s = 1e-3, .byte_time_s = 1e-6, .internal_packet = 150, .overhead_s = 4e-4};
  for (const char* name : {"hypercube:4", "torus:3x4", "hexmesh:2", "circulant:7:1,2"}) {
    const Network network = network::parse(name);
    for (const Algorithm& algorithm : catalog()) {
      for (Request& request : requests_on(network, algorithm)) {
        Predictor predictor(algorithm, request);
        for (const std::uint32_t packets : {1u, 6u}) {
          request.task.parts = packets;
          const auto plan = make_plan(request);
          for (const cost::Machine& tried : {machine, busy}) {
            const double lock_step = cost::round_time(plan, tried, cost::Workload::in_parts(600, packets));
            const Prediction found = predictor.with_packets(600, packets, tried);
            EXPECT_NEAR(found.seconds, lock_step, 1e-12 + 1e-9 * lock_step)
                << algorithm.name << " " << name << " " << packets << " " << to_string(request.ports);
            EXPECT_NEAR(found.overhead_s + found.startup_s + found.transfer_s, found.seconds,
                        1e-9 * found.seconds);
          }
        }
      }
    }
  }
}

// On which passing over numbers of packets rests.
TEST(Predictor, never_needs_fewer_rounds_for_more_packets) {
  for (const char* name : {"hypercube:3", "torus:3x4", "hexmesh:3"}) {
    const Network network = network::parse(name);
    for (const Algorithm& algorithm : catalog()) {
      for (Request& request : requests_on(network, algorithm)) {
        std::uint64_t fewer = 0;
        for (const std::uint32_t packets : {1u, 2u, 3u, 4u, 7u, 8u, 13u}) {
          request.task.parts = packets;
          const std::uint64_t rounds = algorithm.rounds(request);
          EXPECT_GE(rounds, fewer) << algorithm.name << " " << name << " " << packets;
          fewer = rounds;
        }
      }
    }
  }
}

// Merging all, as many parts as ports fill the ports; over one port they gain nothing.
TEST(Predictor, splits_where_that_fills_the_ports) {
  for (const Algorithm& algorithm : catalog()) {
    if (!algorithm.splits) continue;
    const Request request = request_for(algorithm, 4, schedule::PortModel::all());
    if (obstacle(algorithm, request)) continue;
    Predictor predictor(algorithm, request);
    const Prediction found = predictor.fastest(1 << 20, machine);
    for (const std::uint32_t packets : {1u, 4u, 8u})
      EXPECT_LE(found.seconds, predictor.with_packets(1 << 20, packets, machine).seconds) << algorithm.name;
  }
}

// What cannot be below a limit is said to be above it, and is.
TEST(Predictor, passes_over_what_cannot_be_below_a_limit) {
  int passed = 0;
  for (const Algorithm& algorithm : catalog()) {
    const Request request = request_for(algorithm, 4, schedule::PortModel::all());
    if (obstacle(algorithm, request)) continue;
    const double least = Predictor(algorithm, request).fastest(5000, machine).seconds;
    for (const double limit : {0.5 * least, 0.999 * least, 1.001 * least}) {
      Predictor predictor(algorithm, request);
      const auto [prediction, at_least] = predictor.fastest_below(limit, 5000, machine);
      EXPECT_EQ(at_least, limit < least) << algorithm.name;
      EXPECT_GE(prediction.seconds, std::min(limit, least));
      EXPECT_LE(prediction.seconds, least * (1 + 1e-12));
      passed += at_least;
    }
  }
  EXPECT_GT(passed, 0);
}

// No number of packets is faster, or by next to nothing: the candidates are few, all others are tried here.
TEST(Predictor, finds_the_best_number_of_packets) {
  for (const Algorithm& algorithm : catalog()) {
    for (const auto ports : {schedule::PortModel::all(), schedule::PortModel::one()}) {
      const Request request = request_for(algorithm, 3, ports);
      if (obstacle(algorithm, request) || request.merge > 1) continue;
      Predictor predictor(algorithm, request);
      for (const std::uint64_t internal : {0u, 1024u}) {
        cost::Machine with_pieces = machine;
        with_pieces.internal_packet = internal;
        for (const std::uint64_t bytes : {1u, 100u, 5000u, 40000u}) {
          const double found = predictor.fastest(bytes, with_pieces).seconds;
          double least = found;
          for (std::uint32_t packets = 1; packets <= std::min<std::uint64_t>(bytes, 300); ++packets)
            least = std::min(least, predictor.with_packets(bytes, packets, with_pieces).seconds);
          EXPECT_LE(found, 1.02 * least) << algorithm.name << " " << bytes << " " << internal;
        }
      }
    }
  }
}

// Links of 1 us and 1 GB/s whose start-ups overlap.
cost::Machine through() {
  return {.startup_s = 1e-6,
          .byte_time_s = 1e-9,
          .ports = schedule::PortModel::all(),
          .cut_through = true,
          .hop_time_s = 1e-6};
}

// MSBT on 16 nodes: trees of height 5. 40 packets, 10 a tree, of which the first is 2 % of the others: 9020
// bytes a tree are packets of 1000 bytes. 5 hops of 2 us, 8.02 us for what follows, and 1/32.
TEST(Predictor, counts_what_running_ahead_takes) {
  const Algorithm& msbt = algorithm_named("msbt-broadcast");
  Predictor predictor(msbt, request_for(msbt, 4, schedule::PortModel::all()));
  const Prediction prediction = predictor.ahead(4 * 9020, 40, 2, through());
  EXPECT_EQ(prediction.packet_bytes, 1000u);
  EXPECT_EQ(prediction.in_flight, 2u);
  EXPECT_EQ(prediction.rounds, 14u);
  EXPECT_NEAR(prediction.seconds, (5 * 2e-6 + 8.02e-6) * 33 / 32, 1e-12);
  EXPECT_NEAR(prediction.overhead_s + prediction.startup_s + prediction.transfer_s, prediction.seconds,
              1e-15);
}

// Times of bench/simgrid/judge.py on these networks, in us.
TEST(Predictor, agrees_with_simulated_times) {
  struct Measured {
    std::string_view algorithm;
    std::string_view network;
    std::uint64_t bytes;
    double us;
  };
  const Measured measured[] = {{"msbt-broadcast", "hypercube:4", 4096, 7.75},
                               {"msbt-broadcast", "hypercube:4", 65536, 24.63},
                               {"msbt-broadcast", "hypercube:4", 1048576, 278.57},
                               {"msbt-broadcast", "hypercube:6", 65536, 21.65},
                               {"disjoint-trees-broadcast", "torus:8x8", 65536, 30.37},
                               {"disjoint-trees-broadcast", "torus:8x8", 300000, 93.69},
                               {"disjoint-trees-broadcast", "hexmesh:3", 1048576, 186.15}};
  for (const Measured& one : measured) {
    Request request{network::parse(std::string(one.network)),
                    {.collective = schedule::Collective::broadcast}};
    Predictor predictor(algorithm_named(one.algorithm), request);
    const Prediction prediction = predictor.fastest(one.bytes, through());
    EXPECT_GT(prediction.in_flight, 1u);
    EXPECT_NEAR(prediction.seconds * 1e6 / one.us, 1, 0.04) << one.network << ' ' << one.bytes;
  }
}

TEST(Predictor, runs_ahead_only_where_that_helps) {
  const Algorithm& msbt = algorithm_named("msbt-broadcast");
  Predictor predictor(msbt, request_for(msbt, 4, schedule::PortModel::all()));
  EXPECT_EQ(predictor.fastest(64, through()).in_flight, 1u);
  EXPECT_GT(predictor.fastest(65536, through()).in_flight, 1u);

  cost::Machine stopping = through();
  stopping.cut_through = false;
  stopping.hop_time_s = 0;
  EXPECT_EQ(predictor.fastest(65536, stopping).in_flight, 1u);
  cost::Machine busy = through();
  busy.overhead_s = 1e-6;
  EXPECT_EQ(predictor.fastest(16384, busy).in_flight, 1u);
  EXPECT_GT(predictor.fastest(1 << 20, busy).in_flight, 1u);

  Predictor one_port(msbt, request_for(msbt, 4, schedule::PortModel::one()));
  EXPECT_FALSE(one_port.runs_ahead(through()));
  const Algorithm& reduce = algorithm_named("msbt-reduce");
  EXPECT_FALSE(Predictor(reduce, request_for(reduce, 4, schedule::PortModel::all())).runs_ahead(through()));
}

}  // namespace
}  // namespace isotrope::planner
