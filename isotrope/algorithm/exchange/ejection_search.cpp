// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/exchange/ejection_search.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace isotrope::algorithm {
namespace {

using network::Port;

constexpr std::int32_t price_of_job = 64;
constexpr std::uint32_t noise = 24;
constexpr std::uint32_t largest_weight = 4000;

// The sub-multisets of a route in mixed radix: digit i counts hops over the i-th port of the route.
class SubMultisets {
 public:
  explicit SubMultisets(const Route& route) {
    for (const auto [port, count] : route) {
      strides_.push_back(size_);
      size_ *= count + 1;
    }
  }
  std::size_t size() const { return size_; }
  std::size_t stride(std::size_t digit) const { return strides_[digit]; }
  std::uint32_t digit(const Route& route, std::size_t set, std::size_t digit) const {
    return static_cast<std::uint32_t>(set / strides_[digit] % (route[digit].count + 1));
  }

 private:
  std::vector<std::size_t> strides_;
  std::size_t size_ = 1;
};

}  // namespace

EjectionSearch::EjectionSearch(std::vector<PlacedJob> jobs, std::vector<std::uint32_t> parities,
                               std::uint32_t classes, std::uint64_t rounds, std::uint32_t seed)
    : jobs_(std::move(jobs)),
      parities_(std::move(parities)),
      classes_(classes),
      rounds_(rounds),
      random_(seed),
      occupant_(parities_.size() * classes * rounds, nobody),
      costs_(occupant_.size()),
      weights_(jobs_.size(), 1),
      placements_(jobs_.size()),
      queue_(jobs_.size()),
      first_pass_(jobs_.size()) {
  std::iota(queue_.begin(), queue_.end(), std::uint32_t{0});
  std::ranges::stable_sort(queue_, {},
                           [this](std::uint32_t job) { return hops_of(jobs_[job].routes->front()); });
}

bool EjectionSearch::run(std::uint64_t steps) {
  const std::uint64_t end = steps_ + steps;
  while (!queue_.empty() && (first_pass_ > 0 || steps_ < end)) insert(next_job());
  return queue_.empty();
}

std::uint32_t EjectionSearch::next_job() {
  if (first_pass_ == 0 && random_() % 4 == 0) std::swap(queue_[random_() % queue_.size()], queue_.back());
  const std::uint32_t job = queue_.back();
  queue_.pop_back();
  return job;
}

// In the first pass early rounds are cheaper instead of noise, but no dearer than a job in the way.
void EjectionSearch::price_slots() {
  const bool first = first_pass_ > 0;
  for (std::size_t row = 0; row < occupant_.size(); row += rounds_) {
    std::uint64_t bits = 0;
    for (std::uint64_t t = 0; t < rounds_; ++t) {
      if (t % 8 == 0) bits = random_();
      const std::uint32_t job = occupant_[row + t];
      const Cost busy = job == nobody ? 0 : price_of_job * static_cast<Cost>(weights_[job]);
      costs_[row + t] =
          busy + static_cast<Cost>(first ? t * price_of_job / rounds_ : (bits & 0xFF) * noise >> 8);
      bits >>= 8;
    }
  }
  steps_ += occupant_.size();
}

void EjectionSearch::insert(std::uint32_t job) {
  price_slots();
  Best best;
  for (const Route& route : *jobs_[job].routes) look_at(jobs_[job], route, best);
  Placement placement{best.first, order(jobs_[job], best)};
  const std::size_t before = queue_.size();
  place(job, std::move(placement));
  if (queue_.size() > before) raise_weight(job);
  if (first_pass_ > 0) --first_pass_;
}

void EjectionSearch::look_at(const PlacedJob& job, const Route& route, Best& best) {
  const std::uint32_t hops = hops_of(route);
  if (hops > rounds_) return;
  const std::uint64_t starts = rounds_ - hops + 1;
  const SubMultisets sets(route);
  least_.assign(sets.size() * starts, INT32_MAX);
  std::fill_n(least_.begin(), starts, 0);
  for (std::size_t set = 1; set < sets.size(); ++set) {
    std::uint32_t done = 0, crossings = 0;
    for (std::size_t i = 0; i < route.size(); ++i) {
      const std::uint32_t count = sets.digit(route, set, i);
      done += count;
      crossings += count * parities_[route[i].column];
    }
    Cost* const to = least_.data() + set * starts;
    for (std::size_t i = 0; i < route.size(); ++i) {
      if (sets.digit(route, set, i) == 0) continue;
      const Port port = route[i].column;
      const std::uint32_t sender = classes_ == 1 ? 0 : (job.origin_class + crossings - parities_[port]) % 2;
      const Cost* const from = least_.data() + (set - sets.stride(i)) * starts;
      const Cost* const cost = costs_.data() + slot(port, sender, done - 1);
      for (std::uint64_t t = 0; t < starts; ++t) to[t] = std::min(to[t], from[t] + cost[t]);
      steps_ += starts;
    }
  }
  const Cost* const whole = least_.data() + (sets.size() - 1) * starts;
  const Cost* const least = std::min_element(whole, whole + starts);
  if (*least < best.cost) best = {*least, &route, static_cast<std::uint64_t>(least - whole)};
}

// The ports of the best placement, found backwards by its costs.
std::vector<Port> EjectionSearch::order(const PlacedJob& job, const Best& best) {
  const Route& route = *best.route;
  const SubMultisets sets(route);
  Best again;
  look_at(job, route, again);
  const std::uint64_t starts = rounds_ - hops_of(route) + 1;
  const auto least = [&](std::size_t set) { return least_[set * starts + best.first]; };
  std::vector<Port> ports(hops_of(route));
  std::uint32_t crossings = 0;
  for (const auto [port, count] : route) crossings += count * parities_[port];
  std::size_t set = sets.size() - 1;
  for (std::size_t hop = ports.size(); hop-- > 0;) {
    for (std::size_t i = 0; i < route.size(); ++i) {
      if (sets.digit(route, set, i) == 0) continue;
      const Port port = route[i].column;
      const std::uint32_t sender = classes_ == 1 ? 0 : (job.origin_class + crossings - parities_[port]) % 2;
      if (least(set - sets.stride(i)) + costs_[slot(port, sender, best.first + hop)] != least(set)) continue;
      ports[hop] = port;
      crossings -= parities_[port];
      set -= sets.stride(i);
      break;
    }
  }
  return ports;
}

template <class Visit>
void EjectionSearch::visit_slots(std::uint32_t job, const Visit& visit) const {
  const Placement& placement = placements_[job];
  std::uint32_t sender = jobs_[job].origin_class;
  for (std::size_t hop = 0; hop < placement.ports.size(); ++hop) {
    const Port port = placement.ports[hop];
    visit(slot(port, classes_ == 1 ? 0 : sender, placement.first + hop));
    sender = (sender + parities_[port]) % 2;
  }
}

void EjectionSearch::place(std::uint32_t job, Placement placement) {
  placements_[job] = std::move(placement);
  visit_slots(job, [&](std::size_t slot) {
    if (occupant_[slot] != nobody) eject(occupant_[slot]);
    occupant_[slot] = job;
  });
}

void EjectionSearch::eject(std::uint32_t job) {
  visit_slots(job, [this](std::size_t slot) { occupant_[slot] = nobody; });
  placements_[job].ports.clear();
  queue_.push_back(job);
}

void EjectionSearch::raise_weight(std::uint32_t job) {
  if (++weights_[job] <= largest_weight) return;
  for (std::uint32_t& weight : weights_) weight = weight / 4 + 1;
}

}  // namespace isotrope::algorithm
