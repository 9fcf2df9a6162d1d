// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// A program of MPI 4 with sessions: `sessions only` never calls MPI_Init; `sessions world` uses a session before and after
// MPI_Finalize. Rank 0 prints "right" if every result is. (MPICH 4.0 ends a process that initialises MPI a second time,
// so a session stays open from the first call to the last.)
#include <cstdio>
#include <mpi.h>
#include <string_view>

namespace {

bool right = true;

void expect_sum(MPI_Comm comm) {
  int size = 0, sum = 0, last = -1;
  const int one = 1;
  MPI_Comm_size(comm, &size);
  MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm);
  last = sum;
  MPI_Bcast(&last, 1, MPI_INT, size - 1, comm);
  MPI_Barrier(comm);
  right = right && sum == size && last == size;
}

MPI_Comm of_all_processes(MPI_Session session) {
  MPI_Group group = MPI_GROUP_NULL;
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
  MPI_Comm_create_from_group(group, "isotrope", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
  MPI_Group_free(&group);
  return comm;
}

void use_and_free(MPI_Comm comm) {
  int size = 0;
  const int periodic = 1;
  MPI_Comm ring = MPI_COMM_NULL;
  expect_sum(comm);
  MPI_Comm_size(comm, &size);
  MPI_Cart_create(comm, 1, &size, &periodic, 0, &ring);
  expect_sum(ring);
  MPI_Comm_free(&ring);
  MPI_Comm_free(&comm);
}

}  // namespace

int main(int count, char** arguments) {
  const bool world = count > 1 && std::string_view(arguments[1]) == "world";
  MPI_Session session = MPI_SESSION_NULL;
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
  MPI_Comm lasting = of_all_processes(session);
  int rank = 0;
  MPI_Comm_rank(lasting, &rank);
  if (world) {
    MPI_Init(nullptr, nullptr);
    expect_sum(MPI_COMM_WORLD);
    use_and_free(of_all_processes(session));
    expect_sum(lasting);
    MPI_Finalize();
  }
  expect_sum(lasting);
  use_and_free(of_all_processes(session));
  MPI_Comm_free(&lasting);
  MPI_Session_finalize(&session);
  if (rank == 0) std::puts(right ? "right" : "wrong");
  return right ? 0 : 1;
}
