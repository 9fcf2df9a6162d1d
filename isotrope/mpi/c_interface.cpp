// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The C interface: handles are the objects of C++ on the heap, and no exception leaves it.
#include <exception>
#include <memory>
#include <new>
#include <utility>

#include "isotrope/network/parse.hpp"

#include "isotrope/mpi/communicator.hpp"
#include "isotrope/mpi/failure.hpp"
#include "isotrope/mpi/isotrope_mpi.h"

using isotrope::mpi::Communicator;
using isotrope::mpi::Failure;
using isotrope::mpi::Request;

struct Isotrope_Comm_state {  // NOLINT(readability-identifier-naming)
  Communicator communicator;
  MPI_Comm given;  // whose error handler is called
};

struct Isotrope_Request_state {  // NOLINT(readability-identifier-naming)
  Request request;
};

namespace {

int failed(const Failure& failure, MPI_Comm comm) {
  return isotrope::mpi::raise(failure.code(), comm == MPI_COMM_NULL ? MPI_COMM_WORLD : comm);
}

// What `call` returns; exceptions as codes.
template <class Call>
int guarded(MPI_Comm comm, const Call& call) {
  try {
    return call();
  } catch (const Failure& failure) {
    return failed(failure, comm);
  } catch (const std::bad_alloc&) {
    return failed(Failure(MPI_ERR_NO_MEM, "no memory"), comm);
  } catch (const std::exception& error) {
    return failed(Failure(MPI_ERR_ARG, error.what()), comm);
  }
}

template <class Call>
int run(Isotrope_Comm comm, const Call& call) {
  if (comm == nullptr)
    return failed(Failure(MPI_ERR_COMM, "ISOTROPE_COMM_NULL is no communicator"), MPI_COMM_WORLD);
  return guarded(comm->given, [&] { return call(comm->communicator); });
}

// As run(), with a request that is the caller's where it succeeds.
template <class Call>
int start(Isotrope_Comm comm, Isotrope_Request* result, const Call& call) {
  *result = nullptr;
  return run(comm, [&](Communicator& communicator) {
    auto state = std::make_unique<Isotrope_Request_state>();
    const int code = call(communicator, state->request);
    if (code == MPI_SUCCESS) *result = state.release();
    return code;
  });
}

}  // namespace

int Isotrope_Comm_create(MPI_Comm comm, const char* network, Isotrope_Comm* result) {
  *result = nullptr;
  return guarded(comm, [&] {
    *result = new Isotrope_Comm_state{
        network == nullptr ? Communicator(comm) : Communicator(comm, isotrope::network::parse(network)),
        comm};
    return MPI_SUCCESS;
  });
}

int Isotrope_Comm_free(Isotrope_Comm* comm) {
  delete std::exchange(*comm, nullptr);
  return MPI_SUCCESS;
}

int Isotrope_Bcast(void* buffer, MPI_Count count, MPI_Datatype type, int root, Isotrope_Comm comm) {
  return run(comm, [&](Communicator& all) { return all.broadcast(buffer, count, type, root); });
}

int Isotrope_Scatter(const void* send, MPI_Count send_count, MPI_Datatype send_type, void* receive,
                     MPI_Count receive_count, MPI_Datatype receive_type, int root, Isotrope_Comm comm) {
  return run(comm, [&](Communicator& all) {
    return all.scatter(send, send_count, send_type, receive, receive_count, receive_type, root);
  });
}

int Isotrope_Gather(const void* send, MPI_Count send_count, MPI_Datatype send_type, void* receive,
                    MPI_Count receive_count, MPI_Datatype receive_type, int root, Isotrope_Comm comm) {
  return run(comm, [&](Communicator& all) {
    return all.gather(send, send_count, send_type, receive, receive_count, receive_type, root);
  });
}

int Isotrope_Allgather(const void* send, MPI_Count send_count, MPI_Datatype send_type, void* receive,
                       MPI_Count receive_count, MPI_Datatype receive_type, Isotrope_Comm comm) {
  return run(comm, [&](Communicator& all) {
    return all.allgather(send, send_count, send_type, receive, receive_count, receive_type);
  });
}

int Isotrope_Alltoall(const void* send, MPI_Count send_count, MPI_Datatype send_type, void* receive,
                      MPI_Count receive_count, MPI_Datatype receive_type, Isotrope_Comm comm) {
  return run(comm, [&](Communicator& all) {
    return all.alltoall(send, send_count, send_type, receive, receive_count, receive_type);
  });
}

int Isotrope_Reduce(const void* send, void* receive, MPI_Count count, MPI_Datatype type, MPI_Op op, int root,
                    Isotrope_Comm comm) {
  return run(comm, [&](Communicator& all) { return all.reduce(send, receive, count, type, op, root); });
}

int Isotrope_Reduce_scatter_block(const void* send, void* receive, MPI_Count count, MPI_Datatype type,
                                  MPI_Op op, Isotrope_Comm comm) {
  return run(comm, [&](Communicator& all) { return all.reduce_scatter(send, receive, count, type, op); });
}

int Isotrope_Allreduce(const void* send, void* receive, MPI_Count count, MPI_Datatype type, MPI_Op op,
                       Isotrope_Comm comm) {
  return run(comm, [&](Communicator& all) { return all.allreduce(send, receive, count, type, op); });
}

int Isotrope_Barrier(Isotrope_Comm comm) {
  return run(comm, [&](Communicator& all) { return all.barrier(); });
}

int Isotrope_Ibcast(void* buffer, MPI_Count count, MPI_Datatype type, int root, Isotrope_Comm comm,
                    Isotrope_Request* request) {
  return start(comm, request, [&](Communicator& all, Request& begun) {
    return all.start_broadcast(buffer, count, type, root, begun);
  });
}

int Isotrope_Iscatter(const void* send, MPI_Count send_count, MPI_Datatype send_type, void* receive,
                      MPI_Count receive_count, MPI_Datatype receive_type, int root, Isotrope_Comm comm,
                      Isotrope_Request* request) {
  return start(comm, request, [&](Communicator& all, Request& begun) {
    return all.start_scatter(send, send_count, send_type, receive, receive_count, receive_type, root, begun);
  });
}

int Isotrope_Igather(const void* send, MPI_Count send_count, MPI_Datatype send_type, void* receive,
                     MPI_Count receive_count, MPI_Datatype receive_type, int root, Isotrope_Comm comm,
                     Isotrope_Request* request) {
  return start(comm, request, [&](Communicator& all, Request& begun) {
    return all.start_gather(send, send_count, send_type, receive, receive_count, receive_type, root, begun);
  });
}

int Isotrope_Iallgather(const void* send, MPI_Count send_count, MPI_Datatype send_type, void* receive,
                        MPI_Count receive_count, MPI_Datatype receive_type, Isotrope_Comm comm,
                        Isotrope_Request* request) {
  return start(comm, request, [&](Communicator& all, Request& begun) {
    return all.start_allgather(send, send_count, send_type, receive, receive_count, receive_type, begun);
  });
}

int Isotrope_Ialltoall(const void* send, MPI_Count send_count, MPI_Datatype send_type, void* receive,
                       MPI_Count receive_count, MPI_Datatype receive_type, Isotrope_Comm comm,
                       Isotrope_Request* request) {
  return start(comm, request, [&](Communicator& all, Request& begun) {
    return all.start_alltoall(send, send_count, send_type, receive, receive_count, receive_type, begun);
  });
}

int Isotrope_Ireduce(const void* send, void* receive, MPI_Count count, MPI_Datatype type, MPI_Op op, int root,
                     Isotrope_Comm comm, Isotrope_Request* request) {
  return start(comm, request, [&](Communicator& all, Request& begun) {
    return all.start_reduce(send, receive, count, type, op, root, begun);
  });
}

int Isotrope_Ireduce_scatter_block(const void* send, void* receive, MPI_Count count, MPI_Datatype type,
                                   MPI_Op op, Isotrope_Comm comm, Isotrope_Request* request) {
  return start(comm, request, [&](Communicator& all, Request& begun) {
    return all.start_reduce_scatter(send, receive, count, type, op, begun);
  });
}

int Isotrope_Iallreduce(const void* send, void* receive, MPI_Count count, MPI_Datatype type, MPI_Op op,
                        Isotrope_Comm comm, Isotrope_Request* request) {
  return start(comm, request, [&](Communicator& all, Request& begun) {
    return all.start_allreduce(send, receive, count, type, op, begun);
  });
}

int Isotrope_Ibarrier(Isotrope_Comm comm, Isotrope_Request* request) {
  return start(comm, request, [&](Communicator& all, Request& begun) { return all.start_barrier(begun); });
}

int Isotrope_Wait(Isotrope_Request* request) {
  if (*request == nullptr) return MPI_SUCCESS;
  const std::unique_ptr<Isotrope_Request_state> state(std::exchange(*request, nullptr));
  return state->request.wait();
}

int Isotrope_Test(Isotrope_Request* request, int* over) {
  *over = 1;
  if (*request == nullptr) return MPI_SUCCESS;
  bool is_over = false;
  const int code = (*request)->request.test(is_over);
  *over = is_over ? 1 : 0;
  if (is_over) delete std::exchange(*request, nullptr);
  return code;
}
