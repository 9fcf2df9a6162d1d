/* SPDX-FileCopyrightText: The Isotrope authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Every function of the C interface, compiled as C. Runs on 4 ranks and prints "right" if all results are. */
#include <stdio.h>
#include <string.h>

#include "isotrope/mpi/isotrope_mpi.h"

enum { ranks = 4 };

static int wrong;

#define CHECK(condition)                                                    \
  do {                                                                      \
    if (!(condition)) {                                                     \
      fprintf(stderr, "line %d: %s does not hold\n", __LINE__, #condition); \
      ++wrong;                                                              \
    }                                                                       \
  } while (0)

/* Calls a blocking collective, then its nonblocking form and Isotrope_Wait, then its persistent form twice. */
#define ALL_FORMS(name, iname, arguments, result)                            \
  do {                                                                       \
    Isotrope_Request request = ISOTROPE_REQUEST_NULL;                        \
    CHECK(Isotrope_##name(arguments, comm) == MPI_SUCCESS);                  \
    CHECK(result);                                                           \
    memset(out, 0, sizeof out);                                              \
    CHECK(Isotrope_##iname(arguments, comm, &request) == MPI_SUCCESS);       \
    CHECK(Isotrope_Wait(&request) == MPI_SUCCESS);                           \
    CHECK(result);                                                           \
    CHECK(request == ISOTROPE_REQUEST_NULL);                                 \
    CHECK(Isotrope_##name##_init(arguments, comm, &request) == MPI_SUCCESS); \
    for (int start = 0; start < 2; ++start) {                                \
      memset(out, 0, sizeof out);                                            \
      CHECK(Isotrope_Start(&request) == MPI_SUCCESS);                        \
      CHECK(Isotrope_Wait(&request) == MPI_SUCCESS);                         \
      CHECK(request != ISOTROPE_REQUEST_NULL);                               \
      CHECK(result);                                                         \
    }                                                                        \
    CHECK(Isotrope_Request_free(&request) == MPI_SUCCESS);                   \
    CHECK(request == ISOTROPE_REQUEST_NULL);                                 \
    memset(out, 0, sizeof out);                                              \
  } while (0)
#define LIST(...) __VA_ARGS__

/* Rank i sends i + 1 elements to all, or gets so many. */
static void vectors(Isotrope_Comm comm, int rank) {
  int in[16], out[16] = {0};
  const MPI_Count counts[ranks] = {1, 2, 3, 4}, ones[ranks] = {1, 1, 1, 1};
  const MPI_Aint places[ranks] = {0, 1, 3, 6}, steps[ranks] = {0, 1, 2, 3}, bytes[ranks] = {0, 4, 8, 12};
  const MPI_Datatype types[ranks] = {MPI_INT, MPI_INT, MPI_INT, MPI_INT};
  for (int i = 0; i < 16; ++i) in[i] = 100 * rank + i;
  ALL_FORMS(Scatterv, Iscatterv, LIST(in, counts, places, MPI_INT, out, rank + 1, MPI_INT, 1),
            out[0] == 100 + rank * (rank + 1) / 2 && out[rank] == out[0] + rank);
  ALL_FORMS(Gatherv, Igatherv, LIST(in, rank + 1, MPI_INT, out, counts, places, MPI_INT, 2),
            rank != 2 || (out[0] == 0 && out[1] == 100 && out[9] == 303));
  ALL_FORMS(Allgatherv, Iallgatherv, LIST(in, rank + 1, MPI_INT, out, counts, places, MPI_INT),
            out[0] == 0 && out[5] == 202 && out[9] == 303);
  ALL_FORMS(Alltoallv, Ialltoallv, LIST(in, ones, steps, MPI_INT, out, ones, steps, MPI_INT),
            out[0] == rank && out[3] == 300 + rank);
  ALL_FORMS(Alltoallw, Ialltoallw, LIST(in, ones, bytes, types, out, ones, bytes, types),
            out[0] == rank && out[3] == 300 + rank);
  ALL_FORMS(Reduce_scatter, Ireduce_scatter, LIST(in, out, counts, MPI_INT, MPI_SUM),
            out[0] == 600 + 4 * (int)places[rank] && out[rank] == out[0] + 4 * rank);
}

static void collectives(Isotrope_Comm comm, int rank) {
  int in[ranks], out[ranks] = {0};
  for (int i = 0; i < ranks; ++i) in[i] = 10 * rank + i;
  ALL_FORMS(Scatter, Iscatter, LIST(in, 1, MPI_INT, out, 1, MPI_INT, 1), out[0] == 10 + rank);
  ALL_FORMS(Gather, Igather, LIST(in, 1, MPI_INT, out, 1, MPI_INT, 2), rank != 2 || out[3] == 30);
  ALL_FORMS(Allgather, Iallgather, LIST(in, 1, MPI_INT, out, 1, MPI_INT), out[0] == 0 && out[3] == 30);
  ALL_FORMS(Alltoall, Ialltoall, LIST(in, 1, MPI_INT, out, 1, MPI_INT), out[3] == 30 + rank);
  ALL_FORMS(Reduce, Ireduce, LIST(in, out, 2, MPI_INT, MPI_SUM, 3),
            rank != 3 || (out[0] == 60 && out[1] == 64));
  ALL_FORMS(Reduce_scatter_block, Ireduce_scatter_block, LIST(in, out, 1, MPI_INT, MPI_SUM),
            out[0] == 60 + 4 * rank);
  ALL_FORMS(Allreduce, Iallreduce, LIST(in, out, 4, MPI_INT, MPI_MAX), out[0] == 30 && out[3] == 33);
  ALL_FORMS(Scan, Iscan, LIST(in, out, 1, MPI_INT, MPI_SUM), out[0] == 5 * rank * (rank + 1));
  ALL_FORMS(Exscan, Iexscan, LIST(in, out, 1, MPI_INT, MPI_SUM),
            rank == 0 || out[0] == 5 * rank * (rank - 1));
  CHECK(Isotrope_Bcast(in, 2, MPI_INT, 3, comm) == MPI_SUCCESS);
  CHECK(in[0] == 30 && in[1] == 31);
}

static void requests(Isotrope_Comm comm, int rank) {
  Isotrope_Request first, second;
  int value = rank, complete = 0;
  CHECK(Isotrope_Ibcast(&value, 1, MPI_INT, 2, comm, &first) == MPI_SUCCESS);
  CHECK(Isotrope_Ibarrier(comm, &second) == MPI_SUCCESS);
  while (!complete) CHECK(Isotrope_Test(&second, &complete) == MPI_SUCCESS);
  CHECK(second == ISOTROPE_REQUEST_NULL);
  CHECK(Isotrope_Wait(&first) == MPI_SUCCESS);
  CHECK(value == 2);
  CHECK(Isotrope_Test(&first, &complete) == MPI_SUCCESS && complete == 1);
  CHECK(Isotrope_Barrier(comm) == MPI_SUCCESS);
}

/* On the periodic square: neighbours across, across, beside, beside. A block sent downwards arrives from above. */
static void neighbours(Isotrope_Comm comm, int rank) {
  const int across = rank ^ 2, beside = rank ^ 1;
  const int sent[4] = {10 * rank, 10 * rank + 1, 10 * rank + 2, 10 * rank + 3};
  const int crossed[4] = {10 * across + 1, 10 * across, 10 * beside + 3, 10 * beside + 2};
  const int firsts[4] = {10 * across, 10 * across, 10 * beside, 10 * beside};
  const MPI_Count ones[4] = {1, 1, 1, 1};
  const MPI_Aint places[4] = {0, 1, 2, 3};
  const MPI_Aint bytes[4] = {0, sizeof(int), 2 * sizeof(int), 3 * sizeof(int)};
  const MPI_Datatype ints[4] = {MPI_INT, MPI_INT, MPI_INT, MPI_INT};
  int received[4], first[4];
  Isotrope_Request requests[2];
  int i;
#define CHECK_RECEIVED(call, expected)                        \
  do {                                                        \
    for (i = 0; i < 4; ++i) received[i] = -1;                 \
    CHECK((call) == MPI_SUCCESS);                             \
    CHECK(memcmp(received, expected, sizeof(received)) == 0); \
  } while (0)
  CHECK_RECEIVED(Isotrope_Neighbor_alltoall(sent, 1, MPI_INT, received, 1, MPI_INT, comm), crossed);
  CHECK_RECEIVED(Isotrope_Neighbor_allgather(sent, 1, MPI_INT, received, 1, MPI_INT, comm), firsts);
  CHECK_RECEIVED(Isotrope_Neighbor_allgatherv(sent, 1, MPI_INT, received, ones, places, MPI_INT, comm),
                 firsts);
  CHECK_RECEIVED(
      Isotrope_Neighbor_alltoallv(sent, ones, places, MPI_INT, received, ones, places, MPI_INT, comm),
      crossed);
  CHECK_RECEIVED(Isotrope_Neighbor_alltoallw(sent, ones, bytes, ints, received, ones, bytes, ints, comm),
                 crossed);

  CHECK(Isotrope_Ineighbor_alltoall(sent, 1, MPI_INT, received, 1, MPI_INT, comm, &requests[0]) ==
        MPI_SUCCESS);
  CHECK(Isotrope_Ineighbor_allgather(sent, 1, MPI_INT, first, 1, MPI_INT, comm, &requests[1]) == MPI_SUCCESS);
  CHECK(Isotrope_Wait(&requests[1]) == MPI_SUCCESS && Isotrope_Wait(&requests[0]) == MPI_SUCCESS);
  CHECK(memcmp(received, crossed, sizeof(received)) == 0 && memcmp(first, firsts, sizeof(first)) == 0);
}

static void errors(MPI_Comm world, Isotrope_Comm comm) {
  Isotrope_Comm none;
  Isotrope_Request request;
  char text[MPI_MAX_ERROR_STRING];
  int length, code;
  code = Isotrope_Comm_create(world, "hypercube:3", &none);
  CHECK(Isotrope_Error_string(code, text, &length) == MPI_SUCCESS && length == (int)strlen(text));
  CHECK(code != MPI_SUCCESS && none == ISOTROPE_COMM_NULL && strstr(text, "hypercube:3") != NULL);
  CHECK(Isotrope_Comm_create(world, "hypercubes", &none) != MPI_SUCCESS);
  CHECK(Isotrope_Comm_create(world, NULL, &none) != MPI_SUCCESS);
  code = Isotrope_Ibcast(text, -1, MPI_CHAR, 0, comm, &request);
  CHECK(Isotrope_Error_string(code, text, &length) == MPI_SUCCESS && length == (int)strlen(text));
  CHECK(code != MPI_SUCCESS && request == ISOTROPE_REQUEST_NULL && strstr(text, "a count of -1") != NULL);
}

/* A star, in a file that rank 0 writes and the others must not need. */
static void network_file(MPI_Comm world, int rank) {
  char name[] = "isotrope-star-of-4.json";
  Isotrope_Comm comm;
  FILE* file;
  CHECK(Isotrope_Comm_create(world, "isotrope-no-such-file.json", &comm) != MPI_SUCCESS);
  if (rank == 0) {
    file = fopen(name, "w");
    CHECK(file != NULL);
    if (file != NULL) {
      fputs("{\"nodes\": 4, \"links\": [[2, 0], [2, 1], [2, 3]]}", file);
      fclose(file);
    }
  } else {
    name[0] = 'X';
  }
  MPI_Barrier(world);
  CHECK(Isotrope_Comm_create(world, name, &comm) == MPI_SUCCESS);
  collectives(comm, rank);
  vectors(comm, rank);
  CHECK(Isotrope_Comm_free(&comm) == MPI_SUCCESS);
  if (rank == 0) remove(name);
}

/* Ranks 0 to 3 are nodes 2, 0, 3, 1; again rank 0 alone has the file. */
static void rank_map(MPI_Comm world, int rank) {
  char name[] = "/tmp/isotrope_c_interface_ranks";
  Isotrope_Comm comm;
  if (rank == 0) {
    FILE* file = fopen(name, "w");
    CHECK(file != NULL);
    if (file != NULL) {
      fputs("(1,0)\n(0,0)\n(1,1)\n(0,1)\n", file);
      fclose(file);
    }
  }
  MPI_Barrier(world);
  CHECK(Isotrope_Comm_create_mapped(world, "torus:2x2", name, &comm) == MPI_SUCCESS);
  collectives(comm, rank);
  vectors(comm, rank);
  CHECK(Isotrope_Comm_free(&comm) == MPI_SUCCESS);
  CHECK(Isotrope_Comm_create_mapped(world, "torus:2x2", "/none", &comm) != MPI_SUCCESS &&
        comm == ISOTROPE_COMM_NULL);
  CHECK(Isotrope_Comm_create_mapped(world, NULL, name, &comm) != MPI_SUCCESS && comm == ISOTROPE_COMM_NULL);
  if (rank == 0) remove(name);
}

/* 1 + 2^-53 + 2^-53 + 2^-60, of which a sum that is rounded at each addition may lose a part. */
static void reproducible_sums(Isotrope_Comm comm, int rank) {
  const double in = rank == 0 ? 1 : rank == 3 ? 0x1p-60 : 0x1p-53;
  double out = 0;
  CHECK(Isotrope_Comm_reduce_reproducibly(ISOTROPE_COMM_NULL) != MPI_SUCCESS);
  CHECK(Isotrope_Comm_reduce_reproducibly(comm) == MPI_SUCCESS);
  CHECK(Isotrope_Allreduce(&in, &out, 1, MPI_DOUBLE, MPI_SUM, comm) == MPI_SUCCESS);
  CHECK(out == 1 + 0x1p-52);
}

int main(int count, char** arguments) {
  const int extents[] = {2, 2}, periods[] = {1, 1};
  Isotrope_Comm comm;
  MPI_Comm world, square;
  int rank;
  MPI_Init(&count, &arguments);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_dup(MPI_COMM_WORLD, &world);
  MPI_Comm_set_errhandler(world, MPI_ERRORS_RETURN);

  CHECK(Isotrope_Comm_create(world, "ring:4", &comm) == MPI_SUCCESS);
  collectives(comm, rank);
  requests(comm, rank);
  errors(world, comm);
  network_file(world, rank);
  rank_map(world, rank);
  CHECK(Isotrope_Comm_free(&comm) == MPI_SUCCESS && comm == ISOTROPE_COMM_NULL);
  MPI_Cart_create(world, 2, extents, periods, 0, &square);
  CHECK(Isotrope_Comm_create(square, NULL, &comm) == MPI_SUCCESS);
  collectives(comm, rank);
  neighbours(comm, rank);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  reproducible_sums(comm, rank);
  collectives(comm, rank);
  CHECK(Isotrope_Comm_free(&comm) == MPI_SUCCESS);

  MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0 && wrong == 0) printf("right\n");
  MPI_Comm_free(&square);
  MPI_Comm_free(&world);
  MPI_Finalize();
  return wrong != 0;
}
