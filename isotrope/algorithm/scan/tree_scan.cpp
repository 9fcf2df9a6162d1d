// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/scan/tree_scan.hpp"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "isotrope/algorithm/scan/message_rounds.hpp"
#include "isotrope/algorithm/scan/prefix_messages.hpp"
#include "isotrope/algorithm/scan/word_tree_choice.hpp"

namespace isotrope::algorithm {
namespace {

using network::Node;
using schedule::PacketId;
using schedule::Problem;
using schedule::ValueId;

class TreeScanWriter {
 public:
  TreeScanWriter(const Problem& problem, const PrefixMessages& messages)
      : network_(problem.network),
        messages_(messages),
        values_(messages.messages().size()),
        received_(network_.order(), 0) {}

  schedule::Stage run(const std::vector<std::vector<MessageId>>& rounds) {
    for (const std::vector<MessageId>& round : rounds) {
      for (const MessageId id : round) send(id);
      for (const MessageId id : round) receive(id);
      stage_.rounds.close_round();
    }
    for (Node node = 0; node < network_.order(); ++node)
      stage_.result.push_back(values(true, messages_.result(node)));
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
    const auto next = static_cast<PacketId>(stage_.sums.size());
    const auto [sum, added] = sums_.try_emplace(values(message.own, messages_.inputs(id)), next);
    if (added) stage_.sums.push_back({0, sum->first});
    stage_.rounds.add({sum->second, message.from, message.port});
  }
  void receive(MessageId id) {
    const auto& message = messages_.messages()[id];
    values_[id] = ++received_[network_.neighbour(message.from, message.port)];
  }

  const network::Network& network_;
  const PrefixMessages& messages_;
  std::vector<ValueId> values_;    // at its receiver, by message
  std::vector<ValueId> received_;  // so far, by node
  std::map<std::vector<ValueId>, PacketId> sums_;
  schedule::Stage stage_{schedule::Flow::exchange, schedule::Replication::none(), {}, {}};
};

}  // namespace

schedule::Schedule tree_scan(const Problem& problem) {
  const std::uint32_t diameter = problem.network.diameter();
  schedule::Stage best;
  std::uint64_t least = UINT64_MAX;
  for (const WordTree& tree : promising_word_trees(problem.network, problem.ports)) {
    const PrefixMessages messages(problem.network, tree);
    const auto rounds = message_rounds(problem, messages);
    if (rounds.size() >= least) continue;
    least = rounds.size();
    best = TreeScanWriter(problem, messages).run(rounds);
    if (least == diameter) break;
  }
  const auto kind = problem.aggregated() ? schedule::RoundKind::aggregated : schedule::RoundKind::strict;
  return {problem.ports, kind, {std::move(best)}};
}

}  // namespace isotrope::algorithm
