// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/planner/kept_counts.hpp"

#include <algorithm>
#include <list>
#include <mutex>
#include <optional>
#include <utility>

#include "isotrope/schedule/node_classes.hpp"
#include "isotrope/schedule/overlay_messages.hpp"

#include "isotrope/cost/round_synchronous.hpp"

#include "isotrope/planner/catalog.hpp"

namespace isotrope::planner {
namespace {

constexpr std::size_t most_kept = 256;  // of an algorithm

// Parts first: they differ most.
bool is_same(const Problem& a, const Problem& b) {
  return a.task == b.task && a.aggregation == b.aggregation && a.ports == b.ports && a.waiting == b.waiting &&
         a.step_limits == b.step_limits && a.failed == b.failed && same_network(a.network, b.network);
}

// An algorithm outside the catalogue may end, and another one begin in its place; a search until a time is over has no one result.
bool may_keep(const Algorithm& algorithm, const Problem& problem, const Parameters& parameters) {
  return parameters.seconds == 0 && problem.task.deliveries.empty() && problem.task.destinations.empty() &&
         !algorithm.traits().from_file && std::ranges::find(catalog(), &algorithm) != catalog().end();
}

template <class Result>
class Kept {
 public:
  // The result of `find`, unless it is known.
  template <class Find>
  Result get(const Algorithm& algorithm, const Problem& problem, const Parameters& parameters, Find find) {
    if (!may_keep(algorithm, problem, parameters)) return find();
    if (auto known = look_up(algorithm, problem, parameters)) return *std::move(known);
    Result result = find();
    const std::scoped_lock lock(mutex_);
    std::list<Entry>& entries = entries_[&algorithm];
    entries.push_front({problem, parameters, result});
    if (entries.size() > most_kept) entries.pop_back();
    return result;
  }

 private:
  struct Entry {
    Problem problem;
    Parameters parameters;
    Result result;
  };

  std::optional<Result> look_up(const Algorithm& algorithm, const Problem& problem,
                                const Parameters& parameters) {
    const std::scoped_lock lock(mutex_);
    std::list<Entry>& entries = entries_[&algorithm];
    const auto found = std::ranges::find_if(entries, [&](const Entry& entry) {
      return entry.parameters == parameters && is_same(entry.problem, problem);
    });
    if (found == entries.end()) return std::nullopt;
    entries.splice(entries.begin(), entries, found);
    return found->result;
  }

  std::mutex mutex_;
  std::map<const Algorithm*, std::list<Entry>> entries_;  // the one used last first
};

}  // namespace

ScheduleCounts schedule_counts(const Algorithm& algorithm, const Problem& problem,
                               const Parameters& parameters) {
  static Kept<ScheduleCounts> kept;
  return kept.get(algorithm, problem, parameters, [&] {
    const schedule::Schedule schedule = algorithm.schedule(problem, parameters);
    ScheduleCounts counts{.hops = schedule.hop_count()};
    for (cost::RoundLoad& load : cost::round_loads(problem.network, schedule)) {
      ++counts.rounds[load];
      if (problem.aggregated()) counts.in_order.push_back(std::move(load));
    }
    return counts;
  });
}

std::vector<cost::RoundLoad> loads_in_order(const Algorithm& algorithm, const Problem& problem,
                                            const Parameters& parameters) {
  auto known = algorithm.loads(problem, parameters);
  return known.empty() ? schedule_counts(algorithm, problem, parameters).in_order : known;
}

std::uint64_t round_count(const Algorithm& algorithm, const Problem& problem, const Parameters& parameters) {
  static Kept<std::uint64_t> kept;
  return kept.get(algorithm, problem, parameters, [&] { return algorithm.rounds(problem, parameters); });
}

bool adds_alike(const Algorithm& algorithm, const Problem& problem, const Parameters& parameters) {
  static Kept<bool> kept;
  return kept.get(algorithm, problem, parameters, [&] { return algorithm.adds_alike(problem, parameters); });
}

namespace {

// About as many as cost::RoutedMessages counts: of nodes that all stages treat alike, those of one, if no link is missing.
std::uint64_t hops_to_follow(const network::Group& group, const schedule::Schedule& schedule, bool is_whole) {
  std::uint64_t written_out = 0, alike = is_whole ? group.order() : 1;
  for (const schedule::Stage& stage : schedule.stages) {
    const std::uint64_t size = schedule::NodeClasses(group, stage.replication).size();
    written_out += stage.rounds.hop_count() * size;
    alike = std::min(alike, size);
  }
  return written_out / alike;
}

}  // namespace

std::shared_ptr<const cost::RoutedMessages> routed_messages(const Algorithm& algorithm,
                                                            const Problem& problem,
                                                            const Parameters& parameters) {
  constexpr std::uint64_t most_hops = std::uint64_t{1} << 17, most_messages = most_hops;
  static Kept<std::shared_ptr<const cost::RoutedMessages>> kept;
  return kept.get(algorithm, problem, parameters, [&]() -> std::shared_ptr<const cost::RoutedMessages> {
    Problem cut = problem;
    if (const std::uint32_t fixed = algorithm.fixed_parts(problem, parameters)) cut.task.parts = fixed;
    if (const auto messages = algorithm.overlay_messages(cut, parameters)) {
      if (messages->count() > most_messages) return nullptr;
      return std::make_shared<const cost::RoutedMessages>(problem.network, problem.failed, *messages,
                                                          parameters.chains);
    }
    const auto overlay = algorithm.overlay(cut, parameters);
    const Network& joined = overlay ? *overlay : problem.network;
    const schedule::Schedule schedule = algorithm.schedule(cut, parameters);
    if (hops_to_follow(joined.group(), schedule, problem.failed.empty()) > most_hops) return nullptr;
    return std::make_shared<const cost::RoutedMessages>(problem.network, problem.failed, joined, schedule,
                                                        cut.task, parameters.chains);
  });
}

std::vector<cost::CutThroughRound> cut_through_rounds(const Algorithm& algorithm, const Problem& problem,
                                                      const Parameters& parameters) {
  static Kept<std::vector<cost::CutThroughRound>> kept;
  return kept.get(algorithm, problem, parameters,
                  [&] { return algorithm.cut_through_rounds(problem, parameters); });
}

}  // namespace isotrope::planner
