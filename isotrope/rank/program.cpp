// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/rank/program.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"

#include "isotrope/schedule/complete_packets.hpp"
#include "isotrope/schedule/exchanges.hpp"
#include "isotrope/schedule/node_classes.hpp"
#include "isotrope/schedule/packets.hpp"

#include "isotrope/cost/ramp.hpp"

#include "isotrope/rank/chains.hpp"
#include "isotrope/rank/exchange_program.hpp"
#include "isotrope/rank/program_writer.hpp"

namespace isotrope::rank {

using schedule::Collective;
using schedule::Flow;
using schedule::Packet;
using schedule::Plan;
using schedule::Stage;

namespace {

void require_node(const Plan& plan, Node node) {
  if (node >= plan.network.order())
    throw Error(fmt::format("the program of node {}: the nodes of {} are 0..{}", node, plan.network.name(),
                            plan.network.order() - 1));
  if (std::ranges::count(plan.failed.nodes, node) > 0)
    throw Error(fmt::format("the program of node {}, which has failed: give a node that is up", node));
}

// The translate of a hop that begins or ends at the node, over the node's `port`.
struct NodeHop {
  schedule::PacketId id;
  Packet packet;
  Port port;
};

// ---- a compiler for each flow

class CopyCompiler {
 public:
  CopyCompiler(const UnitNumbers& numbers, ProgramWriter& writer) : numbers_(numbers), writer_(writer) {}

  void send(const NodeHop& hop) { writer_.sent()[hop.port].push_back(fragment(hop)); }
  void receive(const NodeHop& hop) { writer_.received()[hop.port].push_back(fragment(hop)); }
  void close_round() { writer_.sort(); }

 private:
  Fragment fragment(const NodeHop& hop) const {
    const std::uint32_t unit = numbers_.output(hop.id, hop.packet.part, hop.packet.origin);
    return {.unit = unit, .place = unit, .buffer = Buffer::output};
  }

  const UnitNumbers& numbers_;
  ProgramWriter& writer_;
};

class MoveCompiler {
 public:
  MoveCompiler(std::uint64_t packets, Node node, const UnitNumbers& numbers, Slots& slots,
               ProgramWriter& writer)
      : node_(node),
        numbers_(numbers),
        slots_(slots),
        writer_(writer),
        places_(packets),
        arrivals_over_(writer.sent().size(), 0) {}

  void send(const NodeHop& hop) {
    const std::uint32_t home = numbers_.input(hop.id, hop.packet.part, hop.packet.to);
    const Place place = places_.depart(hop.id, {Buffer::input, home}, slots_);
    writer_.sent()[hop.port].push_back(fragment(hop, place));
  }
  void receive(const NodeHop& hop) { arrivals_.push_back(hop); }

  // Called after all hops of the round: sent packets lie at the places that they had when the round began. An
  // arrival that is a message of its own goes straight to its slot, which must not be one still sent from.
  void close_round() {
    for (const NodeHop& arrival : arrivals_) ++arrivals_over_[arrival.port];
    for (const NodeHop& arrival : arrivals_) {
      if (arrivals_over_[arrival.port] == 1) store(arrival);
    }
    slots_.release();
    for (const NodeHop& arrival : arrivals_) {
      if (arrivals_over_[arrival.port] > 1) store(arrival);
    }
    arrivals_.clear();
    std::ranges::fill(arrivals_over_, 0);
  }

 private:
  static Fragment fragment(const NodeHop& hop, Place place) {
    return {.unit = place.buffer == Buffer::slots ? hop.packet.part : place.index,
            .place = place.index,
            .buffer = place.buffer};
  }

  void store(const NodeHop& hop) {
    const std::uint32_t unit = numbers_.output(hop.id, hop.packet.part, hop.packet.origin);
    const bool is_destination = hop.packet.to == node_;
    const Place place = places_.arrive(hop.id, is_destination, {Buffer::output, unit}, slots_);
    writer_.received()[hop.port].push_back(fragment(hop, place));
  }

  Node node_;
  const UnitNumbers& numbers_;
  Slots& slots_;
  ProgramWriter& writer_;
  MovePlaces places_;
  std::vector<NodeHop> arrivals_;             // of this round
  std::vector<std::uint32_t> arrivals_over_;  // by port
};

class ReduceCompiler {
 public:
  ReduceCompiler(const RankProgram& program, const UnitNumbers& numbers, ReducePlaces::Sent sent,
                 Slots& slots, ProgramWriter& writer)
      : numbers_(numbers),
        slots_(slots),
        writer_(writer),
        home_(program.home()),
        places_(std::uint64_t{program.input_blocks} * program.parts, sent, ReducePlaces::Overlap::home) {}

  void send(const NodeHop& hop) {
    const std::uint32_t unit = unit_of(hop);
    const Place place = places_.depart(unit, {home_, unit}, slots_);
    writer_.sent()[hop.port].push_back(
        {.unit = unit, .place = place.index, .own = unit, .buffer = place.buffer});
  }
  void receive(const NodeHop& hop) {
    const std::uint32_t unit = unit_of(hop);
    writer_.received()[hop.port].push_back({.unit = unit, .place = unit, .own = unit, .buffer = home_});
  }
  void close_round() {
    for (std::vector<Fragment>& fragments : writer_.received()) {
      for (Fragment& fragment : fragments)
        fragment.arrival = places_.arrive(fragment.unit, {home_, fragment.unit}, slots_).arrival;
    }
    places_.close_round();
    writer_.sort();
  }

 private:
  std::uint32_t unit_of(const NodeHop& hop) const {
    return numbers_.input(hop.id, hop.packet.part, hop.packet.to);
  }

  const UnitNumbers& numbers_;
  Slots& slots_;
  ProgramWriter& writer_;
  Buffer home_;
  ReducePlaces places_;
};

// Partial results and copies of results lie in the unit of the output. A message may hold some of both.
class ReduceThenCopyCompiler {
 public:
  ReduceThenCopyCompiler(std::vector<std::uint64_t> complete_from, const RankProgram& program,
                         const UnitNumbers& numbers, Slots& slots, ProgramWriter& writer)
      : complete_from_(std::move(complete_from)),
        numbers_(numbers),
        slots_(slots),
        writer_(writer),
        home_(program.home()),
        places_(std::uint64_t{program.input_blocks} * program.parts, ReducePlaces::Sent::given_up,
                ReducePlaces::Overlap::home),
        is_copied_(std::uint64_t{program.input_blocks} * program.parts, false) {}

  void send(const NodeHop& hop) {
    const std::uint32_t unit = unit_of(hop);
    const Place home{home_, unit};
    const Place place = is_complete(hop) ? places_.at(unit, home) : places_.depart(unit, home, slots_);
    writer_.sent()[hop.port].push_back(
        {.unit = unit, .place = place.index, .own = unit, .buffer = place.buffer});
  }
  void receive(const NodeHop& hop) {
    const std::uint32_t unit = unit_of(hop);
    if (is_complete(hop)) is_copied_[unit] = true;
    writer_.received()[hop.port].push_back({.unit = unit, .place = unit, .own = unit, .buffer = home_});
  }
  void close_round() {
    for (std::vector<Fragment>& fragments : writer_.received()) {
      for (Fragment& fragment : fragments) receive_at_home(fragment);
    }
    places_.close_round();
    writer_.sort();
    ++round_;
  }

 private:
  bool is_complete(const NodeHop& hop) const { return complete_from_[hop.id] <= round_; }
  std::uint32_t unit_of(const NodeHop& hop) const {
    return numbers_.input(hop.id, hop.packet.part, hop.packet.origin);
  }
  // A result that a node has already is stored again.
  void receive_at_home(Fragment& fragment) {
    if (is_copied_[fragment.unit] && places_.holds(fragment.unit)) return;
    fragment.arrival = places_.arrive(fragment.unit, {home_, fragment.unit}, slots_).arrival;
  }

  std::vector<std::uint64_t> complete_from_;  // by packet as listed
  const UnitNumbers& numbers_;
  Slots& slots_;
  ProgramWriter& writer_;
  Buffer home_;
  ReducePlaces places_;
  std::vector<bool> is_copied_;  // by unit: what comes is the result
  std::uint64_t round_ = 0;
};

// ---- a plan

class PlanCompiler {
 public:
  PlanCompiler(const Plan& plan, Node node, Node moved_by)
      : plan_(plan),
        network_(hop_network(plan)),
        node_(node),
        place_(network_.group().subtract(node, moved_by)),
        writer_(network_, node, program_) {
    static_cast<NodeBuffers&>(program_) = lay_out(plan, node, place_, numbers_);
  }

  RankProgram run() {
    for (const Stage& stage : plan_.schedule.stages) compile_stage(stage);
    program_.slots = slots_.count();
    return std::move(program_);
  }

 private:
  void compile_stage(const Stage& stage) {
    const schedule::Packets packets(network_, plan_.task, stage);
    switch (stage.flow) {
      case Flow::copy:
        return add_rounds(stage, packets, CopyCompiler(numbers_, writer_));
      case Flow::move:
        return add_rounds(stage, packets, MoveCompiler(packets.size(), node_, numbers_, slots_, writer_));
      case Flow::reduce:
      case Flow::exchange: {
        const auto sent =
            stage.flow == Flow::reduce ? ReducePlaces::Sent::given_up : ReducePlaces::Sent::kept;
        return add_rounds(stage, packets, ReduceCompiler(program_, numbers_, sent, slots_, writer_));
      }
      case Flow::reduce_then_copy:
        return add_rounds(
            stage, packets,
            ReduceThenCopyCompiler(complete_from(plan_, stage), program_, numbers_, slots_, writer_));
    }
  }

  template <class FlowCompiler>
  void add_rounds(const Stage& stage, const schedule::Packets& packets, FlowCompiler compiler) {
    const schedule::NodeClasses classes(network_.group(), stage.replication);
    const Node own_class = classes.of(place_);
    network_.visit([&](const auto& neighbour, const auto& group) {
      for (std::uint64_t t = 0; t < stage.rounds.size(); ++t) {
        for (const schedule::Hop& hop : stage.rounds.round(t)) {
          const Node target = neighbour(hop.from, hop.port);
          const bool sends = classes.of(hop.from) == own_class, receives = classes.of(target) == own_class;
          if (!sends && !receives) continue;
          const Packet packet = packets[hop.packet];
          const auto moved = [&](Node x, Node by) { return x == schedule::to_all ? x : group.add(x, by); };
          const auto translate = [&](Node here) {
            const Node by = group.subtract(node_, here);
            return Packet{group.add(packet.origin, by), moved(packet.to, by), packet.block, packet.part};
          };
          if (sends) compiler.send({hop.packet, translate(hop.from), hop.port});
          if (receives) compiler.receive({hop.packet, translate(target), network_.opposite(hop.port)});
        }
        compiler.close_round();
        writer_.close_round();
      }
    });
  }

  const Plan& plan_;
  const network::Network& network_;
  Node node_;
  Node place_;  // of the node in the plan, which is moved
  UnitNumbers numbers_;
  Slots slots_;
  RankProgram program_;
  ProgramWriter writer_;
};

bool share_memory(const Fragment& one, const Fragment& other) {
  return (one.buffer == Buffer::slots) == (other.buffer == Buffer::slots) &&
         one.place < other.place + other.count && other.place < one.place + one.count;
}

}  // namespace

bool RankProgram::is_early(std::size_t round, const RankMessage& send) const {
  if (round == 0 || !local_moves(round).empty()) return false;
  const auto sent = fragments(send);
  return std::ranges::none_of(receipts(round - 1), [&](const RankMessage& receipt) {
    return std::ranges::any_of(fragments(receipt), [&](const Fragment& changed) {
      return std::ranges::any_of(sent, [&](const Fragment& part) { return share_memory(part, changed); });
    });
  });
}

void require_stages(const Plan& plan) {
  const bool two_stages =
      plan.task.collective == Collective::allreduce || plan.task.collective == Collective::barrier;
  if (plan.schedule.stages.size() <= (two_stages ? 2U : 1U)) return;
  throw Error(fmt::format("a plan for {} of {} stages: programs are made of {}",
                          schedule::to_string(plan.task), plan.schedule.stages.size(),
                          two_stages ? "two at most" : "one"));
}

void require_all_nodes(const Plan& plan) {
  if (plan.failed.nodes.empty()) return;
  throw Error(
      fmt::format("a plan without node {}: this is for plans on all nodes, around failed links at most",
                  plan.failed.nodes.front()));
}

namespace {

// The weights of the parts of a pipelined plan (cost/ramp.hpp), by part. The place of a part in its pipeline is the least number of
// parts that a link carries before it. In a broadcast the links of the root tell it, in a reduce those of leaves; links that the last
// parts of several trees share carry all of these trees before.
//
//     3 trees, P = 7     tree 0    part 0   1   2      leave the root in rounds 0 1 2
//                        tree 1         3   4   5                             0 1 2
//                        tree 2         6                                     0
//     weights, w = 2               2 100 100 | 2 100 100 | 2
std::vector<std::uint64_t> ramp_of(const Plan& plan) {
  constexpr std::uint32_t none = UINT32_MAX;
  std::vector<std::uint32_t> places(plan.task.parts, none);
  const network::Port degree = hop_network(plan).degree();
  std::vector<std::uint32_t> carried(std::size_t{plan.network.order()} * degree, 0);  // by link
  for (const Stage& stage : plan.schedule.stages) {
    const schedule::Packets packets(hop_network(plan), plan.task, stage);
    for (const schedule::Hop& hop : stage.rounds.hops()) {
      std::uint32_t& place = places[packets[hop.packet].part];
      place = std::min(place, carried[std::size_t{hop.from} * degree + hop.port]++);
    }
  }
  std::vector<std::uint64_t> weights;
  for (const std::uint32_t place : places)
    weights.push_back(place == none ? 0 : cost::ramp_weight(place, plan.window));
  return weights;
}

// Has `program`, which was compiled from `plan`, a broadcast or a reduce in strict rounds over all ports, executed with the
// window of the plan. Every node sends a packet on as soon as the packet is here, and complete, whatever its round, so
// that start-ups overlap if they occupy no link. Cost: O(hops).
void make_pipelined(RankProgram& program, const Plan& plan) {
  program.part_ends = ramp_of(plan);
  std::partial_sum(program.part_ends.begin(), program.part_ends.end(), program.part_ends.begin());
  program.window = plan.window;
}

// A plan whose only stage exchanges sums. Of an allreduce: an allgather whose blocks the executor of the program
// reduces, or recursive doubling, or any other.
RankProgram compile_exchange(const Plan& plan, Node node, Node moved_by) {
  if (schedule::is_prefix(plan.task.collective)) return compile_summed_exchange(plan, node, moved_by);
  if (auto copies = schedule::gathered_copies(hop_network(plan), plan.task.parts, plan.schedule)) {
    Plan gathered = plan;
    gathered.task.collective = Collective::allgather;
    gathered.schedule = std::move(*copies);
    RankProgram program = PlanCompiler(gathered, node, moved_by).run();
    program.reduces_gathered = true;
    return program;
  }
  if (schedule::carries_running_sums(plan.schedule.stages.front(), plan.task.parts))
    return PlanCompiler(plan, node, moved_by).run();
  return compile_summed_exchange(plan, node, moved_by);
}

// The program with all chains together.
RankProgram compile_whole(const Plan& plan, Node node, Node moved_by) {
  if (!plan.schedule.stages.empty() && plan.schedule.stages.front().flow == Flow::exchange)
    return compile_exchange(plan, node, moved_by);
  RankProgram program = PlanCompiler(plan, node, moved_by).run();
  if (plan.window > 1) make_pipelined(program, plan);
  return program;
}

}  // namespace

RankProgram compile(const Plan& plan, Node node, Node moved_by) {
  require_node(plan, node);
  require_stages(plan);
  if (moved_by >= plan.network.order()) require_node(plan, moved_by);
  RankProgram program = compile_whole(plan, node, moved_by);
  if (plan.window > 1) return program;
  if (plan.chains > 1 && !program.reduces_gathered) program.chains = split_into_chains(program, plan.chains);
  program.shares = plan.shares;
  if (!plan.shares.empty() && !program.one_vector) program.chains.push_back(cut_at_blocks(program));
  return program;
}

}  // namespace isotrope::rank
