// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The ranks of MPI_COMM_WORLD as one program: one rank prints, and all exit with the same status.
#pragma once

#include <functional>
#include <mpi.h>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "isotrope/base/error.hpp"

#include "isotrope/network/rank_map.hpp"

namespace isotrope::app {

/// Thrown on all ranks, after one rank has printed the error.
struct JobEnded {
  int status;
};

int job_rank();
int job_size();

/// Prints `text` on rank 0.
void say(const std::string& text);

/// Seconds of one call, the mean over `calls` calls that all ranks begin together, on the slowest rank.
double slowest_seconds(unsigned calls, const std::function<void()>& call);

/// The node of every rank: by the file that rank 0 reads, --ranks or else ISOTROPE_RANKS; without one, rank r is node r. All ranks must
/// call this together. @throws Error on all ranks: the file cannot be read or is no map of the network's nodes
network::RankMap chosen_ranks(const std::string& file, const network::Network& network);

/// @pre not empty.
double median(std::vector<double> values);

/// If any rank has an error, prints the error of the lowest such rank as one line on stderr.
/// @throws JobEnded with that status on all ranks in that case
void end_on_error(const std::optional<std::string>& error, int status = 2);

/// Returns the result of `work`, which must succeed on all ranks.
/// @throws JobEnded on all ranks if `work` throws Error on one of them
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
