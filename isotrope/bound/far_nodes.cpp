// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The far-nodes bound: too many nodes are far away from all that can know a packet early on.
//
//     after t rounds     a set S knows the packet, from t steps in which each node that knows it tells c neighbours
//     r rounds later     a node is at depth j if the packet made j hops from S to it. A source in S, j of the r rounds
//                        and a port for each of them name one such node at most, so there are at most
//                        |S| C(r, j) c^j, and a node at distance j from S is at depth j or more:
//
//         nodes at distance >= j from S   <=   |S| sum over i >= j of C(r, i) c^i     for every j
//
// The least r for which this holds, for the best S, is a bound of t + r. For t = 0 it is the bounds by distance (j = D)
// and by dissemination (j = 0) together. A broadcast of P packets adds the rounds before the last leaves the root,
// ceil(P / c) - 1. Whatever a node knows at first spreads like a packet, so it holds for messages of any size too.
//
// Source: Chen, Shin, Kandlur 1990, Theorem 3, is t = 2, c = 1 and j = D: four nodes know the packet, five are D hops
// away from all, and hexagonal meshes of size n >= 5 take n + 2 rounds.
// Cost: N distances; at most 2^22 distances from sets. Networks of more than 4096 nodes look at j = D alone.
#include <algorithm>
#include <limits>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "isotrope/bound/kinds.hpp"

namespace isotrope::bound {
namespace {

using Nodes = std::vector<Node>;  // ascending
__extension__ using Wide = unsigned __int128;

constexpr std::uint64_t most_distances = std::uint64_t{1} << 22;
constexpr std::uint64_t most_nodes_seen_whole = 4096;
constexpr std::uint64_t plenty =
    std::numeric_limits<std::uint32_t>::max();  // nodes: more than any network has

std::uint64_t bounded_product(std::uint64_t a, std::uint64_t b) {
  return static_cast<std::uint64_t>(std::min(Wide{a} * b, Wide{plenty}));
}

std::uint64_t bounded_power(std::uint64_t base, std::uint64_t exponent) {
  std::uint64_t result = 1;
  for (; exponent > 0 && base > 1 && result < plenty; --exponent) result = bounded_product(result, base);
  return result;
}

// The nodes at depths r, r - 1, ... that one source reaches over c ports in r rounds, at most; `plenty` is many.
class Depths {
 public:
  Depths(std::uint64_t rounds, std::uint64_t c) : rounds_(rounds), c_(c) {}

  /// Of depth r - k, for k = 0, 1, ... in turn.
  std::uint64_t next() {
    const std::uint64_t k = k_++;
    if (k > rounds_) return 0;
    if (k > 0) choices_ = std::min<Wide>(choices_ * (rounds_ - k + 1) / k, Wide{1} << 80);
    const auto choices = static_cast<std::uint64_t>(std::min(choices_, Wide{plenty}));
    return bounded_product(choices, bounded_power(c_, rounds_ - k));
  }

 private:
  std::uint64_t rounds_, c_, k_ = 0;
  Wide choices_ = 1;  // C(r, k), exact up to 2^80
};

// Whether `size` nodes can tell all others in `rounds`; `counts` are the nodes by distance from them.
bool suffices(std::uint64_t rounds, const std::vector<std::uint64_t>& counts, std::uint64_t size,
              std::uint64_t c) {
  if (rounds + 1 < counts.size()) return false;
  Depths depths(rounds, c);
  std::uint64_t far = 0, reached = 0;
  for (std::uint64_t j = rounds + 1; j-- > 0 && reached < plenty;) {
    far += j < counts.size() ? counts[j] : 0;
    reached = std::min(plenty, reached + bounded_product(depths.next(), size));
    if (far > reached) return false;
  }
  return true;
}

std::uint64_t least_rounds(const std::vector<std::uint64_t>& counts, std::uint64_t size, std::uint64_t c) {
  std::uint64_t rounds = counts.size() - 1;
  while (!suffices(rounds, counts, size, c)) ++rounds;
  return rounds;
}

// The sets that may know a packet of node 0 after 1, 2, ... rounds.
class InformedSets {
 public:
  InformedSets(const Network& network, Port c) : network_(network), c_(c), sets_{{0}} { choose(0, {}); }

  const std::set<Nodes>& sets() const { return sets_; }

  /// The sets of the next round, unless they may be more than `most`: then nothing is done.
  bool grow(std::uint64_t most) {
    std::uint64_t ways = 0;
    for (const Nodes& set : sets_) ways += bounded_power(choices_.size(), set.size());
    if (ways > most) return false;
    std::set<Nodes> next;
    for (const Nodes& set : sets_) tell(set, 0, set, next);
    sets_ = std::move(next);
    return true;
  }

 private:
  // All choices of c ports.
  void choose(Port first, std::vector<Port> chosen) {
    if (choices_.size() > most_distances) return;
    if (chosen.size() == c_) return choices_.push_back(std::move(chosen));
    for (Port port = first; port < network_.degree(); ++port) {
      chosen.push_back(port);
      choose(port + 1, chosen);
      chosen.pop_back();
    }
  }

  void tell(const Nodes& set, std::size_t teller, Nodes informed, std::set<Nodes>& result) const {
    if (teller == set.size()) {
      std::sort(informed.begin(), informed.end());
      informed.erase(std::unique(informed.begin(), informed.end()), informed.end());
      result.insert(std::move(informed));
      return;
    }
    for (const std::vector<Port>& ports : choices_) {
      Nodes more = informed;
      for (const Port port : ports) more.push_back(network_.neighbour(set[teller], port));
      tell(set, teller + 1, std::move(more), result);
    }
  }

  const Network& network_;
  Port c_;
  std::vector<std::vector<Port>> choices_;
  std::set<Nodes> sets_;
};

// The nodes that count: all, or on large networks those at the diameter.
Nodes counted_nodes(const Network& network, std::uint64_t diameter) {
  Nodes result;
  for (Node node = 0; node < network.order(); ++node) {
    if (network.order() <= most_nodes_seen_whole || network.distance(0, node) == diameter)
      result.push_back(node);
  }
  return result;
}

// How many of `nodes` are at each distance from the nearest of `set`.
std::vector<std::uint64_t> distances_from(const Network& network, const Nodes& set, const Nodes& nodes) {
  std::vector<std::uint64_t> counts(1, 0);
  for (const Node node : nodes) {
    std::uint32_t nearest = UINT32_MAX;
    for (const Node known : set) nearest = std::min(nearest, network.distance(known, node));
    if (nearest >= counts.size()) counts.resize(nearest + 1, 0);
    ++counts[nearest];
  }
  return counts;
}

// Rounds t + r, and what they are made of.
struct Spread {
  std::uint64_t early = 0, late = 0;

  std::uint64_t rounds() const { return early + late; }
};

std::uint64_t least_late(const Network& network, const InformedSets& informed, const Nodes& nodes, Port c) {
  std::uint64_t least = UINT64_MAX;
  for (const Nodes& set : informed.sets())
    least = std::min(least, least_rounds(distances_from(network, set, nodes), set.size(), c));
  return least;
}

// If all neighbours are told at once, there is one set a round, and it tells nothing that t = 0 does not.
Spread slowest_spread(const GraphView& view) {
  const Network& network = view.network();
  const Port c = view.port_limit();
  std::vector<std::uint64_t> from_root = view.wanted();  // of what goes to all nodes
  from_root[0] = 1;
  Spread best{0, least_rounds(from_root, 1, c)};
  const std::uint64_t counted = network.order() <= most_nodes_seen_whole ? network.order() : from_root.back();
  if (c == network.degree() || network.order() > most_distances * 16) return best;
  InformedSets informed(network, c);
  Nodes nodes;
  for (std::uint64_t early = 1, size = 1; early < view.diameter(); ++early) {
    size = std::min<std::uint64_t>(size * (c + 1), network.order());
    if (!informed.grow(most_distances / (counted * size))) break;
    if (nodes.empty()) nodes = counted_nodes(network, view.diameter());
    const Spread spread{early, least_late(network, informed, nodes, c)};
    if (spread.rounds() > best.rounds()) best = spread;
  }
  return best;
}

}  // namespace

// Nothing if it says no more than the bounds by distance and by dissemination.
std::optional<Bound> far_nodes_bound(const GraphView& view) {
  if (!view.is_symmetric() || !view.is_known_everywhere()) return std::nullopt;
  const Spread spread = slowest_spread(view);
  const std::uint64_t parts = view.is_personal() ? 1 : view.parts(), last = ceil_div(parts, view.room());
  const std::uint64_t value = last - 1 + spread.rounds();
  if (value <= std::max(distance_bound(view)->value, dissemination_bound(view)->value)) return std::nullopt;
  return Bound{
      "far-nodes", value,
      fmt::format(
          "the last of {} parts leaves its origin in round {} or later; whoever knows it {} rounds later, "
          "too many nodes are too far away to know it in fewer than {} rounds more: {} - 1 + {} + {} = {}",
          parts, last, spread.early, spread.late, last, spread.early, spread.late, value)};
}

}  // namespace isotrope::bound
