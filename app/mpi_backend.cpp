// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/mpi_backend.hpp"

#include <cstdio>
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

// The libraries for which the program may be built, by what their launchers tell the processes that they start. The
// launchers of MPICH and of libraries derived from it tell the same.
std::vector<std::string> libraries_of_launcher(std::string_view command) {
  if (!environment_variable("OMPI_COMM_WORLD_SIZE").empty()) return {"openmpi"};
  if (!environment_variable("PMI_SIZE").empty() || !environment_variable("PMI_RANK").empty())
    return {"mpich", "intelmpi", "mvapich2", "craympich", "mpi"};
  throw Error(fmt::format(
      "{0} must run under mpirun, with as many ranks as there are places: mpirun -n 8 isotrope {0} ...",
      command));
}

// The first program that exists beside this one.
std::filesystem::path program_beside(const std::vector<std::string>& libraries) {
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe");
  for (const std::string& library : libraries) {
    std::filesystem::path program = self.parent_path() / ("isotrope-" + library);
    if (std::filesystem::exists(program)) return program;
  }
  throw Error(fmt::format(
      "{} is missing: build with -DISOTROPE_BUILD_MPI=ON on a machine that has the MPI library (make mpi)",
      (self.parent_path() / ("isotrope-" + libraries.front())).string()));
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

void hint_at_ranks() {
  for (const char* size : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}) {
    const std::string processes = environment_variable(size);
    if (processes.empty() || processes == "1" || !prints_errors()) continue;
    fmt::print(stderr,
               "isotrope: mpirun has started {} processes, and each runs the plan on threads of its own: "
               "give --backend mpi to run it on their ranks\n",
               processes);
    return;
  }
}

int hand_over_to_mpi(std::string_view command) {
  const std::filesystem::path program = program_beside(libraries_of_launcher(command));
  std::vector<std::string> arguments = own_arguments();
  arguments.front() = program.string();
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  execv(program.c_str(), pointers.data());
  throw Error(fmt::format("{} cannot be started", program.string()));
}

}  // namespace isotrope::app
