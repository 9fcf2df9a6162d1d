// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The examples of a page of docs.
#pragma once

#include <fstream>
#include <string>
#include <vector>

namespace isotrope {

/// The JSON blocks that stand below a line "<!-- example: KIND -->" of the page.
inline std::vector<std::string> examples_of(const char* file, const std::string& kind) {
  std::ifstream page(file);
  std::vector<std::string> result;
  bool announced = false, inside = false;
  for (std::string line; std::getline(page, line);) {
    if (line == "<!-- example: " + kind + " -->") {
      announced = true;
    } else if (inside && line == "```") {
      inside = false;
    } else if (inside) {
      result.back() += line + "\n";
    } else if (announced && line == "```json") {
      announced = false;
      inside = true;
      result.emplace_back();
    }
  }
  return result;
}

}  // namespace isotrope
