// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The MPI functions of the drop-in. The session begins after MPI_Init and ends before MPI_Finalize. Collectives are
// served on communicators with a known network, by the faster of the MPI library and Isotrope's plans, and passed on to
// the MPI library otherwise.
//
// Calls with arguments that MPI rejects at once (a negative count, a root that is no rank, a datatype that is not
// committed, an operation that is not defined for it) are passed on too, so the program sees the error of the MPI library. The decision is the same on all ranks of a
// correct program.
#include <algorithm>
#include <cstdint>
#include <mpi.h>
#include <optional>

#include "isotrope/mpi/arguments.hpp"
#include "isotrope/pmpi/interpose.hpp"
#include "isotrope/pmpi/same_buffers.hpp"
#include "isotrope/pmpi/session.hpp"

namespace isotrope::pmpi {
namespace {

using mpi::Arguments;
using mpi::Communicator;
using mpi::ReceiveBuffer;
using mpi::SendBuffer;
using schedule::Collective;

template <class Buffer>
bool is_block(const Buffer& buffer) {
  return buffer.count >= 0 && buffer.type != MPI_DATATYPE_NULL && Session::of_process().accepts(buffer.type);
}

// The elements must follow each other in memory.
bool is_reducible(const ReceiveBuffer& buffer, MPI_Op op) {
  if (buffer.count < 0 || buffer.type == MPI_DATATYPE_NULL || op == MPI_OP_NULL) return false;
  if (!Session::of_process().accepts(buffer.type, op)) return false;
  MPI_Aint lower = 0, extent = 0;
  return MPI_Type_get_extent(buffer.type, &lower, &extent) == MPI_SUCCESS && extent > 0;
}

bool is_valid(const Arguments& arguments, const Member& member) {
  const auto& [collective, send, receive, root, op] = arguments;
  if (root < 0 || root >= member.size) return false;
  const bool at_root = member.rank == root;
  switch (collective) {
    case Collective::broadcast:
      return is_block(receive);
    case Collective::scatter:
      return (receive.in_place() || is_block(receive)) && (!at_root || is_block(send));
    case Collective::gather:
      return (send.in_place() || is_block(send)) && (!at_root || is_block(receive));
    case Collective::allgather:
    case Collective::alltoall:
      return (send.in_place() || is_block(send)) && is_block(receive);
    case Collective::barrier:
      return true;
    default:
      return is_reducible(receive, op);
  }
}

// Whether the MPI library takes the arguments of this rank.
bool is_accepted(const Arguments& arguments, const Member& member) {
  return is_valid(arguments, member) &&
         !(has_same_buffers(arguments, member.rank) &&
           Session::of_process().refuses_same_buffers(arguments.collective, arguments.receive.count));
}

// The size by which a call is chosen for. A barrier has the size of any type.
CallSize size_of_call(const Arguments& arguments, const Member& member) {
  const auto& [collective, send, receive, root, op] = arguments;
  if (collective == Collective::barrier) return {0, MPI_BYTE};
  if (root < 0 || root >= member.size) return {};
  const bool by_send = (collective == Collective::scatter && receive.in_place()) ||
                       (collective == Collective::gather && !send.in_place());
  return by_send ? CallSize{send.count, send.type} : CallSize{receive.count, receive.type};
}

// Runs `arguments` by the plans of Isotrope if the communicator can be served and the arguments are accepted, else
// pass_on(). If this rank's arguments are not, the call takes its tag all the same.
template <class PassOn>
int serve(const PassOn& pass_on, Interposed function, MPI_Comm comm, Member& member,
          const Arguments& arguments) {
  Communicator* const communicator = Session::of_process().serve(comm, member);
  const bool served = communicator != nullptr && is_accepted(arguments, member);
  Session::of_process().count(function, served);
  if (served) return communicator->run(arguments);
  if (communicator != nullptr) communicator->skip_call();
  return pass_on();
}

// The call by the candidate whose turn it is. Not in line, so that the code of calls that are passed on stays short.
template <class PassOn>
[[gnu::noinline]] int measured(const PassOn& pass_on, Interposed function, MPI_Comm comm, Member& member,
                               const Arguments& arguments) {
  const auto turn = member.choices.next(
      comm, arguments.collective, size_of_call(arguments, member),
      [&] { return is_accepted(arguments, member); },
      [&](const CallKind& kind) { return Session::of_process().make_choice(comm, member, kind); });
  const auto run = [&] {
    if (turn.candidate != MeasuredChoice::library) return serve(pass_on, function, comm, member, arguments);
    Session::of_process().count(function, false);
    return pass_on();
  };
  if (!turn.is_timed) return run();
  const double begin = MPI_Wtime();
  const int code = run();
  member.choices.end_timed(MPI_Wtime() - begin);
  return code;
}

// Carries out the collective `arguments_on(member)`: by Isotrope, or by the MPI library, which is pass_on(). The call
// counts as one of `function`.
template <class ArgumentsOn, class PassOn>
int serve_or(const PassOn& pass_on, Interposed function, MPI_Comm comm, const ArgumentsOn& arguments_on) {
  if (ReentryGuard::is_active()) return pass_on();
  const ReentryGuard guard;
  Session& session = Session::of_process();
  Member* const member = session.member(comm);
  if (member == nullptr || member->state == Member::State::passed_on) {
    session.count(function, false);
    return pass_on();
  }
  const Arguments arguments = arguments_on(*member);
  if (session.chooser() == Chooser::model) return serve(pass_on, function, comm, *member, arguments);
  if (member->choices.passes_on(arguments.collective, size_of_call(arguments, *member))) {
    session.count(function, false);
    return pass_on();
  }
  return measured(pass_on, function, comm, *member, arguments);
}

template <class PassOn>
int serve_or(const PassOn& pass_on, MPI_Comm comm, const Arguments& arguments) {
  return serve_or(pass_on, arguments.collective, comm, [&](const Member&) { return arguments; });
}

// The common count of MPI_Reduce_scatter, or -1, which is not valid, if the blocks differ in size.
template <class Count>
MPI_Count common_count(const Count* counts, const Member& member) {
  const bool equal =
      std::all_of(counts, counts + member.size, [&](Count count) { return count == counts[0]; });
  return equal ? MPI_Count{counts[0]} : -1;
}

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

// Serves a collective with the arguments `...`; `forwarded` are the names of the parameters.
// NOLINTNEXTLINE(bugprone-macro-parentheses): a list of parameters is no expression
#define SERVE(name, parameters, forwarded, ...) \
  INTERPOSE_COUNTED(name, parameters, serve_or([&] { return next forwarded; }, comm, __VA_ARGS__))

SERVE(Bcast, (void* buffer, Count count, MPI_Datatype type, int root, MPI_Comm comm),
      (buffer, count, type, root, comm), {Collective::broadcast, {}, {buffer, count, type}, root})

SERVE(Scatter,
      (const void* send, Count send_count, MPI_Datatype send_type, void* recv, Count recv_count,
       MPI_Datatype recv_type, int root, MPI_Comm comm),
      (send, send_count, send_type, recv, recv_count, recv_type, root, comm),
      {Collective::scatter, {send, send_count, send_type}, {recv, recv_count, recv_type}, root})

SERVE(Gather,
      (const void* send, Count send_count, MPI_Datatype send_type, void* recv, Count recv_count,
       MPI_Datatype recv_type, int root, MPI_Comm comm),
      (send, send_count, send_type, recv, recv_count, recv_type, root, comm),
      {Collective::gather, {send, send_count, send_type}, {recv, recv_count, recv_type}, root})

SERVE(Allgather,
      (const void* send, Count send_count, MPI_Datatype send_type, void* recv, Count recv_count,
       MPI_Datatype recv_type, MPI_Comm comm),
      (send, send_count, send_type, recv, recv_count, recv_type, comm),
      {Collective::allgather, {send, send_count, send_type}, {recv, recv_count, recv_type}})

SERVE(Alltoall,
      (const void* send, Count send_count, MPI_Datatype send_type, void* recv, Count recv_count,
       MPI_Datatype recv_type, MPI_Comm comm),
      (send, send_count, send_type, recv, recv_count, recv_type, comm),
      {Collective::alltoall, {send, send_count, send_type}, {recv, recv_count, recv_type}})

SERVE(Reduce,
      (const void* send, void* recv, Count count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm),
      (send, recv, count, type, op, root, comm),
      {Collective::reduce, {send, count, type}, {recv, count, type}, root, op})

SERVE(Allreduce, (const void* send, void* recv, Count count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
      (send, recv, count, type, op, comm),
      {Collective::allreduce, {send, count, type}, {recv, count, type}, 0, op})

SERVE(Reduce_scatter_block,
      (const void* send, void* recv, Count count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
      (send, recv, count, type, op, comm),
      {Collective::reduce_scatter, {send, count, type}, {recv, count, type}, 0, op})

SERVE(Scan, (const void* send, void* recv, Count count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
      (send, recv, count, type, op, comm),
      {Collective::scan, {send, count, type}, {recv, count, type}, 0, op})

SERVE(Exscan, (const void* send, void* recv, Count count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
      (send, recv, count, type, op, comm),
      {Collective::exscan, {send, count, type}, {recv, count, type}, 0, op})

// Served if all blocks have the same size.
INTERPOSE_COUNTED(
    Reduce_scatter,
    (const void* send, void* recv, const Count* counts, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
    serve_or([&] { return next(send, recv, counts, type, op, comm); }, mpi_reduce_scatter, comm,
             [&](const Member& member) {
               const MPI_Count count = common_count(counts, member);
               return Arguments{Collective::reduce_scatter, {send, count, type}, {recv, count, type}, 0, op};
             }))

INTERPOSE(Barrier, (MPI_Comm comm),
          serve_or([&] { return next(comm); }, comm, Arguments{Collective::barrier}))

}  // namespace isotrope::pmpi
