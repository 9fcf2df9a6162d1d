// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/graph/latency_fit.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"
#include "isotrope/base/median.hpp"
#include "isotrope/base/split_mix.hpp"

#include "isotrope/network/edge_list.hpp"

#include "isotrope/graph/components.hpp"
#include "isotrope/graph/families.hpp"
#include "isotrope/graph/leaf_switches.hpp"
#include "isotrope/graph/near_placing.hpp"

namespace isotrope::graph {
namespace {

using network::Edge;
using network::NamedNetwork;
using network::Node;
using network::RankMap;
using network::SurvivingNetwork;

// Of a network that is taken.
constexpr double largest_misfit = 0.1;
constexpr double least_contrast = 0.02;
// Powers of 2. One of so many graphs may be the network by chance, if its links are those of least latency; one of so many noisy
// switches may look like a network that is taken, most of them with less noise than least_contrast; and if a network is not
// taken although fewer switches look like it, the machine is not called a switch.
constexpr double fewest_bits_of_links = 16, fewest_bits_of_fit = 8, most_bits_of_switch = 16;
// Above this number of nodes only the most likely families are tried by exchanges, so many times a pair of nodes at most.
constexpr Node few_nodes = 64;
constexpr std::size_t most_exchanged_pairs = std::size_t{1} << 21;
// Of fewer nodes, what they add to their latencies could explain everything.
constexpr Node fewest_nodes_explained = 8;

struct Pair {
  double latency;
  Edge nodes;
};

std::vector<Pair> ascending_pairs(const Latencies& latencies) {
  std::vector<Pair> pairs;
  for (Node high = 1; high < latencies.order(); ++high) {
    for (Node low = 0; low < high; ++low) pairs.push_back({latencies(low, high), {low, high}});
  }
  std::ranges::sort(pairs, {}, [](const Pair& pair) { return std::pair(pair.latency, pair.nodes); });
  return pairs;
}

double deviation(double latency, double expected) {
  return std::min(1.0, std::abs(latency - expected) / expected);
}

// A family with its distances.
struct Family {
  explicit Family(NamedNetwork network)
      : named(std::move(network)), graph(named.network, named.lacks), distances(graph) {}

  NamedNetwork named;
  SurvivingNetwork graph;
  Distances distances;

  bool is_complete() const {
    const std::uint64_t order = named.network.order();
    return graph.links() == order * (order - 1) / 2;
  }
};

// l(1), l(2), ... of pairs that are sorted into distances; no less than that of a smaller distance.
std::vector<double> medians(std::vector<std::vector<double>> by_distance) {
  std::vector<double> result;
  for (std::vector<double>& latencies : by_distance) {
    const double least = result.empty() ? 0 : result.back();
    result.push_back(latencies.empty() ? least : std::max(least, median(std::move(latencies))));
  }
  return result;
}

// Calls visit(a, b) for every pair of nodes.
template <class Visit>
void visit_pairs(Node order, const Visit& visit) {
  for (Node high = 1; high < order; ++high) {
    for (Node low = 0; low < high; ++low) visit(low, high);
  }
}

// Latencies as sums: latency(a, b) = own(a) + own(b) + l(distance of a and b). Medians and means take turns.
class Explanation {
 public:
  template <class Distance>
  Explanation(const Latencies& latencies, const Distance& distance) : own_(latencies.order(), 0) {
    const Node order = latencies.order();
    constexpr int turns = 4;
    for (int turn = 0; turn < (order < fewest_nodes_explained ? 1 : turns); ++turn) {
      if (turn > 0) explain_nodes(latencies, distance);
      std::vector<std::vector<double>> sorted;
      visit_pairs(order, [&](Node a, Node b) {
        const std::size_t hops = distance(a, b);
        if (sorted.size() < hops) sorted.resize(hops);
        sorted[hops - 1].push_back(without_nodes(latencies, a, b));
      });
      by_distance_ = medians(std::move(sorted));
    }
    visit_pairs(order, [&](Node a, Node b) {
      misfit_ += deviation(without_nodes(latencies, a, b), by_distance_[distance(a, b) - 1]);
    });
    misfit_ /= 0.5 * order * (order - 1);
  }

  double misfit() const { return misfit_; }
  const std::vector<double>& by_distance() const { return by_distance_; }
  /// The latencies without what the nodes add.
  Latencies without_nodes(const Latencies& latencies) const {
    Latencies result(latencies.order());
    visit_pairs(latencies.order(), [&](Node a, Node b) { result.set(a, b, without_nodes(latencies, a, b)); });
    return result;
  }

 private:
  double without_nodes(const Latencies& latencies, Node a, Node b) const {
    return std::max(latencies(a, b) - own_[a] - own_[b], 0.1 * latencies(a, b));
  }

  // Least squares of what distances leave, with the mean of the nodes 0. Disturbed pairs count as little ones.
  template <class Distance>
  void explain_nodes(const Latencies& latencies, const Distance& distance) {
    constexpr double largest = 0.2;
    const auto nodes = static_cast<double>(own_.size());
    std::vector<double> sums(own_.size(), 0);
    visit_pairs(latencies.order(), [&](Node a, Node b) {
      const double expected = by_distance_[distance(a, b) - 1];
      const double rest = std::clamp(latencies(a, b) - expected, -largest * expected, largest * expected);
      sums[a] += rest;
      sums[b] += rest;
    });
    const double mean = std::accumulate(sums.begin(), sums.end(), 0.0) / nodes;
    for (std::size_t i = 0; i < sums.size(); ++i) own_[i] = (sums[i] - mean) / (nodes - 2);
  }

  std::vector<double> own_, by_distance_;
  double misfit_ = 0;
};

Explanation explanation(const Latencies& latencies, const Family& family, const RankMap& places) {
  return {latencies, [&](Node a, Node b) {
            return std::size_t{family.distances(places.node_of(a), places.node_of(b))};
          }};
}

LatencyFit judged(const Latencies& latencies, const Family& family, RankMap places) {
  const Explanation explained = explanation(latencies, family, places);
  return {{family.named, std::move(places)}, explained.misfit(), explained.by_distance()};
}

// The widest gap between latencies that follow each other, as a ratio less 1. The longest ones may have been disturbed.
double widest_gap(const std::vector<Pair>& pairs) {
  double widest = 0;
  for (std::size_t i = 1; i < pairs.size() - pairs.size() / 10; ++i)
    widest = std::max(widest, pairs[i].latency / pairs[i - 1].latency - 1);
  return widest;
}

// The least misfit of leaf switches: pairs within a leaf are alike, and pairs between leaves. `alike`: of all pairs as alike.
double misfit_of_leaves(const Latencies& latencies, const Explanation& alike) {
  constexpr std::size_t most_tried = 8;
  const LeafSwitches switches(alike.without_nodes(latencies));
  double least = alike.misfit();
  for (const Node leaves : switches.likely_leaves(most_tried)) {
    const std::vector<Node> leaf = switches.leaves_of_nodes(leaves);
    const Explanation explained(latencies,
                                [&](Node a, Node b) { return std::size_t{leaf[a] == leaf[b] ? 1U : 2U}; });
    least = std::min(least, explained.misfit());
  }
  return least;
}

// log2(n!)
double bits_of_factorial(std::uint64_t n) {
  double bits = 0;
  for (std::uint64_t factor = 2; factor <= n; ++factor) bits += std::log2(static_cast<double>(factor));
  return bits;
}

// The numberings of the nodes that give other links, as a power of 2: at most. Translations of a Cayley graph give the same ones.
double bits_of_numberings(const network::NamedNetwork& named) {
  const std::uint64_t nodes = named.network.order();
  return bits_of_factorial(named.lacks.empty() ? nodes - 1 : nodes);
}

// Of how many graphs with these links, as a power of 2, one is the network with its nodes numbered in some way: at least.
double rarity(const network::NamedNetwork& named, std::uint64_t links) {
  const std::uint64_t nodes = named.network.order(), pairs = nodes * (nodes - 1) / 2;
  const double graphs =
      bits_of_factorial(pairs) - bits_of_factorial(links) - bits_of_factorial(pairs - links);
  return graphs - bits_of_numberings(named);
}

// In how many switches, as a power of 2, noise makes one look like the network with its nodes numbered in some way: at least. A fixed
// numbering explains a share 1 - s of normal noise with probability s^(f / 2), f the degrees of freedom that are left, and
// s is about the square of the misfit over that of a switch.
double evidence(const LatencyFit& fit, double misfit_of_switch) {
  const std::uint64_t nodes = fit.network.named.network.order(), pairs = nodes * (nodes - 1) / 2;
  const std::uint64_t explained = fit.by_distance.size() + (nodes < fewest_nodes_explained ? 0 : nodes);
  if (pairs <= explained || fit.misfit >= misfit_of_switch) return 0;
  constexpr double least = 1e-4;  // of exact latencies
  const double better = std::log2(misfit_of_switch / std::max(fit.misfit, least * misfit_of_switch));
  return static_cast<double>(pairs - explained) * better - bits_of_numberings(fit.network.named);
}

// What the latencies would be by distance, and how bad the fit at least, if the pairs of least latency were the nearest.
struct Quantiles {
  std::vector<double> by_distance;
  double misfit = 0;
};

Quantiles quantiles(const std::vector<Pair>& pairs, const Family& family) {
  std::vector<std::uint64_t> counts;
  const Node order = family.named.network.order();
  for (Node high = 1; high < order; ++high) {
    for (Node low = 0; low < high; ++low) {
      const std::size_t hops = family.distances(low, high);
      if (counts.size() < hops) counts.resize(hops, 0);
      ++counts[hops - 1];
    }
  }
  Quantiles result;
  std::size_t first = 0;
  for (const std::uint64_t count : counts) {
    const double middle = pairs[first + count / 2].latency;
    result.by_distance.push_back(middle);
    for (const std::size_t end = first + count; first < end; ++first)
      result.misfit += deviation(pairs[first].latency, middle);
  }
  result.misfit /= static_cast<double>(pairs.size());
  return result;
}

std::vector<Edge> nearest_edges(const std::vector<Pair>& pairs, std::uint64_t links) {
  std::vector<Edge> edges;
  for (std::size_t i = 0; i < links; ++i) edges.push_back(pairs[i].nodes);
  std::ranges::sort(edges);
  return edges;
}

// The graph of the nearest pairs; nothing if it is not connected.
std::optional<SurvivingNetwork> nearest_pairs(const std::vector<Pair>& pairs, std::uint64_t links,
                                              Node order) {
  const std::vector<Edge> edges = nearest_edges(pairs, links);
  Components components(order);
  for (const Edge& edge : edges) components.join(edge.low, edge.high);
  if (!components.are_one()) return std::nullopt;
  NamedNetwork named = network::from_edges(order, edges);
  return SurvivingNetwork(std::move(named.network), std::move(named.lacks));
}

// The places of the nodes if the nearest pairs are the links of the family.
std::optional<RankMap> isomorphism(const std::vector<Pair>& pairs, const Family& family) {
  constexpr std::uint64_t budget = 20'000'000;
  const auto machine = nearest_pairs(pairs, family.graph.links(), family.named.network.order());
  if (!machine) return std::nullopt;
  const Distances in_machine(*machine);
  if (obstacle(family.graph, family.distances, in_machine, 1)) return std::nullopt;
  const auto placing =
      near_placing(family.graph, family.distances, in_machine, 1, family.named.lacks.empty(), budget);
  if (!placing.ranks) return std::nullopt;
  // The map gives the machine's node of each place.
  std::vector<Node> places(family.named.network.order());
  for (Node place = 0; place < places.size(); ++place) places[placing.ranks->node_of(place)] = place;
  return RankMap(std::move(places));
}

// Places of little misfit, by exchanges of two nodes.
class Exchanges {
 public:
  // Refers to all three.
  Exchanges(const Latencies& latencies, const Family& family, const std::vector<double>& by_distance)
      : order_(latencies.order()), latencies_(latencies), family_(family), by_distance_(by_distance) {}

  RankMap run(std::uint64_t steps, std::uint64_t seed) {
    SplitMix random(seed);
    std::vector<Node> places(order_);
    std::iota(places.begin(), places.end(), Node{0});
    for (Node i = order_ - 1; i > 0; --i) std::swap(places[i], places[random.below(i + 1)]);
    double cost = 0, least = 0;
    std::vector<Node> best = places;
    const double warm = 0.3 * std::sqrt(static_cast<double>(order_));
    for (std::uint64_t step = 0; step < steps; ++step) {
      const double left = 1 - static_cast<double>(step) / static_cast<double>(steps);
      const Node a = random.below(order_), b = random.below(order_);
      if (a == b) continue;
      const double change = change_of(places, a, b), heat = warm * left * left;
      const double chance = heat > 0 ? std::exp(-change / heat) : 0;
      if (change > 0 && static_cast<double>(random() >> 11) * 0x1p-53 >= chance) continue;
      std::swap(places[a], places[b]);
      cost += change;
      if (cost < least - 1e-9) {
        least = cost;
        best = places;
      }
    }
    return RankMap(std::move(best));
  }

 private:
  double cost(Node a, Node b, Node place_a, Node place_b) const {
    return deviation(latencies_(a, b), by_distance_[family_.distances(place_a, place_b) - 1U]);
  }
  double change_of(const std::vector<Node>& places, Node a, Node b) const {
    double change = 0;
    const Node at = places[a], bt = places[b];
    for (Node other = 0; other < order_; ++other) {
      if (other == a || other == b) continue;
      const Node ot = places[other];
      change +=
          cost(a, other, bt, ot) - cost(a, other, at, ot) + cost(b, other, at, ot) - cost(b, other, bt, ot);
    }
    return change;
  }

  Node order_;
  const Latencies& latencies_;
  const Family& family_;
  const std::vector<double>& by_distance_;
};

// A fit, and whether its links are exactly the nearest pairs.
struct Candidate {
  LatencyFit fit;
  bool is_exact = false;
};

class Fitting {
 public:
  explicit Fitting(const Latencies& latencies)
      : latencies_(latencies),
        pairs_(ascending_pairs(latencies)),
        gap_(widest_gap(pairs_)),
        alike_(latencies, [](Node, Node) { return std::size_t{1}; }),
        leaves_(misfit_of_leaves(latencies, alike_)) {}

  Discovery run() {
    const std::vector<NamedNetwork> families = families_of(latencies_.order());
    for (const NamedNetwork& family : by_contrast(families)) try_isomorphism(family);
    if (!is_found()) {
      for (const NamedNetwork& family : likely(families)) try_exchanges(family);
    }
    // The taken ones come first, then the others, each by misfit.
    std::ranges::stable_sort(candidates_, {}, [this](const Candidate& candidate) {
      return std::pair(!is_taken(candidate), candidate.fit.misfit);
    });
    Discovery result{
        .best = {}, .is_family = !candidates_.empty() && is_taken(candidates_.front()), .edges = edges()};
    std::set<std::string> names;
    for (const Candidate& candidate : candidates_) {
      if (result.best.size() < 3 && names.insert(candidate.fit.network.named.network.name()).second)
        result.best.push_back(candidate.fit);
    }
    return result;
  }

 private:
  // Whether a fit is good, and better than noise could make it.
  bool is_taken(const Candidate& candidate) const {
    constexpr double most_alike = 0.1, far_better = 0.4;
    const auto& [fit, is_exact] = candidate;
    if (fit.misfit > largest_misfit) return false;
    // All nodes are next to each other, unless the latencies tell some from others.
    if (fit.by_distance.size() < 2)
      return gap_ < most_alike && fit.misfit < most_alike / 2 && !is_another_likely();
    if (!is_better_than_leaves(fit)) return false;
    const auto& named = fit.network.named;
    const bool is_rare = is_exact && rarity(named, links_of(named)) >= fewest_bits_of_links;
    const double contrast = fit.by_distance[1] / fit.by_distance[0] - 1;
    const bool is_small_contrast_enough = is_rare || evidence(fit, alike_.misfit()) >= fewest_bits_of_fit;
    if (contrast < std::max(is_small_contrast_enough ? least_contrast : most_alike, 2 * fit.misfit))
      return false;
    return is_rare || fit.misfit < far_better * alike_.misfit();
  }
  // Whether the latencies of switches would hardly look like those of a candidate by chance.
  bool is_another_likely() const {
    return std::ranges::any_of(candidates_, [this](const Candidate& candidate) {
      return is_better_than_leaves(candidate.fit) &&
             evidence(candidate.fit, alike_.misfit()) > most_bits_of_switch;
    });
  }
  // With links between leaves in places of their own choice, many networks explain a little more of the noise.
  bool is_better_than_leaves(const LatencyFit& fit) const {
    constexpr double better = 0.8;
    return fit.misfit <= better * leaves_;
  }
  bool is_found() const {
    return std::ranges::any_of(candidates_,
                               [this](const Candidate& candidate) { return is_taken(candidate); });
  }

  // How much farther the first pair behind the nearest ones is than the last of these.
  double gap_behind(std::uint64_t links) const {
    return links >= pairs_.size() ? 0 : pairs_[links].latency / pairs_[links - 1].latency - 1;
  }
  static std::uint64_t links_of(const NamedNetwork& named) {
    return SurvivingNetwork(named.network, named.lacks).links();
  }

  // The families whose links the latencies tell from other pairs, those first that they tell best.
  std::vector<NamedNetwork> by_contrast(const std::vector<NamedNetwork>& families) const {
    constexpr std::size_t most = 30;
    std::vector<std::pair<double, std::size_t>> order;
    for (std::size_t i = 0; i < families.size(); ++i) {
      const double gap = gap_behind(links_of(families[i]));
      if (gap >= least_contrast) order.emplace_back(-gap, i);
    }
    std::ranges::sort(order);
    std::vector<NamedNetwork> result;
    for (const auto& [gap, i] : order) {
      if (result.size() < most) result.push_back(families[i]);
    }
    return result;
  }

  // Of many nodes, complete networks and the families that could fit best.
  std::vector<NamedNetwork> likely(const std::vector<NamedNetwork>& families) const {
    if (latencies_.order() <= few_nodes) return families;
    std::vector<NamedNetwork> result;
    std::vector<std::pair<double, std::size_t>> others;
    for (std::size_t i = 0; i < families.size(); ++i) {
      const Family family(families[i]);
      if (family.is_complete()) {
        result.push_back(families[i]);
        continue;
      }
      const double misfit = quantiles(pairs_, family).misfit;
      if (misfit <= largest_misfit) others.emplace_back(misfit, i);
    }
    std::ranges::sort(others);
    const std::size_t most = most_exchanged_pairs / latencies_.order() / latencies_.order();
    for (std::size_t i = 0; i < std::min(others.size(), most); ++i)
      result.push_back(families[others[i].second]);
    return result;
  }

  void try_isomorphism(const NamedNetwork& named) {
    if (is_found()) return;
    const Family family(named);
    if (auto places = isomorphism(pairs_, family))
      candidates_.push_back({judged(latencies_, family, *std::move(places)), true});
  }

  void try_exchanges(const NamedNetwork& named) {
    const Family family(named);
    if (family.is_complete()) {
      candidates_.push_back({judged(latencies_, family, RankMap())});
      return;
    }
    const Node order = latencies_.order();
    std::optional<LatencyFit> best;
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      LatencyFit fit = exchanged(family, latencies_, seed);
      // What the nodes add by themselves may have misled the exchanges.
      const Latencies without = explanation(latencies_, family, fit.network.ranks).without_nodes(latencies_);
      LatencyFit again = exchanged(family, without, seed);
      if (again.misfit < fit.misfit) fit = std::move(again);
      if (!best || fit.misfit < best->misfit) best = std::move(fit);
      if (is_taken({*best}) || order > few_nodes) break;
    }
    candidates_.push_back({*std::move(best)});
  }

  // The fit of all latencies that exchanges by these find.
  LatencyFit exchanged(const Family& family, const Latencies& latencies, std::uint64_t seed) const {
    const std::uint64_t order = latencies.order();
    const std::uint64_t steps = order > few_nodes ? 200'000 : 1000 * order + 25 * order * order;
    const Quantiles expected = quantiles(ascending_pairs(latencies), family);
    return judged(latencies_, family, Exchanges(latencies, family, expected.by_distance).run(steps, seed));
  }

  std::vector<Edge> edges() const {
    Components components(latencies_.order());
    std::size_t links = pairs_.size();
    double widest = 0;
    for (std::size_t count = 1; count < pairs_.size(); ++count) {
      components.join(pairs_[count - 1].nodes.low, pairs_[count - 1].nodes.high);
      if (!components.are_one() || gap_behind(count) <= widest) continue;
      widest = gap_behind(count);
      links = count;
    }
    return nearest_edges(pairs_, links);
  }

  const Latencies& latencies_;
  std::vector<Pair> pairs_;
  double gap_;
  Explanation alike_;  // by a network whose pairs are all alike
  double leaves_;      // the misfit of the best leaf switches
  std::vector<Candidate> candidates_;
};

}  // namespace

Latencies::Latencies(Node order) : order_(order) {
  if (order < 2 || order > most_nodes)
    throw Error(fmt::format("{} nodes: give 2 to {} to find their network", order, most_nodes));
  table_.resize(std::size_t{order} * order, 0);
}

Discovery discovered(const Latencies& latencies) {
  return Fitting(latencies).run();
}

}  // namespace isotrope::graph
