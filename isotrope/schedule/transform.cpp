// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/schedule/transform.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"

#include "isotrope/schedule/ceil_div.hpp"
#include "isotrope/schedule/packets.hpp"

namespace isotrope::schedule {
namespace {

Collective reversed(Collective collective) {
  if (const auto reversal = traits_of(collective).reversal) return *reversal;
  throw Error(
      fmt::format("{} cannot be reversed whole: reverse its stages one by one", traits_of(collective).name));
}

Flow reversed(Flow flow) {
  switch (flow) {
    case Flow::copy:
      return Flow::reduce;
    case Flow::reduce:
      return Flow::copy;
    case Flow::move:
      return Flow::move;
    case Flow::exchange:
    case Flow::reduce_then_copy:
      break;
  }
  throw Error("an exchange and a stage that reduces and then copies cannot be reversed");
}

// A copied packet that some node receives twice has more hops than nodes to reach.
void require_tree(const Network& network, const Stage& stage, std::uint64_t packets) {
  if (stage.flow != Flow::copy) return;
  std::vector<Node> hops(packets, 0);
  for (const Hop& hop : stage.rounds.hops()) {
    if (++hops[hop.packet] >= network.order())
      throw Error(fmt::format("packet {} reaches a node twice: only a broadcast along a tree can be reversed",
                              hop.packet));
  }
}

// Reverses one stage. Where replicated under all translations, a moved packet that went from 0 to v comes,
// reversed, from v to 0; its representative of origin 0 goes to -v, so its hops are shifted by -v as well.
class StageReversal {
 public:
  StageReversal(const Network& network, const Task& task, const Stage& stage)
      : network_(network), task_(task), stage_(stage), packets_(network, task, stage) {
    require_tree(network, stage, packets_.size());
  }

  Stage run() const {
    Stage result{reversed(stage_.flow), stage_.replication, listed_packets(), {}};
    result.symmetry = stage_.symmetry;
    result.rounds.reserve(stage_.rounds.size(), stage_.rounds.hop_count());
    for (std::uint64_t t = stage_.rounds.size(); t-- > 0;) {
      for (const Hop& hop : stage_.rounds.round(t)) result.rounds.add(reversed_hop(hop));
      result.rounds.close_round();
    }
    return result;
  }

 private:
  bool rebased() const {
    return stage_.replication.kind == Replication::Kind::all && stage_.flow == Flow::move;
  }

  Hop reversed_hop(const Hop& hop) const {
    const Node receiver = network_.neighbour(hop.from, hop.port);
    const Port back = network_.opposite(hop.port);
    if (!rebased()) return {hop.packet, receiver, back};
    const Node destination = packets_[hop.packet].to;
    return {reversed_id(hop.packet, destination), network_.group().subtract(receiver, destination), back};
  }

  // Implied packets are numbered by destination, so theirs change; listed ones keep their row.
  PacketId reversed_id(PacketId packet, Node destination) const {
    if (!stage_.packets.empty()) return packet;
    return network_.group().negate(destination) * task_.parts + packet % task_.parts;
  }

  std::vector<Packet> listed_packets() const {
    std::vector<Packet> result;
    result.reserve(stage_.packets.size());
    std::map<std::pair<Node, std::uint64_t>, std::uint32_t>
        blocks;  // (new origin, old origin and block) -> new block
    std::map<Node, std::uint32_t> next_block;
    for (const Packet& packet : stage_.packets) {
      Packet mirrored = reversed_packet(packet);
      if (stage_.flow == Flow::move) {
        const std::uint64_t old_block = std::uint64_t{packet.origin} << 32 | packet.block;
        const auto [place, added] = blocks.try_emplace({packet.to, old_block}, next_block[packet.to]);
        if (added) ++next_block[packet.to];
        mirrored.block = place->second;
      }
      result.push_back(mirrored);
    }
    return result;
  }

  Packet reversed_packet(const Packet& packet) const {
    switch (stage_.flow) {
      case Flow::copy:
        if (packet.to != to_all)
          throw Error("a copied packet with one destination cannot be reversed: move it instead");
        return {packet.origin, packet.origin, packet.block, packet.part};
      case Flow::reduce:
        return {packet.to, to_all, packet.block, packet.part};
      case Flow::move:
      case Flow::exchange:
      case Flow::reduce_then_copy:
        break;
    }
    if (rebased()) return {0, network_.group().negate(packet.to), packet.block, packet.part};
    return {packet.to, packet.origin, packet.block, packet.part};
  }

  const Network& network_;
  const Task& task_;
  const Stage& stage_;
  Packets packets_;
};

// The packets for which one packet of a stage stands.
class PacketGroups {
 public:
  PacketGroups(const Stage& stage, std::uint32_t parts, std::uint32_t k)
      : stage_(stage), parts_(parts), k_(k), groups_(static_cast<std::uint32_t>(ceil_div(parts, k))) {
    PacketId first = 0;
    for (const Packet& packet : stage.packets) {
      first_.push_back(first);
      first += count(packet.part);
    }
  }

  /// Of a packet number: the first of its packets, and how many.
  std::pair<PacketId, std::uint32_t> packets_of(PacketId group) const {
    if (!first_.empty()) return {first_[group], count(stage_.packets[group].part)};
    return {group / groups_ * parts_ + group % groups_ * k_, count(group % groups_)};
  }

  std::vector<Packet> listed() const {
    std::vector<Packet> result;
    for (Packet packet : stage_.packets) {
      const std::uint32_t packets = count(packet.part);
      packet.part *= k_;
      for (std::uint32_t i = 0; i < packets; ++i, ++packet.part) result.push_back(packet);
    }
    return result;
  }

 private:
  std::uint32_t count(std::uint32_t group) const { return std::min(k_, parts_ - group * k_); }

  const Stage& stage_;
  std::uint32_t parts_, k_, groups_;
  std::vector<PacketId> first_;  // of listed packets
};

// An exchange in which every sum is k sums, of the parts that follow each other in its part: each part of a group goes
// the way of the group.
Stage grouped_exchange(const Stage& stage, std::uint32_t parts, std::uint32_t k) {
  const auto groups = static_cast<std::uint32_t>(ceil_div(parts, k));
  const auto members = [&](std::uint32_t group) { return std::min(k, parts - group * k); };
  Stage result{stage.flow, stage.replication, {}, {}};
  std::vector<PacketId> first;  // the sum of the first part, by the sum of the group
  for (const Sum& sum : stage.sums) {
    first.push_back(static_cast<PacketId>(result.sums.size()));
    for (std::uint32_t i = 0; i < members(sum.part); ++i)
      result.sums.push_back({sum.part * k + i, sum.values});
  }
  result.rounds.reserve(stage.rounds.size(), stage.rounds.hop_count() * k);
  for (std::uint64_t t = 0; t < stage.rounds.size(); ++t) {
    for (const auto [sum, from, port] : stage.rounds.round(t)) {
      for (std::uint32_t i = 0; i < members(stage.sums[sum].part); ++i)
        result.rounds.add({first[sum] + i, from, port});
    }
    result.rounds.close_round();
  }
  const std::size_t lists = stage.result.size() / groups;  // of a part
  for (std::uint32_t part = 0; part < parts; ++part) {
    const auto begin = stage.result.begin() + static_cast<std::ptrdiff_t>(part / k * lists);
    result.result.insert(result.result.end(), begin, begin + static_cast<std::ptrdiff_t>(lists));
  }
  return result;
}

Stage grouped(const Stage& stage, std::uint32_t parts, std::uint32_t k) {
  if (stage.flow == Flow::exchange) return grouped_exchange(stage, parts, k);
  const PacketGroups groups(stage, parts, k);
  Stage result{stage.flow, stage.replication, groups.listed(), {}};
  result.rounds.reserve(stage.rounds.size(), stage.rounds.hop_count() * k);
  for (std::uint64_t t = 0; t < stage.rounds.size(); ++t) {
    for (const auto [group, from, port] : stage.rounds.round(t)) {
      const auto [first, count] = groups.packets_of(group);
      for (PacketId packet = first; packet < first + count; ++packet) result.rounds.add({packet, from, port});
    }
    result.rounds.close_round();
  }
  return result;
}

}  // namespace

TaskSchedule reverse(const Network& network, const Task& task, const Schedule& schedule) {
  TaskSchedule result{task, {schedule.ports, schedule.round_kind, {}}};
  result.task.collective = reversed(task.collective);
  for (std::size_t i = schedule.stages.size(); i-- > 0;)
    result.schedule.stages.push_back(StageReversal(network, task, schedule.stages[i]).run());
  return result;
}

TaskSchedule translate(const Network& network, const Task& task, const Schedule& schedule, Node new_root) {
  if (!is_rooted(task.collective))
    throw Error(fmt::format("{} has no root to translate: it is the same from every node", to_string(task)));
  if (new_root >= network.order())
    throw Error(fmt::format("root {} is outside {}, whose nodes are 0..{}", new_root, network.name(),
                            network.order() - 1));
  TaskSchedule result{task, {schedule.ports, schedule.round_kind, {}}};
  result.task.root = new_root;
  network.visit([&](const auto&, const auto& group) {
    const Node shift = group.subtract(new_root, task.root);
    const auto moved = [&](Node node) { return node == to_all ? to_all : group.add(node, shift); };
    for (const Stage& stage : schedule.stages) {
      Stage& copy =
          result.schedule.stages.emplace_back(Stage{stage.flow, stage.replication, stage.packets, {}});
      for (Packet& packet : copy.packets) {
        packet.origin = moved(packet.origin);
        packet.to = moved(packet.to);
      }
      copy.rounds.reserve(stage.rounds.size(), stage.rounds.hop_count());
      for (std::uint64_t t = 0; t < stage.rounds.size(); ++t) {
        for (const Hop& hop : stage.rounds.round(t))
          copy.rounds.add({hop.packet, group.add(hop.from, shift), hop.port});
        copy.rounds.close_round();
      }
    }
  });
  return result;
}

Schedule concatenate(Schedule first, Schedule second) {
  if (first.ports != second.ports || first.round_kind != second.round_kind) {
    throw Error(
        fmt::format("schedules under {} and {} cannot follow each other: give both the same port model and "
                    "the same kind of rounds",
                    to_string(first.ports), to_string(second.ports)));
  }
  for (Stage& stage : second.stages) first.stages.push_back(std::move(stage));
  return first;
}

Schedule group_packets(const Schedule& schedule, std::uint32_t parts, std::uint64_t k) {
  const auto most = static_cast<std::uint32_t>(std::min<std::uint64_t>(k, parts));
  Schedule result{schedule.ports, RoundKind::aggregated, {}, schedule.waiting, schedule.barriers, {}};
  for (const Stage& stage : schedule.stages) result.stages.push_back(grouped(stage, parts, most));
  return result;
}

Schedule part_after_part(const Schedule& schedule, std::uint32_t parts) {
  if (parts == 1) return schedule;
  Schedule result{schedule.ports, schedule.round_kind, {}, schedule.waiting, {}, schedule.step_limits};
  const std::uint64_t length = schedule.round_count();
  for (std::uint32_t part = 0; part < parts; ++part) {
    if (part > 0) result.barriers.push_back(part * length);
    for (const std::uint64_t barrier : schedule.barriers) result.barriers.push_back(part * length + barrier);
  }
  for (const Stage& stage : schedule.stages) {
    Stage& whole = result.stages.emplace_back(Stage{stage.flow, stage.replication, {}, {}});
    for (const Packet& packet : stage.packets) {
      for (std::uint32_t part = 0; part < parts; ++part)
        whole.packets.push_back({packet.origin, packet.to, packet.block, part});
    }
    whole.rounds.reserve(stage.rounds.size() * parts, stage.rounds.hop_count() * parts);
    for (std::uint32_t part = 0; part < parts; ++part) {
      for (std::uint64_t t = 0; t < stage.rounds.size(); ++t) {
        for (const Hop& hop : stage.rounds.round(t))
          whole.rounds.add({hop.packet * parts + part, hop.from, hop.port});
        whole.rounds.close_round();
      }
    }
  }
  return result;
}

void append(std::span<const std::vector<Hop>> lists, Rounds& rounds) {
  for (const std::vector<Hop>& hops : lists) {
    for (const Hop& hop : hops) rounds.add(hop);
    rounds.close_round();
  }
}

}  // namespace isotrope::schedule
