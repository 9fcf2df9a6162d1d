// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/base/environment.hpp"

#include <cstdlib>

namespace isotrope {

std::string environment_variable(const char* name) {
  const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nothing here changes it
  return value == nullptr ? "" : value;
}

}  // namespace isotrope
