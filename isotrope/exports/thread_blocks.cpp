// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/exports/thread_blocks.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <span>
#include <string>
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

// The most chunks of one move.
constexpr std::uint32_t most_move = 71;

// A channel serves the sends and receipts of this many ports, and the block that copies.
constexpr Port channel_ports = (most_channel_blocks - 1) / 2;

// The distribution of moves to channels.
class Channels {
 public:
  Channels(Port degree, std::uint32_t a_link)
      : groups_((degree + channel_ports - 1) / channel_ports), a_link_(a_link) {}

  std::uint32_t count() const { return groups_ * a_link_; }
  /// Of the `index`-th move over the sender's `port`.
  std::uint32_t of(Port port, std::size_t index) const {
    return port / channel_ports * a_link_ + static_cast<std::uint32_t>(index % a_link_);
  }

 private:
  std::uint32_t groups_;  // of ports
  std::uint32_t a_link_;  // channels
};

struct StepName {
  std::int32_t block = -1;
  std::int32_t step = -1;
  std::uint32_t order = 0;  // among all steps of the GPU
};

// The steps that are known to be complete: the last one of each block.
class Clock {
 public:
  bool knows(const StepName& step) const {
    const auto block = static_cast<std::size_t>(step.block);
    return block < last_.size() && last_[block] >= step.step;
  }
  void learn(std::int32_t block, std::int32_t step) {
    const auto index = static_cast<std::size_t>(block);
    if (last_.size() <= index) last_.resize(index + 1, -1);
    last_[index] = std::max(last_[index], step);
  }
  void learn(const Clock& other) {
    for (std::size_t block = 0; block < other.last_.size(); ++block)
      learn(static_cast<std::int32_t>(block), other.last_[block]);
  }

 private:
  std::vector<std::int32_t> last_;
};

// The step that last wrote a chunk, and its readers since.
struct Uses {
  struct Read {
    StepName step;
    std::uint32_t sent_in_round = UINT32_MAX;  // of a send
  };
  StepName writer;
  std::vector<Read> reads;
};

// The uses of all chunks of one GPU.
class ChunkUses {
 public:
  ChunkUses(const Plan& plan, const ChunkBuffers& buffers, Node node)
      : cells_(plan, buffers, node), uses_(cells_.count()) {}

  Uses& operator()(const rank::Place& place, std::uint32_t k) { return uses_[cells_(place) + k]; }

 private:
  ChunkCells cells_;
  std::vector<Uses> uses_;
};

// The blocks of one GPU.
class Gpu {
 public:
  Gpu(const Plan& plan, const ChunkMoves& moves, const Channels& channels, Node node)
      : network_(hop_network(plan)),
        moves_(moves),
        channels_(channels),
        node_(node),
        uses_(plan, moves.nodes[node], node),
        sent_(network_.degree(), 0),
        received_(network_.degree(), 0) {}

  std::vector<ThreadBlock> run() {
    add_copies(moves_.nodes[node_].opening);
    for (round_ = 0; round_ < moves_.rounds; ++round_) {
      for (Port port = 0; port < network_.degree(); ++port) add_sends(port);
      for (Port port = 0; port < network_.degree(); ++port) add_receipts(port);
    }
    add_copies(moves_.nodes[node_].closing);
    for (const auto& [block, step] : awaited_)
      blocks_[static_cast<std::size_t>(block)].steps[static_cast<std::size_t>(step)].is_awaited = true;
    return std::move(blocks_);
  }

 private:
  void add_copies(const std::vector<rank::BufferCopy>& copies) {
    for (const rank::BufferCopy& copy : copies) {
      for (std::uint32_t done = 0; done < copy.count; done += most_move) {
        add(block(-1, -1, 0), {.kind = StepKind::copy,
                               .count = std::min(copy.count - done, most_move),
                               .from = {copy.from, copy.first_from + done},
                               .to = {copy.to, copy.first_to + done}});
      }
    }
  }

  void add_sends(Port port) {
    const std::vector<ChunkMove>& moves = link(node_, port);
    for (std::size_t& k = sent_[port]; k < moves.size() && moves[k].round == round_; ++k) {
      add(block(network_.neighbour(node_, port), -1, channels_.of(port, k)),
          {.kind = StepKind::send, .count = moves[k].count, .from = moves[k].from, .to = moves[k].to});
    }
  }

  void add_receipts(Port port) {
    const Node peer = network_.neighbour(node_, port);
    const Port theirs = network_.opposite(port);
    const std::vector<ChunkMove>& moves = link(peer, theirs);
    for (std::size_t& k = received_[port]; k < moves.size() && moves[k].round == round_; ++k) {
      const ChunkMove& move = moves[k];
      ThreadStep step{.kind = StepKind::receive, .count = move.count, .from = move.from, .to = move.to};
      if (move.arrival != OnArrival::store) {
        step.kind = StepKind::receive_reduce;
        step.from = move.arrival == OnArrival::join ? rank::Place{Buffer::input, move.own} : move.to;
      }
      add(block(-1, peer, channels_.of(theirs, k)), step);
    }
  }

  const std::vector<ChunkMove>& link(Node node, Port port) const {
    return moves_.links[std::size_t{node} * network_.degree() + port];
  }

  std::int32_t block(std::int64_t send, std::int64_t receive, std::uint32_t channel) {
    const auto [found, is_new] =
        block_of_.try_emplace({send, receive, channel}, static_cast<std::int32_t>(blocks_.size()));
    if (is_new) {
      blocks_.push_back({.send = send, .receive = receive, .channel = channel, .steps = {}});
      clocks_.emplace_back();
      history_.emplace_back();
    }
    return found->second;
  }

  // ---- waiting

  static bool reads(const ThreadStep& step) { return step.kind != StepKind::receive; }
  static bool writes(const ThreadStep& step) { return step.kind != StepKind::send; }

  // The steps that must be complete before `step`.
  std::vector<StepName> predecessors(const ThreadStep& step) {
    std::vector<StepName> result;
    const auto add = [&](const StepName& name) {
      if (name.block >= 0) result.push_back(name);
    };
    for (std::uint32_t k = 0; k < step.count; ++k) {
      if (reads(step)) add(uses_(step.from, k).writer);
      if (!writes(step)) continue;
      const Uses& uses = uses_(step.to, k);
      add(uses.writer);
      for (const auto& [reader, sent_in_round] : uses.reads) {
        if (sent_in_round != round_) add(reader);
      }
    }
    return result;
  }

  void record(const ThreadStep& step, const StepName& name) {
    const std::uint32_t sent_in_round = step.kind == StepKind::send ? round_ : UINT32_MAX;
    for (std::uint32_t k = 0; k < step.count && reads(step); ++k)
      uses_(step.from, k).reads.push_back({name, sent_in_round});
    for (std::uint32_t k = 0; k < step.count && writes(step); ++k) uses_(step.to, k) = {name, {}};
  }

  // The steps of `before` to wait for. The latest come first, because they may imply others.
  std::vector<StepName> waits(std::int32_t block, std::vector<StepName> before) {
    std::ranges::sort(before, std::ranges::greater{}, &StepName::order);
    Clock& clock = clocks_[static_cast<std::size_t>(block)];
    std::vector<StepName> result;
    for (const StepName& name : before) {
      if (clock.knows(name)) continue;
      clock.learn(history_[static_cast<std::size_t>(name.block)][static_cast<std::size_t>(name.step)]);
      awaited_.emplace_back(name.block, name.step);
      result.push_back(name);
    }
    return result;
  }

  void add(std::int32_t block, ThreadStep step) {
    std::vector<StepName> awaited = waits(block, predecessors(step));
    if (!awaited.empty()) {
      step.awaited_block = awaited.back().block;
      step.awaited_step = awaited.back().step;
      awaited.pop_back();
    }
    for (const StepName& name : awaited)
      append(block, {.awaited_block = name.block, .awaited_step = name.step});
    record(step, append(block, step));
  }

  StepName append(std::int32_t block, const ThreadStep& step) {
    const auto index = static_cast<std::size_t>(block);
    blocks_[index].steps.push_back(step);
    const auto number = static_cast<std::int32_t>(blocks_[index].steps.size() - 1);
    clocks_[index].learn(block, number);
    history_[index].push_back(clocks_[index]);
    return {block, number, order_++};
  }

  const Network& network_;
  const ChunkMoves& moves_;
  const Channels& channels_;
  Node node_;
  ChunkUses uses_;
  std::uint32_t round_ = 0;
  std::vector<std::size_t> sent_, received_;  // moves over each port so far
  std::vector<ThreadBlock> blocks_;
  std::map<std::tuple<std::int64_t, std::int64_t, std::uint32_t>, std::int32_t> block_of_;
  std::vector<Clock> clocks_;                // by block
  std::vector<std::vector<Clock>> history_;  // by block and step
  std::vector<std::pair<std::int32_t, std::int32_t>> awaited_;
  std::uint32_t order_ = 0;
};

ThreadBlocks distributed(const Plan& plan, const ChunkMoves& moves, std::uint32_t channels_a_link) {
  const Channels channels(hop_network(plan).degree(), channels_a_link);
  ThreadBlocks result{.channels = channels.count(), .buffers = {}, .gpus = {}};
  for (Node node = 0; node < plan.network.order(); ++node)
    result.gpus.push_back(Gpu(plan, moves, channels, node).run());
  return result;
}

template <class Range>
std::size_t longest(const Range& ranges) {
  std::size_t result = 0;
  for (const auto& range : ranges) result = std::max(result, range.size());
  return result;
}

std::size_t longest_block(const ThreadBlocks& blocks) {
  std::size_t result = 0;
  for (const auto& gpu : blocks.gpus) {
    for (const ThreadBlock& block : gpu) result = std::max(result, block.steps.size());
  }
  return result;
}

}  // namespace

ThreadBlocks thread_blocks(const Plan& plan) {
  ChunkMoves moves = chunk_moves(plan, most_move);
  const std::string subject =
      fmt::format("{} on {} for MSCCL", schedule::to_string(plan.task), plan.network.name());
  const std::size_t moves_a_link = longest(moves.links);
  const std::uint64_t most = most_channels / Channels(hop_network(plan).degree(), 1).count();
  std::uint64_t a_link = std::max<std::uint64_t>(schedule::ceil_div(moves_a_link, most_steps), 1);
  if (a_link > most) {
    throw Error(
        fmt::format("{}: {} steps over one link; {} channels of {} steps are the most: take fewer parts",
                    subject, moves_a_link, most, most_steps));
  }
  for (;; ++a_link) {
    ThreadBlocks blocks = distributed(plan, moves, static_cast<std::uint32_t>(a_link));
    const std::size_t steps = longest_block(blocks), count = longest(blocks.gpus);
    if (count > most_blocks) {
      throw Error(
          fmt::format("{}: {} thread blocks on a GPU, for at most {} steps each; {} are the most: take "
                      "fewer parts or a network of fewer ports",
                      subject, count, most_steps, most_blocks));
    }
    if (steps <= most_steps) {
      blocks.buffers = std::move(moves.nodes);
      return blocks;
    }
    if (a_link == most) {
      throw Error(fmt::format("{}: {} steps in a thread block; {} are the most: take fewer parts", subject,
                              steps, most_steps));
    }
  }
}

}  // namespace isotrope::exports
