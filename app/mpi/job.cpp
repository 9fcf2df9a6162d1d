// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/mpi/job.hpp"

#include <algorithm>
#include <cstdio>

#include <fmt/format.h>

#include "isotrope/base/environment.hpp"
#include "isotrope/base/spelling.hpp"

#include "app/output.hpp"
#include "isotrope/mpi/shared_network.hpp"

namespace isotrope::app {

int job_rank() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

int job_size() {
  int size = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  return size;
}

void say(const std::string& text) {
  if (job_rank() != 0) return;
  print(text);
  finish_output();
}

double slowest_seconds(unsigned calls, const std::function<void()>& call) {
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  for (unsigned i = 0; i < calls; ++i) call();
  double seconds = (MPI_Wtime() - begin) / calls;
  MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return seconds;
}

network::RankMap chosen_ranks(const std::string& file, const network::Network& network) {
  if (!file.empty()) return mpi::shared_rank_map(file, network, MPI_COMM_WORLD);
  const std::string named = mpi::shared_text(environment_variable("ISOTROPE_RANKS"), MPI_COMM_WORLD);
  if (named.empty()) return {};
  try {
    return mpi::shared_rank_map(named, network, MPI_COMM_WORLD);
  } catch (const Error& error) {
    throw Error(fmt::format("ISOTROPE_RANKS: {}", error.what()));
  }
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

void end_on_error(const std::optional<std::string>& error, int status) {
  int lowest = error ? job_rank() : job_size();
  MPI_Allreduce(MPI_IN_PLACE, &lowest, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  if (lowest == job_size()) return;
  if (lowest == job_rank())
    fmt::print(stderr, "isotrope: {}\n", excerpt(error->substr(0, error->find('\n')), std::string::npos));
  throw JobEnded{status};
}

}  // namespace isotrope::app
