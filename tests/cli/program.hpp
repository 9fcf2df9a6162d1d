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

/// Runs `isotrope ARGUMENTS` in `folder`.
Outcome isotrope(const std::string& arguments, const std::filesystem::path& folder);

}  // namespace isotrope::app
