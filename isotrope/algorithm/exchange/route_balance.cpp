// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/exchange/route_balance.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

#include "isotrope/bound/port_sum.hpp"

#include "isotrope/algorithm/exchange/route_choice.hpp"
#include "isotrope/algorithm/exchange/route_relations.hpp"

namespace isotrope::algorithm {
namespace {

using network::Network;
using network::Port;
using schedule::RelativeDestination;
using Row = std::span<const std::int32_t>;

constexpr std::uint64_t most_numbers = std::uint64_t{1} << 26;
constexpr std::uint64_t most_descents = std::uint64_t{1} << 26;
constexpr std::uint64_t most_wanderings = std::uint64_t{1} << 20;
constexpr std::uint64_t most_wanderings_per_row = std::uint64_t{1} << 12;

// For every row another row to the opposite destination, or the row itself if none is left.
std::vector<std::uint64_t> twins(const Network& network, std::span<const RelativeDestination> destinations) {
  std::vector<std::uint64_t> result;
  std::vector<std::vector<std::uint64_t>> alone(network.order());  // rows by destination
  for (const auto [to, blocks] : destinations) {
    std::vector<std::uint64_t>& opposite = alone[network.group().negate(to)];
    for (std::uint32_t i = 0; i < blocks; ++i) {
      const std::uint64_t row = result.size();
      result.push_back(row);
      if (opposite.empty()) {
        alone[to].push_back(row);
      } else {
        result[row] = opposite.back();
        result[opposite.back()] = row;
        opposite.pop_back();
      }
    }
  }
  return result;
}

// A relation to add to a row and, with its twin, to subtract from the mirror image of the row.
struct RelationMove {
  std::uint64_t row;
  const Relation* relation;
  std::int32_t sign;
  bool with_twin;
};

class Balance {
 public:
  Balance(const Network& network, std::span<const RelativeDestination> destinations, const TaskMatrix& matrix,
          std::uint32_t c, PairWeights weights)
      : pairs_(opposite_pairs(network)),
        c_(std::min(c, network.degree())),
        weights_(std::move(weights)),
        relations_(find_relations(network, weights_)),
        twins_(twins(network, destinations)),
        routes_(pairs_, matrix),
        loads_(network.degree()) {
    shorten(routes_, relations_, weights_);
    for (std::uint64_t i = 0; i < routes_.rows(); ++i) {
      if (twins_[i] > i)
        std::ranges::transform(routes_.row(i), routes_.row(twins_[i]).begin(), std::negate<>());
    }
    count();
  }

  TaskMatrix run(TaskMatrix best, std::uint64_t least) {
    reach(least);
    keep(best);
    for (std::uint64_t rounds = least_rounds(best, c_), before = rounds + 1;
         least < rounds && rounds < before && descents_left_ > 0;) {
      routes_ = SignedRoutes(pairs_, best);
      count();
      if (!reach(rounds - 1)) break;
      keep(best);  // possibly no better: one row can be too long
      before = std::exchange(rounds, least_rounds(best, c_));
    }
    return best;
  }

 private:
  void count() {
    std::ranges::fill(loads_, 0);
    lengths_.assign(routes_.rows(), 0);
    for (std::uint64_t i = 0; i < routes_.rows(); ++i) {
      for (std::size_t p = 0; p < pairs_.size(); ++p) {
        const std::int32_t hops = routes_.row(i)[p];
        loads_[hops > 0 ? pairs_[p].forward : pairs_[p].backward] += std::abs(hops);
        lengths_[i] += std::abs(hops);
      }
    }
    total_ = std::accumulate(loads_.begin(), loads_.end(), std::int64_t{0});
  }

  // Replaces `best` by the routes if they take fewer rounds.
  void keep(TaskMatrix& best) const {
    TaskMatrix found = routes_.matrix();
    if (least_rounds(found, c_) < least_rounds(best, c_)) best = std::move(found);
  }

  // Changes routes for a matrix of `rounds` rounds; returns whether it succeeds.
  bool reach(std::uint64_t rounds) {
    most_ = static_cast<std::int64_t>(rounds);
    descend(0);
    descend(INT64_MAX);
    wander();
    return excess() == 0;
  }

  std::int64_t square_above(std::int64_t load, std::int64_t most) const {
    const std::int64_t above = std::max<std::int64_t>(0, load - most);
    return above * above;
  }

  std::int64_t excess() const {
    std::int64_t sum = square_above(total_, most_ * c_);
    for (std::int64_t load : loads_) sum += square_above(load, most_);
    for (std::int64_t length : lengths_) sum += square_above(length, most_);
    return sum;
  }

  bool has_mirror_image(std::uint64_t i) const {
    const Row row = routes_.row(i), twin = routes_.row(twins_[i]);
    return twins_[i] != i && std::equal(row.begin(), row.end(), twin.begin(),
                                        [](std::int32_t a, std::int32_t b) { return a == -b; });
  }

  // Calls visit(port, hops) for the hops that a move adds to each port. Hops that a row gains forwards, its
  // mirror image gains backwards.
  template <class Visit>
  void for_each_change(const RelationMove& move, Visit visit) const {
    const Row row = routes_.row(move.row);
    for (const auto [pair, hops] : *move.relation) {
      const auto [forward, backward] = pairs_[pair];
      const std::int32_t before = row[pair], after = before + move.sign * hops;
      const std::int32_t longer = std::abs(after) - std::abs(before);
      if (forward == backward) {
        visit(forward, move.with_twin ? 2 * longer : longer);
      } else {
        const std::int32_t gained = std::max(after, 0) - std::max(before, 0);
        visit(forward, move.with_twin ? longer : gained);
        visit(backward, move.with_twin ? longer : longer - gained);
      }
    }
  }

  // The growth of the excess by a move.
  std::int64_t growth(const RelationMove& move) const {
    std::int64_t sum = 0, longer = 0;
    for_each_change(move, [&](Port port, std::int32_t hops) {
      sum += square_above(loads_[port] + hops, most_) - square_above(loads_[port], most_);
      longer += hops;
    });
    const std::int64_t before = lengths_[move.row];
    const std::int64_t after = before + (move.with_twin ? longer / 2 : longer);
    const std::int64_t of_row = square_above(after, most_) - square_above(before, most_);
    return sum + (move.with_twin ? 2 * of_row : of_row) + square_above(total_ + longer, most_ * c_) -
           square_above(total_, most_ * c_);
  }

  void make(const RelationMove& move) {
    std::int64_t longer = 0;
    for_each_change(move, [&](Port port, std::int32_t hops) {
      loads_[port] += hops;
      longer += hops;
    });
    total_ += longer;
    lengths_[move.row] += move.with_twin ? longer / 2 : longer;
    take(routes_.row(move.row), *move.relation, move.sign);
    if (!move.with_twin) return;
    lengths_[twins_[move.row]] = lengths_[move.row];
    take(routes_.row(twins_[move.row]), *move.relation, -move.sign);
  }

  // Makes every move that lessens the excess and lengthens a route by at most `most_detour` in weight.
  void descend(std::int64_t most_detour) {
    for (bool changed = true; changed && excess() > 0;) {
      changed = false;
      for (std::uint64_t i = 0; i < routes_.rows(); ++i) {
        for (const Relation& relation : relations_) {
          for (const std::int32_t sign : {1, -1}) {
            if (descents_left_ == 0) return;
            --descents_left_;
            if (detour(routes_.row(i), relation, sign, weights_) > most_detour) continue;
            changed |= lessen({i, &relation, sign, true}) || lessen({i, &relation, sign, false});
          }
        }
      }
    }
  }

  bool lessen(const RelationMove& move) {
    if (move.with_twin && !has_mirror_image(move.row)) return false;
    if (growth(move) >= 0) return false;
    make(move);
    return true;
  }

  // Makes random moves; the more a move adds to the excess, the more rarely.
  void wander() {
    if (relations_.empty()) return;
    const std::uint64_t trials = std::min(most_wanderings, routes_.rows() * most_wanderings_per_row);
    std::int64_t left = excess();
    for (std::uint64_t trial = 0; trial < trials && left > 0; ++trial) {
      const std::uint64_t i = random_() % routes_.rows();
      const Relation& relation = relations_[random_() % relations_.size()];
      const std::uint32_t coins = static_cast<std::uint32_t>(random_());
      const RelationMove move{i, &relation, (coins & 1) == 0 ? 1 : -1,
                              (coins & 2) == 0 && has_mirror_image(i)};
      const std::int64_t grown = growth(move);
      if (grown > std::countr_zero(coins >> 2)) continue;
      make(move);
      left += grown;
    }
  }

  std::vector<PortPair> pairs_;
  std::uint32_t c_;
  PairWeights weights_;
  std::vector<Relation> relations_;
  std::vector<std::uint64_t> twins_;
  SignedRoutes routes_;
  std::vector<std::int64_t> loads_;    // by port
  std::vector<std::int64_t> lengths_;  // by row
  std::int64_t total_ = 0;
  std::int64_t most_ = 0;  // the goal, in rounds
  std::uint64_t descents_left_ = most_descents;
  std::mt19937 random_{1};
};

}  // namespace

TaskMatrix balance_routes(const Network& network, std::span<const RelativeDestination> destinations,
                          TaskMatrix routes, std::uint32_t c, std::uint64_t least,
                          std::span<const std::uint32_t> weights) {
  const std::uint64_t rows = std::max<std::uint64_t>(routes.rows(), network.order());
  if (least_rounds(routes, c) <= least || rows * network.degree() > most_numbers) return routes;
  PairWeights of_pairs;
  for (const PortPair pair : opposite_pairs(network)) of_pairs.push_back(weights[pair.forward]);
  Balance balance(network, destinations, routes, c, std::move(of_pairs));
  return balance.run(std::move(routes), least);
}

TaskMatrix balance_to_bound(const Network& network, std::span<const RelativeDestination> blocks,
                            std::uint32_t parts, TaskMatrix routes, std::uint32_t c, std::uint64_t bound) {
  if (least_rounds(routes, c) <= bound) return routes;
  const auto sum = bound::port_sum(network, blocks, c);
  const std::vector<std::uint32_t> equal(network.degree(), 1);
  return balance_routes(network, in_packets(blocks, parts), std::move(routes), c, bound,
                        sum ? sum->weights : equal);
}

}  // namespace isotrope::algorithm
