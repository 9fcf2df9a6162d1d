// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Functions that Isotrope never carries out: counted for the report and passed on.
#pragma once

#include <cstddef>
#include <mpi.h>

#include "isotrope/pmpi/interpose.hpp"
#include "isotrope/pmpi/serving.hpp"
#include "isotrope/pmpi/session.hpp"

namespace isotrope::pmpi {

/// Whether a call waits for other ranks.
enum class Waits : bool { no, yes };

/// Counts a call in that row and calls next(), the library.
template <class Next>
int never_serve(const Next& next, std::size_t row, Waits waits) {
  if (ReentryGuard::is_active()) return next();
  const ReentryGuard guard;
  if (waits == Waits::yes) return pass_on(next, row);
  Session::of_process().counts().count(row, false);
  return next();
}

}  // namespace isotrope::pmpi

// NOLINTBEGIN(bugprone-macro-parentheses): a list of parameters is no expression
#define UNWRAPPED(...) __VA_ARGS__
// The nonblocking and the persistent function of a collective. `forwarded` are the names of the parameters.
#define PASS_ON_REQUESTS(name, nonblocking_name, parameters, forwarded)                        \
  INTERPOSE_COUNTED(nonblocking_name, (UNWRAPPED parameters, MPI_Request * request),           \
                    never_serve([&] { return next(UNWRAPPED forwarded, request); },            \
                                CallCounts::row("MPI_" #nonblocking_name), Waits::no))         \
  INTERPOSE_COUNTED_INIT(name, (UNWRAPPED parameters, MPI_Info info, MPI_Request * request),   \
                         never_serve([&] { return next(UNWRAPPED forwarded, info, request); }, \
                                     CallCounts::row("MPI_" #name "_init"), Waits::no))
// All three.
#define PASS_ON(name, nonblocking_name, parameters, forwarded)                                              \
  INTERPOSE_COUNTED(name, parameters,                                                                       \
                    never_serve([&] { return next forwarded; }, CallCounts::row("MPI_" #name), Waits::yes)) \
  PASS_ON_REQUESTS(name, nonblocking_name, parameters, forwarded)
// NOLINTEND(bugprone-macro-parentheses)
