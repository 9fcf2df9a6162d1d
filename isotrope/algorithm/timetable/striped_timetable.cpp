// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/timetable/striped_timetable.hpp"

#include <algorithm>
#include <vector>

#include "isotrope/algorithm/lanes.hpp"
#include "isotrope/algorithm/timetable/layered_timetable.hpp"
#include "isotrope/algorithm/timetable/port_groups.hpp"

namespace isotrope::algorithm {
namespace {

using network::Network;
using network::Node;
using network::Port;
using schedule::PortModel;

PortGroups groups_in_node(const Network& network, const Lane& lane, PortModel ports) {
  return {network.degree() - lane.network.degree(), ports};
}

// Within a node: the parts for the place k further share the links there.
void leave_places(const Network& network, const PortGroups& groups, Timetable& timetable) {
  const std::uint32_t places = places_of_node(network);
  const auto ports = ports_in_node(network);
  std::uint32_t before = 0;  // ports to nearer places
  for (std::uint32_t k = 1; k < places; ++k) {
    const auto side_by_side = static_cast<std::uint32_t>(ports[k].size());
    for (Node address = k; address < network.order(); address += places) {
      for (std::uint32_t table = 0; table < timetable.tables(); ++table) {
        const std::uint32_t share = (table + address / places) % side_by_side;
        timetable.at(table, address) = {groups.of(before + share), ports[k][share]};
      }
    }
    before += side_by_side;
  }
}

}  // namespace

Timetable striped_timetable(const Network& network, std::uint32_t parts, PortModel ports) {
  const Lane lane = lane_of(network);
  const PortGroups groups = groups_in_node(network, lane, ports);
  const Timetable of_lane =
      layered_timetable(lane.network, parts, ports_within(ports, lane.network.degree()));
  Timetable result(network.order(), parts, groups.count() + of_lane.rounds());
  leave_places(network, groups, result);
  const std::uint32_t places = places_of_node(network);
  for (Node node = 1; node < lane.network.order(); ++node) {
    for (std::uint32_t table = 0; table < parts; ++table) {
      const auto [round, port] = of_lane.at(table, node);
      result.at(table, node * places) = {groups.count() + round, lane.ports[port]};
    }
  }
  return result;
}

std::uint32_t striped_timetable_rounds(const Network& network, PortModel ports) {
  const Lane lane = lane_of(network);
  const PortGroups of_lane(lane.network.degree(), ports_within(ports, lane.network.degree()));
  return groups_in_node(network, lane, ports).count() + lane.network.diameter() * of_lane.count();
}

}  // namespace isotrope::algorithm
