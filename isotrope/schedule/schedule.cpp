// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/schedule/schedule.hpp"

namespace isotrope::schedule {

std::uint64_t Schedule::round_count() const {
  std::uint64_t rounds = 0;
  for (const Stage& stage : stages) rounds += stage.rounds.size();
  return rounds;
}

std::uint64_t Schedule::hop_count() const {
  std::uint64_t hops = 0;
  for (const Stage& stage : stages) hops += stage.rounds.hop_count();
  return hops;
}

}  // namespace isotrope::schedule
