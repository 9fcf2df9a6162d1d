// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The plans of a machine by size, each made at the first call that needs it, and cached. Communicators of a process with the same
// network and machine share them, as the ranks of a simulator do.
//
// There are eight classes of sizes per octave; the plan of a class is that of choose_for() for the smallest size of the class, which
// `isotrope plan --bytes` writes for that size. The plan of a rooted collective is made for root 0 and translated to any other
// root; with open axes, which no translation keeps, it is made for every root.
//
// Method: two lists, of plans and of choices; the least recently used entry makes room. Cost of a hit: a linear search.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <list>
#include <memory>
#include <mutex>
#include <utility>

#include "isotrope/network/parse.hpp"

#include "isotrope/schedule/plan.hpp"
#include "isotrope/schedule/task.hpp"

#include "isotrope/cost/machine.hpp"

#include "isotrope/planner/choice.hpp"

namespace isotrope::planner {

/// Values by key, the most recently used first. Of one thread at a time.
template <class Key, class Value>
class RecentlyUsed {
 public:
  /// Keeps `most` values; the least recently used one makes room.
  explicit RecentlyUsed(std::size_t most) : most_(most) {}

  /// The value of `key`, made by `make` if it is not there.
  template <class Make>
  std::shared_ptr<const Value> find_or_make(const Key& key, const Make& make) {
    const auto found = std::ranges::find(values_, key, [](const auto& value) { return value.first; });
    if (found != values_.end()) {
      values_.splice(values_.begin(), values_, found);
    } else {
      values_.emplace_front(key, std::make_shared<const Value>(make()));
      if (values_.size() > most_) values_.pop_back();
    }
    return values_.front().second;
  }
  /// Drops the least recently used values until the sizes of the others add up to `most`, or one is left.
  template <class SizeOf>
  void keep_within(std::uint64_t most, const SizeOf& size_of) {
    if (values_.empty()) return;
    std::uint64_t total = size_of(*values_.front().second);
    const auto too_many = std::find_if(std::next(values_.begin()), values_.end(), [&](const auto& value) {
      total += size_of(*value.second);
      return total > most;
    });
    values_.erase(too_many, values_.end());
  }

 private:
  std::size_t most_;
  std::list<std::pair<Key, std::shared_ptr<const Value>>> values_;
};

/// Any thread may call its functions at any time.
class PlanCache {
 public:
  static constexpr std::size_t most_plans = 64, most_choices = 256;
  static constexpr std::uint64_t most_hops = std::uint64_t{1}
                                             << 22;  ///< of all plans, unless there is one: 48 MiB

  /// What a plan is for.
  struct Key {
    schedule::Collective collective;
    network::Node root;         ///< of plans that are translated 0
    std::uint64_t least_bytes;  ///< of the class
    bool associative;           ///< of allreduces; of the others false

    bool operator==(const Key&) const = default;
  };

  /// Without `own_plans` plan files of the user take no part.
  PlanCache(network::NamedNetwork network, cost::Machine machine, bool own_plans);
  PlanCache(const PlanCache&) = delete;
  PlanCache& operator=(const PlanCache&) = delete;

  /// The cache of this process for these; made if no other has it. Algorithms that are registered later do not enter a cache.
  static std::shared_ptr<PlanCache> shared(const network::NamedNetwork& network, const cost::Machine& machine,
                                           bool own_plans);

  /// @param bytes of a vector or a block, as MPI counts them (choice.hpp); of a barrier, any number
  /// @param associative whether the operation of an allreduce gives the same bits in any order
  Key key_of(schedule::Collective collective, network::Node root, std::uint64_t bytes,
             bool associative) const;
  /// @throws Error if no algorithm of the catalogue supports the collective on this network; so does plan().
  std::shared_ptr<const Candidate> choice(const Key& key);
  std::shared_ptr<const schedule::Plan> plan(const Key& key);

 private:
  bool is_for(const network::NamedNetwork& network, const cost::Machine& machine, bool own_plans,
              std::size_t algorithms) const;
  std::shared_ptr<const Candidate> chosen(const Key& key);

  network::NamedNetwork network_;
  cost::Machine machine_;
  bool own_plans_;
  std::size_t algorithms_;  // of the catalogue, at first
  std::mutex mutex_;
  RecentlyUsed<Key, schedule::Plan> plans_{most_plans};
  RecentlyUsed<Key, Candidate> choices_{most_choices};
};

}  // namespace isotrope::planner
