// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/forward/balanced_routes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "isotrope/forward/apportionment.hpp"

namespace isotrope::forward {
namespace {

// Constants of the method, found on tori and cubes of 16 and 64 nodes (docs/unequal-counts.md).
constexpr double theta = 30;  // of soft_paths.hpp
constexpr double hop = 0.1;   // the length of the widest lane without load
constexpr double first_steepness = 5, steepening = 1.1;

// What is left of the excess over the bound after so many rounds, as measured there.
constexpr std::array remaining{1.0, 0.52, 0.38, 0.30, 0.26, 0.23, 0.21, 0.20, 0.19};
static_assert(remaining.size() == BalancedRoutes::most_rounds + 1);

// Of a lane with such a load, 1 for the busiest. The 32nd power is near exp(32 (load - 1)) there.
double price_of(double load) {
  for (int i = 0; i < 5; ++i) load *= load;
  return load;
}

}  // namespace

BalancedRoutes::BalancedRoutes(const LaneGraph& graph, Node node, std::vector<std::uint64_t> bytes,
                               std::uint64_t received, std::uint32_t diameter)
    : graph_(graph),
      node_(node),
      bytes_(std::move(bytes)),
      received_(received),
      most_hops_(diameter + more_hops) {}

// The loads, what every node sends and receives, and the bytes times the hops.
std::size_t BalancedRoutes::demand_numbers(const LaneGraph& graph) {
  return graph.lanes().size() + 2 * std::size_t{graph.nodes()} + 1;
}

void BalancedRoutes::write_demand(std::span<std::uint64_t> numbers) {
  std::ranges::fill(numbers, 0);
  const std::size_t lanes = graph_.lanes().size();
  // Lengths that are all alike make shortest paths alone likely.
  propose(numbers.first(lanes), std::vector<double>(lanes, 1.0));
  std::uint64_t sent = 0;
  for (const std::uint64_t bytes : bytes_) sent += bytes;
  numbers[lanes + node_] = sent;
  numbers[lanes + graph_.nodes() + node_] = received_;
  // Detours are so unlikely that the loads add up to bytes times distance.
  for (std::size_t lane = 0; lane < lanes; ++lane) numbers.back() += numbers[lane];
}

void BalancedRoutes::take_demand(std::span<const std::uint64_t> sums) {
  const std::size_t lanes = graph_.lanes().size(), nodes = graph_.nodes();
  double width = 0;
  for (Node node = 0; node < nodes; ++node) {
    const double here = graph_.width(node);
    if (here == 0) continue;
    width += here;
    const std::uint64_t most = std::max(sums[lanes + node], sums[lanes + nodes + node]);
    bound_ = std::max(bound_, static_cast<double>(most) / here);
  }
  if (width > 0) bound_ = std::max(bound_, static_cast<double>(sums.back()) / width);
  take(sums.first(lanes));
}

void BalancedRoutes::write_loads(std::span<std::uint64_t> numbers) {
  propose(numbers, lengths());
}

void BalancedRoutes::take_loads(std::span<const std::uint64_t> sums) {
  take(sums);
}

std::vector<double> BalancedRoutes::lengths() const {
  const double steepness = first_steepness * std::pow(steepening, static_cast<double>(loads_.size()) - 1);
  const double widest = graph_.widest();
  std::vector<double> result;
  for (std::size_t lane = 0; lane < agreed_.size(); ++lane) {
    const double relative = busiest_ > 0 ? agreed_[lane] / busiest_ : 0;
    result.push_back((std::exp(steepness * (relative - 1)) + hop) * widest / graph_.lanes()[lane].width);
  }
  return result;
}

void BalancedRoutes::propose(std::span<std::uint64_t> numbers, const std::vector<double>& lengths) {
  proposals_.emplace_back(graph_, node_, lengths, most_hops_, theta);
  std::vector<double> loads(numbers.size(), 0.0);
  proposals_.back().add_loads(bytes_, loads);
  for (std::size_t lane = 0; lane < loads.size(); ++lane)
    numbers[lane] = static_cast<std::uint64_t>(std::llround(loads[lane]));
}

void BalancedRoutes::take(std::span<const std::uint64_t> sums) {
  std::vector<double>& loads = loads_.emplace_back();
  for (std::size_t lane = 0; lane < sums.size(); ++lane)
    loads.push_back(static_cast<double>(sums[lane]) / graph_.lanes()[lane].width);
  if (loads_.size() == 1) {
    mixture_ = {1.0};
    agreed_ = loads;
    busiest_ = loads.empty() ? 0 : *std::ranges::max_element(loads);
  } else {
    mix();
  }
}

void BalancedRoutes::finish() {
  constexpr int last_steps = 40;
  if (loads_.size() > 1) improve(mixture_, last_steps);
}

// The share of a proposal beside the mixture with which the busiest lane carries least.
double BalancedRoutes::best_share_of(const std::vector<double>& proposal) const {
  constexpr std::array shares{0.01, 0.02, 0.05, 0.1, 0.15, 0.25, 0.4};
  double best = shares.front(), least = std::numeric_limits<double>::infinity();
  for (const double share : shares) {
    double busiest = 0;
    for (std::size_t lane = 0; lane < proposal.size(); ++lane)
      busiest = std::max(busiest, agreed_[lane] + share * (proposal[lane] - agreed_[lane]));
    if (busiest >= least) continue;
    least = busiest;
    best = share;
  }
  return best;
}

void BalancedRoutes::mix() {
  constexpr int steps = 10;
  const double first_share = best_share_of(loads_.back());
  std::vector<double> mixture = mixture_;
  for (double& share : mixture) share *= 1 - first_share;
  mixture.push_back(first_share);
  mixture_.push_back(0);
  improve(std::move(mixture), steps);
}

// Multiplicative weights: a proposal gains if it loads the busy lanes less than others do. The best mixture on the way is kept.
void BalancedRoutes::improve(std::vector<double> mixture, int steps) {
  constexpr double rate = 0.3;
  std::vector<double> mixed(agreed_.size()), prices(agreed_.size()), costs(loads_.size());
  for (int step = 0; step < steps; ++step) {
    std::ranges::fill(mixed, 0.0);
    for (std::size_t i = 0; i < loads_.size(); ++i) {
      for (std::size_t lane = 0; lane < mixed.size(); ++lane) mixed[lane] += mixture[i] * loads_[i][lane];
    }
    const double busiest = *std::ranges::max_element(mixed);
    if (busiest < busiest_) {
      busiest_ = busiest;
      mixture_ = mixture;
      agreed_ = mixed;
    }
    if (busiest <= 0) return;
    double total = 0;
    for (std::size_t lane = 0; lane < mixed.size(); ++lane)
      total += prices[lane] = price_of(mixed[lane] / busiest);
    for (std::size_t i = 0; i < loads_.size(); ++i) {
      costs[i] = 0;
      for (std::size_t lane = 0; lane < mixed.size(); ++lane) costs[i] += prices[lane] * loads_[i][lane];
    }
    const double least = *std::ranges::min_element(costs);
    double sum = 0;
    for (std::size_t i = 0; i < mixture.size(); ++i)
      sum += mixture[i] *= std::exp(-rate * (costs[i] - least) / (total * busiest));
    for (double& share : mixture) share /= sum;
  }
}

// From numbers that all nodes have, by additions, products and quotients alone, which all machines round alike.
std::uint32_t BalancedRoutes::rounds_that_pay(double byte_s, double round_s) const {
  const double excess = busiest_ - bound_;
  std::uint32_t best = 0;
  // Nodes that choose by their queues, without an agreement, leave about half of the excess.
  double least = 0.5 * excess * byte_s;
  for (std::uint32_t rounds = 1; rounds < remaining.size(); ++rounds) {
    const double seconds = remaining.at(rounds) * excess * byte_s + rounds * round_s;
    if (seconds < least) {
      least = seconds;
      best = rounds;
    }
  }
  return best;
}

std::vector<Route> BalancedRoutes::routes(Node destination, std::size_t count) const {
  SplitMix random(std::uint64_t{node_} << 32 | destination);
  std::vector<Route> result;
  // A proposal whose sums failed has no share.
  apportion(mixture_, count, random, [&](std::size_t proposal, std::size_t begin, std::size_t end) {
    for (Route& route : proposals_[proposal].draw(destination, end - begin, random))
      result.push_back(std::move(route));
  });
  return result;
}

}  // namespace isotrope::forward
