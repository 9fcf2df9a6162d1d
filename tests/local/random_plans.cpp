// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/local/random_plans.hpp"

#include <string>

#include <rapidcheck.h>

#include "tests/local/tree_plans.hpp"

namespace isotrope::local {
namespace {

using schedule::Collective;
using schedule::Hop;
using schedule::Replication;

std::size_t below(std::size_t bound) {
  return *rc::gen::inRange<std::size_t>(0, bound);
}

void damage(const schedule::Network& network, HopTable& hops) {
  auto& round = hops[below(hops.size())];
  if (round.empty()) return;
  const std::size_t index = below(round.size());
  Hop& hop = round[index];
  switch (below(5)) {
    case 0:
      round.erase(round.begin() + static_cast<std::ptrdiff_t>(index));
      break;
    case 1:
      hop.from = static_cast<network::Node>(below(network.order()));
      break;
    case 2:
      hop.port = static_cast<network::Port>(below(network.degree()));
      break;
    case 3:
      hops[below(hops.size())].push_back(Hop(hop));
      break;
    default:
      std::swap(hop, round.back());
      hops[below(hops.size())].push_back(Hop(round.back()));
      round.pop_back();
  }
}

}  // namespace

schedule::Plan random_plan() {
  const auto network =
      *rc::gen::element<std::string>("ring:5", "ring:6", "torus:4x3", "hypercube:3", "complete:4");
  const bool has_even_axis = network != "ring:5";
  const auto collective =
      *rc::gen::element(Collective::broadcast, Collective::scatter, Collective::gather, Collective::reduce,
                        Collective::allgather, Collective::alltoall, Collective::reduce_scatter,
                        Collective::allreduce, Collective::barrier, Collective::task);
  const auto replication =
      is_rooted(collective) ? Replication::none()
      : has_even_axis       ? *rc::gen::element(Replication::none(), Replication::even(0), Replication::all())
                            : *rc::gen::element(Replication::none(), Replication::all());
  const auto parts = *rc::gen::inRange<std::uint32_t>(1, 5);
  const auto root = is_rooted(collective) ? *rc::gen::inRange<network::Node>(0, 4) : 0;
  return tree_plan(network, collective, replication, parts, root);
}

schedule::Plan damaged(schedule::Plan plan) {
  for (std::size_t count = 1 + below(3); count > 0; --count) {
    auto& stage = plan.schedule.stages[below(plan.schedule.stages.size())];
    HopTable hops = table(stage.rounds);
    damage(plan.network, hops);
    stage.rounds = rounds(hops);
  }
  return plan;
}

}  // namespace isotrope::local
