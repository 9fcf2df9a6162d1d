// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/pmpi/job_network.hpp"

#include <cstddef>
#include <utility>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"
#include "isotrope/base/spelling.hpp"

#include "isotrope/network/losses.hpp"

#include "isotrope/mpi/shared_network.hpp"
#include "isotrope/pmpi/libraries.hpp"
#include "isotrope/pmpi/rank_zero.hpp"

namespace isotrope::pmpi {
namespace {

// An error in a rank map.
struct WrongRanks : Error {
  using Error::Error;
};

}  // namespace

void JobNetwork::find() {
  find_machine();
  find_world();
}

void JobNetwork::find_machine() {
  try {
    machine_ = mpi::machine_of_environment(MPI_COMM_WORLD);
  } catch (const Error& error) {
    serve_nothing(error.what());
  }
}

// The network of ISOTROPE_NETWORK, or else of the machine file, with the ranks in their places. Without the right places nothing is served.
void JobNetwork::find_world() {
  const std::string ranks_file = shared_variable("ISOTROPE_RANKS");
  const std::string name = shared_variable("ISOTROPE_NETWORK");
  const char* const variable = name.empty() ? "ISOTROPE_MACHINE" : "ISOTROPE_NETWORK";
  try {
    std::optional<network::NamedNetwork> nodes;
    if (!name.empty()) nodes = mpi::shared_network(name, MPI_COMM_WORLD);
    if (name.empty() && machine_) nodes = mpi::network_of_machine(*machine_, MPI_COMM_WORLD);
    if (nodes) {
      mpi::PlacedJob job = placed(*nodes, name.empty());
      check(job.machine, job.network.named.network.degree());
      ranks_per_node_ = job.ranks_per_node;
      if (!nodes->lacks.nodes.empty()) left_of_ = nodes->network.name();
      lost_ = network::losses(nodes->network, network::Failures({}, nodes->lacks.links));
      placed_by_ = ranks_file;
      if (name.empty() && ranks_file.empty() && machine_->nodes.places_ranks()) placed_by_ = machine_->file;
      world_ = TimedNetwork{std::move(job.network), job.machine};
    }
  } catch (const WrongRanks& error) {
    serve_nothing(error.what());
  } catch (const Error& error) {
    leave_world(variable, error.what());
  }
  if (machine_ && !world_ && !ranks_file.empty())
    serve_nothing(
        "ISOTROPE_RANKS: MPI_COMM_WORLD has no network whose nodes these are: name one by ISOTROPE_NETWORK");
}

// @throws WrongRanks for a wrong rank map
mpi::PlacedJob JobNetwork::placed(const network::NamedNetwork& nodes, bool is_of_machine) const {
  const std::uint32_t ranks = machine_ ? machine_->nodes.ranks_per_node.value_or(0) : 0;
  const auto given = [&](const network::NamedNetwork& network, std::uint32_t ranks_per_node) {
    try {
      auto map = mpi::ranks_of_environment(network, ranks_per_node, MPI_COMM_WORLD);
      if (!map && is_of_machine)
        map = mpi::ranks_of_machine(*machine_, network, ranks_per_node, MPI_COMM_WORLD);
      return map;
    } catch (const Error& error) {
      throw WrongRanks(error.what());
    }
  };
  return mpi::place_job(nodes, machine_.value_or(mpi::JobMachine()), ranks, given, MPI_COMM_WORLD);
}

void JobNetwork::leave_world(const char* variable, const char* what) {
  constexpr std::size_t longest = 300;
  no_world_because_ = excerpt(what, longest);
  warn(MPI_COMM_WORLD, fmt::format("{}: {}", variable, what));
}

void JobNetwork::serve_nothing(const char* what) {
  constexpr std::size_t longest = 500;
  no_world_because_ = excerpt(what, longest);
  say(fmt::format("{}; {} serves all communicators", no_world_because_, library_of_process().name));
  world_.reset();
  machine_.reset();
}

std::vector<network::Node> JobNetwork::nodes_of(const std::vector<int>& ranks) const {
  std::vector<network::Node> result;
  for (const int rank : ranks)
    result.push_back(world_->mapped.ranks.node_of(static_cast<network::Rank>(rank)));
  return result;
}

std::string JobNetwork::in_words() const {
  if (!world_)
    return no_world_because_.empty() ? "has no network"
                                     : fmt::format("has no network: {}", no_world_because_);
  std::string text = "is " + excerpt(world_->mapped.named.network.name());
  if (!left_of_.empty()) text += fmt::format(", {} without its failed nodes", excerpt(left_of_));
  if (!lost_.empty()) text += fmt::format("{}{}", left_of_.empty() ? "" : " and", excerpt(lost_));
  if (ranks_per_node_ > 1) text += fmt::format(", {} ranks a node", ranks_per_node_);
  return placed_by_.empty() ? text : fmt::format("{}, its ranks placed by {}", text, excerpt(placed_by_));
}

}  // namespace isotrope::pmpi
