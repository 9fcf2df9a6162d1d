/* SPDX-FileCopyrightText: The Isotrope authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The collectives of communicator.hpp for C programs.
 *
 *     Isotrope_Comm cube;
 *     Isotrope_Comm_create(MPI_COMM_WORLD, "hypercube:4", &cube);
 *     Isotrope_Allreduce(MPI_IN_PLACE, sums, 1000, MPI_DOUBLE, MPI_SUM, cube);
 *     Isotrope_Comm_free(&cube);
 *
 * Every function returns MPI_SUCCESS or an error code, after calling the error handler of the MPI
 * communicator; Isotrope_Error_string gives the message. Arguments are those of the MPI function of the same name,
 * with counts of type MPI_Count. Isotrope_I* start nonblocking collectives; complete them with Isotrope_Wait
 * or Isotrope_Test. Isotrope_*_init make persistent collectives; start them with Isotrope_Start. */
#ifndef ISOTROPE_MPI_H
#define ISOTROPE_MPI_H

#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Handles, owned by the caller. Isotrope_Comm_free frees a communicator; Isotrope_Wait or Isotrope_Test frees
 * the request that it completes. */
typedef struct Isotrope_Comm_state *Isotrope_Comm;
typedef struct Isotrope_Request_state *Isotrope_Request;

#define ISOTROPE_COMM_NULL ((Isotrope_Comm)0)
#define ISOTROPE_REQUEST_NULL ((Isotrope_Request)0)

/* All ranks of `comm` must call this; `comm` stays the caller's and must outlive the result. `network`:
 * "torus:4x4", "hypercube:4", ..., or a network file, "FILE.json", which rank 0 reads for all, with as many nodes
 * as there are ranks; NULL: the network of the topology of `comm`. On errors the result is ISOTROPE_COMM_NULL. */
int Isotrope_Comm_create(MPI_Comm comm, const char *network, Isotrope_Comm *result);
/* The same, with ranks that are other nodes. `ranks`: a rank map file (docs/rank-map.md), which rank 0 reads for all;
 * NULL: the file named by ISOTROPE_RANKS in the environment, if any, as in Isotrope_Comm_create. */
int Isotrope_Comm_create_mapped(MPI_Comm comm, const char *network, const char *ranks, Isotrope_Comm *result);
/* All ranks must call this, with no request open. Sets the handle to ISOTROPE_COMM_NULL. */
int Isotrope_Comm_free(Isotrope_Comm *comm);

/* From now on sums and other reductions of floating-point numbers have bits that do not depend on the network, the plan and
 * the size of the vector (docs/reproducible.md), as with ISOTROPE_REPRODUCIBLE=1 in the environment. All ranks must call
 * this, with no request open. */
int Isotrope_Comm_reduce_reproducibly(Isotrope_Comm comm);

int Isotrope_Bcast(void *buffer, MPI_Count count, MPI_Datatype type, int root, Isotrope_Comm comm);
int Isotrope_Scatter(const void *send, MPI_Count send_count, MPI_Datatype send_type, void *recv,
                     MPI_Count recv_count, MPI_Datatype recv_type, int root, Isotrope_Comm comm);
int Isotrope_Gather(const void *send, MPI_Count send_count, MPI_Datatype send_type, void *recv,
                    MPI_Count recv_count, MPI_Datatype recv_type, int root, Isotrope_Comm comm);
int Isotrope_Allgather(const void *send, MPI_Count send_count, MPI_Datatype send_type, void *recv,
                       MPI_Count recv_count, MPI_Datatype recv_type, Isotrope_Comm comm);
int Isotrope_Alltoall(const void *send, MPI_Count send_count, MPI_Datatype send_type, void *recv,
                      MPI_Count recv_count, MPI_Datatype recv_type, Isotrope_Comm comm);
int Isotrope_Reduce(const void *send, void *recv, MPI_Count count, MPI_Datatype type, MPI_Op op, int root,
                    Isotrope_Comm comm);
int Isotrope_Reduce_scatter_block(const void *send, void *recv, MPI_Count count, MPI_Datatype type, MPI_Op op,
                                  Isotrope_Comm comm);
int Isotrope_Allreduce(const void *send, void *recv, MPI_Count count, MPI_Datatype type, MPI_Op op,
                       Isotrope_Comm comm);
int Isotrope_Scan(const void *send, void *recv, MPI_Count count, MPI_Datatype type, MPI_Op op,
                  Isotrope_Comm comm);
int Isotrope_Exscan(const void *send, void *recv, MPI_Count count, MPI_Datatype type, MPI_Op op,
                    Isotrope_Comm comm);
int Isotrope_Barrier(Isotrope_Comm comm);

/* The neighbourhood collectives take the neighbours from the topology of the MPI communicator. Arrays have one entry
 * per neighbour, with counts of type MPI_Count and displacements of type MPI_Aint. */
int Isotrope_Neighbor_allgather(const void *send, MPI_Count send_count, MPI_Datatype send_type, void *recv,
                                MPI_Count recv_count, MPI_Datatype recv_type, Isotrope_Comm comm);
int Isotrope_Neighbor_allgatherv(const void *send, MPI_Count send_count, MPI_Datatype send_type, void *recv,
                                 const MPI_Count *recv_counts, const MPI_Aint *recv_displacements,
                                 MPI_Datatype recv_type, Isotrope_Comm comm);
int Isotrope_Neighbor_alltoall(const void *send, MPI_Count send_count, MPI_Datatype send_type, void *recv,
                               MPI_Count recv_count, MPI_Datatype recv_type, Isotrope_Comm comm);
int Isotrope_Neighbor_alltoallv(const void *send, const MPI_Count *send_counts,
                                const MPI_Aint *send_displacements, MPI_Datatype send_type, void *recv,
                                const MPI_Count *recv_counts, const MPI_Aint *recv_displacements,
                                MPI_Datatype recv_type, Isotrope_Comm comm);
int Isotrope_Neighbor_alltoallw(const void *send, const MPI_Count *send_counts,
                                const MPI_Aint *send_displacements, const MPI_Datatype *send_types,
                                void *recv, const MPI_Count *recv_counts, const MPI_Aint *recv_displacements,
                                const MPI_Datatype *recv_types, Isotrope_Comm comm);

/* On errors the request is ISOTROPE_REQUEST_NULL. */
int Isotrope_Ibcast(void *buffer, MPI_Count count, MPI_Datatype type, int root, Isotrope_Comm comm,
                    Isotrope_Request *request);
int Isotrope_Iscatter(const void *send, MPI_Count send_count, MPI_Datatype send_type, void *recv,
                      MPI_Count recv_count, MPI_Datatype recv_type, int root, Isotrope_Comm comm,
                      Isotrope_Request *request);
int Isotrope_Igather(const void *send, MPI_Count send_count, MPI_Datatype send_type, void *recv,
                     MPI_Count recv_count, MPI_Datatype recv_type, int root, Isotrope_Comm comm,
                     Isotrope_Request *request);
int Isotrope_Iallgather(const void *send, MPI_Count send_count, MPI_Datatype send_type, void *recv,
                        MPI_Count recv_count, MPI_Datatype recv_type, Isotrope_Comm comm,
                        Isotrope_Request *request);
int Isotrope_Ialltoall(const void *send, MPI_Count send_count, MPI_Datatype send_type, void *recv,
                       MPI_Count recv_count, MPI_Datatype recv_type, Isotrope_Comm comm,
                       Isotrope_Request *request);
int Isotrope_Ireduce(const void *send, void *recv, MPI_Count count, MPI_Datatype type, MPI_Op op, int root,
                     Isotrope_Comm comm, Isotrope_Request *request);
int Isotrope_Ireduce_scatter_block(const void *send, void *recv, MPI_Count count, MPI_Datatype type,
                                   MPI_Op op, Isotrope_Comm comm, Isotrope_Request *request);
int Isotrope_Iallreduce(const void *send, void *recv, MPI_Count count, MPI_Datatype type, MPI_Op op,
                        Isotrope_Comm comm, Isotrope_Request *request);
int Isotrope_Iscan(const void *send, void *recv, MPI_Count count, MPI_Datatype type, MPI_Op op,
                   Isotrope_Comm comm, Isotrope_Request *request);
int Isotrope_Iexscan(const void *send, void *recv, MPI_Count count, MPI_Datatype type, MPI_Op op,
                     Isotrope_Comm comm, Isotrope_Request *request);
int Isotrope_Ibarrier(Isotrope_Comm comm, Isotrope_Request *request);

int Isotrope_Ineighbor_allgather(const void *send, MPI_Count send_count, MPI_Datatype send_type, void *recv,
                                 MPI_Count recv_count, MPI_Datatype recv_type, Isotrope_Comm comm,
                                 Isotrope_Request *request);
int Isotrope_Ineighbor_allgatherv(const void *send, MPI_Count send_count, MPI_Datatype send_type, void *recv,
                                  const MPI_Count *recv_counts, const MPI_Aint *recv_displacements,
                                  MPI_Datatype recv_type, Isotrope_Comm comm, Isotrope_Request *request);
int Isotrope_Ineighbor_alltoall(const void *send, MPI_Count send_count, MPI_Datatype send_type, void *recv,
                                MPI_Count recv_count, MPI_Datatype recv_type, Isotrope_Comm comm,
                                Isotrope_Request *request);
int Isotrope_Ineighbor_alltoallv(const void *send, const MPI_Count *send_counts,
                                 const MPI_Aint *send_displacements, MPI_Datatype send_type, void *recv,
                                 const MPI_Count *recv_counts, const MPI_Aint *recv_displacements,
                                 MPI_Datatype recv_type, Isotrope_Comm comm, Isotrope_Request *request);
int Isotrope_Ineighbor_alltoallw(const void *send, const MPI_Count *send_counts,
                                 const MPI_Aint *send_displacements, const MPI_Datatype *send_types,
                                 void *recv, const MPI_Count *recv_counts, const MPI_Aint *recv_displacements,
                                 const MPI_Datatype *recv_types, Isotrope_Comm comm,
                                 Isotrope_Request *request);

/* Persistent collectives: planned and compiled once, then started by Isotrope_Start as often as the caller likes, each
 * time with the data that are in the buffers, and completed by Isotrope_Wait or Isotrope_Test, which keep the request.
 * All ranks create and free those of a communicator in the same order; they may start them in any order. On errors the
 * request is ISOTROPE_REQUEST_NULL. */
int Isotrope_Bcast_init(void *buffer, MPI_Count count, MPI_Datatype type, int root, Isotrope_Comm comm,
                        Isotrope_Request *request);
int Isotrope_Scatter_init(const void *send, MPI_Count send_count, MPI_Datatype send_type, void *recv,
                          MPI_Count recv_count, MPI_Datatype recv_type, int root, Isotrope_Comm comm,
                          Isotrope_Request *request);
int Isotrope_Gather_init(const void *send, MPI_Count send_count, MPI_Datatype send_type, void *recv,
                         MPI_Count recv_count, MPI_Datatype recv_type, int root, Isotrope_Comm comm,
                         Isotrope_Request *request);
int Isotrope_Allgather_init(const void *send, MPI_Count send_count, MPI_Datatype send_type, void *recv,
                            MPI_Count recv_count, MPI_Datatype recv_type, Isotrope_Comm comm,
                            Isotrope_Request *request);
int Isotrope_Alltoall_init(const void *send, MPI_Count send_count, MPI_Datatype send_type, void *recv,
                           MPI_Count recv_count, MPI_Datatype recv_type, Isotrope_Comm comm,
                           Isotrope_Request *request);
int Isotrope_Reduce_init(const void *send, void *recv, MPI_Count count, MPI_Datatype type, MPI_Op op,
                         int root, Isotrope_Comm comm, Isotrope_Request *request);
int Isotrope_Reduce_scatter_block_init(const void *send, void *recv, MPI_Count count, MPI_Datatype type,
                                       MPI_Op op, Isotrope_Comm comm, Isotrope_Request *request);
int Isotrope_Allreduce_init(const void *send, void *recv, MPI_Count count, MPI_Datatype type, MPI_Op op,
                            Isotrope_Comm comm, Isotrope_Request *request);
int Isotrope_Scan_init(const void *send, void *recv, MPI_Count count, MPI_Datatype type, MPI_Op op,
                       Isotrope_Comm comm, Isotrope_Request *request);
int Isotrope_Exscan_init(const void *send, void *recv, MPI_Count count, MPI_Datatype type, MPI_Op op,
                         Isotrope_Comm comm, Isotrope_Request *request);
int Isotrope_Barrier_init(Isotrope_Comm comm, Isotrope_Request *request);

/* Collectives with blocks of unequal sizes. Lists have one entry per rank; places are displacements in
 * extents, those of Alltoallw in bytes. */

int Isotrope_Scatterv(const void *send, const MPI_Count *send_counts, const MPI_Aint *send_places,
                      MPI_Datatype send_type, void *recv, MPI_Count recv_count, MPI_Datatype recv_type,
                      int root, Isotrope_Comm comm);
int Isotrope_Iscatterv(const void *send, const MPI_Count *send_counts, const MPI_Aint *send_places,
                       MPI_Datatype send_type, void *recv, MPI_Count recv_count, MPI_Datatype recv_type,
                       int root, Isotrope_Comm comm, Isotrope_Request *request);
int Isotrope_Scatterv_init(const void *send, const MPI_Count *send_counts, const MPI_Aint *send_places,
                           MPI_Datatype send_type, void *recv, MPI_Count recv_count, MPI_Datatype recv_type,
                           int root, Isotrope_Comm comm, Isotrope_Request *request);
int Isotrope_Gatherv(const void *send, MPI_Count send_count, MPI_Datatype send_type, void *recv,
                     const MPI_Count *recv_counts, const MPI_Aint *recv_places, MPI_Datatype recv_type,
                     int root, Isotrope_Comm comm);
int Isotrope_Igatherv(const void *send, MPI_Count send_count, MPI_Datatype send_type, void *recv,
                      const MPI_Count *recv_counts, const MPI_Aint *recv_places, MPI_Datatype recv_type,
                      int root, Isotrope_Comm comm, Isotrope_Request *request);
int Isotrope_Gatherv_init(const void *send, MPI_Count send_count, MPI_Datatype send_type, void *recv,
                          const MPI_Count *recv_counts, const MPI_Aint *recv_places, MPI_Datatype recv_type,
                          int root, Isotrope_Comm comm, Isotrope_Request *request);
int Isotrope_Allgatherv(const void *send, MPI_Count send_count, MPI_Datatype send_type, void *recv,
                        const MPI_Count *recv_counts, const MPI_Aint *recv_places, MPI_Datatype recv_type,
                        Isotrope_Comm comm);
int Isotrope_Iallgatherv(const void *send, MPI_Count send_count, MPI_Datatype send_type, void *recv,
                         const MPI_Count *recv_counts, const MPI_Aint *recv_places, MPI_Datatype recv_type,
                         Isotrope_Comm comm, Isotrope_Request *request);
int Isotrope_Allgatherv_init(const void *send, MPI_Count send_count, MPI_Datatype send_type, void *recv,
                             const MPI_Count *recv_counts, const MPI_Aint *recv_places,
                             MPI_Datatype recv_type, Isotrope_Comm comm, Isotrope_Request *request);
int Isotrope_Alltoallv(const void *send, const MPI_Count *send_counts, const MPI_Aint *send_places,
                       MPI_Datatype send_type, void *recv, const MPI_Count *recv_counts,
                       const MPI_Aint *recv_places, MPI_Datatype recv_type, Isotrope_Comm comm);
int Isotrope_Ialltoallv(const void *send, const MPI_Count *send_counts, const MPI_Aint *send_places,
                        MPI_Datatype send_type, void *recv, const MPI_Count *recv_counts,
                        const MPI_Aint *recv_places, MPI_Datatype recv_type, Isotrope_Comm comm,
                        Isotrope_Request *request);
int Isotrope_Alltoallv_init(const void *send, const MPI_Count *send_counts, const MPI_Aint *send_places,
                            MPI_Datatype send_type, void *recv, const MPI_Count *recv_counts,
                            const MPI_Aint *recv_places, MPI_Datatype recv_type, Isotrope_Comm comm,
                            Isotrope_Request *request);
int Isotrope_Alltoallw(const void *send, const MPI_Count *send_counts, const MPI_Aint *send_places,
                       const MPI_Datatype *send_types, void *recv, const MPI_Count *recv_counts,
                       const MPI_Aint *recv_places, const MPI_Datatype *recv_types, Isotrope_Comm comm);
int Isotrope_Ialltoallw(const void *send, const MPI_Count *send_counts, const MPI_Aint *send_places,
                        const MPI_Datatype *send_types, void *recv, const MPI_Count *recv_counts,
                        const MPI_Aint *recv_places, const MPI_Datatype *recv_types, Isotrope_Comm comm,
                        Isotrope_Request *request);
int Isotrope_Alltoallw_init(const void *send, const MPI_Count *send_counts, const MPI_Aint *send_places,
                            const MPI_Datatype *send_types, void *recv, const MPI_Count *recv_counts,
                            const MPI_Aint *recv_places, const MPI_Datatype *recv_types, Isotrope_Comm comm,
                            Isotrope_Request *request);
int Isotrope_Reduce_scatter(const void *send, void *recv, const MPI_Count *counts, MPI_Datatype type,
                            MPI_Op op, Isotrope_Comm comm);
int Isotrope_Ireduce_scatter(const void *send, void *recv, const MPI_Count *counts, MPI_Datatype type,
                             MPI_Op op, Isotrope_Comm comm, Isotrope_Request *request);
int Isotrope_Reduce_scatter_init(const void *send, void *recv, const MPI_Count *counts, MPI_Datatype type,
                                 MPI_Op op, Isotrope_Comm comm, Isotrope_Request *request);

/* Starts a persistent collective, which must not be active. */
int Isotrope_Start(Isotrope_Request *request);
/* Waits until the collective is complete, and frees a request of any kind. Sets the handle to ISOTROPE_REQUEST_NULL. */
int Isotrope_Request_free(Isotrope_Request *request);
/* Blocks until the collective is complete. Frees a request that is not persistent and sets it to
 * ISOTROPE_REQUEST_NULL. Returns at once for ISOTROPE_REQUEST_NULL and for a persistent request that is not active. */
int Isotrope_Wait(Isotrope_Request *request);
/* Advances the collective without blocking. Sets `complete` to 1 if the collective is complete, and then
 * frees the request as Isotrope_Wait does; else to 0. */
int Isotrope_Test(Isotrope_Request *request, int *complete);

/* The message of an error code, as MPI_Error_string gives it; MPI_Error_string itself has only the text of the class if the
 * library is MPICH 4.0. `text` has room for MPI_MAX_ERROR_STRING characters. */
int Isotrope_Error_string(int code, char *text, int *length);

#ifdef __cplusplus
}
#endif

#endif
