// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Plans for the tests of times, all checked, and the messages of errors.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "isotrope/base/error.hpp"

#include "isotrope/schedule/plan.hpp"

namespace isotrope::cost {

/// The plan of a schedule; the test fails where it is not valid.
schedule::Plan checked_plan(const schedule::Network& network, std::string_view collective,
                            schedule::Node root, std::uint32_t parts, schedule::Schedule schedule);

/// A schedule of one stage, not replicated, from its hops round by round.
schedule::Schedule schedule_of(schedule::PortModel ports, schedule::Flow flow,
                               const std::vector<std::vector<schedule::Hop>>& rounds,
                               schedule::RoundKind kind = schedule::RoundKind::strict);

/// What the Error says that `call` throws; nothing if it throws none.
template <class Call>
std::string error_of(Call call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace isotrope::cost
