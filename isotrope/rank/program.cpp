// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/rank/program.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"

#include "isotrope/schedule/node_classes.hpp"
#include "isotrope/schedule/packets.hpp"

#include "isotrope/rank/combined_blocks.hpp"

namespace isotrope::rank {

using schedule::Collective;
using schedule::Flow;
using schedule::Hop;
using schedule::NodeClasses;
using schedule::Packet;
using schedule::PacketId;
using schedule::Packets;
using schedule::Plan;
using schedule::Stage;

namespace {

void require_node(const Plan& plan, Node node) {
  if (node < plan.network.order()) return;
  throw Error(fmt::format("the program of node {}: the nodes of {} are 0..{}", node, plan.network.name(),
                          plan.network.order() - 1));
}

void require_executable(const Plan& plan, Node node) {
  require_node(plan, node);
  if (!plan.failed.nodes.empty()) {
    throw Error(fmt::format(
        "a plan without node {}: programs are for all nodes; only failed links can be planned around here",
        plan.failed.nodes.front()));
  }
  const bool two_stages =
      plan.task.collective == Collective::allreduce || plan.task.collective == Collective::barrier;
  if (plan.schedule.stages.size() <= (two_stages ? 2U : 1U)) return;
  throw Error(fmt::format("a plan for {} of {} stages: programs are made of {}",
                          schedule::to_string(plan.task), plan.schedule.stages.size(),
                          two_stages ? "two at most" : "one"));
}

// Numbers the blocks of listed packets at one node, in ascending order of their names.
class ListedBlocks {
 public:
  void add(PacketId packet, ListedBlock block) { named_.push_back({block, packet}); }

  /// The blocks; sets the number of every packet that was added.
  std::vector<ListedBlock> number(std::vector<std::uint32_t>& numbers) {
    std::ranges::sort(named_, {},
                      [](const Named& named) { return std::pair(named.block.other, named.block.block); });
    std::vector<ListedBlock> blocks;
    for (const Named& named : named_) {
      if (blocks.empty() || blocks.back() != named.block) blocks.push_back(named.block);
      numbers[named.packet] = static_cast<std::uint32_t>(blocks.size() - 1);
    }
    return blocks;
  }

 private:
  struct Named {
    ListedBlock block;
    PacketId packet;
  };
  std::vector<Named> named_;
};

// The pieces of the round under construction, by port.
class Ports {
 public:
  explicit Ports(Port degree) : pieces_(degree) {}

  void add(Port port, const Piece& piece) { pieces_[port].push_back(piece); }
  std::vector<Piece>& operator[](Port port) { return pieces_[port]; }
  Port size() const { return static_cast<Port>(pieces_.size()); }

 private:
  std::vector<std::vector<Piece>> pieces_;
};

bool follows(const Piece& before, const Piece& after) {
  const std::uint32_t n = before.count;
  return before.buffer == after.buffer && before.arrival == after.arrival && before.unit + n == after.unit &&
         before.place + n == after.place && (after.arrival != Arrival::join || before.own + n == after.own);
}

}  // namespace

class Compiler {
 public:
  enum class Vectors { in_blocks, whole };

  Compiler(const Plan& plan, Node node, Node moved_by, Vectors vectors)
      : plan_(plan),
        network_(plan.network),
        node_(node),
        place_(network_.group().subtract(node, moved_by)),
        parts_(plan.task.parts),
        whole_vectors_(vectors == Vectors::whole),
        arrivals_over_(network_.degree(), 0),
        sent_(network_.degree()),
        received_(network_.degree()) {}

  Program run() {
    program_.parts = parts_;
    if (!plan_.schedule.stages.empty()) lay_out();
    for (const Stage& stage : plan_.schedule.stages) {
      switch (stage.flow) {
        case Flow::copy:
          add_rounds(stage, [this](auto&&... hop) { copy(hop...); });
          break;
        case Flow::move:
          add_rounds(stage, [this](auto&&... hop) { move(hop...); });
          break;
        case Flow::combine:
          add_rounds(stage, [this](auto&&... hop) { combine(hop...); });
          break;
      }
    }
    return std::move(program_);
  }

 private:
  enum class End { send, receipt };
  // What is here of a unit that is combined: the node's own, or that and others', or nothing, once sent.
  enum class Contribution : std::uint8_t { own, combined, none };

  static constexpr std::uint32_t at_home = UINT32_MAX;
  struct ArrivalOf {
    PacketId id;
    Port port;
    Packet packet;
  };

  // ---- buffers

  void lay_out() {
    const Node order = network_.order();
    const bool root = place_ == plan_.task.root;
    const auto blocks = [&](std::uint32_t in, std::uint32_t out) {
      program_.input_blocks = in;
      program_.output_blocks = out;
    };
    switch (plan_.task.collective) {
      case Collective::broadcast:
        blocks(root ? 1 : 0, 1);
        if (root) at_beginning(0, 0);
        break;
      case Collective::scatter:
        blocks(root ? order : 0, 1);
        if (root) at_beginning(node_, 0);
        break;
      case Collective::gather:
        blocks(1, root ? order : 0);
        if (root) at_beginning(0, node_);
        break;
      case Collective::allgather:
        blocks(1, order);
        at_beginning(0, node_);
        break;
      case Collective::alltoall:
        blocks(order, order);
        at_beginning(node_, node_);
        break;
      case Collective::reduce:
        blocks(1, root ? 1 : 0);
        in_output_ = root;
        break;
      case Collective::reduce_scatter:
        if (whole_vectors_) {
          blocks(1, 1);
          program_.one_vector = in_output_ = true;
          break;
        }
        blocks(order, 1);
        if (order > 1)
          program_.closing.push_back({Buffer::transit, Buffer::output, node_ * parts_, 0, parts_});
        break;
      case Collective::allreduce:
      case Collective::barrier:
        program_.one_vector = true;
        blocks(combines_blocks(plan_) ? order : 1, combines_blocks(plan_) ? order : 1);
        in_output_ = true;
        break;
      case Collective::neighborhood:
      case Collective::isotropic:
      case Collective::task:
        list_blocks();
        break;
    }
    if (schedule::combines(plan_.task.collective)) lay_out_partial_results();
    if (plan_.schedule.stages.front().flow == Flow::move)
      slot_of_.assign(Packets(network_, plan_.task, plan_.schedule.stages.front()).size(), at_home);
  }

  void lay_out_partial_results() {
    const std::uint32_t units = program_.input_blocks * parts_;
    contributions_.assign(units, Contribution::own);
    program_.mirrored = !in_output_;
    if (!in_output_) program_.transit_units = units;
    if (network_.order() == 1) at_beginning(0, 0);
  }

  void at_beginning(std::uint32_t from_block, std::uint32_t to_block) {
    program_.opening.push_back(
        {Buffer::input, Buffer::output, from_block * parts_, to_block * parts_, parts_});
  }

  // Those of the packets that begin and that end here; one that does both is moved at once.
  void list_blocks() {
    const Stage& stage = plan_.schedule.stages.front();
    const Packets packets(network_, plan_.task, stage);
    const NodeClasses classes(network_.group(), stage.replication);
    input_of_.resize(packets.size());
    output_of_.resize(packets.size());
    ListedBlocks inputs, outputs;
    for (PacketId p = 0; p < packets.size(); ++p) {
      const auto [origin, to, block, part] = packets[p];
      if (classes.of(origin) == classes.of(place_)) inputs.add(p, {at(to, node_, origin), block});
      if (classes.of(to) == classes.of(place_)) outputs.add(p, {at(origin, node_, to), block});
    }
    program_.inputs = inputs.number(input_of_);
    program_.outputs = outputs.number(output_of_);
    program_.input_blocks = static_cast<std::uint32_t>(program_.inputs.size());
    program_.output_blocks = static_cast<std::uint32_t>(program_.outputs.size());
    for (PacketId p = 0; p < packets.size(); ++p) {
      const auto [origin, to, block, part] = packets[p];
      if (origin != to || classes.of(origin) != classes.of(place_)) continue;
      program_.opening.push_back(
          {Buffer::input, Buffer::output, input_of_[p] * parts_ + part, output_of_[p] * parts_ + part, 1});
    }
  }

  // ---- rounds

  template <class AddHop>
  void add_rounds(const Stage& stage, const AddHop& add_hop) {
    const Packets packets(network_, plan_.task, stage);
    const NodeClasses classes(network_.group(), stage.replication);
    const Node own_class = classes.of(place_);
    network_.visit([&](const auto& neighbour, const auto& group) {
      for (std::uint64_t t = 0; t < stage.rounds.size(); ++t) {
        for (const Hop& hop : stage.rounds.round(t)) {
          const Node target = neighbour(hop.from, hop.port);
          const bool sends = classes.of(hop.from) == own_class, receives = classes.of(target) == own_class;
          if (!sends && !receives) continue;
          const Packet packet = packets[hop.packet];
          const auto moved = [&](Node x, Node by) { return x == schedule::to_all ? x : group.add(x, by); };
          const auto translate = [&](Node here) {
            const Node by = group.subtract(node_, here);
            return Packet{group.add(packet.origin, by), moved(packet.to, by), packet.block, packet.part};
          };
          if (sends) add_hop(End::send, hop.packet, translate(hop.from), hop.port);
          if (receives) add_hop(End::receipt, hop.packet, translate(target), network_.opposite(hop.port));
        }
        close_round(stage.flow);
      }
    });
  }

  void copy(End end, PacketId /*id*/, const Packet& packet, Port port) {
    const std::uint32_t unit = (program_.output_blocks > 1 ? packet.origin * parts_ : 0) + packet.part;
    of(end).add(port, {.unit = unit, .place = unit, .buffer = Buffer::output});
  }

  void move(End end, PacketId id, const Packet& packet, Port port) {
    if (end == End::receipt) {
      arrivals_.push_back({id, port, packet});
      return;
    }
    const std::uint32_t slot = slot_of_[id];
    if (slot == at_home) {
      const std::uint32_t unit = input_unit(id, packet);
      sent_.add(port, {.unit = unit, .place = unit, .buffer = Buffer::input});
    } else {
      sent_.add(port, {.unit = packet.part, .place = slot, .buffer = Buffer::transit});
      left_.push_back(slot);
    }
  }

  void combine(End end, PacketId /*id*/, const Packet& packet, Port port) {
    const std::uint32_t unit = (program_.input_blocks > 1 ? packet.to * parts_ : 0) + packet.part;
    const Buffer partial = in_output_ ? Buffer::output : Buffer::transit;
    const bool fresh = end == End::send && contributions_[unit] == Contribution::own;
    of(end).add(port, {.unit = unit, .place = unit, .own = unit, .buffer = fresh ? Buffer::input : partial});
  }

  Ports& of(End end) { return end == End::send ? sent_ : received_; }

  // ---- what is moved

  std::uint32_t input_unit(PacketId id, const Packet& packet) const {
    if (!input_of_.empty()) return input_of_[id] * parts_ + packet.part;
    return (program_.input_blocks > 1 ? packet.to * parts_ : 0) + packet.part;
  }
  std::uint32_t output_unit(PacketId id, const Packet& packet) const {
    if (!output_of_.empty()) return output_of_[id] * parts_ + packet.part;
    return (program_.output_blocks > 1 ? packet.origin * parts_ : 0) + packet.part;
  }

  // After all hops of the round have been looked at: what is sent lies where it was when the round began. An
  // arrival that is a message of its own goes straight to its slot, which must not be one still sent from.
  void store_arrivals() {
    for (const ArrivalOf& arrival : arrivals_) ++arrivals_over_[arrival.port];
    for (const ArrivalOf& arrival : arrivals_) {
      if (arrivals_over_[arrival.port] == 1) store(arrival);
    }
    free_slots_.insert(free_slots_.end(), left_.begin(), left_.end());
    left_.clear();
    for (const ArrivalOf& arrival : arrivals_) {
      if (arrivals_over_[arrival.port] > 1) store(arrival);
    }
    arrivals_.clear();
    std::ranges::fill(arrivals_over_, 0);
  }

  void store(const ArrivalOf& arrival) {
    const auto& [id, port, packet] = arrival;
    if (packet.to == node_) {
      const std::uint32_t unit = output_unit(id, packet);
      received_.add(port, {.unit = unit, .place = unit, .buffer = Buffer::output});
    } else {
      slot_of_[id] = take_slot();
      received_.add(port, {.unit = packet.part, .place = slot_of_[id], .buffer = Buffer::transit});
    }
  }

  std::uint32_t take_slot() {
    if (free_slots_.empty()) return program_.transit_units++;
    const std::uint32_t slot = free_slots_.back();
    free_slots_.pop_back();
    return slot;
  }

  // ---- messages

  void close_round(Flow flow) {
    if (flow == Flow::move) store_arrivals();
    if (whole_vectors_) keep_one_of_each_message();
    if (flow == Flow::combine && !whole_vectors_) let_go_of_sent();
    for (Port port = 0; port < sent_.size(); ++port) add_message(sent_, port, flow);
    const auto sends = static_cast<std::uint32_t>(program_.messages_.size());
    for (Port port = 0; port < received_.size(); ++port) {
      if (flow == Flow::combine) choose_arrivals(received_[port]);
      add_message(received_, port, flow);
    }
    program_.round_ends_.push_back({sends, static_cast<std::uint32_t>(program_.messages_.size())});
  }

  void keep_one_of_each_message() {
    for (Ports* ports : {&sent_, &received_}) {
      for (Port port = 0; port < ports->size(); ++port) {
        if ((*ports)[port].size() > 1) (*ports)[port].resize(1);
      }
    }
  }

  // What is sent is no longer here, the node's own contribution in it.
  void let_go_of_sent() {
    for (Port port = 0; port < sent_.size(); ++port) {
      for (const Piece& piece : sent_[port]) contributions_[piece.unit] = Contribution::none;
    }
  }

  static Arrival arrival_at(Contribution here) {
    switch (here) {
      case Contribution::own:
        return Arrival::join;
      case Contribution::combined:
        return Arrival::combine;
      case Contribution::none:
        break;
    }
    return Arrival::store;
  }

  void choose_arrivals(std::vector<Piece>& pieces) {
    for (Piece& piece : pieces) {
      piece.arrival = arrival_at(contributions_[piece.unit]);
      contributions_[piece.unit] = Contribution::combined;
    }
  }

  void add_message(Ports& ports, Port port, Flow flow) {
    std::vector<Piece>& pieces = ports[port];
    if (pieces.empty()) return;
    if (flow != Flow::move) std::ranges::sort(pieces, {}, &Piece::unit);
    const auto first = static_cast<std::uint32_t>(program_.pieces_.size());
    for (const Piece& piece : pieces) {
      if (program_.pieces_.size() > first && follows(program_.pieces_.back(), piece) &&
          (piece.buffer != Buffer::transit || program_.mirrored)) {
        ++program_.pieces_.back().count;
      } else {
        program_.pieces_.push_back(piece);
      }
    }
    const auto count = static_cast<std::uint32_t>(program_.pieces_.size()) - first;
    program_.messages_.push_back({network_.neighbour(node_, port), port, first, count});
    pieces.clear();
  }

  // `x` translated by what takes `from` to `to`.
  Node at(Node x, Node to, Node from) const {
    return network_.group().add(x, network_.group().subtract(to, from));
  }

  const Plan& plan_;
  const network::Network& network_;
  Node node_;
  Node place_;  // that it takes in the plan, which is moved
  std::uint32_t parts_;
  bool whole_vectors_;
  Program program_;
  bool in_output_ = false;                           // partial results grow in the output
  std::vector<Contribution> contributions_;          // by unit of the input
  std::vector<std::uint32_t> slot_of_;               // by packet, the translate that is or will be here
  std::vector<std::uint32_t> input_of_, output_of_;  // by packet, where blocks are listed
  std::vector<std::uint32_t> free_slots_, left_;     // left in this round
  std::vector<ArrivalOf> arrivals_;                  // of this round
  std::vector<std::uint32_t> arrivals_over_;         // by port
  Ports sent_, received_;
};

std::uint64_t Program::memory_bytes() const {
  return round_ends_.capacity() * sizeof(RoundEnd) + messages_.capacity() * sizeof(Message) +
         pieces_.capacity() * sizeof(Piece) + (opening.capacity() + closing.capacity()) * sizeof(Transfer) +
         (inputs.capacity() + outputs.capacity()) * sizeof(ListedBlock) +
         part_ends.capacity() * sizeof(std::uint64_t);
}

Program compile(const Plan& plan, Node node, Node moved_by) {
  require_executable(plan, node);
  require_node(plan, moved_by);
  return Compiler(plan, node, moved_by, Compiler::Vectors::in_blocks).run();
}

Program compile_whole_vectors(const Plan& reduce_scatter, Node node) {
  require_executable(reduce_scatter, node);
  return Compiler(reduce_scatter, node, 0, Compiler::Vectors::whole).run();
}

}  // namespace isotrope::rank
