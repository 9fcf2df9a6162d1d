// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The collectives of the drop-in with blocks of unequal sizes. MPI_Reduce_scatter with equal counts is
// MPI_Reduce_scatter_block.
#include <algorithm>
#include <cstddef>
#include <mpi.h>

#include "isotrope/pmpi/collective_call.hpp"
#include "isotrope/pmpi/interpose.hpp"
#include "isotrope/pmpi/starting.hpp"
#include "isotrope/pmpi/vector_call.hpp"

namespace isotrope::pmpi {
namespace {

using mpi::RankOf;
using mpi::VectorCollective;
using schedule::Collective;

// The call as a function of what is known of the communicator. `size_of` gets the number of ranks, `has_lists` this rank.
template <class SizeOf, class HasLists, class Make>
struct OnVector {
  VectorCollective kind;
  SizeOf size_of;
  HasLists has_lists;
  Make make;

  CallCollective collective() const { return VectorCall<Make>::collective_of(kind); }
  [[gnu::always_inline]] CallSize size(const Member& member) const { return size_of(member.size); }
  VectorCall<Make> operator()(const Member& member) const {
    const RankOf self{member.rank, member.size};
    return {kind, size(member), self, has_lists(self), make};
  }
};

template <class SizeOf, class HasLists, class Make>
[[gnu::always_inline]] inline auto on_vector(VectorCollective kind, SizeOf size_of, HasLists has_lists,
                                             Make make) {
  return OnVector<SizeOf, HasLists, Make>{kind, size_of, has_lists, make};
}

auto of_any_size() {
  return [](int) { return any_size(); };
}

// The reduction of blocks of equal or unequal sizes, whichever it is: the same on all ranks of a correct program.
template <class Count>
struct ReduceScatterCall {
  const void* send;
  void* recv;
  const Count* counts;
  MPI_Datatype type;
  MPI_Op op;
  RankOf self;

  bool has_equal_counts() const {
    return counts != nullptr &&
           std::all_of(counts, counts + self.ranks, [&](Count count) { return count == counts[0]; });
  }
  mpi::Arguments equal() const {
    return {Collective::reduce_scatter, {send, counts[0], type}, {recv, counts[0], type}, 0, op};
  }
  mpi::VectorArguments unequal() const { return mpi::reduce_scatter(self, send, recv, counts, type, op); }
};

template <class Count>
auto equal_call(const ReduceScatterCall<Count>& call) {
  return OnAny{call.equal()};
}

template <class Count>
auto unequal_call(const ReduceScatterCall<Count>& call) {
  return on_vector(
      VectorCollective::reduce_scatter, [=](int ranks) { return size_of_all(call.counts, call.type, ranks); },
      [=](RankOf) { return call.counts != nullptr; },
      [=](RankOf self) {
        return mpi::reduce_scatter(self, call.send, call.recv, call.counts, call.type, call.op);
      });
}

// Calls with_call(callable) of the kind that the counts ask for, or next() for calls of the runtime itself.
template <class Count, class Next, class WithCall>
int by_counts(const Next& next, MPI_Comm comm, ReduceScatterCall<Count> call, const WithCall& with_call) {
  if (ReentryGuard::is_active()) return next();
  {
    const ReentryGuard guard;
    const Member* const member = Session::of_process().member(comm);
    if (member != nullptr) call.self = {member->rank, member->size};
    // What is passed on anyway: counts of an intercommunicator are those of another group.
    if (member == nullptr || member->state == Member::State::passed_on) call.counts = nullptr;
  }
  return call.has_equal_counts() ? with_call(equal_call(call)) : with_call(unequal_call(call));
}

}  // namespace

SERVE(Scatterv, Iscatterv,
      (const void* send, const Count* send_counts, const Displacement* places, MPI_Datatype send_type,
       void* recv, Count recv_count, MPI_Datatype recv_type, int root, MPI_Comm comm),
      (send, send_counts, places, send_type, recv, recv_count, recv_type, root, comm),
      on_vector(
          VectorCollective::scatterv, of_any_size(),
          [=](RankOf self) { return self.rank != root || (send_counts != nullptr && places != nullptr); },
          [=](RankOf self) {
            return mpi::scatterv(self, send, send_counts, places, send_type, recv, recv_count, recv_type,
                                 root);
          }))

SERVE(Gatherv, Igatherv,
      (const void* send, Count send_count, MPI_Datatype send_type, void* recv, const Count* recv_counts,
       const Displacement* places, MPI_Datatype recv_type, int root, MPI_Comm comm),
      (send, send_count, send_type, recv, recv_counts, places, recv_type, root, comm),
      on_vector(
          VectorCollective::gatherv, of_any_size(),
          [=](RankOf self) { return self.rank != root || (recv_counts != nullptr && places != nullptr); },
          [=](RankOf self) {
            return mpi::gatherv(self, send, send_count, send_type, recv, recv_counts, places, recv_type,
                                root);
          }))

SERVE(Allgatherv, Iallgatherv,
      (const void* send, Count send_count, MPI_Datatype send_type, void* recv, const Count* recv_counts,
       const Displacement* places, MPI_Datatype recv_type, MPI_Comm comm),
      (send, send_count, send_type, recv, recv_counts, places, recv_type, comm),
      on_vector(
          VectorCollective::allgatherv, [=](int ranks) { return size_of_all(recv_counts, recv_type, ranks); },
          [=](RankOf) { return recv_counts != nullptr && places != nullptr; },
          [=](RankOf self) {
            return mpi::allgatherv(self, send, send_count, send_type, recv, recv_counts, places, recv_type);
          }))

SERVE(Alltoallv, Ialltoallv,
      (const void* send, const Count* send_counts, const Displacement* send_places, MPI_Datatype send_type,
       void* recv, const Count* recv_counts, const Displacement* recv_places, MPI_Datatype recv_type,
       MPI_Comm comm),
      (send, send_counts, send_places, send_type, recv, recv_counts, recv_places, recv_type, comm),
      on_vector(
          VectorCollective::alltoallv, of_any_size(),
          [=](RankOf) {
            return recv_counts != nullptr && recv_places != nullptr &&
                   (send == MPI_IN_PLACE || (send_counts != nullptr && send_places != nullptr));
          },
          [=](RankOf self) {
            return mpi::alltoallv(self, send, send_counts, send_places, send_type, recv, recv_counts,
                                  recv_places, recv_type);
          }))

SERVE(Alltoallw, Ialltoallw,
      (const void* send, const Count* send_counts, const Displacement* send_places,
       const MPI_Datatype* send_types, void* recv, const Count* recv_counts, const Displacement* recv_places,
       const MPI_Datatype* recv_types, MPI_Comm comm),
      (send, send_counts, send_places, send_types, recv, recv_counts, recv_places, recv_types, comm),
      on_vector(
          VectorCollective::alltoallw, of_any_size(),
          [=](RankOf) {
            return recv_counts != nullptr && recv_places != nullptr && recv_types != nullptr &&
                   (send == MPI_IN_PLACE ||
                    (send_counts != nullptr && send_places != nullptr && send_types != nullptr));
          },
          [=](RankOf self) {
            return mpi::alltoallw(self, send, send_counts, send_places, send_types, recv, recv_counts,
                                  recv_places, recv_types);
          }))

#define REDUCE_SCATTER_PARAMETERS \
  const void *send, void *recv, const Count *counts, MPI_Datatype type, MPI_Op op, MPI_Comm comm

INTERPOSE_COUNTED(Reduce_scatter, (REDUCE_SCATTER_PARAMETERS),
                  by_counts<Count>([&] { return next(send, recv, counts, type, op, comm); }, comm,
                                   {send, recv, counts, type, op, {}},
                                   [&](const auto& call_on) {
                                     return serve_or([&] { return next(send, recv, counts, type, op, comm); },
                                                     CallCounts::row("MPI_Reduce_scatter"), comm, call_on);
                                   }))

INTERPOSE_COUNTED(Ireduce_scatter, (REDUCE_SCATTER_PARAMETERS, MPI_Request* request),
                  by_counts<Count>([&] { return next(send, recv, counts, type, op, comm, request); }, comm,
                                   {send, recv, counts, type, op, {}},
                                   [&](const auto& call_on) {
                                     return start_or(
                                         [&] { return next(send, recv, counts, type, op, comm, request); },
                                         CallCounts::row("MPI_Ireduce_scatter"), comm, request, call_on);
                                   }))

INTERPOSE_COUNTED_INIT(
    Reduce_scatter, (REDUCE_SCATTER_PARAMETERS, MPI_Info info, MPI_Request* request),
    by_counts<Count>([&] { return next(send, recv, counts, type, op, comm, info, request); }, comm,
                     {send, recv, counts, type, op, {}},
                     [&](const auto& call_on) {
                       return prepare_or(
                           [&] { return next(send, recv, counts, type, op, comm, info, request); },
                           CallCounts::row("MPI_Reduce_scatter_init"), comm, request, call_on);
                     }))

}  // namespace isotrope::pmpi
