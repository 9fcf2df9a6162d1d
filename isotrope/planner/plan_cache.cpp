// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/planner/plan_cache.hpp"

#include <bit>
#include <span>
#include <string_view>
#include <utility>

#include "isotrope/base/error.hpp"

namespace isotrope::planner {
namespace {

// Mixes numbers one by one (the step of FNV-1a, with the high bits folded back in).
class Hash {
 public:
  void add(std::uint64_t value) {
    state_ = (state_ ^ value) * 0x100000001b3;
    state_ ^= state_ >> 32;
  }
  void add(double value) { add(std::bit_cast<std::uint64_t>(value)); }
  void add(schedule::PortModel ports) {
    add(static_cast<std::uint64_t>(ports.kind));
    add(std::uint64_t{ports.k});
  }
  template <class Number>
  void add(std::span<const Number> numbers) {
    add(std::uint64_t{numbers.size()});
    for (const Number number : numbers) add(std::uint64_t{number});
  }
  std::size_t value() const { return static_cast<std::size_t>(state_); }

 private:
  std::uint64_t state_ = 0xcbf29ce484222325;
};

// Of what usually tells requests apart; the rest is left to the comparison.
std::size_t hash_of(const Request& request, std::uint64_t block_bytes, const cost::Machine& machine) {
  Hash hash;
  hash.add(request.network.group().moduli());
  hash.add(request.network.generators());
  hash.add(static_cast<std::uint64_t>(request.task.collective));
  hash.add(std::uint64_t{request.task.root});
  hash.add(std::uint64_t{request.task.parts});
  hash.add(request.merge);
  hash.add(request.ports);
  hash.add(block_bytes);
  hash.add(machine.startup_s);
  hash.add(machine.byte_time_s);
  hash.add(machine.overhead_s);
  hash.add(machine.overhead_byte_s);
  hash.add(std::hash<std::string_view>{}(request.algorithm));
  return hash.value();
}

bool same_request(const Request& a, const Request& b) {
  return a.task == b.task && a.ports == b.ports && a.merge == b.merge && a.objective == b.objective &&
         a.algorithm == b.algorithm && a.order == b.order && a.failed == b.failed &&
         a.destinations == b.destinations && a.deliveries == b.deliveries &&
         same_network(a.network, b.network);
}

}  // namespace

PlanCache::PlanCache(std::size_t capacity) : capacity_(capacity) {
  if (capacity == 0) throw Error("a plan cache of 0 plans: give room for 1 or more");
}

std::shared_ptr<const schedule::Plan> PlanCache::plan(const Request& request, std::uint64_t block_bytes,
                                                      const cost::Machine& machine, Fixed fixed) {
  const std::size_t hash = hash_of(request, block_bytes, machine);
  if (auto held = find(hash, request, block_bytes, machine, fixed)) return held;
  auto made = std::make_shared<const schedule::Plan>(
      make_plan(choose_for(request, block_bytes, machine, fixed).best()));
  return keep({hash, {request, block_bytes, machine, fixed}, std::move(made)});
}

std::size_t PlanCache::size() const {
  const std::scoped_lock lock(mutex_);
  return entries_.size();
}

std::shared_ptr<const schedule::Plan> PlanCache::find(std::size_t hash, const Request& request,
                                                      std::uint64_t block_bytes, const cost::Machine& machine,
                                                      Fixed fixed) {
  const std::scoped_lock lock(mutex_);
  const auto [first, last] = by_hash_.equal_range(hash);
  for (auto i = first; i != last; ++i) {
    const Key& key = i->second->key;
    if (key.block_bytes != block_bytes || !(key.machine == machine) || !(key.fixed == fixed) ||
        !same_request(key.request, request))
      continue;
    entries_.splice(entries_.begin(), entries_, i->second);
    return i->second->plan;
  }
  return nullptr;
}

// Whoever kept the same plan meanwhile has the older one, which stays.
std::shared_ptr<const schedule::Plan> PlanCache::keep(Entry entry) {
  const Key& key = entry.key;
  if (auto held = find(entry.hash, key.request, key.block_bytes, key.machine, key.fixed)) return held;
  const std::scoped_lock lock(mutex_);
  entries_.push_front(std::move(entry));
  by_hash_.emplace(entries_.front().hash, entries_.begin());
  auto result = entries_.front().plan;
  if (entries_.size() > capacity_) drop_oldest();
  return result;
}

void PlanCache::drop_oldest() {
  const auto oldest = std::prev(entries_.end());
  const auto [first, last] = by_hash_.equal_range(oldest->hash);
  for (auto i = first; i != last; ++i) {
    if (i->second != oldest) continue;
    by_hash_.erase(i);
    break;
  }
  entries_.pop_back();
}

}  // namespace isotrope::planner
