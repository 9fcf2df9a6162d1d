// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The MPI functions that test and wait. While collectives of the drop-in are open, all of them advance here; a
// function that blocks becomes a loop of its nonblocking form. Otherwise the function of the MPI library is called at
// once.
//
// A look of the MPI library at messages that have not come costs a pause where ranks share cores. So open collectives advance first, and
// the library is not asked for requests among which one of them is open.
//
// Cost while nothing is open: one relaxed atomic load per call.
#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <mpi.h>
#include <type_traits>
#include <vector>

#include "isotrope/mpi/associativity.hpp"
#include "isotrope/mpi/type_constructor.hpp"
#include "isotrope/pmpi/interpose.hpp"
#include "isotrope/pmpi/session.hpp"

namespace isotrope::pmpi {
namespace {

// In a function by INTERPOSE_COUNTED: the function of that name for its counts.
#if MPI_VERSION >= 4
template <class Count, auto of_int, auto of_count>
constexpr auto counted() {
  if constexpr (std::is_same_v<Count, int>) {
    return of_int;
  } else {
    return of_count;
  }
}
#define COUNTED(name) counted<Count, PMPI_##name, PMPI_##name##_c>()
#else
#define COUNTED(name) PMPI_##name
#endif

bool is_idle() {
  return !OpenCollectives::any() || ReentryGuard::is_active();
}

void advance() {
  Session::of_process().open_collectives().advance();
}

// Calls `direct` after one step of the open collectives.
template <class Direct>
int after_advancing(const Direct& direct) {
  if (is_idle()) return direct();
  const ReentryGuard guard;
  advance();
  return direct();
}

// Calls try_once(done) again and again while collectives are open, until it sets `done`; then `direct`, which blocks.
template <class Direct, class TryOnce>
int advance_until_done(const Direct& direct, const TryOnce& try_once) {
  const ReentryGuard guard;
  for (;;) {
    advance();
    if (!OpenCollectives::any()) return direct();
    int done = 0;
    const int code = try_once(&done);
    if (done == 0 && code == MPI_SUCCESS) continue;
    Session::of_process().open_collectives().report_failures();
    return code;
  }
}

// Whether one of the requests is an open collective.
bool wait_for_ours(const MPI_Request* requests, int count) {
  return requests != nullptr && count > 0 &&
         Session::of_process().open_collectives().is_open(requests, count);
}

template <class Direct, class TryOnce>
int until_done(const Direct& direct, const TryOnce& try_once) {
  return is_idle() ? direct() : advance_until_done(direct, try_once);
}

// Waits for a request while collectives are open.
int wait_for(MPI_Request& request) {
  return advance_until_done([&] { return PMPI_Wait(&request, MPI_STATUS_IGNORE); },
                            [&](int* done) { return PMPI_Test(&request, done, MPI_STATUS_IGNORE); });
}

// Calls `direct`, which blocks, or while collectives are open begins the same by `post` and waits for it.
template <class Direct, class Post>
int as_request(const Direct& direct, const Post& post) {
  if (is_idle()) return direct();
  const ReentryGuard guard;
  MPI_Request request = MPI_REQUEST_NULL;
  if (const int code = post(&request); code != MPI_SUCCESS) return code;
  return wait_for(request);
}

// Whether a message may have more bytes than its type of counts can tell.
template <class Count>
bool is_long(Count count, MPI_Datatype type) {
  if (!std::is_same_v<Count, int> || count <= 0 || type == MPI_DATATYPE_NULL) return false;
  MPI_Count size = 0;
  return PMPI_Type_size_x(type, &size) == MPI_SUCCESS && size > std::numeric_limits<int>::max() / count;
}

// A message that is to be received.
template <class Count>
struct Incoming {
  void* buffer;
  Count count;
  MPI_Datatype type;
  int source, tag;
  MPI_Comm comm;
  MPI_Status* status;

  // Whether a message is longer than the buffer, or there is none.
  bool is_exceeded_by(const MPI_Status& message) const {
    if (count < 0 || type == MPI_DATATYPE_NULL) return true;
    MPI_Count bytes = 0, size = 0;
    PMPI_Get_elements_x(&message, MPI_BYTE, &bytes);
    return PMPI_Type_size_x(type, &size) == MPI_SUCCESS && size > 0 &&
           bytes > size * static_cast<MPI_Count>(count);
  }
};

// Whether another thread may receive a message that this one has seen.
template <class Count>
bool is_contested(const Incoming<Count>& incoming, const MPI_Status& seen) {
  // What is too long is an error, which the library tells to the right handler only if it is received directly (MPICH 4.0.2).
  return Session::of_process().is_threaded() && OpenCollectives::any() && incoming.source != MPI_PROC_NULL &&
         !incoming.is_exceeded_by(seen);
}

// Receives a message by `direct` when it is there, or no collective is open. A nonblocking receive in its place would tell its
// errors to the handler of MPI_COMM_WORLD, and what comes from MPI_PROC_NULL another status (MPICH 4.0.2). A contested message is
// taken first.
template <class Count, class Direct>
int receive_when_there(const Direct& direct, const Incoming<Count>& incoming) {
  const auto& [buffer, count, type, source, tag, comm, status] = incoming;
  for (;;) {
    MPI_Status seen{};
    const int awaited = advance_until_done(
        [] { return MPI_SUCCESS; },
        [&](int* done) { return PMPI_Iprobe(incoming.source, incoming.tag, incoming.comm, done, &seen); });
    if (awaited != MPI_SUCCESS) return awaited;
    if (!is_contested(incoming, seen)) return direct();
    MPI_Message message = MPI_MESSAGE_NULL;
    int is_taken = 0;
    if (const int code = PMPI_Improbe(source, tag, comm, &is_taken, &message, &seen); code != MPI_SUCCESS)
      return code;
    if (is_taken != 0) return COUNTED(Mrecv)(buffer, count, type, &message, status);
  }
}

// A message sent and a message received, while collectives are open. What MPI refuses is refused before anything is sent.
template <class Count, class Send>
int exchange(const Incoming<Count>& incoming, const Send& post_send) {
  const auto& [buffer, count, type, source, tag, comm, status] = incoming;
  const ReentryGuard guard;
  MPI_Request checked = MPI_REQUEST_NULL, sent = MPI_REQUEST_NULL;
  int code = COUNTED(Irecv)(buffer, count, type, MPI_PROC_NULL, tag, comm, &checked);
  if (code != MPI_SUCCESS) return code;
  PMPI_Wait(&checked, MPI_STATUS_IGNORE);
  int is_there = 0;
  code = PMPI_Iprobe(source, tag, comm, &is_there, MPI_STATUS_IGNORE);
  if (code != MPI_SUCCESS) return code;
  code = post_send(&sent);
  if (code != MPI_SUCCESS) return code;
  const auto direct = [&] {
    return COUNTED(Recv)(incoming.buffer, incoming.count, incoming.type, incoming.source, incoming.tag,
                         incoming.comm, incoming.status);
  };
  const int received = receive_when_there(direct, incoming);
  code = wait_for(sent);
  return code != MPI_SUCCESS ? code : received;
}

// ---- handles of the drop-in

// Whether the program may have given a handle that a collective of the drop-in has or uses. The library refuses a null
// pointer.
template <class Handle>
bool may_be_ours(const Handle* handle) {
  return OpenCollectives::exist() && handle != nullptr && !ReentryGuard::is_active();
}

template <class Direct>
int start_all(const Direct& direct, int count, MPI_Request* requests) {
  if (!may_be_ours(requests)) return direct();
  const ReentryGuard guard;
  OpenCollectives& open = Session::of_process().open_collectives();
  const std::vector<MPI_Request> before(requests, requests + std::max(count, 0));
  int code = direct();
  if (code != MPI_SUCCESS) return code;
  for (std::size_t i = 0; i < before.size(); ++i) {
    const int one = open.start(before[i], requests[i]);
    if (code == MPI_SUCCESS) code = one;
  }
  open.advance();
  return code;
}

template <class Direct>
int free_request(const Direct& direct, MPI_Request* request) {
  if (!may_be_ours(request)) return direct();
  const ReentryGuard guard;
  Session::of_process().open_collectives().free(*request);
  return direct();
}

// Calls `direct`, which frees `handle`, or sets it to `null` if an open collective must free it later.
template <class Direct, class Handle, class Postpones>
int free_later(const Direct& direct, Handle* handle, Handle null, const Postpones& postpones) {
  if (!may_be_ours(handle)) return direct();
  const ReentryGuard guard;
  if (!postpones(Session::of_process().open_collectives(), *handle)) return direct();
  *handle = null;
  return MPI_SUCCESS;
}

}  // namespace

// ---- requests

INTERPOSE(Wait, (MPI_Request * request, MPI_Status* status),
          until_done([&] { return next(request, status); },
                     [&](int* done) {
                       return wait_for_ours(request, 1) ? MPI_SUCCESS : PMPI_Test(request, done, status);
                     }))

INTERPOSE(Waitall, (int count, MPI_Request* requests, MPI_Status* statuses),
          until_done([&] { return next(count, requests, statuses); },
                     [&](int* done) {
                       return wait_for_ours(requests, count) ? MPI_SUCCESS
                                                             : PMPI_Testall(count, requests, done, statuses);
                     }))

INTERPOSE(Waitany, (int count, MPI_Request* requests, int* index, MPI_Status* status),
          until_done([&] { return next(count, requests, index, status); },
                     [&](int* done) { return PMPI_Testany(count, requests, index, done, status); }))

INTERPOSE(Waitsome, (int count, MPI_Request* requests, int* completed, int* indices, MPI_Status* statuses),
          until_done([&] { return next(count, requests, completed, indices, statuses); },
                     [&](int* done) {
                       const int code = PMPI_Testsome(count, requests, completed, indices, statuses);
                       *done = *completed;  // MPI_UNDEFINED is not 0
                       return code;
                     }))

INTERPOSE(Test, (MPI_Request * request, int* flag, MPI_Status* status),
          after_advancing([&] { return next(request, flag, status); }))

INTERPOSE(Testall, (int count, MPI_Request* requests, int* flag, MPI_Status* statuses),
          after_advancing([&] { return next(count, requests, flag, statuses); }))

INTERPOSE(Testany, (int count, MPI_Request* requests, int* index, int* flag, MPI_Status* status),
          after_advancing([&] { return next(count, requests, index, flag, status); }))

INTERPOSE(Testsome, (int count, MPI_Request* requests, int* completed, int* indices, MPI_Status* statuses),
          after_advancing([&] { return next(count, requests, completed, indices, statuses); }))

INTERPOSE(Request_get_status, (MPI_Request request, int* flag, MPI_Status* status),
          after_advancing([&] { return next(request, flag, status); }))

INTERPOSE(Win_test, (MPI_Win window, int* flag), after_advancing([&] { return next(window, flag); }))

INTERPOSE(Start, (MPI_Request * request), start_all([&] { return next(request); }, 1, request))

INTERPOSE(Startall, (int count, MPI_Request* requests),
          start_all([&] { return next(count, requests); }, count, requests))

INTERPOSE(Request_free, (MPI_Request * request), free_request([&] { return next(request); }, request))

INTERPOSE(Type_free, (MPI_Datatype * type),
          free_later([&] { return next(type); }, type, MPI_DATATYPE_NULL,
                     [](OpenCollectives& open, MPI_Datatype freed) {
                       return freed != MPI_DATATYPE_NULL && !mpi::is_predefined(freed) &&
                              open.postpones_type(freed);
                     }))

INTERPOSE(Op_free, (MPI_Op * op),
          free_later([&] { return next(op); }, op, MPI_OP_NULL,
                     [](OpenCollectives& open, MPI_Op freed) {
                       return mpi::predefined_number(freed) <= 0 && open.postpones_op(freed);
                     }))

// ---- messages

INTERPOSE(Iprobe, (int source, int tag, MPI_Comm comm, int* flag, MPI_Status* status),
          after_advancing([&] { return next(source, tag, comm, flag, status); }))

INTERPOSE(Improbe, (int source, int tag, MPI_Comm comm, int* flag, MPI_Message* message, MPI_Status* status),
          after_advancing([&] { return next(source, tag, comm, flag, message, status); }))

INTERPOSE(Probe, (int source, int tag, MPI_Comm comm, MPI_Status* status),
          until_done([&] { return next(source, tag, comm, status); },
                     [&](int* done) { return PMPI_Iprobe(source, tag, comm, done, status); }))

INTERPOSE(Mprobe, (int source, int tag, MPI_Comm comm, MPI_Message* message, MPI_Status* status),
          until_done([&] { return next(source, tag, comm, message, status); },
                     [&](int* done) { return PMPI_Improbe(source, tag, comm, done, message, status); }))

INTERPOSE_COUNTED(
    Recv,
    (void* buffer, Count count, MPI_Datatype type, int source, int tag, MPI_Comm comm, MPI_Status* status),
    ([&] {
      const auto direct = [&] { return next(buffer, count, type, source, tag, comm, status); };
      if (is_idle() || comm == MPI_COMM_NULL) return direct();
      return receive_when_there(direct, Incoming<Count>{buffer, count, type, source, tag, comm, status});
    }()))

// The message is there.
INTERPOSE_COUNTED(Mrecv,
                  (void* buffer, Count count, MPI_Datatype type, MPI_Message* message, MPI_Status* status),
                  after_advancing([&] { return next(buffer, count, type, message, status); }))

#define SEND(name, nonblocking_name)                                                                  \
  INTERPOSE_COUNTED(                                                                                  \
      name, (const void* buffer, Count count, MPI_Datatype type, int target, int tag, MPI_Comm comm), \
      as_request([&] { return next(buffer, count, type, target, tag, comm); },                        \
                 [&](MPI_Request* request) {                                                          \
                   return COUNTED(nonblocking_name)(buffer, count, type, target, tag, comm, request); \
                 }))
SEND(Send, Isend)
SEND(Ssend, Issend)
SEND(Rsend, Irsend)

INTERPOSE_COUNTED(Sendrecv,
                  (const void* send, Count send_count, MPI_Datatype send_type, int target, int send_tag,
                   void* receive, Count receive_count, MPI_Datatype receive_type, int source, int receive_tag,
                   MPI_Comm comm, MPI_Status* status),
                  ([&] {
                    if (is_idle() || comm == MPI_COMM_NULL)
                      return next(send, send_count, send_type, target, send_tag, receive, receive_count,
                                  receive_type, source, receive_tag, comm, status);
                    return exchange(Incoming<Count>{receive, receive_count, receive_type, source, receive_tag,
                                                    comm, status},
                                    [&](MPI_Request* request) {
                                      return COUNTED(Isend)(send, send_count, send_type, target, send_tag,
                                                            comm, request);
                                    });
                  }()))

// What is sent is packed first: it is received into the same buffer. Sizes of packs are of the type of the counts, so a
// long message is left to the library.
INTERPOSE_COUNTED(
    Sendrecv_replace,
    (void* buffer, Count count, MPI_Datatype type, int target, int send_tag, int source, int receive_tag,
     MPI_Comm comm, MPI_Status* status),
    ([&] {
      const auto direct = [&] {
        return next(buffer, count, type, target, send_tag, source, receive_tag, comm, status);
      };
      if (is_idle() || comm == MPI_COMM_NULL) return direct();
      if (is_long(count, type)) {
        Session::of_process().prepare_to_block();
        return direct();
      }
      std::vector<std::byte> packed;
      return exchange(
          Incoming<Count>{buffer, count, type, source, receive_tag, comm, status}, [&](MPI_Request* request) {
            Count bytes = 0, used = 0;
            if (const int code = COUNTED(Pack_size)(count, type, comm, &bytes); code != MPI_SUCCESS)
              return code;
            // Open MPI refuses a null pointer, also for nothing.
            packed.resize(static_cast<std::size_t>(std::max<Count>(bytes, 1)));
            const int code = COUNTED(Pack)(buffer, count, type, packed.data(), bytes, &used, comm);
            if (code != MPI_SUCCESS) return code;
            return COUNTED(Isend)(packed.data(), used, MPI_PACKED, target, send_tag, comm, request);
          });
    }()))

}  // namespace isotrope::pmpi
