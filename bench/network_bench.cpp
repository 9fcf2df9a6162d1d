// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Networks: a step over a port and a distance, in a loop over all nodes.
#include <benchmark/benchmark.h>

#include "isotrope/network/parse.hpp"

namespace {

using isotrope::network::Node;

void neighbour(benchmark::State& state, const char* name) {
  const auto network = isotrope::network::parse(name);
  for (auto _ : state) {
    network.visit([&](const auto& step, const auto&) {
      Node sum = 0;
      for (Node node = 0; node < network.order(); ++node) sum += step(node, node % network.degree());
      benchmark::DoNotOptimize(sum);
    });
  }
  state.SetItemsProcessed(state.iterations() * network.order());
}

void distance(benchmark::State& state, const char* name) {
  const auto network = isotrope::network::parse(name);
  benchmark::DoNotOptimize(network.distance(0, 1));  // breadth-first search, if there is one, runs here
  for (auto _ : state) {
    std::uint64_t sum = 0;
    for (Node node = 0; node < network.order(); ++node) sum += network.distance(1, node);
    benchmark::DoNotOptimize(sum);
  }
  state.SetItemsProcessed(state.iterations() * network.order());
}

BENCHMARK_CAPTURE(neighbour, hypercube, "hypercube:16");
BENCHMARK_CAPTURE(neighbour, torus, "torus:32x32x64");
BENCHMARK_CAPTURE(neighbour, hexmesh, "hexmesh:148");
BENCHMARK_CAPTURE(distance, hypercube, "hypercube:16");
BENCHMARK_CAPTURE(distance, torus, "torus:32x32x64");
BENCHMARK_CAPTURE(distance, hexmesh, "hexmesh:148");
BENCHMARK_CAPTURE(distance, twisted_torus, "twisted-torus:32x32x64");
BENCHMARK_CAPTURE(distance, circulant, "circulant:65537:1,256");

}  // namespace
