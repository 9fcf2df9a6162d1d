// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Routes: the time of one routing record on a hexagonal mesh, and of a route and a count of routes on any
// network, over pseudo-random pairs of nodes.
#include <cstdint>
#include <random>
#include <vector>

#include <benchmark/benchmark.h>

#include "isotrope/network/hexmesh_route.hpp"
#include "isotrope/network/parse.hpp"
#include "isotrope/network/shortest_routes.hpp"

namespace {

using isotrope::network::HexmeshRouting;
using isotrope::network::Node;

struct Pair {
  Node from = 0, to = 0;
};

// More of them than a branch predictor learns by heart.
std::vector<Pair> pairs(Node order, std::size_t count) {
  std::mt19937 random(1990);
  std::uniform_int_distribution<Node> any_node(0, order - 1);
  std::vector<Pair> result(count);
  for (Pair& pair : result) pair = {any_node(random), any_node(random)};
  return result;
}

template <class Ask>
void time_pairs(benchmark::State& state, const std::vector<Pair>& asked, Ask ask) {
  for (auto _ : state) {
    for (const Pair& pair : asked) benchmark::DoNotOptimize(ask(pair));
  }
  const auto calls = static_cast<double>(asked.size());
  state.counters["s_per_call"] =
      benchmark::Counter(calls, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void record(benchmark::State& state) {
  const HexmeshRouting routing(static_cast<std::uint32_t>(state.range(0)));
  time_pairs(state, pairs(routing.order(), std::size_t{1} << 16),
             [&](const Pair& pair) { return routing.record(pair.from, pair.to); });
}

// Hop by hop to the end, address and record brought up to date.
void whole_route(benchmark::State& state) {
  const HexmeshRouting routing(static_cast<std::uint32_t>(state.range(0)));
  time_pairs(state, pairs(routing.order(), std::size_t{1} << 10), [&](const Pair& pair) {
    isotrope::network::RoutedMessage message{pair.from, routing.record(pair.from, pair.to)};
    while (!message.record.arrived())
      message = routing.hop(message, HexmeshRouting::next_port(message.record));
    return message.at;
  });
}

void route(benchmark::State& state, const char* name) {
  const auto network = isotrope::network::parse(name);
  time_pairs(state, pairs(network.order(), std::size_t{1} << 8),
             [&](const Pair& pair) { return shortest_route(network, pair.from, pair.to); });
}

void count(benchmark::State& state, const char* name) {
  const auto network = isotrope::network::parse(name);
  time_pairs(state, pairs(network.order(), std::size_t{1} << 4),
             [&](const Pair& pair) { return count_shortest_routes(network, pair.from, pair.to); });
}

BENCHMARK(record)->Arg(4)->Arg(148)->Arg(4730);
BENCHMARK(whole_route)->Arg(148);
BENCHMARK_CAPTURE(route, hypercube, "hypercube:16");
BENCHMARK_CAPTURE(route, torus, "torus:32x32x64");
BENCHMARK_CAPTURE(route, hexmesh, "hexmesh:148");
BENCHMARK_CAPTURE(count, torus, "torus:32x32x64");
BENCHMARK_CAPTURE(count, hexmesh, "hexmesh:148");
BENCHMARK_CAPTURE(count, twisted_torus, "twisted-torus:16x16x32");

}  // namespace
