// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/planner/derived.hpp"

#include <utility>

#include <fmt/format.h>

#include "isotrope/schedule/collective.hpp"
#include "isotrope/schedule/exchanges.hpp"
#include "isotrope/schedule/transform.hpp"

namespace isotrope::planner {
namespace {

using schedule::Schedule;

Problem with_collective(Problem problem, Collective collective) {
  problem.task.collective = collective;
  return problem;
}

/// An algorithm that asks another one, its original, to solve a problem of the original's collective.
class DerivedAlgorithm : public Algorithm {
 public:
  DerivedAlgorithm(const Algorithm& original, Traits traits)
      : Algorithm(std::move(traits)), original_(original) {}

  std::optional<std::string> unsupported_reason(const Problem& problem) const override {
    return original_.unsupported_reason(forward(problem));
  }
  std::vector<Parameters> choices(const Problem& problem) const override {
    return original_.choices(forward(problem));
  }
  std::uint64_t rounds(const Problem& problem, const Parameters& parameters) const override {
    return original_.rounds(forward(problem), parameters);
  }
  std::optional<Network> overlay(const Problem& problem, const Parameters& parameters) const override {
    return original_.overlay(forward(problem), parameters);
  }

 protected:
  const Algorithm& original() const { return original_; }
  Problem forward(const Problem& problem) const {
    return with_collective(problem, original_.traits().collective);
  }
  Schedule forward_schedule(const Problem& problem, const Parameters& parameters) const {
    return original_.schedule(forward(problem), parameters);
  }
  Schedule reversed_schedule(const Problem& problem, const Parameters& parameters) const {
    const auto network = overlay(problem, parameters);
    return reverse(network ? *network : problem.network, forward(problem).task,
                   forward_schedule(problem, parameters))
        .schedule;
  }
  // What a node receives of the original, it sends, and the other way round.
  std::vector<cost::CutThroughRound> reversed_rounds(const Problem& problem,
                                                     const Parameters& parameters) const {
    auto rounds = original_.cut_through_rounds(forward(problem), parameters);
    for (cost::CutThroughRound& round : rounds) std::swap(round.messages, round.received);
    return rounds;
  }

 private:
  const Algorithm& original_;
};

class Reversed final : public DerivedAlgorithm {
 public:
  using DerivedAlgorithm::DerivedAlgorithm;

  Schedule schedule(const Problem& problem, const Parameters& parameters) const override {
    return reversed_schedule(problem, parameters);
  }
  std::vector<cost::CutThroughRound> cut_through_rounds(const Problem& problem,
                                                        const Parameters& parameters) const override {
    return reversed_rounds(problem, parameters);
  }
};

class ReversedThenForward final : public DerivedAlgorithm {
 public:
  using DerivedAlgorithm::DerivedAlgorithm;

  std::uint64_t rounds(const Problem& problem, const Parameters& parameters) const override {
    return 2 * DerivedAlgorithm::rounds(problem, parameters);
  }
  Schedule schedule(const Problem& problem, const Parameters& parameters) const override {
    return concatenate(reversed_schedule(problem, parameters), forward_schedule(problem, parameters));
  }
  // Overlays send and receive alike in both stages.
  std::vector<cost::CutThroughRound> cut_through_rounds(const Problem& problem,
                                                        const Parameters& parameters) const override {
    auto rounds = reversed_rounds(problem, parameters);
    const auto once = rounds;
    rounds.insert(rounds.end(), once.begin(), once.end());
    return rounds;
  }
};

/// Every node gathers all contributions and reduces them by itself: half the rounds of a reduction and a broadcast,
/// N times the bytes.
class GatheredThenReduced final : public DerivedAlgorithm {
 public:
  using DerivedAlgorithm::DerivedAlgorithm;

  Schedule schedule(const Problem& problem, const Parameters& parameters) const override {
    const auto network = overlay(problem, parameters);
    return schedule::gather_then_reduce(network ? *network : problem.network, problem.task.parts,
                                        forward_schedule(problem, parameters));
  }
  std::vector<cost::CutThroughRound> cut_through_rounds(const Problem& problem,
                                                        const Parameters& parameters) const override {
    return original().cut_through_rounds(forward(problem), parameters);
  }
  std::uint64_t local_reductions(const Problem& problem) const override { return problem.network.order(); }
};

// The traits of what is derived from `original` and solves `collective`.
Traits derived_traits(const Traits& original, const Derived& derived, Collective collective,
                      std::string source) {
  Traits traits = original;
  traits.name = derived.name;
  traits.collective = collective;
  traits.source = std::move(source);
  if (!derived.claim.empty()) traits.claim = derived.claim;
  traits.whole_vector = collective == Collective::allreduce && original.collective == Collective::broadcast;
  traits.pipelines = false;
  traits.reversed = traits.reversed_then_forward = traits.barrier = {};
  return traits;
}

template <class Kind>
void add(std::vector<std::unique_ptr<const Algorithm>>& result, const Algorithm& original,
         const Derived& derived, Collective collective, std::string source) {
  if (derived.name.empty()) return;
  result.push_back(std::make_unique<Kind>(
      original, derived_traits(original.traits(), derived, collective, std::move(source))));
}

// An allreduce gathers whole vectors. Around failures some contributions are missing.
void add_gathered(std::vector<std::unique_ptr<const Algorithm>>& result, const Algorithm& original) {
  for (const Collective collective : {Collective::allreduce, Collective::barrier}) {
    const Derived derived{original.name() + "-then-reduce",
                          "the rounds of the allgather; every node reduces N vectors"};
    Traits traits = derived_traits(original.traits(), derived, collective,
                                   fmt::format("{}, then a local reduction", original.name()));
    traits.whole_vector = collective == Collective::allreduce;
    traits.for_machines = true;
    result.push_back(std::make_unique<GatheredThenReduced>(original, std::move(traits)));
  }
}

}  // namespace

std::vector<std::unique_ptr<const Algorithm>> derived_from(const Algorithm& original) {
  const Traits& traits = original.traits();
  std::vector<std::unique_ptr<const Algorithm>> result;
  const auto backwards = schedule::traits_of(traits.collective).reversal;
  if (backwards)
    add<Reversed>(result, original, traits.reversed, *backwards, fmt::format("{}, reversed", traits.name));
  const std::string both = fmt::format(
      "{}, then {}", traits.reversed.name.empty() ? traits.name + " reversed" : traits.reversed.name,
      traits.name);
  add<ReversedThenForward>(result, original, traits.reversed_then_forward, Collective::allreduce, both);
  add<ReversedThenForward>(result, original, traits.barrier, Collective::barrier, both);
  if (traits.collective == Collective::allgather && !traits.around_failures) add_gathered(result, original);
  return result;
}

}  // namespace isotrope::planner
