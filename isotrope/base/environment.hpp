// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Variables of the environment.
#pragma once

#include <string>

namespace isotrope {

/// The value of the variable, "" where it is not set. The environment must not be changed meanwhile.
std::string environment_variable(const char* name);

}  // namespace isotrope
