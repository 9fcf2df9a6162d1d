// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// A choice in words (choice.hpp).
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "isotrope/base/text_table.hpp"

#include "isotrope/planner/bound_words.hpp"
#include "isotrope/planner/choice.hpp"

namespace isotrope::planner {
namespace {

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
  if (const auto& shares = candidate.parameters.shares; !shares.empty())
    return fmt::format("{}, shares {}", candidate.name(), fmt::join(shares, ":"));
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

std::string window_in_words(const Choice& choice) {
  const std::uint32_t window = choice.best().prediction.window;
  if (window == 1) return "";
  return labelled(
      "", fmt::format("pipelined, window {}: {} messages share a link at once, so that start-ups overlap",
                      window, window));
}

std::string chains_in_words(const Choice& choice) {
  const Candidate& best = choice.best();
  if (const auto& shares = best.parameters.shares; !shares.empty()) {
    return labelled("",
                    fmt::format("in shares: {} shares of the data, {}, go through all rounds by themselves",
                                shares.size(), fmt::join(shares, ":")));
  }
  if (best.prediction.chains == 1) return "";
  return labelled("", fmt::format("in chains: {} shares of the data go through their rounds by themselves",
                                  best.prediction.chains));
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

std::string segmented_bound_in_words(const Choice& choice, const DisplayUnit& unit) {
  const Candidate& best = choice.best();
  if (choice.bound.segmented_s == 0 || best.problem.aggregated() || best.prediction.window > 1 ||
      best.over_overlay())
    return "";
  return labelled(
      "segmented",
      fmt::format("{}: in strict rounds of equal segments, which fill a pipeline, no "
                  "broadcast or reduce takes less; this plan is {:.1f} % above",
                  in(unit, choice.bound.segmented_s),
                  percent(best.prediction.seconds - choice.bound.segmented_s, choice.bound.segmented_s)));
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

}  // namespace

std::string explain(const Choice& choice) {
  const DisplayUnit unit = unit_for(choice.best().prediction.seconds);
  return table(choice, unit) +
         labelled("chosen",
                  fmt::format("{}: {}", choice.best().name(), in(unit, choice.best().prediction.seconds))) +
         window_in_words(choice) + chains_in_words(choice) + labelled("", parts_of_time(choice, unit)) +
         labelled("because", against_the_next(choice, unit)) + bound_in_words(choice.bound, unit) +
         segmented_bound_in_words(choice, unit) +
         costs_in_words({choice.problem, choice.bytes, choice.machine, choice.bound}, unit) +
         labelled("gap", gap_in_words(choice));
}

}  // namespace isotrope::planner
