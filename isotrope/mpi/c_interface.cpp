// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The C interface. Handles point to C++ objects on the heap; exceptions become error codes.
#include <exception>
#include <memory>
#include <new>
#include <utility>

#include "isotrope/network/parse.hpp"

#include "isotrope/mpi/communicator.hpp"
#include "isotrope/mpi/failure.hpp"
#include "isotrope/mpi/isotrope_mpi.h"

using isotrope::mpi::Arguments;
using isotrope::mpi::Communicator;
using isotrope::mpi::Failure;
using isotrope::mpi::Request;
using isotrope::schedule::Collective;

struct Isotrope_Comm_state {  // NOLINT(readability-identifier-naming)
  Communicator communicator;
  MPI_Comm given;  // has the error handler to call
};

struct Isotrope_Request_state {  // NOLINT(readability-identifier-naming)
  Request request;
};

namespace {

int raised(const Failure& failure, MPI_Comm comm) {
  return isotrope::mpi::raise(failure.code(), comm == MPI_COMM_NULL ? MPI_COMM_WORLD : comm);
}

// Returns what `call` returns, or the error code of its exception.
template <class Call>
int guarded(MPI_Comm comm, const Call& call) {
  try {
    return call();
  } catch (const Failure& failure) {
    return raised(failure, comm);
  } catch (const std::bad_alloc&) {
    return raised(Failure(MPI_ERR_NO_MEM, "no memory"), comm);
  } catch (const std::exception& error) {
    return raised(Failure(MPI_ERR_ARG, error.what()), comm);
  }
}

int null_communicator() {
  return raised(
      Failure(MPI_ERR_COMM, "ISOTROPE_COMM_NULL is no communicator: create one by Isotrope_Comm_create"),
      MPI_COMM_WORLD);
}

int run(Isotrope_Comm comm, const Arguments& arguments) {
  if (comm == nullptr) return null_communicator();
  return guarded(comm->given, [&] { return comm->communicator.run(arguments); });
}

int start(Isotrope_Comm comm, Isotrope_Request* result, const Arguments& arguments) {
  *result = nullptr;
  if (comm == nullptr) return null_communicator();
  return guarded(comm->given, [&] {
    auto state = std::make_unique<Isotrope_Request_state>();
    const int code = comm->communicator.start(arguments, state->request);
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
  return run(comm, {Collective::broadcast, {}, {buffer, count, type}, root});
}

int Isotrope_Scatter(const void* send, MPI_Count send_count, MPI_Datatype send_type, void* receive,
                     MPI_Count receive_count, MPI_Datatype receive_type, int root, Isotrope_Comm comm) {
  return run(
      comm,
      {Collective::scatter, {send, send_count, send_type}, {receive, receive_count, receive_type}, root});
}

int Isotrope_Gather(const void* send, MPI_Count send_count, MPI_Datatype send_type, void* receive,
                    MPI_Count receive_count, MPI_Datatype receive_type, int root, Isotrope_Comm comm) {
  return run(
      comm,
      {Collective::gather, {send, send_count, send_type}, {receive, receive_count, receive_type}, root});
}

int Isotrope_Allgather(const void* send, MPI_Count send_count, MPI_Datatype send_type, void* receive,
                       MPI_Count receive_count, MPI_Datatype receive_type, Isotrope_Comm comm) {
  return run(comm,
             {Collective::allgather, {send, send_count, send_type}, {receive, receive_count, receive_type}});
}

int Isotrope_Alltoall(const void* send, MPI_Count send_count, MPI_Datatype send_type, void* receive,
                      MPI_Count receive_count, MPI_Datatype receive_type, Isotrope_Comm comm) {
  return run(comm,
             {Collective::alltoall, {send, send_count, send_type}, {receive, receive_count, receive_type}});
}

int Isotrope_Reduce(const void* send, void* receive, MPI_Count count, MPI_Datatype type, MPI_Op op, int root,
                    Isotrope_Comm comm) {
  return run(comm, {Collective::reduce, {send, count, type}, {receive, count, type}, root, op});
}

int Isotrope_Reduce_scatter_block(const void* send, void* receive, MPI_Count count, MPI_Datatype type,
                                  MPI_Op op, Isotrope_Comm comm) {
  return run(comm, {Collective::reduce_scatter, {send, count, type}, {receive, count, type}, 0, op});
}

int Isotrope_Allreduce(const void* send, void* receive, MPI_Count count, MPI_Datatype type, MPI_Op op,
                       Isotrope_Comm comm) {
  return run(comm, {Collective::allreduce, {send, count, type}, {receive, count, type}, 0, op});
}

int Isotrope_Barrier(Isotrope_Comm comm) {
  return run(comm, {Collective::barrier});
}

int Isotrope_Ibcast(void* buffer, MPI_Count count, MPI_Datatype type, int root, Isotrope_Comm comm,
                    Isotrope_Request* request) {
  return start(comm, request, {Collective::broadcast, {}, {buffer, count, type}, root});
}

int Isotrope_Iscatter(const void* send, MPI_Count send_count, MPI_Datatype send_type, void* receive,
                      MPI_Count receive_count, MPI_Datatype receive_type, int root, Isotrope_Comm comm,
                      Isotrope_Request* request) {
  return start(
      comm, request,
      {Collective::scatter, {send, send_count, send_type}, {receive, receive_count, receive_type}, root});
}

int Isotrope_Igather(const void* send, MPI_Count send_count, MPI_Datatype send_type, void* receive,
                     MPI_Count receive_count, MPI_Datatype receive_type, int root, Isotrope_Comm comm,
                     Isotrope_Request* request) {
  return start(
      comm, request,
      {Collective::gather, {send, send_count, send_type}, {receive, receive_count, receive_type}, root});
}

int Isotrope_Iallgather(const void* send, MPI_Count send_count, MPI_Datatype send_type, void* receive,
                        MPI_Count receive_count, MPI_Datatype receive_type, Isotrope_Comm comm,
                        Isotrope_Request* request) {
  return start(
      comm, request,
      {Collective::allgather, {send, send_count, send_type}, {receive, receive_count, receive_type}});
}

int Isotrope_Ialltoall(const void* send, MPI_Count send_count, MPI_Datatype send_type, void* receive,
                       MPI_Count receive_count, MPI_Datatype receive_type, Isotrope_Comm comm,
                       Isotrope_Request* request) {
  return start(comm, request,
               {Collective::alltoall, {send, send_count, send_type}, {receive, receive_count, receive_type}});
}

int Isotrope_Ireduce(const void* send, void* receive, MPI_Count count, MPI_Datatype type, MPI_Op op, int root,
                     Isotrope_Comm comm, Isotrope_Request* request) {
  return start(comm, request, {Collective::reduce, {send, count, type}, {receive, count, type}, root, op});
}

int Isotrope_Ireduce_scatter_block(const void* send, void* receive, MPI_Count count, MPI_Datatype type,
                                   MPI_Op op, Isotrope_Comm comm, Isotrope_Request* request) {
  return start(comm, request,
               {Collective::reduce_scatter, {send, count, type}, {receive, count, type}, 0, op});
}

int Isotrope_Iallreduce(const void* send, void* receive, MPI_Count count, MPI_Datatype type, MPI_Op op,
                        Isotrope_Comm comm, Isotrope_Request* request) {
  return start(comm, request, {Collective::allreduce, {send, count, type}, {receive, count, type}, 0, op});
}

int Isotrope_Ibarrier(Isotrope_Comm comm, Isotrope_Request* request) {
  return start(comm, request, {Collective::barrier});
}

int Isotrope_Wait(Isotrope_Request* request) {
  if (*request == nullptr) return MPI_SUCCESS;
  const std::unique_ptr<Isotrope_Request_state> state(std::exchange(*request, nullptr));
  return state->request.wait();
}

int Isotrope_Test(Isotrope_Request* request, int* complete) {
  *complete = 1;
  if (*request == nullptr) return MPI_SUCCESS;
  bool is_complete = false;
  const int code = (*request)->request.test(is_complete);
  *complete = is_complete ? 1 : 0;
  if (is_complete) delete std::exchange(*request, nullptr);
  return code;
}
