// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/planner/rate_slots.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "isotrope/base/error.hpp"

#include "isotrope/network/cayley.hpp"
#include "isotrope/network/edge_list.hpp"
#include "isotrope/network/parse.hpp"
#include "isotrope/network/port_axis.hpp"
#include "isotrope/network/rates.hpp"
#include "isotrope/network/surviving_network.hpp"

#include "isotrope/cost/link_times.hpp"
#include "isotrope/cost/node_places.hpp"

namespace isotrope::planner {
namespace {

using network::Network;
using network::Port;
using schedule::Problem;

constexpr std::uint32_t largest_slot_rate = 8, largest_edge_rate = 4;
// As plan files call a network that they describe by its generators.
constexpr const char* described = "cayley";

// The largest of the products of rates and times, over the smallest.
double spread(const std::vector<std::uint32_t>& rates, std::span<const double> times) {
  double least = HUGE_VAL, most = 0;
  for (std::size_t i = 0; i < times.size(); ++i) {
    least = std::min(least, rates[i] * times[i]);
    most = std::max(most, rates[i] * times[i]);
  }
  return most / least;
}

// Rates for which the slowest link has the rate `base`, each within 1 to `largest`.
template <class Round>
std::vector<std::uint32_t> rates_for(double base, std::span<const double> times, std::uint32_t largest,
                                     Round round) {
  const double slowest = std::ranges::max(times);
  std::vector<std::uint32_t> rates;
  for (const double time : times) {
    const double rate = std::clamp(round(base * slowest / time), 1.0, static_cast<double>(largest));
    rates.push_back(static_cast<std::uint32_t>(rate));
  }
  return rates;
}

// As the network's grammar writes it, if it can; a network without a name otherwise.
Network with_axis_rates(const Network& simple, const std::vector<std::uint32_t>& rates) {
  std::vector<std::uint32_t> by_axis(simple.group().rank(), 1);
  for (Port port = 0; port < simple.degree(); ++port) {
    if (const auto axis = network::axis_of(simple, port)) by_axis[*axis] = rates[port];
  }
  Network result = network::with_rates(described, simple, rates);
  try {
    Network named = network::parse_named(network::name_with_rates(simple.name(), by_axis)).network;
    if (std::ranges::equal(named.generators(), result.generators()) &&
        std::ranges::equal(named.group().moduli(), result.group().moduli()))
      return named;
  } catch (const Error&) {
    return result;  // the grammar has no rates for these axes
  }
  return result;
}

// The same links of a network with rates: all that lie side by side and are there.
std::vector<network::Link> with_copies(const Problem& simple, const Network& rated,
                                       const network::Failures& lacks) {
  std::vector<network::Link> result;
  if (simple.failed.links.empty()) return result;
  const network::SurvivingNetwork left(rated, lacks);
  for (const network::Link& link : simple.failed.links) {
    const network::Node neighbour = simple.network.neighbour(link.node, link.port);
    left.for_each_neighbour(link.node, [&](Port port, network::Node other) {
      if (other == neighbour) result.push_back({link.node, port});
    });
  }
  return result;
}

// All links of the network, each once, before any failed. @pre none lie side by side
std::vector<network::Edge> edges_of(const Problem& problem) {
  const network::SurvivingNetwork whole(problem.network, problem.failed.before());
  std::vector<network::Edge> result;
  for (const network::Node node : whole.nodes()) {
    whole.for_each_neighbour(node, [&](Port, network::Node other) {
      if (node < other) result.push_back({node, other});
    });
  }
  std::ranges::sort(result);
  return result;
}

// The time of a whole link stays what it was: each of r copies takes r times as long for a byte.
std::optional<Problem> with_edge_rates(const Problem& problem, const cost::Machine& machine) {
  // Of all nodes; exchanges on larger graphs take long to plan, and copies multiply that.
  constexpr std::uint64_t most_ports = std::uint64_t{1} << 12;
  if (std::uint64_t{problem.network.order()} * problem.network.degree() > most_ports) return std::nullopt;
  const std::vector<network::Edge> edges = edges_of(problem);
  std::vector<network::EdgeTimes> times;
  std::vector<double> byte_times;
  auto known = problem.failed.edge_times.begin();
  for (const network::Edge& edge : edges) {
    while (known != problem.failed.edge_times.end() && known->edge < edge) ++known;
    const bool has_times = known != problem.failed.edge_times.end() && known->edge == edge;
    times.push_back(has_times ? *known : network::EdgeTimes{edge});
    byte_times.push_back(times.back().byte_time_s.value_or(machine.byte_time_s));
  }
  if (std::ranges::min(byte_times) == 0) return std::nullopt;
  const std::vector<std::uint32_t> rates = nearest_rates(byte_times, largest_edge_rate);
  if (std::ranges::max(rates) == 1) return std::nullopt;
  std::vector<network::Edge> copies;
  for (std::size_t i = 0; i < edges.size(); ++i) {
    copies.insert(copies.end(), rates[i], edges[i]);
    times[i].byte_time_s = rates[i] * byte_times[i];
  }
  auto [network, lacks] = network::from_edges(problem.network.order(), std::move(copies));
  Problem result = problem;
  lacks.edge_times = std::move(times);
  result.failed = lacks;
  result.failed.nodes = problem.failed.nodes;
  result.failed.links = with_copies(problem, network, lacks);
  result.network = std::move(network);
  return result;
}

}  // namespace

std::vector<std::uint32_t> nearest_rates(std::span<const double> byte_times_s, std::uint32_t largest) {
  constexpr double close = 1.05;
  std::vector<std::uint32_t> best;
  for (std::uint32_t base = 1; base <= largest; ++base) {
    auto rates = rates_for(base, byte_times_s, largest, [](double rate) { return std::round(rate); });
    const double difference = spread(rates, byte_times_s);
    if (difference <= close) return rates;
    if (best.empty() || difference < spread(best, byte_times_s)) best = std::move(rates);
  }
  return best;
}

FastRates fast_rates(std::span<const double> byte_times_s, std::uint32_t largest) {
  constexpr double rounding = 1e-9, close = 1.001;
  const double slowest = std::ranges::max(byte_times_s), fastest = std::ranges::min(byte_times_s);
  const double most = largest;
  FastRates best;
  double least_difference = HUGE_VAL;
  // The unit is the slowest link's time times the base; the fastest link must not need more than the largest rate.
  const auto consider = [&](double base) {
    auto rates =
        rates_for(base, byte_times_s, largest, [](double rate) { return std::ceil(rate * (1 - rounding)); });
    const double difference = spread(rates, byte_times_s);
    if (difference >= least_difference) return;
    least_difference = difference;
    best = {std::move(rates), base * slowest};
  };
  for (double base = 1; base * slowest <= most * fastest && least_difference > close; ++base) consider(base);
  if (least_difference > close) consider(most * fastest / slowest);
  return best;
}

std::vector<double> whole_byte_times(const Problem& problem, const cost::Machine& machine) {
  const cost::LinkTimes times(problem.network, problem.failed, machine);
  std::vector<double> result;
  for (const auto& copies : network::without_copies(problem.network).copies) {
    const double one =
        times.by_edge() ? machine.byte_time_s : times.all()[times.of(copies.front())].byte_time_s;
    result.push_back(one / static_cast<double>(copies.size()));
  }
  return result;
}

std::optional<Problem> with_rate_slots(const Problem& problem, const cost::Machine& machine) {
  const bool all_ports = problem.ports.kind == schedule::PortModel::Kind::all_port;
  if (!all_ports || network::has_copies(problem.network) || problem.network.degree() == 0)
    return std::nullopt;
  const bool alike = machine.link_class_count == 0;
  if (!problem.failed.edge_times.empty() && alike && machine.lanes == 1)
    return with_edge_rates(problem, machine);
  if (alike || !problem.failed.edges.empty()) return std::nullopt;
  const std::vector<double> byte_times = whole_byte_times(problem, cost::with_even_shares(machine));
  if (std::ranges::min(byte_times) == 0) return std::nullopt;
  const std::vector<std::uint32_t> rates = nearest_rates(byte_times, largest_slot_rate);
  if (std::ranges::max(rates) == 1) return std::nullopt;
  Problem result = problem;
  result.network = with_axis_rates(problem.network, rates);
  result.failed.links = with_copies(problem, result.network, problem.failed.before());
  return result;
}

Choice choose_with_rate_slots(const Problem& problem, std::uint64_t bytes, const cost::Machine& machine,
                              const Preferences& preferences, Fixed fixed, Detail detail) {
  Choice choice = choose_for(problem, bytes, machine, preferences, fixed, detail);
  if (const auto slots = with_rate_slots(problem, machine)) {
    Choice other = choose_for(*slots, bytes, machine, preferences, fixed, detail);
    if (other.best().prediction.seconds < choice.best().prediction.seconds) return other;
  }
  return choice;
}

}  // namespace isotrope::planner
