// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/exports/mscclpp_lanes.hpp"

#include <algorithm>
#include <map>
#include <span>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"

#include "isotrope/schedule/ceil_div.hpp"

#include "isotrope/exports/sizes.hpp"

namespace isotrope::exports {
namespace {

using rank::Buffer;
using rank::OnArrival;
using rank::Place;

constexpr std::uint32_t no_round = UINT32_MAX;

char name_of(Buffer buffer) {
  return buffer == Buffer::input ? 'i' : buffer == Buffer::output ? 'o' : 's';
}

ChunkSpan span_of(const Place& place, std::uint32_t count) {
  return {name_of(place.buffer), place.index, count};
}

// A move over a link, with the chunks that the sender writes at the receiver.
struct Put {
  ChunkMove move;
  ChunkSpan written;
  bool lands = false;
};

using LinkPuts = std::vector<std::vector<Put>>;  // by node * degree + port

// Calls f(port, puts) for every port of `node` over which something comes in, in ascending order of ports.
template <class Function>
void for_each_arrival(const Network& network, LinkPuts& links, Node node, const Function& f) {
  for (Port port = 0; port < network.degree(); ++port) {
    const std::size_t peer = network.neighbour(node, port);
    f(port, links[peer * network.degree() + network.opposite(port)]);
  }
}

// The puts of one round of a link; `from` is their first, and is moved behind them.
std::span<Put> of_round(std::vector<Put>& puts, std::size_t& from, std::uint32_t round) {
  const std::size_t begin = from;
  while (from < puts.size() && puts[from].move.round == round) ++from;
  return std::span(puts).subspan(begin, from - begin);
}

// Decides what lands at one node.
class Landings {
 public:
  Landings(const Plan& plan, const ChunkMoves& moves, LinkPuts& links, Node node)
      : network_(hop_network(plan)),
        links_(links),
        node_(node),
        rounds_(moves.rounds),
        transit_(moves.nodes[node].transit),
        cells_(plan, moves.nodes[node], node),
        read_(cells_.count(), no_round),
        written_(cells_.count(), no_round),
        contested_(cells_.count(), no_round) {}

  /// The chunks of scratch.
  std::uint32_t run() {
    std::vector<std::size_t> sent(network_.degree(), 0), received(network_.degree(), 0);
    std::uint32_t most = 0;
    for (std::uint32_t round = 0; round < rounds_; ++round) {
      for (Port port = 0; port < network_.degree(); ++port) {
        for (const Put& put :
             of_round(links_[std::size_t{node_} * network_.degree() + port], sent[port], round))
          mark_read(put.move.from, put.move.count, round);
      }
      std::vector<std::span<Put>> arrivals;
      for_each_arrival(network_, links_, node_, [&](Port port, std::vector<Put>& puts) {
        arrivals.push_back(of_round(puts, received[port], round));
      });
      for (const std::span<Put> puts : arrivals) mark_written(puts, round);
      std::uint32_t landed = 0;
      for (const std::span<Put> puts : arrivals) {
        for (Put& put : puts) place(put, round, landed);
      }
      most = std::max(most, landed);
    }
    return transit_ + most;
  }

 private:
  void mark_read(const Place& place, std::uint32_t count, std::uint32_t round) {
    std::fill_n(read_.begin() + static_cast<std::ptrdiff_t>(cells_(place)), count, round);
  }
  void mark_written(std::span<const Put> puts, std::uint32_t round) {
    for (const Put& put : puts) {
      if (put.move.arrival == OnArrival::join)
        mark_read({Buffer::input, put.move.own}, put.move.count, round);
      for (std::size_t k = 0; k < put.move.count; ++k) {
        const std::size_t cell = cells_(put.move.to) + k;
        if (written_[cell] == round) contested_[cell] = round;
        written_[cell] = round;
      }
    }
  }
  void place(Put& put, std::uint32_t round, std::uint32_t& landed) const {
    put.written = span_of(put.move.to, put.move.count);
    put.lands = put.move.arrival != OnArrival::store;
    for (std::size_t k = 0; k < put.move.count && !put.lands; ++k) {
      const std::size_t cell = cells_(put.move.to) + k;
      put.lands = read_[cell] == round || contested_[cell] == round;
    }
    if (!put.lands) return;
    put.written = {'s', transit_ + landed, put.move.count};
    landed += put.move.count;
  }

  const Network& network_;
  LinkPuts& links_;
  Node node_;
  std::uint32_t rounds_, transit_;
  ChunkCells cells_;
  std::vector<std::uint32_t> read_, written_, contested_;  // by cell, the last round of each
};

// What puts landed chunks in their place: all operands added up.
struct Fold {
  ChunkSpan to;
  std::vector<ChunkSpan> operands;
};

bool follows(const ChunkSpan& before, const ChunkSpan& after) {
  return before.buffer == after.buffer && before.index + before.count == after.index;
}

bool follows(const Fold& before, const Fold& after) {
  return follows(before.to, after.to) && before.operands.size() == after.operands.size() &&
         std::ranges::equal(before.operands, after.operands,
                            [](const ChunkSpan& a, const ChunkSpan& b) { return follows(a, b); });
}

// The folds of one round of one GPU.
class Folds {
 public:
  void add(const Put& put) {
    for (std::uint32_t k = 0; k < put.move.count; ++k) {
      std::vector<ChunkSpan>& operands = operands_[{put.move.to.buffer, put.move.to.index + k}];
      // A chunk that comes again is the same.
      if (put.move.arrival == OnArrival::store) operands.clear();
      if (put.move.arrival == OnArrival::join) operands = {{'i', put.move.own + k, 1}};
      if (put.move.arrival == OnArrival::combine && operands.empty())
        operands.push_back(span_of({put.move.to.buffer, put.move.to.index + k}, 1));
      operands.push_back({'s', put.written.index + k, 1});
    }
  }

  std::vector<Fold> run() const {
    std::vector<Fold> result;
    for (const auto& [place, operands] : operands_) {
      Fold fold{span_of({place.first, place.second}, 1), operands};
      if (result.empty() || !follows(result.back(), fold)) {
        result.push_back(std::move(fold));
        continue;
      }
      ++result.back().to.count;
      for (ChunkSpan& operand : result.back().operands) ++operand.count;
    }
    return result;
  }

 private:
  std::map<std::pair<Buffer, std::uint32_t>, std::vector<ChunkSpan>> operands_;
};

// The lanes of one GPU.
class LaneWriter {
 public:
  LaneWriter(const Plan& plan, const ChunkMoves& moves, LinkPuts& links, Node node)
      : network_(hop_network(plan)),
        buffers_(moves.nodes[node]),
        links_(links),
        node_(node),
        rounds_(moves.rounds),
        incoming_(network_.degree()) {
    for_each_arrival(network_, links_, node_,
                     [this](Port port, std::vector<Put>& puts) { incoming_[port] = &puts; });
    for (Port port = 0; port < network_.degree(); ++port) {
      if (!outgoing(port).empty() || !incoming_[port]->empty()) ports_.push_back(port);
    }
    // Both ends count the links between them in the same order.
    std::ranges::sort(ports_, {}, [this](Port port) {
      const Node peer = network_.neighbour(node_, port);
      return std::pair(peer, node_ < peer ? port : network_.opposite(port));
    });
  }

  std::uint32_t links() const { return static_cast<std::uint32_t>(ports_.size()); }

  LanedGpu run(std::uint32_t lanes) {
    gpu_ = {};
    operations_.assign(lanes, {});
    gpu_.lanes.resize(lanes);
    for (std::uint32_t channel = 0; channel < links(); ++channel) {
      gpu_.peers.push_back(network_.neighbour(node_, ports_[channel]));
      gpu_.lanes[channel % lanes].channels.push_back(channel);
    }
    add_copies(buffers_.opening);
    sent_.assign(network_.degree(), 0);
    received_.assign(network_.degree(), 0);
    for (std::uint32_t round = 0; round < rounds_; ++round) add_round(round);
    add_copies(buffers_.closing);
    for (std::uint32_t lane = 0; lane < lanes; ++lane) cut(gpu_.lanes[lane], operations_[lane]);
    return std::move(gpu_);
  }

 private:
  std::vector<Put>& outgoing(Port port) { return links_[std::size_t{node_} * network_.degree() + port]; }

  void add_barrier() {
    const OperationKind kind = operations_.size() == 1 ? OperationKind::nop : OperationKind::barrier;
    for (std::vector<LaneOperation>& lane : operations_) lane.push_back({.kind = kind});
  }

  void add_copies(const std::vector<rank::BufferCopy>& copies) {
    if (copies.empty()) return;
    std::vector<Fold> folds;
    for (const rank::BufferCopy& copy : copies)
      folds.push_back({span_of({copy.to, copy.first_to}, copy.count),
                       {span_of({copy.from, copy.first_from}, copy.count)}});
    add_folds(folds);
  }

  // Shared out among the lanes.
  void add_folds(const std::vector<Fold>& folds) {
    for (std::size_t k = 0; k < folds.size(); ++k) add_fold(operations_[k % operations_.size()], folds[k]);
    if (!folds.empty()) add_barrier();
  }

  static void add_fold(std::vector<LaneOperation>& lane, const Fold& fold) {
    if (fold.operands.size() == 1) {
      lane.push_back({.kind = OperationKind::copy, .from = fold.operands, .to = {fold.to}});
      return;
    }
    // More operands than one operation takes: what is added up already is the first of the next.
    std::vector<ChunkSpan> operands = {fold.operands.front()};
    for (std::size_t k = 1; k < fold.operands.size(); ++k) {
      operands.push_back(fold.operands[k]);
      if (operands.size() < most_lane_channels && k + 1 < fold.operands.size()) continue;
      lane.push_back(
          {.kind = OperationKind::reduce, .from = std::exchange(operands, {fold.to}), .to = {fold.to}});
      if (k + 1 < fold.operands.size()) lane.push_back({.kind = OperationKind::nop});
    }
  }

  void add_round(std::uint32_t round) {
    Folds folds;
    std::vector<std::span<Put>> sends(ports_.size()), receipts(ports_.size());
    bool idle = true;
    for (std::size_t channel = 0; channel < ports_.size(); ++channel) {
      const Port port = ports_[channel];
      sends[channel] = of_round(outgoing(port), sent_[port], round);
      receipts[channel] = of_round(*incoming_[port], received_[port], round);
      idle = idle && sends[channel].empty() && receipts[channel].empty();
    }
    if (idle) return;
    for (std::size_t lane = 0; lane < operations_.size(); ++lane) exchange(lane, sends, receipts);
    add_barrier();
    for (Port port = 0; port < network_.degree(); ++port) {
      const auto channel = std::ranges::find(ports_, port) - ports_.begin();
      if (channel == static_cast<std::ptrdiff_t>(ports_.size())) continue;
      for (const Put& put : receipts[static_cast<std::size_t>(channel)]) {
        if (put.lands) folds.add(put);
      }
    }
    add_folds(folds.run());
  }

  void exchange(std::size_t lane, const std::vector<std::span<Put>>& sends,
                const std::vector<std::span<Put>>& receipts) {
    std::vector<LaneOperation>& operations = operations_[lane];
    const std::vector<std::uint32_t>& channels = gpu_.lanes[lane].channels;
    std::vector<std::uint32_t> in, out;
    for (std::uint32_t k = 0; k < channels.size(); ++k) {
      if (!receipts[channels[k]].empty()) in.push_back(k);
      if (!sends[channels[k]].empty()) out.push_back(k);
    }
    if (!in.empty()) operations.push_back({.kind = OperationKind::signal, .ids = in});
    if (!out.empty()) {
      operations.push_back({.kind = OperationKind::wait, .ids = out});
      operations.push_back({.kind = OperationKind::nop});
      for (const std::uint32_t k : out) add_puts(lane, gpu_.peers[channels[k]], sends[channels[k]]);
      operations.push_back({.kind = OperationKind::nop});
      operations.push_back({.kind = OperationKind::signal, .ids = out});
    }
    if (!in.empty()) operations.push_back({.kind = OperationKind::wait, .ids = in});
  }

  // The chunks of one put are all of one buffer.
  void add_puts(std::size_t lane, Node peer, std::span<const Put> puts) {
    std::vector<LaneOperation>& operations = operations_[lane];
    for (const Put& put : puts) {
      const ChunkSpan from = span_of(put.move.from, put.move.count);
      LaneOperation& last = operations.back();
      if (last.kind != OperationKind::put || last.from.size() == most_lane_channels ||
          last.from.front().buffer != from.buffer)
        operations.push_back({.kind = OperationKind::put});
      operations.back().from.push_back(from);
      operations.back().to.push_back(put.written);
      operations.back().buffers.push_back(remote_buffer(gpu_.lanes[lane], {peer, put.written.buffer}));
    }
  }

  std::uint32_t remote_buffer(Lane& lane, const RemoteBuffer& buffer) {
    const auto index_in = [](auto& list, const auto& value) {
      const auto found = std::ranges::find(list, value);
      const auto index = static_cast<std::uint32_t>(found - list.begin());
      if (found == list.end()) list.push_back(value);
      return index;
    };
    return index_in(lane.buffers, index_in(gpu_.buffers, buffer));
  }

  // Cuts the operations of a lane into blocks, each of which starts the next.
  void cut(Lane& lane, std::vector<LaneOperation>& operations) {
    if (operations.empty()) operations.push_back({.kind = OperationKind::nop});
    std::vector<LaneOperation> block;
    for (std::size_t k = 0; k < operations.size(); ++k) {
      const std::size_t left = operations.size() - k;
      if (block.size() + 2 == most_operations && left > 2) {
        block.push_back({.kind = OperationKind::nop});
        block.push_back({.kind = OperationKind::release, .ids = {gpu_.semaphores}});
        lane.blocks.push_back(std::exchange(block, {}));
        block.push_back({.kind = OperationKind::acquire, .ids = {gpu_.semaphores++}});
        block.push_back({.kind = OperationKind::nop});
      }
      block.push_back(std::move(operations[k]));
    }
    lane.blocks.push_back(std::move(block));
  }

  const Network& network_;
  const ChunkBuffers& buffers_;
  LinkPuts& links_;
  Node node_;
  std::uint32_t rounds_;
  std::vector<Port> ports_;                  // of the channels
  std::vector<std::vector<Put>*> incoming_;  // by port
  std::vector<std::size_t> sent_, received_;
  LanedGpu gpu_;
  std::vector<std::vector<LaneOperation>> operations_;  // by lane
};

std::size_t blocks_of(const LanedGpu& gpu) {
  std::size_t blocks = 0;
  for (const Lane& lane : gpu.lanes) blocks += lane.blocks.size();
  return blocks;
}

// With as many lanes as fit.
LanedGpu laned_gpu(const Plan& plan, LaneWriter& writer) {
  const std::uint32_t least =
      std::max(static_cast<std::uint32_t>(schedule::ceil_div(writer.links(), most_lane_channels)), 1U);
  std::size_t fewest = SIZE_MAX;
  for (std::uint32_t lanes = std::max(writer.links(), 1U); lanes >= least; --lanes) {
    LanedGpu gpu = writer.run(lanes);
    if (blocks_of(gpu) <= most_resident_blocks) return gpu;
    fewest = std::min(fewest, blocks_of(gpu));
  }
  throw Error(fmt::format(
      "{} on {} for MSCCL++: {} thread blocks of {} operations on a GPU; {} are the most: take fewer "
      "parts, fewer rounds or a smaller network",
      schedule::to_string(plan.task), plan.network.name(), fewest, most_operations, most_resident_blocks));
}

}  // namespace

LanedPlan laned(const Plan& plan) {
  ChunkMoves moves = chunk_moves(plan, UINT32_MAX);
  LinkPuts links(moves.links.size());
  for (std::size_t link = 0; link < links.size(); ++link) {
    for (const ChunkMove& move : moves.links[link]) links[link].push_back({.move = move, .written = {}});
  }
  std::vector<std::uint32_t> scratch;
  for (Node node = 0; node < plan.network.order(); ++node)
    scratch.push_back(Landings(plan, moves, links, node).run());
  LanedPlan result;
  for (Node node = 0; node < plan.network.order(); ++node) {
    LaneWriter writer(plan, moves, links, node);
    result.gpus.push_back(laned_gpu(plan, writer));
    result.gpus.back().scratch = scratch[node];
  }
  result.nodes = std::move(moves.nodes);
  return result;
}

}  // namespace isotrope::exports
