// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The one root of every exception the library throws for bad input.
#pragma once

#include <stdexcept>

namespace isotrope {

/// Bad input: an argument, a name or a file. The message says what was given, what is allowed and what to do.
/// Expected outcomes (an invalid plan, a bound that is not met) are values, never exceptions.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace isotrope
