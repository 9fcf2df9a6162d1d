// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/mpi/job_places.hpp"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "isotrope/base/environment.hpp"
#include "isotrope/base/spelling.hpp"

#include "isotrope/network/node_places.hpp"

#include "isotrope/cost/link_times.hpp"
#include "isotrope/cost/node_places.hpp"
#include "isotrope/cost/nodes_left.hpp"

#include "isotrope/io/machine_network.hpp"
#include "isotrope/io/rank_map_file.hpp"

#include "isotrope/mpi/communicator.hpp"
#include "isotrope/mpi/failure.hpp"
#include "isotrope/mpi/shared_network.hpp"
#include "isotrope/mpi/topology.hpp"

namespace isotrope::mpi {
namespace {

io::ReadFile reader_of(MPI_Comm comm) {
  return [comm](const std::string& file) { return shared_file(file, comm); };
}

// The result of `call` for the value of a variable; its errors begin with the name of the variable.
template <class Call>
auto value_of_variable(const char* name, const Call& call) {
  try {
    return call();
  } catch (const Error& error) {
    throw Failure(MPI_ERR_ARG, fmt::format("{}: {}", name, error.what()));
  }
}

network::HostNodes hosts_of(MPI_Comm comm) {
  MPI_Comm host = MPI_COMM_NULL;
  require_success(MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, rank_in(comm), MPI_INFO_NULL, &host),
                  "finding the ranks of a host");
  auto lowest = static_cast<std::uint32_t>(rank_in(comm));
  std::vector<std::uint32_t> all(static_cast<std::size_t>(size_of(comm)));
  const int told = MPI_Bcast(&lowest, 1, MPI_UINT32_T, 0, host);
  MPI_Comm_free(&host);
  require_success(told, "finding the ranks of a host");
  require_success(MPI_Allgather(&lowest, 1, MPI_UINT32_T, all.data(), 1, MPI_UINT32_T, comm),
                  "finding the hosts of a job");
  return network::nodes_of_hosts(all);
}

// "16 hosts with 4 ranks each", "4 hosts with 3, 5, 4, 4 ranks"
std::string in_words(const network::HostNodes& hosts) {
  constexpr std::size_t most_shown = 8;
  const std::size_t count = hosts.ranks.size();
  if (count == 1) return "one host";
  if (const std::uint32_t each = hosts.ranks_per_node(); each > 0)
    return fmt::format("{} hosts with {} each", count, each);
  const std::size_t shown = std::min(count, most_shown);
  return fmt::format(
      "{} hosts with {}{}", count,
      fmt::join(hosts.ranks.begin(), hosts.ranks.begin() + static_cast<std::ptrdiff_t>(shown), ", "),
      shown < count ? ", ..." : "");
}

// The nodes that have ranks, with the times of their links and a name for messages.
struct NodesOfJob {
  cost::NodesLeft left;
  std::string name;

  NodesOfJob(const network::NamedNetwork& nodes, const cost::Machine& links)
      : left(cost::nodes_left(nodes, links)),
        name(excerpt(nodes.network.name()) + (nodes.lacks.nodes.empty() ? "" : " without its failed nodes")) {
  }
  network::Node order() const { return left.network.network.order(); }
};

[[noreturn]] void refuse_number(const NodesOfJob& nodes, std::uint32_t ranks_per_node, int size) {
  if (ranks_per_node < 2)
    throw Failure(
        MPI_ERR_TOPOLOGY,
        fmt::format(
            "{} has {} nodes and the communicator {} ranks: give as many ranks as nodes, or several on "
            "each by \"ranks_per_node\" in a machine file",
            nodes.name, nodes.order(), size));
  throw Failure(
      MPI_ERR_TOPOLOGY,
      fmt::format("{} nodes of {} with {} ranks each, and a communicator of {} ranks: start {} ranks, or "
                  "correct \"ranks_per_node\" in the machine file",
                  nodes.order(), nodes.name, ranks_per_node, size,
                  std::uint64_t{nodes.order()} * ranks_per_node));
}

// How many ranks every node has by the number of ranks. @param given 0 if nothing says it
std::uint32_t ranks_by_number(const NodesOfJob& nodes, std::uint32_t given, int size) {
  const auto ranks = static_cast<std::uint64_t>(size);
  const std::uint64_t each = ranks / nodes.order();
  if (each == 0 || ranks % nodes.order() != 0 || each > io::most_ranks_per_node ||
      (given > 0 && given != each))
    refuse_number(nodes, given, size);
  return static_cast<std::uint32_t>(each);
}

network::RankMap places_by_hosts(const NodesOfJob& nodes, std::uint32_t ranks_per_node, bool is_given,
                                 MPI_Comm comm) {
  const network::HostNodes hosts = hosts_of(comm);
  const bool fit = hosts.ranks.size() == nodes.order() && hosts.ranks_per_node() == ranks_per_node;
  if (fit) return network::places_of_ranks(hosts.nodes, ranks_per_node);
  if (hosts.ranks.size() == 1 && is_given) return {};
  if (hosts.ranks.size() == 1) refuse_number(nodes, 1, size_of(comm));
  throw Failure(
      MPI_ERR_TOPOLOGY,
      fmt::format(
          "{} ranks on {}, and {} needs {} nodes with {} each: start as many on every host, or give the "
          "node of every rank in a rank map",
          size_of(comm), in_words(hosts), nodes.name, nodes.order(), ranks_per_node));
}

// Of the places of the ranks, with the times of the links of the nodes.
cost::Machine machine_of_places(const cost::Machine& links, const JobMachine& machine,
                                std::uint32_t ranks_per_node, const network::NamedNetwork& places) {
  const cost::Machine result =
      cost::machine_of_places(links, io::memory_of_machine(machine.nodes), ranks_per_node, places);
  cost::LinkTimes(places.network, places.lacks, result);  // refuses classes that the network does not have
  return result;
}

}  // namespace

JobMachine shared_machine(const std::string& file, MPI_Comm comm) {
  if (file.empty()) return {.links = shared_memory()};
  const std::string text = shared_file(file, comm);
  try {
    io::NamedMachine read = io::parse_machine(file, text);
    return {file, read.machine, std::move(read.nodes)};
  } catch (const Error& error) {
    const std::string_view what = error.what();  // begins with the path
    throw Failure(MPI_ERR_ARG, fmt::format("{}{}", excerpt(file), what.substr(file.size())));
  }
}

JobMachine machine_of_environment(MPI_Comm comm) {
  const std::string file = shared_text(environment_variable("ISOTROPE_MACHINE"), comm);
  return value_of_variable("ISOTROPE_MACHINE", [&] { return shared_machine(file, comm); });
}

std::optional<network::NamedNetwork> network_of_machine(const JobMachine& machine, MPI_Comm comm) {
  if (machine.nodes.network.empty()) return std::nullopt;
  return io::nodes_of_machine(machine.file, machine.nodes, reader_of(comm));
}

std::optional<network::RankMap> ranks_of_machine(const JobMachine& machine,
                                                 const network::NamedNetwork& nodes,
                                                 std::uint32_t ranks_per_node, MPI_Comm comm) {
  if (!machine.nodes.places_ranks()) return std::nullopt;
  return io::ranks_of_machine(machine.file, machine.nodes, nodes, ranks_per_node, reader_of(comm));
}

std::optional<network::RankMap> ranks_of_environment(const network::NamedNetwork& nodes,
                                                     std::uint32_t ranks_per_node, MPI_Comm comm) {
  const std::string file = shared_text(environment_variable("ISOTROPE_RANKS"), comm);
  if (file.empty()) return std::nullopt;
  return value_of_variable("ISOTROPE_RANKS", [&] {
    return io::parse_rank_map(file, shared_file(file, comm), nodes.network, ranks_per_node,
                              nodes.lacks.nodes);
  });
}

PlacedJob place_job(const network::NamedNetwork& nodes, const JobMachine& machine,
                    std::uint32_t ranks_per_node, const GivenRanks& given, MPI_Comm comm) {
  require_communicator(comm);
  const NodesOfJob nodes_of_job(nodes, machine.links);
  const std::uint32_t each = ranks_by_number(nodes_of_job, ranks_per_node, size_of(comm));
  std::optional<network::RankMap> ranks = given(nodes, each);
  if (!ranks)
    ranks = each == 1 ? network::RankMap() : places_by_hosts(nodes_of_job, each, ranks_per_node > 0, comm);
  network::NamedNetwork places = network::network_of_places(nodes_of_job.left.network, each);
  const cost::Machine times = machine_of_places(nodes_of_job.left.machine, machine, each, places);
  return {{std::move(places), *std::move(ranks)}, times, each};
}

PlacedJob job_in_order(network::NamedNetwork nodes, const JobMachine& machine) {
  const cost::Machine times = machine_of_places(machine.links, machine, 1, nodes);
  return {{std::move(nodes)}, times};
}

}  // namespace isotrope::mpi
