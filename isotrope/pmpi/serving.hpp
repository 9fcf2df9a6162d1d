// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Who carries out a blocking call: Isotrope or the MPI library.
//
//     ISOTROPE_CHOOSE=library     the library
//     ISOTROPE_CHOOSE=model       Isotrope, if the communicator can be served and the library takes the arguments
//     ISOTROPE_CHOOSE=measure     the candidate whose turn it is, or else the faster one (communicator_choices.hpp)
//
// A Call has the members
//
//     collective()            that it is chosen for by
//     size()                  its size on this rank
//     is_refused()            whether MPI refuses the arguments of this rank, so that the library returns an error at once
//     fits(serving)           whether Isotrope can carry it out. @pre not refused
//     is_reproducible()       whether the library must not carry it out, since the bits would be others. @pre not refused
//     run(serving)            carries it out; returns the code of MPI
//
// A call that MPI refuses on a rank sends nothing there: the rank may repeat it, or go on, whatever the other ranks do. So
// the drop-in behaves as if it had not been: it takes no tag, is not counted, and is no meeting.
//
// Cost of a call that is passed on again and again: a few lines of memory, which ranks that share a core find cold.
#pragma once

#include <cstddef>
#include <mpi.h>

#include "isotrope/pmpi/interpose.hpp"
#include "isotrope/pmpi/session.hpp"

namespace isotrope::pmpi {

/// Carries out a call by the MPI library and counts it in that row. @param next calls the library
template <class Next>
[[gnu::always_inline]] inline int pass_on(const Next& next, std::size_t row) {
  Session& session = Session::of_process();
  session.counts().count(row, false);
  session.prepare_to_block();
  return next();
}

/// What serves `comm`, or nothing if nothing does or MPI refuses the call. How `comm` is served the ranks find out together,
/// and a rank whose call is refused may be alone: it does not ask.
template <class Call>
mpi::Communicator* serving_of(MPI_Comm comm, Member& member, const Call& call) {
  if (call.is_refused()) return nullptr;
  mpi::Communicator* const serving = Session::of_process().serve(comm, member);
  return serving != nullptr && (!member.served->is_for_sums || call.is_reproducible()) ? serving : nullptr;
}

/// Runs `call` by the plans of Isotrope if it can, else by the library. @param candidate whose plans
template <class Next, class Call>
int serve(const Next& next, std::size_t row, MPI_Comm comm, Member& member, const Call& call,
          std::size_t candidate = own_plans) {
  Session& session = Session::of_process();
  mpi::Communicator* const serving = serving_of(comm, member, call);
  if (serving == nullptr) return pass_on(next, row);
  if (call.fits(*serving)) {
    session.counts().count(row, true);
    member.served->plan_by(candidate);
    return call.run(*serving);
  }
  const int code = pass_on(next, row);
  if (code == MPI_SUCCESS) serving->skip_call(CallCollective(call.collective()).base);
  return code;
}

/// Whether the ranks meet in a call. Processes of another job may have no drop-in, and would not come: their calls are passed
/// on from now on. What serves MPI_COMM_WORLD is found out before the first meeting; another communicator may be freed before
/// that pays.
template <class Call>
bool ranks_meet(MPI_Comm comm, Member& member, const Call& call) {
  if (member.state == Member::State::served || comm == MPI_COMM_WORLD)
    return serving_of(comm, member, call) != nullptr;
  if (call.is_refused()) return false;
  if (Session::of_process().is_of_job(comm)) return true;
  member.state = Member::State::passed_on;
  return false;
}

/// Takes back the count of a call that MPI has refused. @returns whether it has
template <class Call>
bool take_back_if_refused(int code, Member& member, const Call& call) {
  const bool result = code != MPI_SUCCESS && call.is_refused();
  if (result) member.choices.uncount();
  return result;
}

/// Runs `call` by the candidate whose turn it is. Not in line, so that the code of calls that are passed on stays short.
template <class Next, class Call>
[[gnu::noinline]] int serve_measured(const Next& next, std::size_t row, MPI_Comm comm, Member& member,
                                     const Call& call) {
  Session& session = Session::of_process();
  const bool is_meeting = member.choices.begin(call.collective(), call.size());
  if (is_meeting && !ranks_meet(comm, member, call)) return pass_on(next, row);
  const auto turn = member.choices.next(
      comm, {.is_valid = [&] { return !member.served || call.fits(*member.served->communicator); },
             // Captures no more than a std::function keeps without allocating: this is made at every call.
             .join =
                 [comm, &member] {
                   const bool is_new = member.state == Member::State::unknown;
                   Session::of_process().serve(comm, member);
                   return is_new;
                 },
             .make = [&](const CallKind& kind, int run) { return session.make_choice(member, kind, run); }});
  const auto run = [&] {
    return turn.candidate == MeasuredChoice::library ? pass_on(next, row)
                                                     : serve(next, row, comm, member, call, turn.candidate);
  };
  const double begin = turn.is_timed ? PMPI_Wtime() : 0;
  const int code = run();
  if (!take_back_if_refused(code, member, call) && turn.is_timed)
    member.choices.end_timed(PMPI_Wtime() - begin);
  return code;
}

/// Calls then(member) for a communicator that may be served, and otherwise() for others, whose arguments must not be read:
/// lists of an intercommunicator have the length of another group. A call of the runtime itself goes to next().
template <class Next, class Otherwise, class Then>
int on_member_or(const Next& next, const Otherwise& otherwise, MPI_Comm comm, const Then& then) {
  if (ReentryGuard::is_active()) return next();
  const ReentryGuard guard;
  Member* const member = Session::of_process().member(comm);
  if (member == nullptr || member->state == Member::State::passed_on) return otherwise();
  return then(*member);
}

/// The rest of serve_or(): runs a blocking call that is not left to the library as an earlier one; or, if the library has failed in
/// one that was, takes back its count if MPI has refused it. @param failed the code of the library, or MPI_SUCCESS
template <class Next, class CallOn>
[[gnu::noinline]] int serve_rest(const Next& next, std::size_t row, MPI_Comm comm, Member& member, int failed,
                                 const CallOn& call_on) {
  const auto call = call_on(member);
  if (failed != MPI_SUCCESS) {
    if (call.is_refused()) member.choices.uncount(call.collective(), call.size());
    return failed;
  }
  const Chooser chooser = Session::of_process().chooser();
  if (chooser == Chooser::model || call.is_reproducible()) return serve(next, row, comm, member, call);
  if (chooser == Chooser::library || (member.served && member.served->is_for_sums)) return pass_on(next, row);
  return serve_measured(next, row, comm, member, call);
}

/// Runs the blocking call `call_on(member)` on `comm`, and counts it in that row. What is seldom called gets copies, so that the
/// arguments of a call that is passed on stay in registers.
template <class Next, class CallOn>
[[gnu::always_inline]] inline int serve_or(Next next, std::size_t row, MPI_Comm comm, CallOn call_on) {
  if (ReentryGuard::is_active()) [[unlikely]]
    return next();
  const ReentryGuard guard;
  Session& session = Session::of_process();
  Member* const member = session.member(comm);
  if (member == nullptr || member->state == Member::State::passed_on) return pass_on(next, row);
  int code = MPI_SUCCESS;
  // Only measured choices know sizes, which some collectives take long to work out.
  if (session.chooser() == Chooser::measure &&
      member->choices.passes_on(call_on.collective(), call_on.size(*member))) [[likely]] {
    code = pass_on(next, row);
    if (code == MPI_SUCCESS) return code;
  }
  const Next rest_next = next;
  const CallOn rest_call_on = call_on;
  return serve_rest(rest_next, row, comm, *member, code, rest_call_on);
}

/// The candidate for a call that is not blocking, so that it must not wait for other ranks.
template <class Call>
std::size_t leader_of(const Member& member, const Call& call) {
  if (!member.served) return MeasuredChoice::library;
  if (call.is_reproducible()) return own_plans;
  if (member.served->is_for_sums) return MeasuredChoice::library;
  if (Session::of_process().chooser() == Chooser::model) return own_plans;
  return member.choices.leader(call.collective(), call.size());
}

}  // namespace isotrope::pmpi
