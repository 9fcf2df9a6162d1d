// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The messages of one rank in a collective, as the rivals define them.
//
//     Program   independent chains, each on its own part of the data
//     Chain     steps in order; a step begins once all receives of the step before are complete. No barrier.
//     Step      messages of lists of blocks; what a step sends are the values from before the step
//
// The blocks of a message have the same order at both ends. A received block replaces the rank's own value or is
// added to it.
#pragma once

#include <cstddef>
#include <vector>

namespace judge::rivals {

struct Send {
  int to = 0;
  std::vector<int> blocks;
};

struct Receive {
  int from = 0;
  std::vector<int> blocks;
  bool add = false;
};

struct Step {
  std::vector<Send> sends;
  std::vector<Receive> receives;
};

using Chain = std::vector<Step>;

/// What the blocks are. N is the number of ranks.
enum class Layout {
  vector,    ///< equal parts of the vector
  per_rank,  ///< the block of each rank
  pairs,     ///< alltoall: block p is for rank p, block N + p came from rank p
  turned  ///< alltoall: block j is for rank (own + j) mod N at first, and from rank (own - j) mod N at last
};

struct Program {
  Layout layout = Layout::vector;
  int blocks = 1;  ///< the same in all chains
  std::vector<Chain> chains;
};

/// All messages of `chain` backwards in time and direction. `add`: whether receipts are added.
inline Chain backwards(const Chain& chain, bool add) {
  Chain result(chain.size());
  for (std::size_t step = 0; step < chain.size(); ++step) {
    Step& turned = result[chain.size() - 1 - step];
    for (const Receive& each : chain[step].receives) turned.sends.push_back({each.from, each.blocks});
    for (const Send& each : chain[step].sends) turned.receives.push_back({each.to, each.blocks, add});
  }
  return result;
}

/// `first`, then `second`.
inline Chain joined(Chain first, const Chain& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

}  // namespace judge::rivals
