// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/mpi/job.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <thread>

#include <fmt/format.h>

#include "isotrope/base/spelling.hpp"

#include "isotrope/io/rank_map_file.hpp"

#include "app/machine.hpp"
#include "app/output.hpp"
#include "app/subject.hpp"
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

double slowest_seconds(unsigned calls, const std::function<void()>& call, MPI_Comm comm) {
  MPI_Barrier(comm);
  const double begin = MPI_Wtime();
  for (unsigned i = 0; i < calls; ++i) call();
  double seconds = (MPI_Wtime() - begin) / calls;
  MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, comm);
  return seconds;
}

void meet_quietly() {
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Ibarrier(MPI_COMM_WORLD, &request);
  for (int is_complete = 0; is_complete == 0;) {
    MPI_Test(&request, &is_complete, MPI_STATUS_IGNORE);
    if (is_complete == 0) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

namespace {

mpi::GivenRanks given_ranks(const NetworkOptions& options, const JobOptions& job) {
  return [&options, &job](const network::NamedNetwork& nodes,
                          std::uint32_t ranks_per_node) -> std::optional<network::RankMap> {
    if (!job.ranks.empty())
      return io::parse_rank_map(job.ranks, mpi::shared_file(job.ranks, MPI_COMM_WORLD), nodes.network,
                                ranks_per_node, nodes.lacks.nodes);
    if (auto ranks = mpi::ranks_of_environment(nodes, ranks_per_node, MPI_COMM_WORLD)) return ranks;
    return ranks_of_machine_file(options, nodes, ranks_per_node);
  };
}

}  // namespace

mpi::PlacedJob placed_job(const NetworkOptions& network, const JobOptions& job, std::uint32_t ranks_per_node,
                          const mpi::JobMachine& machine) {
  return mpi::place_job(chosen_nodes(network), machine, ranks_per_node, given_ranks(network, job),
                        MPI_COMM_WORLD);
}

network::RankMap ranks_of_plan(const NetworkOptions& network, const JobOptions& job,
                               const network::Network& places) {
  if (names_a_plan_file(network) || network.machine.empty())
    return given_ranks(network, job)({places, {}}, 1).value_or(network::RankMap());
  return placed_job(network, job, ranks_per_node(network)).network.ranks;
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
