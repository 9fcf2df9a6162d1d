// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// A choice in words (choice.hpp).
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "isotrope/base/text_table.hpp"

#include "isotrope/network/port_axis.hpp"
#include "isotrope/network/rates.hpp"

#include "isotrope/planner/choice.hpp"
#include "isotrope/planner/time_bound.hpp"

namespace isotrope::planner {
namespace {

// All times of one explanation are in one unit, so that they can be compared.
struct DisplayUnit {
  std::string_view name;
  double seconds;
};

DisplayUnit unit_for(double seconds) {
  if (seconds < 1e-3) return {"us", 1e-6};
  if (seconds < 1) return {"ms", 1e-3};
  return {"s", 1};
}

std::string in(const DisplayUnit& unit, double seconds) {
  return fmt::format("{:.4g} {}", seconds / unit.seconds, unit.name);
}

double percent(double part, double whole) {
  return whole > 0 ? 100 * part / whole : 0;
}

double blocks(const Choice& choice, const Prediction& prediction) {
  return static_cast<double>(prediction.link_bytes) /
         static_cast<double>(std::max<std::uint64_t>(choice.block_bytes, 1));
}

std::string in_table(const Candidate& candidate) {
  const std::uint32_t window = candidate.prediction.window;
  if (window > 1) return fmt::format("{}, window {}", candidate.name(), window);
  return candidate.prediction.chains > 1 ? candidate.name() + ", in chains" : candidate.name();
}

std::vector<std::string> table_line(const Choice& choice, const Candidate& candidate,
                                    const DisplayUnit& unit) {
  const Prediction& p = candidate.prediction;
  if (candidate.at_least) {
    return {candidate.name(),
            "",
            "",
            "",
            "",
            "",
            fmt::format("{:<14}", fmt::format("at least {:.4g}", p.seconds / unit.seconds))};
  }
  return {in_table(candidate),
          fmt::format("{}", p.segments),
          fmt::format("{}", p.rounds),
          fmt::format("{:.4g}", blocks(choice, p)),
          fmt::format("{:.1f} %", percent(p.overhead_s + p.startup_s, p.seconds)),
          fmt::format("{:.1f} %", percent(p.transfer_s, p.seconds)),
          fmt::format("{:.4g}", p.seconds / unit.seconds)};
}

std::string table(const Choice& choice, const DisplayUnit& unit) {
  TextTable table({{Alignment::left},
                   {Alignment::right, 9},
                   {Alignment::right, 7},
                   {Alignment::right, 10},
                   {Alignment::right, 9},
                   {Alignment::right, 9},
                   {Alignment::right, 14}});
  table.add({"candidate", "packets", "rounds", "link", "start-ups", "transfer",
             fmt::format("time ({})", unit.name)});
  for (const Candidate& candidate : choice.candidates) table.add(table_line(choice, candidate, unit));
  return table.to_text() +
         "  link: blocks over the busiest link, summed over all rounds; start-ups include the overhead "
         "of processors\n";
}

// "start-ups 3 x 2 us = 6 us (40.0 %), ..."
std::string parts_of_time(const Choice& choice, const DisplayUnit& unit) {
  const Prediction& p = choice.best().prediction;
  std::string text = fmt::format("start-ups {} in {} {} ({:.1f} %)", in(unit, p.startup_s), p.rounds,
                                 p.rounds == 1 ? "round" : "rounds", percent(p.startup_s, p.seconds));
  if (p.overhead_s > 0)
    text += fmt::format(", overhead {} ({:.1f} %)", in(unit, p.overhead_s), percent(p.overhead_s, p.seconds));
  return text + fmt::format(", busiest links {:.4g} {} = {} bytes in {} ({:.1f} %)", blocks(choice, p),
                            p.link_bytes == choice.block_bytes ? "block" : "blocks", p.link_bytes,
                            in(unit, p.transfer_s), percent(p.transfer_s, p.seconds));
}

std::string line(std::string_view label, const std::string& text) {
  return fmt::format("  {:<13} {}\n", label, text);
}

std::string window_in_words(const Choice& choice) {
  const std::uint32_t window = choice.best().prediction.window;
  if (window == 1) return "";
  return line("",
              fmt::format("pipelined, window {}: {} messages share a link at once, so that start-ups overlap",
                          window, window));
}

std::string chains_in_words(const Choice& choice) {
  const std::uint32_t chains = choice.best().prediction.chains;
  if (chains == 1) return "";
  return line("",
              fmt::format("in chains: {} shares of the data go through their rounds by themselves", chains));
}

// Times that differ by less are the same: predictions are sums of doubles.
bool is_longer(const Prediction& other, const Prediction& best) {
  return other.seconds > best.seconds * (1 + 1e-9);
}

// The comparison with the next candidate that was worked out.
std::string against_the_next(const Choice& choice, const DisplayUnit& unit) {
  const auto next = std::find_if(choice.candidates.begin() + 1, choice.candidates.end(),
                                 [](const Candidate& candidate) { return !candidate.at_least; });
  if (choice.candidates.size() == 1) return "no other candidate applies";
  if (next == choice.candidates.end()) return "no other candidate can take less time";
  const Prediction &best = choice.best().prediction, &other = next->prediction;
  if (!is_longer(other, best)) return fmt::format("{} takes the same time (listed second)", next->name());
  const auto compare = [&](double mine, double theirs) {
    return fmt::format("{} {}", in(unit, std::abs(theirs - mine)), theirs >= mine ? "more" : "less");
  };
  return fmt::format("the next, {}, takes {:.1f} % longer: {} for start-ups, {} for bytes", next->name(),
                     percent(other.seconds - best.seconds, best.seconds),
                     compare(best.startup_s + best.overhead_s, other.startup_s + other.overhead_s),
                     compare(best.transfer_s, other.transfer_s));
}

std::string bytes_bound_in_words(const Choice& choice, const DisplayUnit& unit) {
  const TimeBound& bound = choice.bound;
  if (!bound.knows_bytes)
    return line("", "no bound on the bytes of the busiest links is known for this problem");
  const double byte_s = bound.byte_time_s;
  return line("",
              fmt::format("at least {:.0f} bytes over the busiest links x {:.4g} ns = {}: {}", bound.bytes,
                          byte_s * 1e9, in(unit, bound.bytes * byte_s), bound.bytes_because));
}

std::string chain_bound_in_words(const Choice& choice, const DisplayUnit& unit) {
  if (choice.bound.chain_s == 0) return "";
  return line("", fmt::format("at least {} for a message along the links between the nodes farthest apart",
                              in(unit, choice.bound.chain_s)));
}

std::string filling_bound_in_words(const Choice& choice, const DisplayUnit& unit) {
  if (choice.bound.filling_s == 0) return "";
  return line(
      "", fmt::format("at least {} together: the fewer the rounds, the longer links wait while a pipeline "
                      "fills and drains",
                      in(unit, choice.bound.filling_s)));
}

std::string segmented_bound_in_words(const Choice& choice, const DisplayUnit& unit) {
  const Candidate& best = choice.best();
  if (choice.bound.segmented_s == 0 || best.problem.aggregated() || best.prediction.window > 1 ||
      best.over_overlay())
    return "";
  return line("segmented", fmt::format("{}: in strict rounds of equal segments, which fill a pipeline, no "
                                       "broadcast or reduce takes less; this plan is {:.1f} % above",
                                       in(unit, choice.bound.segmented_s),
                                       percent(best.prediction.seconds - choice.bound.segmented_s,
                                               choice.bound.segmented_s)));
}

std::string nodes_bound_in_words(const Choice& choice, const DisplayUnit& unit) {
  if (choice.bound.nodes_s == 0) return "";
  return line("", fmt::format("at least {} over the links between nodes, which their ranks share",
                              in(unit, choice.bound.nodes_s)));
}

std::string_view kind_of_bound(const TimeBound& bound) {
  if (bound.nodes_s > 0 && bound.seconds == bound.nodes_s) return "of the links between nodes";
  if (bound.filling_s > 0 && bound.seconds == bound.filling_s)
    return "of rounds and bytes together, as a pipeline has to fill";
  if (bound.chain_s > 0 && bound.seconds == bound.chain_s) return "of messages that must follow each other";
  return "the sum of two separate lower bounds; no schedule may reach both";
}

std::string bound_in_words(const Choice& choice, const DisplayUnit& unit) {
  const TimeBound& bound = choice.bound;
  const double round_s = bound.message_s;
  return line("time bound",
              fmt::format("{}, round-synchronous: {}", in(unit, bound.seconds), kind_of_bound(bound))) +
         line("", fmt::format("at least {} rounds x {} = {}: {}", bound.rounds, in(unit, round_s),
                              in(unit, static_cast<double>(bound.rounds) * round_s), bound.rounds_because)) +
         bytes_bound_in_words(choice, unit) + filling_bound_in_words(choice, unit) +
         chain_bound_in_words(choice, unit) + nodes_bound_in_words(choice, unit) +
         segmented_bound_in_words(choice, unit);
}

std::string gap_in_words(const Choice& choice) {
  if (choice.best().over_overlay())
    return "not computed: the bound is for messages between neighbours, and this plan routes messages";
  const bool empty = choice.problem.task.collective == Collective::barrier;
  if (!empty && !choice.bound.knows_bytes) return "not computed: no bandwidth bound is known";
  const double seconds = choice.best().prediction.seconds, least = choice.bound.seconds;
  if (least == 0) return "unknown, the bound is 0";
  return fmt::format("{:.1f} % above the bound", percent(std::max(0.0, seconds - least), least));
}

// What each open axis costs: the difference to the bound of the network on which it is closed.
std::string open_axes_in_words(const Choice& choice, const DisplayUnit& unit) {
  std::string text;
  for (const std::uint32_t axis : choice.problem.failed.open_axes) {
    Problem closed = choice.problem;
    std::erase(closed.failed.open_axes, axis);
    const double seconds = TimeBounds(closed, choice.machine).at(choice.bytes).seconds;
    text += line(text.empty() ? "open axes" : "",
                 fmt::format("axis {} costs {}: with this axis closed the time bound is {}", axis,
                             in(unit, choice.bound.seconds - seconds), in(unit, seconds)));
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
std::string slow_axes_in_words(const Choice& choice, const DisplayUnit& unit) {
  const Network& network = choice.problem.network;
  if (!network::has_copies(network) || choice.machine.link_class_count > 0) return "";
  const std::uint32_t fastest = std::ranges::max(network::port_rates(network));
  std::string text;
  for (std::uint32_t axis = 0; axis < network.group().rank(); ++axis) {
    Problem even = choice.problem;
    even.network = with_rate_along(network, axis, fastest);
    if (even.network.degree() == network.degree()) continue;
    const double seconds = TimeBounds(even, choice.machine).at(choice.bytes).seconds;
    text += line(text.empty() ? "slow axes" : "",
                 fmt::format("axis {} costs {}: with rate {} along it the time bound is {}", axis,
                             in(unit, choice.bound.seconds - seconds), fastest, in(unit, seconds)));
  }
  return text;
}

std::string cost_of_classes(const Choice& choice, const DisplayUnit& unit, const std::string& which,
                            const TimeBounds& without) {
  const double seconds = without.at(choice.bytes).seconds;
  return line("link classes",
              fmt::format("{}: {} in the time bound; with the times of the machine's other links it is {}",
                          which, in(unit, choice.bound.seconds - seconds), in(unit, seconds)));
}

// What each link class costs: the difference to the bound with the machine's own times.
std::string link_classes_in_words(const Choice& choice, const DisplayUnit& unit) {
  std::string text;
  for (std::uint32_t i = 0; i < choice.machine.link_class_count; ++i) {
    cost::Machine without = choice.machine;
    cost::LinkClass& links = without.listed_classes[i];
    if (links.startup_s) links.startup_s = without.startup_s;
    if (links.byte_time_s) links.byte_time_s = without.byte_time_s;
    std::uint64_t axes = links.axes;
    std::string which = std::popcount(axes) == 1 ? "axis" : "axes";
    for (; axes != 0; axes &= axes - 1) which += fmt::format(" {}", std::countr_zero(axes));
    text += cost_of_classes(choice, unit, which, TimeBounds(choice.problem, without));
  }
  if (choice.problem.failed.latencies.empty()) return text;
  Problem even = choice.problem;
  even.failed.latencies.clear();
  return text + cost_of_classes(choice, unit, "latencies of links", TimeBounds(even, choice.machine));
}

}  // namespace

std::string explain(const Choice& choice) {
  const DisplayUnit unit = unit_for(choice.best().prediction.seconds);
  return table(choice, unit) +
         line("chosen",
              fmt::format("{}: {}", choice.best().name(), in(unit, choice.best().prediction.seconds))) +
         window_in_words(choice) + chains_in_words(choice) + line("", parts_of_time(choice, unit)) +
         line("because", against_the_next(choice, unit)) + bound_in_words(choice, unit) +
         open_axes_in_words(choice, unit) + slow_axes_in_words(choice, unit) +
         link_classes_in_words(choice, unit) + line("gap", gap_in_words(choice));
}

}  // namespace isotrope::planner
