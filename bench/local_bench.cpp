// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Local execution: bytes per second over links, and the same bytes by plain memcpy in the same run.
#include <benchmark/benchmark.h>

#include "isotrope/network/hypercube.hpp"

#include "isotrope/local/run.hpp"

#include "isotrope/planner/plan.hpp"

namespace {

void local_run(benchmark::State& state, const char* collective) {
  const auto network = isotrope::network::hypercube(static_cast<std::uint32_t>(state.range(0)));
  const auto plan = isotrope::planner::make_plan(
      {.network = network, .task = isotrope::schedule::parse_task(collective, network)});
  double seconds = 0, memcpy_seconds = 0, bytes = 0;
  for (auto _ : state) {
    const auto result =
        isotrope::local::run(plan, {.block_bytes = static_cast<std::uint64_t>(state.range(1))});
    if (!result.correct) state.SkipWithError("wrong bytes");
    state.SetIterationTime(result.seconds);
    seconds += result.seconds;
    memcpy_seconds += result.memcpy_seconds;
    bytes += static_cast<double>(result.bytes_moved);
  }
  state.counters["GB/s"] = bytes / seconds / 1e9;
  state.counters["memcpy_GB/s"] = bytes / memcpy_seconds / 1e9;
  state.counters["of_memcpy"] = memcpy_seconds / seconds;
}

BENCHMARK_CAPTURE(local_run, alltoall, "alltoall")
    ->Args({6, 65536})
    ->Args({6, 1024})
    ->Args({8, 4096})
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(local_run, allgather, "allgather")
    ->Args({8, 65536})
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
