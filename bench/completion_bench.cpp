// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Completion times: listed hops per second.
#include <utility>

#include <benchmark/benchmark.h>

#include "isotrope/network/hypercube.hpp"

#include "isotrope/cost/completion.hpp"

#include "isotrope/algorithm/broadcast/msbt_broadcast.hpp"
#include "isotrope/algorithm/exchange/total_exchange.hpp"

namespace {

using isotrope::cost::Machine;
using isotrope::schedule::Plan;
using isotrope::schedule::PortModel;

Plan plan_of(std::uint32_t dimension, const char* collective, std::uint32_t parts,
             isotrope::schedule::Schedule schedule) {
  const auto network = isotrope::network::hypercube(dimension);
  const auto task = isotrope::schedule::parse_task(collective, network, 0, parts);
  return {network, {}, task, std::move(schedule), {}, {}};
}

void complete(benchmark::State& state, const Plan& plan, const Machine& machine) {
  const auto workload =
      isotrope::cost::Workload::in_parts(std::uint64_t{1024} * plan.task.parts, plan.task.parts);
  for (auto _ : state) {
    benchmark::DoNotOptimize(isotrope::cost::complete(plan, machine, workload));
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(plan.schedule.hop_count()));
}

void complete_msbt_broadcast(benchmark::State& state, PortModel ports) {
  const auto dimension = static_cast<std::uint32_t>(state.range(0));
  auto schedule = isotrope::algorithm::msbt_broadcast(dimension, 0, 256, ports);
  complete(state, plan_of(dimension, "broadcast", 256, std::move(schedule)), {.ports = ports});
}

void complete_total_exchange(benchmark::State& state, PortModel ports) {
  const auto dimension = static_cast<std::uint32_t>(state.range(0));
  auto schedule = isotrope::algorithm::total_exchange(dimension, 1);
  complete(state, plan_of(dimension, "alltoall", 1, std::move(schedule)), {.ports = ports});
}

BENCHMARK_CAPTURE(complete_msbt_broadcast, half, PortModel::half())->Arg(14)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(complete_msbt_broadcast, one, PortModel::one())->Arg(14)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(complete_msbt_broadcast, all, PortModel::all())->Arg(14)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(complete_total_exchange, one, PortModel::one())->Arg(18)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(complete_total_exchange, four, PortModel::ports(4))->Arg(18)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(complete_total_exchange, all, PortModel::all())->Arg(18)->Unit(benchmark::kMillisecond);

}  // namespace
