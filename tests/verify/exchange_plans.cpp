// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/verify/exchange_plans.hpp"

#include <numeric>

#include <fmt/format.h>

#include "isotrope/network/cayley.hpp"
#include "isotrope/network/parse.hpp"

namespace isotrope::verify {
namespace {

using schedule::Flow;
using schedule::Hop;
using schedule::Network;
using schedule::Node;
using schedule::Port;
using schedule::Replication;
using schedule::Stage;
using schedule::Sum;
using schedule::ValueId;

std::vector<ValueId> first_values(ValueId count) {
  std::vector<ValueId> values(count);
  std::iota(values.begin(), values.end(), ValueId{0});
  return values;
}

schedule::Plan allreduce(std::uint32_t nodes, std::uint32_t parts, Stage stage) {
  const Network ring = network::parse(fmt::format("ring:{}", nodes));
  schedule::Plan plan{ring, {}, schedule::parse_task("allreduce", ring, 0, parts), {}, {}, {}};
  plan.schedule.stages.push_back(std::move(stage));
  plan.claims = {plan.schedule.round_count(), plan.schedule.hop_count(), {}, {}};
  return plan;
}

}  // namespace

schedule::Plan recursive_doubling(std::uint32_t dimension) {
  Stage stage{Flow::exchange, Replication::all(), {}, {}};
  for (std::uint32_t j = 0; j < dimension; ++j) {
    stage.sums.push_back({0, first_values(j + 1)});
    stage.rounds.add({j, 0, j});
    stage.rounds.close_round();
  }
  stage.result = {first_values(dimension + 1)};
  schedule::Plan plan = allreduce(std::uint32_t{1} << dimension, 1, std::move(stage));
  plan.overlay = network::parse(fmt::format("hypercube:{}", dimension));
  return plan;
}

schedule::Plan linear_exchange(std::uint32_t nodes) {
  Stage stage{Flow::exchange, Replication::all(), {}, {}, {{0, {0}}}, {first_values(nodes)}};
  for (Port port = 0; port + 1 < nodes; ++port) stage.rounds.add({0, 0, port});
  stage.rounds.close_round();
  schedule::Plan plan = allreduce(nodes, 1, std::move(stage));
  plan.overlay = network::parse(fmt::format("complete:{}", nodes));
  return plan;
}

schedule::Plan fold(std::uint32_t nodes) {
  // The port of offset +d is 2 i, of -d 2 i + 1, i the index of d.
  std::vector<std::uint32_t> offsets{1};
  for (std::uint32_t width = 1; width <= nodes / 8; width *= 2) offsets.push_back(2 * width);
  std::vector<std::vector<network::Coordinate>> generators;
  for (const std::uint32_t offset : offsets) {
    generators.push_back({offset});
    generators.push_back({nodes - offset});
  }
  Stage stage{Flow::exchange, Replication::even(0), {}, {}};
  const auto add_round = [&](std::uint32_t index, bool even_node_forward) {
    const auto round = static_cast<std::uint32_t>(stage.sums.size());
    stage.sums.push_back({0, first_values(round + 1)});
    stage.rounds.add({round, 0, 2 * index + (even_node_forward ? 0 : 1)});
    stage.rounds.add({round, 1, 2 * index + (even_node_forward ? 1 : 0)});
    stage.rounds.close_round();
  };
  add_round(0, true);
  for (std::uint32_t index = 1; index < offsets.size(); ++index) add_round(index, false);
  add_round(0, false);
  stage.result = {first_values(static_cast<ValueId>(stage.sums.size()) + 1)};
  schedule::Plan plan = allreduce(nodes, 1, std::move(stage));
  plan.overlay = network::cayley({nodes}, generators);
  return plan;
}

schedule::Plan mirror_allreduce(std::uint32_t parts) {
  // Node 2 sends to 1, then 1 and 3 to 0; the mirror in reverse. Port 0 is +1, port 1 is -1.
  const std::vector<std::vector<Hop>> rounds = {
      {{0, 2, 1}}, {{0, 1, 1}, {0, 3, 0}}, {{0, 0, 0}, {0, 0, 1}}, {{0, 1, 0}}};
  Stage stage{Flow::reduce_then_copy, Replication::none(), {}, {}};
  for (std::uint32_t t = 0; t < rounds.size() + parts - 1; ++t) {
    for (std::uint32_t part = 0; part < parts; ++part) {
      if (t < part || t - part >= rounds.size()) continue;
      for (const Hop& hop : rounds[t - part]) stage.rounds.add({part, hop.from, hop.port});
    }
    stage.rounds.close_round();
  }
  return allreduce(4, parts, std::move(stage));
}

}  // namespace isotrope::verify
