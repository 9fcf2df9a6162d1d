// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/planner/prediction.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "isotrope/network/hypercube.hpp"

#include "isotrope/simulate/round_time.hpp"

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

const simulate::Machine machine{.startup_s = 1e-3, .byte_time_s = 1e-6};

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

// What is predicted without a plan is what its rounds cost in lock step.
TEST(Predictor, agrees_with_the_rounds_of_the_plan) {
  for (const Algorithm& algorithm : catalog()) {
    for (const auto ports : {schedule::PortModel::all(), schedule::PortModel::half()}) {
      Request request = request_for(algorithm, 4, ports);
      if (obstacle(algorithm, request)) continue;
      Predictor predictor(algorithm, request);
      for (const std::uint32_t packets : {1u, 6u}) {
        request.task.parts = packets;
        const double lock_step =
            simulate::round_time(make_plan(request), machine, simulate::Workload::in_parts(600, packets));
        EXPECT_NEAR(predictor.with_packets(600, packets, machine).seconds, lock_step,
                    1e-12 + 1e-9 * lock_step)
            << algorithm.name << " " << packets;
      }
    }
  }
}

// No number of packets is faster, or by next to nothing: the candidates are few, all others are tried here.
TEST(Predictor, finds_the_best_number_of_packets) {
  for (const Algorithm& algorithm : catalog()) {
    for (const auto ports : {schedule::PortModel::all(), schedule::PortModel::one()}) {
      const Request request = request_for(algorithm, 3, ports);
      if (obstacle(algorithm, request) || request.merge > 1) continue;
      Predictor predictor(algorithm, request);
      for (const std::uint64_t internal : {0u, 1024u}) {
        simulate::Machine with_pieces = machine;
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

}  // namespace
}  // namespace isotrope::planner
