// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Checking: listed hops per second.
#include <benchmark/benchmark.h>

#include "isotrope/network/hypercube.hpp"

#include "isotrope/planner/plan.hpp"

namespace {

void verify(benchmark::State& state, const char* collective) {
  const auto network = isotrope::network::hypercube(static_cast<std::uint32_t>(state.range(0)));
  const auto plan = isotrope::planner::make_plan(
      {.network = network, .task = isotrope::schedule::parse_task(collective, network)});
  for (auto _ : state) {
    if (!isotrope::verify::verify(plan).valid) state.SkipWithError("not valid");
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(plan.claims.hops));
}

BENCHMARK_CAPTURE(verify, alltoall, "alltoall")->Arg(10)->Arg(20)->Arg(24)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(verify, allgather, "allgather")->Arg(20)->Arg(24)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(verify, scatter, "scatter")->Arg(20)->Arg(24)->Unit(benchmark::kMillisecond);

}  // namespace
