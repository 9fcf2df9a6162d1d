// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The part of the program `isotrope` that runs as an MPI job. `isotrope run --backend mpi`, `isotrope bench`
// and `isotrope calibrate`, started by mpirun, become this program on every rank. Exit status as there.
#include <array>
#include <string>
#include <string_view>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/interrupt.hpp"
#include "app/machine.hpp"
#include "app/mpi/commands.hpp"
#include "app/mpi/job.hpp"
#include "app/mpi_backend.hpp"

namespace {

using isotrope::app::Options;

struct Command {
  std::string_view name;
  int (*run)(const Options&);
};

constexpr std::array commands{Command{"run", isotrope::app::mpi_run_command},
                              Command{"bench", isotrope::app::mpi_bench_command},
                              Command{"calibrate", isotrope::app::mpi_calibrate_command}};

int run_job(int argc, char** argv) {
  CLI::App program("The MPI jobs of isotrope: start it as `isotrope`.", "isotrope");
  program.require_subcommand(1);
  Options options;
  for (const Command& command : commands) {
    CLI::App* sub = program.add_subcommand(std::string(command.name));
    isotrope::app::add_common_options(*sub, options);
    isotrope::app::add_mpi_options(*sub, options);
    sub->add_option("--backend", options.backend);  // it has led here
  }
  try {
    program.parse(argc, argv);
    for (const Command& command : commands) {
      if (program.got_subcommand(std::string(command.name))) return command.run(options);
    }
  } catch (const CLI::ParseError& error) {
    if (isotrope::app::job_rank() == 0) fmt::print(stderr, "isotrope: {}\n", error.what());
    return 2;
  } catch (const isotrope::app::JobEnded& ended) {
    return ended.status;
  } catch (const std::exception& error) {
    fmt::print(stderr, "isotrope: rank {}: {}\n", isotrope::app::job_rank(), error.what());
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int status = run_job(argc, argv);
  MPI_Finalize();
  return status;
}
