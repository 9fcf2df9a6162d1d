// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Schedules of few rounds in which all packets merge that take a link in a round: scatter, gather, allgather,
// reduce-scatter, allreduce and alltoall after the same timetables.
#include <array>
#include <cstdint>

#include <fmt/format.h>

#include "isotrope/network/torus_axes.hpp"

#include "isotrope/algorithm/exchange/equitable_exchange.hpp"
#include "isotrope/algorithm/timetable/axis_timetable.hpp"
#include "isotrope/algorithm/timetable/layered_timetable.hpp"
#include "isotrope/algorithm/timetable/port_groups.hpp"
#include "isotrope/algorithm/timetable/timetable_schedules.hpp"

#include "isotrope/planner/backwards.hpp"
#include "isotrope/planner/sources.hpp"

namespace isotrope::planner {
namespace {

using algorithm::Timetable;
using schedule::Collective;
using schedule::Schedule;

std::optional<std::string> unsuitable(const Request& request) {
  if (request.ports.half_duplex()) {
    return fmt::format("every node sends and receives at once, so it cannot serve {}",
                       to_string(request.ports));
  }
  if (request.merge > 1 && request.merge < unbounded)
    return "it merges all packets that go the same way, so give --merge all";
  return std::nullopt;
}

std::optional<std::string> no_torus(const Request& request) {
  if (!network::torus_axes(request.network))
    return fmt::format("it goes axis by axis, and {} is no torus", request.network.name());
  return unsuitable(request);
}

// The two timetables.

Timetable axis_table(const Request& request) {
  const auto axes = network::torus_axes(request.network);
  return algorithm::axis_timetable(request.network, *axes, request.task.parts, request.ports);
}

std::uint64_t rounds_by_axes(const Request& request) {
  return algorithm::axis_timetable_rounds(*network::torus_axes(request.network), request.ports);
}

Timetable layer_table(const Request& request) {
  return algorithm::layered_timetable(request.network, request.task.parts, request.ports);
}

std::uint64_t rounds_by_layers(const Request& request) {
  const algorithm::PortGroups groups(request.network.degree(), request.ports);
  return std::uint64_t{request.network.diameter()} * groups.count();
}

template <std::uint64_t (*rounds)(const Request&)>
std::uint64_t twice(const Request& request) {
  return 2 * rounds(request);
}

// The schedules after either.

template <Timetable (*timetable)(const Request&)>
Schedule plan_scatter(const Request& request) {
  return algorithm::timetable_scatter(request.network, request.task.root, request.task.parts, request.ports,
                                      timetable(request));
}

template <Timetable (*timetable)(const Request&)>
Schedule plan_allgather(const Request& request) {
  return algorithm::timetable_allgather(request.network, request.task.parts, request.ports,
                                        timetable(request));
}

template <Timetable (*timetable)(const Request&)>
constexpr auto plan_gather = backwards<Collective::scatter, plan_scatter<timetable>>;

template <Timetable (*timetable)(const Request&)>
constexpr auto plan_reduce_scatter = backwards<Collective::allgather, plan_allgather<timetable>>;

template <Timetable (*timetable)(const Request&)>
Schedule plan_allreduce(const Request& request) {
  return concatenate(plan_reduce_scatter<timetable>(request), plan_allgather<timetable>(request));
}

Schedule plan_axis_exchange(const Request& request) {
  return algorithm::timetable_exchange(request.network, request.task.parts, request.ports,
                                       axis_table(request));
}

algorithm::EquitableExchange equitable_exchange(const Request& request) {
  return {request.network, request.task.parts, request.ports};
}

std::uint64_t equitable_rounds(const Request& request) {
  return equitable_exchange(request).rounds();
}

Schedule plan_equitable_exchange(const Request& request) {
  return equitable_exchange(request).schedule();
}

// The catalogue.

constexpr std::string_view by_layers_source =
    "Johnsson and Ho 1989 (spanning graphs of hypercubes), on any network";
constexpr std::string_view by_layers_claim =
    "all: diameter rounds, the least; loads (N - 1) P / degree, the bound, for P = degree on all but unlike "
    "ports; K: rounds times ceil(degree / K)";
constexpr std::string_view by_axes_source =
    "Johnsson and Ho 1989, dimension by dimension along rotated trees; recursive doubling";
constexpr std::string_view by_axes_claim =
    "hypercubes: d rounds and loads (N - 1) P / K, the least, for P = K, also over one port; equal tori the "
    "same for even K; other tori over one port: sum of all extent - 1 rounds";
constexpr std::string_view equitable_claim =
    "all: diameter rounds where routes are shortest; loads add up to the port-sum bound on most networks, to "
    "rounds - 1 more than the most loaded port at most";
constexpr std::string_view axis_exchange_claim =
    "hypercubes: d rounds and loads N P d / (2K), the least, for P = K, also over one port; equal tori the "
    "same for even K";

constexpr Algorithm merging(std::string_view name, Collective collective, std::string_view networks,
                            std::string_view source, std::string_view claim,
                            decltype(Algorithm::misfit) misfit, decltype(Algorithm::rounds) rounds,
                            decltype(Algorithm::schedule) schedule) {
  Algorithm result{name, collective, networks, "all, K, one", source, claim, misfit, rounds, schedule};
  result.merges = true;
  result.only_merges = true;
  result.splits = true;
  return result;
}

constexpr Algorithm by_layers(std::string_view name, Collective collective, std::string_view source,
                              decltype(Algorithm::rounds) rounds, decltype(Algorithm::schedule) schedule) {
  return merging(name, collective, "every network", source, by_layers_claim, unsuitable, rounds, schedule);
}

constexpr Algorithm by_axes(std::string_view name, Collective collective, std::string_view source,
                            decltype(Algorithm::rounds) rounds, decltype(Algorithm::schedule) schedule) {
  return merging(name, collective, "every torus", source, by_axes_claim, no_torus, rounds, schedule);
}

constexpr std::array algorithms{
    by_layers("layer-by-layer-scatter", Collective::scatter, by_layers_source, rounds_by_layers,
              plan_scatter<layer_table>),
    by_layers("layer-by-layer-gather", Collective::gather, "layer-by-layer-scatter, reversed",
              rounds_by_layers, plan_gather<layer_table>),
    by_layers("layer-by-layer-allgather", Collective::allgather, by_layers_source, rounds_by_layers,
              plan_allgather<layer_table>),
    by_layers("layer-by-layer-reduce-scatter", Collective::reduce_scatter,
              "layer-by-layer-allgather, reversed", rounds_by_layers, plan_reduce_scatter<layer_table>),
    by_layers("layer-by-layer-allreduce", Collective::allreduce,
              "layer-by-layer-reduce-scatter, then layer-by-layer-allgather", twice<rounds_by_layers>,
              plan_allreduce<layer_table>),
    merging("equitable-exchange", Collective::alltoall, "every network",
            "routes of Varvarigos and Bertsekas 1992, rounds by equitable colouring (de Werra 1971)",
            equitable_claim, unsuitable, equitable_rounds, plan_equitable_exchange),
    by_axes("axis-by-axis-scatter", Collective::scatter, by_axes_source, rounds_by_axes,
            plan_scatter<axis_table>),
    by_axes("axis-by-axis-gather", Collective::gather, "axis-by-axis-scatter, reversed", rounds_by_axes,
            plan_gather<axis_table>),
    by_axes("axis-by-axis-allgather", Collective::allgather, by_axes_source, rounds_by_axes,
            plan_allgather<axis_table>),
    by_axes("axis-by-axis-reduce-scatter", Collective::reduce_scatter, "axis-by-axis-allgather, reversed",
            rounds_by_axes, plan_reduce_scatter<axis_table>),
    by_axes("axis-by-axis-allreduce", Collective::allreduce,
            "axis-by-axis-reduce-scatter, then axis-by-axis-allgather", twice<rounds_by_axes>,
            plan_allreduce<axis_table>),
    merging("axis-by-axis-exchange", Collective::alltoall, "every torus", by_axes_source, axis_exchange_claim,
            no_torus, rounds_by_axes, plan_axis_exchange),
};

}  // namespace

std::span<const Algorithm> combining() {
  return algorithms;
}

}  // namespace isotrope::planner
