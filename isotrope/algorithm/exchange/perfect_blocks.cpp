// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/exchange/perfect_blocks.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <random>
#include <utility>

#include "isotrope/algorithm/exchange/orbit_groups.hpp"
#include "isotrope/algorithm/exchange/port_cycle.hpp"
#include "isotrope/algorithm/exchange/type_sets.hpp"

namespace isotrope::algorithm {
namespace {

using network::Network;
using schedule::RelativeDestination;

std::vector<PerfectBlock> blocks_by_turn(const Network& network, PortCycle cycle,
                                         std::span<const RelativeDestination> destinations) {
  const OrbitGroups groups(network, std::move(cycle), destinations, 0);
  std::vector<PerfectBlock> blocks;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    PerfectBlock& block = blocks.emplace_back();
    for (const NumberedPacket& packet : groups.packets(g)) block.packets.push_back(packet.packet);
    schedule::Rounds rounds;
    groups.add_rounds(g, rounds);
    block.ports.resize(block.packets.size());
    for (std::uint64_t t = 0; t < rounds.size(); ++t) {
      for (std::size_t i = 0; i < block.packets.size(); ++i)
        block.ports[i].push_back(rounds.round(t)[i].port);
    }
  }
  return blocks;
}

PerfectBlock block_of(const Network& network, const RouteSets& routes, std::span<const std::uint32_t> pairs) {
  PerfectBlock result;
  TaskMatrix matrix(network.degree());
  for (const std::uint32_t packet : pairs) {
    for (const std::size_t each : {std::size_t{packet}, routes.twin(packet)}) {
      result.packets.push_back(static_cast<std::uint32_t>(each));
      for (const auto [port, count] : routes.chosen(each)) matrix.add(port, count);
      matrix.close_row();
    }
  }
  result.ports.resize(result.packets.size());
  const Decomposition rounds = decompose(matrix, network.degree());
  for (const auto [row, port] : rounds.cells()) result.ports[row].push_back(port);
  return result;
}

// The chosen routes of pairs of twins that are mirror images; empty ones for others.
std::vector<Route> mirrored_routes(const Network& network, const RouteSets& routes) {
  std::vector<Route> result(routes.size());
  for (std::size_t packet = 0; packet < routes.size(); ++packet) {
    const Route image = mirror_image(network, routes.chosen(routes.twin(packet)));
    const auto same = [](const TaskMatrix::Entry& a, const TaskMatrix::Entry& b) {
      return a.column == b.column && a.count == b.count;
    };
    if (std::ranges::equal(image, routes.chosen(packet), same)) result[packet] = routes.chosen(packet);
  }
  return result;
}

std::vector<PerfectBlock> blocks_by_type(const Network& network, const RouteSets& routes,
                                         std::uint32_t seed) {
  std::mt19937_64 random(seed);
  std::map<std::uint32_t, std::vector<PairsOfType>> by_length;
  for (PairsOfType& type : pairs_by_type(network, routes, mirrored_routes(network, routes)))
    by_length[std::accumulate(type.type.begin(), type.type.end(), 0u)].push_back(std::move(type));
  std::vector<PerfectBlock> blocks;
  for (auto& [length, types] : by_length) {
    for (const auto& pairs : sets_of_pairs(std::move(types), length, network.degree() / 2, random))
      blocks.push_back(block_of(network, routes, pairs));
  }
  return blocks;
}

}  // namespace

std::vector<PerfectBlock> perfect_blocks(const Network& network,
                                         std::span<const RelativeDestination> destinations,
                                         const RouteSets& routes, std::uint32_t seed) {
  if (auto cycle = port_cycle(network)) {
    auto blocks = blocks_by_turn(network, *std::move(cycle), destinations);
    if (!blocks.empty()) return blocks;
  }
  return blocks_by_type(network, routes, seed);
}

}  // namespace isotrope::algorithm
