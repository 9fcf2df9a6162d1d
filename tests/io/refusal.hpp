// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "isotrope/base/error.hpp"

namespace isotrope::io {

/// The message of the Error that `function` throws, or "accepted".
template <class Function>
std::string refusal(Function function) {
  try {
    function();
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace isotrope::io
