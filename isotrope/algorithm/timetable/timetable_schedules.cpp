// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/timetable/timetable_schedules.hpp"

#include <utility>
#include <vector>

#include "isotrope/schedule/isotropic_task.hpp"

namespace isotrope::algorithm {
namespace {

using network::Network;
using network::Node;
using schedule::Flow;
using schedule::PacketId;
using schedule::Replication;
using schedule::Rounds;
using schedule::Stage;

schedule::Schedule merged(schedule::PortModel ports, Flow flow, Replication replication, Rounds rounds) {
  schedule::Schedule result{ports, schedule::RoundKind::aggregated, {}};
  result.stages.push_back(Stage{flow, replication, {}, std::move(rounds)});
  return result;
}

// The node of a packet, and its address relative to that node.
struct Position {
  Node at;
  Node address;
};

// Every packet from `root` along its chain, part after part.
Rounds personal_packets(const Network& network, Node root, std::uint32_t parts, const Timetable& timetable) {
  const Node order = network.order();
  std::vector<Position> positions(std::size_t{order} * parts);
  for (std::size_t i = 0; i < positions.size(); ++i) positions[i] = {root, static_cast<Node>(i % order)};

  Rounds rounds;
  rounds.reserve(timetable.rounds(), network.distance_sum() * parts);
  network.visit([&](const auto& neighbour, const auto& group) {
    for (std::uint32_t t = 0; t < timetable.rounds(); ++t) {
      for (std::uint32_t part = 0; part < parts; ++part) {
        Position* const of_part = positions.data() + std::size_t{part} * order;
        for (Node to = 1; to < order; ++to) {
          auto& [at, address] = of_part[to];
          if (address == 0) continue;
          const auto [round, port] = timetable.at(part % timetable.tables(), address);
          if (round != t) continue;
          rounds.add({static_cast<PacketId>(to * parts + part), at, port});
          at = neighbour(at, port);
          address = group.subtract(address, network.generators()[port]);
        }
      }
      rounds.close_round();
    }
  });
  return rounds;
}

// The listed packets of origin 0 along their chains; no round is empty.
Rounds listed_packets(const Network& network, std::span<const schedule::Packet> packets,
                      const Timetable& timetable) {
  std::vector<Position> positions;
  positions.reserve(packets.size());
  for (const schedule::Packet& packet : packets) positions.push_back({0, packet.to});
  Rounds rounds;
  network.visit([&](const auto& neighbour, const auto& group) {
    for (std::uint32_t t = 0; t < timetable.rounds(); ++t) {
      const std::uint64_t before = rounds.hop_count();
      for (PacketId id = 0; id < packets.size(); ++id) {
        auto& [at, address] = positions[id];
        if (address == 0) continue;
        const auto [round, port] = timetable.at(packets[id].part % timetable.tables(), address);
        if (round != t) continue;
        rounds.add({id, at, port});
        at = neighbour(at, port);
        address = group.subtract(address, network.generators()[port]);
      }
      if (rounds.hop_count() > before) rounds.close_round();
    }
  });
  return rounds;
}

// An entry of a timetable, for one part.
struct TimetableEntry {
  std::uint32_t part;
  Node address;
};

// All entries, those of the last round first, and the end of each round.
struct EntriesBackwards {
  std::vector<TimetableEntry> entries;
  std::vector<std::size_t> ends;

  EntriesBackwards(std::uint32_t parts, const Timetable& timetable) {
    const auto place = [&](std::uint32_t part, Node address) {
      return timetable.rounds() - 1 - timetable.at(part % timetable.tables(), address).round;
    };
    ends.assign(std::size_t{timetable.rounds()} + 1, 0);
    for (std::uint32_t part = 0; part < parts; ++part) {
      for (Node address = 1; address < timetable.order(); ++address) ++ends[place(part, address) + 1];
    }
    for (std::size_t t = 1; t < ends.size(); ++t) ends[t] += ends[t - 1];
    entries.resize(ends.back());
    // Moves ends[t] from the beginning of round t to its end.
    for (std::uint32_t part = 0; part < parts; ++part) {
      for (Node address = 1; address < timetable.order(); ++address)
        entries[ends[place(part, address)]++] = {part, address};
    }
    ends.pop_back();
  }
};

// Every packet from `origin` to all nodes, along the chains backwards.
Rounds packets_to_all(const Network& network, Node origin, std::uint32_t parts, const Timetable& timetable) {
  const EntriesBackwards backwards(parts, timetable);
  Rounds rounds;
  rounds.reserve(timetable.rounds(), backwards.entries.size());
  network.visit([&](const auto&, const auto& group) {
    std::size_t i = 0;
    for (const std::size_t end : backwards.ends) {
      for (; i < end; ++i) {
        const auto [part, address] = backwards.entries[i];
        const network::Port port = timetable.at(part % timetable.tables(), address).port;
        const Node before = group.subtract(address, network.generators()[port]);
        rounds.add({part, group.add(origin, before), port});
      }
      rounds.close_round();
    }
  });
  return rounds;
}

}  // namespace

schedule::Schedule timetable_scatter(const Network& network, Node root, std::uint32_t parts,
                                     schedule::PortModel ports, const Timetable& timetable) {
  return merged(ports, Flow::move, Replication::none(), personal_packets(network, root, parts, timetable));
}

schedule::Schedule timetable_exchange(const Network& network, std::uint32_t parts, schedule::PortModel ports,
                                      const Timetable& timetable) {
  return merged(ports, Flow::move, Replication::all(), personal_packets(network, 0, parts, timetable));
}

schedule::Schedule timetable_exchange(const Network& network,
                                      std::span<const schedule::RelativeDestination> destinations,
                                      std::uint32_t parts, schedule::PortModel ports,
                                      const Timetable& timetable) {
  auto packets = schedule::isotropic_packets(network, destinations, parts, 0);
  schedule::Schedule result =
      merged(ports, Flow::move, Replication::all(), listed_packets(network, packets, timetable));
  result.stages.front().packets = std::move(packets);
  return result;
}

schedule::Schedule timetable_allgather(const Network& network, std::uint32_t parts, schedule::PortModel ports,
                                       const Timetable& timetable) {
  return merged(ports, Flow::copy, Replication::all(), packets_to_all(network, 0, parts, timetable));
}

schedule::Schedule timetable_broadcast(const Network& network, Node root, std::uint32_t parts,
                                       schedule::PortModel ports, const Timetable& timetable) {
  return merged(ports, Flow::copy, Replication::none(), packets_to_all(network, root, parts, timetable));
}

}  // namespace isotrope::algorithm
