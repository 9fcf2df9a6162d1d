// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// isotrope compare-algorithms: the predicted time of every algorithm that applies, over a range of sizes, and the
// sizes at which the fastest one changes; or of those that are named. As a table, or as a picture of those that come
// near the fastest, with the lower bound and the bus bandwidth (-o FILE.svg, FILE.csv).
#include <algorithm>
#include <limits>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"
#include "isotrope/base/text_table.hpp"

#include "isotrope/io/atomic_file.hpp"
#include "isotrope/io/chart.hpp"

#include "isotrope/planner/comparison.hpp"
#include "isotrope/planner/rate_slots.hpp"

#include "app/commands.hpp"
#include "app/describe.hpp"
#include "app/machine.hpp"
#include "app/output.hpp"
#include "app/own_plans.hpp"
#include "app/payload.hpp"
#include "app/progress.hpp"
#include "app/subject.hpp"
#include "app/values.hpp"

namespace isotrope::app {
namespace {

// From --from to --upto, doubling.
std::vector<std::uint64_t> doubling_sizes(const CompareAlgorithmsOptions& options) {
  const std::uint64_t from = options.from.value_or(64), to = options.upto.value_or(std::uint64_t{16} << 20);
  if (from > to) {
    throw Error(fmt::format("--from {} is above --upto {}: give sizes in ascending order", format_size(from),
                            format_size(to)));
  }
  return sizes_between(from, to, 2);
}

// The names between commas.
std::vector<std::string> names_in(std::string_view list) {
  std::vector<std::string> names;
  while (!list.empty()) {
    names.emplace_back(list.substr(0, list.find(',')));
    list.remove_prefix(std::min(names.back().size() + 1, list.size()));
  }
  return names;
}

// "vector" or "block", as payload_in_words() names what is sized.
std::string sized(const schedule::Problem& problem) {
  return is_sized_by_vector(problem.task) ? "vector" : "block";
}

using Groups = std::vector<std::vector<std::size_t>>;

// Of curves with the same times.
std::string names_of(const planner::Comparison& comparison, const std::vector<std::size_t>& group) {
  std::vector<std::string> names;
  for (const std::size_t curve : group) names.push_back(comparison.curves[curve].name);
  return fmt::format("{}", fmt::join(names, " = "));
}

// How many times --bytes a node must send or receive, as NCCL's tests count it, so that the bandwidth compares with
// that of the links: 2 (N - 1) / N vectors of an allreduce, N - 1 blocks of what has a block for each other node.
double bus_blocks(const schedule::Problem& problem) {
  const auto nodes = static_cast<double>(problem.network.order());
  if (problem.task.collective == schedule::Collective::allreduce) return 2 * (nodes - 1) / nodes;
  return is_sized_by_vector(problem.task) ? 1 : nodes - 1;
}

// a to z, then aa, ab, ...
std::string label(std::size_t curve) {
  const std::string last(1, static_cast<char>('a' + curve % 26));
  return curve < 26 ? last : label(curve / 26 - 1) + last;
}

// A line per size: the times of all groups of curves, and the fastest of them, which begins with the fastest curve.
std::string times_in_words(const std::string& sized, const planner::Comparison& comparison,
                           const Groups& groups) {
  const std::size_t curves = groups.size();
  std::vector<TextColumn> columns(1 + curves, {Alignment::right, 11});
  columns.front().least_width = 10;
  columns.push_back({Alignment::left});
  TextTable table(std::move(columns));
  std::vector<std::string> heading{sized};
  for (std::size_t i = 0; i < curves; ++i) heading.push_back(label(i) + " ");
  heading.push_back("fastest");
  table.add(std::move(heading));
  for (std::size_t s = 0; s < comparison.bytes.size(); ++s) {
    std::vector<std::string> line{format_size(comparison.bytes[s])};
    std::size_t fastest = 0;
    for (std::size_t i = 0; i < curves; ++i) {
      const std::size_t curve = groups[i].front();
      if (curve == comparison.fastest[s]) fastest = i;
      line.push_back(fmt::format("{}{}", format_seconds(comparison.curves[curve].predictions[s].seconds),
                                 curve == comparison.fastest[s] ? '*' : ' '));
    }
    const planner::Prediction& best = comparison.curves[comparison.fastest[s]].predictions[s];
    line.push_back(fmt::format("{}, {}", label(fastest), counted(best.segments, "segment")));
    table.add(std::move(line));
  }
  return table.to_text();
}

std::string table_in_words(const schedule::Problem& problem, const planner::Comparison& comparison) {
  std::string text;
  const Groups groups = comparison.groups();
  for (std::size_t i = 0; i < groups.size(); ++i)
    text += fmt::format("  {}  {}\n", label(i), names_of(comparison, groups[i]));
  text += '\n';
  text += times_in_words(sized(problem), comparison, groups);
  for (const planner::Crossover& crossover : comparison.crossovers) {
    text += fmt::format("\n  from {} bytes on {} is faster than {}", crossover.bytes, crossover.faster,
                        crossover.slower);
  }
  return comparison.crossovers.empty() ? text : text + "\n";
}

Json as_json(const schedule::Problem& problem, const planner::Comparison& comparison) {
  Json facts{{"network", problem.network.name()},
             {"collective", to_string(problem.task)},
             {"ports", to_string(problem.ports)},
             {"bytes", comparison.bytes}};
  facts["algorithms"] = Json::array();
  for (const planner::Curve& curve : comparison.curves) {
    Json entry{{"algorithm", curve.name}};
    for (const planner::Prediction& prediction : curve.predictions) {
      entry["seconds"].push_back(prediction.seconds);
      entry["segments"].push_back(prediction.segments);
    }
    facts["algorithms"].push_back(std::move(entry));
  }
  facts["bound_seconds"] = comparison.bound_s;
  facts["crossovers"] = Json::array();
  for (const planner::Crossover& crossover : comparison.crossovers) {
    facts["crossovers"].push_back({{"bytes", crossover.bytes},
                                   {"seconds", crossover.seconds},
                                   {"slower", crossover.slower},
                                   {"faster", crossover.faster}});
  }
  return facts;
}

template <class ValueOf>
void add_series(io::Chart& chart, io::Series series, const planner::Comparison& comparison,
                const ValueOf& value_of) {
  for (std::size_t s = 0; s < comparison.bytes.size(); ++s)
    series.points.push_back({static_cast<double>(comparison.bytes[s]), value_of(s)});
  chart.series.push_back(std::move(series));
}

double fastest_seconds(const planner::Comparison& comparison, std::size_t size) {
  return comparison.curves[comparison.fastest[size]].predictions[size].seconds;
}

// How many times the time of the fastest a curve takes, at the size at which it comes closest.
double closest(const planner::Comparison& comparison, const planner::Curve& curve) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t s = 0; s < comparison.bytes.size(); ++s)
    least = std::min(least, curve.predictions[s].seconds / fastest_seconds(comparison, s));
  return least;
}

// The largest factor between the times of two curves at any size.
double farthest(const planner::Curve& a, const planner::Curve& b) {
  double most = 1;
  for (std::size_t s = 0; s < a.predictions.size(); ++s) {
    const auto [low, high] = std::minmax(a.predictions[s].seconds, b.predictions[s].seconds);
    if (low != high) most = std::max(most, high / low);
  }
  return most;
}

// Groups of curves that no reader of a picture can tell apart, by the first curve of each.
std::vector<Groups> look_alikes(const planner::Comparison& comparison, double times) {
  std::vector<Groups> result;
  for (std::vector<std::size_t>& group : comparison.groups()) {
    const planner::Curve& curve = comparison.curves[group.front()];
    const auto like = std::ranges::find_if(result, [&](const Groups& groups) {
      return farthest(comparison.curves[groups.front().front()], curve) <= times;
    });
    if (like == result.end()) {
      result.push_back({std::move(group)});
    } else {
      like->push_back(std::move(group));
    }
  }
  return result;
}

// What a chart leaves out, and joins.
struct ChartLimits {
  double slowest = std::numeric_limits<double>::infinity();  // times the time of the fastest
  double alike = 1;  // curves within this factor are one; of these the first is drawn
};

// Adds the algorithms that come within the limits. Returns how many do not.
std::size_t add_algorithms(io::Chart& chart, const planner::Comparison& comparison,
                           const ChartLimits& limits) {
  std::size_t slow = 0;
  for (const Groups& groups : look_alikes(comparison, limits.alike)) {
    std::vector<std::string> names;
    std::size_t drawn = SIZE_MAX;
    for (const std::vector<std::size_t>& group : groups) {
      if (closest(comparison, comparison.curves[group.front()]) > limits.slowest) {
        slow += group.size();
        continue;
      }
      names.push_back(names_of(comparison, group));
      drawn = std::min(drawn, group.front());
    }
    if (names.empty()) continue;
    add_series(chart, {.name = fmt::format("{}", fmt::join(names, " \u2248 ")), .points = {}}, comparison,
               [&](std::size_t s) { return comparison.curves[drawn].predictions[s].seconds; });
  }
  return slow;
}

void add_bus_bandwidth(io::Chart& chart, const schedule::Problem& problem,
                       const planner::Comparison& comparison) {
  chart.right = io::ChartAxis{.label = "bus bandwidth (GB/s)"};
  const double blocks = bus_blocks(problem);
  add_series(chart, {.name = "bus bandwidth of the fastest", .points = {}, .markers = false, .right = true},
             comparison, [&](std::size_t s) {
               return blocks * static_cast<double>(comparison.bytes[s]) / fastest_seconds(comparison, s) /
                      1e9;
             });
}

io::Chart as_chart(const schedule::Problem& problem, const cost::Machine& machine,
                   const planner::Comparison& comparison, const ChartLimits& limits) {
  io::Chart chart{.title = heading(problem),
                  .note = fmt::format("round-synchronous, best number of segments; {}", in_words(machine)),
                  .x = {.label = sized(problem) + " (bytes)", .logarithmic = true, .log_base = 2},
                  .y = {.label = "time (s)", .logarithmic = true},
                  .series = {},
                  .marks = {}};
  const std::size_t slow = add_algorithms(chart, comparison, limits);
  if (slow > 0)
    chart.note += fmt::format("; not shown: {} that always take over {} times the time of the fastest",
                              counted(slow, "algorithm"), limits.slowest);
  if (std::ranges::any_of(chart.series, [](const io::Series& series) {
        return series.name.find("\u2248") != std::string::npos;
      }))
    chart.note += fmt::format("; \u2248: within {:.0f} % at all sizes, and drawn as the first",
                              100 * (limits.alike - 1));
  const auto is_positive = [](double seconds) { return seconds > 0; };
  if (std::ranges::all_of(comparison.bound_s, is_positive)) {
    add_series(chart,
               {.name = "lower bound between neighbours", .points = {}, .dashed = true, .markers = false},
               comparison, [&](std::size_t s) { return comparison.bound_s[s]; });
  }
  if (problem.task.collective != schedule::Collective::barrier) add_bus_bandwidth(chart, problem, comparison);
  for (const planner::Crossover& crossover : comparison.crossovers) {
    chart.marks.push_back(
        {static_cast<double>(crossover.bytes), crossover.seconds, format_size(crossover.bytes)});
  }
  return chart;
}

}  // namespace

int compare_algorithms_command(const CompareAlgorithmsOptions& options) {
  take_own_plans();
  schedule::Problem problem = chosen_problem(options);
  const cost::Machine machine =
      chosen_machine(options, options, problem.ports, {problem.network, problem.failed});
  if (auto slots = planner::with_rate_slots(problem, machine)) problem = std::move(*slots);
  const planner::Comparison comparison = [&] {
    Progress progress("comparing");
    return planner::compare(problem, doubling_sizes(options), machine, names_in(options.algorithms),
                            options.associative, progress.callback());
  }();
  constexpr double times_shown = 1.5, times_alike = 1.03;
  const bool picture = options.output.ends_with(".svg");
  if (picture || options.output.ends_with(".csv")) {
    ChartLimits limits;
    if (picture) limits.alike = times_alike;
    if (picture && options.algorithms.empty()) limits.slowest = times_shown;
    const io::Chart chart = as_chart(problem, machine, comparison, limits);
    const auto write = picture ? &io::write_svg : &io::write_csv;
    io::write_atomically(options.output, [&](std::ostream& out) { write(out, chart); });
    return 0;
  }
  print_or_write(options, options.json ? answer("compare-algorithms", as_json(problem, comparison))
                                       : fmt::format("{}; {}\n\n{}", heading(problem), in_words(machine),
                                                     table_in_words(problem, comparison)));
  return 0;
}

}  // namespace isotrope::app
