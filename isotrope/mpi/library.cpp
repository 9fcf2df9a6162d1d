// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/mpi/library.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <mpi.h>

namespace isotrope::mpi {
namespace {

bool is_digit(char c) {
  return '0' <= c && c <= '9';
}

// The number of a word as 4.1.4 or v4.1.4, or "".
std::string_view version_of(std::string_view word) {
  const std::string_view number = word.starts_with('v') ? word.substr(1) : word;
  return !number.empty() && is_digit(number.front()) ? number : "";
}

bool is_the_word_version(std::string_view word) {
  return word == "Version" || word == "version" || word == "VERSION";
}

bool follows_the_interface_of_mpich(std::string_view name) {
  constexpr std::array<std::string_view, 3> followers{"MPICH", "Intel(R) MPI", "MVAPICH"};
  return std::ranges::any_of(
      followers, [&](std::string_view follower) { return name.find(follower) != std::string_view::npos; });
}

}  // namespace

MpiLibrary MpiLibrary::of(std::string_view text) {
  constexpr std::string_view separators = " \t:,";
  MpiLibrary result;
  text = text.substr(0, text.find('\n'));
  while (!text.empty()) {
    const std::size_t begin = std::min(text.find_first_not_of(separators), text.size());
    const std::size_t end = std::min(text.find_first_of(separators, begin), text.size());
    const std::string_view word = text.substr(begin, end - begin);
    text.remove_prefix(end);
    result.version = version_of(word);
    if (!result.version.empty()) break;
    if (word.empty() || is_the_word_version(word)) continue;
    result.name.append(result.name.empty() ? "" : " ").append(word);
  }
  return result;
}

MpiLibrary MpiLibrary::of_process() {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
  int length = 0;
  MPI_Get_library_version(text.data(), &length);
  return of({text.data(), static_cast<std::size_t>(length)});
}

bool MpiLibrary::runs_programs_for(const MpiLibrary& other) const {
  return name == other.name ||
         (follows_the_interface_of_mpich(name) && follows_the_interface_of_mpich(other.name));
}

}  // namespace isotrope::mpi
