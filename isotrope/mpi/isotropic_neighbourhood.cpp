// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/mpi/isotropic_neighbourhood.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "isotrope/network/factorisations.hpp"
#include "isotrope/network/parse.hpp"
#include "isotrope/network/subgroup.hpp"

namespace isotrope::mpi {
namespace {

using network::Coordinate;
using network::Group;
using network::Node;
using schedule::RelativeDestination;

// The edges of a rank.
struct RankEdges {
  std::vector<Node> destinations, sources;
};

std::vector<RankEdges> all_edges(MPI_Comm comm, const Neighbours& neighbours) {
  std::vector<int> own{static_cast<int>(neighbours.destinations.size())};
  own.insert(own.end(), neighbours.destinations.begin(), neighbours.destinations.end());
  own.insert(own.end(), neighbours.sources.begin(), neighbours.sources.end());
  std::vector<RankEdges> result;
  for (const std::vector<int>& list : gathered_lists(own, comm)) {
    const auto begin = list.begin() + 1, middle = begin + list.front();
    result.push_back({{begin, middle}, {middle, list.end()}});
  }
  return result;
}

// Ascending.
std::vector<Node> destination_differences(const RankEdges& edges, Node rank, const Group& group) {
  std::vector<Node> result;
  for (const Node to : edges.destinations) result.push_back(group.subtract(to, rank));
  std::ranges::sort(result);
  return result;
}
std::vector<Node> source_differences(const RankEdges& edges, Node rank, const Group& group) {
  std::vector<Node> result;
  for (const Node from : edges.sources) result.push_back(group.subtract(rank, from));
  std::ranges::sort(result);
  return result;
}

bool fits(const std::vector<RankEdges>& edges, const Group& group, const std::vector<Node>& differences) {
  for (Node rank = 0; rank < edges.size(); ++rank) {
    if (edges[rank].destinations.size() != differences.size() ||
        edges[rank].sources.size() != differences.size() ||
        destination_differences(edges[rank], rank, group) != differences ||
        source_differences(edges[rank], rank, group) != differences)
      return false;
  }
  return true;
}

std::uint64_t ways_along_axes(const Group& group, const std::vector<Node>& differences) {
  std::uint64_t links = 0;
  for (const Node difference : differences) {
    for (std::size_t axis = 0; axis < group.rank(); ++axis) {
      const Coordinate x = group.coordinate(difference, axis);
      links += std::min(x, group.moduli()[axis] - x);
    }
  }
  return links;
}

bool makes_blocks_equal(const Group& group, const std::vector<Node>& differences) {
  std::vector<Node> between;
  for (const Node difference : differences)
    between.push_back(group.subtract(difference, differences.front()));
  return network::subgroup_index(group, between) == 1;
}

std::vector<RelativeDestination> counted(const std::vector<Node>& differences) {
  std::vector<RelativeDestination> result;
  for (const Node difference : differences) {
    if (result.empty() || result.back().to != difference) result.push_back({difference, 0});
    ++result.back().blocks;
  }
  return result;
}

}  // namespace

std::uint64_t IsotropicNeighbourhood::blocks() const {
  return std::accumulate(destinations.begin(), destinations.end(), std::uint64_t{0},
                         [](std::uint64_t sum, const RelativeDestination& to) { return sum + to.blocks; });
}

std::uint64_t IsotropicNeighbourhood::hops() const {
  return std::accumulate(destinations.begin(), destinations.end(), std::uint64_t{0},
                         [&](std::uint64_t sum, const RelativeDestination& to) {
                           return sum + std::uint64_t{to.blocks} * torus.distance(0, to.to);
                         });
}

std::uint32_t IsotropicNeighbourhood::longest() const {
  std::uint32_t result = 0;
  for (const RelativeDestination& to : destinations) result = std::max(result, torus.distance(0, to.to));
  return result;
}

bool IsotropicNeighbourhood::has_multiple_edges() const {
  return std::ranges::any_of(destinations, [](const RelativeDestination& to) { return to.blocks > 1; });
}

std::optional<IsotropicNeighbourhood> isotropic_neighbourhood(MPI_Comm comm, const Neighbours& neighbours) {
  if (neighbours.cartesian) return std::nullopt;
  const std::vector<RankEdges> edges = all_edges(comm, neighbours);
  if (edges.size() == 1 || edges.front().destinations.empty()) return std::nullopt;
  std::uint64_t shortest = UINT64_MAX;
  std::vector<Coordinate> extents;
  std::vector<Node> differences;
  network::visit_factorisations(edges.size(), [&](const std::vector<Coordinate>& moduli) {
    const Group group(moduli);
    auto candidate = destination_differences(edges.front(), 0, group);
    if (!fits(edges, group, candidate) || !makes_blocks_equal(group, candidate)) return false;
    const std::uint64_t links = ways_along_axes(group, candidate);
    if (links >= shortest) return false;
    shortest = links;
    extents = moduli;
    differences = std::move(candidate);
    return false;
  });
  if (extents.empty()) return std::nullopt;
  return IsotropicNeighbourhood{network::parse(fmt::format("torus:{}", fmt::join(extents, "x"))),
                                counted(differences)};
}

}  // namespace isotrope::mpi
