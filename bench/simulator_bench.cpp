// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The packet simulator: packet hops a second of total exchanges, those followed counted (one origin's under a
// symmetric policy).
#include <cstdint>
#include <string>

#include <benchmark/benchmark.h>

#include "isotrope/network/parse.hpp"

#include "isotrope/simulate/packet_simulator.hpp"

namespace {

using isotrope::network::Network;
using isotrope::simulate::PacketSimulator;
using isotrope::simulate::RoutingPolicy;
using Order = RoutingPolicy::Order;

void route(benchmark::State& state, const std::string& name, RoutingPolicy policy) {
  const Network network = isotrope::network::parse(name);
  const auto task = isotrope::schedule::parse_task("alltoall", network);
  const PacketSimulator simulator(network, {isotrope::schedule::relative_destinations(network, task)},
                                  policy);
  std::uint64_t seed = 1992;
  std::uint64_t hops = 0;
  for (auto _ : state) hops += simulator.run(seed++).transmissions;
  if (policy.symmetric) hops /= network.order();
  state.SetItemsProcessed(static_cast<std::int64_t>(hops));
}

void route_on_hypercube(benchmark::State& state, RoutingPolicy policy) {
  route(state, "hypercube:" + std::to_string(state.range(0)), policy);
}

void route_on_torus(benchmark::State& state, RoutingPolicy policy) {
  route(state, "torus:16x16", policy);
}

void sizes(benchmark::internal::Benchmark* bench) {
  bench->Arg(10)->Arg(12)->Unit(benchmark::kMillisecond);
}

BENCHMARK_CAPTURE(route_on_hypercube, random, {Order::random, false})->Apply(sizes);
BENCHMARK_CAPTURE(route_on_hypercube, oldest, {Order::oldest, false})->Apply(sizes);
BENCHMARK_CAPTURE(route_on_hypercube, nearest, {Order::nearest, false})->Apply(sizes);
BENCHMARK_CAPTURE(route_on_hypercube, farthest, {Order::farthest, false})->Apply(sizes);
BENCHMARK_CAPTURE(route_on_hypercube, largest_residual, {Order::largest_residual, false})->Apply(sizes);
BENCHMARK_CAPTURE(route_on_hypercube, symmetric_random, {Order::random, true})
    ->Arg(16)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(route_on_hypercube, symmetric_largest_residual, {Order::largest_residual, true})
    ->Arg(16)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(route_on_torus, random, {Order::random, false})->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(route_on_torus, largest_residual, {Order::largest_residual, false})
    ->Unit(benchmark::kMillisecond);

}  // namespace
