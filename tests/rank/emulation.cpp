// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/rank/emulation.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "isotrope/rank/program.hpp"
#include "isotrope/rank/segmentation.hpp"

namespace isotrope::rank {
namespace {

using schedule::Collective;
using schedule::Plan;
using Bytes = std::vector<std::uint8_t>;

// Element `i` of block `block` that `origin` contributes for `to`.
std::uint8_t element(Node origin, Node to, std::uint32_t block, std::uint64_t i) {
  return static_cast<std::uint8_t>(origin * 37 + to * 101 + block * 7 + i * 13 + (i >> 8));
}

struct Host {
  RankProgram program;
  Bytes input, output, partial, slots;
  std::uint64_t slot_elements = 0;

  Bytes& of(Buffer buffer) {
    switch (buffer) {
      case Buffer::input:
        return input;
      case Buffer::output:
        return output;
      case Buffer::partial:
        return partial;
      case Buffer::slots:
        break;
    }
    return slots;
  }
};

class Emulation {
 public:
  Emulation(const Plan& plan, std::uint64_t elements, Node moved_by)
      : plan_(plan),
        elements_(elements),
        moved_by_(moved_by),
        root_(plan.network.group().add(plan.task.root, moved_by)) {
    for (Node node = 0; node < plan.network.order(); ++node) hosts_.push_back(host(node));
  }

  std::string run() {
    const bool in_chains =
        std::ranges::any_of(hosts_, [](const Host& host) { return !host.program.chains.empty(); });
    std::uint64_t end = std::accumulate(plan_.shares.begin(), plan_.shares.end(), std::uint64_t{0});
    const std::uint64_t all = end;
    for (std::size_t share = plan_.shares.size(); share-- > 0; end -= plan_.shares[share]) {
      share_ = Share{end - plan_.shares[share], end, all};  // the last one first
      chain_ = 0;
      run_programs();
    }
    if (plan_.shares.empty()) {
      for (chain_ = in_chains ? plan_.chains : 1; chain_-- > 0;) run_programs();
    }
    for (Node node = 0; node < plan_.network.order() && error_.empty(); ++node) check_output(node);
    return error_;
  }

 private:
  // What runs now: the program, or one of its chains, the last one first.
  const RankProgram& running(const Host& host) const {
    return host.program.chains.empty() ? host.program : host.program.chains[chain_];
  }

  void run_programs() {
    for (Host& host : hosts_) {
      for (const BufferCopy& transfer : running(host).opening) apply(host, transfer);
    }
    early_.clear();
    for (std::size_t t = 0; t < plan_.schedule.round_count() && error_.empty(); ++t) run_round(t);
    move_locally(plan_.schedule.round_count());
    for (Host& host : hosts_) {
      for (const BufferCopy& transfer : running(host).closing) apply(host, transfer);
    }
  }

  Segmentation units(const RankProgram& program) const {
    const auto whole = program.one_vector
                           ? Segmentation::of_vector(elements_, program.input_blocks, program.parts)
                           : Segmentation::of_blocks(elements_, program.parts);
    return share_ ? whole.share(share_->begin, share_->end, share_->all) : whole;
  }

  bool is_up(Node node) const { return std::ranges::count(plan_.failed.nodes, node) == 0; }

  // A failed node has neither program nor buffers.
  Host host(Node node) const {
    if (!is_up(node)) return {};
    Host host{compile(plan_, node, moved_by_), {}, {}, {}, {}, 0};
    const RankProgram& program = host.program;
    const Segmentation cut = units(program);
    host.slot_elements = cut.largest();
    host.input.resize(cut.of_whole_blocks(program.input_blocks));
    host.output.resize(cut.of_whole_blocks(program.output_blocks), 0xEE);
    if (program.partial_results) host.partial.resize(host.input.size(), 0xDD);
    host.slots.resize(program.slots * host.slot_elements, 0xCC);
    for (std::uint64_t i = 0; i < host.input.size(); ++i) {
      if (program.one_vector) {
        host.input[i] = element(node, 0, 0, i);
        continue;
      }
      const auto block = static_cast<std::uint32_t>(i / elements_);
      const auto [to, number] = input_name(node, block);
      host.input[i] = element(node, to, number, i % elements_);
    }
    return host;
  }

  // Destination and number of an input block, 0 if it is for all.
  std::pair<Node, std::uint32_t> input_name(Node node, std::uint32_t block) const {
    switch (plan_.task.collective) {
      case Collective::scatter:
      case Collective::alltoall:
      case Collective::reduce_scatter:
        return {block, 0};
      case Collective::task:
      case Collective::isotropic:
      case Collective::neighborhood: {
        const ListedBlock name = listed_input(node, block);
        return {name.other, name.block};
      }
      default:
        return {0, 0};
    }
  }
  ListedBlock listed_input(Node node, std::uint32_t block) const {
    return compile(plan_, node, moved_by_).inputs.at(block);
  }

  std::uint64_t address(const Host& host, const Fragment& fragment, std::uint32_t k) const {
    if (fragment.buffer == Buffer::slots) return fragment.place * host.slot_elements;
    return units(host.program).begin(fragment.place + k);
  }

  void apply(Host& host, const BufferCopy& transfer) {
    const Segmentation cut = units(host.program);
    for (std::uint32_t k = 0; k < transfer.count; ++k) {
      for (std::uint64_t i = 0; i < cut.elements(transfer.first_from + k, 1); ++i)
        host.of(transfer.to).at(cut.begin(transfer.first_to + k) + i) =
            host.of(transfer.from).at(cut.begin(transfer.first_from + k) + i);
    }
  }

  std::uint64_t address(const Host& host, Place place) const {
    return place.buffer == Buffer::slots ? place.index * host.slot_elements
                                         : units(host.program).begin(place.index);
  }

  // The input of a program is never written.
  void move_locally(std::size_t t) {
    for (Host& host : hosts_) {
      for (const LocalMove& move : running(host).local_moves(t)) {
        if (move.to.buffer == Buffer::input) error_ = fmt::format("before round {}: an input is written", t);
        for (std::uint64_t i = 0; i < units(host.program).elements(move.part, 1); ++i) {
          std::uint8_t& to = host.of(move.to.buffer).at(address(host, move.to) + i);
          const std::uint8_t from = host.of(move.from.buffer).at(address(host, move.from) + i);
          to = static_cast<std::uint8_t>(move.arrival == OnArrival::combine ? to + from : from);
        }
      }
    }
  }

  void run_round(std::size_t t) {
    move_locally(t);
    std::map<std::pair<Node, Node>, std::deque<Bytes>> wires;  // in order, as MPI matches messages
    for (Node node = 0; node < hosts_.size(); ++node) {
      Host& host = hosts_[node];
      if (!is_up(node)) continue;
      for (const RankMessage& message : running(host).sends(t)) {
        Bytes& wire = wires[{node, message.peer}].emplace_back();
        for (const Fragment& fragment : running(host).fragments(message)) take(host, fragment, wire);
        const auto before = early_.find(&message);
        if (before != early_.end() && before->second != wire)
          error_ = fmt::format("round {}: node {} sends other data a round early", t, node);
      }
    }
    early_ = early_messages(t + 1);
    for (Node node = 0; node < hosts_.size(); ++node) {
      Host& host = hosts_[node];
      if (!is_up(node)) continue;
      for (const RankMessage& message : running(host).receipts(t)) {
        const auto wire = wires.find({message.peer, node});
        if (wire == wires.end()) {
          error_ = fmt::format("round {}: node {} waits for node {}", t, node, message.peer);
          return;
        }
        std::size_t offset = 0;
        for (const Fragment& fragment : running(host).fragments(message))
          put(host, fragment, wire->second.front(), offset);
        if (offset != wire->second.front().size())
          error_ = fmt::format("round {}: node {} takes too little", t, node);
        wire->second.pop_front();
        if (wire->second.empty()) wires.erase(wire);
      }
    }
    if (!wires.empty()) error_ = fmt::format("round {}: {} messages nobody takes", t, wires.size());
  }

  // The messages of a round that may be sent a round early, as they are now.
  std::map<const RankMessage*, Bytes> early_messages(std::size_t round) {
    std::map<const RankMessage*, Bytes> result;
    for (Host& host : hosts_) {
      if (round >= running(host).rounds()) continue;
      for (const RankMessage& message : running(host).sends(round)) {
        if (!running(host).is_early(round, message)) continue;
        for (const Fragment& fragment : running(host).fragments(message))
          take(host, fragment, result[&message]);
      }
    }
    return result;
  }

  // The executor copies a fragment in one piece.
  void take(Host& host, const Fragment& fragment, Bytes& wire) {
    const Segmentation cut = units(host.program);
    const std::uint64_t last = address(host, fragment, fragment.count - 1) - address(host, fragment, 0) +
                               cut.elements(fragment.unit + fragment.count - 1, 1);
    if (cut.elements(fragment.unit, fragment.count) != last)
      error_ =
          fmt::format("a fragment of {} units from {} on is not in one piece", fragment.count, fragment.unit);
    for (std::uint32_t k = 0; k < fragment.count; ++k) {
      for (std::uint64_t i = 0; i < cut.elements(fragment.unit + k, 1); ++i)
        wire.push_back(host.of(fragment.buffer).at(address(host, fragment, k) + i));
    }
  }

  void put(Host& host, const Fragment& fragment, const Bytes& wire, std::size_t& offset) {
    const Segmentation cut = units(host.program);
    for (std::uint32_t k = 0; k < fragment.count; ++k) {
      for (std::uint64_t i = 0; i < cut.elements(fragment.unit + k, 1); ++i) {
        std::uint8_t& place = host.of(fragment.buffer).at(address(host, fragment, k) + i);
        std::uint8_t value = wire.at(offset++);
        if (fragment.arrival == OnArrival::join)
          value = static_cast<std::uint8_t>(value + host.input.at(cut.begin(fragment.own + k) + i));
        if (fragment.arrival == OnArrival::combine) value = static_cast<std::uint8_t>(value + place);
        place = value;
      }
    }
  }

  void check_output(Node node) {
    const Host& host = hosts_[node];
    for (std::uint64_t i = 0; i < host.output.size() && error_.empty(); ++i) {
      const std::uint8_t wanted = expected(host.program, node, i);
      if (host.output[i] == wanted) continue;
      error_ = fmt::format("node {}, byte {} of the output: {:#04x} instead of {:#04x}", node, i,
                           host.output[i], wanted);
    }
  }

  std::uint8_t expected(const RankProgram& program, Node node, std::uint64_t i) const {
    const auto block = static_cast<Node>(program.one_vector ? 0 : i / elements_);
    const std::uint64_t place = program.one_vector ? i : i % elements_;
    if (program.reduces_gathered) return element(block, 0, 0, place);
    switch (plan_.task.collective) {
      case Collective::broadcast:
        return element(root_, 0, 0, place);
      case Collective::scatter:
        return element(root_, node, 0, place);
      case Collective::gather:
      case Collective::allgather:
        return element(block, 0, 0, place);
      case Collective::alltoall:
        return element(block, node, 0, place);
      case Collective::reduce:
      case Collective::allreduce:
      case Collective::barrier:
        return sum(0, place, plan_.network.order());
      case Collective::scan:
        return sum(0, place, node + 1);
      case Collective::exscan:
        return sum(0, place, node);
      case Collective::reduce_scatter:
        return sum(node, place, plan_.network.order());
      default:
        return element(program.outputs.at(block).other, node, program.outputs.at(block).block, place);
    }
  }

  // Over the first `origins` nodes.
  std::uint8_t sum(Node to, std::uint64_t place, Node origins) const {
    std::uint8_t result = 0;
    for (Node origin = 0; origin < origins; ++origin)
      if (is_up(origin)) result = static_cast<std::uint8_t>(result + element(origin, to, 0, place));
    return result;
  }

  struct Share {
    std::uint64_t begin, end, all;
  };

  const Plan& plan_;
  std::uint64_t elements_;
  Node moved_by_;
  Node root_;
  std::uint32_t chain_ = 0;
  std::optional<Share> share_;  // that runs now
  std::vector<Host> hosts_;
  std::map<const RankMessage*, Bytes> early_;  // of the next round
  std::string error_;
};

}  // namespace

std::string emulate(const Plan& plan, std::uint64_t elements, Node moved_by) {
  return Emulation(plan, elements, moved_by).run();
}

}  // namespace isotrope::rank
