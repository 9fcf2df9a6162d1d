// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/rank/moves.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"

#include "isotrope/network/surviving_network.hpp"

#include "isotrope/schedule/complete_packets.hpp"
#include "isotrope/schedule/node_classes.hpp"
#include "isotrope/schedule/packets.hpp"

#include "isotrope/rank/buffers.hpp"
#include "isotrope/rank/contents.hpp"
#include "isotrope/rank/exchange_moves.hpp"
#include "isotrope/rank/program.hpp"
#include "isotrope/rank/vector_slices.hpp"

namespace isotrope::rank {

using schedule::Collective;
using schedule::Flow;
using schedule::Hop;
using schedule::Packet;
using schedule::PacketId;
using schedule::Packets;
using schedule::Plan;
using schedule::Replication;
using schedule::Stage;

namespace {

// Whether every node contributes to the packets.
bool combines(const Stage& stage) {
  return stage.flow == Flow::reduce || stage.flow == Flow::reduce_then_copy;
}

void require_compilable(const Plan& plan) {
  const Node order = plan.network.order();
  const std::uint64_t most_parts = UINT32_MAX / order;
  if (plan.task.parts == 0 || plan.task.parts > most_parts || plan.task.root >= order)
    throw Error(fmt::format("a task of {} parts with root {} on {}: give 1 to {} parts and a root of 0..{}",
                            plan.task.parts, plan.task.root, plan.network.name(), most_parts, order - 1));
  require_stages(plan);
  for (const Stage& stage : plan.schedule.stages) {
    if (!hop_failures(plan).empty() && stage.replication != Replication::none())
      throw Error(
          "a replicated plan on a network with failures: plan again for the damaged network, "
          "with replication none");
    if (combines(stage) && block_meanings(plan.task.collective).input == BlockMeaning::listed)
      throw Error(fmt::format("a stage of {} that reduces: give copy or move as its flow",
                              schedule::to_string(plan.task)));
  }
}

std::vector<Node> all_nodes(Node order) {
  std::vector<Node> nodes(order);
  std::iota(nodes.begin(), nodes.end(), Node{0});
  return nodes;
}

// The state that all stages share.
class Compilation {
 public:
  Compilation(const Plan& plan, NodeForm form)
      : plan_(plan),
        by_class_(form == NodeForm::by_class),
        result_{.replication = by_class_ ? common_replication(plan) : Replication::none()},
        classes_(hop_network(plan).group(), result_.replication),
        slots_(classes_.count()) {
    result_.buffers.resize(classes_.count());
    const network::Failures failed = hop_failures(plan);
    if (failed.empty()) {
      result_.up = all_nodes(plan.network.order());
    } else {
      surviving_.emplace(hop_network(plan), failed);
      result_.up = surviving_->nodes();
    }
  }

  MovePlan run(const RoundListener& listener);

  const Plan& plan() const { return plan_; }
  const schedule::Network& network() const { return hop_network(plan_); }
  bool by_class() const { return by_class_; }
  MovePlan& result() { return result_; }
  bool is_up(Node node) const { return !surviving_ || surviving_->alive(node); }
  bool is_up(Node node, Port port) const { return !surviving_ || surviving_->carries(node, port); }
  ClassBuffers& buffers(Node node) { return result_.buffers[classes_.of(node)]; }
  Slots& slots(Node node) { return slots_[classes_.of(node)]; }
  Node class_of(Node node) const { return classes_.of(node); }
  void release_slots() {
    for (Slots& slots : slots_) slots.release();
  }

  bool is_chained() const {
    return plan_.task.collective == Collective::allreduce || plan_.task.collective == Collective::barrier;
  }
  /// Of allreduce and barrier, a later stage that does not reduce spreads what was reduced before.
  bool takes_results(const Stage& stage) const {
    return is_chained() && &stage != &plan_.schedule.stages.front() && stage.flow != Flow::reduce;
  }
  bool is_last(const Stage& stage) const { return &stage == &plan_.schedule.stages.back(); }

  /// The result of an earlier stage, by its owner, block and part.
  void keep_result(const Packet& packet, Place place) { results_[key(packet.to, packet)] = place; }
  std::optional<Place> result_of(const Packet& packet) const {
    const auto found = results_.find(key(packet.origin, packet));
    return found == results_.end() ? std::nullopt : std::optional(found->second);
  }

 private:
  using Key = std::tuple<Node, std::uint32_t, std::uint32_t>;
  Key key(Node owner, const Packet& packet) const { return {classes_.of(owner), packet.block, packet.part}; }

  const Plan& plan_;
  bool by_class_;
  MovePlan result_;
  schedule::NodeClasses classes_;
  std::vector<Slots> slots_;  // by class
  std::optional<network::SurvivingNetwork> surviving_;
  std::map<Key, Place> results_;
};

class StageMoves {
 public:
  StageMoves(Compilation& common, const Stage& stage);
  virtual ~StageMoves() = default;

  void run(const RoundListener& listener);

 protected:
  /// Whether the node holds the packet.
  virtual bool holds(std::uint64_t packet, Node node) const = 0;
  /// The place of a packet that is held.
  virtual Place at(std::uint64_t packet, Node node) const = 0;
  /// The place that the packet leaves. @pre held.
  virtual Place depart(std::uint64_t packet, Node node) = 0;
  /// Sets place and arrival of a move whose packet has departed.
  virtual void arrive(std::uint64_t packet, PacketMove& move) = 0;
  virtual void close_round() {}

  Compilation& common() const { return common_; }
  const Stage& stage() const { return stage_; }
  /// The packet as its stage lists it.
  PacketId listed(std::uint64_t packet) const { return static_cast<PacketId>(packet % listed_); }
  const MovedPacket& moved(std::uint64_t packet) const { return common_.result().packets[first_ + packet]; }
  std::uint64_t packet_count() const { return common_.result().packets.size() - first_; }
  std::uint64_t key(std::uint64_t packet, Node node) const {
    return packet * common_.network().order() + node;
  }
  Place input(std::uint64_t packet, Node node) const {
    const Packet& p = moved(packet).packet;
    const Node other = stage_.flow == Flow::reduce_then_copy ? p.origin : p.to;
    return {Buffer::input, numbers_.input(packet, p.part, number(other, node, true))};
  }
  Place output(std::uint64_t packet, Node node) const {
    const Packet& p = moved(packet).packet;
    return {Buffer::output, numbers_.output(packet, p.part, number(p.origin, node, false))};
  }
  /// The place at the packet's origin; nothing if it does not begin there.
  std::optional<Place> begin(std::uint64_t packet) const {
    if (!common_.is_up(moved(packet).owner)) return std::nullopt;
    if (takes_results_) return common_.result_of(moved(packet).packet);
    return input(packet, moved(packet).packet.origin);
  }

 private:
  struct Departed {
    std::uint64_t packet;
    PacketMove move;
  };

  // The number of the block for, or from, node `other` at `node`.
  Node number(Node other, Node node, bool is_input) const {
    if (other == schedule::to_all) return 0;
    if (!common_.by_class()) return other;
    const network::Group& group = common_.network().group();
    return is_input ? group.subtract(other, node) : group.subtract(node, other);
  }

  void add_packets(const Packets& packets);
  void require_in_range(PacketId id, const Packet& packet) const;
  Packet translated(Packet packet, Node shift) const;
  void number_units();
  void number_slices();
  void lay_out();
  void reserve(Node node, std::uint32_t ClassBuffers::*blocks, std::uint32_t count);
  template <class OnPlace>
  void for_each_destination(const OnPlace& on_place) const;
  template <class OnPlace>
  void for_each_origin(const OnPlace& on_place) const;
  void add_sources();
  void add_sinks();
  void depart_all(const Hop& hop);
  void run_round(std::uint64_t t, const RoundListener& listener);

  Compilation& common_;
  const Stage& stage_;
  bool takes_results_;
  std::uint64_t first_;       // of MovePlan::packets
  std::uint64_t listed_ = 0;  // packets of the stage as listed
  std::vector<Node> shifts_;  // translates to write out
  UnitNumbers numbers_;
  std::vector<Departed> departed_;  // of the round under way
  std::vector<PacketMove> moves_;   // so
};

StageMoves::StageMoves(Compilation& common, const Stage& stage)
    : common_(common),
      stage_(stage),
      takes_results_(common.takes_results(stage)),
      first_(common.result().packets.size()),
      shifts_({0}) {
  const network::Network& network = common.network();
  const Packets packets(network, common.plan().task, stage);
  listed_ = packets.size();
  if (listed_ == 0 && stage.rounds.hop_count() != 0)
    throw Error(fmt::format("a stage of {} has hops but lists no packets: list them in the plan",
                            schedule::to_string(common.plan().task)));
  if (stage.replication != common.result().replication) {
    const schedule::NodeClasses translations(network.group(), stage.replication);
    shifts_ = all_nodes(network.order());
    std::erase_if(shifts_, [&](Node node) { return translations.of(node) != 0; });
  }
  add_packets(packets);
  number_units();
  lay_out();
}

void StageMoves::add_packets(const Packets& packets) {
  common_.result().packets.reserve(first_ + shifts_.size() * listed_);
  for (const Node shift : shifts_) {
    for (PacketId id = 0; id < listed_; ++id) {
      require_in_range(id, packets[id]);
      const Packet packet = translated(packets[id], shift);
      common_.result().packets.push_back({.id = id,
                                          .packet = packet,
                                          .owner = stage_.flow == Flow::reduce ? packet.to : packet.origin,
                                          .reduced = combines(stage_) || takes_results_});
    }
  }
}

void StageMoves::require_in_range(PacketId id, const Packet& packet) const {
  const Node order = common_.network().order();
  const std::uint32_t parts = common_.plan().task.parts;
  const bool has_target = packet.to < order || (packet.to == schedule::to_all && stage_.flow != Flow::reduce);
  if (packet.origin < order && has_target && packet.part < parts) return;
  throw Error(fmt::format("packet {} is part {} from node {} to {}: give parts 0..{} and nodes 0..{}", id,
                          packet.part, packet.origin, packet.to, parts - 1, order - 1));
}

Packet StageMoves::translated(Packet packet, Node shift) const {
  const network::Group& group = common_.network().group();
  packet.origin = group.add(packet.origin, shift);
  if (packet.to != schedule::to_all) packet.to = group.add(packet.to, shift);
  return packet;
}

// ---- buffers

void StageMoves::number_units() {
  const Plan& plan = common_.plan();
  numbers_ = UnitNumbers(plan);
  const BlockMeaning meaning = block_meanings(plan.task.collective).input;
  if (meaning == BlockMeaning::slice) return number_slices();
  if (meaning != BlockMeaning::listed) return;
  BlockList inputs, outputs;
  for (std::uint64_t p = 0; p < packet_count(); ++p) {
    const auto [origin, to, block, part] = moved(p).packet;
    const auto id = static_cast<PacketId>(p);
    inputs.add(common_.class_of(origin), {number(to, origin, true), block}, id);
    if (to != schedule::to_all) outputs.add(common_.class_of(to), {number(origin, to, false), block}, id);
  }
  std::vector<std::uint32_t> input_of(packet_count()), output_of(packet_count());
  inputs.number(input_of);
  outputs.number(output_of);
  numbers_ = UnitNumbers(plan.task.parts, std::move(input_of), std::move(output_of));
}

// A stage that is not valid may list other packets than the first one.
void StageMoves::number_slices() {
  const VectorSlices slices(common_.plan());
  if (slices.by_node()) return;
  std::vector<std::uint32_t> slice_of;
  for (std::uint64_t p = 0; p < packet_count(); ++p) slice_of.push_back(slices.of(moved(p).packet));
  numbers_ = UnitNumbers(common_.plan().task.parts, slice_of, slice_of);
}

void StageMoves::reserve(Node node, std::uint32_t ClassBuffers::*blocks, std::uint32_t count) {
  std::uint32_t& reserved = common_.buffers(node).*blocks;
  reserved = std::max(reserved, count);
}

// Room for what begins and ends at the nodes of a class, whichever nodes those are.
void StageMoves::lay_out() {
  const Node order = common_.network().order();
  const std::uint32_t parts = common_.plan().task.parts;
  const auto blocks = [&](bool by_node, Place place) { return by_node ? order : place.index / parts + 1; };
  for_each_origin([&](std::uint64_t p, Node node) {
    if (!takes_results_)
      reserve(node, &ClassBuffers::input_blocks, blocks(numbers_.input_by_node(), input(p, node)));
  });
  if (combines(stage_)) return;
  std::uint32_t most = 0;
  for_each_destination([&](std::uint64_t p, Node node) {
    const std::uint32_t count = blocks(numbers_.output_by_node(), output(p, node));
    reserve(node, &ClassBuffers::output_blocks, count);
    most = std::max(most, count);
    if (node != moved(p).packet.origin) return;
    const std::uint32_t own = numbers_.output_by_node() ? 1 : count;
    reserve(node, &ClassBuffers::own_blocks, own);
  });
  if (stage_.flow != Flow::copy) return;
  for (ClassBuffers& buffers : common_.result().buffers)
    buffers.output_blocks = std::max(buffers.output_blocks, most);
}

// ---- beginnings and ends

template <class OnPlace>
void StageMoves::for_each_origin(const OnPlace& on_place) const {
  for (std::uint64_t p = 0; p < packet_count(); ++p) {
    if (!common_.is_up(moved(p).owner)) continue;
    if (combines(stage_)) {
      for (const Node node : common_.result().up) on_place(p, node);
    } else {
      on_place(p, moved(p).packet.origin);
    }
  }
}

template <class OnPlace>
void StageMoves::for_each_destination(const OnPlace& on_place) const {
  for (std::uint64_t p = 0; p < packet_count(); ++p) {
    const Node to = moved(p).packet.to;
    if (!common_.is_up(moved(p).owner)) continue;
    if (to == schedule::to_all) {
      for (const Node node : common_.result().up) on_place(p, node);
    } else if (common_.is_up(to)) {
      on_place(p, to);
    }
  }
}

void StageMoves::add_sources() {
  if (takes_results_) return;
  for_each_origin([&](std::uint64_t p, Node node) {
    common_.result().sources.push_back({first_ + p, node, input(p, node)});
  });
}

void StageMoves::add_sinks() {
  const bool ends = !common_.is_chained() || common_.is_last(stage_);
  for_each_destination([&](std::uint64_t p, Node node) {
    const auto place = holds(p, node) ? std::optional(at(p, node)) : std::nullopt;
    if (ends) {
      common_.result().sinks.push_back({first_ + p, node, place});
    } else if (stage_.flow == Flow::reduce && place) {
      common_.keep_result(moved(p).packet, *place);
    }
  });
}

// ---- rounds

void StageMoves::run(const RoundListener& listener) {
  add_sources();
  for (std::uint64_t t = 0; t < stage_.rounds.size(); ++t) run_round(t, listener);
  add_sinks();
}

// All departures first: a hop moves what its sender held when the round began.
void StageMoves::run_round(std::uint64_t t, const RoundListener& listener) {
  departed_.clear();
  for (const Hop& hop : stage_.rounds.round(t)) depart_all(hop);
  if (combines(stage_)) {
    std::ranges::stable_sort(departed_, {}, [&](const Departed& departed) {
      return common_.network().opposite(departed.move.port);
    });
  }
  moves_.clear();
  for (Departed& departed : departed_) {
    arrive(departed.packet, departed.move);
    moves_.push_back(departed.move);
  }
  close_round();
  common_.release_slots();
  listener(moves_);
}

void StageMoves::depart_all(const Hop& hop) {
  const network::Network& network = common_.network();
  if (hop.packet >= listed_ || hop.from >= network.order() || hop.port >= network.degree()) return;
  for (std::size_t i = 0; i < shifts_.size(); ++i) {
    const std::uint64_t packet = i * listed_ + hop.packet;
    const Node sender = network.group().add(hop.from, shifts_[i]);
    if (!holds(packet, sender) || !common_.is_up(sender, hop.port)) continue;
    departed_.push_back({packet,
                         {.sender = sender,
                          .receiver = network.neighbour(sender, hop.port),
                          .port = hop.port,
                          .part = moved(packet).packet.part,
                          .from = depart(packet, sender)}});
  }
}

// ---- a class for each flow

class CopyMoves final : public StageMoves {
 public:
  CopyMoves(Compilation& common, const Stage& stage)
      : StageMoves(common, stage), here_(packet_count() * common.network().order(), false) {
    for (std::uint64_t p = 0; p < packet_count(); ++p) {
      home_.push_back(begin(p));
      if (home_.back()) here_[key(p, moved(p).packet.origin)] = true;
    }
  }

 protected:
  bool holds(std::uint64_t packet, Node node) const override { return here_[key(packet, node)]; }
  Place at(std::uint64_t packet, Node node) const override {
    const bool is_home = common().by_class() && node == moved(packet).packet.origin && home_[packet];
    return is_home ? *home_[packet] : output(packet, node);
  }
  Place depart(std::uint64_t packet, Node node) override { return at(packet, node); }
  void arrive(std::uint64_t packet, PacketMove& move) override {
    const bool is_new = !holds(packet, move.receiver);
    here_[key(packet, move.receiver)] = true;
    move.to = output(packet, move.receiver);
    if (is_new || !common().by_class()) return;
    Slots& slots = common().slots(move.receiver);
    move.to = {Buffer::slots, slots.take()};
    slots.leave(move.to.index);
  }

 private:
  std::vector<bool> here_;                  // by packet and node
  std::vector<std::optional<Place>> home_;  // by packet, at its origin
};

class MoveMoves final : public StageMoves {
 public:
  MoveMoves(Compilation& common, const Stage& stage)
      : StageMoves(common, stage), node_of_(packet_count()), places_(packet_count()) {
    for (std::uint64_t p = 0; p < packet_count(); ++p) {
      home_.push_back(begin(p).value_or(Place{}));
      node_of_[p] = begin(p) ? moved(p).packet.origin : nowhere;
    }
  }

 protected:
  bool holds(std::uint64_t packet, Node node) const override { return node_of_[packet] == node; }
  Place at(std::uint64_t packet, Node /*node*/) const override { return places_.at(packet, home_[packet]); }
  Place depart(std::uint64_t packet, Node node) override {
    node_of_[packet] = nowhere;
    return places_.depart(packet, home_[packet], common().slots(node));
  }
  void arrive(std::uint64_t packet, PacketMove& move) override {
    const Node node = move.receiver, to = moved(packet).packet.to;
    node_of_[packet] = node;
    const bool is_destination = to == node || to == schedule::to_all;
    move.to = places_.arrive(packet, is_destination, output(packet, node), common().slots(node));
  }

 private:
  static constexpr Node nowhere = UINT32_MAX;

  std::vector<Node> node_of_;  // by packet
  std::vector<Place> home_;    // by packet
  MovePlaces places_;
};

class ReduceMoves : public StageMoves {
 public:
  ReduceMoves(Compilation& common, const Stage& stage)
      : StageMoves(common, stage),
        places_(packet_count() * common.network().order(), ReducePlaces::Sent::given_up,
                common.by_class() ? ReducePlaces::Overlap::apart : ReducePlaces::Overlap::home) {
    const Node order = common.network().order();
    for (std::uint64_t k = 0; k < packet_count() * order; ++k) {
      const bool contributes =
          common.is_up(moved(k / order).owner) && common.is_up(static_cast<Node>(k % order));
      if (!contributes) places_.drop(k);
    }
  }

 protected:
  bool holds(std::uint64_t packet, Node node) const override { return places_.holds(key(packet, node)); }
  Place at(std::uint64_t packet, Node node) const override {
    return places_.at(key(packet, node), home(packet, node));
  }
  Place depart(std::uint64_t packet, Node node) override {
    return places_.depart(key(packet, node), home(packet, node), common().slots(node));
  }
  void arrive(std::uint64_t packet, PacketMove& move) override {
    const Node node = move.receiver;
    const auto [place, arrival] = places_.arrive(key(packet, node), home(packet, node), common().slots(node));
    move.to = place;
    move.arrival = arrival;
  }
  void close_round() override { places_.close_round(); }

 private:
  Place home(std::uint64_t packet, Node node) const {
    const Collective collective = common().plan().task.collective;
    const bool in_output =
        common().is_chained() || (collective == Collective::reduce && node == common().plan().task.root);
    const bool is_output = in_output && !common().by_class();
    return {is_output ? Buffer::output : Buffer::partial, input(packet, node).index};
  }

  ReducePlaces places_;
};

// Copies of the result go where partial results were.
class ReduceThenCopyMoves final : public ReduceMoves {
 public:
  ReduceThenCopyMoves(Compilation& common, const Stage& stage)
      : ReduceMoves(common, stage), complete_from_(complete_from(common.plan(), stage)) {}

 protected:
  Place depart(std::uint64_t packet, Node node) override {
    return is_complete(packet) ? at(packet, node) : ReduceMoves::depart(packet, node);
  }
  void arrive(std::uint64_t packet, PacketMove& move) override {
    if (!is_complete(packet) || !holds(packet, move.receiver)) return ReduceMoves::arrive(packet, move);
    move.to = at(packet, move.receiver);
    if (!common().by_class()) return;
    Slots& slots = common().slots(move.receiver);
    move.to = {Buffer::slots, slots.take()};
    slots.leave(move.to.index);
  }
  void close_round() override {
    ReduceMoves::close_round();
    ++round_;
  }

 private:
  bool is_complete(std::uint64_t packet) const { return complete_from_[listed(packet)] <= round_; }

  std::vector<std::uint64_t> complete_from_;  // by packet as listed
  std::uint64_t round_ = 0;
};

void run_stage(Compilation& common, const Stage& stage, const RoundListener& listener) {
  if (stage.flow == Flow::copy) return CopyMoves(common, stage).run(listener);
  if (stage.flow == Flow::move) return MoveMoves(common, stage).run(listener);
  if (stage.flow == Flow::reduce) return ReduceMoves(common, stage).run(listener);
  if (stage.flow == Flow::reduce_then_copy) return ReduceThenCopyMoves(common, stage).run(listener);
  throw Error(
      "a stage that exchanges sums cannot be written out node by node: plan with an algorithm of another "
      "flow "
      "(`isotrope catalog` lists them)");
}

MovePlan Compilation::run(const RoundListener& listener) {
  for (const Stage& stage : plan_.schedule.stages) run_stage(*this, stage, listener);
  for (Node c = 0; c < slots_.size(); ++c) result_.buffers[c].slots = slots_[c].count();
  return std::move(result_);
}

}  // namespace

Replication common_replication(const Plan& plan) {
  const auto& stages = plan.schedule.stages;
  if (schedule::is_prefix(plan.task.collective)) return Replication::none();
  const bool same = std::ranges::all_of(
      stages, [&](const Stage& stage) { return stage.replication == stages.front().replication; });
  return same && !stages.empty() ? stages.front().replication : Replication::none();
}

MovePlan compile_moves(const Plan& plan, NodeForm form, const RoundListener& listener) {
  require_compilable(plan);
  const bool exchanges = !plan.schedule.stages.empty() && plan.schedule.stages.front().flow == Flow::exchange;
  if (exchanges && form == NodeForm::by_class) return compile_exchange_moves(plan, listener);
  return Compilation(plan, form).run(listener);
}

}  // namespace isotrope::rank
