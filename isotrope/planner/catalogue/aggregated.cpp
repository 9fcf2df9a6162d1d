// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Schedules of few rounds, in which all packets that take a link in a round share a message: scatter, allgather,
// alltoall and isotropic exchanges after two timetables.
#include <cstdint>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "isotrope/network/torus_axes.hpp"

#include "isotrope/algorithm/exchange/equitable_exchange.hpp"
#include "isotrope/algorithm/lanes.hpp"
#include "isotrope/algorithm/timetable/axis_timetable.hpp"
#include "isotrope/algorithm/timetable/layered_timetable.hpp"
#include "isotrope/algorithm/timetable/port_groups.hpp"
#include "isotrope/algorithm/timetable/striped_timetable.hpp"
#include "isotrope/algorithm/timetable/timetable_schedules.hpp"

#include "isotrope/planner/catalogue/shared.hpp"

namespace isotrope::planner {
namespace {

using algorithm::Timetable;
using schedule::Schedule;

Reason unsuitable(const Problem& problem) {
  const Reason reason = half_duplex(problem);
  return reason ? reason : partly_aggregated(problem);
}

Reason no_torus(const Problem& problem) {
  if (!network::torus_axes(problem.network))
    return fmt::format("it goes axis by axis, and {} is no torus", problem.network.name());
  return unsuitable(problem);
}

Reason no_lanes(const Problem& problem) {
  if (auto reason = algorithm::lacks_lanes(problem.network, problem.failed)) return reason;
  return unsuitable(problem);
}

// The timetables.

Timetable axis_table(const Problem& problem) {
  const auto axes = network::torus_axes(problem.network);
  return algorithm::axis_timetable(problem.network, *axes, problem.task.parts, problem.ports);
}

std::uint64_t rounds_by_axes(const Problem& problem) {
  return algorithm::axis_timetable_rounds(*network::torus_axes(problem.network), problem.ports);
}

Timetable layer_table(const Problem& problem) {
  return algorithm::layered_timetable(problem.network, problem.task.parts, problem.ports);
}

std::uint64_t rounds_by_layers(const Problem& problem) {
  const algorithm::PortGroups groups(problem.network.degree(), problem.ports);
  return std::uint64_t{problem.network.diameter()} * groups.count();
}

Timetable striped_table(const Problem& problem) {
  return algorithm::striped_timetable(problem.network, problem.task.parts, problem.ports);
}

std::uint64_t striped_rounds(const Problem& problem) {
  return algorithm::striped_timetable_rounds(problem.network, problem.ports);
}

// The schedules after any of them.

template <Timetable (*timetable)(const Problem&)>
Schedule plan_scatter(const Problem& problem) {
  return algorithm::timetable_scatter(problem.network, problem.task.root, problem.task.parts, problem.ports,
                                      timetable(problem));
}

template <Timetable (*timetable)(const Problem&)>
Schedule plan_allgather(const Problem& problem) {
  return algorithm::timetable_allgather(problem.network, problem.task.parts, problem.ports,
                                        timetable(problem));
}

Schedule plan_axis_exchange(const Problem& problem) {
  return algorithm::timetable_exchange(problem.network, problem.task.parts, problem.ports,
                                       axis_table(problem));
}

// Neighborhood and isotropic.
Schedule plan_listed_axis_exchange(const Problem& problem) {
  return algorithm::timetable_exchange(problem.network, destinations_of(problem), problem.task.parts,
                                       problem.ports, axis_table(problem));
}

algorithm::EquitableExchange equitable_exchange(const Problem& problem) {
  return {problem.network, problem.task.parts, problem.ports};
}

std::uint64_t equitable_rounds(const Problem& problem) {
  return equitable_exchange(problem).rounds();
}

Schedule plan_equitable_exchange(const Problem& problem) {
  return equitable_exchange(problem).schedule();
}

// The catalogue.

constexpr const char* every_torus = "every torus";
constexpr const char* by_layers_source =
    "Johnsson and Ho 1989 (spanning graphs of hypercubes), on any network";
constexpr const char* by_layers_claim =
    "all: diameter rounds, the least; load (N - 1) P / degree, the bound, for P = degree and like ports; "
    "K: rounds times ceil(degree / K)";
constexpr const char* by_axes_source =
    "Johnsson and Ho 1989, dimension by dimension along rotated trees; recursive doubling";
constexpr const char* by_axes_claim =
    "hypercubes: d rounds and load (N - 1) P / K, the least, for P = K, also one-port; tori of equal extents "
    "the same for even K; other tori, one-port: sum of extent - 1 over the extents";
constexpr const char* striped_source =
    "layer by layer between nodes (Ho and Johnsson 1986, Lemma 4.2), one round inside them";
constexpr const char* striped_claim =
    "rounds of layer-by-layer on the network of the nodes and ceil((R - 1) / K) more, for R ranks a node; "
    "links "
    "between nodes carry as much as there";
constexpr const char* equitable_claim =
    "all: diameter rounds if routes are shortest; the load meets the port-sum bound on most networks, and "
    "exceeds the load of the busiest port by at most rounds - 1";
constexpr const char* axis_exchange_claim =
    "hypercubes: d rounds and load N P d / (2K), the least, for P = K, also one-port; tori of equal extents "
    "the same for even K";

constexpr const char* listed_axis_exchange_claim =
    "the rounds of alltoall by axis-by-axis-exchange in which a block leaves: for the 3^d - 1 nodes around a "
    "node, in "
    "one part, d rounds of 2 messages";

Traits splitting(std::string name, Collective collective, const char* networks, const char* source,
                 const char* claim) {
  Traits result{std::move(name), collective, networks, full_duplex, source, claim};
  result.strict = false;
  result.aggregates = result.splits = true;
  return result;
}

// Scatter and allgather after one timetable.
template <Timetable (*timetable)(const Problem&), class Rounds>
void add_tables(Algorithms& result, const std::string& order, const char* networks, const char* source,
                const char* claim, CatalogRow::ReasonFunction reason, Rounds rounds) {
  Traits scatter = splitting(order + "-scatter", Collective::scatter, networks, source, claim);
  scatter.reversed = {order + "-gather"};
  Traits allgather = splitting(order + "-allgather", Collective::allgather, networks, source, claim);
  allgather.reversed = {order + "-reduce-scatter"};
  allgather.reversed_then_forward = {order + "-allreduce"};
  add_row(result, scatter, reason, plan_scatter<timetable>, rounds);
  add_row(result, allgather, reason, plan_allgather<timetable>, rounds);
}

}  // namespace

Algorithms aggregated() {
  Algorithms result;
  add_tables<layer_table>(result, "layer-by-layer", every_network, by_layers_source, by_layers_claim,
                          unsuitable, rounds_by_layers);
  add_tables<striped_table>(result, "striped",
                            "products whose last axis is complete, as several ranks a node", striped_source,
                            striped_claim, no_lanes, striped_rounds);
  add_row(result,
          splitting("equitable-exchange", Collective::alltoall, every_network,
                    "routes of Varvarigos and Bertsekas 1992, rounds by equitable colouring (de Werra 1971)",
                    equitable_claim),
          unsuitable, plan_equitable_exchange, equitable_rounds);
  add_tables<axis_table>(result, "axis-by-axis", every_torus, by_axes_source, by_axes_claim, no_torus,
                         rounds_by_axes);
  add_row(result,
          splitting("axis-by-axis-exchange", Collective::alltoall, every_torus, by_axes_source,
                    axis_exchange_claim),
          no_torus, plan_axis_exchange, rounds_by_axes);
  for (const auto& [collective, name] :
       {std::pair(Collective::neighborhood, "axis-by-axis-neighborhood-exchange"),
        std::pair(Collective::isotropic, "axis-by-axis-listed-exchange")}) {
    add_row(result,
            splitting(name, collective, every_torus,
                      "message combining, Traff et al. 2016, along the axes of a torus",
                      listed_axis_exchange_claim),
            no_torus, plan_listed_axis_exchange);
  }
  return result;
}

}  // namespace isotrope::planner
