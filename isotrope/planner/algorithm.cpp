// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/planner/algorithm.hpp"

namespace isotrope::planner {

std::vector<Parameters> Algorithm::choices(const Problem& /*problem*/) const {
  return {Parameters{}};
}

std::uint64_t Algorithm::rounds(const Problem& problem, const Parameters& parameters) const {
  return schedule(problem, parameters).round_count();
}

std::optional<Network> Algorithm::overlay(const Problem& /*problem*/,
                                          const Parameters& /*parameters*/) const {
  return std::nullopt;
}

std::vector<cost::CutThroughRound> Algorithm::cut_through_rounds(const Problem& /*problem*/,
                                                                 const Parameters& /*parameters*/) const {
  return {};
}

std::uint64_t Algorithm::local_reductions(const Problem& /*problem*/) const {
  return 0;
}

}  // namespace isotrope::planner
