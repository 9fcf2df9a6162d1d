// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/exchange/type_sets.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "isotrope/algorithm/exchange/route_relations.hpp"

namespace isotrope::algorithm {
namespace {

using network::Network;

// Lists the sets of at most `count` types, with repetition, that add up to the same number for every pair of ports.
class TypeSets {
 public:
  TypeSets(const std::vector<PairsOfType>& types, std::uint32_t sum, std::size_t count)
      : types_(types), room_(types.front().type.size(), sum) {
    add(0, count);
  }

  const std::vector<std::vector<std::uint32_t>>& list() const { return found_; }

 private:
  static constexpr std::size_t most_sets = 2048;
  static constexpr std::uint64_t most_steps = std::uint64_t{1} << 20;

  void add(std::uint32_t first, std::size_t left) {
    if (std::ranges::all_of(room_, [](std::uint32_t room) { return room == 0; })) found_.push_back(set_);
    if (left == 0) return;
    for (std::uint32_t t = first; t < types_.size(); ++t) {
      if (found_.size() == most_sets || ++steps_ > most_steps) return;
      if (!fits(types_[t].type)) continue;
      change_room(types_[t].type, -1);
      set_.push_back(t);
      add(t, left - 1);
      set_.pop_back();
      change_room(types_[t].type, 1);
    }
  }

  bool fits(const RouteType& type) const {
    return std::ranges::equal(type, room_,
                              [](std::uint32_t hops, std::uint32_t room) { return hops <= room; });
  }
  void change_room(const RouteType& type, int sign) {
    for (std::size_t i = 0; i < type.size(); ++i) room_[i] += sign > 0 ? type[i] : 0 - type[i];
  }

  const std::vector<PairsOfType>& types_;
  std::vector<std::uint32_t> room_;
  std::vector<std::uint32_t> set_;
  std::vector<std::vector<std::uint32_t>> found_;
  std::uint64_t steps_ = 0;
};

// One trial: sets taken until none is left, as indices of the list.
class SetChoice {
 public:
  SetChoice(const std::vector<PairsOfType>& types, const std::vector<std::vector<std::uint32_t>>& sets)
      : sets_(sets) {
    for (const PairsOfType& type : types) pairs_.push_back(type.pairs.size());
  }

  std::vector<std::size_t> trial(std::mt19937_64& random) const {
    std::vector<std::size_t> left = pairs_, taken;
    std::vector<std::size_t> usable(sets_.size());
    for (std::size_t s = 0; s < sets_.size(); ++s) usable[s] = s;
    for (;;) {
      std::erase_if(usable, [&](std::size_t s) { return !available(sets_[s], left); });
      if (usable.empty()) return taken;
      const std::size_t set = scarcest(usable, left, random);
      for (const std::uint32_t type : sets_[set]) --left[type];
      taken.push_back(set);
    }
  }

 private:
  static bool available(const std::vector<std::uint32_t>& set, const std::vector<std::size_t>& left) {
    for (std::size_t i = 0; i < set.size(); ++i) {
      const auto same = static_cast<std::size_t>(std::count(set.begin(), set.end(), set[i]));
      if (left[set[i]] < same) return false;
    }
    return true;
  }

  // The set with the least sum, over its types, of usable sets per pair left.
  std::size_t scarcest(const std::vector<std::size_t>& usable, const std::vector<std::size_t>& left,
                       std::mt19937_64& random) const {
    std::vector<double> sets_of_type(left.size(), 0);
    for (const std::size_t s : usable) {
      for (const std::uint32_t type : sets_[s]) ++sets_of_type[type];
    }
    std::size_t best = usable.front();
    double least = -1;
    for (const std::size_t s : usable) {
      double sum = 0;
      for (const std::uint32_t type : sets_[s]) sum += sets_of_type[type] / static_cast<double>(left[type]);
      sum *= 1 + 0.5 * static_cast<double>(random() % 1024) / 1024;
      if (least < 0 || sum < least) least = sum, best = s;
    }
    return best;
  }

  const std::vector<std::vector<std::uint32_t>>& sets_;
  std::vector<std::size_t> pairs_;
};

// The sets of the trial that takes the most.
std::vector<std::size_t> most_sets_of(const std::vector<PairsOfType>& types,
                                      const std::vector<std::vector<std::uint32_t>>& sets,
                                      std::mt19937_64& random) {
  constexpr std::uint64_t most_steps = std::uint64_t{1} << 24, most_trials = 400;
  std::uint64_t pairs = 0;
  for (const PairsOfType& type : types) pairs += type.pairs.size();
  const std::uint64_t set_size = std::ranges::min(sets, {}, &std::vector<std::uint32_t>::size).size();
  const std::uint64_t steps = (pairs / set_size + 1) * sets.size() * set_size;
  const std::uint64_t trials = std::clamp<std::uint64_t>(most_steps / steps, 1, most_trials);
  const SetChoice choice(types, sets);
  std::vector<std::size_t> best;
  for (std::uint64_t t = 0; t < trials && best.size() < pairs / set_size; ++t) {
    std::vector<std::size_t> taken = choice.trial(random);
    if (taken.size() > best.size()) best = std::move(taken);
  }
  return best;
}

}  // namespace

std::vector<PairsOfType> pairs_by_type(const Network& network, const RouteSets& routes,
                                       std::span<const Route> chosen) {
  const std::vector<PortPair> pairs = opposite_pairs(network);
  const auto own_opposite = [](const PortPair& pair) { return pair.forward == pair.backward; };
  if (std::ranges::any_of(pairs, own_opposite)) return {};
  std::vector<std::uint32_t> pair_of(network.degree());
  for (std::uint32_t p = 0; p < pairs.size(); ++p) pair_of[pairs[p].forward] = pair_of[pairs[p].backward] = p;
  std::map<std::pair<std::uint32_t, RouteType>, std::vector<std::uint32_t>> found;  // by hops and type
  for (std::size_t packet = 0; packet < routes.size(); ++packet) {
    const Route& route = chosen[packet];
    if (routes.twin(packet) <= packet || route.empty()) continue;
    RouteType type(pairs.size(), 0);
    for (const auto [port, count] : route) type[pair_of[port]] += count;
    found[{hops_of(route), type}].push_back(static_cast<std::uint32_t>(packet));
  }
  std::vector<PairsOfType> result;
  for (auto& [kind, packets] : found) result.push_back({kind.second, std::move(packets)});
  return result;
}

std::vector<std::vector<std::uint32_t>> sets_of_pairs(std::vector<PairsOfType> types, std::uint32_t sum,
                                                      std::size_t count, std::mt19937_64& random) {
  if (types.empty()) return {};
  const TypeSets sets(types, sum, count);
  if (sets.list().empty()) return {};
  std::vector<std::vector<std::uint32_t>> result;
  for (const std::size_t set : most_sets_of(types, sets.list(), random)) {
    std::vector<std::uint32_t>& pairs = result.emplace_back();
    for (const std::uint32_t type : sets.list()[set]) {
      pairs.push_back(types[type].pairs.back());
      types[type].pairs.pop_back();
    }
  }
  return result;
}

}  // namespace isotrope::algorithm
