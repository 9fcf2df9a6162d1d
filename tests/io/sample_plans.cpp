// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/io/sample_plans.hpp"

#include <algorithm>
#include <sstream>

#include <rapidcheck.h>

#include "isotrope/network/cayley.hpp"
#include "isotrope/network/parse.hpp"

#include "isotrope/schedule/packets.hpp"

namespace isotrope::io {
namespace {

using schedule::Collective;
using schedule::Flow;
using schedule::Packets;
using schedule::Plan;
using schedule::PortModel;
using schedule::Replication;
using schedule::RoundKind;
using schedule::Stage;
using schedule::Task;

Stage stage(Flow flow, Replication replication, const std::vector<std::vector<schedule::Hop>>& rounds) {
  Stage result{flow, replication, {}, {}};
  for (const auto& round : rounds) {
    for (const schedule::Hop& hop : round) result.rounds.add(hop);
    result.rounds.close_round();
  }
  return result;
}

Plan plan(const network::Network& network, const Task& task, std::vector<Stage> stages) {
  Plan result{network, {}, task, {PortModel::all(), RoundKind::strict, std::move(stages)}, {}, {}};
  result.bound = {"distance", 1, "one hop"};
  result.claims = {result.schedule.round_count(), result.schedule.hop_count(), true, {}};
  return result;
}

Plan failed_broadcast() {
  Plan result = plan(network::parse("torus:3x5"), {Collective::broadcast, 7, 2},
                     {stage(Flow::copy, Replication::none(), {{{0, 7, 0}, {1, 7, 3}}, {}, {{1, 12, 2}}})});
  result.failed = {{0, 14}, {{3, 1}}};
  result.schedule.ports = PortModel::ports(2);
  return result;
}

Plan even_alltoall() {
  Plan result = plan(network::parse("twisted-torus:2x4"), {Collective::alltoall},
                     {stage(Flow::move, Replication::even(1), {{{1, 0, 0}}, {{0, 0, 1}}})});
  result.schedule.stages[0].packets = {{0, 5, 0, 0}, {1, 7, 3, 0}};
  result.schedule.ports = PortModel::one();
  return result;
}

Plan combining_allreduce() {
  const std::vector<schedule::Hop> both = {{0, 0, 0}, {0, 0, 1}};
  Plan result = plan(network::parse("hypercube:2"), {Collective::allreduce},
                     {stage(Flow::reduce, Replication::none(), {{{0, 3, 0}}, {{0, 2, 1}}}),
                      stage(Flow::copy, Replication::none(), {both, {{0, 1, 1}}})});
  result.schedule.round_kind = RoundKind::aggregated;
  result.schedule.ports = PortModel::half();
  result.claims.link_load = {1, 1, 1, 1};
  return result;
}

Plan unnamed_task() {
  Plan result = plan(network::cayley({4, 6}, {{1, 0}, {3, 0}, {0, 1}, {0, 5}, {2, 3}}),
                     {Collective::task, 0, 3}, {stage(Flow::copy, Replication::none(), {{{1, 23, 4}}})});
  result.schedule.stages[0].packets = {{0, 23, 4294967295, 2}, {23, schedule::to_all, 0, 0}};
  result.bound = {"\"odd\"", UINT64_MAX,
                  "tab\t, line\n, nul" + std::string(1, '\0') + ", \\ and \xE2\x88\x91 \xF0\x9F\x9A\x80"};
  result.claims = {UINT64_MAX, UINT64_MAX, false, {}};
  return result;
}

std::uint32_t below(std::uint64_t count) {
  return *rc::gen::inRange<std::uint32_t>(0, static_cast<std::uint32_t>(count));
}

network::Network random_network() {
  const auto name = *rc::gen::element<std::string>(
      "hypercube:1", "hypercube:4", "torus:4x3", "ring:7", "torus:1x2x4", "hexmesh:3", "twisted-torus:2x2x4",
      "circulant:13:1,5", "complete:8", "cayley:2x6:1,0/0,1/0,5");
  return network::parse(name);
}

std::string random_text() {
  const auto pieces = *rc::gen::container<std::vector<std::string>>(rc::gen::element<std::string>(
      "a", "\"", "\\", "\n", "\x7F", " ", "\xC2\xA0", "\xE2\x88\x91", "\xF0\x9F\x9A\x80"));
  std::string text;
  for (const std::string& piece : pieces) text += piece;
  return text;
}

Task random_task(const network::Network& network) {
  Task task;
  task.collective = *rc::gen::element(Collective::broadcast, Collective::scatter, Collective::gather,
                                      Collective::reduce, Collective::allgather, Collective::alltoall,
                                      Collective::reduce_scatter, Collective::allreduce, Collective::barrier,
                                      Collective::neighborhood, Collective::isotropic, Collective::task);
  if (is_rooted(task.collective)) task.root = below(network.order());
  task.parts = 1 + below(4);
  if (task.collective == Collective::neighborhood) {
    task.farthest = 1 + below(network.diameter());
    task.nearest = 1 + below(task.farthest);
  }
  return task;
}

Replication random_replication(const network::Network& network) {
  const std::uint32_t axis = below(network.group().rank());
  if (*rc::gen::arbitrary<bool>()) return Replication::all();
  return network.group().moduli()[axis] % 2 == 0 ? Replication::even(axis) : Replication::none();
}

std::vector<schedule::Packet> random_packets(const network::Network& network, const Task& task) {
  std::vector<schedule::Packet> packets(1 + below(5));
  for (schedule::Packet& packet : packets) {
    const network::Node to = *rc::gen::arbitrary<bool>() ? below(network.order()) : schedule::to_all;
    packet = {below(network.order()), to, *rc::gen::arbitrary<std::uint32_t>(), below(task.parts)};
  }
  return packets;
}

Stage random_stage(const network::Network& network, const Task& task) {
  Stage result;
  result.flow = *rc::gen::element(Flow::copy, Flow::move, Flow::reduce);
  result.replication = random_replication(network);
  if (!implies_packets(task, result.flow, result.replication) || *rc::gen::arbitrary<bool>()) {
    result.packets = random_packets(network, task);
  }
  const std::uint64_t packets = Packets(network, task, result).size();
  for (std::uint32_t rounds = below(4); rounds > 0; --rounds) {
    for (std::uint32_t hops = below(4); hops > 0; --hops) {
      result.rounds.add({below(packets), below(network.order()), below(network.degree())});
    }
    result.rounds.close_round();
  }
  return result;
}

PortModel random_ports(const network::Network& network) {
  return *rc::gen::element(PortModel::all(), PortModel::one(), PortModel::half(),
                           PortModel::ports(1 + below(network.degree())));
}

}  // namespace

Plan tiny_plan() {
  return plan(network::parse("ring:3"), {Collective::allgather},
              {stage(Flow::copy, Replication::all(), {{{0, 0, 0}, {0, 0, 1}}})});
}

std::vector<Plan> varied_plans() {
  return {tiny_plan(), failed_broadcast(), even_alltoall(), combining_allreduce(), unnamed_task()};
}

Plan long_plan(std::uint32_t rounds, std::uint32_t width) {
  Plan result = plan(network::parse("torus:4x4"), {Collective::scatter, 5, 100000},
                     {stage(Flow::move, Replication::none(), {})});
  schedule::Rounds& hops = result.schedule.stages[0].rounds;
  hops.reserve(rounds, std::uint64_t{rounds} * width);
  for (std::uint32_t t = 0; t < rounds; ++t) {
    for (std::uint32_t i = 0; i < width; ++i) hops.add({(t * width + i) % 1600000, (t + i) % 16, i % 4});
    hops.close_round();
  }
  return result;
}

Plan random_plan() {
  const network::Network network = random_network();
  const Task task = random_task(network);
  std::vector<Stage> stages(1 + below(2));
  std::generate(stages.begin(), stages.end(), [&] { return random_stage(network, task); });
  Plan result = plan(network, task, std::move(stages));
  for (std::uint32_t i = below(3); i > 0; --i) result.failed.nodes.push_back(below(network.order()));
  for (std::uint32_t i = below(3); i > 0; --i) {
    result.failed.links.push_back({below(network.order()), below(network.degree())});
  }
  result.schedule.ports = random_ports(network);
  const std::string kind = random_text();
  if (!kind.empty()) result.bound = {kind, *rc::gen::arbitrary<std::uint64_t>(), random_text()};
  result.claims.optimal = *rc::gen::arbitrary<bool>();
  if (*rc::gen::arbitrary<bool>()) {
    result.schedule.round_kind = RoundKind::aggregated;
    result.claims.link_load = *rc::gen::arbitrary<std::vector<std::uint64_t>>();
  }
  return result;
}

std::string written(const Plan& plan, PlanFormat format) {
  std::ostringstream out;
  write_plan(out, plan, format);
  return out.str();
}

}  // namespace isotrope::io
