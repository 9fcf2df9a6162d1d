// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The collectives of MPI, taken where the network of the communicator is known.
//
// Arguments that MPI refuses at once (a negative count, a root that is no rank, no datatype) are left to it,
// and so is its error. What decides whether a call is taken is the same on all ranks, where they call
// rightly.
#include <algorithm>
#include <mpi.h>

#include "isotrope/pmpi/inside.hpp"
#include "isotrope/pmpi/interpose.hpp"
#include "isotrope/pmpi/session.hpp"

namespace isotrope::pmpi {
namespace {

using mpi::Communicator;

// A call of a collective on that communicator: `take(ours)` where `suits(ours)`, else `pass()`.
template <class Suits, class Take, class Pass>
int call(Call call, MPI_Comm comm, const Suits& suits, const Take& take, const Pass& pass) {
  if (Inside::already()) return pass();
  const Inside inside;
  Communicator* ours = Session::of_process().communicator(comm);
  const bool taken = ours != nullptr && suits(*ours);
  Session::of_process().count(call, taken);
  return taken ? take(*ours) : pass();
}

bool is_block(MPI_Count count, MPI_Datatype type) {
  return count >= 0 && type != MPI_DATATYPE_NULL;
}

bool is_block(const void* buffer, MPI_Count count, MPI_Datatype type) {
  return buffer == MPI_IN_PLACE || is_block(count, type);
}

bool is_root(int root, const Communicator& ours) {
  return root >= 0 && root < ours.size();
}

// Elements that follow each other in memory.
bool is_combined(MPI_Count count, MPI_Datatype type, MPI_Op op) {
  if (!is_block(count, type) || op == MPI_OP_NULL) return false;
  MPI_Aint lower = 0, extent = 0;
  return MPI_Type_get_extent(type, &lower, &extent) == MPI_SUCCESS && extent > 0;
}

template <class Next, class Count>
int bcast(Next next, void* buffer, Count count, MPI_Datatype type, int root, MPI_Comm comm) {
  return call(
      Call::bcast, comm,
      [&](const Communicator& ours) { return is_block(count, type) && is_root(root, ours); },
      [&](Communicator& ours) { return ours.broadcast(buffer, count, type, root); },
      [&] { return next(buffer, count, type, root, comm); });
}

template <class Next, class Count>
int scatter(Next next, const void* send, Count send_count, MPI_Datatype send_type, void* receive,
            Count receive_count, MPI_Datatype receive_type, int root, MPI_Comm comm) {
  return call(
      Call::scatter, comm,
      [&](const Communicator& ours) {
        return is_root(root, ours) && is_block(receive, receive_count, receive_type) &&
               (ours.rank() != root || is_block(send_count, send_type));
      },
      [&](Communicator& ours) {
        return ours.scatter(send, send_count, send_type, receive, receive_count, receive_type, root);
      },
      [&] { return next(send, send_count, send_type, receive, receive_count, receive_type, root, comm); });
}

template <class Next, class Count>
int gather(Next next, const void* send, Count send_count, MPI_Datatype send_type, void* receive,
           Count receive_count, MPI_Datatype receive_type, int root, MPI_Comm comm) {
  return call(
      Call::gather, comm,
      [&](const Communicator& ours) {
        return is_root(root, ours) && is_block(send, send_count, send_type) &&
               (ours.rank() != root || is_block(receive_count, receive_type));
      },
      [&](Communicator& ours) {
        return ours.gather(send, send_count, send_type, receive, receive_count, receive_type, root);
      },
      [&] { return next(send, send_count, send_type, receive, receive_count, receive_type, root, comm); });
}

template <class Next, class Count>
int allgather(Next next, const void* send, Count send_count, MPI_Datatype send_type, void* receive,
              Count receive_count, MPI_Datatype receive_type, MPI_Comm comm) {
  return call(
      Call::allgather, comm,
      [&](const Communicator&) {
        return is_block(send, send_count, send_type) && is_block(receive_count, receive_type);
      },
      [&](Communicator& ours) {
        return ours.allgather(send, send_count, send_type, receive, receive_count, receive_type);
      },
      [&] { return next(send, send_count, send_type, receive, receive_count, receive_type, comm); });
}

template <class Next, class Count>
int alltoall(Next next, const void* send, Count send_count, MPI_Datatype send_type, void* receive,
             Count receive_count, MPI_Datatype receive_type, MPI_Comm comm) {
  return call(
      Call::alltoall, comm,
      [&](const Communicator&) {
        return is_block(send, send_count, send_type) && is_block(receive_count, receive_type);
      },
      [&](Communicator& ours) {
        return ours.alltoall(send, send_count, send_type, receive, receive_count, receive_type);
      },
      [&] { return next(send, send_count, send_type, receive, receive_count, receive_type, comm); });
}

template <class Next, class Count>
int reduce(Next next, const void* send, void* receive, Count count, MPI_Datatype type, MPI_Op op, int root,
           MPI_Comm comm) {
  return call(
      Call::reduce, comm,
      [&](const Communicator& ours) { return is_combined(count, type, op) && is_root(root, ours); },
      [&](Communicator& ours) { return ours.reduce(send, receive, count, type, op, root); },
      [&] { return next(send, receive, count, type, op, root, comm); });
}

template <class Next, class Count>
int allreduce(Next next, const void* send, void* receive, Count count, MPI_Datatype type, MPI_Op op,
              MPI_Comm comm) {
  return call(
      Call::allreduce, comm, [&](const Communicator&) { return is_combined(count, type, op); },
      [&](Communicator& ours) { return ours.allreduce(send, receive, count, type, op); },
      [&] { return next(send, receive, count, type, op, comm); });
}

// Where all blocks have the same size.
template <class Next, class Count>
int reduce_scatter(Next next, const void* send, void* receive, const Count* counts, MPI_Datatype type,
                   MPI_Op op, MPI_Comm comm) {
  return call(
      Call::reduce_scatter, comm,
      [&](const Communicator& ours) {
        return std::all_of(counts, counts + ours.size(), [&](Count count) { return count == counts[0]; }) &&
               is_combined(counts[0], type, op);
      },
      [&](Communicator& ours) { return ours.reduce_scatter(send, receive, counts[0], type, op); },
      [&] { return next(send, receive, counts, type, op, comm); });
}

template <class Next, class Count>
int reduce_scatter_block(Next next, const void* send, void* receive, Count count, MPI_Datatype type,
                         MPI_Op op, MPI_Comm comm) {
  return call(
      Call::reduce_scatter_block, comm, [&](const Communicator&) { return is_combined(count, type, op); },
      [&](Communicator& ours) { return ours.reduce_scatter(send, receive, count, type, op); },
      [&] { return next(send, receive, count, type, op, comm); });
}

template <class Next>
int barrier(Next next, MPI_Comm comm) {
  return call(
      Call::barrier, comm, [](const Communicator&) { return true; },
      [](Communicator& ours) { return ours.barrier(); }, [&] { return next(comm); });
}

}  // namespace

INTERPOSE_COUNTED(Bcast, (void* buffer, Count count, MPI_Datatype type, int root, MPI_Comm comm),
                  bcast(next, buffer, count, type, root, comm))

INTERPOSE_COUNTED(Scatter,
                  (const void* send, Count send_count, MPI_Datatype send_type, void* receive,
                   Count receive_count, MPI_Datatype receive_type, int root, MPI_Comm comm),
                  scatter(next, send, send_count, send_type, receive, receive_count, receive_type, root,
                          comm))

INTERPOSE_COUNTED(Gather,
                  (const void* send, Count send_count, MPI_Datatype send_type, void* receive,
                   Count receive_count, MPI_Datatype receive_type, int root, MPI_Comm comm),
                  gather(next, send, send_count, send_type, receive, receive_count, receive_type, root, comm))

INTERPOSE_COUNTED(Allgather,
                  (const void* send, Count send_count, MPI_Datatype send_type, void* receive,
                   Count receive_count, MPI_Datatype receive_type, MPI_Comm comm),
                  allgather(next, send, send_count, send_type, receive, receive_count, receive_type, comm))

INTERPOSE_COUNTED(Alltoall,
                  (const void* send, Count send_count, MPI_Datatype send_type, void* receive,
                   Count receive_count, MPI_Datatype receive_type, MPI_Comm comm),
                  alltoall(next, send, send_count, send_type, receive, receive_count, receive_type, comm))

INTERPOSE_COUNTED(Reduce,
                  (const void* send, void* receive, Count count, MPI_Datatype type, MPI_Op op, int root,
                   MPI_Comm comm),
                  reduce(next, send, receive, count, type, op, root, comm))

INTERPOSE_COUNTED(Allreduce,
                  (const void* send, void* receive, Count count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
                  allreduce(next, send, receive, count, type, op, comm))

INTERPOSE_COUNTED(Reduce_scatter,
                  (const void* send, void* receive, const Count* counts, MPI_Datatype type, MPI_Op op,
                   MPI_Comm comm),
                  reduce_scatter(next, send, receive, counts, type, op, comm))

INTERPOSE_COUNTED(Reduce_scatter_block,
                  (const void* send, void* receive, Count count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
                  reduce_scatter_block(next, send, receive, count, type, op, comm))

INTERPOSE(Barrier, (MPI_Comm comm), barrier(next, comm))

}  // namespace isotrope::pmpi
