// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/exports/holdings.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "isotrope/network/rates.hpp"

#include "isotrope/schedule/exchanges.hpp"
#include "isotrope/schedule/packets.hpp"

#include "isotrope/rank/program.hpp"
#include "isotrope/verify/verify.hpp"

namespace isotrope::exports {
namespace {

using schedule::Collective;
using schedule::Flow;
using schedule::Hop;
using schedule::Packet;
using schedule::PacketId;
using schedule::Packets;
using schedule::Plan;
using schedule::Stage;

// Calls `function(stage number, stage, message, packet id, packet)` for every hop of a plan written out.
template <class Function>
void for_each_hop(const Plan& plan, const Function& function) {
  const std::uint64_t copies = most_copies(plan.network);
  std::uint64_t round = 0;
  for (std::size_t s = 0; s < plan.schedule.stages.size(); ++s) {
    const Stage& stage = plan.schedule.stages[s];
    const Packets packets(plan.network, plan.task, stage);
    for (std::uint64_t t = 0; t < stage.rounds.size(); ++t, ++round) {
      for (const Hop& hop : stage.rounds.round(t)) {
        const auto generators = plan.network.generators();
        const auto place = static_cast<std::uint64_t>(
            std::count(generators.begin(), generators.begin() + hop.port, generators[hop.port]));
        const MessageName message{round * copies + place, hop.from,
                                  plan.network.neighbour(hop.from, hop.port)};
        function(s, stage, message, hop.packet, packets[hop.packet]);
      }
    }
  }
}

// Whether the result of an allreduce is in blocks, one at every node, between its stages.
bool is_cut_into_blocks(const Plan& plan) {
  if (plan.task.collective != Collective::allreduce) return false;
  const Packets packets(plan.network, plan.task, plan.schedule.stages.front());
  for (PacketId p = 0; p < packets.size(); ++p) {
    if (packets[p].to != packets[0].to) return true;
  }
  return false;
}

std::uint64_t piece(std::uint64_t bytes, std::uint64_t pieces, std::uint64_t number) {
  return (number + 1) * bytes / pieces - number * bytes / pieces;
}

// An exchange of single values moves what an allgather does.
Plan as_allgather(Plan plan) {
  if (plan.schedule.stages.front().flow != Flow::exchange) return plan;
  plan.schedule = schedule::gathered_copies(plan.network, plan.task.parts, plan.schedule).value();
  plan.task.collective = Collective::allgather;
  return plan;
}

class Sizes {
 public:
  Sizes(const Plan& plan, std::uint64_t block_bytes)
      : plan_(plan), bytes_(block_bytes), in_blocks_(is_cut_into_blocks(plan)) {}

  std::uint64_t operator()(Flow flow, const Packet& packet) const {
    const std::uint64_t parts = plan_.task.parts;
    if (plan_.task.collective == Collective::barrier) return 1;
    if (!in_blocks_) return piece(bytes_, parts, packet.part);
    const std::uint64_t block = flow == Flow::reduce ? packet.to : packet.origin;
    return piece(bytes_, plan_.network.order() * parts, block * parts + packet.part);
  }

 private:
  const Plan& plan_;
  std::uint64_t bytes_;
  bool in_blocks_;
};

}  // namespace

std::uint64_t most_copies(const network::Network& network) {
  const std::vector<std::uint32_t> rates = network::port_rates(network);
  return rates.empty() ? 1 : std::ranges::max(rates);
}

bool has_packets(const Plan& plan) {
  if (plan.schedule.stages.front().flow != Flow::exchange) return true;
  return schedule::gathered_copies(plan.network, plan.task.parts, plan.schedule).has_value();
}

std::map<MessageName, std::uint64_t> bytes_of_messages(const Plan& plan, std::uint64_t block_bytes) {
  const Plan expanded = verify::expand(plan);
  const Sizes sizes(expanded, block_bytes);
  std::map<MessageName, std::uint64_t> bytes;
  for_each_hop(expanded, [&](std::size_t, const Stage& stage, const MessageName& message, PacketId,
                             const Packet& packet) { bytes[message] += sizes(stage.flow, packet); });
  std::erase_if(bytes, [](const auto& message) { return message.second == 0; });
  return bytes;
}

// The additions of a node in an exchange: what it adds by itself, and what comes and is added to a running sum.
std::uint64_t bytes_added(const Plan& plan, Node node, std::uint64_t block_bytes) {
  const auto part_bytes = [&](std::uint32_t part) {
    return plan.task.collective == Collective::barrier ? 1 : piece(block_bytes, plan.task.parts, part);
  };
  const rank::RankProgram program = rank::compile(plan, node);
  std::uint64_t bytes = 0;
  for (std::size_t t = 0; t <= program.rounds(); ++t) {
    for (const rank::LocalMove& move : program.local_moves(t)) {
      if (move.arrival == rank::OnArrival::combine) bytes += part_bytes(move.part);
    }
    if (t == program.rounds()) break;
    for (const rank::RankMessage& message : program.receipts(t)) {
      for (const rank::Fragment& fragment : program.fragments(message)) {
        if (fragment.arrival == rank::OnArrival::store) continue;
        for (std::uint32_t i = 0; i < fragment.count; ++i) bytes += part_bytes(fragment.unit + i);
      }
    }
  }
  return bytes;
}

std::vector<std::uint64_t> bytes_combined(const Plan& plan, std::uint64_t block_bytes) {
  const Plan expanded = verify::expand(plan);
  const Sizes sizes(expanded, block_bytes);
  std::vector<std::uint64_t> bytes(plan.network.order(), 0);
  if (plan.schedule.stages.front().flow == Flow::exchange) {
    for (Node node = 0; node < plan.network.order(); ++node)
      bytes[node] = bytes_added(plan, node, block_bytes);
    return bytes;
  }
  for_each_hop(expanded, [&](std::size_t, const Stage& stage, const MessageName& message, PacketId,
                             const Packet& packet) {
    if (stage.flow == Flow::reduce) bytes[message.to] += sizes(stage.flow, packet);
  });
  return bytes;
}

Holdings::Holdings(const Plan& plan) : plan_(verify::expand(as_allgather(plan))) {
  for (std::size_t s = 0; s < plan_.schedule.stages.size(); ++s) begin(s);
  for_each_hop(plan_,
               [&](std::size_t s, const Stage&, const MessageName& message, PacketId packet, const Packet&) {
                 hops_[message].push_back({s, packet, 0});
               });
}

Holdings::Contributions Holdings::everyone() const {
  return ~Contributions{0} >> (64 - plan_.network.order());
}

void Holdings::begin(std::size_t s) {
  const Stage& stage = plan_.schedule.stages[s];
  const Packets packets(plan_.network, plan_.task, stage);
  held_.emplace_back(packets.size() * plan_.network.order(), 0);
  for (PacketId p = 0; p < packets.size(); ++p) {
    for (Node node = 0; node < plan_.network.order(); ++node) {
      const bool holds = stage.flow == Flow::reduce || (s == 0 && node == packets[p].origin);
      if (holds) at(s, p, node) = Contributions{1} << node;
    }
  }
}

// Whether all that the first stage combines for `node` of this part is there.
bool Holdings::has_result(Node node, std::uint32_t part) const {
  const Packets packets(plan_.network, plan_.task, plan_.schedule.stages.front());
  for (PacketId p = 0; p < packets.size(); ++p) {
    if (packets[p].to == node && packets[p].part == part && at(0, p, node) != everyone()) return false;
  }
  return true;
}

std::string Holdings::send(const MessageName& message) {
  for (auto& [s, id, contributions] : hops_[message]) {
    const Stage& stage = plan_.schedule.stages[s];
    const Packet packet = Packets(plan_.network, plan_.task, stage)[id];
    Contributions& held = at(s, id, message.from);
    if (s > 0 && message.from == packet.origin && has_result(message.from, packet.part))
      held = Contributions{1} << message.from;
    if (held == 0)
      return fmt::format("round {}: node {} sends packet {} without it", message.tag, message.from, id);
    contributions = held;
    if (stage.flow != Flow::copy) held = 0;
  }
  return "";
}

std::string Holdings::receive(const MessageName& message) {
  for (const auto& [s, id, contributions] : hops_[message]) {
    Contributions& held = at(s, id, message.to);
    if (plan_.schedule.stages[s].flow == Flow::reduce && (held & contributions) != 0)
      return fmt::format("round {}: node {} combines twice in packet {}", message.tag, message.to, id);
    held |= contributions;
  }
  return "";
}

std::string Holdings::missing() const {
  for (std::size_t s = 0; s < plan_.schedule.stages.size(); ++s) {
    const Stage& stage = plan_.schedule.stages[s];
    const Packets packets(plan_.network, plan_.task, stage);
    for (PacketId p = 0; p < packets.size(); ++p) {
      for (Node node = 0; node < plan_.network.order(); ++node) {
        if (packets[p].to != schedule::to_all && packets[p].to != node) continue;
        if (packets[p].to == schedule::to_all && packets[p].origin == node) continue;
        const Contributions held = at(s, p, node);
        if (held == 0 || (stage.flow == Flow::reduce && held != everyone()))
          return fmt::format("node {} ends without packet {} of stage {}", node, p, s);
      }
    }
  }
  return "";
}

}  // namespace isotrope::exports
