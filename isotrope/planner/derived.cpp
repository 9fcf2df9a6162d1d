// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Algorithms that follow from others: reversed, reversed and then forward, gathered and then reduced, among leaders.
#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "isotrope/schedule/collective.hpp"
#include "isotrope/schedule/exchanges.hpp"
#include "isotrope/schedule/overlay_messages.hpp"
#include "isotrope/schedule/transform.hpp"

#include "isotrope/planner/catalogue/shared.hpp"

namespace isotrope::planner {
namespace {

using schedule::Schedule;

enum class Derivation {
  reversed,
  reversed_then_forward,
  gathered_then_reduced  ///< half the rounds of a reduction and a broadcast, N times the bytes
};

/// An algorithm made of another one, its original, on problems of the original's collective.
class DerivedAlgorithm final : public Algorithm {
 public:
  DerivedAlgorithm(const Algorithm& original, Traits traits, Derivation kind)
      : Algorithm(std::move(traits)), original_(original), kind_(kind) {}

  Reason unsupported_reason(const Problem& problem) const override {
    return original_.unsupported_reason(forward(problem));
  }
  // Every node takes the vectors of all others. If they are many, trees are faster, and a search for such a plan takes
  // minutes.
  bool is_quick(const Problem& problem) const override {
    constexpr schedule::Node most_searched = 1024;
    const bool gathers_by_search = kind_ == Derivation::gathered_then_reduced && original_.traits().searched;
    return !gathers_by_search || problem.network.order() <= most_searched;
  }
  // Up and down a tree go short vectors, and empty ones in a barrier: long ones are divided among all nodes.
  std::vector<Parameters> choices(const Problem& problem) const override {
    std::vector<Parameters> result = original_.choices(forward(problem));
    if (kind_ != Derivation::reversed_then_forward) return result;
    const bool is_barrier = problem.task.collective == Collective::barrier;
    std::erase_if(result, [&](const Parameters& each) {
      return each.levels && (each.levels->divisions > 0 || (is_barrier && each.levels->copies > 1));
    });
    return result;
  }
  std::uint64_t rounds(const Problem& problem, const Parameters& parameters) const override {
    return (kind_ == Derivation::reversed_then_forward ? 2 : 1) *
           original_.rounds(forward(problem), parameters);
  }
  std::uint32_t fixed_parts(const Problem& problem, const Parameters& parameters) const override {
    return original_.fixed_parts(forward(problem), parameters);
  }
  std::uint32_t chains(const Problem& problem, const Parameters& parameters) const override {
    return kind_ == Derivation::reversed ? original_.chains(forward(problem), parameters) : 1;
  }
  bool sends_far(const Problem& problem, const Parameters& parameters) const override {
    return original_.sends_far(forward(problem), parameters);
  }
  std::optional<Network> overlay(const Problem& problem, const Parameters& parameters) const override {
    return original_.overlay(forward(problem), parameters);
  }
  Schedule schedule(const Problem& problem, const Parameters& parameters) const override {
    const Problem original = forward(problem);
    const auto overlay = original_.overlay(original, parameters);
    const Network& network = overlay ? *overlay : problem.network;
    Schedule schedule = original_.schedule(original, parameters);
    if (kind_ == Derivation::gathered_then_reduced)
      return gather_then_reduce(network, problem.task.parts, schedule);
    if (kind_ == Derivation::reversed) {
      schedule = reverse(network, original.task, schedule).schedule;
      if (parameters.chains > 1) turn_parts(schedule, fixed_parts(problem, parameters));
      return schedule;
    }
    return reversed_then_forward(network, original.task, std::move(schedule));
  }
  // Reversed, a node sends the messages that the original receives, and receives those that it sends. Overlays send
  // and receive alike in both stages.
  std::vector<cost::CutThroughRound> cut_through_rounds(const Problem& problem,
                                                        const Parameters& parameters) const override {
    auto rounds = original_.cut_through_rounds(forward(problem), parameters);
    if (kind_ == Derivation::gathered_then_reduced) return rounds;
    for (cost::CutThroughRound& round : rounds) {
      std::swap(round.messages, round.received);
      for (cost::FarLoad& far : round.far) std::swap(far.messages, far.received);
    }
    if (kind_ == Derivation::reversed) return rounds;
    const auto once = rounds;
    rounds.insert(rounds.end(), once.begin(), once.end());
    return rounds;
  }
  std::shared_ptr<const schedule::OverlayMessages> overlay_messages(
      const Problem& problem, const Parameters& parameters) const override {
    if (kind_ != Derivation::reversed) return nullptr;
    const auto messages = original_.overlay_messages(forward(problem), parameters);
    return messages ? std::make_shared<const schedule::OverlayMessages>(schedule::reversed(*messages))
                    : nullptr;
  }
  std::uint64_t local_reductions(const Problem& problem, const Parameters& /*parameters*/) const override {
    if (kind_ != Derivation::gathered_then_reduced) return 0;
    return problem.network.order() - problem.failed.nodes.size();
  }

 private:
  // Backwards a node serves the last chain first.
  static void turn_parts(Schedule& schedule, std::uint32_t parts) {
    for (schedule::Stage& stage : schedule.stages) {
      for (schedule::Packet& packet : stage.packets) packet.part = parts - 1 - packet.part;
    }
  }

  // A vector is reduced to a node in the middle, and copied from there.
  Problem forward(Problem problem) const {
    problem.task.collective = original_.traits().collective;
    if (kind_ == Derivation::reversed_then_forward && problem.task.collective == Collective::broadcast)
      problem.task.root = reduction_root(problem);
    return problem;
  }
  const Algorithm& original_;
  Derivation kind_;
};

// The traits of an algorithm that is derived from `original` and solves `collective`.
Traits derived_traits(const Traits& original, const Derived& derived, Collective collective,
                      std::string source) {
  Traits traits = original;
  traits.name = derived.name;
  traits.aliases = derived.aliases;
  traits.collective = collective;
  traits.source = std::move(source);
  if (!derived.claim.empty()) traits.claim = derived.claim;
  traits.whole_vector = collective == Collective::allreduce && original.collective == Collective::broadcast;
  traits.pipelines = original.pipelines && collective == Collective::reduce;
  traits.reversed = traits.reversed_then_forward = traits.barrier = traits.by_leaders =
      traits.by_stripes = {};
  return traits;
}

// And what is derived from it in turn.
void add_with_derived(std::unique_ptr<const Algorithm> algorithm, Algorithms& result) {
  Algorithms further = derived_from(*algorithm);
  result.push_back(std::move(algorithm));
  std::ranges::move(further, std::back_inserter(result));
}

}  // namespace

Algorithms derived_from(const Algorithm& original) {
  const Traits& traits = original.traits();
  Algorithms result;
  const auto add = [&](Derivation kind, const Derived& derived, Collective collective, std::string source) {
    if (derived.name.empty()) return;
    result.push_back(std::make_unique<DerivedAlgorithm>(
        original, derived_traits(traits, derived, collective, std::move(source)), kind));
  };
  if (const auto backwards = schedule::traits_of(traits.collective).reversal)
    add(Derivation::reversed, traits.reversed, *backwards, fmt::format("{}, reversed", traits.name));
  const std::string both = fmt::format(
      "{}, then {}", traits.reversed.name.empty() ? traits.name + " reversed" : traits.reversed.name,
      traits.name);
  add(Derivation::reversed_then_forward, traits.reversed_then_forward, Collective::allreduce, both);
  add(Derivation::reversed_then_forward, traits.barrier, Collective::barrier, both);
  if (!traits.by_leaders.name.empty() && traits.collective != Collective::allgather) {
    add_with_derived(among_leaders(original, derived_traits(traits, traits.by_leaders, traits.collective,
                                                            fmt::format("{} among leaders", traits.name))),
                     result);
  }
  if (!traits.by_stripes.name.empty()) {
    result.push_back(among_stripes(original, derived_traits(traits, traits.by_stripes, traits.collective,
                                                            fmt::format("{} in lanes", traits.name))));
  }
  // An allreduce or a scan gathers whole vectors.
  if (traits.collective != Collective::allgather || traits.gathers_only) return result;
  const Derived gathered{traits.name + "-then-reduce",
                         "the rounds of the allgather; every node reduces N vectors"};
  for (const Collective collective :
       {Collective::allreduce, Collective::scan, Collective::exscan, Collective::barrier}) {
    Traits reduced =
        derived_traits(traits, gathered, collective, fmt::format("{}, then a local reduction", traits.name));
    reduced.aliases = traits.aliases;
    reduced.whole_vector = collective == Collective::allreduce;
    // The vectors of a scan are whole in every schedule, so its rounds compare.
    reduced.for_machines = is_prefix(collective) ? traits.for_machines : !traits.least_rounds;
    if (collective == Collective::barrier) reduced.by_leaders = traits.by_leaders;
    add_with_derived(
        std::make_unique<DerivedAlgorithm>(original, std::move(reduced), Derivation::gathered_then_reduced),
        result);
  }
  return result;
}

}  // namespace isotrope::planner
