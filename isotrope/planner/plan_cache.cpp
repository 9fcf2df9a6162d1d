// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/planner/plan_cache.hpp"

#include <bit>
#include <vector>

#include "isotrope/planner/catalog.hpp"

namespace isotrope::planner {
namespace {

// The smallest size of the class of `bytes`: the four leading bits are kept.
std::uint64_t size_class(std::uint64_t bytes) {
  constexpr int kept = 4;
  const auto width = static_cast<int>(std::bit_width(bytes));
  return width <= kept ? bytes : bytes >> (width - kept) << (width - kept);
}

}  // namespace

PlanCache::PlanCache(network::NamedNetwork network, cost::Machine machine, bool own_plans)
    : network_(std::move(network)), machine_(machine), own_plans_(own_plans), algorithms_(catalog().size()) {}

std::shared_ptr<PlanCache> PlanCache::shared(const network::NamedNetwork& network,
                                             const cost::Machine& machine, bool own_plans) {
  static std::mutex guard;
  static std::vector<std::weak_ptr<PlanCache>> caches;
  const std::scoped_lock lock(guard);
  std::erase_if(caches, [](const auto& cache) { return cache.expired(); });
  for (const auto& each : caches) {
    auto cache = each.lock();
    if (cache && cache->is_for(network, machine, own_plans, catalog().size())) return cache;
  }
  auto cache = std::make_shared<PlanCache>(network, machine, own_plans);
  caches.push_back(cache);
  return cache;
}

bool PlanCache::is_for(const network::NamedNetwork& network, const cost::Machine& machine, bool own_plans,
                       std::size_t algorithms) const {
  return algorithms_ == algorithms && own_plans_ == own_plans && machine_ == machine &&
         network_.lacks == network.lacks && same_network(network_.network, network.network);
}

PlanCache::Key PlanCache::key_of(schedule::Collective collective, network::Node root, std::uint64_t bytes,
                                 bool associative) const {
  return {collective, network_.lacks.empty() ? network::Node{0} : root, size_class(bytes),
          associative && collective == schedule::Collective::allreduce};
}

std::shared_ptr<const Candidate> PlanCache::choice(const Key& key) {
  const std::scoped_lock lock(mutex_);
  return chosen(key);
}

std::shared_ptr<const schedule::Plan> PlanCache::plan(const Key& key) {
  const std::scoped_lock lock(mutex_);
  auto result = plans_.find_or_make(key, [&] { return make_plan(*chosen(key)); });
  plans_.keep_within(most_hops, [](const schedule::Plan& plan) { return plan.schedule.hop_count(); });
  return result;
}

std::shared_ptr<const Candidate> PlanCache::chosen(const Key& key) {
  return choices_.find_or_make(key, [&] {
    const Problem problem{.network = network_.network,
                          .failed = network_.lacks,
                          .task = {.collective = key.collective, .root = key.root},
                          .ports = machine_.ports};
    const std::uint64_t bytes = std::max<std::uint64_t>(key.least_bytes, 1);
    return choose_for(problem, bytes, machine_, {.associative = key.associative, .plan_files = own_plans_})
        .best();
  });
}

}  // namespace isotrope::planner
