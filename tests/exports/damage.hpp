// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Changes of exported texts, which their readers must find.
#pragma once

#include <cstddef>
#include <string>

namespace isotrope::exports {

// Replaces the `n`-th `what`; whether there was one.
inline bool replace(std::string& text, const std::string& what, const std::string& by, int n) {
  std::size_t at = text.find(what);
  for (; n > 0 && at != std::string::npos; --n) at = text.find(what, at + 1);
  if (at == std::string::npos) return false;
  text.replace(at, what.size(), by);
  return true;
}

}  // namespace isotrope::exports
