// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/scan/periodic_rounds.hpp"

#include <algorithm>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "isotrope/algorithm/scan/busiest_node.hpp"

namespace isotrope::algorithm {
namespace {

using network::Network;
using network::Node;
using network::Port;
using schedule::Problem;

// The links that messages use, numbered from 0 on.
class UsedLinks {
 public:
  UsedLinks(const Network& network, const ScanMessages& messages) {
    for (const auto& message : messages.messages()) {
      const std::uint64_t link = std::uint64_t{message.from} * network.degree() + message.port;
      of_message_.push_back(numbers_.try_emplace(link, numbers_.size()).first->second);
    }
  }
  std::size_t count() const { return numbers_.size(); }
  std::size_t of(MessageId id) const { return of_message_[id]; }

 private:
  std::unordered_map<std::uint64_t, std::size_t> numbers_;
  std::vector<std::size_t> of_message_;
};

// What links and nodes have to do in the rounds of an interval.
class IntervalTable {
 public:
  IntervalTable(const Problem& problem, const ScanMessages& messages, std::uint64_t interval)
      : network_(problem.network),
        ports_(problem.ports),
        messages_(messages),
        interval_(interval),
        links_(problem.network, messages),
        busy_(links_.count() * interval, false),
        sent_(limited() ? problem.network.order() * interval : 0, 0),
        received_(sent_.size(), 0) {}

  bool is_free(MessageId id, std::uint64_t round) const {
    const std::uint64_t slot = round % interval_;
    if (busy_[links_.of(id) * interval_ + slot]) return false;
    if (!limited()) return true;
    const std::size_t from = sender(id) * interval_ + slot, to = receiver(id) * interval_ + slot;
    if (ports_.half_duplex()) return sent_[from] + received_[from] + sent_[to] + received_[to] == 0;
    return sent_[from] < sends() && received_[to] < sends();
  }
  void take(MessageId id, std::uint64_t round) {
    const std::uint64_t slot = round % interval_;
    busy_[links_.of(id) * interval_ + slot] = true;
    if (!limited()) return;
    ++sent_[sender(id) * interval_ + slot];
    ++received_[receiver(id) * interval_ + slot];
  }

 private:
  Port sends() const { return ports_.sends(network_.degree()); }
  bool limited() const { return ports_.half_duplex() || sends() < network_.degree(); }
  std::size_t sender(MessageId id) const { return messages_.messages()[id].from; }
  std::size_t receiver(MessageId id) const {
    const auto& message = messages_.messages()[id];
    return network_.neighbour(message.from, message.port);
  }

  const Network& network_;
  schedule::PortModel ports_;
  const ScanMessages& messages_;
  std::uint64_t interval_;
  UsedLinks links_;
  std::vector<bool> busy_;      // by link and round
  std::vector<Port> sent_;      // by node and round
  std::vector<Port> received_;  // by node and round
};

// By message, the first round in which all that it adds up can have arrived.
std::vector<std::uint64_t> earliest_rounds(const ScanMessages& messages) {
  std::vector<std::uint64_t> earliest(messages.messages().size(), 0);
  for (std::size_t i = 0; i < earliest.size(); ++i) {
    for (const MessageId input : messages.inputs(static_cast<MessageId>(i)))
      earliest[i] = std::max(earliest[i], earliest[input] + 1);
  }
  return earliest;
}

std::vector<MessageId> in_order(const ScanMessages& messages) {
  const std::vector<std::uint64_t> earliest = earliest_rounds(messages);
  std::vector<MessageId> order(messages.messages().size());
  std::iota(order.begin(), order.end(), MessageId{0});
  std::ranges::stable_sort(order, [&](MessageId a, MessageId b) {
    const auto ahead = [&](MessageId id) { return messages.messages()[id].ahead; };
    return std::pair(earliest[a], ahead(b)) < std::pair(earliest[b], ahead(a));
  });
  return order;
}

}  // namespace

std::uint64_t least_interval(const Problem& problem, const ScanMessages& messages) {
  const Network& network = problem.network;
  const UsedLinks links(network, messages);
  std::vector<std::uint64_t> loads(links.count(), 0), sent(network.order(), 0), received(network.order(), 0);
  for (MessageId id = 0; id < messages.messages().size(); ++id) {
    const auto& message = messages.messages()[id];
    ++loads[links.of(id)];
    ++sent[message.from];
    ++received[network.neighbour(message.from, message.port)];
  }
  std::uint64_t interval = 1;
  for (const std::uint64_t load : loads) interval = std::max(interval, load);
  return std::max(interval, rounds_of_busiest_node(problem.ports, network.degree(), sent, received));
}

std::optional<std::vector<std::vector<MessageId>>> periodic_rounds(const Problem& problem,
                                                                   const ScanMessages& messages,
                                                                   std::uint64_t interval) {
  IntervalTable table(problem, messages, interval);
  std::vector<std::uint64_t> round_of(messages.messages().size(), 0);
  std::vector<std::vector<MessageId>> rounds;
  for (const MessageId id : in_order(messages)) {
    std::uint64_t first = 0;
    for (const MessageId input : messages.inputs(id)) first = std::max(first, round_of[input] + 1);
    std::uint64_t round = first;
    while (round < first + interval && !table.is_free(id, round)) ++round;
    if (round == first + interval) return std::nullopt;
    table.take(id, round);
    round_of[id] = round;
    if (rounds.size() <= round) rounds.resize(round + 1);
    rounds[round].push_back(id);
  }
  return rounds;
}

}  // namespace isotrope::algorithm
