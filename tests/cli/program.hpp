// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs the program as a user would, through a shell.
#pragma once

#include <filesystem>
#include <string>

namespace isotrope::app {

struct Outcome {
  int status = -1;
  std::string out;
  std::string err;
};

/// Runs `script` with sh in `folder`; $isotrope is the program. The streams are those of the script.
Outcome shell(const std::string& script, const std::filesystem::path& folder);

/// Runs `isotrope ARGUMENTS` in `folder`.
inline Outcome isotrope(const std::string& arguments, const std::filesystem::path& folder) {
  return shell("\"$isotrope\" " + arguments, folder);
}

}  // namespace isotrope::app
