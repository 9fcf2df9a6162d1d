// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Errors with the code that MPI programs expect.
#pragma once

#include <mpi.h>
#include <string>

#include "isotrope/base/error.hpp"

namespace isotrope::mpi {

/// An error of a call. MPI_Error_class gives the error class of its code, and MPI_Error_string the message after
/// "isotrope: ". If the library keeps no messages for codes of MPI's classes (MPICH 4.0), the code is the class itself,
/// and MPI_Error_string gives the library's text for that class.
class Failure : public Error {
 public:
  /// @param error_class MPI_ERR_COUNT, MPI_ERR_ROOT, ...
  Failure(int error_class, const std::string& message);

  int code() const { return code_; }

 private:
  int code_;
};

/// The message of a code of a Failure, or what MPI says of another code. If the code is a class itself, this is the
/// latest message of that class.
std::string text_of(int code);

/// @param code the result of an MPI function. @param doing "duplicating the communicator"
/// @throws Failure with that code, unless it is MPI_SUCCESS
void require_success(int code, const char* doing);

/// Calls the error handler of `comm`, or of MPI_COMM_WORLD if it is MPI_COMM_NULL. If the handler ends the job, first
/// writes the message of `code` to standard error: Open MPI (4.1) loses one in ten of its own reports, and MPICH (4.0)
/// does not know the message.
/// @returns code
int raise(int code, MPI_Comm comm);

}  // namespace isotrope::mpi
