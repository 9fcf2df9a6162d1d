// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The MPI functions that wait for other ranks and have no nonblocking form. Some have one, but another rank may call the
// blocking form, which does not match it. The open collectives of the drop-in cannot advance inside: they are completed before.
// Locks of windows are not among them: a rank that waits there for a collective could hold the lock that the collective waits for.
//
// If reductions must be reproducible, communicators are served as soon as they are created (Session::serve_new).
//
// MPI_Cart_create with reorder places the ranks (grid_placing.hpp), and MPI_Cart_map tells a rank its place there.
//
// So a rank waits in such a call for ranks that start the collective after it. ISOTROPE_PROGRESS=thread avoids this.
#include <cstddef>
#include <cstdint>
#include <mpi.h>
#include <optional>
#include <span>
#include <vector>

#include "isotrope/mpi/topology.hpp"
#include "isotrope/pmpi/being_freed.hpp"
#include "isotrope/pmpi/grid_placing.hpp"
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

// The program's callbacks may call collectives on the communicator meanwhile: they go to the library.
template <class Free>
int freeing(const MPI_Comm* comm, const Free& free) {
  const BeingFreed freed(comm != nullptr ? *comm : MPI_COMM_NULL);
  Session::forget_last_member();
  return free();
}

// The grid of arguments that MPI accepts; the library reports what is wrong with others.
std::optional<std::vector<graph::GridAxis>> grid_of(int dimensions, const int* extents, const int* periods) {
  if (dimensions < 1 || extents == nullptr || periods == nullptr) return std::nullopt;
  std::vector<graph::GridAxis> grid;
  for (int axis = 0; axis < dimensions; ++axis) {
    if (extents[axis] < 1) return std::nullopt;
    grid.push_back({static_cast<network::Coordinate>(extents[axis]), periods[axis] != 0});
  }
  return grid;
}

// Of this rank; MPI_UNDEFINED if the grid has no place for it.
int place_in_grid(MPI_Comm comm, const GridOrder& order, std::span<const graph::GridAxis> grid) {
  std::int64_t size = 1;
  for (const graph::GridAxis& axis : grid) size *= axis.extent;
  const int place = order.ranks[static_cast<std::size_t>(mpi::rank_in(comm))];
  return place < size ? place : MPI_UNDEFINED;
}

// A split gives every rank its place in the grid, and the library makes the topology of ranks in this order.
template <class Create>
int create_reordered(MPI_Comm comm, const GridOrder& order, std::span<const graph::GridAxis> grid,
                     MPI_Comm* result, const Create& create) {
  const int place = place_in_grid(comm, order, grid);
  MPI_Comm placed = MPI_COMM_NULL;
  const int code = PMPI_Comm_split(comm, place == MPI_UNDEFINED ? MPI_UNDEFINED : 0, place, &placed);
  if (code != MPI_SUCCESS) return code;
  *result = MPI_COMM_NULL;
  if (placed == MPI_COMM_NULL) return MPI_SUCCESS;
  const int created = create(placed);
  PMPI_Comm_free(&placed);
  return created;
}

// @param create makes the communicator of ranks in the order of a communicator
template <class Direct, class Create>
int create_grid(MPI_Comm comm, int dimensions, const int* extents, const int* periods, int reorder,
                MPI_Comm* result, const Direct& direct, const Create& create) {
  if (reorder == 0 || comm == MPI_COMM_NULL || result == nullptr || ReentryGuard::is_active())
    return direct();
  const ReentryGuard guard;
  Session& session = Session::of_process();
  const auto nodes = session.whole_network_of(comm);
  const auto grid = grid_of(dimensions, extents, periods);
  const auto order = nodes && grid ? agreed_grid_order(comm, *nodes, *grid) : std::nullopt;
  session.grids().count(order ? &*order : nullptr);
  return order ? create_reordered(comm, *order, *grid, result, create) : direct();
}

// The rank that create_grid() with reorder gives this process. Sends nothing: every rank finds the order that the first one
// proposes there, as the search is the same.
template <class Direct>
int map_to_grid(MPI_Comm comm, int dimensions, const int* extents, const int* periods, int* rank,
                const Direct& direct) {
  if (comm == MPI_COMM_NULL || rank == nullptr || ReentryGuard::is_active()) return direct();
  const ReentryGuard guard;
  const auto nodes = Session::of_process().whole_network_of(comm);
  const auto grid = grid_of(dimensions, extents, periods);
  const auto order = nodes && grid ? better_grid_order(*nodes, *grid) : std::nullopt;
  if (!order) return direct();
  *rank = place_in_grid(comm, *order, *grid);
  return MPI_SUCCESS;
}

}  // namespace

// `forwarded` are the names of the parameters.
// NOLINTNEXTLINE(bugprone-macro-parentheses): a list of parameters is no expression
#define COMPLETE_FIRST(name, parameters, forwarded) \
  INTERPOSE(name, parameters, after_completing([&] { return next forwarded; }))
#define COMPLETE_FIRST_COUNTED(name, parameters, forwarded) \
  INTERPOSE_COUNTED(name, parameters, after_completing([&] { return next forwarded; }))
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
#if MPI_VERSION >= 4
CREATE(Comm_create_from_group,
       (MPI_Group group, const char* tag, MPI_Info info, MPI_Errhandler handler, MPI_Comm* result),
       (group, tag, info, handler, result))
#endif
INTERPOSE(Comm_free, (MPI_Comm * comm), freeing(comm, [&] { return next(comm); }))
INTERPOSE(Comm_disconnect, (MPI_Comm * comm),
          after_completing([&] { return freeing(comm, [&] { return next(comm); }); }))
INTERPOSE(Cart_create,
          (MPI_Comm comm, int dimensions, const int* extents, const int* periods, int reorder,
           MPI_Comm* result),
          creating(result, [&] {
            return create_grid(
                comm, dimensions, extents, periods, reorder, result,
                [&] { return next(comm, dimensions, extents, periods, reorder, result); },
                [&](MPI_Comm placed) { return next(placed, dimensions, extents, periods, 0, result); });
          }))
INTERPOSE(Cart_map, (MPI_Comm comm, int dimensions, const int* extents, const int* periods, int* rank),
          map_to_grid(comm, dimensions, extents, periods, rank,
                      [&] { return next(comm, dimensions, extents, periods, rank); }))
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
COMPLETE_FIRST_COUNTED(Buffer_detach, (void* buffer, Count* size), (buffer, size))

COMPLETE_FIRST_COUNTED(Win_create,
                       (void* base, MPI_Aint size, Displacement unit, MPI_Info info, MPI_Comm comm,
                        MPI_Win* window),
                       (base, size, unit, info, comm, window))
COMPLETE_FIRST_COUNTED(Win_allocate,
                       (MPI_Aint size, Displacement unit, MPI_Info info, MPI_Comm comm, void* base,
                        MPI_Win* window),
                       (size, unit, info, comm, base, window))
COMPLETE_FIRST_COUNTED(Win_allocate_shared,
                       (MPI_Aint size, Displacement unit, MPI_Info info, MPI_Comm comm, void* base,
                        MPI_Win* window),
                       (size, unit, info, comm, base, window))
COMPLETE_FIRST(Win_create_dynamic, (MPI_Info info, MPI_Comm comm, MPI_Win* window), (info, comm, window))
COMPLETE_FIRST(Win_set_info, (MPI_Win window, MPI_Info info), (window, info))
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
COMPLETE_FIRST(File_seek_shared, (MPI_File file, MPI_Offset offset, int whence), (file, offset, whence))
COMPLETE_FIRST(File_sync, (MPI_File file), (file))
// A split access begins and ends together too.
#define READ_TOGETHER(name)                                                                                  \
  COMPLETE_FIRST_COUNTED(File_##name,                                                                        \
                         (MPI_File file, void* buffer, Count count, MPI_Datatype type, MPI_Status* status),  \
                         (file, buffer, count, type, status))                                                \
  COMPLETE_FIRST_COUNTED(File_##name##_begin, (MPI_File file, void* buffer, Count count, MPI_Datatype type), \
                         (file, buffer, count, type))                                                        \
  COMPLETE_FIRST(File_##name##_end, (MPI_File file, void* buffer, MPI_Status* status), (file, buffer, status))
#define WRITE_TOGETHER(name)                                                                                \
  COMPLETE_FIRST_COUNTED(                                                                                   \
      File_##name, (MPI_File file, const void* buffer, Count count, MPI_Datatype type, MPI_Status* status), \
      (file, buffer, count, type, status))                                                                  \
  COMPLETE_FIRST_COUNTED(File_##name##_begin,                                                               \
                         (MPI_File file, const void* buffer, Count count, MPI_Datatype type),               \
                         (file, buffer, count, type))                                                       \
  COMPLETE_FIRST(File_##name##_end, (MPI_File file, const void* buffer, MPI_Status* status),                \
                 (file, buffer, status))
READ_TOGETHER(read_all)
READ_TOGETHER(read_ordered)
WRITE_TOGETHER(write_all)
WRITE_TOGETHER(write_ordered)

COMPLETE_FIRST_COUNTED(File_read_at_all,
                       (MPI_File file, MPI_Offset offset, void* buffer, Count count, MPI_Datatype type,
                        MPI_Status* status),
                       (file, offset, buffer, count, type, status))
COMPLETE_FIRST_COUNTED(File_read_at_all_begin,
                       (MPI_File file, MPI_Offset offset, void* buffer, Count count, MPI_Datatype type),
                       (file, offset, buffer, count, type))
COMPLETE_FIRST(File_read_at_all_end, (MPI_File file, void* buffer, MPI_Status* status),
               (file, buffer, status))
COMPLETE_FIRST_COUNTED(File_write_at_all,
                       (MPI_File file, MPI_Offset offset, const void* buffer, Count count, MPI_Datatype type,
                        MPI_Status* status),
                       (file, offset, buffer, count, type, status))
COMPLETE_FIRST_COUNTED(File_write_at_all_begin,
                       (MPI_File file, MPI_Offset offset, const void* buffer, Count count, MPI_Datatype type),
                       (file, offset, buffer, count, type))
COMPLETE_FIRST(File_write_at_all_end, (MPI_File file, const void* buffer, MPI_Status* status),
               (file, buffer, status))

}  // namespace isotrope::pmpi
