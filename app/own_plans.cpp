// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/own_plans.hpp"

#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "isotrope/base/environment.hpp"
#include "isotrope/base/error.hpp"
#include "isotrope/base/spelling.hpp"

#include "isotrope/planner/plan_folder.hpp"

namespace isotrope::app {

void take_own_plans() {
  static bool is_done = false;
  const std::string folder = environment_variable("ISOTROPE_PLANS");
  if (std::exchange(is_done, true) || folder.empty()) return;
  std::vector<planner::PlanFile> files;
  try {
    files = planner::read_plan_folder(folder);
  } catch (const Error& error) {
    throw Error(fmt::format("ISOTROPE_PLANS: {}", error.what()));
  }
  for (const std::string& refused : planner::register_valid_plans(files))
    fmt::print(stderr, "isotrope: ISOTROPE_PLANS: {}; this file is left out\n",
               excerpt(refused, std::string::npos));
}

}  // namespace isotrope::app
