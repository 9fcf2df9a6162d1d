// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// What this build is.
#pragma once

#include <string>

namespace isotrope::app {

/// The text of --version: version and commit, compiler, and the optional parts that were built.
std::string version_text();

/// The day of the commit, such as "2026-09-30"; empty if it is not known.
std::string version_date();

}  // namespace isotrope::app
