// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/levels/level_copies.hpp"

#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

#include "isotrope/schedule/packets.hpp"

#include "isotrope/algorithm/levels/copy_writer.hpp"
#include "isotrope/algorithm/levels/level_components.hpp"

namespace isotrope::algorithm {
namespace {

using network::Network;
using network::Node;
using schedule::PacketId;

// One share of the blocks, round by round: the scatter, if any, and then programs and divisions backwards.
class CopiedLevels {
 public:
  CopiedLevels(const LevelPlan& plan, Node nodes)
      : plan_(plan), components_(plan, nodes), steps_(steps_of(plan)) {
    std::ranges::reverse(steps_);
    packets_.resize(components_.blocks());
  }

  /// Packet first_part + block belongs to a block, and the root has all of them.
  void broadcast(Node root, PacketId first_part, CopyWriter& writer) {
    holders_ = {root};
    for (std::size_t block = 0; block < packets_.size(); ++block) {
      packets_[block] = {static_cast<PacketId>(first_part + block)};
      writer.own(root, packets_[block].front());
    }
  }
  /// The packets of all nodes of its component belong to a block: that of node v is v * copies + copy.
  void allgather(PacketId copy, PacketId copies, CopyWriter& writer) {
    for (std::size_t block = 0; block < packets_.size(); ++block) {
      for (const Node node : components_.members(block)) {
        packets_[block].push_back(node * copies + copy);
        writer.own(node, packets_[block].back());
      }
    }
  }

  std::size_t rounds() const { return scatters() + steps_.size() + plan_.divisions.size(); }

  void write(std::size_t round, CopyWriter& writer) {
    if (round < scatters()) {
      scatter(round, writer);
    } else if (const std::size_t step = round - scatters(); step < steps_.size()) {
      spread(*steps_[step], writer);
    } else if (round < rounds()) {
      gather(rounds() - 1 - round, writer);
    }
  }

 private:
  std::size_t scatters() const { return holders_.empty() ? 0 : plan_.divisions.size(); }

  void copy(Node from, Node to, std::size_t block, CopyWriter& writer) const {
    for (const PacketId packet : packets_[block]) writer.copy(from, to, packet);
  }

  void scatter(std::size_t division, CopyWriter& writer) {
    const std::size_t before = holders_.size();
    for (const Permutation& partner : plan_.divisions[division]) {
      for (std::size_t i = 0; i < before; ++i) {
        const Node from = holders_[i], to = partner[from];
        holders_.push_back(to);
        for (std::size_t block = 0; block < packets_.size(); ++block) {
          if (components_.owns(division + 1, to, block)) copy(from, to, block, writer);
        }
      }
    }
  }

  void spread(const RegisterStep& step, CopyWriter& writer) const {
    for (const RegisterSend& send : step) {
      for (std::size_t block = 0; block < packets_.size(); ++block) {
        for (const Node node : components_.members(block)) copy(send.to[node], node, block, writer);
      }
    }
  }

  void gather(std::size_t division, CopyWriter& writer) const {
    components_.each_transfer(
        division, [&](Node outer, Node inner, std::size_t block) { copy(inner, outer, block, writer); });
  }

  const LevelPlan& plan_;
  LevelComponents components_;
  std::vector<const RegisterStep*> steps_;      // the last one first
  std::vector<std::vector<PacketId>> packets_;  // by block
  std::vector<Node> holders_;                   // one per component of the level that the scatter has come to
};

std::vector<CopiedLevels> copied_levels(std::span<const LevelPlan> copies, Node nodes) {
  std::vector<CopiedLevels> result;
  for (const LevelPlan& plan : copies) result.emplace_back(plan, nodes);
  return result;
}

void write_all(std::vector<CopiedLevels>& copies, CopyWriter& writer) {
  std::size_t rounds = 0;
  for (const CopiedLevels& copy : copies) rounds = std::max(rounds, copy.rounds());
  for (std::size_t round = 0; round < rounds; ++round) {
    for (CopiedLevels& copy : copies) copy.write(round, writer);
    writer.close_round();
  }
}

// Whose packets every node has, of one share of the blocks, round by round.
class CountedAllgather {
 public:
  CountedAllgather(const LevelPlan& plan, std::uint32_t share, Node nodes)
      : plan_(plan),
        share_(share),
        steps_(steps_of(plan)),
        words_((nodes + 63) / 64),
        had_(words_ * nodes, 0) {
    std::ranges::reverse(steps_);
    for (Node node = 0; node < nodes; ++node)
      had_[words_ * node + node / 64] |= std::uint64_t{1} << (node % 64);
    has_ = had_;
  }

  std::size_t rounds() const { return steps_.size() + plan_.divisions.size(); }

  void count(std::size_t round, OverlayTally& tally) {
    if (round >= rounds()) return;
    if (round < steps_.size()) {
      for (const RegisterSend& send : *steps_[round]) copy_back(send.to, tally);
    } else {
      for (const Permutation& partner : plan_.divisions[rounds() - 1 - round]) copy_back(partner, tally);
    }
    had_ = has_;
  }

 private:
  // From every node's partner what the partner had before the round and the node lacks.
  void copy_back(const Permutation& partner, OverlayTally& tally) {
    for (Node to = 0; to < partner.size(); ++to) {
      const std::uint64_t* from = &had_[words_ * partner[to]];
      std::uint64_t* here = &has_[words_ * to];
      std::uint64_t packets = 0;
      for (std::size_t i = 0; i < words_; ++i) {
        packets += static_cast<std::uint64_t>(std::popcount(from[i] & ~here[i]));
        here[i] |= from[i];
      }
      if (packets > 0) tally.add(share_, partner[to], to, packets);
    }
  }

  const LevelPlan& plan_;
  std::uint32_t share_;
  std::vector<const RegisterStep*> steps_;  // the last one first
  std::size_t words_;                       // of a set of nodes
  std::vector<std::uint64_t> had_, has_;    // by node, before the round and now
};

}  // namespace

OverlaidSchedule broadcast_by_levels(const Network& network, Node root, std::span<const LevelPlan> copies,
                                     schedule::PortModel ports) {
  const std::uint32_t blocks = block_count(copies.front());
  const std::uint32_t parts = blocks * static_cast<std::uint32_t>(copies.size());
  CopyWriter writer(network, parts);
  std::vector<CopiedLevels> running = copied_levels(copies, network.order());
  for (std::uint32_t i = 0; i < running.size(); ++i) running[i].broadcast(root, i * blocks, writer);
  write_all(running, writer);
  return writer.finish({}, ports, parts);
}

OverlaidSchedule allgather_by_levels(const Network& network, std::span<const LevelPlan> copies,
                                     schedule::PortModel ports) {
  const auto parts = static_cast<std::uint32_t>(copies.size());
  CopyWriter writer(network, network.order() * parts);
  std::vector<CopiedLevels> running = copied_levels(copies, network.order());
  for (std::uint32_t i = 0; i < parts; ++i) running[i].allgather(i, parts, writer);
  write_all(running, writer);
  return writer.finish(schedule::packets_to_all(network.order(), parts), ports, parts);
}

ExchangeCounts count_allgather_by_levels(const Network& network, std::span<const LevelPlan> copies) {
  const auto parts = static_cast<std::uint32_t>(copies.size());
  OverlayTally tally(network, parts);
  std::vector<CountedAllgather> running;
  std::size_t rounds = 0;
  for (std::uint32_t i = 0; i < parts; ++i) {
    running.emplace_back(copies[i], i, network.order());
    rounds = std::max(rounds, running.back().rounds());
  }
  for (std::size_t round = 0; round < rounds; ++round) {
    for (CountedAllgather& copy : running) copy.count(round, tally);
    tally.close_round_if_any();
  }
  return {std::move(tally).finish(), parts, 0};
}

}  // namespace isotrope::algorithm
