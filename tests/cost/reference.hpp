// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The rule of completion.hpp, written down as slowly and plainly as possible: every start is found by looking
// at all messages before.
#pragma once

#include <cstdint>
#include <vector>

#include "isotrope/schedule/plan.hpp"

#include "isotrope/cost/machine.hpp"
#include "isotrope/cost/workload.hpp"

namespace isotrope::cost {

struct SentMessage {
  std::size_t stage = 0;
  std::uint64_t round = 0;
  schedule::Node from = 0;
  schedule::Port port = 0;
  schedule::Node to = 0;
  std::vector<schedule::PacketId> packets = {};
  std::uint64_t bytes = 0;
  double prepared_s = 0;  // when the sender's processor is done with it
  double start_s = 0;
  double end_s = 0;
  double taken_s = 0;  // when the receiver's processor is done with it
};

/// All messages of `plan` in its order. @pre the plan is valid and not replicated.
std::vector<SentMessage> times_by_definition(const schedule::Plan& plan, const Machine& machine,
                                             const Workload& workload);

}  // namespace isotrope::cost
