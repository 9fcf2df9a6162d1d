// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/scan/written_scan.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace isotrope::algorithm {
namespace {

using network::Network;
using network::Node;
using schedule::PacketId;
using schedule::Stage;
using schedule::ValueId;

class ScanWriter {
 public:
  ScanWriter(const Network& network, const ScanMessages& messages)
      : network_(network),
        messages_(messages),
        values_(messages.messages().size()),
        sum_of_(messages.messages().size()),
        received_(std::size_t{messages.nodes()} * messages.parts(), 0),
        sums_(messages.parts()) {}

  Stage run(const std::vector<std::vector<MessageId>>& rounds) {
    for (const std::vector<MessageId>& round : rounds) {
      for (const MessageId id : round) send(id);
      for (const MessageId id : round) receive(id);
    }
    const std::vector<PacketId> first = list_sums();
    for (const std::vector<MessageId>& round : rounds) {
      for (const MessageId id : round) {
        const auto& message = messages_.messages()[id];
        stage_.rounds.add({first[message.part] + sum_of_[id], message.from, message.port});
      }
      stage_.rounds.close_round();
    }
    list_results();
    return std::move(stage_);
  }

 private:
  std::vector<ValueId> values(bool own, std::span<const MessageId> received) const {
    std::vector<ValueId> result(own ? 1 : 0, 0);
    for (const MessageId id : received) result.push_back(values_[id]);
    std::ranges::sort(result);
    return result;
  }
  void send(MessageId id) {
    const auto& message = messages_.messages()[id];
    auto& sums = sums_[message.part];
    const auto next = static_cast<PacketId>(sums.size());
    sum_of_[id] = sums.try_emplace(values(message.own, messages_.inputs(id)), next).first->second;
  }
  void receive(MessageId id) {
    const auto& message = messages_.messages()[id];
    const Node to = network_.neighbour(message.from, message.port);
    values_[id] = ++received_[std::size_t{message.part} * messages_.nodes() + to];
  }
  // The number of every part's first sum.
  std::vector<PacketId> list_sums() {
    std::vector<PacketId> first;
    for (std::uint32_t part = 0; part < messages_.parts(); ++part) {
      first.push_back(static_cast<PacketId>(stage_.sums.size()));
      stage_.sums.resize(stage_.sums.size() + sums_[part].size());
      for (const auto& [values, number] : sums_[part]) stage_.sums[first.back() + number] = {part, values};
    }
    return first;
  }
  void list_results() {
    for (std::uint32_t part = 0; part < messages_.parts(); ++part) {
      for (Node node = 0; node < messages_.nodes(); ++node)
        stage_.result.push_back(values(true, messages_.result(part, node)));
    }
  }

  const Network& network_;
  const ScanMessages& messages_;
  std::vector<ValueId> values_;                                 // at its receiver, by message
  std::vector<PacketId> sum_of_;                                // among those of its part, by message
  std::vector<ValueId> received_;                               // so far, by part and node
  std::vector<std::map<std::vector<ValueId>, PacketId>> sums_;  // by part
  Stage stage_{schedule::Flow::exchange, schedule::Replication::none(), {}, {}};
};

}  // namespace

Stage written_scan(const Network& network, const ScanMessages& messages,
                   const std::vector<std::vector<MessageId>>& rounds) {
  return ScanWriter(network, messages).run(rounds);
}

}  // namespace isotrope::algorithm
