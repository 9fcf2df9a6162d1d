// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// A program with a profiler of its own: functions that stand before those of the MPI library, count calls, and hold a lock
// which is not recursive. They see the calls of the program alone.
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mpi.h>
#include <mutex>
#include <numeric>
#include <string>
#include <vector>

namespace {

std::mutex mutex;
std::map<std::string, int> calls;  // of each function

template <class Call>
int profiled(const char* name, const Call& call) {
  const std::unique_lock lock(mutex, std::try_to_lock);
  if (!lock) {
    std::printf("%s is called inside another function of MPI\n", name);
    std::fflush(stdout);
    std::abort();
  }
  ++calls[name];
  return call();
}

// Whether a function was called `expected` times.
bool is_count(const char* name, int expected) {
  if (calls[name] == expected) return true;
  std::printf("%s: %d calls seen, not %d\n", name, calls[name], expected);
  return false;
}

bool are_counts_right() {
  bool result = true;
  for (const auto& [name, count] : std::map<std::string, int>{
           {"MPI_Allreduce", 20}, {"MPI_Bcast", 20},    {"MPI_Alltoall", 20},  {"MPI_Barrier", 1},
           {"MPI_Iallreduce", 2}, {"MPI_Wait", 1},      {"MPI_Comm_dup", 1},   {"MPI_Comm_free", 1},
           {"MPI_Isend", 0},      {"MPI_Irecv", 0},     {"MPI_Waitall", 0},    {"MPI_Waitany", 0},
           {"MPI_Waitsome", 0},   {"MPI_Testall", 0},   {"MPI_Testsome", 0},   {"MPI_Iprobe", 0},
           {"MPI_Send", 0},       {"MPI_Recv", 0},      {"MPI_Reduce", 0},     {"MPI_Type_size_x", 0},
           {"MPI_Allgather", 0},  {"MPI_Topo_test", 0}, {"MPI_Comm_split", 0}, {"MPI_Op_commutative", 0}})
    result = is_count(name.c_str(), count) && result;
  return result;
}

}  // namespace

// NOLINTBEGIN(bugprone-macro-parentheses): a list of parameters is no expression
#define PROFILE(name, parameters, forwarded)                              \
  int MPI_##name parameters {                                             \
    return profiled("MPI_" #name, [&] { return PMPI_##name forwarded; }); \
  }
// NOLINTEND(bugprone-macro-parentheses)

extern "C" {
PROFILE(Init, (int* argc, char*** argv), (argc, argv))
PROFILE(Finalize, (), ())
PROFILE(Allreduce, (const void* send, void* recv, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
        (send, recv, count, type, op, comm))
PROFILE(Iallreduce,
        (const void* send, void* recv, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
         MPI_Request* request),
        (send, recv, count, type, op, comm, request))
PROFILE(Reduce,
        (const void* send, void* recv, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm),
        (send, recv, count, type, op, root, comm))
PROFILE(Bcast, (void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm),
        (buffer, count, type, root, comm))
PROFILE(Allgather,
        (const void* send, int send_count, MPI_Datatype send_type, void* recv, int recv_count,
         MPI_Datatype recv_type, MPI_Comm comm),
        (send, send_count, send_type, recv, recv_count, recv_type, comm))
PROFILE(Alltoall,
        (const void* send, int send_count, MPI_Datatype send_type, void* recv, int recv_count,
         MPI_Datatype recv_type, MPI_Comm comm),
        (send, send_count, send_type, recv, recv_count, recv_type, comm))
PROFILE(Barrier, (MPI_Comm comm), (comm))
PROFILE(Send, (const void* buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm),
        (buffer, count, type, to, tag, comm))
PROFILE(Recv,
        (void* buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status* status),
        (buffer, count, type, from, tag, comm, status))
PROFILE(Isend,
        (const void* buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
         MPI_Request* request),
        (buffer, count, type, to, tag, comm, request))
PROFILE(Irecv,
        (void* buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request* request),
        (buffer, count, type, from, tag, comm, request))
PROFILE(Wait, (MPI_Request * request, MPI_Status* status), (request, status))
PROFILE(Waitall, (int count, MPI_Request* requests, MPI_Status* statuses), (count, requests, statuses))
PROFILE(Waitany, (int count, MPI_Request* requests, int* index, MPI_Status* status),
        (count, requests, index, status))
PROFILE(Waitsome, (int count, MPI_Request* requests, int* completed, int* indices, MPI_Status* statuses),
        (count, requests, completed, indices, statuses))
PROFILE(Test, (MPI_Request * request, int* done, MPI_Status* status), (request, done, status))
PROFILE(Testall, (int count, MPI_Request* requests, int* done, MPI_Status* statuses),
        (count, requests, done, statuses))
PROFILE(Testsome, (int count, MPI_Request* requests, int* completed, int* indices, MPI_Status* statuses),
        (count, requests, completed, indices, statuses))
PROFILE(Iprobe, (int from, int tag, MPI_Comm comm, int* is_there, MPI_Status* status),
        (from, tag, comm, is_there, status))
PROFILE(Comm_dup, (MPI_Comm comm, MPI_Comm* copy), (comm, copy))
PROFILE(Comm_free, (MPI_Comm * comm), (comm))
PROFILE(Comm_split, (MPI_Comm comm, int color, int key, MPI_Comm* part), (comm, color, key, part))
PROFILE(Topo_test, (MPI_Comm comm, int* topology), (comm, topology))
PROFILE(Type_size_x, (MPI_Datatype type, MPI_Count* size), (type, size))
PROFILE(Op_commutative, (MPI_Op op, int* is_commutative), (op, is_commutative))
}

namespace {

// Returns whether all results are those of MPI.
bool run(MPI_Comm comm, int rank, int ranks) {
  std::vector<int> sent(static_cast<std::size_t>(ranks)), received(sent.size()), expected(sent.size());
  bool result = true;
  for (int turn = 0; turn < 20; ++turn) {
    int sum = 0;
    int root_turn = rank == 0 ? turn : -1;
    MPI_Allreduce(&turn, &sum, 1, MPI_INT, MPI_SUM, comm);
    MPI_Bcast(&root_turn, 1, MPI_INT, 0, comm);
    std::iota(sent.begin(), sent.end(), rank * ranks);
    MPI_Alltoall(sent.data(), 1, MPI_INT, received.data(), 1, MPI_INT, comm);
    for (std::size_t from = 0; from < expected.size(); ++from)
      expected[from] = static_cast<int>(from) * ranks + rank;
    result = result && sum == turn * ranks && root_turn == turn && received == expected;
  }
  const int one = 1;
  int tested_sum = 0, awaited_sum = 0, done = 0;
  MPI_Request tested = MPI_REQUEST_NULL, awaited = MPI_REQUEST_NULL;
  MPI_Iallreduce(&one, &tested_sum, 1, MPI_INT, MPI_SUM, comm, &tested);
  MPI_Iallreduce(&one, &awaited_sum, 1, MPI_INT, MPI_SUM, comm, &awaited);
  MPI_Wait(&awaited, MPI_STATUS_IGNORE);
  while (done == 0) MPI_Test(&tested, &done, MPI_STATUS_IGNORE);
  MPI_Barrier(comm);
  return result && tested_sum == ranks && awaited_sum == ranks;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0, ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm copy = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  const bool are_results_right = run(copy, rank, ranks);
  MPI_Comm_free(&copy);
  MPI_Finalize();
  const bool is_right = are_results_right && are_counts_right();
  if (rank == 0 && is_right) std::puts("right");
  return is_right ? EXIT_SUCCESS : EXIT_FAILURE;
}
