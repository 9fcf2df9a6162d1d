// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/mpi/communicator.hpp"

#include <new>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "isotrope/base/environment.hpp"
#include "isotrope/base/spelling.hpp"

#include "isotrope/network/rank_map.hpp"

#include "isotrope/io/input_file.hpp"
#include "isotrope/io/machine_file.hpp"

#include "isotrope/mpi/channel.hpp"
#include "isotrope/mpi/collectives.hpp"
#include "isotrope/mpi/failure.hpp"
#include "isotrope/mpi/host_memory.hpp"
#include "isotrope/mpi/shared_network.hpp"
#include "isotrope/mpi/topology.hpp"

namespace isotrope::mpi {
namespace {

void require_size(MPI_Comm comm, const network::Network& network) {
  require_communicator(comm);
  const int size = size_of(comm);
  if (static_cast<network::Node>(size) == network.order()) return;
  throw Failure(MPI_ERR_TOPOLOGY, fmt::format("a communicator of {} ranks for {}, which has {} nodes: give "
                                              "as many ranks as nodes",
                                              size, network.name(), network.order()));
}

network::NamedNetwork network_of_topology(MPI_Comm comm) {
  require_communicator(comm);
  if (auto network = topology_network(comm)) return *std::move(network);
  throw Failure(MPI_ERR_TOPOLOGY,
                "the communicator has no topology that is Cartesian or a Cayley graph: "
                "name a network, as in Communicator(comm, network::parse(\"hypercube:4\"))");
}

// The options with their defaults resolved. Trivially copyable: broadcast as bytes.
struct ResolvedOptions {
  cost::Machine machine;
  bool check = false;
  bool reproducible = false;
  bool readable = true;  // rank 0 could read the machine file
};
static_assert(std::is_trivially_copyable_v<ResolvedOptions>);

// The options of rank 0, so that all ranks plan alike. If rank 0 cannot read its machine file, all ranks
// throw.
ResolvedOptions options_of_rank_zero(const CommunicatorOptions& options, const network::Network& network,
                                     MPI_Comm comm) {
  ResolvedOptions resolved{shared_memory(), options.check || is_on(environment_variable("ISOTROPE_CHECK")),
                           options.reproducible || is_on(environment_variable("ISOTROPE_REPRODUCIBLE"))};
  std::string error_text = "rank 0 cannot read the file of ISOTROPE_MACHINE: give the path of a machine file";
  if (rank_in(comm) == 0) {
    try {
      resolved.machine = options.machine ? *options.machine : machine_of_environment();
    } catch (const Error& error) {
      error_text = error.what();
      resolved.readable = false;
    }
  }
  require_success(MPI_Bcast(&resolved, sizeof(resolved), MPI_BYTE, 0, comm), "sharing the options of rank 0");
  if (!resolved.readable) throw Failure(MPI_ERR_ARG, error_text);
  check(resolved.machine, network.degree());
  return resolved;
}

// The nodes that rank 0 gives, on all ranks.
network::RankMap map_of_rank_zero(const CommunicatorOptions& options, MPI_Comm comm) {
  std::vector<network::Node> nodes(static_cast<std::size_t>(size_of(comm)));
  const bool fits = options.nodes && options.nodes->size() == nodes.size();
  if (shared_text(fits ? "fits" : "", comm).empty()) {
    throw Failure(
        MPI_ERR_ARG,
        fmt::format("the nodes that rank 0 gives are not those of {} ranks: give as many", nodes.size()));
  }
  if (fits) nodes = *options.nodes;
  require_success(MPI_Bcast(nodes.data(), static_cast<int>(nodes.size()), MPI_UINT32_T, 0, comm),
                  "sharing the nodes of rank 0");
  return network::RankMap(std::move(nodes));
}

// The rank map of the options of rank 0, or else of its environment.
network::RankMap rank_map(const CommunicatorOptions& options, const network::Network& network,
                          MPI_Comm comm) {
  if (!shared_text(options.nodes ? "given" : "", comm).empty()) return map_of_rank_zero(options, comm);
  if (const std::string file = shared_text(options.ranks, comm); !file.empty())
    return shared_rank_map(file, network, comm);
  const std::string file = shared_text(environment_variable("ISOTROPE_RANKS"), comm);
  if (file.empty() || !map_of_same_ranks({}, comm)) return {};
  try {
    return *map_of_same_ranks(shared_rank_map(file, network, comm), comm);
  } catch (const Error& error) {
    throw Failure(MPI_ERR_ARG, fmt::format("ISOTROPE_RANKS: {}", error.what()));
  }
}

// The numbers of ranks are those of the topology, whatever the environment says.
CommunicatorOptions in_order_of_topology(CommunicatorOptions options, MPI_Comm comm) {
  if (options.nodes || !options.ranks.empty()) return options;
  options.nodes = network::RankMap().nodes(static_cast<network::Node>(size_of(comm)));
  return options;
}

}  // namespace

cost::Machine shared_memory() {
  return {
      .startup_s = 1e-6, .ports = schedule::PortModel::all(), .overhead_s = 1e-7, .overhead_byte_s = 1.5e-10};
}

cost::Machine machine_of_environment() {
  const std::string file = environment_variable("ISOTROPE_MACHINE");
  if (file.empty()) return shared_memory();
  try {
    io::require_regular(file);
    return io::read_machine(file).machine;
  } catch (const Error& error) {
    const std::string_view what = error.what();  // begins with the path
    throw Error(fmt::format("ISOTROPE_MACHINE: {}{}", excerpt(file), what.substr(file.size())));
  }
}

std::string error_string(int code) {
  return text_of(code);
}

class Communicator::State {
 public:
  State(MPI_Comm given, Channel channel, std::shared_ptr<ProgramCache> programs, bool check,
        ProgressEngine* progress)
      : comm(std::make_shared<MPI_Comm>(given)),
        collectives(given, std::move(channel), std::move(programs), check, progress) {}

  // Returns MPI_SUCCESS, or the code of the exception of `call` after calling the error handler.
  template <class Call>
  int reported(const Call& call) const {
    try {
      call();
      return MPI_SUCCESS;
    } catch (const Failure& failure) {
      return raise(failure.code(), *comm);
    } catch (const Error& error) {
      return raise(Failure(MPI_ERR_OTHER, error.what()).code(), *comm);
    } catch (const std::bad_alloc&) {
      return raise(Failure(MPI_ERR_NO_MEM, "no memory for a collective").code(), *comm);
    }
  }

  std::shared_ptr<MPI_Comm> comm;  // the caller's, which has the error handler to call
  Collectives collectives;
};

Communicator::Communicator(MPI_Comm comm, network::NamedNetwork network, const CommunicatorOptions& options) {
  require_size(comm, network.network);
  const ResolvedOptions resolved = options_of_rank_zero(options, network.network, comm);
  network::RankMap ranks = rank_map(options, network.network, comm);
  auto programs = std::make_shared<ProgramCache>(network::MappedNetwork{std::move(network), std::move(ranks)},
                                                 static_cast<network::Rank>(rank_in(comm)), resolved.machine);
  Channel channel = Channel::of_its_own(comm);
  channel.use(HostMemory::of(channel.comm()));
  state_ = std::make_unique<State>(comm, std::move(channel), std::move(programs), resolved.check, nullptr);
  if (resolved.reproducible) reduce_reproducibly();
}

Communicator::Communicator(MPI_Comm comm, CommunicatorOptions options)
    : Communicator(comm, network_of_topology(comm), in_order_of_topology(std::move(options), comm)) {}

Communicator::Communicator(MPI_Comm comm, Channel channel, std::shared_ptr<ProgramCache> programs, bool check,
                           ProgressEngine& progress)
    : state_(std::make_unique<State>(comm, std::move(channel), std::move(programs), check, &progress)) {}

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

const network::RankMap& Communicator::ranks() const {
  return state_->collectives.rank_map();
}

const network::Failures& Communicator::lacks() const {
  return state_->collectives.lacks();
}

bool Communicator::has_multiple_edges() const {
  return state_->collectives.has_multiple_edges();
}

void Communicator::forget_comm() {
  *state_->comm = MPI_COMM_NULL;
}

void Communicator::accept_same_buffers() {
  state_->collectives.accept_same_buffers();
}

void Communicator::reduce_reproducibly() {
  state_->collectives.reduce_reproducibly();
}

int Communicator::start(const Arguments& arguments, Request& request) {
  return state_->reported(
      [&] { request = Request(state_->collectives.start(arguments, false), state_->comm); });
}

int Communicator::start(const NeighbourArguments& arguments, Request& request) {
  return state_->reported(
      [&] { request = Request(state_->collectives.start(arguments, false), state_->comm); });
}

int Communicator::prepare(const Arguments& arguments, PersistentRequest& request) {
  return state_->reported(
      [&] { request = PersistentRequest(state_->collectives.prepare(arguments), state_->comm); });
}

int Communicator::start(const VectorArguments& arguments, Request& request) {
  return state_->reported(
      [&] { request = Request(state_->collectives.start(arguments, false), state_->comm); });
}

int Communicator::prepare(const VectorArguments& arguments, PersistentRequest& request) {
  return state_->reported(
      [&] { request = PersistentRequest(state_->collectives.prepare(arguments), state_->comm); });
}

int Communicator::run(const VectorArguments& arguments) {
  Request request;
  const int code =
      state_->reported([&] { request = Request(state_->collectives.start(arguments, true), state_->comm); });
  return code == MPI_SUCCESS ? request.wait() : code;
}

NeighbourCounts Communicator::neighbour_counts() const {
  const Neighbours* const neighbours = state_->collectives.neighbours();
  return neighbours == nullptr ? NeighbourCounts{}
                               : NeighbourCounts{neighbours->sources.size(), neighbours->destinations.size()};
}

bool Communicator::combines(const NeighbourArguments& arguments) {
  return state_->collectives.combines(arguments);
}

void Communicator::skip_call(schedule::Collective collective) {
  state_->collectives.skip_call(collective);
}

int Communicator::run(const Arguments& arguments) {
  Request request;
  const int code =
      state_->reported([&] { request = Request(state_->collectives.start(arguments, true), state_->comm); });
  return code == MPI_SUCCESS ? request.wait() : code;
}

int Communicator::run(const NeighbourArguments& arguments) {
  Request request;
  const int code =
      state_->reported([&] { request = Request(state_->collectives.start(arguments, true), state_->comm); });
  return code == MPI_SUCCESS ? request.wait() : code;
}

}  // namespace isotrope::mpi
