// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/exchange/orbit_groups.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "isotrope/algorithm/exchange/route_choice.hpp"

namespace isotrope::algorithm {

using network::Network;
using network::Node;
using network::Port;
using schedule::RelativeDestination;

OrbitGroups::OrbitGroups(const Network& network, PortCycle cycle,
                         std::span<const RelativeDestination> destinations, schedule::PacketId first)
    : network_(network),
      cycle_(std::move(cycle)),
      first_packet_(network.order(), 0),
      place_of_(network.degree()),
      routes_(network.degree()) {
  for (const auto [to, blocks] : destinations) {
    first_packet_[to] = first;
    first += blocks;
  }
  for (std::uint32_t place = 0; place < network.degree(); ++place) place_of_[cycle_.ports[place]] = place;
  find_orbits(destinations);
  std::vector<RelativeDestination> starts;
  for (const Orbit& orbit : orbits_) {
    if (orbit.copy == 0) starts.push_back({orbit.start, 1});
  }
  routes_ = shortest_routes(network, starts);
  form_groups();
}

// The nodes of an orbit get equally many packets; further packets to a node belong to the rest.
void OrbitGroups::find_orbits(std::span<const RelativeDestination> destinations) {
  std::vector<std::uint32_t> packets(network_.order(), 0);  // not yet in an orbit
  for (const auto [to, blocks] : destinations) packets[to] = to == 0 ? 0 : blocks;
  std::vector<Node> nodes;
  std::uint32_t route = 0;
  for (const RelativeDestination& destination : destinations) {
    const Node start = destination.to;
    if (packets[start] == 0) continue;
    std::uint32_t common = packets[start];
    nodes.clear();
    for (Node node = start; nodes.empty() || node != start; node = cycle_.image[node]) {
      nodes.push_back(node);
      common = std::min(common, packets[node]);
    }
    for (std::uint32_t copy = 0; copy < common; ++copy) {
      orbits_.push_back({start, static_cast<std::uint32_t>(nodes.size()), route, copy});
    }
    if (common > 0) ++route;
    for (Node node : nodes) {
      for (std::uint32_t copy = common; copy < packets[node]; ++copy) {
        rest_.push_back({first_packet_[node] + copy, node});
      }
      packets[node] = 0;
    }
  }
}

void OrbitGroups::form_groups() {
  std::map<std::pair<std::size_t, std::uint32_t>, std::vector<Orbit>> kinds;  // by length and size
  for (const Orbit& orbit : orbits_) {
    const std::vector<std::uint32_t> route = places(orbit);
    if (repeats(route, orbit.size)) {
      kinds[{route.size(), orbit.size}].push_back(orbit);
    } else {
      append_packets(orbit, rest_);
    }
  }
  orbits_.clear();
  for (const auto& [kind, orbits] : kinds) {
    const auto [length, size] = kind;
    const std::size_t together = network_.degree() / size;
    const std::size_t grouped = orbits.size() / together * together;
    for (std::size_t i = 0; i < grouped; i += together) {
      groups_.push_back({orbits_.size() + i, static_cast<std::uint32_t>(length)});
    }
    orbits_.insert(orbits_.end(), orbits.begin(), orbits.begin() + static_cast<std::ptrdiff_t>(grouped));
    for (std::size_t i = grouped; i < orbits.size(); ++i) append_packets(orbits[i], rest_);
  }
}

// The places of a route, ascending, each once per hop over its port.
std::vector<std::uint32_t> OrbitGroups::places(const Orbit& orbit) const {
  std::vector<std::uint32_t> places;
  for (const auto [port, count] : routes_.row(orbit.route))
    places.insert(places.end(), count, place_of_[port]);
  std::sort(places.begin(), places.end());
  return places;
}

// Tells whether a shift by `period` makes no difference.
bool OrbitGroups::repeats(std::span<const std::uint32_t> places, std::uint32_t period) const {
  const Port degree = network_.degree();
  const auto count = [&places](std::uint32_t place) {
    const auto [begin, end] = std::equal_range(places.begin(), places.end(), place);
    return end - begin;
  };
  return period == degree || std::all_of(places.begin(), places.end(), [&](std::uint32_t place) {
           return count(place) == count((place + period) % degree);
         });
}

void OrbitGroups::append_packets(const Orbit& orbit, std::vector<NumberedPacket>& packets) const {
  Node node = orbit.start;
  for (std::uint32_t i = 0; i < orbit.size; ++i, node = cycle_.image[node]) {
    packets.push_back({first_packet_[node] + orbit.copy, node});
  }
}

std::span<const OrbitGroups::Orbit> OrbitGroups::orbits(std::size_t g) const {
  const Orbit* begin = orbits_.data() + groups_[g].begin;
  return {begin, network_.degree() / begin->size};
}

std::vector<NumberedPacket> OrbitGroups::packets(std::size_t g) const {
  std::vector<NumberedPacket> packets;
  for (const Orbit& orbit : orbits(g)) append_packets(orbit, packets);
  return packets;
}

void OrbitGroups::add_rounds(std::size_t g, schedule::Rounds& rounds) const {
  const auto together = orbits(g);
  const std::uint32_t size = together.front().size;
  std::vector<std::vector<std::uint32_t>> routes;
  for (const Orbit& orbit : together) routes.push_back(places(orbit));
  const std::vector<NumberedPacket> moved = packets(g);
  std::vector<Node> at(moved.size(), 0);
  network_.visit([&](const auto& neighbour, const auto&) {
    for (std::size_t a = 0; a < length(g) / together.size(); ++a) {
      for (std::size_t s = 0; s < together.size(); ++s) {
        for (std::size_t p = 0; p < moved.size(); ++p) {
          const std::size_t c = p / size, i = p % size;
          const std::size_t place = (routes[c][a] + i) % size + size * ((c + s) % together.size());
          const Port port = cycle_.ports[place];
          rounds.add({moved[p].packet, at[p], port});
          at[p] = neighbour(at[p], port);
        }
        rounds.close_round();
      }
    }
  });
}

}  // namespace isotrope::algorithm
