// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Serves a collective in its three forms: blocking (serving.hpp), nonblocking, persistent. A Call has, beside the members of
// serving.hpp, made(): the arguments that OpenCollectives takes.
#pragma once

#include <cstddef>
#include <mpi.h>

#include "isotrope/pmpi/interpose.hpp"
#include "isotrope/pmpi/passing_on.hpp"
#include "isotrope/pmpi/serving.hpp"
#include "isotrope/pmpi/session.hpp"

namespace isotrope::pmpi {

inline OpenCollectives::Owner owner_of(const ServedPointer& served) {
  return {served, &*served->communicator};
}

/// Whether Isotrope carries out a call that is not blocking, for which a candidate leads. Counts the call in that row.
template <class Call>
bool takes(const Member& member, const Call& call, std::size_t leader, const MPI_Request* request,
           std::size_t row) {
  const bool result = request != nullptr && leader != MeasuredChoice::library && !call.is_refused() &&
                      call.fits(*member.served->communicator);
  Session::of_process().counts().count(row, result);
  return result;
}

/// Counts a call that is not blocking in that row and calls next().
template <class Next>
auto leaving(const Next& next, std::size_t row) {
  return [&next, row] {
    Session::of_process().counts().count(row, false);
    return next();
  };
}

/// Starts a nonblocking collective, or else calls next(). The call must not wait for other ranks, so the ranks cannot
/// find out together how `comm` is served.
template <class Next, class CallOn>
int start_or(const Next& next, std::size_t row, MPI_Comm comm, MPI_Request* request, const CallOn& call_on) {
  return on_member_or(next, leaving(next, row), comm, [&](Member& member) {
    const auto call = call_on(member);
    const std::size_t leader = leader_of(member, call);
    if (takes(member, call, leader, request, row)) {
      member.served->plan_by(leader);
      return Session::of_process().open_collectives().open(owner_of(member.served), call.made(), request);
    }
    const int code = next();
    if (code == MPI_SUCCESS && leader != MeasuredChoice::library)
      member.served->communicator->skip_call(CallCollective(call.collective()).base);
    return code;
  });
}

/// Prepares a persistent collective, or else calls next(). The ranks may wait for each other.
template <class Next, class CallOn>
int prepare_or(const Next& next, std::size_t row, MPI_Comm comm, MPI_Request* request,
               const CallOn& call_on) {
  return on_member_or(next, leaving(next, row), comm, [&](Member& member) {
    Session& session = Session::of_process();
    const auto call = call_on(member);
    const bool is_served_first = session.chooser() == Chooser::model || call.is_reproducible();
    if (is_served_first && member.state == Member::State::unknown) serving_of(comm, member, call);
    const std::size_t leader = leader_of(member, call);
    if (!takes(member, call, leader, request, row)) return next();
    const ServedPointer own = session.served_again(comm, member);
    if (!own) return next();
    own->plan_by(leader);
    return session.open_collectives().prepare(owner_of(own), call.made(), request);
  });
}

}  // namespace isotrope::pmpi

// Serves a collective with the arguments `...`: the blocking, the nonblocking and the persistent function.
// `forwarded` are the names of the parameters.
// NOLINTBEGIN(bugprone-macro-parentheses): a list of parameters is no expression
#define SERVE_BY(interpose, interpose_init, name, nonblocking_name, parameters, forwarded, ...)         \
  interpose(name, parameters,                                                                           \
            serve_or([=] { return next forwarded; }, CallCounts::row("MPI_" #name), comm, __VA_ARGS__)) \
      interpose(nonblocking_name, (UNWRAPPED parameters, MPI_Request * request),                        \
                start_or([&] { return next(UNWRAPPED forwarded, request); },                            \
                         CallCounts::row("MPI_" #nonblocking_name), comm, request, __VA_ARGS__))        \
          interpose_init(name, (UNWRAPPED parameters, MPI_Info info, MPI_Request * request),            \
                         prepare_or([&] { return next(UNWRAPPED forwarded, info, request); },           \
                                    CallCounts::row("MPI_" #name "_init"), comm, request, __VA_ARGS__))
#define SERVE(...) SERVE_BY(INTERPOSE_COUNTED, INTERPOSE_COUNTED_INIT, __VA_ARGS__)
// NOLINTEND(bugprone-macro-parentheses)
