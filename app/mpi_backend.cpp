// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/mpi_backend.hpp"

#include <filesystem>
#include <string>
#include <unistd.h>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "isotrope/base/environment.hpp"
#include "isotrope/base/error.hpp"

#include "app/machine.hpp"

namespace isotrope::app {
namespace {

// "openmpi" or "mpich", by what their launchers tell the processes they start.
std::string launcher() {
  if (!environment_variable("OMPI_COMM_WORLD_SIZE").empty()) return "openmpi";
  if (!environment_variable("PMI_SIZE").empty() || !environment_variable("PMI_RANK").empty()) return "mpich";
  throw Error(
      "this runs as an MPI job, a rank a node: start it with mpirun, as in `mpirun -n 16 isotrope bench "
      "--network hypercube:4`");
}

}  // namespace

void add_mpi_options(CLI::App& command, Options& options) {
  add_machine_options(command, options);
  command.add_option("--runs", options.runs, "Turns of bench, of which the medians are printed (default 9)")
      ->type_name("N");
  command.add_option("--from", options.from, "The smallest block of bench (default 8 B)")->type_name("SIZE");
  command.add_option("--upto", options.upto, "The largest block of bench (default 1 MiB)")->type_name("SIZE");
}

int hand_over_to_mpi(const Options& options) {
  const std::string name = "isotrope-" + launcher();
  const std::filesystem::path program =
      std::filesystem::read_symlink("/proc/self/exe").replace_filename(name);
  if (!std::filesystem::exists(program)) {
    throw Error(
        fmt::format("{} is not there: build with -DISOTROPE_BUILD_MPI=ON, where the MPI library is "
                    "installed (make mpi)",
                    program.string()));
  }
  std::vector<std::string> arguments = options.arguments;
  arguments.front() = program.string();
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  execv(program.c_str(), pointers.data());
  throw Error(fmt::format("{} cannot be started", program.string()));
}

}  // namespace isotrope::app
