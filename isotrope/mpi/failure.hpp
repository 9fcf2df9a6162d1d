// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Errors with the code that MPI programs expect.
#pragma once

#include <mpi.h>
#include <string>

#include "isotrope/base/error.hpp"

namespace isotrope::mpi {

/// An error of a call. MPI_Error_string gives the message of its code. The code has the given error class, or
/// an added class if the library (MPICH) keeps messages for added classes only.
class Failure : public Error {
 public:
  /// @param error_class MPI_ERR_COUNT, MPI_ERR_ROOT, ...
  Failure(int error_class, const std::string& message);

  int code() const { return code_; }

 private:
  int code_;
};

/// @param code the result of an MPI function. @param doing "duplicating the communicator"
/// @throws Failure with that code, unless it is MPI_SUCCESS
void require_success(int code, const char* doing);

/// Calls the error handler of `comm`. If the handler ends the job, first writes the text of `code` to
/// standard error, because Open MPI (4.1) loses one in ten of its own reports.
/// @returns code
int raise(int code, MPI_Comm comm);

}  // namespace isotrope::mpi
