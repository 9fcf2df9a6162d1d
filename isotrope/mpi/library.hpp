// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Which MPI library a process runs with, by the text of MPI_Get_library_version:
//
//     Open MPI v4.1.4, package: Debian Open MPI, ...             Open MPI              4.1.4
//     MPICH Version:      4.0.2\nMPICH Release date: ...         MPICH                 4.0.2
//     Intel(R) MPI Library 2021.5 for Linux* OS                  Intel(R) MPI Library  2021.5
//     MVAPICH2 Version      : 2.3.7\n...                         MVAPICH2              2.3.7
#pragma once

#include <string>
#include <string_view>

namespace isotrope::mpi {

struct MpiLibrary {
  std::string name;
  std::string version;  ///< "" if the text has none

  std::string in_words() const { return version.empty() ? name : name + ' ' + version; }

  /// The library that calls itself this.
  static MpiLibrary of(std::string_view text);
  /// The library of this process. MPI need not be initialised.
  static MpiLibrary of_process();

  /// Whether programs for the other library run with this one: both are the same, or both follow the common binary
  /// interface of MPICH, Intel MPI, MVAPICH2 and Cray MPICH.
  bool runs_programs_for(const MpiLibrary& other) const;
};

}  // namespace isotrope::mpi
