// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/levels/exchange_writer.hpp"

#include <numeric>
#include <utility>

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
      parts_(parts),
      count_(std::size_t{parts} * network.order(), 1),
      running_(count_.size()),
      last_run_(parts, {Run{0, 0}, 0}),
      rounds_(network) {}

void ExchangeWriter::send(Node from, Node to, std::uint32_t part, Receipt receipt) {
  open_.push_back({sum_of(part, running_[at(from, part)]), from, to, receipt});
}

void ExchangeWriter::send(Node from, Node to, PacketId sum) {
  open_.push_back({sum, from, to, Receipt::added});
}

void ExchangeWriter::close_round() {
  for (const Message& message : open_) {
    const std::size_t receiver = at(message.to, sums_[message.sum].part);
    const ValueId received = count_[receiver]++;
    if (message.receipt == Receipt::added) {
      ++running_[receiver].count;
    } else {
      running_[receiver] = {received, 1};
    }
    rounds_.add(message.sum, message.from, message.to);
  }
  open_.clear();
  rounds_.close_round();
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

OverlaidSchedule ExchangeWriter::finish(schedule::PortModel ports) && {
  schedule::Stage stage{schedule::Flow::exchange, schedule::Replication::none(), {}, {}};
  stage.sums = std::move(sums_);
  stage.result.reserve(running_.size());
  for (const Run& run : running_) stage.result.push_back(values_from(run.first, run.count));
  return rounds_.finish(std::move(stage), ports, parts_);
}

}  // namespace isotrope::algorithm
