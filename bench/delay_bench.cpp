// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Total exchange with small delays: listed hops per second, and the gap between the mean delay and its bound.
#include <cstdint>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "isotrope/network/parse.hpp"

#include "isotrope/bound/delay.hpp"

#include "isotrope/algorithm/exchange/least_delay_exchange.hpp"

namespace {

using isotrope::network::Network;
using isotrope::schedule::Schedule;
using isotrope::schedule::Task;

// Over the packets of origin 0, numbered from `parts`: all nodes do the same on the networks below.
double mean_delay(const Schedule& schedule, const Network& network, std::uint32_t parts) {
  const auto& rounds = schedule.stages.front().rounds;
  std::vector<std::uint64_t> arrival(std::uint64_t{network.order()} * parts, 0);
  for (std::uint64_t t = 0; t < rounds.size(); ++t) {
    for (const auto& hop : rounds.round(t)) arrival[hop.packet] = t + 1;
  }
  double sum = 0;
  for (std::uint64_t rounds_until : arrival) sum += static_cast<double>(rounds_until);
  return sum / static_cast<double>(arrival.size() - parts);
}

void total_exchange(benchmark::State& state, const std::string& name) {
  const Network network = isotrope::network::parse(name);
  const Task task = isotrope::schedule::parse_task("alltoall", network);
  Schedule schedule;
  for (auto _ : state) schedule = isotrope::algorithm::least_delay_exchange(network, task);
  const double bound = isotrope::bound::delay_bound({.network = network, .task = task}).mean;
  state.counters["above_bound_percent"] = 100 * (mean_delay(schedule, network, task.parts) / bound - 1);
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(schedule.hop_count()));
}

BENCHMARK_CAPTURE(total_exchange, hypercube_11, "hypercube:11")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(total_exchange, hypercube_12, "hypercube:12")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(total_exchange, hypercube_13, "hypercube:13")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(total_exchange, hypercube_14, "hypercube:14")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(total_exchange, hypercube_15, "hypercube:15")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(total_exchange, hypercube_16, "hypercube:16")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(total_exchange, hypercube_17, "hypercube:17")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(total_exchange, hexmesh_50, "hexmesh:50")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(total_exchange, torus_33x33, "torus:33x33")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(total_exchange, torus_32x32, "torus:32x32")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(total_exchange, torus_63x65, "torus:63x65")->Unit(benchmark::kMillisecond);

}  // namespace
