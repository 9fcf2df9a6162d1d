// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// isotrope compare-algorithms: the predicted time of every algorithm that applies, over a range of block sizes, and
// where the fastest one changes; as a table, or as a picture (-o FILE.svg, FILE.csv).
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "isotrope/base/error.hpp"

#include "isotrope/io/chart.hpp"

#include "isotrope/planner/comparison.hpp"

#include "app/commands.hpp"
#include "app/describe.hpp"
#include "app/machine.hpp"
#include "app/picture.hpp"
#include "app/progress.hpp"
#include "app/size.hpp"

namespace isotrope::app {
namespace {

// From --from to --to, doubling.
std::vector<std::uint64_t> sizes(const Options& options) {
  const std::uint64_t from = options.from.empty() ? 64 : parse_size(options.from);
  const std::uint64_t to = options.upto.empty() ? std::uint64_t{16} << 20 : parse_size(options.upto);
  if (from > to) {
    throw Error(fmt::format("--from {} is above --upto {}: give sizes in ascending order", format_size(from),
                            format_size(to)));
  }
  std::vector<std::uint64_t> result;
  for (std::uint64_t size = from; size < to; size *= 2) result.push_back(size);
  result.push_back(to);
  return result;
}

char letter(std::size_t contestant) {
  return static_cast<char>('a' + contestant);
}

std::string heading(const planner::Request& request) {
  return fmt::format("{} on {}{}, {}", to_string(request.task), request.network.name(),
                     losses(request.network, request.failed), to_string(request.ports));
}

std::string table_in_words(const planner::Comparison& comparison) {
  std::string text;
  for (std::size_t i = 0; i < comparison.contestants.size(); ++i)
    text += fmt::format("  {}  {}\n", letter(i), comparison.contestants[i].name);
  text += fmt::format("\n  {:>10}", "block");
  for (std::size_t i = 0; i < comparison.contestants.size(); ++i) text += fmt::format("  {:>10} ", letter(i));
  text += "  fastest\n";
  for (std::size_t s = 0; s < comparison.block_bytes.size(); ++s) {
    text += fmt::format("  {:>10}", format_size(comparison.block_bytes[s]));
    for (std::size_t i = 0; i < comparison.contestants.size(); ++i) {
      text += fmt::format("  {:>10}{}", format_seconds(comparison.contestants[i].predictions[s].seconds),
                          i == comparison.fastest[s] ? '*' : ' ');
    }
    const planner::Prediction& best = comparison.contestants[comparison.fastest[s]].predictions[s];
    text += fmt::format("  {}, {} {}\n", letter(comparison.fastest[s]), best.packets,
                        best.packets == 1 ? "packet" : "packets");
  }
  for (const planner::Crossover& crossover : comparison.crossovers) {
    text += fmt::format("\n  from {} bytes on {} is faster than {}", crossover.bytes, crossover.faster,
                        crossover.slower);
  }
  return comparison.crossovers.empty() ? text : text + "\n";
}

Json as_json(const planner::Request& request, const planner::Comparison& comparison) {
  Json facts{{"network", request.network.name()},
             {"collective", to_string(request.task)},
             {"ports", to_string(request.ports)},
             {"block_bytes", comparison.block_bytes}};
  for (const planner::Contestant& contestant : comparison.contestants) {
    Json entry{{"algorithm", contestant.name}};
    for (const planner::Prediction& prediction : contestant.predictions) {
      entry["seconds"].push_back(prediction.seconds);
      entry["packets"].push_back(prediction.packets);
    }
    facts["algorithms"].push_back(std::move(entry));
  }
  facts["crossovers"] = Json::array();
  for (const planner::Crossover& crossover : comparison.crossovers) {
    facts["crossovers"].push_back({{"block_bytes", crossover.bytes},
                                   {"seconds", crossover.seconds},
                                   {"slower", crossover.slower},
                                   {"faster", crossover.faster}});
  }
  return facts;
}

io::Chart as_chart(const planner::Request& request, const cost::Machine& machine,
                   const planner::Comparison& comparison) {
  io::Chart chart{.title = heading(request),
                  .note = fmt::format("rounds in lock step, best number of packets; {}", in_words(machine)),
                  .x = {.label = "block (bytes)", .logarithmic = true, .log_base = 2},
                  .y = {.label = "time (s)", .logarithmic = true},
                  .series = {},
                  .marks = {}};
  for (const planner::Contestant& contestant : comparison.contestants) {
    io::Series series{.name = contestant.name, .points = {}};
    for (std::size_t s = 0; s < comparison.block_bytes.size(); ++s) {
      series.points.push_back(
          {static_cast<double>(comparison.block_bytes[s]), contestant.predictions[s].seconds});
    }
    chart.series.push_back(std::move(series));
  }
  for (const planner::Crossover& crossover : comparison.crossovers) {
    chart.marks.push_back(
        {static_cast<double>(crossover.bytes), crossover.seconds, format_size(crossover.bytes)});
  }
  return chart;
}

}  // namespace

int compare_algorithms_command(const Options& given) {
  const Options options = with_ports_of_machine(given);
  const planner::Request request = chosen_request(options);
  cost::Machine preset = cluster();
  preset.ports = request.ports;
  const cost::Machine machine = chosen_machine(options, preset);
  const planner::Comparison comparison = [&] {
    Progress progress("comparing");
    return planner::compare(request, sizes(options), machine, progress.callback());
  }();
  if (is_picture(options.output)) {
    write_chart(options.output, as_chart(request, machine, comparison));
    return 0;
  }
  print_or_write(options, options.json ? dump(as_json(request, comparison))
                                       : fmt::format("{}; {}\n\n{}", heading(request), in_words(machine),
                                                     table_in_words(comparison)));
  return 0;
}

}  // namespace isotrope::app
