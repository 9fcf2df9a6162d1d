// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Algorithms among one rank of each node: valid, and priced as their stages, on machines with and without cut-through.
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isotrope/base/error.hpp"

#include "isotrope/network/complete.hpp"
#include "isotrope/network/node_places.hpp"
#include "isotrope/network/parse.hpp"

#include "isotrope/cost/node_places.hpp"

#include "isotrope/verify/verify.hpp"

#include "isotrope/planner/choice.hpp"

namespace isotrope::planner {
namespace {

using schedule::PortModel;
using testing::AnyOf;
using testing::HasSubstr;
using testing::StartsWith;

constexpr cost::LinkTime memory{5e-7, 1e-10};

cost::Machine links_of(bool cut_through, PortModel ports) {
  return {.startup_s = 2e-6,
          .byte_time_s = 1e-9,
          .ports = ports,
          .overhead_s = 3e-7,
          .receive_overhead_s = 2e-7,
          .cut_through = cut_through,
          .hop_time_s = cut_through ? 1e-7 : 0};
}

struct Job {
  network::NamedNetwork nodes, places;
  cost::Machine links, machine;

  Job(const std::string& name, std::uint32_t ranks, bool cut_through, PortModel ports = PortModel::all())
      : nodes(network::parse_named(name)),
        places(network::network_of_places(nodes, ranks)),
        links(links_of(cut_through, ports)),
        machine(cost::machine_of_places(links, memory, ranks, places)) {}

  Choice choose(Collective collective, std::uint64_t bytes, const std::string& algorithm = "",
                network::Node root = 0) const {
    return choose_for({.network = places.network,
                       .failed = places.lacks,
                       .task = {.collective = collective, .root = root},
                       .ports = machine.ports},
                      bytes, machine, {.algorithm = algorithm});
  }
};

TEST(Leaders, send_to_far_nodes_if_the_machine_passes_messages_on) {
  for (const char* name : {"torus:8x8", "ring:16", "torus:4x4x4"}) {
    for (const std::uint32_t ranks : {2U, 4U}) {
      const Job far(name, ranks, true), near(name, ranks, false);
      for (const Collective collective :
           {Collective::allreduce, Collective::broadcast, Collective::reduce, Collective::barrier}) {
        const std::string what =
            std::string(name) + ", " + std::to_string(ranks) + " ranks a node, " +
            to_string(schedule::Task{.collective = collective, .root = 0, .parts = 1, .destinations = {}});
        const network::Node root = collective == Collective::broadcast ? 5 : 0;
        const Choice choice = far.choose(collective, 1024, "", root);
        EXPECT_THAT(choice.best().algorithm->name(), AnyOf(StartsWith("leader-"), StartsWith("striped-")))
            << what;
        EXPECT_TRUE(choice.best().over_overlay()) << what;
        EXPECT_LT(choice.best().prediction.seconds,
                  near.choose(collective, 1024, "", root).best().prediction.seconds)
            << what;
        EXPECT_TRUE(verify::verify(make_plan(choice.best())).valid) << what;
      }
    }
  }
}

// What a leader gets or gives in a node of R ranks: R - 1 messages of all ports at once.
double seconds_in_node(const Job& job, std::uint32_t ranks, std::uint64_t bytes, bool sends) {
  const double messages = ranks - 1;
  return memory.startup_s + static_cast<double>(bytes) * memory.byte_time_s +
         (sends ? messages : 1) * job.machine.overhead_s +
         (sends ? 1 : messages) * job.machine.receive_overhead_s;
}

TEST(Leaders, take_the_time_of_their_stages) {
  constexpr std::uint64_t bytes = 4096;
  constexpr std::uint32_t ranks = 3;
  for (const char* name : {"torus:4x4", "ring:9", "hexmesh:2"}) {
    const Job job(name, ranks, true);
    // Where links are of several classes, here alike, messages are priced round by round.
    cost::Machine links = job.links;
    links.listed_classes[links.link_class_count++] = {
        .axes = 1, .startup_s = links.startup_s, .byte_time_s = links.byte_time_s};
    for (const Collective collective : {Collective::broadcast, Collective::reduce}) {
      const Choice among = choose_for(
          {.network = job.nodes.network, .task = {.collective = collective}, .ports = PortModel::all()},
          bytes, links, {.algorithm = "binomial"});
      EXPECT_NEAR(job.choose(collective, bytes, "leader-binomial").best().prediction.seconds,
                  among.best().prediction.seconds +
                      seconds_in_node(job, ranks, bytes, collective == Collective::broadcast),
                  1e-12)
          << name;
    }
  }
}

// Every rank leads a stripe: as many messages as one leader, of a part of the bytes, which share the links.
TEST(Leaders, of_stripes_take_the_time_of_their_stages) {
  constexpr std::uint64_t bytes = 65536;
  for (const char* name : {"torus:4x4", "ring:9", "hexmesh:3"}) {
    for (const std::uint32_t ranks : {2U, 4U}) {
      const Job job(name, ranks, true);
      // Where links are of several classes, here alike, messages are priced round by round.
      cost::Machine lanes = job.links;
      lanes.byte_time_s *= ranks;
      lanes.listed_classes[lanes.link_class_count++] = {
          .axes = 1, .startup_s = lanes.startup_s, .byte_time_s = lanes.byte_time_s};
      const Choice among = choose_for({.network = job.nodes.network,
                                       .task = {.collective = Collective::allreduce},
                                       .ports = PortModel::all()},
                                      bytes / ranks, lanes, {.algorithm = "level-exchange"});
      const Choice choice = job.choose(Collective::allreduce, bytes, "striped-level-exchange");
      const double in_node = seconds_in_node(job, ranks, bytes / ranks, true);
      // Parts are whole bytes.
      EXPECT_NEAR(choice.best().prediction.seconds, among.best().prediction.seconds + 2 * in_node, 1e-8)
          << name << ", " << ranks;
      EXPECT_TRUE(choice.best().over_overlay());
      EXPECT_TRUE(verify::verify(make_plan(choice.best())).valid) << name << ", " << ranks;
    }
  }
}

TEST(Leaders, of_stripes_win_if_vectors_are_longer) {
  Job job("torus:4x4", 4, true);
  EXPECT_EQ(job.choose(Collective::allreduce, 1024).best().algorithm->name(), "leader-level-exchange");
  const Choice longer = job.choose(Collective::allreduce, 65536);
  EXPECT_EQ(longer.best().algorithm->name(), "striped-level-exchange");
  EXPECT_LT(longer.best().prediction.seconds,
            job.choose(Collective::allreduce, 65536, "leader-level-exchange").best().prediction.seconds);
}

// Between the hosts of a switch all are neighbours, so no cut-through is needed.
TEST(Leaders, exchange_behind_a_switch) {
  for (const std::uint32_t hosts : {6U, 8U}) {
    const Job job("complete:" + std::to_string(hosts), 3, false, PortModel::one());
    for (const std::string algorithm : {"leader-level-exchange", "leader-halving-doubling"}) {
      if (hosts == 6 && algorithm == "leader-halving-doubling") continue;
      const Choice choice = job.choose(Collective::allreduce, 1024, algorithm);
      EXPECT_FALSE(choice.best().over_overlay()) << algorithm;
      EXPECT_TRUE(verify::verify(make_plan(choice.best())).valid) << algorithm;
    }
  }
  const Choice best = Job("complete:8", 3, false, PortModel::one()).choose(Collective::allreduce, 1024);
  EXPECT_EQ(best.best().algorithm->name(), "leader-recursive-doubling");
}

TEST(Leaders, leave_other_overlays_out) {
  const auto refusal = [](const Job& job, const std::string& algorithm) -> std::string {
    try {
      job.choose(Collective::allreduce, 64, algorithm);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(refusal(Job("torus:4x4", 4, true), "level-exchange"),
              HasSubstr("would share links with those of other ranks of a node"));
  EXPECT_THAT(refusal(Job("torus:4x4", 4, false), "leader-level-exchange"),
              HasSubstr("the machine has no cut-through"));
  EXPECT_THAT(refusal(Job("torus:4x4", 1, true), "leader-level-exchange"),
              HasSubstr("it needs a product whose last axis is complete"));
  EXPECT_THAT(refusal(Job("torus:4x4", 4, true, PortModel::one()), "striped-level-exchange"),
              HasSubstr("all ranks of a node send at once: it needs all ports"));
}

}  // namespace
}  // namespace isotrope::planner
