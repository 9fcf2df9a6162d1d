// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/simulate/recorded_run.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include <gtest/gtest.h>

namespace isotrope::simulate {
namespace {

using schedule::Packet;
using schedule::PacketId;
using schedule::PortModel;
using schedule::Replication;

std::vector<Packet> packets_of_task(const Network& network, const PacketTask& task, bool symmetric) {
  std::vector<Packet> result = schedule::packets_of(network, task.listed, 1);
  for (Node origin = 0; origin < (symmetric ? 1 : network.order()); ++origin) {
    const auto block = static_cast<std::uint32_t>(
        std::ranges::count_if(result, [origin](const Packet& packet) { return packet.origin == origin; }));
    const auto packets = schedule::isotropic_packets(network, task.isotropic, 1, origin, block);
    result.insert(result.end(), packets.begin(), packets.end());
  }
  return result;
}

// Packets that are alike to the simulator, with the same place and relative destination, are told apart here:
// any of them goes. Under a symmetric policy the packets of origin 0 are followed, wherever they are by then.
class Recorder {
 public:
  Recorder(const Network& network, std::vector<Packet> packets, bool symmetric, PortModel ports,
           const network::Failures& missing)
      : network_(network),
        survivors_(network, missing),
        symmetric_(symmetric),
        at_once_(ports.sends(network.degree())) {
    for (PacketId id = 0; id < packets.size(); ++id) place(id, packets[id].origin, packets[id].to);
    stage_.replication = symmetric ? Replication::all() : Replication::none();
    stage_.packets = std::move(packets);
    delays_.push_back(delivered_ * multiplicity());
  }

  void send(const Transmission& sent) {
    while (stage_.rounds.size() < sent.round) close_round();
    const auto found = waiting_.find({sent.from, sent.relative});
    ASSERT_NE(found, waiting_.end()) << "no such packet waits at node " << sent.from;
    const PacketId id = found->second;
    waiting_.erase(found);
    const Node to = stage_.packets[id].to;
    const Node at = network_.group().subtract(to, sent.relative);
    stage_.rounds.add({id, at, sent.port});
    sent_.push_back({id, network_.neighbour(at, sent.port)});
    ++sends_[sent.from];
    ++receipts_[symmetric_ ? 0 : network_.neighbour(sent.from, sent.port)];
    used_[{sent.from, sent.port}] = true;
  }

  void close_round() {
    for (const auto& [where, id] : waiting_) count_idle_ports(where.first, where.second);
    delivered_ = 0;
    for (const auto [id, at] : sent_) place(id, at, stage_.packets[id].to);
    delays_.push_back(delivered_ * multiplicity());
    sent_.clear();
    sends_.clear();
    receipts_.clear();
    used_.clear();
    stage_.rounds.close_round();
  }

  schedule::Stage stage() { return std::move(stage_); }
  const std::vector<std::uint64_t>& delays() const { return delays_; }
  std::uint64_t idle_ports() const { return idle_ports_; }

 private:
  struct Sent {
    PacketId id;
    Node at;
  };

  std::uint64_t multiplicity() const { return symmetric_ ? network_.order() : 1; }

  void place(PacketId id, Node at, Node to) {
    if (at == to) {
      ++delivered_;
    } else {
      waiting_.insert({{symmetric_ ? 0 : at, network_.group().subtract(to, at)}, id});
    }
  }

  // Of a packet that stays.
  void count_idle_ports(Node at, Node relative) {
    if (sends_[at] == at_once_) return;
    const std::vector<std::uint32_t>& distance = distances_to(network_.group().add(at, relative));
    survivors_.for_each_neighbour(at, [&](Port port, Node neighbour) {
      if (distance[neighbour] >= distance[at] || used_[{at, port}]) return;
      if (receipts_[symmetric_ ? 0 : neighbour] < at_once_) ++idle_ports_;
    });
  }

  const std::vector<std::uint32_t>& distances_to(Node to) {
    const auto [found, is_new] = distances_.try_emplace(to);
    if (is_new) found->second = survivors_.distances(to);
    return found->second;
  }

  const Network& network_;
  network::SurvivingNetwork survivors_;
  std::map<Node, std::vector<std::uint32_t>> distances_;
  bool symmetric_;
  Port at_once_;
  schedule::Stage stage_ = {};
  std::multimap<std::pair<Node, Node>, PacketId> waiting_;  // by node and relative destination
  std::vector<Sent> sent_;                                  // in this round, as are the next four
  std::map<Node, Port> sends_;
  std::map<Node, Port> receipts_;
  std::map<std::pair<Node, Port>, bool> used_;
  std::uint64_t delivered_ = 0;
  std::vector<std::uint64_t> delays_;
  std::uint64_t idle_ports_ = 0;
};

}  // namespace

RecordedRun record(const Network& network, const PacketTask& task, RoutingPolicy policy, PortModel ports,
                   std::uint64_t seed, const network::Failures& missing) {
  Recorder recorder(network, packets_of_task(network, task, policy.symmetric), policy.symmetric, ports,
                    missing);
  const PacketSimulator simulator(network, task, policy, ports, missing);
  const PacketRun run =
      simulator.run(seed, {.visit = [&](const Transmission& sent) { recorder.send(sent); }});
  if (run.rounds > 0) recorder.close_round();
  const auto collective = policy.symmetric ? schedule::Collective::isotropic : schedule::Collective::task;
  schedule::Plan plan{network, missing, {.collective = collective}, {ports, {}, {}}, {}, {}};
  plan.schedule.stages.push_back(recorder.stage());
  return {run, std::move(plan), recorder.delays(), recorder.idle_ports()};
}

}  // namespace isotrope::simulate
