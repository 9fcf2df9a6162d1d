// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Plans chosen by size, kept for the next time that the same is asked.
//
// The key is all that the choice depends on: the whole request, with the network by its group and generators,
// the bytes of a block, the machine, and what is fixed. When `capacity` plans are held, the one not asked for
// the longest makes room. Plans are shared: one that is dropped lives on with whoever has it.
//
// Safe to be used by any number of threads. Planning goes on outside the lock, so that others find their
// plans meanwhile; two threads that miss the same plan at once both make it, and one of the two is kept.
// Cost of a plan that is held: one pass over the key and a comparison, without allocation.
#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <unordered_map>

#include "isotrope/schedule/plan.hpp"

#include "isotrope/cost/machine.hpp"

#include "isotrope/planner/catalog.hpp"
#include "isotrope/planner/choice.hpp"

namespace isotrope::planner {

class PlanCache {
 public:
  /// Holds at most `capacity` plans. @throws Error where that is 0.
  explicit PlanCache(std::size_t capacity = 64);

  /// The plan of the best candidate of choose_for. Never null.
  /// @throws Error as choose_for does; nothing is kept then.
  std::shared_ptr<const schedule::Plan> plan(const Request& request, std::uint64_t block_bytes,
                                             const cost::Machine& machine, Fixed fixed = {});

  /// Plans that are held.
  std::size_t size() const;

 private:
  struct Key {
    Request request;
    std::uint64_t block_bytes;
    cost::Machine machine;
    Fixed fixed;
  };
  struct Entry {
    std::size_t hash;
    Key key;
    std::shared_ptr<const schedule::Plan> plan;
  };
  using Entries = std::list<Entry>;  // the one asked for last comes first

  std::shared_ptr<const schedule::Plan> find(std::size_t hash, const Request& request,
                                             std::uint64_t block_bytes, const cost::Machine& machine,
                                             Fixed fixed);
  std::shared_ptr<const schedule::Plan> keep(Entry entry);
  void drop_oldest();

  mutable std::mutex mutex_;
  std::size_t capacity_;
  Entries entries_;
  std::unordered_multimap<std::size_t, Entries::iterator> by_hash_;
};

}  // namespace isotrope::planner
