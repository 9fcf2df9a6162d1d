// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The MPI functions of the drop-in. The session begins after MPI_Init and ends in MPI_Finalize (session.hpp). Collectives are
// served on communicators with a known network, by the faster of the MPI library and Isotrope's plans (serving.hpp), and
// passed on to the MPI library otherwise.
//
// Calls with arguments that MPI rejects at once (a negative count, a root that is no rank, a datatype that is not
// committed, an operation that is not defined for it) are passed on too, so the program sees the error of the MPI library.
// The decision is the same on all ranks of a correct program.
#include <mpi.h>

#include "isotrope/pmpi/collective_call.hpp"
#include "isotrope/pmpi/interpose.hpp"
#include "isotrope/pmpi/session.hpp"
#include "isotrope/pmpi/starting.hpp"

namespace isotrope::pmpi {

using schedule::Collective;

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

}  // namespace

// NOLINTBEGIN(bugprone-macro-parentheses): a braced list is no expression
#define SERVE_EQUAL(name, nonblocking_name, parameters, forwarded, ...) \
  SERVE(name, nonblocking_name, parameters, forwarded, (OnAny{__VA_ARGS__}))
// NOLINTEND(bugprone-macro-parentheses)

INTERPOSE(Init, (int* argc, char*** argv), begin([&] {
            int provided = MPI_THREAD_SINGLE;
            return Session::wants_progress_thread()
                       ? next_function<decltype(&MPI_Init_thread)>("MPI_Init_thread")(
                             argc, argv, MPI_THREAD_MULTIPLE, &provided)
                       : next(argc, argv);
          }))

INTERPOSE(Init_thread, (int* argc, char*** argv, int required, int* provided), begin([&] {
            return next(argc, argv, Session::wants_progress_thread() ? MPI_THREAD_MULTIPLE : required,
                        provided);
          }))

SERVE_EQUAL(Bcast, Ibcast, (void* buffer, Count count, MPI_Datatype type, int root, MPI_Comm comm),
            (buffer, count, type, root, comm), {Collective::broadcast, {}, {buffer, count, type}, root})

SERVE_EQUAL(Scatter, Iscatter,
            (const void* send, Count send_count, MPI_Datatype send_type, void* recv, Count recv_count,
             MPI_Datatype recv_type, int root, MPI_Comm comm),
            (send, send_count, send_type, recv, recv_count, recv_type, root, comm),
            {Collective::scatter, {send, send_count, send_type}, {recv, recv_count, recv_type}, root})

SERVE_EQUAL(Gather, Igather,
            (const void* send, Count send_count, MPI_Datatype send_type, void* recv, Count recv_count,
             MPI_Datatype recv_type, int root, MPI_Comm comm),
            (send, send_count, send_type, recv, recv_count, recv_type, root, comm),
            {Collective::gather, {send, send_count, send_type}, {recv, recv_count, recv_type}, root})

SERVE_EQUAL(Allgather, Iallgather,
            (const void* send, Count send_count, MPI_Datatype send_type, void* recv, Count recv_count,
             MPI_Datatype recv_type, MPI_Comm comm),
            (send, send_count, send_type, recv, recv_count, recv_type, comm),
            {Collective::allgather, {send, send_count, send_type}, {recv, recv_count, recv_type}})

SERVE_EQUAL(Alltoall, Ialltoall,
            (const void* send, Count send_count, MPI_Datatype send_type, void* recv, Count recv_count,
             MPI_Datatype recv_type, MPI_Comm comm),
            (send, send_count, send_type, recv, recv_count, recv_type, comm),
            {Collective::alltoall, {send, send_count, send_type}, {recv, recv_count, recv_type}})

SERVE_EQUAL(Reduce, Ireduce,
            (const void* send, void* recv, Count count, MPI_Datatype type, MPI_Op op, int root,
             MPI_Comm comm),
            (send, recv, count, type, op, root, comm),
            {Collective::reduce, {send, count, type}, {recv, count, type}, root, op})

SERVE_EQUAL(Allreduce, Iallreduce,
            (const void* send, void* recv, Count count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
            (send, recv, count, type, op, comm),
            {Collective::allreduce, {send, count, type}, {recv, count, type}, 0, op})

SERVE_EQUAL(Reduce_scatter_block, Ireduce_scatter_block,
            (const void* send, void* recv, Count count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
            (send, recv, count, type, op, comm),
            {Collective::reduce_scatter, {send, count, type}, {recv, count, type}, 0, op})

SERVE_EQUAL(Scan, Iscan,
            (const void* send, void* recv, Count count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
            (send, recv, count, type, op, comm),
            {Collective::scan, {send, count, type}, {recv, count, type}, 0, op})

SERVE_EQUAL(Exscan, Iexscan,
            (const void* send, void* recv, Count count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
            (send, recv, count, type, op, comm),
            {Collective::exscan, {send, count, type}, {recv, count, type}, 0, op})

SERVE_BY(INTERPOSE, INTERPOSE_INIT, Barrier, Ibarrier, (MPI_Comm comm), (comm),
         (OnAny{{Collective::barrier}}))

}  // namespace isotrope::pmpi
