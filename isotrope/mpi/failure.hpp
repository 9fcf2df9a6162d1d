// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Errors with the code that MPI programs expect.
#pragma once

#include <mpi.h>
#include <string>

#include "isotrope/base/error.hpp"

namespace isotrope::mpi {

/// An error of a call. MPI_Error_string gives the message for its code, which is of one of MPI's error
/// classes; of an added one where the library (MPICH) has messages for such codes only.
class Failure : public Error {
 public:
  /// @param error_class MPI_ERR_COUNT, MPI_ERR_ROOT, ...
  Failure(int error_class, const std::string& message);

  int code() const { return code_; }

 private:
  int code_;
};

/// Throws what an MPI function has returned, unless that is MPI_SUCCESS. @param doing "duplicating the
/// communicator"
void require_success(int code, const char* doing);

/// Calls the error handler of `comm`. Where that ends the job, the text of `code` is first written to standard
/// error: of the reports that Open MPI (4.1) makes then, one in ten is lost.
/// @returns code
int raise(int code, MPI_Comm comm);

}  // namespace isotrope::mpi
