// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "bench/simgrid/rivals/alltoall.hpp"

#include <vector>

namespace judge::rivals {

namespace {

// Adds the messages to rank own + distance and from rank own - distance.
void add_pair(Step& step, int ranks, int rank, int distance) {
  const int to = (rank + distance) % ranks, from = (rank - distance + ranks) % ranks;
  step.sends.push_back({to, {to}});
  step.receives.push_back({from, {ranks + from}, false});
}

}  // namespace

Chain linear_alltoall(int ranks, int rank) {
  Step step;
  for (int distance = 1; distance < ranks; ++distance) add_pair(step, ranks, rank, distance);
  return {step};
}

Chain pairwise_alltoall(int ranks, int rank) {
  Chain chain;
  for (int distance = 1; distance < ranks; ++distance) add_pair(chain.emplace_back(), ranks, rank, distance);
  return chain;
}

Chain bruck_alltoall(int ranks, int rank) {
  Chain chain;
  for (int distance = 1; distance < ranks; distance *= 2) {
    std::vector<int> blocks;
    for (int block = 0; block < ranks; ++block) {
      if (block / distance % 2 == 1) blocks.push_back(block);
    }
    const int to = (rank + distance) % ranks, from = (rank - distance + ranks) % ranks;
    chain.push_back({{{to, blocks}}, {{from, blocks, false}}});
  }
  return chain;
}

}  // namespace judge::rivals
