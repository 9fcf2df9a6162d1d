// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/version.hpp"

#include <isotrope_commit.hpp>
#include <isotrope_parts.hpp>

#include <fmt/format.h>

namespace isotrope::app {
namespace {

constexpr const char* compiler =
#if defined(__clang__)
    "Clang " __clang_version__;
#elif defined(__GNUC__)
    "GCC " __VERSION__;
#else
    "unknown";
#endif

}  // namespace

std::string version_text() {
  const std::string known_commit = *commit == '\0' ? "" : fmt::format(" (commit {})", commit);
  return fmt::format("isotrope {}{}\ncompiler      {}, {}{}", ISOTROPE_VERSION, known_commit, compiler,
                     *build_type == '\0' ? "no build type" : build_type, optional_parts);
}

std::string version_date() {
  return commit_date;
}

}  // namespace isotrope::app
