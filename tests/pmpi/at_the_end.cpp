// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// A program that calls collectives in MPI_Finalize, when it deletes the attributes of MPI_COMM_SELF: blocking, nonblocking
// and persistent ones, which the program made before.
#include <cstdio>
#include <cstdlib>
#include <mpi.h>
#ifdef OPEN_MPI
#include <mpi-ext.h>
#endif

#if MPI_VERSION >= 4
#define ALLREDUCE_INIT MPI_Allreduce_init
#elif defined(OMPI_HAVE_MPI_EXT_PCOLLREQ)
#define ALLREDUCE_INIT MPIX_Allreduce_init
#endif

namespace {

int rank, ranks;
int callbacks_run = 0;

struct Sum {
  int own = 0, of_all = 0;
  MPI_Request request = MPI_REQUEST_NULL;

  void fill(int number) {
    own = rank + number;
    of_all = -1;
  }
  void expect(const char* name, int number) const {
    if (of_all == ranks * (ranks - 1) / 2 + ranks * number) return;
    std::printf("rank %d: the sum of %s is %d\n", rank, name, of_all);
    std::fflush(stdout);
    MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
  }
};

void sum_blocking(int number) {
  Sum sum;
  sum.fill(number);
  MPI_Allreduce(&sum.own, &sum.of_all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  sum.expect("MPI_Allreduce", number);
}

void sum_nonblocking(int number) {
  Sum sum;
  sum.fill(number);
  MPI_Iallreduce(&sum.own, &sum.of_all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &sum.request);
  MPI_Wait(&sum.request, MPI_STATUS_IGNORE);
  sum.expect("MPI_Iallreduce", number);
}

void sum_persistent(Sum& sum, int number) {
  if (sum.request == MPI_REQUEST_NULL) return;
  sum.fill(number);
  MPI_Start(&sum.request);
  MPI_Wait(&sum.request, MPI_STATUS_IGNORE);
  sum.expect("the persistent request", number);
}

int at_the_end(MPI_Comm, int, void* persistent, void*) {
  Sum& sum = *static_cast<Sum*>(persistent);
  sum_blocking(1);
  sum_nonblocking(2);
  sum_persistent(sum, 3);
  if (sum.request != MPI_REQUEST_NULL) MPI_Request_free(&sum.request);
  ++callbacks_run;
  return MPI_SUCCESS;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  Sum persistent[2];
  for (Sum& sum : persistent) {
#ifdef ALLREDUCE_INIT
    ALLREDUCE_INIT(&sum.own, &sum.of_all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &sum.request);
#endif
    int key = MPI_KEYVAL_INVALID;
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, at_the_end, &key, nullptr);
    MPI_Comm_set_attr(MPI_COMM_SELF, key, &sum);
    MPI_Comm_free_keyval(&key);
  }
  sum_persistent(persistent[0], 4);
  MPI_Finalize();
  if (rank == 0 && callbacks_run == 2) std::puts("right");
  return callbacks_run == 2 ? EXIT_SUCCESS : EXIT_FAILURE;
}
