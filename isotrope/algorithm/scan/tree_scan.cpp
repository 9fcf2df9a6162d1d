// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/scan/tree_scan.hpp"

#include <cstdint>
#include <utility>

#include "isotrope/algorithm/scan/message_rounds.hpp"
#include "isotrope/algorithm/scan/prefix_messages.hpp"
#include "isotrope/algorithm/scan/word_tree_choice.hpp"
#include "isotrope/algorithm/scan/written_scan.hpp"

namespace isotrope::algorithm {

schedule::Schedule tree_scan(const schedule::Problem& problem) {
  const std::uint32_t diameter = problem.network.diameter();
  schedule::Stage best;
  std::uint64_t least = UINT64_MAX;
  for (const WordTree& tree : promising_word_trees(problem.network, problem.ports)) {
    const ScanMessages messages = prefix_messages(problem.network, tree);
    const auto rounds = message_rounds(problem, messages);
    if (rounds.size() >= least) continue;
    least = rounds.size();
    best = written_scan(problem.network, messages, rounds);
    if (least == diameter) break;
  }
  const auto kind = problem.aggregated() ? schedule::RoundKind::aggregated : schedule::RoundKind::strict;
  return one_stage(problem.ports, kind, std::move(best));
}

}  // namespace isotrope::algorithm
