// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Choosing by size at 1,024 nodes, and the same choice out of the cache.
#include <benchmark/benchmark.h>

#include "isotrope/network/parse.hpp"

#include "isotrope/planner/plan_cache.hpp"

namespace {

using isotrope::cost::Machine;
using isotrope::planner::Request;

const Machine cluster{.startup_s = 2e-6, .byte_time_s = 1e-10};

Request request(const char* network_name, const char* collective) {
  const auto network = isotrope::network::parse(network_name);
  return {.network = network, .task = isotrope::schedule::parse_task(collective, network)};
}

void choose(benchmark::State& state, const char* network, const char* collective) {
  const Request wanted = request(network, collective);
  for (auto _ : state) {
    benchmark::DoNotOptimize(
        choose_for(wanted, static_cast<std::uint64_t>(state.range(0)), cluster).candidates.data());
  }
}

void cached(benchmark::State& state, const char* network, const char* collective) {
  const Request wanted = request(network, collective);
  isotrope::planner::PlanCache cache;
  for (std::uint64_t bytes = 1; bytes <= 64; ++bytes) cache.plan(wanted, bytes, cluster);
  for (auto _ : state) benchmark::DoNotOptimize(cache.plan(wanted, 32, cluster));
}

BENCHMARK_CAPTURE(choose, broadcast_cube, "hypercube:10", "broadcast")
    ->Arg(64)
    ->Arg(1 << 16)
    ->Arg(1 << 26)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(choose, broadcast_torus, "torus:32x32", "broadcast")
    ->Arg(64)
    ->Arg(1 << 16)
    ->Arg(1 << 26)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(choose, scatter_torus, "torus:32x32", "scatter")
    ->Arg(64)
    ->Arg(1 << 16)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(choose, allgather_torus, "torus:32x32", "allgather")
    ->Arg(64)
    ->Arg(1 << 16)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(choose, alltoall_cube, "hypercube:10", "alltoall")
    ->Arg(64)
    ->Arg(1 << 16)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(choose, alltoall_torus, "torus:32x32", "alltoall")
    ->Arg(64)
    ->Arg(1 << 16)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(cached, alltoall_cube, "hypercube:6", "alltoall");
BENCHMARK_CAPTURE(cached, alltoall_mesh, "hexmesh:4", "alltoall");

}  // namespace
