// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Total exchange on all families: planned (bound, routes, rounds and hops), verified, and bounded alone.
#include <string>
#include <utility>

#include <benchmark/benchmark.h>

#include "isotrope/network/parse.hpp"

#include "isotrope/bound/lower_bounds.hpp"

#include "isotrope/algorithm/exchange/isotropic_exchange.hpp"
#include "isotrope/verify/verify.hpp"

namespace {

using isotrope::algorithm::IsotropicExchange;
using isotrope::network::Network;
using isotrope::schedule::PortModel;

constexpr const char* names[] = {"torus:16x16x16",       "torus:32x32x32",         "torus:15x16x17",
                                 "twisted-torus:8x8x16", "twisted-torus:16x16x32", "hypercube:20",
                                 "hexmesh:100",          "circulant:4093:1,64"};

Network network_of(benchmark::State& state) {
  Network network = isotrope::network::parse(names[state.range(0)]);
  state.SetLabel(network.name());
  network.distance_counts();  // networks without a formula are searched here, once
  return network;
}

void plan(benchmark::State& state) {
  const Network network = network_of(state);
  std::uint64_t hops = 0;
  for (auto _ : state) hops = IsotropicExchange(network, {}, PortModel::all()).schedule().hop_count();
  state.counters["hops"] = static_cast<double>(hops);
}

void verify(benchmark::State& state) {
  const Network network = network_of(state);
  auto schedule = IsotropicExchange(network, {}, PortModel::all()).schedule();
  const isotrope::schedule::Plan plan{network, {}, {}, std::move(schedule), {}, {}};
  for (auto _ : state) {
    const auto report = isotrope::verify::verify(plan);
    if (!report.valid) state.SkipWithError("not valid");
    state.counters["rounds"] = static_cast<double>(report.rounds);
    state.counters["bound"] = static_cast<double>(report.bound.value);
  }
}

void bound(benchmark::State& state) {
  const Network network = network_of(state);
  for (auto _ : state) {
    benchmark::DoNotOptimize(isotrope::bound::lower_bounds({.network = network}));
  }
}

BENCHMARK(plan)->Name("exchange_plan")->DenseRange(0, std::size(names) - 1)->Unit(benchmark::kMillisecond);
BENCHMARK(verify)
    ->Name("exchange_verify")
    ->DenseRange(0, std::size(names) - 1)
    ->Unit(benchmark::kMillisecond);
BENCHMARK(bound)->Name("exchange_bound")->DenseRange(0, std::size(names) - 1)->Unit(benchmark::kMillisecond);

}  // namespace
