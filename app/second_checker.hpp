// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// A second, independent checker of plan files: another program, such as isotrope-checker (docs/proof.md), whose exit
// status is its verdict.
#pragma once

#include <string>
#include <string_view>

namespace isotrope::app {

struct SecondVerdict {
  enum class Kind { holds, fails, outside };  ///< exit status 0, 1 and 3
  Kind kind;
  std::string words;  ///< what the program printed, without the end of the line
};

/// Runs `program FILE`.
/// @throws Error if the file is no JSON file, the program cannot be started, or it ends in any other way.
SecondVerdict second_verdict(const std::string& program, const std::string& file);

/// Whether the two verdicts contradict each other. A plan outside what the other program covers contradicts nothing.
bool contradict(bool claims_hold, const SecondVerdict& other);

}  // namespace isotrope::app
