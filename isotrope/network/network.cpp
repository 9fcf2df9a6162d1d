// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/network/network.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"

#include "isotrope/network/port_index.hpp"
#include "isotrope/network/search_metric.hpp"
#include "isotrope/network/subgroup.hpp"

namespace isotrope::network {
namespace {

std::string generator_of(const Group& group, Node element) {
  return fmt::format("generator ({})", fmt::join(group.coordinates(element), ","));
}

void require_limits(const std::string& name, const Group& group, std::span<const Node> generators) {
  if (generators.size() > largest_degree)
    throw Error(fmt::format("{}: {} generators: a network has at most {} ports per node", name,
                            generators.size(), largest_degree));
  const std::uint64_t links = std::uint64_t{group.order()} * generators.size();
  if (links > largest_link_count)
    throw Error(fmt::format("{}: {} nodes of {} ports have {} directed links, above the limit of 2^32 = {}",
                            name, group.order(), generators.size(), links, largest_link_count));
}

void require_elements(const std::string& name, const Group& group, std::span<const Node> generators) {
  for (Node generator : generators) {
    if (generator >= group.order())
      throw Error(fmt::format("{}: generator number {} is not a node: nodes are 0..{}", name, generator,
                              group.order() - 1));
    if (generator == 0)
      throw Error(fmt::format("{}: {} is zero and leads from every node to itself: leave it out", name,
                              generator_of(group, generator)));
  }
}

void require_alike(const std::string& name, const Group& group, Node element, std::size_t copies,
                   std::size_t negatives) {
  if (copies == negatives) return;
  const std::string negative =
      fmt::format("its negative ({})", fmt::join(group.coordinates(group.negate(element)), ","));
  if (negatives == 0)
    throw Error(fmt::format("{}: {} is given without {}: add that, so that the link can be used both ways",
                            name, generator_of(group, element), negative));
  throw Error(
      fmt::format("{}: {} is given {} times and {} {} times: give both as often, so that every link can be "
                  "used both ways",
                  name, generator_of(group, element), copies, negative, negatives));
}

// Copy k of a generator goes with copy k of its negative, in port order.
std::vector<Port> opposite_ports(const std::string& name, const Group& group,
                                 std::span<const Node> generators) {
  require_limits(name, group, generators);
  require_elements(name, group, generators);
  const PortIndex index(generators);
  std::vector<Port> opposite(generators.size());
  for (Port port = 0; port < generators.size(); ++port) {
    const Node element = generators[port];
    const std::span<const Port> copies = index.ports_of(element),
                                negatives = index.ports_of(group.negate(element));
    require_alike(name, group, element, copies.size(), negatives.size());
    opposite[port] =
        negatives[static_cast<std::size_t>(std::ranges::lower_bound(copies, port) - copies.begin())];
  }
  return opposite;
}

}  // namespace

Network::Network(std::string name, Group group, std::vector<Node> generators,
                 std::shared_ptr<const Metric> metric)
    : name_(std::move(name)),
      group_(std::move(group)),
      generators_(std::move(generators)),
      opposite_(opposite_ports(name_, group_, generators_)),
      metric_(metric ? std::move(metric) : search_metric(group_, generators_)) {
  const Node index = subgroup_index(group_, generators_);
  if (index != 1)
    throw Error(
        fmt::format("{}: the generators reach only {} of {} nodes: add generators, or use a smaller group",
                    name_, order() / index, order()));
}

std::uint64_t Network::distance_sum() const {
  const std::vector<std::uint64_t> counts = distance_counts();
  std::uint64_t sum = 0;
  for (std::size_t distance = 0; distance < counts.size(); ++distance) sum += distance * counts[distance];
  return sum;
}

double Network::average_distance() const {
  if (order() == 1) return 0;
  return static_cast<double>(distance_sum()) / static_cast<double>(order() - 1);
}

bool same_network(const Network& a, const Network& b) {
  return std::ranges::equal(a.group().moduli(), b.group().moduli()) &&
         std::ranges::equal(a.generators(), b.generators());
}

}  // namespace isotrope::network
