// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/levels/exchange_writer.hpp"

#include <algorithm>
#include <numeric>

namespace isotrope::algorithm {

using network::Network;
using network::Node;
using schedule::PacketId;
using schedule::ValueId;

namespace {

std::vector<ValueId> values_from(ValueId first, std::uint32_t count) {
  std::vector<ValueId> result(count);
  std::iota(result.begin(), result.end(), first);
  return result;
}

}  // namespace

ExchangeWriter::ExchangeWriter(const Network& network, std::uint32_t parts)
    : network_(network),
      count_(std::size_t{parts} * network.order(), 1),
      running_(count_.size()),
      last_run_(parts, {Run{0, 0}, 0}) {}

void ExchangeWriter::send(Node from, Node to, std::uint32_t part, Receipt receipt) {
  messages_.push_back({sum_of(part, running_[at(from, part)]), from, to, receipt});
}

void ExchangeWriter::send(Node from, Node to, PacketId sum) {
  messages_.push_back({sum, from, to, Receipt::added});
}

void ExchangeWriter::close_round() {
  for (std::size_t i = ends_.empty() ? 0 : ends_.back(); i < messages_.size(); ++i) {
    const Message& message = messages_[i];
    const std::size_t receiver = at(message.to, sums_[message.sum].part);
    const ValueId received = count_[receiver]++;
    if (message.receipt == Receipt::added) {
      ++running_[receiver].count;
    } else {
      running_[receiver] = {received, 1};
    }
  }
  ends_.push_back(messages_.size());
}

PacketId ExchangeWriter::sum_of(std::uint32_t part, const std::vector<ValueId>& values) {
  const auto [found, is_new] = sum_numbers_.try_emplace({part, values}, static_cast<PacketId>(sums_.size()));
  if (is_new) sums_.push_back({part, values});
  return found->second;
}

PacketId ExchangeWriter::sum_of(std::uint32_t part, Run run) {
  auto& [last, sum] = last_run_[part];
  if (last != run) {
    sum = sum_of(part, values_from(run.first, run.count));
    last = run;
  }
  return sum;
}

// All offsets in use and their negatives, the farthest first.
std::vector<Node> ExchangeWriter::generators() const {
  std::vector<std::uint8_t> used(network_.order(), 0);
  for (const Message& message : messages_) used[network_.group().subtract(message.to, message.from)] = 1;
  std::vector<Node> result;
  for (Node offset = 1; offset < network_.order(); ++offset) {
    if (used[offset] != 0 || used[network_.group().negate(offset)] != 0) result.push_back(offset);
  }
  std::ranges::stable_sort(result, std::ranges::greater(),
                           [this](Node offset) { return network_.distance(0, offset); });
  return result;
}

OverlaidSchedule ExchangeWriter::finish(schedule::PortModel ports) const {
  std::vector<Node> offsets = generators();
  std::vector<network::Port> port_of(network_.order(), 0);
  for (std::size_t port = 0; port < offsets.size(); ++port)
    port_of[offsets[port]] = static_cast<network::Port>(port);
  schedule::Stage stage{schedule::Flow::exchange, schedule::Replication::none(), {}, {}};
  stage.sums = sums_;
  stage.rounds.reserve(ends_.size(), messages_.size());
  std::size_t sent = 0;
  for (const std::size_t end : ends_) {
    for (; sent < end; ++sent) {
      const Message& message = messages_[sent];
      const Node offset = network_.group().subtract(message.to, message.from);
      stage.rounds.add({message.sum, message.from, port_of[offset]});
    }
    stage.rounds.close_round();
  }
  stage.result.reserve(running_.size());
  for (const Run& run : running_) stage.result.push_back(values_from(run.first, run.count));
  return {Network("cayley", network_.group(), std::move(offsets)),
          {ports, schedule::RoundKind::aggregated, {std::move(stage)}}};
}

}  // namespace isotrope::algorithm
