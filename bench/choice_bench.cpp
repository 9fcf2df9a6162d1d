// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The choice by size at 1,024 nodes.
#include <benchmark/benchmark.h>

#include "isotrope/network/parse.hpp"

#include "isotrope/planner/choice.hpp"

namespace {

using isotrope::cost::Machine;
using isotrope::schedule::Problem;

const Machine cluster{.startup_s = 2e-6, .byte_time_s = 1e-10};

Problem problem(const char* network_name, const char* collective) {
  const auto network = isotrope::network::parse(network_name);
  return {.network = network, .task = isotrope::schedule::parse_task(collective, network)};
}

void choose(benchmark::State& state, const char* network, const char* collective) {
  const Problem wanted = problem(network, collective);
  for (auto _ : state) {
    benchmark::DoNotOptimize(
        isotrope::planner::choose_for(wanted, static_cast<std::uint64_t>(state.range(0)), cluster)
            .candidates.data());
  }
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

}  // namespace
