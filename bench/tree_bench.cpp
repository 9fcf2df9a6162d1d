// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Spanning trees of a hypercube: the time of one query for the children, over pseudo-random
// nodes and roots.
#include <cstdint>
#include <random>
#include <vector>

#include <benchmark/benchmark.h>

#include "isotrope/algorithm/trees/balanced_spanning_tree.hpp"
#include "isotrope/algorithm/trees/hamiltonian_path.hpp"
#include "isotrope/algorithm/trees/spanning_binomial_tree.hpp"
#include "isotrope/algorithm/trees/two_rooted_tree.hpp"

namespace {

using isotrope::algorithm::BalancedSpanningTree;
using isotrope::algorithm::HamiltonianPath;
using isotrope::algorithm::SpanningBinomialTree;
using isotrope::algorithm::TwoRootedTree;
using isotrope::network::Node;

struct Query {
  Node node = 0, root = 0;
};

// More of them than a branch predictor learns by heart.
std::vector<Query> queries(std::uint32_t dimension) {
  std::mt19937 random(1986);
  std::uniform_int_distribution<Node> any_node(0, (Node{1} << dimension) - 1);
  std::vector<Query> result(std::size_t{1} << 16);
  for (Query& query : result) query = {any_node(random), any_node(random)};
  return result;
}

template <class Ask>
void time_queries(benchmark::State& state, const std::vector<Query>& asked, Ask ask) {
  for (auto _ : state) {
    for (const Query& query : asked) benchmark::DoNotOptimize(ask(query));
  }
  const auto calls = static_cast<double>(asked.size());
  state.counters["s_per_call"] =
      benchmark::Counter(calls, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

template <class Tree>
void children(benchmark::State& state) {
  const auto dimension = static_cast<std::uint32_t>(state.range(0));
  const Tree tree(dimension);
  time_queries(state, queries(dimension),
               [&](const Query& query) { return tree.children(query.node, query.root); });
}

BENCHMARK(children<SpanningBinomialTree>)->Arg(20);
BENCHMARK(children<BalancedSpanningTree>)->Arg(20);
BENCHMARK(children<TwoRootedTree>)->Arg(20);
BENCHMARK(children<HamiltonianPath>)->Arg(20);

}  // namespace
