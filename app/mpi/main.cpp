// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The part of the program `isotrope` that runs as an MPI job. `isotrope run --backend mpi`, `isotrope bench`,
// `isotrope calibrate` and `isotrope discover`, started by mpirun, become this program on every rank. Exit status as there.
#include <exception>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "isotrope/base/environment.hpp"
#include "isotrope/base/error.hpp"

#include "app/command_line.hpp"
#include "app/commands.hpp"
#include "app/mpi/job.hpp"
#include "app/output.hpp"
#include "app/version.hpp"

namespace isotrope::app {
namespace {

constexpr ProgramDescription mpi_program{
    .summary = "The MPI jobs of isotrope: start it as `isotrope`.", .version = version_text, .footer = ""};

const std::vector<CommandEntry> commands{
    entry("run", "Execute a plan over MPI", "", mpi_run_command),
    entry("bench", "Time collectives over MPI", "", mpi_bench_command),
    entry("calibrate", "Measure what messages cost over MPI", "", mpi_calibrate_command),
    entry("discover", "Find out which network the hosts form", "", mpi_discover_command),
};

void warn_of_meaningless_variables() {
  if (job_rank() != 0) return;
  for (const std::string& line : meaningless_variables()) fmt::print(stderr, "isotrope: {}\n", line);
}

int run_job(int argc, char** argv) {
  warn_of_meaningless_variables();
  try {
    const CommandCall command =
        on_all_ranks([&] { return named_command(mpi_program, commands, argc, argv); });
    const int status = command ? command() : 0;
    finish_output();
    return status;
  } catch (const JobEnded& ended) {
    return ended.status;
  } catch (const std::exception& error) {
    fmt::print(stderr, "isotrope: rank {}: {}\n", job_rank(), error.what());
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  return 0;
}

}  // namespace
}  // namespace isotrope::app

int main(int argc, char** argv) {
  isotrope::app::prepare_output();
  MPI_Init(&argc, &argv);
  const int status = isotrope::app::run_job(argc, argv);
  MPI_Finalize();
  return status;
}
