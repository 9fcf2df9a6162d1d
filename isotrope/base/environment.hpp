// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Variables of the environment: those that Isotrope reads, and suggestions for misspelt ones.
#pragma once

#include <array>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

namespace isotrope {

struct EnvironmentVariable {
  std::string_view name;
  std::string_view meaning;
};

/// All variables whose names begin with ISOTROPE_ and that have a meaning.
inline constexpr std::array environment_variables{
    EnvironmentVariable{"ISOTROPE_NETWORK", "the network of MPI_COMM_WORLD"},
    EnvironmentVariable{"ISOTROPE_RANKS", "a file with the node of every rank of MPI_COMM_WORLD"},
    EnvironmentVariable{"ISOTROPE_MACHINE", "a machine file"},
    EnvironmentVariable{"ISOTROPE_REPORT", "1: the drop-in reports its calls at the end"},
    EnvironmentVariable{"ISOTROPE_CHECK", "1: ranks compare the arguments of every collective"},
    EnvironmentVariable{"ISOTROPE_REPRODUCIBLE", "1: sums do not depend on the order of additions"},
    EnvironmentVariable{"ISOTROPE_CHOOSE", "how algorithms are chosen: model, measure or library"},
    EnvironmentVariable{"ISOTROPE_CHOICES", "a file of measured choices"},
    EnvironmentVariable{"ISOTROPE_PLANS", "a folder of plan files, candidates beside the catalogue"},
    EnvironmentVariable{"ISOTROPE_PROGRESS", "thread: nonblocking collectives advance by a thread"},
    EnvironmentVariable{"ISOTROPE_HOST_MEMORY", "0: ranks of one host share no memory but MPI's"},
    EnvironmentVariable{"ISOTROPE_ROOT", "where Isotrope is installed, for CMake's find_package"},
};

/// The value of the variable, "" if it is not set. The environment must not be changed meanwhile.
inline std::string environment_variable(const char* name) {
  const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nothing here changes it
  return value == nullptr ? "" : value;
}

/// Whether a variable with that value turns something on: any value but "" and "0".
inline bool is_on(std::string_view value) {
  return !value.empty() && value != "0";
}

/// One line for each variable of the environment whose name begins with ISOTROPE_ but has no meaning: "ISOTROPE_NETWRK
/// has no meaning: did you mean ISOTROPE_NETWORK (the network of MPI_COMM_WORLD)?". The environment must not be changed
/// meanwhile.
std::vector<std::string> meaningless_variables();

}  // namespace isotrope
