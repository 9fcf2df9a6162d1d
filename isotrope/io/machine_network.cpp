// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/io/machine_network.hpp"

#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "isotrope/base/error.hpp"
#include "isotrope/base/spelling.hpp"

#include "isotrope/network/node_places.hpp"
#include "isotrope/network/nodes_left.hpp"

#include "isotrope/cost/node_places.hpp"

#include "isotrope/io/rank_map_file.hpp"

namespace isotrope::io {
namespace {

// The result of `call`; its errors name the key of the machine file.
template <class Call>
auto value_of_key(const std::string& file, const char* key, const Call& call) {
  try {
    return call();
  } catch (const Error& error) {
    throw Error(fmt::format("{}: \"{}\": {}", excerpt(file), key, error.what()));
  }
}

}  // namespace

network::NamedNetwork nodes_of_machine(const std::string& file, const MachineNodes& machine,
                                       const ReadFile& read) {
  network::NamedNetwork named =
      value_of_key(file, "network", [&] { return named_network(machine.network, read); });
  network::Failures lacks = named.lacks;
  if (!machine.failed_nodes.empty())
    lacks.nodes = value_of_key(file, "failed_nodes", [&] {
      return network::parse_failed_nodes(fmt::format("{}", fmt::join(machine.failed_nodes, ",")),
                                         named.network);
    });
  if (!machine.failed_links.empty())
    lacks.links = value_of_key(file, "failed_links", [&] {
      return network::parse_failed_links(fmt::format("{}", fmt::join(machine.failed_links, ",")),
                                         named.network, named.lacks);
    });
  named.lacks = std::move(lacks);
  return named;
}

network::RankMap ranks_of_machine(const std::string& file, const MachineNodes& machine,
                                  const network::NamedNetwork& nodes, std::uint32_t ranks_per_node,
                                  const ReadFile& read) {
  return value_of_key(file, "ranks", [&] {
    if (!machine.ranks_file.empty())
      return parse_rank_map(machine.ranks_file, read(machine.ranks_file), nodes.network, ranks_per_node,
                            nodes.lacks.nodes);
    if (machine.nodes_of_ranks.empty()) return network::RankMap();
    const auto numbers = network::numbers_left(machine.nodes_of_ranks, nodes.lacks.nodes);
    const std::size_t wanted = (nodes.network.order() - nodes.lacks.nodes.size()) * ranks_per_node;
    if (machine.nodes_of_ranks.size() != wanted)
      throw Error(fmt::format("nodes of {} ranks, for {} ranks on {}: give a node for every rank",
                              machine.nodes_of_ranks.size(), wanted, nodes.network.name()));
    return network::places_of_ranks(numbers, ranks_per_node);
  });
}

cost::LinkTime memory_of_machine(const MachineNodes& machine) {
  return {machine.memory.startup_s.value_or(cost::memory_of_host.startup_s),
          machine.memory.byte_time_s.value_or(cost::memory_of_host.byte_time_s)};
}

}  // namespace isotrope::io
