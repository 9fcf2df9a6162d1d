// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/exchange/route_relations.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <numeric>
#include <utility>

#include "isotrope/algorithm/exchange/route_choice.hpp"

namespace isotrope::algorithm {
namespace {

using network::Network;
using network::Node;
using network::Port;
using Hops = std::vector<std::int32_t>;  // by pair

constexpr std::size_t most_relations = 64;
constexpr std::uint64_t most_comparisons = std::uint64_t{1} << 16;

std::int64_t length(std::span<const std::int32_t> row, const PairWeights& weights) {
  return std::inner_product(row.begin(), row.end(), weights.begin(), std::int64_t{0}, std::plus<>(),
                            [](std::int32_t hops, std::int64_t weight) { return std::abs(hops) * weight; });
}

// Negates a relation if its first nonzero hops are negative.
void choose_sign(Hops& hops) {
  const auto first = std::find_if(hops.begin(), hops.end(), [](std::int32_t h) { return h != 0; });
  if (first == hops.end() || *first > 0) return;
  for (std::int32_t& h : hops) h = -h;
}

Relation sparse(const Hops& hops) {
  Relation result;
  for (std::uint32_t p = 0; p < hops.size(); ++p) {
    if (hops[p] != 0) result.push_back({p, hops[p]});
  }
  return result;
}

// Relations between the routes to neighbours; row i is the route to node i.
std::vector<Relation> relations_between(const Network& network, std::span<const PortPair> pairs,
                                        const SignedRoutes& routes, const PairWeights& weights) {
  std::map<Hops, std::int64_t> detours;
  Hops relation(pairs.size());
  const std::uint64_t links = network.order() * pairs.size();
  for (std::uint64_t link = 0; link < links; link += links / most_comparisons + 1) {
    const auto node = static_cast<Node>(link / pairs.size());
    const std::size_t pair = link % pairs.size();
    const auto here = routes.row(node), there = routes.row(network.neighbour(node, pairs[pair].forward));
    std::transform(here.begin(), here.end(), there.begin(), relation.begin(), std::minus<>());
    ++relation[pair];
    choose_sign(relation);
    const std::int64_t longer = length(here, weights) + weights[pair] - length(there, weights);
    const auto [known, is_new] = detours.emplace(relation, longer);
    if (!is_new) known->second = std::min(known->second, longer);
  }
  detours.erase(Hops(pairs.size(), 0));

  std::vector<std::pair<std::int64_t, const Hops*>> ranked;
  for (const auto& [hops, longer] : detours) ranked.emplace_back(longer, &hops);
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  ranked.resize(std::min(ranked.size(), most_relations));
  std::vector<Relation> result;
  for (const auto& [longer, hops] : ranked) result.push_back(sparse(*hops));
  return result;
}

}  // namespace

std::vector<PortPair> opposite_pairs(const Network& network) {
  std::vector<PortPair> pairs;
  for (Port port = 0; port < network.degree(); ++port) {
    if (port <= network.opposite(port)) pairs.push_back({port, network.opposite(port)});
  }
  return pairs;
}

SignedRoutes::SignedRoutes(std::span<const PortPair> pairs, const TaskMatrix& matrix)
    : pairs_(pairs.begin(), pairs.end()), rows_(matrix.rows()), hops_(matrix.rows() * pairs.size(), 0) {
  std::vector<RelationStep> of_port(matrix.columns());
  for (std::uint32_t p = 0; p < pairs.size(); ++p) {
    of_port[pairs[p].backward] = {p, -1};
    of_port[pairs[p].forward] = {p, 1};
  }
  for (std::uint64_t i = 0; i < rows_; ++i) {
    for (const auto [port, count] : matrix.row(i)) {
      row(i)[of_port[port].pair] += of_port[port].hops * static_cast<std::int32_t>(count);
    }
  }
}

TaskMatrix SignedRoutes::matrix() const {
  Port ports = 0;
  for (const auto [forward, backward] : pairs_) ports += forward == backward ? 1 : 2;
  TaskMatrix result(ports);
  for (std::uint64_t i = 0; i < rows_; ++i) {
    for (std::size_t p = 0; p < pairs_.size(); ++p) {
      const std::int32_t hops = row(i)[p];
      result.add(hops > 0 ? pairs_[p].forward : pairs_[p].backward,
                 static_cast<std::uint32_t>(std::abs(hops)));
    }
    result.close_row();
  }
  return result;
}

std::int64_t detour(std::span<const std::int32_t> row, const Relation& relation, std::int32_t sign,
                    const PairWeights& weights) {
  std::int64_t sum = 0;
  for (const auto [pair, hops] : relation) {
    sum += weights[pair] * (std::abs(row[pair] + sign * hops) - std::abs(row[pair]));
  }
  return sum;
}

void shorten(SignedRoutes& routes, std::span<const Relation> relations, const PairWeights& weights) {
  for (std::uint64_t i = 0; i < routes.rows(); ++i) {
    for (bool changed = true; changed;) {
      changed = false;
      for (const Relation& relation : relations) {
        for (const std::int32_t sign : {1, -1}) {
          if (detour(routes.row(i), relation, sign, weights) >= 0) continue;
          take(routes.row(i), relation, sign);
          changed = true;
        }
      }
    }
  }
}

std::vector<Relation> find_relations(const Network& network, const PairWeights& weights) {
  std::vector<schedule::RelativeDestination> everyone;
  for (Node node = 0; node < network.order(); ++node) everyone.push_back({node, 1});
  const std::vector<PortPair> pairs = opposite_pairs(network);
  SignedRoutes routes(pairs, shortest_routes(network, everyone));
  // The relations between routes of the fewest hops lead to routes of the least weight, and these to the result.
  shorten(routes, relations_between(network, pairs, routes, weights), weights);
  return relations_between(network, pairs, routes, weights);
}

}  // namespace isotrope::algorithm
