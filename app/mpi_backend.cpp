// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/mpi_backend.hpp"

#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>
#include <vector>

#include <fmt/format.h>

#include "isotrope/base/environment.hpp"
#include "isotrope/base/error.hpp"

namespace isotrope::app {
namespace {

// "openmpi" or "mpich", by what their launchers tell the processes that they start.
std::string launcher(std::string_view command) {
  if (!environment_variable("OMPI_COMM_WORLD_SIZE").empty()) return "openmpi";
  if (!environment_variable("PMI_SIZE").empty() || !environment_variable("PMI_RANK").empty()) return "mpich";
  throw Error(
      fmt::format("{0} must run under mpirun with one rank per node: mpirun -n 8 isotrope {0} ...", command));
}

// The arguments of this process, the name of the program first.
std::vector<std::string> own_arguments() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::vector<std::string> arguments;
  for (std::string argument; std::getline(file, argument, '\0');) arguments.push_back(argument);
  return arguments;
}

}  // namespace

bool prints_errors() {
  for (const char* rank : {"OMPI_COMM_WORLD_RANK", "PMI_RANK"}) {
    const std::string value = environment_variable(rank);
    if (!value.empty() && value != "0") return false;
  }
  return true;
}

int hand_over_to_mpi(std::string_view command) {
  const std::string name = "isotrope-" + launcher(command);
  const std::filesystem::path program =
      std::filesystem::read_symlink("/proc/self/exe").replace_filename(name);
  if (!std::filesystem::exists(program)) {
    throw Error(
        fmt::format("{} is missing: build with -DISOTROPE_BUILD_MPI=ON on a machine that has the MPI library "
                    "(make mpi)",
                    program.string()));
  }
  std::vector<std::string> arguments = own_arguments();
  arguments.front() = program.string();
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  execv(program.c_str(), pointers.data());
  throw Error(fmt::format("{} cannot be started", program.string()));
}

}  // namespace isotrope::app
