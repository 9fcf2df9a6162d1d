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

#include "isotrope/network/node_places.hpp"
#include "isotrope/network/nodes_left.hpp"

#include "isotrope/io/rank_map_file.hpp"

#include "isotrope/mpi/channel.hpp"
#include "isotrope/mpi/collectives.hpp"
#include "isotrope/mpi/failure.hpp"
#include "isotrope/mpi/host_memory.hpp"
#include "isotrope/mpi/job_places.hpp"
#include "isotrope/mpi/own_plans.hpp"
#include "isotrope/mpi/shared_network.hpp"
#include "isotrope/mpi/topology.hpp"

namespace isotrope::mpi {
namespace {

// The options with their defaults resolved. Trivially copyable: broadcast as bytes.
struct ResolvedOptions {
  cost::Machine machine;
  bool has_machine = false;  // in the options
  bool check = false;
  bool reproducible = false;
  std::uint32_t ranks_per_node = 0;
};
static_assert(std::is_trivially_copyable_v<ResolvedOptions>);

// The options of rank 0, so that all ranks plan alike.
ResolvedOptions options_of_rank_zero(const CommunicatorOptions& options, MPI_Comm comm) {
  require_communicator(comm);
  ResolvedOptions resolved{options.machine.value_or(shared_memory()), options.machine.has_value(),
                           options.check || is_on(environment_variable("ISOTROPE_CHECK")),
                           options.reproducible || is_on(environment_variable("ISOTROPE_REPRODUCIBLE")),
                           options.ranks_per_node};
  require_success(MPI_Bcast(&resolved, sizeof(resolved), MPI_BYTE, 0, comm), "sharing the options of rank 0");
  return resolved;
}

// The nodes that rank 0 gives, on all ranks.
std::vector<network::Node> nodes_of_rank_zero(const CommunicatorOptions& options, MPI_Comm comm) {
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
  return nodes;
}

// A map of the ranks of MPI_COMM_WORLD as one of the ranks of `comm`; nothing unless these are the same.
std::optional<network::RankMap> of_same_ranks(const std::optional<network::RankMap>& world, MPI_Comm comm) {
  return world ? map_of_same_ranks(*world, comm) : std::nullopt;
}

// A program names the network of the nodes, and the machine file its failures and ranks, if it is the same network.
bool is_network_of(const std::optional<network::NamedNetwork>& machine, const network::NamedNetwork& named) {
  return machine && same_network(machine->network, named.network) && machine->lacks.before() == named.lacks;
}

// The rank map of the options of rank 0, or else of its environment or the machine file, which are those of MPI_COMM_WORLD.
GivenRanks given_ranks(const CommunicatorOptions& options, const JobMachine& machine, bool is_of_machine,
                       MPI_Comm comm) {
  return [&options, &machine, is_of_machine, comm](
             const network::NamedNetwork& nodes,
             std::uint32_t ranks_per_node) -> std::optional<network::RankMap> {
    if (!shared_text(options.nodes ? "given" : "", comm).empty()) {
      const auto given = nodes_of_rank_zero(options, comm);
      std::vector<network::Node> numbers = network::numbers_left(given, nodes.lacks.nodes);
      if (ranks_per_node == 1) return network::RankMap(std::move(numbers));
      return network::places_of_ranks(numbers, ranks_per_node);
    }
    if (const std::string file = shared_text(options.ranks, comm); !file.empty())
      return io::parse_rank_map(file, shared_file(file, comm), nodes.network, ranks_per_node,
                                nodes.lacks.nodes);
    if (!map_of_same_ranks({}, comm)) return std::nullopt;
    if (auto ranks = ranks_of_environment(nodes, ranks_per_node, comm)) return of_same_ranks(ranks, comm);
    if (!is_of_machine) return std::nullopt;
    return of_same_ranks(ranks_of_machine(machine, nodes, ranks_per_node, comm), comm);
  };
}

// The ranks a node of the machine file; of communicators with other ranks than MPI_COMM_WORLD only if their number says so too.
std::uint32_t ranks_of_file(const JobMachine& machine, const network::NamedNetwork& nodes, bool is_world,
                            MPI_Comm comm) {
  const std::uint32_t ranks = machine.nodes.ranks_per_node.value_or(0);
  const std::uint64_t places = std::uint64_t{nodes.network.order() - nodes.lacks.nodes.size()} * ranks;
  return is_world || places == static_cast<std::uint64_t>(size_of(comm)) ? ranks : 0;
}

// A network of the topology has the numbers of its ranks, and one rank a node, whatever the environment says.
PlacedJob placed(MPI_Comm comm, std::optional<network::NamedNetwork> network,
                 const CommunicatorOptions& options, std::uint32_t ranks_per_node,
                 const JobMachine& machine) {
  const bool is_named = network.has_value();
  if (!is_named) network = topology_network(comm);
  const bool is_of_topology = !is_named && network.has_value();
  std::optional<network::NamedNetwork> of_machine;
  if (!is_of_topology) of_machine = network_of_machine(machine, comm);
  if (!network && !of_machine)
    throw Failure(
        MPI_ERR_TOPOLOGY,
        "the communicator has no topology that is Cartesian or a Cayley graph: "
        "name a network, as in Communicator(comm, network::parse(\"hypercube:4\")), or in the file of "
        "ISOTROPE_MACHINE");
  const bool is_world = map_of_same_ranks({}, comm).has_value();
  const bool is_of_machine = !network || (is_world && is_network_of(of_machine, *network));
  if (is_of_machine) network = of_machine;
  if (is_of_topology && shared_text(options.nodes || !options.ranks.empty() ? "given" : "", comm).empty())
    return job_in_order(*std::move(network), machine);
  if (ranks_per_node == 0 && is_of_topology) ranks_per_node = 1;
  if (ranks_per_node == 0) ranks_per_node = ranks_of_file(machine, *network, is_world, comm);
  return place_job(*network, machine, ranks_per_node, given_ranks(options, machine, is_of_machine, comm),
                   comm);
}

}  // namespace

cost::Machine shared_memory() {
  return {
      .startup_s = 1e-6, .ports = schedule::PortModel::all(), .overhead_s = 1e-7, .overhead_byte_s = 1.5e-10};
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

Communicator::Communicator(MPI_Comm comm, network::NamedNetwork network, const CommunicatorOptions& options)
    : Communicator(comm, std::optional(std::move(network)), options) {}

Communicator::Communicator(MPI_Comm comm, const CommunicatorOptions& options)
    : Communicator(comm, std::optional<network::NamedNetwork>(), options) {}

Communicator::Communicator(MPI_Comm comm, std::optional<network::NamedNetwork> network,
                           const CommunicatorOptions& options) {
  const ResolvedOptions resolved = options_of_rank_zero(options, comm);
  const JobMachine machine =
      resolved.has_machine ? JobMachine{.links = resolved.machine} : machine_of_environment(comm);
  const PlacedJob job = placed(comm, std::move(network), options, resolved.ranks_per_node, machine);
  check(job.machine, job.network.named.network.degree());
  auto programs = std::make_shared<ProgramCache>(job.network, static_cast<network::Rank>(rank_in(comm)),
                                                 job.machine, share_own_plans(comm));
  Channel channel = Channel::of_its_own(comm);
  channel.use(HostMemory::of(channel.comm()));
  state_ = std::make_unique<State>(comm, std::move(channel), std::move(programs), resolved.check, nullptr);
  if (resolved.reproducible) reduce_reproducibly();
}

Communicator::Communicator(MPI_Comm comm, Channel channel, std::shared_ptr<ProgramCache> programs, bool check,
                           ProgressEngine& progress)
    : state_(std::make_unique<State>(comm, std::move(channel), std::move(programs), check, &progress)) {}

void Communicator::use(std::shared_ptr<ProgramCache> programs) {
  state_->collectives.use(std::move(programs));
}

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
