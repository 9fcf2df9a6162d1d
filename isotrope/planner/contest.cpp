// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/planner/contest.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"

#include "isotrope/schedule/ceil_div.hpp"

#include "isotrope/planner/catalogue/shared.hpp"
#include "isotrope/planner/kept_counts.hpp"
#include "isotrope/planner/plan.hpp"

namespace isotrope::planner {
namespace {

bool is_preferred(const Algorithm& algorithm, const Preferences& preferences) {
  return preferences.algorithm.empty() || algorithm.is_called(preferences.algorithm);
}

// The forms in which the problem may be solved.
std::vector<Problem> forms(const Problem& problem, bool fixed_aggregation) {
  if (fixed_aggregation) return {problem};
  std::vector<Problem> result{problem, problem};
  result[0].aggregation = 1;
  result[1].aggregation = unbounded;
  return result;
}

// Whether counting rounds, or a search, takes milliseconds only.
bool is_quick(const Algorithm& algorithm, const Problem& problem) {
  const Traits& traits = algorithm.traits();
  return algorithm.is_quick(problem) &&
         (!traits.searched || traits.single_pass || is_searched_quickly(problem.network));
}

bool may_send_far(const Algorithm& algorithm, FarMessages far) {
  return far == FarMessages::any || (far == FarMessages::over_one_lane && algorithm.traits().over_one_lane);
}

void enter(std::vector<Entrant>& entrants, const Algorithm& algorithm, const Problem& form,
           const Preferences& preferences, FarMessages far, double rounds_a_part) {
  const bool stays_near = !may_send_far(algorithm, far);
  if (stays_near && algorithm.traits().overlay) return;  // before a search for its parameters
  for (Parameters parameters : algorithm.choices(form)) {
    if (preferences.digits && parameters.digits != 0 && parameters.digits != *preferences.digits) continue;
    if (stays_near && algorithm.sends_far(form, parameters)) continue;
    parameters.order = preferences.order;
    parameters.seed = preferences.seed;
    parameters.brief = true;
    const bool any_order = preferences.associative || !preferences.algorithm.empty();
    entrants.emplace_back(algorithm, form, parameters, any_order, rounds_a_part);
  }
}

// The reason of an algorithm that supports the form but has no parameters with the preferred digits.
std::string refused_digits(const Algorithm& algorithm, const Problem& form, std::uint32_t digits) {
  const std::uint32_t most = algorithm.choices(form).back().digits;
  return fmt::format("{} digits per round: give {}", digits, most > 1 ? fmt::format("1 to {}", most) : "1");
}

// A preferred algorithm for machines that takes no part.
void refuse_preferred(const Problem& form, const Preferences& preferences, FarMessages far) {
  for (const Algorithm* algorithm : catalog()) {
    const Traits& traits = algorithm->traits();
    if (!traits.for_machines || traits.collective != form.task.collective ||
        !algorithm->is_called(preferences.algorithm))
      continue;
    auto reason = unsupported_reason(*algorithm, form, preferences);
    if (!may_send_far(*algorithm, far) && (traits.overlay || !reason)) {
      reason = far == FarMessages::none
                   ? "the machine has no cut-through, by which messages pass nodes without a stop"
                   : "its messages pass nodes, and would share links with those of other ranks of a node";
    }
    if (!reason) reason = refused_digits(*algorithm, form, preferences.digits.value_or(0));
    throw Error(fmt::format("algorithm {}: {}", preferences.algorithm, *reason));
  }
}

}  // namespace

FarMessages far_messages(const cost::Machine& machine) {
  if (!machine.cut_through) return FarMessages::none;
  return machine.lanes == 1 ? FarMessages::any : FarMessages::over_one_lane;
}

std::uint64_t block_bytes_of(const Problem& problem, std::uint64_t bytes) {
  if (problem.task.collective != Collective::allreduce) return bytes;
  const std::uint64_t nodes = problem.network.order() - problem.failed.nodes.size();
  return (bytes + nodes - 1) / nodes;
}

std::uint64_t plan_block_bytes(const Algorithm& algorithm, const Problem& problem, std::uint64_t bytes) {
  return algorithm.traits().whole_vector ? bytes : block_bytes_of(problem, bytes);
}

Entrant::Entrant(const Algorithm& algorithm, Problem problem, const Parameters& parameters, bool any_order,
                 double rounds_a_part)
    : candidate_{.algorithm = &algorithm, .problem = std::move(problem), .parameters = parameters},
      any_order_(any_order),
      time_(Routed{}) {
  auto rounds = cut_through_rounds(algorithm, candidate_.problem, parameters);
  if (!rounds.empty()) {
    candidate_.problem.task.parts = 1;
    time_ = Routed{std::move(rounds), std::max(1U, algorithm.fixed_parts(candidate_.problem, parameters))};
    return;
  }
  const double blocks = algorithm.traits().whole_vector ? candidate_.problem.network.order() : 1;
  time_.emplace<SegmentSearch>(algorithm, candidate_.problem, parameters, rounds_a_part / blocks);
}

bool Entrant::may_win() const {
  return any_order_ || adds_alike(*candidate_.algorithm, candidate_.problem, candidate_.parameters);
}

std::string Entrant::family() const {
  Candidate family = candidate_;
  family.parameters.levels.reset();
  family.parameters.cut = {};
  return family.name();
}

Prediction Entrant::Routed::prediction(const Problem& problem, std::uint64_t block_bytes,
                                       const cost::Machine& machine) const {
  const cost::LinkTimes times(problem.network, problem.failed, machine);
  Prediction result = cost::cut_through(rounds, schedule::ceil_div(block_bytes, parts), machine,
                                        cost::times_by_axis(problem.network, times));
  result.segments = parts;
  return result;
}

// Chains hide overheads behind the rest.
Prediction Entrant::in_chains(Prediction together, double seconds, std::uint32_t chains) {
  together.chains = chains;
  together.seconds = seconds;
  together.transfer_s = std::min(together.transfer_s, seconds);
  together.startup_s = std::min(together.startup_s, seconds - together.transfer_s);
  together.overhead_s = seconds - together.transfer_s - together.startup_s;
  return together;
}

std::uint64_t Entrant::least_rounds() {
  SegmentSearch* search = std::get_if<SegmentSearch>(&time_);
  const std::uint64_t rounds = search == nullptr ? 0 : search->least_rounds();
  const bool reduces = candidate_.algorithm->local_reductions(candidate_.problem, candidate_.parameters) > 0;
  return reduces && rounds < no_rounds ? no_rounds - 1 : rounds;
}

Candidate Entrant::as_given(std::uint64_t bytes, const cost::Machine& machine) {
  SegmentSearch* search = std::get_if<SegmentSearch>(&time_);
  if (search == nullptr) return fastest_below(std::numeric_limits<double>::infinity(), bytes, machine);
  const std::uint64_t block = plan_block_bytes(*candidate_.algorithm, candidate_.problem, bytes);
  return predicted({search->with_segments(block, candidate_.problem.task.parts, machine)}, block, machine);
}

Candidate Entrant::fastest_below(double limit, std::uint64_t bytes, const cost::Machine& machine) {
  const std::uint64_t block = plan_block_bytes(*candidate_.algorithm, candidate_.problem, bytes);
  if (const auto* routed = std::get_if<Routed>(&time_))
    return predicted({routed->prediction(candidate_.problem, block, machine)}, block, machine);
  return predicted(std::get<SegmentSearch>(time_).fastest_below(limit, block, machine), block, machine);
}

// Where processors copy the bytes they do little else, so nothing goes on beside them. Links of several classes are priced round
// by round.
std::shared_ptr<const cost::RoutedMessages> Entrant::messages_in_chains(const cost::Machine& machine) const {
  const Algorithm& algorithm = *candidate_.algorithm;
  if (!std::holds_alternative<Routed>(time_) || machine.overhead_byte_s > 0 ||
      !machine.link_classes().empty() || algorithm.chains(candidate_.problem, candidate_.parameters) == 1)
    return nullptr;
  return routed_messages(algorithm, candidate_.problem, candidate_.parameters);
}

std::optional<Candidate> Entrant::in_chains(const cost::RoutedMessages& messages, std::uint64_t bytes,
                                            const cost::Machine& machine, std::uint64_t& work_left) const {
  const auto& routed = std::get<Routed>(time_);
  const std::uint64_t block = plan_block_bytes(*candidate_.algorithm, candidate_.problem, bytes);
  const auto seconds = messages.completion(schedule::ceil_div(block, routed.parts), machine, work_left);
  if (!seconds) return std::nullopt;
  return predicted(
      {in_chains(routed.prediction(candidate_.problem, block, machine), *seconds, messages.chains())}, block,
      machine);
}

// A local reduction passes once over its blocks, as the preparation of a message does.
Candidate Entrant::predicted(SegmentSearch::Fastest found, std::uint64_t block_bytes,
                             const cost::Machine& machine) const {
  Candidate result = candidate_;
  const std::uint64_t reduced =
      candidate_.algorithm->local_reductions(candidate_.problem, candidate_.parameters);
  const double seconds =
      static_cast<double>(reduced) * static_cast<double>(block_bytes) * machine.overhead_byte_s;
  found.prediction.seconds += seconds;
  found.prediction.overhead_s += seconds;
  result.block_bytes = block_bytes;
  result.prediction = found.prediction;
  result.at_least = found.at_least;
  result.problem.task.parts = found.prediction.segments;
  result.parameters.window = found.prediction.window;
  result.parameters.chains = found.prediction.chains;
  if (result.parameters.window > 1) {
    result.parameters.hop_rounds =
        pipelined_hop_rounds(candidate_.problem.task.collective, result.parameters.window);
  }
  return result;
}

std::vector<Entrant> entrants(const Problem& problem, const Preferences& preferences, bool fixed_aggregation,
                              FarMessages far, double rounds_a_part) {
  const std::vector<Problem> wanted = forms(problem, fixed_aggregation);
  std::vector<Entrant> result;
  for (const Algorithm* algorithm : catalog()) {
    if (algorithm->traits().collective != problem.task.collective || !is_preferred(*algorithm, preferences))
      continue;
    for (const Problem& form : wanted) {
      if (unsupported_reason(*algorithm, form, preferences)) continue;
      if (preferences.algorithm.empty() && !is_quick(*algorithm, form)) continue;
      if (result.empty()) require_solvable(form);
      enter(result, *algorithm, form, preferences, far, rounds_a_part);
    }
  }
  if (!result.empty()) return result;
  refuse_preferred(wanted.back(), preferences, far);
  choose(wanted.front(), preferences);  // says what would work
  return result;
}

void sort_by_time(std::vector<Runner>& runners) {
  std::ranges::stable_sort(runners, [](const Runner& a, const Runner& b) {
    if (a.candidate.prediction.seconds != b.candidate.prediction.seconds)
      return a.candidate.prediction.seconds < b.candidate.prediction.seconds;
    return a.candidate.at_least < b.candidate.at_least;
  });
}

void run_in_chains(std::vector<Runner>& runners, double limit, std::uint64_t bytes,
                   const cost::Machine& machine) {
  constexpr double most_gain = 1.4;
  std::uint64_t messages_left = std::uint64_t{1} << 15, work_left = std::uint64_t{1} << 18;
  sort_by_time(runners);
  double least = runners.front().candidate.prediction.seconds;
  const double near = most_gain * std::min(least, limit);
  for (Runner& runner : runners) {
    if (runner.candidate.prediction.seconds > near) break;
    if (runner.candidate.at_least) continue;
    const auto messages = runner.entrant->messages_in_chains(machine);
    if (messages == nullptr || messages->messages() > messages_left) continue;
    messages_left -= messages->messages();
    auto chained = runner.entrant->in_chains(*messages, bytes, machine, work_left);
    if (!chained) continue;
    const double seconds = chained->prediction.seconds;
    if (seconds >= runner.candidate.prediction.seconds || (seconds < least && !runner.entrant->may_win()))
      continue;
    least = std::min(least, seconds);
    runner.candidate = std::move(*chained);
  }
  sort_by_time(runners);
}

}  // namespace isotrope::planner
