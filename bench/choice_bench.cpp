// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The choice by size at 1,024 nodes, and at about 4,096 nodes after the first, for 1 and 64 KiB in turns.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

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

const Machine cut_through{.startup_s = 1e-6, .byte_time_s = 1e-9, .cut_through = true, .hop_time_s = 1e-6};

void choose_again(benchmark::State& state, const char* network, const char* collective) {
  const Problem wanted = problem(network, collective);
  const auto choose_size = [&](std::uint64_t bytes) {
    benchmark::DoNotOptimize(isotrope::planner::choose_for(wanted, bytes, cut_through).candidates.data());
  };
  choose_size(1024);
  choose_size(65536);
  std::uint64_t bytes = 1024;
  for (auto _ : state) choose_size(bytes = bytes == 1024 ? 65536 : 1024);
}

void register_thousands() {
  for (const char* network :
       {"torus:16x16x16", "torus:64x64", "hypercube:12", "ring:4096", "hexmesh:37", "twisted-torus:45x90"}) {
    for (const char* collective : {"broadcast", "reduce", "scatter", "gather", "allgather", "reduce-scatter",
                                   "allreduce", "alltoall"}) {
      benchmark::RegisterBenchmark(fmt::format("choose_again/{}/{}", network, collective).c_str(),
                                   choose_again, network, collective)
          ->Unit(benchmark::kMillisecond);
    }
  }
}

[[maybe_unused]] const bool registered = (register_thousands(), true);

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
