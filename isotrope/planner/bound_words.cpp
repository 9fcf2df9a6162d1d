// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/planner/bound_words.hpp"

#include <algorithm>
#include <bit>
#include <vector>

#include <fmt/format.h>

#include "isotrope/network/port_axis.hpp"
#include "isotrope/network/rates.hpp"

#include "isotrope/planner/time_bound.hpp"

namespace isotrope::planner {

DisplayUnit unit_for(double seconds) {
  if (seconds < 1e-3) return {"us", 1e-6};
  if (seconds < 1) return {"ms", 1e-3};
  return {"s", 1};
}

std::string in(const DisplayUnit& unit, double seconds) {
  return fmt::format("{:.4g} {}", seconds / unit.seconds, unit.name);
}

std::string labelled(std::string_view label, const std::string& text) {
  return fmt::format("  {:<13} {}\n", label, text);
}

namespace {

std::string bytes_bound_in_words(const TimeBound& bound, const DisplayUnit& unit) {
  if (!bound.knows_bytes)
    return labelled("", "no bound on the bytes of the busiest links is known for this problem");
  const double byte_s = bound.byte_time_s;
  return labelled(
      "", fmt::format("at least {:.0f} bytes over the busiest links x {:.4g} ns = {}: {}", bound.bytes,
                      byte_s * 1e9, in(unit, bound.bytes * byte_s), bound.bytes_because));
}

std::string chain_bound_in_words(const TimeBound& bound, const DisplayUnit& unit) {
  if (bound.chain_s == 0) return "";
  return labelled("",
                  fmt::format("at least {} for a message along the links between the nodes farthest apart",
                              in(unit, bound.chain_s)));
}

std::string filling_bound_in_words(const TimeBound& bound, const DisplayUnit& unit) {
  if (bound.filling_s == 0) return "";
  return labelled(
      "", fmt::format("at least {} together: the fewer the rounds, the longer links wait while a pipeline "
                      "fills and drains",
                      in(unit, bound.filling_s)));
}

std::string nodes_bound_in_words(const TimeBound& bound, const DisplayUnit& unit) {
  if (bound.nodes_s == 0) return "";
  return labelled("", fmt::format("at least {} over the links between nodes, which their ranks share",
                                  in(unit, bound.nodes_s)));
}

std::string_view kind_of_bound(const TimeBound& bound) {
  if (bound.nodes_s > 0 && bound.seconds == bound.nodes_s) return "of the links between nodes";
  if (bound.filling_s > 0 && bound.seconds == bound.filling_s)
    return "of rounds and bytes together, as a pipeline has to fill";
  if (bound.chain_s > 0 && bound.seconds == bound.chain_s) return "of messages that must follow each other";
  if (bound.overlaps) return "the longer of start-ups, one after the other, and of bytes; both may overlap";
  return "the sum of two separate lower bounds; no schedule may reach both";
}

double seconds_of(const BoundedSize& of, const Problem& problem, const cost::Machine& machine) {
  return TimeBounds(problem, machine).at(of.bytes).seconds;
}

// What each open axis costs: the difference to the bound of the network on which it is closed.
std::string open_axes_in_words(const BoundedSize& of, const DisplayUnit& unit) {
  std::string text;
  for (const std::uint32_t axis : of.problem.failed.open_axes) {
    Problem closed = of.problem;
    std::erase(closed.failed.open_axes, axis);
    const double seconds = seconds_of(of, closed, of.machine);
    text += labelled(text.empty() ? "open axes" : "",
                     fmt::format("axis {} costs {}: with this axis closed the time bound is {}", axis,
                                 in(unit, of.bound.seconds - seconds), in(unit, seconds)));
  }
  return text;
}

// The network with the links along a coordinate, and no other one, as fast as `rate`.
Network with_rate_along(const Network& network, std::uint32_t coordinate, std::uint32_t rate) {
  const network::SimpleNetwork simple = network::without_copies(network);
  std::vector<std::uint32_t> rates;
  for (network::Port port = 0; port < simple.network.degree(); ++port) {
    const bool leads_along = network::axis_of(simple.network, port) == coordinate;
    const auto own = static_cast<std::uint32_t>(simple.copies[port].size());
    rates.push_back(leads_along ? std::max(own, rate) : own);
  }
  return network::with_rates(network.name(), simple.network, rates);
}

// What each slow axis costs: the difference to the bound of the network on which it is as fast as the fastest.
std::string slow_axes_in_words(const BoundedSize& of, const DisplayUnit& unit) {
  const Network& network = of.problem.network;
  if (!network::has_copies(network) || of.machine.link_class_count > 0) return "";
  const std::uint32_t fastest = std::ranges::max(network::port_rates(network));
  std::string text;
  for (std::uint32_t axis = 0; axis < network.group().rank(); ++axis) {
    Problem even = of.problem;
    even.network = with_rate_along(network, axis, fastest);
    if (even.network.degree() == network.degree()) continue;
    const double seconds = seconds_of(of, even, of.machine);
    text += labelled(text.empty() ? "slow axes" : "",
                     fmt::format("axis {} costs {}: with rate {} along it the time bound is {}", axis,
                                 in(unit, of.bound.seconds - seconds), fastest, in(unit, seconds)));
  }
  return text;
}

std::string cost_of_classes(const BoundedSize& of, const DisplayUnit& unit, const std::string& which,
                            double seconds) {
  return labelled(
      "link classes",
      fmt::format("{}: {} in the time bound; with the times of the machine's other links it is {}", which,
                  in(unit, of.bound.seconds - seconds), in(unit, seconds)));
}

// What each link class costs: the difference to the bound with the machine's own times.
std::string link_classes_in_words(const BoundedSize& of, const DisplayUnit& unit) {
  std::string text;
  for (std::uint32_t i = 0; i < of.machine.link_class_count; ++i) {
    cost::Machine without = of.machine;
    cost::LinkClass& links = without.listed_classes[i];
    if (links.startup_s) links.startup_s = without.startup_s;
    if (links.byte_time_s) links.byte_time_s = without.byte_time_s;
    std::uint64_t axes = links.axes;
    std::string which = std::popcount(axes) == 1 ? "axis" : "axes";
    for (; axes != 0; axes &= axes - 1) which += fmt::format(" {}", std::countr_zero(axes));
    text += cost_of_classes(of, unit, which, seconds_of(of, of.problem, without));
  }
  if (of.problem.failed.edge_times.empty()) return text;
  Problem even = of.problem;
  even.failed.edge_times.clear();
  return text + cost_of_classes(of, unit, "times of single links", seconds_of(of, even, of.machine));
}

}  // namespace

std::string bound_in_words(const TimeBound& bound, const DisplayUnit& unit) {
  const double round_s = bound.message_s;
  return labelled("time bound", fmt::format("{}, {}: {}", in(unit, bound.seconds),
                                            bound.overlaps ? "between neighbours" : "round-synchronous",
                                            kind_of_bound(bound))) +
         labelled("",
                  fmt::format("at least {} rounds x {} = {}: {}", bound.rounds, in(unit, round_s),
                              in(unit, static_cast<double>(bound.rounds) * round_s), bound.rounds_because)) +
         bytes_bound_in_words(bound, unit) + filling_bound_in_words(bound, unit) +
         chain_bound_in_words(bound, unit) + nodes_bound_in_words(bound, unit);
}

std::string costs_in_words(const BoundedSize& of, const DisplayUnit& unit) {
  return open_axes_in_words(of, unit) + slow_axes_in_words(of, unit) + link_classes_in_words(of, unit);
}

}  // namespace isotrope::planner
