// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Planning: listed hops per second, and the time to write the same number of bytes once into fresh memory.
#include <cstring>

#include <benchmark/benchmark.h>

#include "isotrope/base/huge_pages.hpp"

#include "isotrope/network/hypercube.hpp"

#include "isotrope/planner/plan.hpp"

namespace {

using isotrope::network::hypercube;
using isotrope::schedule::Hop;
using isotrope::schedule::Problem;

Problem problem(int dimension, const char* collective) {
  const auto network = hypercube(static_cast<std::uint32_t>(dimension));
  return {.network = network, .task = isotrope::schedule::parse_task(collective, network)};
}

void plan(benchmark::State& state, const char* collective) {
  const Problem wanted = problem(static_cast<int>(state.range(0)), collective);
  std::uint64_t hops = 0;
  for (auto _ : state) {
    const auto made = isotrope::planner::make_plan(wanted);
    hops = made.claims.hops;
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(hops));
  state.counters["hops"] = static_cast<double>(hops);
}

// As many bytes as the schedule of a total exchange, written once into memory allocated as the schedule's is.
void write_bytes_once(benchmark::State& state) {
  const std::uint64_t hops = static_cast<std::uint64_t>(state.range(0)) << (state.range(0) - 1);
  for (auto _ : state) {
    void* bytes = isotrope::allocate_huge(hops * sizeof(Hop));
    std::memset(bytes, 1, hops * sizeof(Hop));
    benchmark::DoNotOptimize(bytes);
    isotrope::free_huge(bytes, hops * sizeof(Hop));
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(hops));
}

BENCHMARK(write_bytes_once)->Arg(20)->Arg(24)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(plan, alltoall, "alltoall")->Arg(10)->Arg(20)->Arg(24)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(plan, allgather, "allgather")->Arg(10)->Arg(20)->Arg(24)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(plan, scatter, "scatter")->Arg(10)->Arg(20)->Arg(24)->Unit(benchmark::kMillisecond);

}  // namespace
