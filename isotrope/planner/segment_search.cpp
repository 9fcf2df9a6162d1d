// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/planner/segment_search.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "isotrope/cost/ramp.hpp"
#include "isotrope/cost/round_synchronous.hpp"

#include "isotrope/planner/kept_counts.hpp"

namespace isotrope::planner {
namespace {

// The most hops of a schedule that is made to be predicted.
constexpr std::uint64_t most_hops = std::uint64_t{1} << 24;
// The most pairs of a link and a packet of one root, or of a packet of all nodes, of a schedule that is searched to be predicted.
constexpr std::uint64_t most_searched = std::uint64_t{1} << 19;
constexpr std::uint64_t most_searched_of_all = std::uint64_t{1} << 22;
constexpr std::uint64_t most_matched_of_all = std::uint64_t{1} << 17;  // over fewer ports, by matchings

// The number of segments to try after `segments`: the next one, or, if each of many costs a schedule, a third more.
std::uint64_t next_number(std::uint64_t segments, bool by_schedules) {
  constexpr std::uint64_t few = 8;
  return segments + (by_schedules && segments >= few ? segments / 3 : 1);
}

// The rounds of `few` segments and of twice as many.
cost::PipelineCost line_through(std::uint32_t few, std::uint64_t of_few, std::uint64_t of_many) {
  const auto first = static_cast<double>(of_few), second = static_cast<double>(of_many);
  const double per_packet = (second - first) / few;
  return {per_packet, std::max(0.0, first - per_packet * few)};
}

// The blocks, or vectors, that the busiest node sends at least: each node receives all that others have for it; in an allreduce,
// each part of the vector comes together and goes out again, in as many messages as there are others, unless it is gathered.
double least_blocks_sent(const Algorithm& algorithm, const Problem& problem, const Parameters& parameters) {
  const auto failed = static_cast<double>(problem.failed.nodes.size());
  const double others = static_cast<double>(problem.network.order()) - failed - 1;
  switch (problem.task.collective) {
    case Collective::allgather:
    case Collective::alltoall:
    case Collective::reduce_scatter:
      return others;
    case Collective::allreduce:
      if (algorithm.local_reductions(problem, parameters) > 0) return others;
      return 2 * others / (algorithm.traits().whole_vector ? others + 1 : 1);
    default:
      return others / (others + 1);
  }
}

// Of a node, at least 1. A graph that lists its links belongs to a network of many more ports.
std::uint64_t most_links(const Problem& problem) {
  if (problem.failed.edges.empty()) return std::max<std::uint64_t>(problem.network.degree(), 1);
  std::vector<std::uint64_t> links(problem.network.order(), 0);
  for (const network::Edge& edge : problem.failed.edges) ++links[edge.low], ++links[edge.high];
  return std::ranges::max(links);
}

}  // namespace

std::uint32_t pipelined_hop_rounds(Collective collective, std::uint32_t window) {
  return collective == Collective::reduce ? 0 : window;
}

// The search for the best number of segments, which skips those that cannot be best.
class SegmentSearch::Best {
 public:
  Best(SegmentSearch& search, double limit, std::uint64_t block_bytes, const cost::Machine& machine)
      : search_(search),
        machine_(machine),
        least_(search.times(machine).least()),
        block_bytes_(block_bytes),
        blocks_sent_(least_blocks_sent(search.algorithm_, search.problem_, search.parameters_)),
        limit_(limit) {
    most_ = std::min<std::uint64_t>(std::max<std::uint64_t>(block_bytes, 1),
                                    UINT32_MAX / search.problem_.network.order());
    best_.seconds = limit;
  }

  void consider(std::uint64_t segments) {
    auto within = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(segments, 1, most_));
    within = search_.most_supported(std::min(within, most_searched_for()));
    if (least_seconds(within) >= best_.seconds || !search_.may_search(within)) return;
    within = std::min(within, most_scheduled(within));
    const Prediction prediction = search_.with_segments(block_bytes_, within, machine_);
    if (prediction.seconds >= best_.seconds) return;
    best_ = prediction;
    found_ = true;
  }

  // Whether more segments than `segments` could be better than the best so far. Below r / x segments, where one
  // packet takes r rounds and every further one x, the time falls with their number, above it grows.
  bool could_gain_above(std::uint64_t segments) const {
    return segments < most_ && could_gain_from(segments + 1);
  }
  // The same of `segments` or more.
  bool could_gain_from(std::uint64_t segments) const {
    const auto first = static_cast<double>(segments), last = static_cast<double>(most_);
    const auto one = static_cast<double>(search_.fewest_rounds(1));
    const double per_packet = search_.rounds_a_part_;
    const double turn = per_packet > 0 ? std::clamp(one / per_packet, first, last) : last;
    return least_seconds(turn, std::max(one, per_packet * turn)) < best_.seconds;
  }

  Fastest result() const {
    if (found_) return {best_, false};
    Prediction least;
    least.seconds = std::max(limit_, floor());
    return {least, true};
  }

 private:
  // The most segments for which a schedule is searched.
  std::uint32_t most_searched_for() const {
    if (!search_.algorithm_.traits().searched) return UINT32_MAX;
    const std::uint64_t links = std::max<std::uint64_t>(search_.problem_.network.directed_links(), 1);
    const bool matches = search_.problem_.ports.kind != schedule::PortModel::Kind::all_port;
    const std::uint64_t of_all = matches ? most_matched_of_all : most_searched_of_all;
    const std::uint64_t most = search_.sends_one_vector() ? most_searched / links
                                                          : of_all / links / search_.problem_.network.order();
    return static_cast<std::uint32_t>(std::max<std::uint64_t>(most, 1));
  }
  // The most segments, up to `segments`, for which a schedule is made, if one is needed.
  std::uint32_t most_scheduled(std::uint32_t segments) {
    if (segments == 1 || search_.problem_.aggregated() || !search_.needs_schedule(machine_)) return segments;
    search_.loads(1);
    const std::uint64_t hops = std::max<std::uint64_t>(search_.hops_of_one_part_, 1);
    return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(most_hops / hops, 1, segments));
  }

  double least_seconds(std::uint32_t segments) const {
    const auto rounds = static_cast<double>(search_.fewest_rounds(segments));
    if (search_.problem_.aggregated()) return least_merged(rounds);
    return least_seconds(segments, std::max(rounds, search_.rounds_a_part_ * segments));
  }
  // Of so many rounds of one packet each.
  double least_seconds(double segments, double rounds) const {
    const double bytes = static_cast<double>(block_bytes_) / segments;
    const double messages = std::max(0.0, segments * blocks_sent_ - rounds);  // beyond one a round
    return rounds * (least_of_round() + bytes * least_.byte_time_s) + messages * machine_.overhead(1, 0) +
           least_of_copies();
  }
  // Of so many rounds with any number of segments.
  double least_merged(double rounds) const {
    return rounds * least_of_round() +
           search_.rounds_a_part_ * static_cast<double>(block_bytes_) * least_.byte_time_s +
           least_of_copies();
  }
  // What the processor of a sender takes for the bytes alone.
  double least_of_copies() const {
    return blocks_sent_ * static_cast<double>(block_bytes_) * machine_.overhead_byte_s;
  }
  double least_of_round() const {
    return machine_.overhead(1, 0) + least_.startup_s + machine_.receive_overhead(1);
  }
  // Of any number of segments.
  double floor() const { return least_merged(static_cast<double>(search_.fewest_rounds(1))); }

  SegmentSearch& search_;
  const cost::Machine& machine_;
  cost::LinkTime least_;
  std::uint64_t block_bytes_;
  double blocks_sent_;
  double limit_;
  std::uint64_t most_ = 1;  // segments
  Prediction best_;
  bool found_ = false;
};

SegmentSearch::SegmentSearch(const Algorithm& algorithm, Problem problem, const Parameters& parameters,
                             double rounds_a_part)
    : algorithm_(algorithm),
      problem_(std::move(problem)),
      parameters_(parameters),
      rounds_a_part_(rounds_a_part),
      fixed_(algorithm.fixed_parts(problem_, parameters)) {}

// Every part is one packet.
bool SegmentSearch::sends_one_vector() const {
  const schedule::Collective collective = problem_.task.collective;
  return collective == schedule::Collective::broadcast || collective == schedule::Collective::reduce ||
         (algorithm_.traits().whole_vector && algorithm_.local_reductions(problem_, parameters_) == 0);
}

// Multiples of the degree, so that algorithms which send a packet over every port come out even: of pipelines, whose rounds are known
// without a schedule, so many that the last packets, which may take other trees, are the same in both counts; of a search for the packets of
// all nodes, which fill the ports with one part each, the fewest.
cost::PipelineCost SegmentSearch::pipeline() {
  if (algorithm_.traits().searched && !problem_.aggregated() && rounds_a_part_ > 0)
    return {rounds_a_part_, std::max(0.0, static_cast<double>(round_count(1)) - rounds_a_part_)};
  const bool fewest = algorithm_.traits().searched && !sends_one_vector();
  const std::uint64_t degree = most_links(problem_);
  const std::uint64_t filling =
      algorithm_.traits().pipelines && !problem_.aggregated() ? 2 * round_count(1) : 1;
  const auto few = static_cast<std::uint32_t>(fewest ? 1 : std::min(degree * filling, most_hops));
  return line_through_rounds_of(few);
}

cost::PipelineCost SegmentSearch::line_through_rounds_of(std::uint32_t few) {
  return line_through(few, round_count(few), round_count(2 * few));
}

Prediction SegmentSearch::with_segments(std::uint64_t block_bytes, std::uint32_t segments,
                                        const cost::Machine& machine) {
  if (fixed_ > 0) segments = fixed_;
  cost::RoundSynchronous time(block_bytes, segments, machine, times(machine));
  if (problem_.aggregated() || (needs_schedule(machine) && round_count(1) < no_rounds)) {
    for (const auto& [load, rounds] : loads(segments)) time.add(load, rounds);
  } else {
    time.add({1, 1, 1, 1}, round_count(segments));
  }
  return time.prediction();
}

SegmentSearch::Fastest SegmentSearch::fastest_below(double limit, std::uint64_t block_bytes,
                                                    const cost::Machine& machine) {
  if (fixed_ > 0) {
    const Prediction only = with_segments(block_bytes, fixed_, machine);
    return {only, only.seconds >= limit};
  }
  Fastest result = fastest_round_synchronous(limit, block_bytes, machine);
  if (!pipelines(machine) || round_count(1) == no_rounds) return result;
  const Prediction pipelined = fastest_pipelined(block_bytes, machine);
  if (pipelined.seconds < std::min(limit, result.prediction.seconds)) return {pipelined, false};
  if (result.at_least) result.prediction.seconds = std::min(result.prediction.seconds, pipelined.seconds);
  return result;
}

std::uint64_t SegmentSearch::least_rounds() {
  if (fixed_ > 0) return round_count(fixed_);
  return algorithm_.traits().single_pass ? static_cast<std::uint64_t>(rounds_a_part_) : round_count(1);
}

SegmentSearch::Fastest SegmentSearch::fastest_round_synchronous(double limit, std::uint64_t block_bytes,
                                                                const cost::Machine& machine) {
  Best best(*this, limit, block_bytes, machine);
  if (algorithm_.traits().single_pass && !best.could_gain_from(1)) return best.result();
  round_count(1);  // which tells the least of all others
  best.consider(1);
  if (problem_.aggregated()) {
    for (const std::uint64_t segments : split_candidates(block_bytes, machine)) best.consider(segments);
    return best.result();
  }
  if (!best.could_gain_above(1)) return best.result();
  const std::uint64_t degree = most_links(problem_);
  if (best.could_gain_above(degree)) {
    for (const std::uint64_t segments : pipeline_candidates(block_bytes, machine)) best.consider(segments);
  }
  if (algorithm_.traits().searched) return best.result();
  const bool by_schedules = needs_schedule(machine);
  for (std::uint64_t segments = 2; segments <= degree; segments = next_number(segments, by_schedules))
    best.consider(segments);
  best.consider(degree);
  return best.result();
}

// Start-ups must occupy no link, and bytes must take time. Ranks of one node would share its links.
bool SegmentSearch::pipelines(const cost::Machine& machine) {
  const cost::LinkTime most = times(machine).most();
  return machine.cut_through && machine.lanes == 1 && most.startup_s > 0 && most.byte_time_s > 0 &&
         algorithm_.traits().pipelines && !problem_.aggregated() && problem_.failed.empty() &&
         problem_.ports.kind == schedule::PortModel::Kind::all_port && problem_.network.order() > 1;
}

Prediction SegmentSearch::with_window(std::uint64_t block_bytes, std::uint32_t segments, std::uint32_t window,
                                      const cost::Machine& machine) {
  return cost::pipelined(pipelined_trees(), block_bytes, segments, pipelined_count(segments), window,
                         with_slowest_links(machine));
}

// Every link with the largest times of any: trees use all of them, and the slowest sets the pace.
cost::Machine SegmentSearch::with_slowest_links(const cost::Machine& machine) {
  const cost::LinkTime most = times(machine).most();
  cost::Machine result = machine;
  result.startup_s = most.startup_s;
  result.byte_time_s = most.byte_time_s;
  return result;
}

// A hop of one round: longer ones change fill and drain alike.
cost::PipelinedTrees SegmentSearch::pipelined_trees() {
  const network::Port degree = problem_.network.degree();
  if (pipelined_hop_rounds(problem_.task.collective, 1) == parameters_.hop_rounds)
    return {pipeline(), degree};
  const std::uint32_t few = std::max<std::uint32_t>(degree, 1);
  return {line_through(few, pipelined_count(few), pipelined_count(2 * few)), degree};
}

std::uint64_t SegmentSearch::pipelined_count(std::uint32_t segments) {
  Parameters parameters = parameters_;
  parameters.hop_rounds = pipelined_hop_rounds(problem_.task.collective, 1);
  if (parameters == parameters_) return round_count(segments);
  const auto [entry, is_new] = pipelined_.try_emplace(segments, 0);
  if (is_new) {
    problem_.task.parts = segments;
    entry->second = algorithm_.rounds(problem_, parameters);
  }
  return entry->second;
}

// A larger window makes segments smaller, and must be worth what each of them costs beside its bytes.
Prediction SegmentSearch::fastest_pipelined(std::uint64_t block_bytes, const cost::Machine& machine) {
  constexpr double worth = 1 - 1.0 / 32;
  const cost::PipelinedTrees trees = pipelined_trees();
  const cost::Machine slowest = with_slowest_links(machine);
  const std::uint64_t most = most_hops / problem_.network.order();
  Prediction best;
  best.seconds = std::numeric_limits<double>::infinity();
  for (std::uint32_t window = 2; window <= cost::most_in_flight; ++window) {
    Prediction fastest = best;
    for (const std::uint32_t segments : pipelined_segments(trees, block_bytes, window, most, slowest)) {
      const Prediction one = with_window(block_bytes, segments, window, machine);
      if (!links_bound(trees, one, slowest)) continue;
      const double limit = fastest.window == window ? fastest.seconds : worth * best.seconds;
      if (one.seconds < limit) fastest = one;
    }
    best = fastest;
  }
  return best;
}

const cost::LinkTimes& SegmentSearch::times(const cost::Machine& machine) {
  if (timed_ && timed_->machine == machine) return timed_->times;
  if (timed_ && !timed_->times.alike()) from_schedule_.clear();
  timed_ = TimedLinks{machine, cost::LinkTimes(problem_.network, problem_.failed, machine)};
  if (!timed_->times.alike()) from_schedule_.clear();
  return timed_->times;
}

// Loads that are known without a schedule: as if every class had the busiest link.
cost::RoundLoad SegmentSearch::with_classes(cost::RoundLoad load) const {
  if (!timed_ || timed_->times.alike()) return load;
  for (std::uint32_t i = 0; i < timed_->times.all().size(); ++i) {
    if (timed_->times.occurs(i)) load.classes.push_back({i, load.packets * timed_->times.all()[i].lanes});
  }
  return load;
}

// A search may be too long for many parts, although it serves one.
bool SegmentSearch::may_search(std::uint32_t segments) {
  if (!algorithm_.traits().searched || segments == 1) return true;
  problem_.task.parts = segments;
  return !algorithm_.unsupported_reason(problem_);
}

// The last numbers of segments before the next round, and before that of `segments`: the last packets may not come in multiples of
// the degree.
void SegmentSearch::add_last_of_rounds(std::uint64_t segments, std::vector<std::uint64_t>& result) {
  constexpr std::uint64_t most_steps = 16;
  const auto near =
      static_cast<std::uint32_t>(std::clamp<std::uint64_t>(segments, 1, UINT32_MAX - most_steps));
  std::uint32_t last = near, before = near;
  while (last - near < most_steps && round_count(last + 1) == round_count(near)) ++last;
  while (before > 1 && near - before < most_steps && round_count(before) == round_count(near)) --before;
  result.push_back(last);
  result.push_back(before);
}

// By bisection: what serves some parts serves fewer.
std::uint32_t SegmentSearch::most_supported(std::uint32_t segments) {
  if (!algorithm_.traits().limits_parts) return segments;
  const auto serves = [&](std::uint32_t parts) {
    problem_.task.parts = parts;
    return !algorithm_.unsupported_reason(problem_);
  };
  if (serves(segments)) return segments;
  std::uint32_t most = 1;
  while (segments - most > 1) {
    const std::uint32_t middle = most + (segments - most) / 2;
    (serves(middle) ? most : segments) = middle;
  }
  return most;
}

// Messages count if they keep a processor busy; over one port there is one per round.
bool SegmentSearch::needs_schedule(const cost::Machine& machine) {
  if (!times(machine).alike()) return true;
  return machine.has_overheads() && problem_.ports.sends(problem_.network.degree()) > 1;
}

std::vector<std::uint64_t> SegmentSearch::split_candidates(std::uint64_t block_bytes,
                                                           const cost::Machine& machine) {
  if (algorithm_.traits().streams) return pipeline_candidates(block_bytes, machine);
  if (!algorithm_.traits().splits) return {};
  const std::uint64_t degree = problem_.network.degree(),
                      at_once = problem_.ports.sends(problem_.network.degree());
  return {at_once, 2 * at_once, degree, 2 * degree};
}

// Multiples of the number of ports lose nothing if rounds fill all ports.
std::vector<std::uint64_t> SegmentSearch::pipeline_candidates(std::uint64_t block_bytes,
                                                              const cost::Machine& machine) {
  const cost::PipelineCost line = pipeline();
  const cost::Machine slowest = with_slowest_links(machine);
  const auto bytes = static_cast<double>(block_bytes);
  // Filling takes less than 1 % of the time of so many segments; start-ups that take no time would want a byte in each.
  const auto most_segments = static_cast<double>(std::max<std::uint64_t>(1 << 16, 128 * round_count(1)));
  const auto best_packet = [&](const cost::PipelineCost& of) {
    return std::max({1.0, bytes / most_segments, of.best_packet(bytes, slowest)});
  };
  const double packet = best_packet(line);
  const std::uint64_t degree = most_links(problem_);

  std::vector<std::uint64_t> result;
  const auto add_near = [&](std::uint64_t segments) {
    // Every count of rounds is a search, which also takes more rounds a packet than the line says.
    if (algorithm_.traits().searched) {
      for (const std::uint64_t fewer : {0U, 1U, 2U})
        result.push_back((segments / degree + 1 - std::min(fewer, segments / degree)) * degree);
      return;
    }
    for (const std::uint64_t near : {segments, segments + 1, segments / degree * degree})
      result.push_back(near);
    result.push_back((segments / degree + 1) * degree);
    if (algorithm_.traits().pipelines) add_last_of_rounds(segments, result);
  };
  add_near(static_cast<std::uint64_t>(bytes / packet));
  // Many parts may go by another schedule than few.
  if (algorithm_.traits().limits_parts) {
    const std::uint32_t many = most_supported(static_cast<std::uint32_t>(16 * degree));
    add_near(static_cast<std::uint64_t>(bytes / best_packet(line_through_rounds_of(std::max(1U, many / 2)))));
  }
  // Packets above the internal one save no start-ups. Without anything to fill, many gain nothing either.
  if (machine.internal_packet > 0 && packet > static_cast<double>(machine.internal_packet)) {
    const std::uint64_t pieces = (block_bytes - 1) / machine.internal_packet + 1;
    if (line.fill > 0 || pieces <= 8 * degree) add_near(pieces);
  }
  return result;
}

// A lower bound without counting: the rounds of fewer segments.
std::uint64_t SegmentSearch::fewest_rounds(std::uint64_t segments) const {
  std::uint64_t most = 0;
  for (const auto& [fewer, rounds] : counted_) {
    if (fewer <= segments) most = std::max(most, rounds);
  }
  return most;
}

// The counts after `periods` more, if `second` and `third` have the same rounds more than the counts before them.
std::optional<SegmentSearch::RoundsByLoad> SegmentSearch::repeated(const RoundsByLoad& first,
                                                                   const RoundsByLoad& second,
                                                                   const RoundsByLoad& third,
                                                                   std::uint64_t periods) {
  RoundsByLoad result;
  for (const auto& [load, rounds] : third) {
    const auto count_in = [&load = load](const RoundsByLoad& counts) {
      const auto found = counts.find(load);
      return found == counts.end() ? 0 : found->second;
    };
    const std::uint64_t before = count_in(first), then = count_in(second);
    if (then < before || then - before != rounds - then) return std::nullopt;
    result[load] = before + periods * (then - before);
  }
  const auto stays = [&](const auto& counted) { return third.contains(counted.first); };
  return std::ranges::all_of(second, stays) ? std::optional(std::move(result)) : std::nullopt;
}

// As many segments as one part takes rounds fill a pipeline, as many over every port fill those of all ports.
std::optional<SegmentSearch::RoundsByLoad> SegmentSearch::repeated_loads(std::uint32_t segments) {
  const Traits& traits = algorithm_.traits();
  if (segments == 1 || problem_.aggregated() || traits.searched || traits.limits_parts) return std::nullopt;
  const std::uint32_t period = std::max<std::uint32_t>(problem_.network.degree(), 1);
  const std::uint64_t one = round_count(1);
  for (; repeats_from_ < 2; ++repeats_from_) {
    const std::uint64_t full = repeats_from_ == 0 ? one + period : (one + 1) * period;
    if (segments <= full + 3 * std::uint64_t{period}) return std::nullopt;
    const auto begin = static_cast<std::uint32_t>(full + (segments - full) % period);
    auto result =
        repeated(loads(begin), loads(begin + period), loads(begin + 2 * period), (segments - begin) / period);
    if (result) return result;
  }
  return std::nullopt;
}

const SegmentSearch::RoundsByLoad& SegmentSearch::loads(std::uint32_t segments) {
  if (const auto known = from_schedule_.find(segments); known != from_schedule_.end()) return known->second;
  auto counted = repeated_loads(segments);
  RoundsByLoad& result = from_schedule_[segments];
  if (counted) return result = std::move(*counted);
  problem_.task.parts = segments;
  const auto known = algorithm_.loads(problem_, parameters_);
  for (const cost::RoundLoad& load : known) ++result[with_classes(load)];
  if (!known.empty()) return result;
  if (!timed_ || timed_->times.alike()) {
    ScheduleCounts counts = schedule_counts(algorithm_, problem_, parameters_);
    if (segments == 1) hops_of_one_part_ = counts.hops;
    return result = std::move(counts.rounds);
  }
  const schedule::Schedule schedule = algorithm_.schedule(problem_, parameters_);
  if (segments == 1) hops_of_one_part_ = schedule.hop_count();
  for (const cost::RoundLoad& load : cost::round_loads(problem_.network, schedule, timed_->times))
    ++result[load];
  return result;
}

std::uint64_t SegmentSearch::round_count(std::uint32_t segments) {
  const auto [entry, is_new] = counted_.try_emplace(segments, 0);
  std::uint64_t& count = entry->second;
  if (!is_new) return count;
  if (problem_.aggregated()) {
    for (const auto& [load, rounds] : loads(segments)) count += rounds;
  } else {
    problem_.task.parts = segments;
    count = planner::round_count(algorithm_, problem_, parameters_);
  }
  return count;
}

}  // namespace isotrope::planner
