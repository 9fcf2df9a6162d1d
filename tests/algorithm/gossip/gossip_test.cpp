// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/gossip/gossip.hpp"

#include <gtest/gtest.h>

#include "isotrope/network/parse.hpp"

#include "isotrope/schedule/exchanges.hpp"
#include "isotrope/schedule/link_load.hpp"
#include "isotrope/schedule/plan.hpp"
#include "isotrope/schedule/transform.hpp"

#include "isotrope/bound/lower_bounds.hpp"

#include "isotrope/algorithm/gossip/gossip_schedules.hpp"
#include "isotrope/verify/verify.hpp"

namespace isotrope::algorithm {
namespace {

using schedule::Collective;
using schedule::PortModel;

constexpr SearchLimits small_search{.runs = 10, .links = 1 << 16};

std::string fault_of(const Network& network, schedule::Task task, schedule::Schedule schedule) {
  schedule::Plan plan{network, {}, std::move(task), std::move(schedule), {}, {}};
  plan.aggregation = schedule::unbounded;
  plan.claims = {plan.schedule.round_count(), plan.schedule.hop_count(), false,
                 link_loads(network, plan.schedule)};
  const verify::Report report = verify::verify(plan);
  return report.valid ? "" : report.violations.front().message;
}

// Every schedule that it serves, by the checker.
void expect_serves_all(const std::string& name, PortModel ports, std::uint32_t parts) {
  const Network network = network::parse(name);
  const Gossip gossip = find_gossip(network, ports, small_search);
  const std::string what = name + ", " + to_string(ports);
  const schedule::Task task{.collective = Collective::allgather, .parts = parts};
  const schedule::Schedule allgather = gossip_allgather(network, parts, ports, gossip);
  EXPECT_EQ(fault_of(network, task, allgather), "") << what;
  auto backwards = reverse(network, task, allgather);
  EXPECT_EQ(fault_of(network, backwards.task, std::move(backwards.schedule)), "") << what;
  for (const Collective collective : {Collective::allreduce, Collective::barrier}) {
    const std::uint32_t used = collective == Collective::barrier ? 1 : parts;
    EXPECT_EQ(fault_of(network, {.collective = collective, .parts = used},
                       gather_then_reduce(network, used, gossip_allgather(network, used, ports, gossip))),
              "")
        << what;
  }
  EXPECT_EQ(fault_of(network, {.collective = Collective::alltoall, .parts = parts},
                     gossip_exchange(network, parts, ports, gossip)),
            "")
      << what;
}

TEST(Gossip, serves_all_collectives_on_every_network_under_every_port_model) {
  for (const char* name :
       {"ring:1", "ring:2", "ring:3", "ring:8", "ring:9", "hypercube:3", "torus:2x3", "torus:3x4",
        "torus:2x3x3", "hexmesh:3", "twisted-torus:2x4", "circulant:13:1,5", "complete:7", "complete:8"}) {
    const Port degree = network::parse(name).degree();
    for (const PortModel ports : {PortModel::all(), PortModel::one(), PortModel::half()})
      expect_serves_all(name, ports, 2);
    for (Port k = 1; k <= degree; ++k) expect_serves_all(name, PortModel::ports(k), 1);
  }
}

std::uint64_t bound_on(const Network& network, PortModel ports) {
  return bound::lower_bounds({.network = network,
                              .task = {.collective = Collective::allgather},
                              .ports = ports,
                              .aggregation = schedule::unbounded})
      .front()
      .value;
}

// Exchanges axis after axis, both ways at once, doubling, flooding.
TEST(Gossip, meets_the_bound_in_closed_form) {
  struct Case {
    const char *network, *ports;
  };
  for (const auto& [name, ports] :
       {Case{"ring:8", "one"}, Case{"torus:4x4", "one"}, Case{"torus:8x8", "one"}, Case{"torus:4x6x8", "one"},
        Case{"torus:16x16", "one"}, Case{"hypercube:6", "one"}, Case{"complete:13", "one"},
        Case{"complete:64", "2"}, Case{"complete:100", "7"}, Case{"torus:5x5", "2"}, Case{"torus:3x5x7", "2"},
        Case{"hexmesh:5", "all"}, Case{"circulant:29:1,5,12", "all"}}) {
    const Network network = network::parse(name);
    const PortModel model = schedule::parse_port_model(ports, network.degree());
    EXPECT_EQ(find_gossip(network, model, small_search).rounds.size(), bound_on(network, model))
        << name << " " << ports;
  }
}

// Even and Monien 1989: 6 rounds on K_8; n / 2 + ceil(sqrt(2 n)) - 1 on rings of n nodes.
TEST(Gossip, takes_the_known_rounds_over_half_duplex) {
  EXPECT_EQ(find_gossip(network::parse("complete:8"), PortModel::half(), {.target = 6}).rounds.size(), 6u);
  EXPECT_EQ(find_gossip(network::parse("ring:8"), PortModel::half(), {.target = 7}).rounds.size(), 7u);
}

// (n + 3) / 2 on odd rings of 7 and more.
TEST(Gossip, is_annealed) {
  EXPECT_EQ(find_gossip(network::parse("ring:9"), PortModel::one(), {.target = 6}).rounds.size(), 6u);
  EXPECT_EQ(find_gossip(network::parse("ring:7"), PortModel::one(), {.target = 5}).rounds.size(), 5u);
}

TEST(Gossip, is_the_same_in_every_call) {
  const Network network = network::parse("torus:3x5");
  const auto once =
      gossip_allgather(network, 1, PortModel::one(), find_gossip(network, PortModel::one(), small_search));
  EXPECT_EQ(once, gossip_allgather(network, 1, PortModel::one(),
                                   find_gossip(network, PortModel::one(), small_search)));
}

// Invariant gossip needs no list of origins, so it serves large networks.
TEST(Gossip, is_invariant_on_large_networks) {
  const Gossip gossip = find_gossip(network::parse("hypercube:13"), PortModel::one(), {});
  EXPECT_TRUE(gossip.invariant);
  EXPECT_EQ(gossip.rounds.size(), 13u);
}

}  // namespace
}  // namespace isotrope::algorithm
