// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/pmpi/rank_zero.hpp"

#include <cstddef>
#include <mutex>
#include <set>

#include <fmt/format.h>

#include "isotrope/base/environment.hpp"
#include "isotrope/base/spelling.hpp"

#include "isotrope/mpi/shared_network.hpp"
#include "isotrope/mpi/topology.hpp"
#include "isotrope/pmpi/libraries.hpp"

namespace isotrope::pmpi {

using mpi::rank_in;

std::string shared_variable(const char* name) {
  return mpi::shared_text(environment_variable(name), MPI_COMM_WORLD);
}

void say(std::string_view text) {
  if (rank_in(MPI_COMM_WORLD) == 0) fmt::print(stderr, "isotrope: {}\n", text);
}

void warn(MPI_Comm comm, std::string_view why) {
  constexpr std::size_t longest = 500;
  static std::mutex mutex;
  static std::set<std::string> printed;
  if (rank_in(comm) != 0) return;
  const std::scoped_lock lock(mutex);
  const auto [text, is_new] = printed.insert(excerpt(why, longest));
  if (is_new)
    fmt::print(stderr, "isotrope: {}; {} serves this communicator\n", *text, library_of_process().name);
}

}  // namespace isotrope::pmpi
