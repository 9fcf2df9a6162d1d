// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/schedule/schedule.hpp"

#include "isotrope/base/interruption.hpp"

namespace isotrope::schedule {

void Rounds::close_round() {
  check_interruption();
  ends_.push_back(hops_.size());
}

}  // namespace isotrope::schedule
