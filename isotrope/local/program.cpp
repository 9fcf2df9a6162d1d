// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/local/program.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <tuple>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"

#include "isotrope/schedule/packets.hpp"

#include "isotrope/local/layout.hpp"
#include "isotrope/local/saturating.hpp"
#include "isotrope/local/shares.hpp"

namespace isotrope::local {
namespace {

using schedule::Collective;
using schedule::Flow;
using schedule::Hop;
using schedule::Packet;
using schedule::PacketId;
using schedule::Packets;
using schedule::Plan;
using schedule::Replication;
using schedule::Stage;

constexpr std::uint64_t cache_line = 64;

void require_elements(std::uint64_t block_bytes, Type type) {
  if (block_bytes == 0) throw Error("blocks of 0 bytes: give blocks of 1 byte or more");
  if (block_bytes % element_bytes(type) == 0) return;
  throw Error(
      fmt::format("blocks of {} bytes are no whole number of elements of type {}: give a multiple of {}",
                  block_bytes, name_of(type), element_bytes(type)));
}

void require_runnable(const Plan& plan) {
  const Node order = plan.network.order();
  const std::uint64_t most_parts = UINT32_MAX / order;
  if (plan.task.parts == 0 || plan.task.parts > most_parts || plan.task.root >= order) {
    throw Error(fmt::format("a task of {} parts with root {} on {}: give 1 to {} parts and a root of 0..{}",
                            plan.task.parts, plan.task.root, plan.network.name(), most_parts, order - 1));
  }
  for (const Stage& stage : plan.schedule.stages) {
    if (!plan.failed.empty() && stage.replication != Replication::none()) {
      throw Error(
          "a replicated plan on a network with failures: plan again for the damaged network, "
          "with replication none");
    }
  }
}

// The replication common to all stages; none where they differ, which every stage can be written out as.
Replication common_replication(const Plan& plan) {
  const auto& stages = plan.schedule.stages;
  const bool same = std::ranges::all_of(
      stages, [&](const Stage& stage) { return stage.replication == stages.front().replication; });
  return same && !stages.empty() ? stages.front().replication : Replication::none();
}

// What failed, and who is left.
class Damage {
 public:
  explicit Damage(const Plan& plan) : alive_(plan.network.order(), true) {
    for (const Node node : plan.failed.nodes) {
      if (node < alive_.size()) alive_[node] = false;
    }
    for (const auto [node, port] : plan.failed.links) {
      if (node >= alive_.size() || port >= plan.network.degree()) continue;
      links_.emplace(node, port);
      links_.emplace(plan.network.neighbour(node, port), plan.network.opposite(port));
    }
  }

  bool alive(Node node) const { return alive_[node]; }
  bool alive(Node node, Port port) const { return links_.empty() || !links_.contains({node, port}); }
  std::vector<Node> survivors() const {
    std::vector<Node> result;
    for (Node node = 0; node < alive_.size(); ++node) {
      if (alive_[node]) result.push_back(node);
    }
    return result;
  }

 private:
  std::vector<bool> alive_;
  std::set<std::pair<Node, Port>> links_;
};

// Follows the plan round by round, and gives every piece a place wherever it comes.
class Compiler {
 public:
  Compiler(const Plan& plan, std::uint64_t block_bytes, Reduction reduction)
      : plan_(plan),
        network_(plan.network),
        element_bytes_(element_bytes(reduction.type)),
        elements_(block_bytes / element_bytes_),
        damage_(plan),
        program_{
            Cosets(network_.group(), common_replication(plan)), damage_.survivors(), {}, {}, {}, {}, {}, {}},
        slot_bytes_((elements_ / plan.task.parts + (elements_ % plan.task.parts != 0)) * element_bytes_),
        layouts_(program_.cosets.count()) {
    program_.reduction = reduction;
    program_.combine = combine_function(reduction);
    program_.largest_piece = slot_bytes_;
  }

  Program run() {
    for (const Stage& stage : plan_.schedule.stages) {
      begin_stage(stage);
      for (std::uint64_t t = 0; t < stage.rounds.size(); ++t) run_round(stage, t);
      end_stage(stage);
    }
    for (const Layout& layout : layouts_) {
      const std::uint64_t lines = layout.end() / cache_line + 1;
      program_.arena_bytes.push_back(saturating_multiply(lines, cache_line));
    }
    return std::move(program_);
  }

 private:
  struct Held {
    std::uint64_t place;
    bool is_slot;
  };
  struct Transfer {
    std::uint64_t piece;
    Node receiver;
    Port port;
    std::uint64_t source;
  };
  using Owned = std::tuple<Node, std::uint32_t, std::uint64_t>;  // class of the owner, block, offset

  std::uint64_t key(std::uint64_t piece, Node node) const { return piece * network_.order() + node; }
  Layout& layout(Node node) { return layouts_[program_.cosets.class_of(node)]; }
  const Piece& piece(std::uint64_t index) const { return program_.pieces[stage_begin_ + index]; }
  Owned owned(const Piece& piece) const {
    return {program_.cosets.class_of(piece.owner), piece.block, piece.offset};
  }
  bool is_chained() const {
    return plan_.task.collective == Collective::allreduce || plan_.task.collective == Collective::barrier;
  }

  // Of allreduce and barrier, what is not combined is what was combined before.
  bool takes_results(const Stage& stage) const {
    return is_chained() && stage_begin_ != 0 && stage.flow != Flow::combine;
  }

  void begin_stage(const Stage& stage);
  void add_pieces(const Stage& stage);
  void require_in_range(const Stage& stage, PacketId id, const Packet& packet) const;
  Packet translated(Packet packet, Node shift) const;
  void add_piece(const Stage& stage, PacketId id, const Packet& packet);
  void place_sources(const Stage& stage);
  void place_targets();
  void run_round(const Stage& stage, std::uint64_t t);
  void depart(const Stage& stage, const Hop& hop);
  Copy arrive(const Stage& stage, const Transfer& transfer);
  std::uint64_t place_of_arrival(std::uint64_t key, Node receiver);
  void release(Node node, std::uint64_t slot) { released_.emplace_back(&layout(node), slot); }
  void end_stage(const Stage& stage);
  bool is_last(const Stage& stage) const { return &stage == &plan_.schedule.stages.back(); }

  template <class NodesOf>
  std::vector<Holding> holdings(NodesOf nodes_of) const;
  std::vector<Holding> destinations() const;

  const Plan& plan_;
  const schedule::Network& network_;
  std::uint64_t element_bytes_;
  std::uint64_t elements_;  // of a block
  Damage damage_;
  Program program_;
  std::uint64_t slot_bytes_;
  std::vector<Layout> layouts_;             // by class
  std::map<Owned, std::uint64_t> results_;  // places of what earlier stages combined

  // Of the stage under way; pieces are numbered from its first one.
  std::uint64_t stage_begin_ = 0;
  std::uint64_t listed_ = 0;   // packets of the stage as listed
  std::vector<Node> shifts_;   // translates to write out, where the stage's replication is not the program's
  std::vector<Node> targets_;  // destination by piece, or to_all
  std::unordered_map<std::uint64_t, Held> held_;
  std::unordered_map<std::uint64_t, std::uint64_t> receive_;  // places of destinations
  std::vector<Transfer> transfers_;                           // of the round under way
  std::vector<std::pair<Layout*, std::uint64_t>> released_;   // slots free from the next round on
};

void Compiler::begin_stage(const Stage& stage) {
  stage_begin_ = program_.pieces.size();
  targets_.clear();
  held_.clear();
  receive_.clear();
  add_pieces(stage);
  place_sources(stage);
  place_targets();
}

void Compiler::add_pieces(const Stage& stage) {
  const Packets packets(network_, plan_.task, stage);
  listed_ = packets.size();
  if (listed_ == 0 && stage.rounds.hop_count() != 0) {
    throw Error(fmt::format("a stage of {} has hops but lists no packets: list them in the plan",
                            schedule::to_string(plan_.task)));
  }
  shifts_ = {0};
  if (stage.replication != common_replication(plan_)) {
    const Cosets cosets(network_.group(), stage.replication);
    shifts_.assign(cosets.translations().begin(), cosets.translations().end());
  }
  for (const Node shift : shifts_) {
    for (PacketId id = 0; id < listed_; ++id) {
      require_in_range(stage, id, packets[id]);
      add_piece(stage, id, translated(packets[id], shift));
    }
  }
}

void Compiler::require_in_range(const Stage& stage, PacketId id, const Packet& packet) const {
  const Node order = network_.order();
  const bool has_target = packet.to < order || (packet.to == schedule::to_all && stage.flow != Flow::combine);
  if (packet.origin < order && has_target && packet.part < plan_.task.parts) return;
  throw Error(fmt::format("packet {} is part {} from node {} to {}: give parts 0..{} and nodes 0..{}", id,
                          packet.part, packet.origin, packet.to, plan_.task.parts - 1, order - 1));
}

Packet Compiler::translated(Packet packet, Node shift) const {
  packet.origin = network_.group().add(packet.origin, shift);
  if (packet.to != schedule::to_all) packet.to = network_.group().add(packet.to, shift);
  return packet;
}

void Compiler::add_piece(const Stage& stage, PacketId id, const Packet& packet) {
  const bool combines = stage.flow == Flow::combine;
  const auto place = [&](std::uint64_t part) {
    return share_begin(part, elements_, plan_.task.parts) * element_bytes_;
  };
  const std::uint64_t begin = place(packet.part);
  const std::uint64_t end = place(std::uint64_t{packet.part} + 1);
  program_.pieces.push_back({.packet = id,
                             .owner = combines ? packet.to : packet.origin,
                             .block = packet.block,
                             .combined = combines || takes_results(stage),
                             .offset = begin,
                             .bytes = end - begin});
  targets_.push_back(packet.to);
}

// Every piece of the stage at every node that nodes_of(piece index) gives, piece by piece; no places yet. A
// failed owner's pieces are nowhere.
template <class NodesOf>
std::vector<Holding> Compiler::holdings(NodesOf nodes_of) const {
  std::vector<Holding> result;
  for (std::uint64_t index = 0; index < targets_.size(); ++index) {
    if (!damage_.alive(piece(index).owner)) continue;
    for (const Node node : nodes_of(index)) {
      if (damage_.alive(node)) result.push_back({index, node, nowhere});
    }
  }
  return result;
}

std::vector<Holding> Compiler::destinations() const {
  return holdings([this](std::uint64_t index) {
    return targets_[index] == schedule::to_all ? std::span(program_.survivors)
                                               : std::span(&targets_[index], 1);
  });
}

// Node by node, so that the parts of a block lie side by side.
void lay_out(std::vector<Holding>& holdings) {
  std::ranges::stable_sort(holdings, {}, &Holding::node);
}

void Compiler::place_sources(const Stage& stage) {
  std::vector<Holding> sources = holdings([&](std::uint64_t index) {
    return stage.flow == Flow::combine ? std::span<const Node>(program_.survivors)
                                       : std::span<const Node>(&piece(index).owner, 1);
  });
  lay_out(sources);
  for (const auto& [index, node, unplaced] : sources) {
    if (takes_results(stage)) {
      const auto result = results_.find(owned(piece(index)));
      if (result != results_.end()) held_.insert({key(index, node), {result->second, false}});
    } else {
      const std::uint64_t place = layout(node).append(piece(index).bytes);
      held_.insert({key(index, node), {place, false}});
      program_.sources.push_back({stage_begin_ + index, node, place});
    }
  }
}

void Compiler::place_targets() {
  std::vector<Holding> targets = destinations();
  lay_out(targets);
  for (const auto& [index, node, unplaced] : targets) {
    const std::uint64_t name = key(index, node);
    if (!held_.contains(name)) receive_[name] = layout(node).append(piece(index).bytes);
  }
}

// All sends come before all receipts, so that a node sends only what it held at the start of the round.
void Compiler::run_round(const Stage& stage, std::uint64_t t) {
  transfers_.clear();
  for (const Hop& hop : stage.rounds.round(t)) depart(stage, hop);
  if (stage.flow == Flow::combine) {
    std::ranges::stable_sort(transfers_, {},
                             [&](const Transfer& transfer) { return network_.opposite(transfer.port); });
  }
  const auto round_begin = static_cast<std::ptrdiff_t>(program_.copies.size());
  for (const Transfer& transfer : transfers_) program_.copies.push_back(arrive(stage, transfer));
  std::ranges::stable_sort(program_.copies.begin() + round_begin, program_.copies.end(), {},
                           &Copy::receivers);
  program_.round_ends.push_back(program_.copies.size());
  for (const auto& [layout, slot] : released_) layout->free_slot(slot);
  released_.clear();
}

void Compiler::depart(const Stage& stage, const Hop& hop) {
  if (hop.packet >= listed_ || hop.from >= network_.order() || hop.port >= network_.degree()) return;
  for (std::size_t i = 0; i < shifts_.size(); ++i) {
    const std::uint64_t index = i * listed_ + hop.packet;
    const Node sender = network_.group().add(hop.from, shifts_[i]);
    const Node receiver = network_.neighbour(sender, hop.port);
    const auto held = held_.find(key(index, sender));
    if (held == held_.end() || !damage_.alive(receiver) || !damage_.alive(sender, hop.port)) continue;
    transfers_.push_back({index, receiver, hop.port, held->second.place});
    if (stage.flow == Flow::copy) continue;
    if (held->second.is_slot) release(sender, held->second.place);
    held_.erase(held);
  }
}

Copy Compiler::arrive(const Stage& stage, const Transfer& transfer) {
  Copy copy{.source = transfer.source,
            .target = nowhere,
            .bytes = piece(transfer.piece).bytes,
            .receivers = program_.cosets.class_of(transfer.receiver),
            .back = network_.opposite(transfer.port),
            .adds = false};
  program_.bytes_moved += copy.bytes * program_.cosets.size();
  const std::uint64_t name = key(transfer.piece, transfer.receiver);
  const auto held = held_.find(name);
  if (held == held_.end()) {
    copy.target = place_of_arrival(name, transfer.receiver);
  } else if (stage.flow == Flow::combine) {
    copy.target = held->second.place;
    copy.adds = true;
  } else {  // it has the piece already: what others may be reading is left alone
    copy.target = layout(transfer.receiver).take_slot(slot_bytes_);
    release(transfer.receiver, copy.target);
  }
  return copy;
}

std::uint64_t Compiler::place_of_arrival(std::uint64_t key, Node receiver) {
  const auto destined = receive_.find(key);
  const bool is_slot = destined == receive_.end();
  const std::uint64_t place = is_slot ? layout(receiver).take_slot(slot_bytes_) : destined->second;
  held_.insert({key, {place, is_slot}});
  return place;
}

void Compiler::end_stage(const Stage& stage) {
  for (Holding sink : destinations()) {
    const auto held = held_.find(key(sink.piece, sink.node));
    if (held != held_.end()) sink.place = held->second.place;
    if (!is_chained() || is_last(stage)) {
      program_.sinks.push_back({stage_begin_ + sink.piece, sink.node, sink.place});
    } else if (stage.flow == Flow::combine && sink.place != nowhere) {
      results_[owned(piece(sink.piece))] = sink.place;
    }
  }
}

}  // namespace

std::uint64_t Program::memory_bytes() const {
  std::uint64_t total = 0;
  for (const std::uint64_t bytes : arena_bytes) {
    total = saturating_add(total, saturating_multiply(bytes, cosets.size()));
  }
  return total;
}

std::span<const Copy> Program::round(std::uint64_t t) const {
  const std::uint64_t begin = t == 0 ? 0 : round_ends[t - 1];
  return std::span(copies).subspan(begin, round_ends[t] - begin);
}

Program compile(const schedule::Plan& plan, std::uint64_t block_bytes, Reduction reduction) {
  require_elements(block_bytes, reduction.type);
  require_runnable(plan);
  return Compiler(plan, block_bytes, reduction).run();
}

}  // namespace isotrope::local
