// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/scan/message_rounds.hpp"

#include <algorithm>
#include <utility>

namespace isotrope::algorithm {
namespace {

using network::Node;
using network::Port;
using schedule::Problem;

class RoundsOfMessages {
 public:
  RoundsOfMessages(const Problem& problem, const ScanMessages& messages)
      : network_(problem.network),
        sends_(problem.ports.sends(network_.degree())),
        aggregated_(problem.aggregated()),
        messages_(messages),
        missing_(messages.messages().size()),
        ready_(network_.directed_links()) {
    list_users();
    for (std::size_t i = 0; i < missing_.size(); ++i) {
      if (is_needed(static_cast<MessageId>(i)) && missing_[i] == 0) make_ready(static_cast<MessageId>(i));
    }
  }

  std::vector<std::vector<MessageId>> run() {
    std::vector<std::vector<MessageId>> rounds;
    while (!links_.empty()) {
      std::vector<MessageId>& round = rounds.emplace_back();
      for (const std::uint64_t link : links_of_round()) take(link, round);
      std::erase_if(links_, [&](std::uint64_t link) { return ready_[link].empty(); });
      for (const MessageId id : round) arrive(id);
    }
    return rounds;
  }

 private:
  bool is_needed(MessageId id) const { return messages_.messages()[id].ahead > 0; }

  // The messages that add up a message, by that message.
  void list_users() {
    first_user_.assign(missing_.size() + 1, 0);
    const auto for_inputs = [&](const auto& function) {
      for (std::size_t i = 0; i < missing_.size(); ++i) {
        const auto id = static_cast<MessageId>(i);
        if (!is_needed(id)) continue;
        for (const MessageId input : messages_.inputs(id)) function(input, id);
      }
    };
    for_inputs([&](MessageId input, MessageId id) {
      ++first_user_[input + 1];
      ++missing_[id];
    });
    for (std::size_t i = 1; i < first_user_.size(); ++i) first_user_[i] += first_user_[i - 1];
    users_.resize(first_user_.back());
    std::vector<std::size_t> next = first_user_;
    for_inputs([&](MessageId input, MessageId id) { users_[next[input]++] = id; });
  }

  void make_ready(MessageId id) {
    const auto& message = messages_.messages()[id];
    const std::uint64_t link = std::uint64_t{message.from} * network_.degree() + message.port;
    if (ready_[link].empty()) links_.push_back(link);
    ready_[link].push_back(id);
  }

  // Longest chains first, then earlier messages.
  bool is_more_urgent(MessageId a, MessageId b) const {
    const auto chain = [&](MessageId id) { return messages_.messages()[id].ahead; };
    return std::pair(chain(b), a) < std::pair(chain(a), b);
  }
  auto most_urgent(std::uint64_t link) {
    return std::ranges::min_element(ready_[link],
                                    [&](MessageId a, MessageId b) { return is_more_urgent(a, b); });
  }

  std::vector<std::uint64_t> links_of_round() {
    if (sends_ >= network_.degree()) return links_;
    std::vector<MessageId> first;
    for (const std::uint64_t link : links_) first.push_back(*most_urgent(link));
    std::ranges::sort(first, [&](MessageId a, MessageId b) { return is_more_urgent(a, b); });
    std::vector<Port> sent(network_.order(), 0), received(network_.order(), 0);
    std::vector<std::uint64_t> chosen;
    for (const MessageId id : first) {
      const auto& message = messages_.messages()[id];
      const Node to = network_.neighbour(message.from, message.port);
      if (sent[message.from] == sends_ || received[to] == sends_) continue;
      ++sent[message.from];
      ++received[to];
      chosen.push_back(std::uint64_t{message.from} * network_.degree() + message.port);
    }
    return chosen;
  }

  // Moves what the link sends in this round to `round`.
  void take(std::uint64_t link, std::vector<MessageId>& round) {
    std::vector<MessageId>& ready = ready_[link];
    if (aggregated_) {
      round.insert(round.end(), ready.begin(), ready.end());
      ready.clear();
      return;
    }
    const auto first = most_urgent(link);
    round.push_back(*first);
    ready.erase(first);
  }

  void arrive(MessageId id) {
    for (std::size_t i = first_user_[id]; i < first_user_[id + 1]; ++i) {
      if (--missing_[users_[i]] == 0) make_ready(users_[i]);
    }
  }

  const network::Network& network_;
  Port sends_;
  bool aggregated_;
  const ScanMessages& messages_;
  std::vector<std::size_t> first_user_;
  std::vector<MessageId> users_;
  std::vector<std::uint32_t> missing_;         // inputs that have not arrived, by message
  std::vector<std::vector<MessageId>> ready_;  // by link
  std::vector<std::uint64_t> links_;           // that have ready messages
};

}  // namespace

std::vector<std::vector<MessageId>> message_rounds(const Problem& problem, const ScanMessages& messages) {
  return RoundsOfMessages(problem, messages).run();
}

}  // namespace isotrope::algorithm
