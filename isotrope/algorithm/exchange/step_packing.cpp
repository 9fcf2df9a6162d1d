// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/exchange/step_packing.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace isotrope::algorithm {
namespace {

constexpr std::uint64_t price_of_item = 64;
constexpr std::uint64_t noise = 24;
constexpr std::uint64_t largest_weight = 4000;
constexpr std::size_t most_leaving = 3;
constexpr std::size_t most_members_for_sets = 16;

std::uint32_t total(const PortLoads& loads) {
  return std::accumulate(loads.begin(), loads.end(), 0u);
}

}  // namespace

StepPacking::StepPacking(std::vector<std::vector<PortLoads>> loads, std::vector<StepRoom> steps,
                         std::uint32_t seed)
    : loads_(std::move(loads)),
      rooms_(std::move(steps)),
      random_(seed),
      members_(rooms_.size()),
      placed_(loads_.size()),
      weights_(loads_.size(), 1),
      queue_(loads_.size()) {
  const std::size_t ports = loads_.empty() ? 0 : loads_.front().front().size();
  used_.assign(rooms_.size(), PortLoads(ports, 0));
  excess_.resize(ports);
  std::iota(queue_.begin(), queue_.end(), 0u);
  std::ranges::stable_sort(queue_, {}, [this](std::uint32_t item) { return total(loads_[item].front()); });
}

bool StepPacking::run(std::uint64_t work) {
  const std::uint64_t end = work_ + work;
  while (!queue_.empty() && work_ < end) {
    if (random_() % 4 == 0) std::swap(queue_[random_() % queue_.size()], queue_.back());
    const std::uint32_t item = queue_.back();
    queue_.pop_back();
    insert(item);
  }
  return queue_.empty();
}

void StepPacking::insert(std::uint32_t item) {
  Best best;
  for (std::uint32_t step = 0; step < rooms_.size(); ++step) {
    for (std::uint32_t choice = 0; choice < loads_[item].size(); ++choice) look_at(item, step, choice, best);
  }
  if (best.cost == UINT64_MAX) best = any_emptied(item);
  for (const std::uint32_t other : best.leaving) move_out(other);
  placed_[item] = {best.step, best.choice};
  members_[best.step].push_back(item);
  for (std::size_t p = 0; p < excess_.size(); ++p) used_[best.step][p] += loads_of(item)[p];
  if (best.leaving.empty()) return;
  if (++weights_[item] <= largest_weight) return;
  for (std::uint64_t& weight : weights_) weight = weight / 4 + 1;
}

// Any step that the item fits into alone, with all occupants leaving.
StepPacking::Best StepPacking::any_emptied(std::uint32_t item) {
  const std::uint64_t offset = random_();
  for (std::uint64_t i = 0;; ++i) {
    const auto step = static_cast<std::uint32_t>((offset + i) % rooms_.size());
    for (std::uint32_t choice = 0; choice < loads_[item].size(); ++choice) {
      if (std::ranges::max(loads_[item][choice]) <= rooms_[step].load)
        return {0, step, choice, members_[step]};
    }
  }
}

void StepPacking::look_at(std::uint32_t item, std::uint32_t step, std::uint32_t choice, Best& best) {
  const PortLoads& loads = loads_[item][choice];
  ++work_;
  if (std::ranges::any_of(loads, [&](std::uint32_t load) { return load > rooms_[step].load; })) return;
  for (std::size_t p = 0; p < loads.size(); ++p)
    excess_[p] = std::int64_t{used_[step][p]} + loads[p] - rooms_[step].load;
  leaving_.clear();
  choice_ = choice;
  try_leaving(step, 0, random_() % noise, best);
}

bool StepPacking::has_room(std::uint32_t step) const {
  return members_[step].size() - leaving_.size() < rooms_[step].items &&
         std::ranges::all_of(excess_, [](std::int64_t excess) { return excess <= 0; });
}

// Keeps the occupants that leave if they make room and cost less than the best so far; else adds further ones.
void StepPacking::try_leaving(std::uint32_t step, std::size_t first, std::uint64_t cost, Best& best) {
  ++work_;
  if (cost >= best.cost) return;
  if (has_room(step)) {
    best = {cost, step, choice_, leaving_};
    return;
  }
  const std::vector<std::uint32_t>& members = members_[step];
  const std::size_t most = members.size() > most_members_for_sets ? 1 : most_leaving;
  if (leaving_.size() == most) return;
  for (std::size_t i = first; i < members.size(); ++i) {
    const PortLoads& loads = loads_of(members[i]);
    for (std::size_t p = 0; p < loads.size(); ++p) excess_[p] -= loads[p];
    leaving_.push_back(members[i]);
    try_leaving(step, i + 1, cost + price_of_item * weights_[members[i]], best);
    leaving_.pop_back();
    for (std::size_t p = 0; p < loads.size(); ++p) excess_[p] += loads[p];
  }
}

void StepPacking::move_out(std::uint32_t item) {
  const std::uint32_t step = placed_[item].step;
  std::erase(members_[step], item);
  for (std::size_t p = 0; p < excess_.size(); ++p) used_[step][p] -= loads_of(item)[p];
  queue_.push_back(item);
}

}  // namespace isotrope::algorithm
