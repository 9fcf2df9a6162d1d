// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The catalogue: every algorithm that the planner may choose.
//
// Reversals of algorithms, and reversals followed by the algorithm, are derived here, not written:
//
//     Traits::reversed                broadcast -> reduce, scatter -> gather, allgather -> reduce-scatter
//     Traits::reversed_then_forward   broadcast or allgather -> allreduce
//     Traits::barrier                 broadcast -> barrier
//     every allgather                 -> allreduce, scan, exscan and barrier: gather everywhere, then reduce locally
//
// A program adds its own with register_algorithm; plan, compare-algorithms, catalog, the Communicator and the
// drop-in then choose among all.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>

#include "isotrope/planner/algorithm.hpp"

namespace isotrope::planner {

/// The first goal of a plan. With delay, exchanges keep their rounds and lower the mean delay of their packets.
enum class Objective { completion, delay };

/// The wishes of the caller beside the problem.
struct Preferences {
  std::string algorithm = {};  ///< a name of the catalogue, or empty for any
  /// The order of the root in a scatter or gather along a tree; nothing: the algorithm's own.
  std::optional<algorithm::RootOrder> order = {};
  Objective objective = Objective::completion;
  std::optional<std::uint32_t> digits = {};  ///< of a radix exchange, per round; nothing: the fastest
  std::uint32_t seed = 1;                    ///< of a search; as Parameters::seed
  double seconds = 0;                        ///< of a search; as Parameters::seconds
  /// The operation of the reductions gives the same bits in any order, as integers do: allreduces whose nodes add in
  /// different orders take part too (Algorithm::adds_alike).
  bool associative = false;
  /// Plan files of the user take part (plan_folder.hpp).
  bool plan_files = true;

  bool operator==(const Preferences&) const = default;
};

/// All algorithms, derived ones behind their originals. The span stays valid, and shows none that is registered later.
std::span<const Algorithm* const> catalog();

/// Adds `algorithm`, and what its traits derive from it, behind all others. Any thread may call this at any time; work that
/// has begun may not see the algorithm.
/// @throws Error if one of the names is taken among the algorithms of its collective; nothing is added then.
void register_algorithm(std::unique_ptr<const Algorithm> algorithm);

/// Why `algorithm` cannot solve the problem as preferred, or nothing: an option that it does not take, or its
/// own reason. The collective of the problem and the name in `preferences` are not looked at.
std::optional<std::string> unsupported_reason(const Algorithm& algorithm, const Problem& problem,
                                              const Preferences& preferences = {});

}  // namespace isotrope::planner
