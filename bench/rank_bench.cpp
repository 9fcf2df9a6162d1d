// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Programs of one rank: the time to compile one from a plan, for every collective, with aggregated messages
// and as many parts as there are ports.
#include <string>

#include <benchmark/benchmark.h>

#include "isotrope/network/parse.hpp"

#include "isotrope/rank/program.hpp"

#include "isotrope/planner/plan.hpp"

namespace {

using isotrope::schedule::Collective;

isotrope::schedule::Plan plan(const std::string& network_name, Collective collective) {
  isotrope::schedule::Problem problem{.network = isotrope::network::parse(network_name),
                                      .task = {.collective = collective}};
  problem.task.parts = problem.network.degree();
  const bool pipelined = collective == Collective::broadcast || collective == Collective::reduce;
  if (!pipelined && collective != Collective::barrier) problem.aggregation = isotrope::schedule::unbounded;
  return isotrope::planner::make_plan(problem);
}

void compile_program(benchmark::State& state, const char* network, Collective collective) {
  const isotrope::schedule::Plan planned = plan(network, collective);
  for (auto _ : state) benchmark::DoNotOptimize(isotrope::rank::compile(planned, 5));
  state.counters["hops"] = static_cast<double>(planned.schedule.hop_count());
}

BENCHMARK_CAPTURE(compile_program, broadcast_1024, "hypercube:10", Collective::broadcast);
BENCHMARK_CAPTURE(compile_program, scatter_1024, "hypercube:10", Collective::scatter);
BENCHMARK_CAPTURE(compile_program, gather_1024, "hypercube:10", Collective::gather);
BENCHMARK_CAPTURE(compile_program, reduce_1024, "hypercube:10", Collective::reduce);
BENCHMARK_CAPTURE(compile_program, allgather_1024, "hypercube:10", Collective::allgather);
BENCHMARK_CAPTURE(compile_program, alltoall_1024, "hypercube:10", Collective::alltoall);
BENCHMARK_CAPTURE(compile_program, reduce_scatter_1024, "hypercube:10", Collective::reduce_scatter);
BENCHMARK_CAPTURE(compile_program, allreduce_1024, "hypercube:10", Collective::allreduce);
BENCHMARK_CAPTURE(compile_program, barrier_1024, "hypercube:10", Collective::barrier);
BENCHMARK_CAPTURE(compile_program, alltoall_1024_torus, "torus:32x32", Collective::alltoall);
BENCHMARK_CAPTURE(compile_program, alltoall_4096, "hypercube:12", Collective::alltoall);

}  // namespace
