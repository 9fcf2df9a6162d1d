// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// An algorithm of one's own: the root of a complete network sends every segment to all others. Once registered, it is
// chosen like any other, and its reversal is a reduce.
#include <cstdint>
#include <iostream>
#include <memory>
#include <optional>
#include <string>

#include "isotrope/network/parse.hpp"

#include "isotrope/schedule/task.hpp"

#include "isotrope/planner/plan.hpp"

using namespace isotrope;

class StarBroadcast final : public planner::Algorithm {
 public:
  StarBroadcast()
      : Algorithm({.name = "star-broadcast",
                   .collective = schedule::Collective::broadcast,
                   .networks = "complete:N",
                   .ports = "all",
                   .source = "this example",
                   .claim = "P rounds",
                   .reversed = {"star-reduce"}}) {}

  std::optional<std::string> unsupported_reason(const planner::Problem& problem) const override {
    if (problem.network.diameter() == 1) return std::nullopt;
    return "it needs a link between every two nodes";
  }

  schedule::Schedule schedule(const planner::Problem& problem, const planner::Parameters&) const override {
    schedule::Stage stage{schedule::Flow::copy, schedule::Replication::none(), {}, {}};
    for (std::uint32_t part = 0; part < problem.task.parts; ++part) {
      for (network::Port port = 0; port < problem.network.degree(); ++port)
        stage.rounds.add({part, problem.task.root, port});
      stage.rounds.close_round();
    }
    return {problem.ports, schedule::RoundKind::strict, {stage}};
  }
};

int main() {
  planner::register_algorithm(std::make_unique<StarBroadcast>());

  const network::Network network = network::parse("complete:8");
  for (const char* name : {"broadcast", "reduce"}) {
    const planner::Problem problem{.network = network, .task = schedule::parse_task(name, network)};
    const std::string algorithm = std::string("star-") + name;
    schedule::Plan plan = planner::make_plan(problem, {.algorithm = algorithm});
    const bool optimal = planner::certify(plan).optimal;
    std::cout << algorithm << ": " << plan.claims.rounds << " round, "
              << (optimal ? "optimal" : "not optimal") << '\n';
  }
}
