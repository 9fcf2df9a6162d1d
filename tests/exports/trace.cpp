// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/exports/trace.hpp"

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include <fmt/format.h>

#include "tests/exports/holdings.hpp"

namespace isotrope::exports {
namespace {

using Kind = Operation::Kind;
using schedule::Plan;

MessageName name_of(Node rank, const Operation& operation) {
  return operation.kind == Kind::send ? MessageName{operation.tag, rank, operation.peer}
                                      : MessageName{operation.tag, operation.peer, rank};
}

std::string compare_ends(const Trace& trace, Kind kind, const std::map<MessageName, std::uint64_t>& wanted) {
  std::map<MessageName, std::uint64_t> found;
  for (Node rank = 0; rank < trace.size(); ++rank) {
    for (const Operation& operation : trace[rank]) {
      if (operation.kind != kind) continue;
      if (!found.emplace(name_of(rank, operation), operation.bytes).second)
        return fmt::format("rank {}: two messages with tag {} and peer {}", rank, operation.tag,
                           operation.peer);
    }
  }
  if (found == wanted) return "";
  return fmt::format("{} of {} messages, or other bytes, {}", found.size(), wanted.size(),
                     kind == Kind::send ? "sent" : "received");
}

// What the operations of a rank wait for, directly or by way of others.
class Orders {
 public:
  Orders(const std::vector<Operation>& operations, std::uint64_t copies)
      : operations_(operations), copies_(copies), before_(operations.size()) {}

  // What operation `i` should wait for and does not.
  std::string lacking(std::size_t i) {
    const std::vector<bool>& before = all_before(i);
    const std::uint64_t first_later = first_not_awaited(i, before);
    for (std::size_t j = 0; j < operations_.size(); ++j) {
      const Operation& other = operations_[j];
      const bool must_wait = round_of(other) < first_later && other.kind != Kind::calculate &&
                             (operations_[i].kind != Kind::calculate || other.kind == Kind::receive);
      if (must_wait && !before[j]) return fmt::format("does not wait for operation {}", j);
    }
    return "";
  }

 private:
  std::uint64_t round_of(const Operation& transfer) const { return transfer.tag / copies_; }

  // Of a transfer its round; of a calculation the one after those of the receipts that it waits for.
  std::uint64_t first_not_awaited(std::size_t i, const std::vector<bool>& before) const {
    if (operations_[i].kind != Kind::calculate) return round_of(operations_[i]);
    std::uint64_t round = 0;
    for (std::size_t j = 0; j < operations_.size(); ++j) {
      if (before[j] && operations_[j].kind == Kind::receive)
        round = std::max(round, round_of(operations_[j]) + 1);
    }
    return round;
  }

  // @pre nothing waits in a circle.
  const std::vector<bool>& all_before(std::size_t i) {
    std::vector<bool>& before = before_[i];
    if (!before.empty()) return before;
    before.assign(operations_.size(), false);
    for (const std::size_t direct : operations_[i].awaits) {
      const std::vector<bool>& theirs = all_before(direct);
      for (std::size_t j = 0; j < theirs.size(); ++j) before[j] = before[j] || theirs[j];
      before[direct] = true;
    }
    return before;
  }

  const std::vector<Operation>& operations_;
  std::uint64_t copies_;
  std::vector<std::vector<bool>> before_;
};

// Operations in progress: those that wait for none of their rank may run.
class Run {
 public:
  Run(const Trace& trace, const Plan& plan, unsigned seed) : trace_(trace), holdings_(plan), random_(seed) {
    for (Node rank = 0; rank < trace.size(); ++rank) {
      followers_.emplace_back(trace[rank].size());
      left_.emplace_back();
      for (std::size_t i = 0; i < trace[rank].size(); ++i) {
        for (const std::size_t before : trace[rank][i].awaits) followers_[rank].at(before).push_back(i);
        left_[rank].push_back(trace[rank][i].awaits.size());
        if (left_[rank][i] == 0) free(rank, i);
      }
    }
  }

  std::string run() {
    while (!ready_.empty()) {
      const std::size_t chosen = random_() % ready_.size();
      const auto [rank, index] = ready_[chosen];
      ready_[chosen] = ready_.back();
      ready_.pop_back();
      if (const std::string error = perform(rank, index); !error.empty()) return error;
    }
    if (!waiting_.empty()) return "a standstill: receipts of what is never sent";
    for (const auto& rank : left_) {
      for (const std::size_t left : rank) {
        if (left > 0) return "a standstill: operations that wait for each other";
      }
    }
    return in_flight_.empty() ? holdings_.missing() : "messages that nobody receives";
  }

 private:
  using Name = std::pair<Node, std::size_t>;

  // A receipt also waits for its message.
  void free(Node rank, std::size_t index) {
    const Operation& operation = trace_[rank][index];
    if (operation.kind == Kind::receive && in_flight_.erase(name_of(rank, operation)) == 0)
      waiting_.emplace(name_of(rank, operation), Name{rank, index});
    else
      ready_.emplace_back(rank, index);
  }

  std::string perform(Node rank, std::size_t index) {
    const Operation& operation = trace_[rank][index];
    std::string error;
    if (operation.kind == Kind::send) error = send(name_of(rank, operation));
    if (operation.kind == Kind::receive) error = holdings_.receive(name_of(rank, operation));
    for (const std::size_t follower : followers_[rank][index]) {
      if (--left_[rank][follower] == 0) free(rank, follower);
    }
    return error;
  }

  std::string send(const MessageName& message) {
    if (const auto receipt = waiting_.find(message); receipt != waiting_.end()) {
      ready_.push_back(receipt->second);
      waiting_.erase(receipt);
    } else {
      in_flight_.insert(message);
    }
    return holdings_.send(message);
  }

  const Trace& trace_;
  Holdings holdings_;
  std::mt19937 random_;
  std::vector<std::vector<std::vector<std::size_t>>> followers_;
  std::vector<std::vector<std::size_t>> left_;  // to be awaited
  std::vector<Name> ready_;
  std::set<MessageName> in_flight_;
  std::map<MessageName, Name> waiting_;
};

}  // namespace

std::string compare(const Trace& trace, const Plan& plan, std::uint64_t block_bytes) {
  if (trace.size() != plan.network.order()) return fmt::format("{} ranks", trace.size());
  const auto wanted = bytes_of_messages(plan, block_bytes);
  for (const Kind kind : {Kind::send, Kind::receive}) {
    if (const std::string error = compare_ends(trace, kind, wanted); !error.empty()) return error;
  }
  const std::vector<std::uint64_t> combined = bytes_combined(plan, block_bytes);
  for (Node rank = 0; rank < trace.size(); ++rank) {
    std::uint64_t bytes = 0;
    for (const Operation& operation : trace[rank]) {
      if (operation.kind == Kind::calculate) bytes += operation.bytes;
    }
    if (bytes != combined[rank])
      return fmt::format("rank {} combines {} bytes, not {}", rank, bytes, combined[rank]);
  }
  return "";
}

std::string check_lock_step(const Trace& trace, std::uint64_t copies) {
  for (Node rank = 0; rank < trace.size(); ++rank) {
    Orders orders(trace[rank], copies);
    for (std::size_t i = 0; i < trace[rank].size(); ++i) {
      if (const std::string error = orders.lacking(i); !error.empty())
        return fmt::format("rank {}, operation {}: {}", rank, i, error);
    }
  }
  return "";
}

std::string run(const Trace& trace, const Plan& plan, unsigned seed) {
  return Run(trace, plan, seed).run();
}

}  // namespace isotrope::exports
