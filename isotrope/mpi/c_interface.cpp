// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The C interface. Handles point to C++ objects on the heap; exceptions become error codes.
#include <cstring>
#include <exception>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <variant>

#include "isotrope/mpi/communicator.hpp"
#include "isotrope/mpi/failure.hpp"
#include "isotrope/mpi/isotrope_mpi.h"
#include "isotrope/mpi/shared_network.hpp"

using isotrope::mpi::Arguments;
using isotrope::mpi::Communicator;
using isotrope::mpi::Failure;
using isotrope::mpi::NeighbourCounts;
using isotrope::mpi::PersistentRequest;
using isotrope::mpi::Request;
using isotrope::schedule::Collective;

struct Isotrope_Comm_state {  // NOLINT(readability-identifier-naming)
  Communicator communicator;
  MPI_Comm given;  // has the error handler to call
};

struct Isotrope_Request_state {  // NOLINT(readability-identifier-naming)
  std::variant<Request, PersistentRequest> request;
};

namespace {

int raised(const Failure& failure, MPI_Comm comm) {
  return isotrope::mpi::raise(failure.code(), comm);
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

// `arguments_of` gets the numbers of neighbours of this rank.
template <class ArgumentsOf>
int run_on(Isotrope_Comm comm, const ArgumentsOf& arguments_of) {
  if (comm == nullptr) return null_communicator();
  return guarded(comm->given,
                 [&] { return comm->communicator.run(arguments_of(comm->communicator.neighbour_counts())); });
}

// Sets `result` to a new request of that type, which `make` fills.
template <class AnyRequest, class Make>
int new_request(Isotrope_Comm comm, Isotrope_Request* result, const Make& make) {
  *result = nullptr;
  if (comm == nullptr) return null_communicator();
  return guarded(comm->given, [&] {
    auto state = std::make_unique<Isotrope_Request_state>();
    const int code = make(comm->communicator, state->request.emplace<AnyRequest>());
    if (code == MPI_SUCCESS) *result = state.release();
    return code;
  });
}

int run(Isotrope_Comm comm, const Arguments& arguments) {
  return run_on(comm, [&](NeighbourCounts) { return arguments; });
}

// `arguments_of` as in run_on().
template <class ArgumentsOf>
int start_on(Isotrope_Comm comm, Isotrope_Request* result, const ArgumentsOf& arguments_of) {
  return new_request<Request>(comm, result, [&](Communicator& communicator, Request& request) {
    return communicator.start(arguments_of(communicator.neighbour_counts()), request);
  });
}

int start(Isotrope_Comm comm, Isotrope_Request* result, const Arguments& arguments) {
  return start_on(comm, result, [&](NeighbourCounts) { return arguments; });
}

int prepare(Isotrope_Comm comm, Isotrope_Request* result, const Arguments& arguments) {
  return new_request<PersistentRequest>(comm, result,
                                        [&](Communicator& communicator, PersistentRequest& request) {
                                          return communicator.prepare(arguments, request);
                                        });
}

// `ranks`: a file; nullptr: the one of the environment, if any.
Communicator created(MPI_Comm comm, const char* network, const char* ranks) {
  if (network == nullptr && ranks != nullptr)
    throw Failure(MPI_ERR_ARG, "a rank map without a network: name the network whose nodes it gives");
  if (network == nullptr) return Communicator(comm);
  auto named = isotrope::mpi::shared_network(network, comm);
  return {comm, std::move(named), {.ranks = ranks == nullptr ? "" : ranks}};
}

bool is_persistent(const Isotrope_Request_state& state) {
  return std::holds_alternative<PersistentRequest>(state.request);
}

}  // namespace

int Isotrope_Comm_create(MPI_Comm comm, const char* network, Isotrope_Comm* result) {
  return Isotrope_Comm_create_mapped(comm, network, nullptr, result);
}

int Isotrope_Comm_create_mapped(MPI_Comm comm, const char* network, const char* ranks,
                                Isotrope_Comm* result) {
  *result = nullptr;
  return guarded(comm, [&] {
    *result = new Isotrope_Comm_state{created(comm, network, ranks), comm};
    return MPI_SUCCESS;
  });
}

int Isotrope_Comm_free(Isotrope_Comm* comm) {
  delete std::exchange(*comm, nullptr);
  return MPI_SUCCESS;
}

int Isotrope_Comm_reduce_reproducibly(Isotrope_Comm comm) {
  if (comm == nullptr) return null_communicator();
  return guarded(comm->given, [&] {
    comm->communicator.reduce_reproducibly();
    return MPI_SUCCESS;
  });
}

// Defines the blocking, the nonblocking and the persistent function of a collective; the last argument is the braced
// list of its Arguments.
// NOLINTBEGIN(bugprone-macro-parentheses): parameters and braced lists are no expressions
#define UNWRAPPED(...) __VA_ARGS__
#define DEFINE_COLLECTIVE(name, nonblocking_name, parameters, ...)                                       \
  int Isotrope_##name(UNWRAPPED parameters, Isotrope_Comm comm) {                                        \
    return run(comm, __VA_ARGS__);                                                                       \
  }                                                                                                      \
  int Isotrope_##nonblocking_name(UNWRAPPED parameters, Isotrope_Comm comm, Isotrope_Request* request) { \
    return start(comm, request, __VA_ARGS__);                                                            \
  }                                                                                                      \
  int Isotrope_##name##_init(UNWRAPPED parameters, Isotrope_Comm comm, Isotrope_Request* request) {      \
    return prepare(comm, request, __VA_ARGS__);                                                          \
  }
// NOLINTEND(bugprone-macro-parentheses)

DEFINE_COLLECTIVE(Bcast, Ibcast, (void* buffer, MPI_Count count, MPI_Datatype type, int root),
                  {Collective::broadcast, {}, {buffer, count, type}, root})

DEFINE_COLLECTIVE(Scatter, Iscatter,
                  (const void* send, MPI_Count send_count, MPI_Datatype send_type, void* recv,
                   MPI_Count recv_count, MPI_Datatype recv_type, int root),
                  {Collective::scatter, {send, send_count, send_type}, {recv, recv_count, recv_type}, root})

DEFINE_COLLECTIVE(Gather, Igather,
                  (const void* send, MPI_Count send_count, MPI_Datatype send_type, void* recv,
                   MPI_Count recv_count, MPI_Datatype recv_type, int root),
                  {Collective::gather, {send, send_count, send_type}, {recv, recv_count, recv_type}, root})

DEFINE_COLLECTIVE(Allgather, Iallgather,
                  (const void* send, MPI_Count send_count, MPI_Datatype send_type, void* recv,
                   MPI_Count recv_count, MPI_Datatype recv_type),
                  {Collective::allgather, {send, send_count, send_type}, {recv, recv_count, recv_type}})

DEFINE_COLLECTIVE(Alltoall, Ialltoall,
                  (const void* send, MPI_Count send_count, MPI_Datatype send_type, void* recv,
                   MPI_Count recv_count, MPI_Datatype recv_type),
                  {Collective::alltoall, {send, send_count, send_type}, {recv, recv_count, recv_type}})

DEFINE_COLLECTIVE(Reduce, Ireduce,
                  (const void* send, void* recv, MPI_Count count, MPI_Datatype type, MPI_Op op, int root),
                  {Collective::reduce, {send, count, type}, {recv, count, type}, root, op})

DEFINE_COLLECTIVE(Reduce_scatter_block, Ireduce_scatter_block,
                  (const void* send, void* recv, MPI_Count count, MPI_Datatype type, MPI_Op op),
                  {Collective::reduce_scatter, {send, count, type}, {recv, count, type}, 0, op})

DEFINE_COLLECTIVE(Allreduce, Iallreduce,
                  (const void* send, void* recv, MPI_Count count, MPI_Datatype type, MPI_Op op),
                  {Collective::allreduce, {send, count, type}, {recv, count, type}, 0, op})

DEFINE_COLLECTIVE(Scan, Iscan, (const void* send, void* recv, MPI_Count count, MPI_Datatype type, MPI_Op op),
                  {Collective::scan, {send, count, type}, {recv, count, type}, 0, op})

DEFINE_COLLECTIVE(Exscan, Iexscan,
                  (const void* send, void* recv, MPI_Count count, MPI_Datatype type, MPI_Op op),
                  {Collective::exscan, {send, count, type}, {recv, count, type}, 0, op})

int Isotrope_Barrier(Isotrope_Comm comm) {
  return run(comm, {Collective::barrier});
}

int Isotrope_Ibarrier(Isotrope_Comm comm, Isotrope_Request* request) {
  return start(comm, request, {Collective::barrier});
}

// Likewise of a neighbourhood collective; the arguments are those of MPI.
// NOLINTBEGIN(bugprone-macro-parentheses)
#define DEFINE_NEIGHBOUR_COLLECTIVE(name, arguments_of, parameters, forwarded)                         \
  int Isotrope_Neighbor_##name(UNWRAPPED parameters, Isotrope_Comm comm) {                             \
    return run_on(comm, [&](NeighbourCounts neighbours) {                                              \
      return isotrope::mpi::arguments_of(neighbours, UNWRAPPED forwarded);                             \
    });                                                                                                \
  }                                                                                                    \
  int Isotrope_Ineighbor_##name(UNWRAPPED parameters, Isotrope_Comm comm, Isotrope_Request* request) { \
    return start_on(comm, request, [&](NeighbourCounts neighbours) {                                   \
      return isotrope::mpi::arguments_of(neighbours, UNWRAPPED forwarded);                             \
    });                                                                                                \
  }
// NOLINTEND(bugprone-macro-parentheses)

DEFINE_NEIGHBOUR_COLLECTIVE(allgather, neighbor_allgather,
                            (const void* send, MPI_Count send_count, MPI_Datatype send_type, void* recv,
                             MPI_Count recv_count, MPI_Datatype recv_type),
                            (send, send_count, send_type, recv, recv_count, recv_type))

DEFINE_NEIGHBOUR_COLLECTIVE(allgatherv, neighbor_allgatherv,
                            (const void* send, MPI_Count send_count, MPI_Datatype send_type, void* recv,
                             const MPI_Count* recv_counts, const MPI_Aint* recv_places,
                             MPI_Datatype recv_type),
                            (send, send_count, send_type, recv, recv_counts, recv_places, recv_type))

DEFINE_NEIGHBOUR_COLLECTIVE(alltoall, neighbor_alltoall,
                            (const void* send, MPI_Count send_count, MPI_Datatype send_type, void* recv,
                             MPI_Count recv_count, MPI_Datatype recv_type),
                            (send, send_count, send_type, recv, recv_count, recv_type))

DEFINE_NEIGHBOUR_COLLECTIVE(alltoallv, neighbor_alltoallv,
                            (const void* send, const MPI_Count* send_counts, const MPI_Aint* send_places,
                             MPI_Datatype send_type, void* recv, const MPI_Count* recv_counts,
                             const MPI_Aint* recv_places, MPI_Datatype recv_type),
                            (send, send_counts, send_places, send_type, recv, recv_counts, recv_places,
                             recv_type))

DEFINE_NEIGHBOUR_COLLECTIVE(alltoallw, neighbor_alltoallw,
                            (const void* send, const MPI_Count* send_counts, const MPI_Aint* send_places,
                             const MPI_Datatype* send_types, void* recv, const MPI_Count* recv_counts,
                             const MPI_Aint* recv_places, const MPI_Datatype* recv_types),
                            (send, send_counts, send_places, send_types, recv, recv_counts, recv_places,
                             recv_types))

// Collectives with blocks of unequal sizes; `made` calls the function that makes their arguments.
// NOLINTBEGIN(bugprone-macro-parentheses): parameters and argument lists are no expressions
#define DEFINE_VECTOR(name, nonblocking_name, made, parameters, ...)                                      \
  int Isotrope_##name(UNWRAPPED parameters, Isotrope_Comm comm) {                                         \
    if (comm == nullptr) return null_communicator();                                                      \
    return guarded(comm->given, [&] {                                                                     \
      return comm->communicator.run(isotrope::mpi::made(comm->communicator.self(), __VA_ARGS__));         \
    });                                                                                                   \
  }                                                                                                       \
  int Isotrope_##nonblocking_name(UNWRAPPED parameters, Isotrope_Comm comm, Isotrope_Request* request) {  \
    return new_request<Request>(comm, request, [&](Communicator& communicator, Request& started) {        \
      return communicator.start(isotrope::mpi::made(communicator.self(), __VA_ARGS__), started);          \
    });                                                                                                   \
  }                                                                                                       \
  int Isotrope_##name##_init(UNWRAPPED parameters, Isotrope_Comm comm, Isotrope_Request* request) {       \
    return new_request<PersistentRequest>(                                                                \
        comm, request, [&](Communicator& communicator, PersistentRequest& persistent) {                   \
          return communicator.prepare(isotrope::mpi::made(communicator.self(), __VA_ARGS__), persistent); \
        });                                                                                               \
  }
// NOLINTEND(bugprone-macro-parentheses)

DEFINE_VECTOR(Scatterv, Iscatterv, scatterv,
              (const void* send, const MPI_Count* send_counts, const MPI_Aint* send_places,
               MPI_Datatype send_type, void* recv, MPI_Count recv_count, MPI_Datatype recv_type, int root),
              send, send_counts, send_places, send_type, recv, recv_count, recv_type, root)
DEFINE_VECTOR(Gatherv, Igatherv, gatherv,
              (const void* send, MPI_Count send_count, MPI_Datatype send_type, void* recv,
               const MPI_Count* recv_counts, const MPI_Aint* recv_places, MPI_Datatype recv_type, int root),
              send, send_count, send_type, recv, recv_counts, recv_places, recv_type, root)
DEFINE_VECTOR(Allgatherv, Iallgatherv, allgatherv,
              (const void* send, MPI_Count send_count, MPI_Datatype send_type, void* recv,
               const MPI_Count* recv_counts, const MPI_Aint* recv_places, MPI_Datatype recv_type),
              send, send_count, send_type, recv, recv_counts, recv_places, recv_type)
DEFINE_VECTOR(Alltoallv, Ialltoallv, alltoallv,
              (const void* send, const MPI_Count* send_counts, const MPI_Aint* send_places,
               MPI_Datatype send_type, void* recv, const MPI_Count* recv_counts, const MPI_Aint* recv_places,
               MPI_Datatype recv_type),
              send, send_counts, send_places, send_type, recv, recv_counts, recv_places, recv_type)
DEFINE_VECTOR(Alltoallw, Ialltoallw, alltoallw,
              (const void* send, const MPI_Count* send_counts, const MPI_Aint* send_places,
               const MPI_Datatype* send_types, void* recv, const MPI_Count* recv_counts,
               const MPI_Aint* recv_places, const MPI_Datatype* recv_types),
              send, send_counts, send_places, send_types, recv, recv_counts, recv_places, recv_types)
DEFINE_VECTOR(Reduce_scatter, Ireduce_scatter, reduce_scatter,
              (const void* send, void* recv, const MPI_Count* counts, MPI_Datatype type, MPI_Op op), send,
              recv, counts, type, op)

int Isotrope_Barrier_init(Isotrope_Comm comm, Isotrope_Request* request) {
  return prepare(comm, request, {Collective::barrier});
}

int Isotrope_Start(Isotrope_Request* request) {
  if (*request == nullptr || !is_persistent(**request))
    return raised(
        Failure(MPI_ERR_REQUEST, "no persistent request: make one by Isotrope_Bcast_init or another _init"),
        MPI_COMM_WORLD);
  return std::get<PersistentRequest>((*request)->request).start();
}

int Isotrope_Wait(Isotrope_Request* request) {
  if (*request == nullptr) return MPI_SUCCESS;
  if (is_persistent(**request)) return std::get<PersistentRequest>((*request)->request).wait();
  const std::unique_ptr<Isotrope_Request_state> state(std::exchange(*request, nullptr));
  return std::get<Request>(state->request).wait();
}

int Isotrope_Test(Isotrope_Request* request, int* complete) {
  *complete = 1;
  if (*request == nullptr) return MPI_SUCCESS;
  bool is_complete = false;
  const int code = std::visit([&](auto& any) { return any.test(is_complete); }, (*request)->request);
  *complete = is_complete ? 1 : 0;
  if (is_complete && !is_persistent(**request)) delete std::exchange(*request, nullptr);
  return code;
}

int Isotrope_Error_string(int code, char* text, int* length) {
  return guarded(MPI_COMM_WORLD, [&] {
    const std::string message = isotrope::mpi::error_string(code).substr(0, MPI_MAX_ERROR_STRING - 1);
    std::strcpy(text, message.c_str());
    *length = static_cast<int>(message.size());
    return MPI_SUCCESS;
  });
}

int Isotrope_Request_free(Isotrope_Request* request) {
  delete std::exchange(*request, nullptr);
  return MPI_SUCCESS;
}
