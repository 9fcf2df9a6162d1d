// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Variables of the environment.
#pragma once

#include <cstdlib>
#include <string>

namespace isotrope {

/// The value of the variable, "" if it is not set. The environment must not be changed meanwhile.
inline std::string environment_variable(const char* name) {
  const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nothing here changes it
  return value == nullptr ? "" : value;
}

}  // namespace isotrope
