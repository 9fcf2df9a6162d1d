// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The MPI functions that wait for other ranks and have no nonblocking form, or one that does not match the blocking
// form on another rank. The open collectives of the drop-in cannot advance inside: they are completed before.
//
// If reductions must be reproducible, communicators are served as soon as they are created (Session::serve_new).
//
// So a rank waits in such a call for ranks that start the collective after it. ISOTROPE_PROGRESS=thread avoids this.
#include <mpi.h>

#include "isotrope/pmpi/interpose.hpp"
#include "isotrope/pmpi/session.hpp"

namespace isotrope::pmpi {
namespace {

template <class Direct>
int after_completing(const Direct& direct) {
  if (OpenCollectives::any() && !ReentryGuard::is_active()) {
    const ReentryGuard guard;
    Session::of_process().prepare_to_block();
  }
  return direct();
}

// A communicator that the call has created may be served at once.
template <class Direct>
int creating(MPI_Comm* result, const Direct& direct) {
  const int code = after_completing(direct);
  Session& session = Session::of_process();
  if (code != MPI_SUCCESS || !session.is_reproducible() || *result == MPI_COMM_NULL ||
      ReentryGuard::is_active())
    return code;
  const ReentryGuard guard;
  session.serve_new(*result);
  return code;
}

}  // namespace

// `forwarded` are the names of the parameters.
// NOLINTNEXTLINE(bugprone-macro-parentheses): a list of parameters is no expression
#define COMPLETE_FIRST(name, parameters, forwarded) \
  INTERPOSE(name, parameters, after_completing([&] { return next forwarded; }))
// Of a function that creates the communicator `*result`.
// NOLINTNEXTLINE(bugprone-macro-parentheses)
#define CREATE(name, parameters, forwarded) \
  INTERPOSE(name, parameters, creating(result, [&] { return next forwarded; }))

CREATE(Comm_dup, (MPI_Comm comm, MPI_Comm* result), (comm, result))
CREATE(Comm_dup_with_info, (MPI_Comm comm, MPI_Info info, MPI_Comm* result), (comm, info, result))
CREATE(Comm_split, (MPI_Comm comm, int color, int key, MPI_Comm* result), (comm, color, key, result))
CREATE(Comm_split_type, (MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm* result),
       (comm, type, key, info, result))
CREATE(Comm_create, (MPI_Comm comm, MPI_Group group, MPI_Comm* result), (comm, group, result))
CREATE(Comm_create_group, (MPI_Comm comm, MPI_Group group, int tag, MPI_Comm* result),
       (comm, group, tag, result))
COMPLETE_FIRST(Comm_disconnect, (MPI_Comm * comm), (comm))
CREATE(Cart_create,
       (MPI_Comm comm, int dimensions, const int* extents, const int* periods, int reorder, MPI_Comm* result),
       (comm, dimensions, extents, periods, reorder, result))
CREATE(Cart_sub, (MPI_Comm comm, const int* kept, MPI_Comm* result), (comm, kept, result))
CREATE(Graph_create,
       (MPI_Comm comm, int nodes, const int* index, const int* edges, int reorder, MPI_Comm* result),
       (comm, nodes, index, edges, reorder, result))
CREATE(Dist_graph_create,
       (MPI_Comm comm, int count, const int* sources, const int* degrees, const int* targets,
        const int* weights, MPI_Info info, int reorder, MPI_Comm* result),
       (comm, count, sources, degrees, targets, weights, info, reorder, result))
CREATE(Dist_graph_create_adjacent,
       (MPI_Comm comm, int in, const int* sources, const int* in_weights, int out, const int* targets,
        const int* out_weights, MPI_Info info, int reorder, MPI_Comm* result),
       (comm, in, sources, in_weights, out, targets, out_weights, info, reorder, result))
COMPLETE_FIRST(Intercomm_create,
               (MPI_Comm local, int leader, MPI_Comm peer, int remote_leader, int tag, MPI_Comm* result),
               (local, leader, peer, remote_leader, tag, result))
CREATE(Intercomm_merge, (MPI_Comm comm, int high, MPI_Comm* result), (comm, high, result))
COMPLETE_FIRST(Comm_spawn,
               (const char* command, char** arguments, int most, MPI_Info info, int root, MPI_Comm comm,
                MPI_Comm* result, int* codes),
               (command, arguments, most, info, root, comm, result, codes))
COMPLETE_FIRST(Comm_spawn_multiple,
               (int count, char** commands, char*** arguments, const int* most, const MPI_Info* infos,
                int root, MPI_Comm comm, MPI_Comm* result, int* codes),
               (count, commands, arguments, most, infos, root, comm, result, codes))
COMPLETE_FIRST(Comm_accept, (const char* port, MPI_Info info, int root, MPI_Comm comm, MPI_Comm* result),
               (port, info, root, comm, result))
COMPLETE_FIRST(Comm_connect, (const char* port, MPI_Info info, int root, MPI_Comm comm, MPI_Comm* result),
               (port, info, root, comm, result))
COMPLETE_FIRST(Comm_join, (int socket, MPI_Comm* result), (socket, result))

// Messages that were buffered are delivered first.
COMPLETE_FIRST(Buffer_detach, (void* buffer, int* size), (buffer, size))

COMPLETE_FIRST(Win_create,
               (void* base, MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, MPI_Win* window),
               (base, size, unit, info, comm, window))
COMPLETE_FIRST(Win_allocate,
               (MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void* base, MPI_Win* window),
               (size, unit, info, comm, base, window))
COMPLETE_FIRST(Win_allocate_shared,
               (MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void* base, MPI_Win* window),
               (size, unit, info, comm, base, window))
COMPLETE_FIRST(Win_create_dynamic, (MPI_Info info, MPI_Comm comm, MPI_Win* window), (info, comm, window))
COMPLETE_FIRST(Win_free, (MPI_Win * window), (window))
COMPLETE_FIRST(Win_fence, (int assert, MPI_Win window), (assert, window))
COMPLETE_FIRST(Win_start, (MPI_Group group, int assert, MPI_Win window), (group, assert, window))
COMPLETE_FIRST(Win_complete, (MPI_Win window), (window))
COMPLETE_FIRST(Win_wait, (MPI_Win window), (window))

COMPLETE_FIRST(File_open, (MPI_Comm comm, const char* name, int mode, MPI_Info info, MPI_File* file),
               (comm, name, mode, info, file))
COMPLETE_FIRST(File_close, (MPI_File * file), (file))
COMPLETE_FIRST(File_set_view,
               (MPI_File file, MPI_Offset offset, MPI_Datatype element, MPI_Datatype type,
                const char* representation, MPI_Info info),
               (file, offset, element, type, representation, info))
COMPLETE_FIRST(File_set_size, (MPI_File file, MPI_Offset size), (file, size))
COMPLETE_FIRST(File_preallocate, (MPI_File file, MPI_Offset size), (file, size))
COMPLETE_FIRST(File_sync, (MPI_File file), (file))
COMPLETE_FIRST(File_read_all, (MPI_File file, void* buffer, int count, MPI_Datatype type, MPI_Status* status),
               (file, buffer, count, type, status))
COMPLETE_FIRST(File_write_all,
               (MPI_File file, const void* buffer, int count, MPI_Datatype type, MPI_Status* status),
               (file, buffer, count, type, status))
COMPLETE_FIRST(File_read_at_all,
               (MPI_File file, MPI_Offset offset, void* buffer, int count, MPI_Datatype type,
                MPI_Status* status),
               (file, offset, buffer, count, type, status))
COMPLETE_FIRST(File_write_at_all,
               (MPI_File file, MPI_Offset offset, const void* buffer, int count, MPI_Datatype type,
                MPI_Status* status),
               (file, offset, buffer, count, type, status))
COMPLETE_FIRST(File_read_ordered,
               (MPI_File file, void* buffer, int count, MPI_Datatype type, MPI_Status* status),
               (file, buffer, count, type, status))
COMPLETE_FIRST(File_write_ordered,
               (MPI_File file, const void* buffer, int count, MPI_Datatype type, MPI_Status* status),
               (file, buffer, count, type, status))

}  // namespace isotrope::pmpi
