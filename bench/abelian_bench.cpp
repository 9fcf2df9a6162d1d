// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Collectives on any network: listed hops per second, and the number of rounds above the bound.
#include <cstdint>

#include <benchmark/benchmark.h>

#include "isotrope/network/parse.hpp"

#include "isotrope/bound/lower_bounds.hpp"

#include "isotrope/algorithm/broadcast/fresh_first_broadcast.hpp"
#include "isotrope/algorithm/scatter/layered_scatter.hpp"
#include "isotrope/algorithm/trees/layered_tree.hpp"

namespace {

using isotrope::network::Network;
using isotrope::network::parse;
using isotrope::schedule::Collective;
using isotrope::schedule::PortModel;
using isotrope::schedule::Schedule;

void report(benchmark::State& state, const Network& network, Collective collective, std::uint32_t parts,
            const Schedule& schedule) {
  const auto bounds = isotrope::bound::lower_bounds(
      {.network = network, .task = {.collective = collective, .parts = parts}, .ports = schedule.ports});
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(schedule.hop_count()));
  state.counters["rounds"] = static_cast<double>(schedule.round_count());
  state.counters["above_bound"] = static_cast<double>(schedule.round_count() - bounds.front().value);
}

// Arguments: parts.
void allgather(benchmark::State& state, const char* name, PortModel ports) {
  const Network network = parse(name);
  const auto parts = static_cast<std::uint32_t>(state.range(0));
  Schedule schedule;
  for (auto _ : state) schedule = isotrope::algorithm::fresh_first_broadcast(network, parts, ports);
  report(state, network, Collective::allgather, parts, schedule);
}

void scatter(benchmark::State& state, const char* name, PortModel ports) {
  const Network network = parse(name);
  const auto parts = static_cast<std::uint32_t>(state.range(0));
  Schedule schedule;
  for (auto _ : state) schedule = isotrope::algorithm::layered_scatter(network, 0, parts, ports);
  report(state, network, Collective::scatter, parts, schedule);
}

// The tree alone: nodes per second.
void layered_tree(benchmark::State& state, const char* name) {
  const Network network = parse(name);
  for (auto _ : state) {
    const isotrope::algorithm::LayeredTree tree(network, 0);
    benchmark::DoNotOptimize(tree.height());
  }
  state.SetItemsProcessed(state.iterations() * network.order());
}

constexpr auto milliseconds = benchmark::kMillisecond;

BENCHMARK_CAPTURE(allgather, torus, "torus:12x12x12", PortModel::all())->Arg(1)->Arg(8)->Unit(milliseconds);
BENCHMARK_CAPTURE(allgather, torus_two_ports, "torus:12x12x12", PortModel::ports(2))
    ->Arg(1)
    ->Unit(milliseconds);
BENCHMARK_CAPTURE(allgather, large_torus, "torus:64x64x64", PortModel::all())->Arg(1)->Unit(milliseconds);
BENCHMARK_CAPTURE(allgather, hypercube, "hypercube:18", PortModel::all())->Arg(1)->Unit(milliseconds);
BENCHMARK_CAPTURE(allgather, hexmesh, "hexmesh:100", PortModel::all())->Arg(1)->Unit(milliseconds);
BENCHMARK_CAPTURE(allgather, circulant, "circulant:65537:1,256", PortModel::all())
    ->Arg(1)
    ->Unit(milliseconds);
BENCHMARK_CAPTURE(scatter, torus, "torus:32x32x32", PortModel::all())->Arg(1)->Arg(8)->Unit(milliseconds);
BENCHMARK_CAPTURE(scatter, torus_one_port, "torus:32x32x32", PortModel::one())->Arg(1)->Unit(milliseconds);
BENCHMARK_CAPTURE(scatter, hypercube, "hypercube:18", PortModel::all())->Arg(1)->Unit(milliseconds);
BENCHMARK_CAPTURE(scatter, hexmesh, "hexmesh:100", PortModel::all())->Arg(1)->Unit(milliseconds);
BENCHMARK_CAPTURE(scatter, twisted_torus, "twisted-torus:32x32x64", PortModel::all())
    ->Arg(1)
    ->Unit(milliseconds);
BENCHMARK_CAPTURE(layered_tree, torus, "torus:32x32x32")->Unit(milliseconds);
BENCHMARK_CAPTURE(layered_tree, thin_torus, "torus:3x8192")->Unit(milliseconds);
BENCHMARK_CAPTURE(layered_tree, hypercube, "hypercube:18")->Unit(milliseconds);

}  // namespace
