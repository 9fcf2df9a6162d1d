// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The ranks of MPI_COMM_WORLD as one program: one of them speaks, and all end alike.
#pragma once

#include <mpi.h>
#include <optional>
#include <string>
#include <utility>

#include "isotrope/base/error.hpp"

namespace isotrope::app {

/// Thrown on all ranks; rank 0 has said why.
struct JobEnded {
  int status;
};

int job_rank();
int job_size();

/// Prints `text` on rank 0.
void say(const std::string& text);

/// Whether any rank has an error; the one of the lowest such rank is printed then, as one line on stderr.
/// @throws JobEnded on all ranks in that case.
void end_on_error(const std::optional<std::string>& error);

/// What `work` returns, where it succeeds on all ranks.
/// @throws JobEnded on all ranks where it throws Error on one.
template <class Work>
auto on_all_ranks(const Work& work) {
  std::optional<decltype(work())> result;
  std::optional<std::string> error;
  try {
    result.emplace(work());
  } catch (const Error& found) {
    error = found.what();
  }
  end_on_error(error);
  return *std::move(result);
}

}  // namespace isotrope::app
