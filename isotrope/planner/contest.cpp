// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/planner/contest.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"

#include "isotrope/schedule/ceil_div.hpp"

#include "isotrope/cost/shares.hpp"

#include "isotrope/planner/catalogue/shared.hpp"
#include "isotrope/planner/kept_counts.hpp"
#include "isotrope/planner/plan.hpp"

namespace isotrope::planner {
namespace {

// What messages that are followed take less than in rounds that begin together, at most: found on all networks tried. Those of
// trees between neighbours are then worth more segments.
constexpr double most_gain = 1.5, most_gain_of_trees = 1.75;

// What the messages take, in all; links first.
void set_seconds(Prediction& prediction, double seconds) {
  prediction.seconds = seconds;
  prediction.is_followed = true;
  prediction.transfer_s = std::min(prediction.transfer_s, seconds);
  prediction.startup_s = std::min(prediction.startup_s, seconds - prediction.transfer_s);
  prediction.overhead_s = seconds - prediction.transfer_s - prediction.startup_s;
}

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
  return far == FarMessages::any || (far == FarMessages::counting_lanes && algorithm.traits().counts_lanes);
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
  return machine.lanes == 1 ? FarMessages::any : FarMessages::counting_lanes;
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

// A barrier adds nothing.
bool Entrant::may_win() const {
  return any_order_ || candidate_.problem.task.collective == Collective::barrier ||
         adds_alike(*candidate_.algorithm, candidate_.problem, candidate_.parameters);
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
  if (may_be_followed(machine))
    limit = works_unevenly(machine) ? most_gain_of_trees * limit : std::numeric_limits<double>::infinity();
  return predicted(std::get<SegmentSearch>(time_).fastest_below(limit, block, machine), block, machine);
}

// Messages that go equally far begin and end together, if the links are loaded alike.
bool Entrant::are_rounds_exact(const cost::Machine& machine) const {
  return !machine.has_overheads() && candidate_.problem.failed.empty() &&
         std::ranges::all_of(std::get<Routed>(time_).rounds,
                             [](const auto& round) { return round.far.size() <= 1; });
}

// Where processors take longer for a byte than links they do little else, so nothing goes on beside them. Links of several classes
// are priced round by round, and so are limited ports.
bool Entrant::may_be_followed(const cost::Machine& machine) const {
  const Algorithm& algorithm = *candidate_.algorithm;
  const Problem& problem = candidate_.problem;
  if (std::holds_alternative<Routed>(time_)) {
    return problem.ports.kind == schedule::PortModel::Kind::all_port &&
           machine.overhead_byte_s < machine.byte_time_s && machine.link_classes().empty() &&
           (!are_rounds_exact(machine) || algorithm.chains(problem, candidate_.parameters) > 1);
  }
  return cost::gains_by_shares(machine, problem.ports) && (problem.aggregated() || works_unevenly(machine)) &&
         problem.task.collective != Collective::barrier &&
         algorithm.local_reductions(problem, candidate_.parameters) == 0;
}

// Nodes of a tree have unlike numbers of messages, and go on as soon as their own are done.
bool Entrant::works_unevenly(const cost::Machine& machine) const {
  return machine.has_overheads() && schedule::is_rooted(candidate_.problem.task.collective);
}

double Entrant::least_if_followed(const Prediction& together, const cost::Machine& machine) const {
  if (std::holds_alternative<Routed>(time_)) return together.seconds / most_gain;
  if (works_unevenly(machine)) return together.seconds / most_gain_of_trees;
  const auto shares = cost::staggered_shares(cost::most_shares);
  const double of_all = std::accumulate(shares.begin(), shares.end(), 0.0);
  return together.startup_s + together.transfer_s * shares.back() / of_all;
}

std::optional<Candidate> Entrant::followed(const Candidate& together, double limit, std::uint64_t bytes,
                                           const cost::Machine& machine, Effort& left) {
  const std::uint64_t block = plan_block_bytes(*candidate_.algorithm, candidate_.problem, bytes);
  if (std::holds_alternative<Routed>(time_)) return over_overlay(together, limit, block, machine, left);
  return works_unevenly(machine) ? in_segments(together, block, machine, left)
                                 : in_shares(together, block, machine, left);
}

// Chains hide overheads behind the rest; together, parts share messages. What is faster as a rule comes first: the others need
// not be followed to their ends.
std::optional<Candidate> Entrant::over_overlay(const Candidate& together, double limit,
                                               std::uint64_t block_bytes, const cost::Machine& machine,
                                               Effort& left) const {
  const auto part_bytes = cost::part_bytes_of_shares(block_bytes, together.prediction.segments, {});
  const Prediction in_rounds = std::get<Routed>(time_).prediction(candidate_.problem, block_bytes, machine);
  std::optional<Candidate> best;
  if (are_rounds_exact(machine)) {
    best = together;
    limit = std::min(limit, together.prediction.seconds);
  }
  bool takes_longer = false;
  const auto run = [&](std::uint32_t chains) {
    Parameters parameters = candidate_.parameters;
    parameters.chains = chains;
    const auto found = seconds_of(candidate_.problem, parameters, part_bytes, limit, machine, left);
    takes_longer = takes_longer || (found && found->seconds > limit);
    if (!found || found->seconds > limit || (best && found->seconds == limit && chains > 1)) return;
    limit = found->seconds;
    Prediction exact = in_rounds;
    exact.chains = chains;
    set_seconds(exact, limit);
    best = predicted({exact}, block_bytes, machine);
    best->parameters.send_order = found->order;
  };
  const std::uint32_t chains = candidate_.algorithm->chains(candidate_.problem, candidate_.parameters);
  if (chains > 1 && chains <= schedule::most_chains) run(chains);
  if (!are_rounds_exact(machine)) run(1);
  if (best || !takes_longer) return best;
  Prediction longer = in_rounds;
  set_seconds(longer, limit);
  return predicted({longer, true}, block_bytes, machine);
}

// Rounds in step take longer the more segments there are, so more of them may be best.
std::optional<Candidate> Entrant::in_segments(const Candidate& together, std::uint64_t block_bytes,
                                              const cost::Machine& machine, Effort& left) {
  const Algorithm& algorithm = *candidate_.algorithm;
  std::optional<Candidate> best;
  if (together.prediction.window > 1) return best;
  for (Candidate next = together;; next.problem.task.parts *= 2) {
    if (best && (algorithm.fixed_parts(next.problem, next.parameters) > 0 ||
                 algorithm.unsupported_reason(next.problem)))
      return best;
    const std::uint32_t parts = next.problem.task.parts;
    const double limit = best ? best->prediction.seconds : std::numeric_limits<double>::infinity();
    const auto found = seconds_of(next.problem, next.parameters,
                                  cost::part_bytes_of_shares(block_bytes, parts, {}), limit, machine, left);
    if (!found || found->seconds >= limit) return best;
    next.prediction = std::get<SegmentSearch>(time_).with_segments(block_bytes, parts, machine);
    set_seconds(next.prediction, found->seconds);
    best = next;
  }
}

// Without overheads the order of sends does not matter. Over links it is that of the network's ports. That of equally far receivers
// has steps of its own, so that it keeps no plan from being followed.
std::optional<Entrant::Followed> Entrant::seconds_of(const Problem& problem, const Parameters& parameters,
                                                     const std::vector<std::uint64_t>& part_bytes,
                                                     double limit, const cost::Machine& machine,
                                                     Effort& left) const {
  const auto messages = routed_messages(*candidate_.algorithm, problem, parameters);
  if (messages == nullptr || messages->written_out() > left.messages) return std::nullopt;
  left.messages -= messages->written_out();
  const auto seconds = messages->completion(part_bytes, machine, left.steps, {}, limit);
  if (!seconds) return std::nullopt;
  Followed result{*seconds, {}};
  if (!machine.has_overheads() || !std::holds_alternative<Routed>(time_)) return result;
  const auto attempt = [&](schedule::SendOrder order, double worth, std::uint64_t& steps) {
    const double least = worth * std::min(limit, result.seconds);
    const auto other = messages->completion(part_bytes, machine, steps, order, least);
    if (other && *other < worth * result.seconds) result = {*other, order};
  };
  if (messages->are_distances_unlike()) attempt({.nearest_first = true}, 1, left.steps);
  if (messages->are_distances_alike())
    attempt({.nearest_first = result.order.nearest_first, .last_port_first = true}, 1 - 1e-3,
            left.steps_of_ports);
  return result;
}

namespace {

// Without overheads shares must come out of step by their sizes; a processor prepares equal ones one after the other.
std::vector<std::vector<std::uint32_t>> choices_of_shares(std::uint32_t count, const cost::Machine& machine) {
  constexpr std::uint32_t most_graded = 4;
  std::vector<std::vector<std::uint32_t>> result{cost::staggered_shares(count)};
  if (machine.has_overheads()) {
    result.emplace_back(count, 1);
  } else if (count <= most_graded) {
    for (const std::uint32_t first : {4U, 8U, 16U}) result.push_back(cost::graded_shares(count, first));
  }
  return result;
}

// Whether processors of all nodes have the same to do: a node that prepares and takes messages stands for all.
bool work_alike(const std::vector<cost::RoundLoad>& loads) {
  return std::ranges::all_of(loads, [](const cost::RoundLoad& load) {
    return load.messages == load.received && load.sent == load.messages * load.packets;
  });
}

}  // namespace

// The busiest port of a round may be another one in the next: what comes over it may begin late, or early, and both are followed.
double Entrant::seconds_over_all_ports(const Candidate& in_shares, std::uint64_t block_bytes,
                                       const cost::Machine& machine, Effort& left) const {
  constexpr std::uint64_t most_parts = std::uint64_t{1} << 14;
  const Problem& problem = in_shares.problem;
  const Prediction& known = in_shares.prediction;
  if (std::uint64_t{problem.network.order()} * problem.task.parts > most_parts) return known.seconds;
  const auto messages = routed_messages(*in_shares.algorithm, problem, in_shares.parameters);
  if (messages == nullptr) return known.seconds;
  const auto part_bytes =
      cost::part_bytes_of_shares(block_bytes, known.segments, in_shares.parameters.shares);
  return messages->completion(part_bytes, machine, left.steps).value_or(known.seconds);
}

// Shares hide bytes and overheads behind the start-ups. More of them must be worth what each message costs beside its bytes. If
// processors are busy too, it takes long to follow them, and few shares are best.
std::optional<Candidate> Entrant::in_shares(const Candidate& together, std::uint64_t block_bytes,
                                            const cost::Machine& machine, Effort& left) const {
  const double worth = machine.has_overheads() ? 1 - 1.0 / 16 : 1 - 1.0 / 64;
  const auto loads = loads_in_order(*together.algorithm, together.problem, together.parameters);
  if (machine.has_overheads() && !work_alike(loads)) return std::nullopt;
  const auto messages = cost::RoutedMessages::of_alike_nodes(loads, machine);
  Candidate result = together;
  Prediction& best = result.prediction;
  for (std::uint32_t count = 2; count <= cost::most_shares; ++count) {
    for (auto& shares : choices_of_shares(count, machine)) {
      const auto part_bytes = cost::part_bytes_of_shares(block_bytes, best.segments, shares);
      const auto seconds = messages.completion(part_bytes, machine, left.steps);
      if (!seconds || *seconds >= worth * best.seconds) continue;
      best.seconds = *seconds;
      result.parameters.shares = std::move(shares);
    }
    if (machine.has_overheads() && result.parameters.shares.size() != count) break;
  }
  if (result.parameters.shares.empty()) return std::nullopt;
  best.seconds = seconds_over_all_ports(result, block_bytes, machine, left);
  best.is_followed = true;
  best.startup_s = std::min(best.startup_s, best.seconds);
  best.overhead_s = std::min(best.overhead_s, best.seconds - best.startup_s);
  best.transfer_s = best.seconds - best.startup_s - best.overhead_s;
  return result;
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

// Each message costs a little beside its bytes, so fewer chains come first if the times are the same.
void sort_by_time(std::vector<Runner>& runners) {
  const auto key = [](const Runner& runner) {
    const Candidate& candidate = runner.candidate;
    return std::tuple(candidate.prediction.seconds, candidate.at_least, candidate.prediction.chains);
  };
  std::ranges::stable_sort(runners, {}, key);
}

void follow(std::vector<Runner>& runners, double limit, std::uint64_t bytes, const cost::Machine& machine,
            Entrant::Effort left) {
  double least = limit;
  double least_here = std::numeric_limits<double>::infinity();
  Entrant::Effort left_near =
      left;  // plans between neighbours get their share, however many overlays there are
  // To find out whether a candidate may win takes as long as to write its plan, so only those that lead are asked.
  const auto settle = [&](Runner& runner) {
    const Candidate& candidate = runner.candidate;
    if (candidate.at_least || candidate.prediction.seconds >= least) return;
    runner.is_out = !runner.entrant->may_win();
    if (!runner.is_out) least = least_here = candidate.prediction.seconds;
  };
  const auto may_gain = [&](const Runner& runner) {
    return runner.entrant->may_be_followed(machine) &&
           runner.entrant->least_if_followed(runner.candidate.prediction, machine) <= least;
  };
  const auto follow_one = [&](Runner& runner) {
    Entrant::Effort& effort = runner.candidate.over_overlay() ? left : left_near;
    if (auto followed = runner.entrant->followed(runner.candidate, least_here, bytes, machine, effort))
      runner.candidate = *std::move(followed);
  };
  sort_by_time(runners);
  for (Runner& runner : runners) {
    if (runner.candidate.at_least || !runner.entrant->may_be_followed(machine)) settle(runner);
  }
  for (Runner& runner : runners) {
    if (runner.candidate.at_least || !may_gain(runner)) continue;
    follow_one(runner);
    settle(runner);
  }
  // What seemed slower than a prediction may be faster than the messages followed.
  for (Runner& runner : runners) {
    const Prediction& prediction = runner.candidate.prediction;
    if (!runner.candidate.at_least || prediction.is_followed ||
        (prediction.seconds >= least && !may_gain(runner)))
      continue;
    runner.candidate = runner.entrant->fastest_below(least, bytes, machine);
    if (!runner.candidate.at_least && may_gain(runner)) follow_one(runner);
    settle(runner);
  }
  std::erase_if(runners, [](const Runner& runner) { return runner.is_out; });
  sort_by_time(runners);
}

}  // namespace isotrope::planner
