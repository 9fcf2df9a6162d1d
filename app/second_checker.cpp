// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/second_checker.hpp"

#include <array>
#include <cerrno>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"

namespace isotrope::app {
namespace {

// All that the child writes to `end`, until it closes it.
std::string text_from(int end) {
  std::string text;
  std::array<char, 4096> buffer{};
  for (;;) {
    const ssize_t count = read(end, buffer.data(), buffer.size());
    if (count > 0) {
      text.append(buffer.data(), static_cast<std::size_t>(count));
    } else if (count == 0 || errno != EINTR) {
      break;
    }
  }
  while (text.ends_with('\n')) text.pop_back();
  return text;
}

int status_of(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

SecondVerdict second_verdict(const std::string& program, const std::string& file) {
  if (!file.ends_with(".json"))
    throw Error(
        fmt::format("--with {}: '{}' is no plan file that ends in .json; write the plan to one by plan -o",
                    program, file));
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0)
    throw Error(fmt::format("--with {}: {}", program, std::generic_category().message(errno)));
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
  std::string name = program, path = file;
  std::array<char*, 3> arguments{name.data(), path.data(), nullptr};
  pid_t child = 0;
  const int failure = posix_spawnp(&child, program.c_str(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  if (failure != 0) {
    close(ends[0]);
    throw Error(fmt::format(
        "--with {}: cannot be started: {}; give the path of isotrope-checker, built by make proof", program,
        std::generic_category().message(failure)));
  }
  std::string words = text_from(ends[0]);
  close(ends[0]);
  const int status = status_of(child);
  if (words.empty()) throw Error(fmt::format("--with {}: no verdict: the program printed nothing", program));
  using Kind = SecondVerdict::Kind;
  switch (status) {
    case 0:
      return {Kind::holds, std::move(words)};
    case 1:
      return {Kind::fails, std::move(words)};
    case 3:
      return {Kind::outside, std::move(words)};
    default:
      throw Error(fmt::format("--with {}: no verdict: {}", program, words));
  }
}

bool contradict(bool claims_hold, const SecondVerdict& other) {
  return other.kind == (claims_hold ? SecondVerdict::Kind::fails : SecondVerdict::Kind::holds);
}

}  // namespace isotrope::app
