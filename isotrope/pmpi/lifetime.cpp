// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// MPI_Init and MPI_Finalize: the session begins after MPI_Init and ends before MPI_Finalize.
#include <mpi.h>

#include "isotrope/pmpi/interpose.hpp"
#include "isotrope/pmpi/reentry_guard.hpp"
#include "isotrope/pmpi/session.hpp"

namespace isotrope::pmpi {
namespace {

template <class Initialize>
int begin(const Initialize& initialize) {
  if (ReentryGuard::is_active()) return initialize();
  const ReentryGuard guard;
  Session::require_matching_library();
  const int code = initialize();
  if (code == MPI_SUCCESS) Session::of_process().begin();
  return code;
}

template <class Next>
int finalize(Next next) {
  if (ReentryGuard::is_active()) return next();
  const ReentryGuard guard;
  Session::of_process().end();
  return next();
}

}  // namespace

INTERPOSE(Init, (int* argc, char*** argv), begin([&] { return next(argc, argv); }))

INTERPOSE(Init_thread, (int* argc, char*** argv, int required, int* provided),
          begin([&] { return next(argc, argv, required, provided); }))

INTERPOSE(Finalize, (), finalize(next))

}  // namespace isotrope::pmpi
