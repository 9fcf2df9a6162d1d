// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The MPI functions of the drop-in. The session begins after MPI_Init and ends before MPI_Finalize. Collectives are
// served on communicators with a known network, by the faster of the MPI library and Isotrope's plans (serving.hpp), and
// passed on to the MPI library otherwise.
//
// Calls with arguments that MPI rejects at once (a negative count, a root that is no rank, a datatype that is not
// committed, an operation that is not defined for it) are passed on too, so the program sees the error of the MPI library.
// The decision is the same on all ranks of a correct program.
#include <algorithm>
#include <cstddef>
#include <mpi.h>

#include "isotrope/mpi/arguments.hpp"
#include "isotrope/pmpi/interpose.hpp"
#include "isotrope/pmpi/passing_on.hpp"
#include "isotrope/pmpi/same_buffers.hpp"
#include "isotrope/pmpi/serving.hpp"
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

bool is_defined(const ReceiveBuffer& buffer, MPI_Op op) {
  return buffer.count >= 0 && buffer.type != MPI_DATATYPE_NULL && op != MPI_OP_NULL &&
         Session::of_process().accepts(buffer.type, op);
}

// The elements must follow each other in memory.
bool is_reducible(const ReceiveBuffer& buffer) {
  MPI_Aint lower = 0, extent = 0;
  return MPI_Type_get_extent(buffer.type, &lower, &extent) == MPI_SUCCESS && extent > 0;
}

bool is_valid(const Arguments& arguments, int rank, int ranks) {
  const auto& [collective, send, receive, root, op] = arguments;
  if (root < 0 || root >= ranks) return false;
  const bool at_root = rank == root;
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
      return is_defined(receive, op);
  }
}

constexpr MPI_Count unequal = -1;  // a count of blocks that differ in size

// A call of a collective (serving.hpp).
struct CollectiveCall {
  Arguments arguments;
  int rank = 0, ranks = 1;

  Collective collective() const { return arguments.collective; }
  // A barrier has the size of any type. The root's count of all blocks is not known on other ranks.
  CallSize size() const {
    const auto& [collective, send, receive, root, op] = arguments;
    if (collective == Collective::barrier) return {0, MPI_BYTE};
    if (root < 0 || root >= ranks) return {};
    const bool by_send = (collective == Collective::scatter && receive.in_place()) ||
                         (collective == Collective::gather && !send.in_place());
    return by_send ? CallSize{send.count, send.type} : CallSize{receive.count, receive.type};
  }
  bool is_refused() const {
    if (has_unequal_blocks()) return false;
    return !is_valid(arguments, rank, ranks) ||
           (has_same_buffers(arguments, rank) &&
            Session::of_process().refuses_same_buffers(arguments.collective, arguments.receive.count));
  }
  bool fits(const Communicator&) const {
    const bool has_elements =
        schedule::reduces(arguments.collective) && arguments.collective != Collective::barrier;
    return !has_unequal_blocks() && (!has_elements || is_reducible(arguments.receive));
  }
  bool has_unequal_blocks() const {
    return arguments.collective == Collective::reduce_scatter && arguments.receive.count == unequal;
  }
  int run(Communicator& serving) const { return serving.run(arguments); }
};

OpenCollectives::Owner owner_of(const ServedPointer& served) {
  return {served, &*served->communicator};
}

// Whether Isotrope carries out a call that is not blocking. Counts the call in that row.
bool takes(Member* member, const CollectiveCall& call, const MPI_Request* request, std::size_t row) {
  const bool result = member != nullptr && request != nullptr && leads(*member, call) && !call.is_refused() &&
                      call.fits(*member->served->communicator);
  Session::of_process().counts().count(row, result);
  return result;
}

// Starts a nonblocking collective, or else calls next(). The call must not wait for other ranks, so the ranks cannot
// find out together how `comm` is served.
template <class Next, class CallOn>
int start_or(const Next& next, std::size_t row, MPI_Comm comm, MPI_Request* request, const CallOn& call_on) {
  if (ReentryGuard::is_active()) return next();
  const ReentryGuard guard;
  Session& session = Session::of_process();
  Member* const member = session.member(comm);
  const CollectiveCall call = member != nullptr ? call_on(*member) : CollectiveCall{};
  if (takes(member, call, request, row))
    return session.open_collectives().open(owner_of(member->served), call.arguments, request);
  const int code = next();
  if (code == MPI_SUCCESS && member != nullptr && leads(*member, call))
    member->served->communicator->skip_call(call.collective());
  return code;
}

// Prepares a persistent collective, or else calls next(). The ranks may wait for each other.
template <class Next, class CallOn>
int prepare_or(const Next& next, std::size_t row, MPI_Comm comm, MPI_Request* request,
               const CallOn& call_on) {
  if (ReentryGuard::is_active()) return next();
  const ReentryGuard guard;
  Session& session = Session::of_process();
  Member* const member = session.member(comm);
  const CollectiveCall call = member != nullptr ? call_on(*member) : CollectiveCall{};
  if (member != nullptr && session.chooser() == Chooser::model && member->state == Member::State::unknown)
    serving_of(comm, *member, call);
  if (!takes(member, call, request, row)) return next();
  const ServedPointer own = session.served_again(comm, *member);
  if (!own) return next();
  return session.open_collectives().prepare(owner_of(own), call.arguments, request);
}

// The call with these arguments as a function of what is known of the communicator.
auto on_any(const Arguments& arguments) {
  return [=](const Member& member) { return CollectiveCall{arguments, member.rank, member.size}; };
}
template <class ArgumentsOn>
auto on_any(const ArgumentsOn& arguments_on) {
  return [=](const Member& member) { return CollectiveCall{arguments_on(member), member.rank, member.size}; };
}

// The common count of MPI_Reduce_scatter, which is `unequal` too if MPI refuses the counts.
template <class Count>
MPI_Count common_count(const Count* counts, const Member& member) {
  if (counts == nullptr) return unequal;
  const bool equal =
      std::all_of(counts, counts + member.size, [&](Count count) { return count == counts[0]; });
  return equal ? MPI_Count{counts[0]} : unequal;
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

INTERPOSE(Init, (int* argc, char*** argv), begin([&] {
            int provided = MPI_THREAD_SINGLE;
            return Session::wants_progress_thread()
                       ? MPI_Init_thread(argc, argv, MPI_THREAD_MULTIPLE, &provided)
                       : next(argc, argv);
          }))

INTERPOSE(Init_thread, (int* argc, char*** argv, int required, int* provided), begin([&] {
            return next(argc, argv, Session::wants_progress_thread() ? MPI_THREAD_MULTIPLE : required,
                        provided);
          }))

INTERPOSE(Finalize, (), finalize(next))

// Serves a collective with the arguments `...`: the blocking, the nonblocking and the persistent function.
// `forwarded` are the names of the parameters.
// NOLINTBEGIN(bugprone-macro-parentheses): a list of parameters is no expression
#define SERVE_BY(interpose, interpose_init, name, nonblocking_name, parameters, forwarded, ...)           \
  interpose(                                                                                              \
      name, parameters,                                                                                   \
      serve_or([&] { return next forwarded; }, CallCounts::row("MPI_" #name), comm, on_any(__VA_ARGS__))) \
      interpose(nonblocking_name, (UNWRAPPED parameters, MPI_Request * request),                          \
                start_or([&] { return next(UNWRAPPED forwarded, request); },                              \
                         CallCounts::row("MPI_" #nonblocking_name), comm, request, on_any(__VA_ARGS__)))  \
          interpose_init(                                                                                 \
              name, (UNWRAPPED parameters, MPI_Info info, MPI_Request * request),                         \
              prepare_or([&] { return next(UNWRAPPED forwarded, info, request); },                        \
                         CallCounts::row("MPI_" #name "_init"), comm, request, on_any(__VA_ARGS__)))
#define SERVE(...) SERVE_BY(INTERPOSE_COUNTED, INTERPOSE_COUNTED_INIT, __VA_ARGS__)
// NOLINTEND(bugprone-macro-parentheses)

SERVE(Bcast, Ibcast, (void* buffer, Count count, MPI_Datatype type, int root, MPI_Comm comm),
      (buffer, count, type, root, comm), {Collective::broadcast, {}, {buffer, count, type}, root})

SERVE(Scatter, Iscatter,
      (const void* send, Count send_count, MPI_Datatype send_type, void* recv, Count recv_count,
       MPI_Datatype recv_type, int root, MPI_Comm comm),
      (send, send_count, send_type, recv, recv_count, recv_type, root, comm),
      {Collective::scatter, {send, send_count, send_type}, {recv, recv_count, recv_type}, root})

SERVE(Gather, Igather,
      (const void* send, Count send_count, MPI_Datatype send_type, void* recv, Count recv_count,
       MPI_Datatype recv_type, int root, MPI_Comm comm),
      (send, send_count, send_type, recv, recv_count, recv_type, root, comm),
      {Collective::gather, {send, send_count, send_type}, {recv, recv_count, recv_type}, root})

SERVE(Allgather, Iallgather,
      (const void* send, Count send_count, MPI_Datatype send_type, void* recv, Count recv_count,
       MPI_Datatype recv_type, MPI_Comm comm),
      (send, send_count, send_type, recv, recv_count, recv_type, comm),
      {Collective::allgather, {send, send_count, send_type}, {recv, recv_count, recv_type}})

SERVE(Alltoall, Ialltoall,
      (const void* send, Count send_count, MPI_Datatype send_type, void* recv, Count recv_count,
       MPI_Datatype recv_type, MPI_Comm comm),
      (send, send_count, send_type, recv, recv_count, recv_type, comm),
      {Collective::alltoall, {send, send_count, send_type}, {recv, recv_count, recv_type}})

SERVE(Reduce, Ireduce,
      (const void* send, void* recv, Count count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm),
      (send, recv, count, type, op, root, comm),
      {Collective::reduce, {send, count, type}, {recv, count, type}, root, op})

SERVE(Allreduce, Iallreduce,
      (const void* send, void* recv, Count count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
      (send, recv, count, type, op, comm),
      {Collective::allreduce, {send, count, type}, {recv, count, type}, 0, op})

SERVE(Reduce_scatter_block, Ireduce_scatter_block,
      (const void* send, void* recv, Count count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
      (send, recv, count, type, op, comm),
      {Collective::reduce_scatter, {send, count, type}, {recv, count, type}, 0, op})

// Served if all blocks have the same size.
SERVE(Reduce_scatter, Ireduce_scatter,
      (const void* send, void* recv, const Count* counts, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
      (send, recv, counts, type, op, comm), [=](const Member& member) {
        const MPI_Count count = common_count(counts, member);
        return Arguments{Collective::reduce_scatter, {send, count, type}, {recv, count, type}, 0, op};
      })

SERVE(Scan, Iscan, (const void* send, void* recv, Count count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
      (send, recv, count, type, op, comm),
      {Collective::scan, {send, count, type}, {recv, count, type}, 0, op})

SERVE(Exscan, Iexscan,
      (const void* send, void* recv, Count count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
      (send, recv, count, type, op, comm),
      {Collective::exscan, {send, count, type}, {recv, count, type}, 0, op})

SERVE_BY(INTERPOSE, INTERPOSE_INIT, Barrier, Ibarrier, (MPI_Comm comm), (comm), {Collective::barrier})

// Collectives with blocks of different sizes are counted and passed on.

PASS_ON(Scatterv, Iscatterv,
        (const void* send, const Count* send_counts, const Displacement* places, MPI_Datatype send_type,
         void* recv, Count recv_count, MPI_Datatype recv_type, int root, MPI_Comm comm),
        (send, send_counts, places, send_type, recv, recv_count, recv_type, root, comm))

PASS_ON(Gatherv, Igatherv,
        (const void* send, Count send_count, MPI_Datatype send_type, void* recv, const Count* recv_counts,
         const Displacement* places, MPI_Datatype recv_type, int root, MPI_Comm comm),
        (send, send_count, send_type, recv, recv_counts, places, recv_type, root, comm))

PASS_ON(Allgatherv, Iallgatherv,
        (const void* send, Count send_count, MPI_Datatype send_type, void* recv, const Count* recv_counts,
         const Displacement* places, MPI_Datatype recv_type, MPI_Comm comm),
        (send, send_count, send_type, recv, recv_counts, places, recv_type, comm))

PASS_ON(Alltoallv, Ialltoallv,
        (const void* send, const Count* send_counts, const Displacement* send_places, MPI_Datatype send_type,
         void* recv, const Count* recv_counts, const Displacement* recv_places, MPI_Datatype recv_type,
         MPI_Comm comm),
        (send, send_counts, send_places, send_type, recv, recv_counts, recv_places, recv_type, comm))

PASS_ON(Alltoallw, Ialltoallw,
        (const void* send, const Count* send_counts, const Displacement* send_places,
         const MPI_Datatype* send_types, void* recv, const Count* recv_counts,
         const Displacement* recv_places, const MPI_Datatype* recv_types, MPI_Comm comm),
        (send, send_counts, send_places, send_types, recv, recv_counts, recv_places, recv_types, comm))

}  // namespace isotrope::pmpi
