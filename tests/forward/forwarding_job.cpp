// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "forwarding_job.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace isotrope::forward {

std::byte byte_of(Node from, Node to, std::uint64_t place) {
  return static_cast<std::byte>((from * 131U + to * 31U + place * 7U + place / 251U) % 251U);
}

void ForwardingJob::make_nodes() {
  const Node order = network_.network.order();
  nodes_.resize(order);
  for (Node node = 0; node < order; ++node) {
    NodeState& state = nodes_[node];
    state.ports.emplace(survivors_, node);
    state.sent.resize(order);
    state.received.resize(order);
    state.received_bytes.assign(order, 0);
    state.lane_bytes.assign(state.ports->lanes(), 0);
  }
}

void ForwardingJob::fill(Node node, Node to, std::uint64_t bytes) {
  for (std::uint64_t i = 0; i < bytes; ++i) nodes_[node].sent[to].push_back(byte_of(node, to, i));
}

ForwardingJob::ForwardingJob(const network::NamedNetwork& network,
                             std::vector<std::vector<std::uint64_t>> bytes)
    : network_(network), survivors_(network.network, network.lacks) {
  make_nodes();
  const std::uint32_t longest = distances_of(survivors_).largest;
  for (Node node = 0; node < nodes_.size(); ++node) {
    nodes_[node].forwarder.emplace(
        *nodes_[node].ports, longest,
        [=, this](const Unit& unit, const std::byte* data) { deliver(node, unit, data); });
    add_blocks(node, bytes[node]);
  }
}

ForwardingJob::ForwardingJob(const network::NamedNetwork& network,
                             std::vector<std::vector<std::uint64_t>> bytes, std::uint32_t rounds)
    : network_(network), survivors_(network.network, network.lacks) {
  make_nodes();
  const std::deque<BalancedRoutes> routes = balanced(bytes, rounds);
  for (Node node = 0; node < nodes_.size(); ++node) {
    nodes_[node].forwarder.emplace(
        *nodes_[node].ports, routes[node],
        [=, this](const Unit& unit, const std::byte* data) { deliver(node, unit, data); });
    add_blocks(node, bytes[node]);
  }
}

void ForwardingJob::add_blocks(Node node, const std::vector<std::uint64_t>& bytes) {
  NodeState& state = nodes_[node];
  for (Node to = 0; to < nodes_.size(); ++to) {
    if (to == node) continue;
    fill(node, to, bytes[to]);
    nodes_[to].received[node].resize(bytes[to]);
    state.forwarder->add(to, state.sent[to]);
  }
  state.forwarder->start();
}

// What every node would sum with all others, summed here.
std::deque<BalancedRoutes> ForwardingJob::balanced(const std::vector<std::vector<std::uint64_t>>& bytes,
                                                   std::uint32_t rounds) {
  graph_.emplace(survivors_);
  std::deque<BalancedRoutes> result;
  for (Node node = 0; node < nodes_.size(); ++node) {
    std::vector<std::uint64_t> own = bytes[node];
    own[node] = 0;
    std::uint64_t received = 0;
    for (Node from = 0; from < nodes_.size(); ++from) received += from == node ? 0 : bytes[from][node];
    result.emplace_back(*graph_, node, std::move(own), received, distances_of(survivors_).largest);
  }
  for (std::uint32_t round = 0; round <= rounds; ++round) {
    const std::size_t numbers =
        round == 0 ? BalancedRoutes::demand_numbers(*graph_) : BalancedRoutes::round_numbers(*graph_);
    std::vector<std::uint64_t> sums(numbers, 0), written(numbers, 0);
    for (BalancedRoutes& node : result) {
      round == 0 ? node.write_demand(written) : node.write_loads(written);
      for (std::size_t i = 0; i < numbers; ++i) sums[i] += written[i];
    }
    for (BalancedRoutes& node : result) round == 0 ? node.take_demand(sums) : node.take_loads(sums);
    busiest_.push_back(result.front().busiest());
  }
  for (BalancedRoutes& node : result) node.finish();
  busiest_.push_back(result.front().busiest());
  bound_ = result.front().bound();
  return result;
}

ForwardingJob::ForwardingJob(const network::NamedNetwork& network, Form form,
                             const std::vector<std::uint64_t>& bytes)
    : network_(network), survivors_(network.network, network.lacks), form_(form) {
  make_nodes();
  for (Node node = 0; node < nodes_.size(); ++node) {
    NodeState& state = nodes_[node];
    state.trees.emplace(SpreadTrees::of(survivors_, *state.ports));
    const auto deliver_here = [=, this](const Unit& unit, const std::byte* data) {
      deliver(node, unit, data);
    };
    if (form == Form::allgather) {
      state.forwarder.emplace(*state.ports, *state.trees, bytes, deliver_here);
      fill(node, 0, bytes[node]);
      for (Node to = 0; to < nodes_.size(); ++to) nodes_[to].received[node].resize(bytes[node]);
      state.forwarder->spread(state.sent[0]);
    } else {
      const auto add = [](const std::byte* from, std::byte* into, std::uint64_t count) {
        for (std::uint64_t i = 0; i < count; ++i)
          into[i] = static_cast<std::byte>(static_cast<unsigned>(from[i]) + static_cast<unsigned>(into[i]));
      };
      state.forwarder.emplace(*state.ports, *state.trees, bytes, Forwarder::Addition{1, add}, deliver_here);
      state.received[node].resize(bytes[node]);
      for (Node owner = 0; owner < nodes_.size(); ++owner) {
        fill(node, owner, bytes[owner]);
        state.forwarder->contribute(owner, state.sent[owner]);
      }
    }
    state.forwarder->start();
  }
}

void ForwardingJob::deliver(Node node, const Unit& unit, const std::byte* bytes) {
  NodeState& state = nodes_[node];
  std::vector<std::byte>& block = state.received[unit.origin];
  state.received_bytes[unit.origin] += unit.bytes;
  if (unit.offset + unit.bytes <= block.size()) std::memcpy(block.data() + unit.offset, bytes, unit.bytes);
}

void ForwardingJob::record(Node node, std::size_t lane, const Message& message) {
  std::uint32_t units = 0;
  std::memcpy(&units, message.get(), sizeof(units));
  if (units == 0) ++empty_messages_;
  for (std::uint32_t i = 0; i < units; ++i) {
    Unit unit;
    std::memcpy(&unit, message.get() + Forwarder::header_bytes + i * sizeof(Unit), sizeof(Unit));
    nodes_[node].lane_bytes[lane] += unit.bytes;
    if (form_ != Form::exchange) continue;
    const auto known = std::ranges::find_if(units_, [&](const Unit& other) {
      return other.origin == unit.origin && other.destination == unit.destination &&
             other.offset == unit.offset;
    });
    const auto packet = static_cast<schedule::PacketId>(known - units_.begin());
    if (known == units_.end()) {
      const auto block = static_cast<std::uint32_t>(std::ranges::count_if(units_, [&](const Unit& other) {
        return other.origin == unit.origin && other.destination == unit.destination;
      }));
      units_.push_back(unit);
      stage_.packets.push_back({unit.origin, unit.destination, block, 0});
    }
    for (const Port port : survivors_.ports(node)) {
      if (nodes_[node].ports->lane_of(port) != lane) continue;
      stage_.rounds.add({packet, node, port});
      break;
    }
  }
}

void ForwardingJob::send(Node node, std::size_t lane, std::vector<InFlight>& sent) {
  NodeState& state = nodes_[node];
  if (!state.forwarder->has_message(lane, true)) return;
  const Message message = std::make_shared<std::byte[]>(Forwarder::largest_message());
  const std::uint64_t bytes = state.forwarder->write(lane, message.get());
  record(node, lane, message);
  const Node to = state.ports->neighbour(lane);
  const ShortestPorts& there = *nodes_[to].ports;
  std::size_t back = 0;
  while (there.neighbour(back) != node) ++back;
  sent.push_back({to, back, message, bytes});
}

bool ForwardingJob::run(std::uint64_t most_steps) {
  const auto complete = [](const NodeState& state) { return state.forwarder->is_complete(); };
  while (!std::ranges::all_of(nodes_, complete)) {
    if (steps_++ == most_steps) return false;
    std::vector<InFlight> sent;
    for (Node node = 0; node < nodes_.size(); ++node) {
      for (std::size_t lane = 0; lane < nodes_[node].ports->lanes(); ++lane) send(node, lane, sent);
    }
    stage_.rounds.close_round();
    if (sent.empty()) return false;  // deadlock
    for (InFlight& message : sent) {
      Forwarder& forwarder = *nodes_[message.to].forwarder;
      if (forwarder.awaited(message.lane) == 0) return false;  // nobody would receive it
      forwarder.receive(message.lane, std::move(message.message), message.bytes);
    }
  }
  return has_all() && std::ranges::all_of(nodes_, [](const NodeState& state) {
           for (std::size_t lane = 0; lane < state.ports->lanes(); ++lane) {
             if (state.forwarder->awaited(lane) != 0) return false;  // a receive would be left over
           }
           return true;
         });
}

bool ForwardingJob::has_all() const {
  for (Node node = 0; node < nodes_.size(); ++node) {
    for (Node from = 0; from < nodes_.size(); ++from) {
      const std::vector<std::byte>& block = nodes_[node].received[from];
      if (from == node && form_ != Form::reduce_scatter) continue;
      if (nodes_[node].received_bytes[from] != block.size()) return false;
      for (std::uint64_t i = 0; i < block.size(); ++i) {
        if (block[i] != expected(node, from, i)) return false;
      }
    }
  }
  return true;
}

std::byte ForwardingJob::expected(Node node, Node from, std::uint64_t place) const {
  if (form_ != Form::reduce_scatter) return byte_of(from, form_ == Form::allgather ? 0 : node, place);
  unsigned sum = 0;
  for (Node other = 0; other < nodes_.size(); ++other)
    sum += static_cast<unsigned>(byte_of(other, node, place));
  return static_cast<std::byte>(sum);
}

std::uint64_t ForwardingJob::largest_lane_bytes() const {
  std::uint64_t result = 0;
  for (const NodeState& state : nodes_) {
    for (std::size_t lane = 0; lane < state.lane_bytes.size(); ++lane)
      result = std::max(result, state.lane_bytes[lane] / state.ports->links(lane));
  }
  return result;
}

bool ForwardingJob::knows_extremes() const {
  ExchangeExtremes expected;
  for (Node node = 0; node < nodes_.size(); ++node) {
    ExchangeExtremes own;
    for (Node to = 0; to < nodes_.size(); ++to) {
      if (to == node) continue;
      const std::uint64_t bytes = nodes_[node].sent[to].size();
      own.include({0, 0, bytes, bytes});
      own.most_bytes += bytes;
      own.most_blocks += bytes > 0 ? 1 : 0;
    }
    expected.include(own);
  }
  return std::ranges::all_of(nodes_,
                             [&](const NodeState& state) { return state.forwarder->extremes() == expected; });
}

schedule::Plan ForwardingJob::plan() const {
  schedule::Task task{.collective = schedule::Collective::task};
  for (const schedule::Packet& packet : stage_.packets) {
    const auto same = std::ranges::find_if(task.deliveries, [&](const schedule::Delivery& delivery) {
      return delivery.from == packet.origin && delivery.to == packet.to;
    });
    if (same == task.deliveries.end()) {
      task.deliveries.push_back({packet.origin, packet.to, 1});
    } else {
      ++same->blocks;
    }
  }
  schedule::Plan result{network_.network,
                        network_.lacks,
                        std::move(task),
                        {schedule::PortModel::all(), schedule::RoundKind::aggregated, {}},
                        {},
                        {}};
  result.schedule.stages.push_back(stage_);
  return result;
}

}  // namespace isotrope::forward
