// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/mpi/communicator.hpp"

#include <new>
#include <string>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

#include "isotrope/base/environment.hpp"

#include "isotrope/io/machine_file.hpp"

#include "isotrope/mpi/collectives.hpp"
#include "isotrope/mpi/failure.hpp"
#include "isotrope/mpi/topology.hpp"

namespace isotrope::mpi {
namespace {

void require_communicator(MPI_Comm comm) {
  if (comm == MPI_COMM_NULL) throw Failure(MPI_ERR_COMM, "MPI_COMM_NULL is no communicator");
  int inter = 0;
  require_success(MPI_Comm_test_inter(comm, &inter), "looking at a communicator");
  if (inter != 0) throw Failure(MPI_ERR_COMM, "an intercommunicator: give an intracommunicator");
}

void require_size(MPI_Comm comm, const network::Network& network) {
  require_communicator(comm);
  int size = 0;
  require_success(MPI_Comm_size(comm, &size), "asking for the size of a communicator");
  if (static_cast<network::Node>(size) == network.order()) return;
  throw Failure(MPI_ERR_TOPOLOGY, fmt::format("a communicator of {} ranks for {}, which has {} nodes: give "
                                              "as many ranks as nodes",
                                              size, network.name(), network.order()));
}

network::Network network_of_topology(MPI_Comm comm) {
  require_communicator(comm);
  if (auto network = topology_network(comm)) return *std::move(network);
  throw Failure(
      MPI_ERR_TOPOLOGY,
      "the communicator has no topology that is a torus, periodic in all extents, or a Cayley graph: "
      "name a network, as in Communicator(comm, network::parse(\"hypercube:4\"))");
}

bool check_by_environment() {
  const std::string value = environment_variable("ISOTROPE_CHECK");
  return !value.empty() && value != "0";
}

network::Node rank_in(MPI_Comm comm) {
  int rank = 0;
  require_success(MPI_Comm_rank(comm, &rank), "asking for a rank");
  return static_cast<network::Node>(rank);
}

// The options, made up. Bytes, to be sent.
struct Settings {
  cost::Machine machine;
  bool check = false;
  bool known = true;
};
static_assert(std::is_trivially_copyable_v<Settings>);

cost::Machine machine_of(const Options& options) {
  if (options.machine) return *options.machine;
  const std::string file = environment_variable("ISOTROPE_MACHINE");
  return file.empty() ? shared_memory() : io::read_machine(file).machine;
}

// Those of rank 0, so that all ranks plan alike. Its machine file may not be there.
Settings of_rank_zero(const Options& options, const network::Network& network, MPI_Comm comm) {
  Settings settings{shared_memory(), options.check || check_by_environment()};
  std::string problem = "rank 0 cannot read the machine that ISOTROPE_MACHINE names";
  if (rank_in(comm) == 0) {
    try {
      settings.machine = machine_of(options);
    } catch (const Error& error) {
      problem = error.what();
      settings.known = false;
    }
  }
  require_success(MPI_Bcast(&settings, sizeof(settings), MPI_BYTE, 0, comm), "sharing the options of rank 0");
  if (!settings.known) throw Failure(MPI_ERR_ARG, problem);
  check(settings.machine, network.degree());
  return settings;
}

}  // namespace

cost::Machine shared_memory() {
  cost::Machine machine;
  machine.startup_s = 1e-6;
  machine.byte_time_s = 0;
  machine.ports = schedule::PortModel::all();
  machine.overhead_s = 1e-6;
  machine.overhead_byte_s = 3e-10;
  return machine;
}

class Communicator::State {
 public:
  State(MPI_Comm given, network::Network network, const Settings& settings)
      : comm(given),
        collectives(given, Programs(std::move(network), rank_in(given), settings.machine), settings.check) {}

  MPI_Comm comm;  // the caller's, whose error handler is called
  Collectives collectives;
};

Communicator::Communicator(MPI_Comm comm, network::Network network, Options options) {
  require_size(comm, network);
  const Settings settings = of_rank_zero(options, network, comm);
  state_ = std::make_unique<State>(comm, std::move(network), settings);
}

Communicator::Communicator(MPI_Comm comm, Options options)
    : Communicator(comm, network_of_topology(comm), options) {}

Communicator::Communicator(Communicator&&) noexcept = default;
Communicator& Communicator::operator=(Communicator&&) noexcept = default;
Communicator::~Communicator() = default;

int Communicator::rank() const {
  return state_->collectives.rank();
}

int Communicator::size() const {
  return state_->collectives.size();
}

const network::Network& Communicator::network() const {
  return state_->collectives.network();
}

template <class Begin>
int Communicator::begin(Request& request, const Begin& begin) {
  try {
    request = Request(begin(state_->collectives), state_->comm);
    return MPI_SUCCESS;
  } catch (const Failure& failure) {
    return raise(failure.code(), state_->comm);
  } catch (const Error& error) {
    return raise(Failure(MPI_ERR_OTHER, error.what()).code(), state_->comm);
  } catch (const std::bad_alloc&) {
    return raise(Failure(MPI_ERR_NO_MEM, "no memory for a collective").code(), state_->comm);
  }
}

int Communicator::start_broadcast(void* buffer, MPI_Count count, MPI_Datatype type, int root,
                                  Request& request) {
  return begin(request, [&](Collectives& all) { return all.broadcast(buffer, count, type, root); });
}

int Communicator::start_scatter(const void* send, MPI_Count send_count, MPI_Datatype send_type, void* receive,
                                MPI_Count receive_count, MPI_Datatype receive_type, int root,
                                Request& request) {
  return begin(request, [&](Collectives& all) {
    return all.scatter({send, send_count, send_type}, {receive, receive_count, receive_type}, root);
  });
}

int Communicator::start_gather(const void* send, MPI_Count send_count, MPI_Datatype send_type, void* receive,
                               MPI_Count receive_count, MPI_Datatype receive_type, int root,
                               Request& request) {
  return begin(request, [&](Collectives& all) {
    return all.gather({send, send_count, send_type}, {receive, receive_count, receive_type}, root);
  });
}

int Communicator::start_allgather(const void* send, MPI_Count send_count, MPI_Datatype send_type,
                                  void* receive, MPI_Count receive_count, MPI_Datatype receive_type,
                                  Request& request) {
  return begin(request, [&](Collectives& all) {
    return all.allgather({send, send_count, send_type}, {receive, receive_count, receive_type});
  });
}

int Communicator::start_alltoall(const void* send, MPI_Count send_count, MPI_Datatype send_type,
                                 void* receive, MPI_Count receive_count, MPI_Datatype receive_type,
                                 Request& request) {
  return begin(request, [&](Collectives& all) {
    return all.alltoall({send, send_count, send_type}, {receive, receive_count, receive_type});
  });
}

int Communicator::start_reduce(const void* send, void* receive, MPI_Count count, MPI_Datatype type, MPI_Op op,
                               int root, Request& request) {
  return begin(request, [&](Collectives& all) { return all.reduce(send, receive, {count, type, op}, root); });
}

int Communicator::start_reduce_scatter(const void* send, void* receive, MPI_Count count, MPI_Datatype type,
                                       MPI_Op op, Request& request) {
  return begin(request, [&](Collectives& all) {
    return all.reduce_scatter(send, receive, {count, type, op});
  });
}

int Communicator::start_allreduce(const void* send, void* receive, MPI_Count count, MPI_Datatype type,
                                  MPI_Op op, Request& request) {
  return begin(request, [&](Collectives& all) { return all.allreduce(send, receive, {count, type, op}); });
}

int Communicator::start_barrier(Request& request) {
  return begin(request, [](Collectives& all) { return all.barrier(); });
}

int Communicator::broadcast(void* buffer, MPI_Count count, MPI_Datatype type, int root) {
  Request request;
  const int code = start_broadcast(buffer, count, type, root, request);
  return code == MPI_SUCCESS ? request.wait() : code;
}

int Communicator::scatter(const void* send, MPI_Count send_count, MPI_Datatype send_type, void* receive,
                          MPI_Count receive_count, MPI_Datatype receive_type, int root) {
  Request request;
  const int code =
      start_scatter(send, send_count, send_type, receive, receive_count, receive_type, root, request);
  return code == MPI_SUCCESS ? request.wait() : code;
}

int Communicator::gather(const void* send, MPI_Count send_count, MPI_Datatype send_type, void* receive,
                         MPI_Count receive_count, MPI_Datatype receive_type, int root) {
  Request request;
  const int code =
      start_gather(send, send_count, send_type, receive, receive_count, receive_type, root, request);
  return code == MPI_SUCCESS ? request.wait() : code;
}

int Communicator::allgather(const void* send, MPI_Count send_count, MPI_Datatype send_type, void* receive,
                            MPI_Count receive_count, MPI_Datatype receive_type) {
  Request request;
  const int code =
      start_allgather(send, send_count, send_type, receive, receive_count, receive_type, request);
  return code == MPI_SUCCESS ? request.wait() : code;
}

int Communicator::alltoall(const void* send, MPI_Count send_count, MPI_Datatype send_type, void* receive,
                           MPI_Count receive_count, MPI_Datatype receive_type) {
  Request request;
  const int code = start_alltoall(send, send_count, send_type, receive, receive_count, receive_type, request);
  return code == MPI_SUCCESS ? request.wait() : code;
}

int Communicator::reduce(const void* send, void* receive, MPI_Count count, MPI_Datatype type, MPI_Op op,
                         int root) {
  Request request;
  const int code = start_reduce(send, receive, count, type, op, root, request);
  return code == MPI_SUCCESS ? request.wait() : code;
}

int Communicator::reduce_scatter(const void* send, void* receive, MPI_Count count, MPI_Datatype type,
                                 MPI_Op op) {
  Request request;
  const int code = start_reduce_scatter(send, receive, count, type, op, request);
  return code == MPI_SUCCESS ? request.wait() : code;
}

int Communicator::allreduce(const void* send, void* receive, MPI_Count count, MPI_Datatype type, MPI_Op op) {
  Request request;
  const int code = start_allreduce(send, receive, count, type, op, request);
  return code == MPI_SUCCESS ? request.wait() : code;
}

int Communicator::barrier() {
  Request request;
  const int code = start_barrier(request);
  return code == MPI_SUCCESS ? request.wait() : code;
}

}  // namespace isotrope::mpi
