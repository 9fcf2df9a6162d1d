// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/cli/program.hpp"

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <sys/wait.h>

namespace isotrope::app {
namespace {

std::string contents(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

}  // namespace

Outcome shell(const std::string& script, const std::filesystem::path& folder) {
  const auto out = folder / "stdout.log", err = folder / "stderr.log";
  const std::string command = "isotrope='" ISOTROPE_PROGRAM "'; cd '" + folder.string() + "' || exit 99; { " +
                              script + "\n} >" + out.string() + " 2>" + err.string() + " </dev/null";
  const int status = std::system(command.c_str());  // NOLINT(concurrency-mt-unsafe): one thread
  Outcome outcome{WIFEXITED(status) ? WEXITSTATUS(status) : -1, contents(out), contents(err)};
  std::filesystem::remove(out);
  std::filesystem::remove(err);
  return outcome;
}

}  // namespace isotrope::app
