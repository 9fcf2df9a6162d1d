// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/cost/reference.hpp"

#include <algorithm>
#include <functional>

#include "isotrope/schedule/packets.hpp"

namespace isotrope::cost {
namespace {

using schedule::Flow;
using schedule::Node;
using schedule::PacketId;
using schedule::Packets;
using schedule::Plan;

class ByDefinition {
 public:
  ByDefinition(const Plan& plan, const Machine& machine, const Workload& workload)
      : plan_(plan), machine_(machine), workload_(workload) {}

  std::vector<SentMessage> run() {
    for (std::size_t stage = 0; stage < plan_.schedule.stages.size(); ++stage) {
      for (std::uint64_t t = 0; t < plan_.schedule.stages[stage].rounds.size(); ++t) {
        for (SentMessage& message : messages(stage, t)) {
          message.prepared_s = prepared(message);
          message.start_s = start(message);
          message.end_s = message.start_s + machine_.message_time(message.bytes);
          message.taken_s = message.end_s;
          sent_.push_back(message);
        }
        for (SentMessage& message : sent_) {
          if (message.stage == stage && message.round == t) message.taken_s = taken(message);
        }
      }
    }
    return sent_;
  }

 private:
  std::vector<SentMessage> messages(std::size_t stage, std::uint64_t round) const {
    const Packets packets(plan_.network, plan_.task, plan_.schedule.stages[stage]);
    std::vector<SentMessage> result;
    for (const schedule::Hop& hop : plan_.schedule.stages[stage].rounds.round(round)) {
      auto message = result.end();
      if (plan_.schedule.round_kind == schedule::RoundKind::aggregated) {
        message = std::ranges::find_if(result, [&](const SentMessage& other) {
          return other.from == hop.from && other.port == hop.port;
        });
      }
      if (message == result.end()) {
        const Node to = plan_.network.neighbour(hop.from, hop.port);
        message = result.insert(result.end(), {stage, round, hop.from, hop.port, to});
      }
      message->packets.push_back(hop.packet);
      message->bytes += workload_.bytes(packets[hop.packet].part);
    }
    return result;
  }

  double prepared(const SentMessage& message) const {
    double begin = 0;
    for (PacketId packet : message.packets) {
      begin = std::max(begin, since(message.stage, message.round, packet, message.from));
    }
    if (no_overheads()) return begin;
    return std::max(begin, busy_until(message.from)) + machine_.overhead_s +
           static_cast<double>(message.bytes) * machine_.overhead_byte_s;
  }

  bool no_overheads() const {
    return machine_.overhead_s == 0 && machine_.overhead_byte_s == 0 && machine_.receive_overhead_s == 0;
  }

  // What the processor of `node` has done so far.
  double busy_until(Node node) const {
    double done = 0;
    for (const SentMessage& before : sent_) {
      if (before.from == node) done = std::max(done, before.prepared_s);
      if (before.to == node && before.taken_s > before.end_s) done = std::max(done, before.taken_s);
    }
    return done;
  }

  double taken(const SentMessage& message) const {
    if (machine_.receive_overhead_s == 0) return message.end_s;
    return std::max(message.end_s, busy_until(message.to)) + machine_.receive_overhead_s;
  }

  double start(const SentMessage& message) const {
    double earliest = std::max({slot(message.from, true), slot(message.to, false), message.prepared_s});
    for (const SentMessage& before : sent_) {
      const bool same = before.from == message.from && before.port == message.port;
      const bool opposite = before.from == message.to && before.port == plan_.network.opposite(message.port);
      if (same || (opposite && machine_.ports.half_duplex())) earliest = std::max(earliest, before.end_s);
    }
    return earliest;
  }

  // Since when `node` has what it may send of the packet in this round.
  double since(std::size_t stage, std::uint64_t round, PacketId packet, Node node) const {
    std::vector<double> arrivals;
    for (const SentMessage& before : sent_) {
      const bool carries = std::ranges::find(before.packets, packet) != before.packets.end();
      if (before.stage == stage && before.round < round && before.to == node && carries) {
        arrivals.push_back(before.taken_s);
      }
    }
    const Node origin = Packets(plan_.network, plan_.task, plan_.schedule.stages[stage])[packet].origin;
    switch (plan_.schedule.stages[stage].flow) {
      case Flow::reduce:
        arrivals.push_back(0);
        return std::ranges::max(arrivals);
      case Flow::copy:
        if (node == origin) arrivals.push_back(at_origin(stage, packet, origin));
        return std::ranges::min(arrivals);
      case Flow::move:
      case Flow::exchange:
      case Flow::reduce_then_copy:
        break;
    }
    return arrivals.empty() ? at_origin(stage, packet, origin) : arrivals.back();
  }

  double at_origin(std::size_t stage, PacketId packet, Node origin) const {
    return stage == 0 ? 0 : since(stage - 1, UINT64_MAX, packet, origin);
  }

  // When `node` may begin one more send or receipt.
  double slot(Node node, bool sends) const {
    std::vector<double> releases;
    for (const SentMessage& before : sent_) {
      const bool both = machine_.ports.half_duplex();
      const double release = before.start_s + (1 - machine_.overlap) * machine_.message_time(before.bytes);
      if (before.from == node && (sends || both)) releases.push_back(release);
      if (before.to == node && (!sends || both)) releases.push_back(release);
    }
    const std::size_t most = machine_.ports.sends(plan_.network.degree());
    const bool unlimited = machine_.ports.kind == schedule::PortModel::Kind::all_port;
    if (unlimited || releases.size() < most) return 0;
    std::ranges::sort(releases, std::greater());
    return releases[most - 1];
  }

  const Plan& plan_;
  const Machine& machine_;
  const Workload& workload_;
  std::vector<SentMessage> sent_;
};

}  // namespace

std::vector<SentMessage> times_by_definition(const Plan& plan, const Machine& machine,
                                             const Workload& workload) {
  return ByDefinition(plan, machine, workload).run();
}

}  // namespace isotrope::cost
