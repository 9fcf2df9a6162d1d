// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/schedule/symmetries.hpp"

#include <algorithm>
#include <bit>
#include <optional>
#include <span>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"

#include "isotrope/network/port_index.hpp"

namespace isotrope::schedule {
namespace {

using network::Coordinate;
using network::Failures;
using network::Group;
using network::Network;

bool has(std::uint64_t axes, std::size_t axis) {
  return (axes >> axis & 1) != 0;
}

std::uint64_t bit(std::size_t axis) {
  return std::uint64_t{1} << axis;
}

// The node with coordinate m - 1 - x instead of x. Coordinates do not wrap around, so numbers add up.
Node reflection(const Group& group, Node node, std::size_t axis, Node unit) {
  const Coordinate x = group.coordinate(node, axis);
  return node - x * unit + (group.moduli()[axis] - 1 - x) * unit;
}

// The element with coordinate 1 along an axis. @pre its modulus is 2 or more.
Node unit_along(const Group& group, std::size_t axis) {
  std::vector<Coordinate> coordinates(group.rank(), 0);
  coordinates[axis] = 1;
  return group.number(coordinates);
}

// By port, the port that leads the same way but backward along the axis, the k-th of its generator for the k-th; nothing
// if there is none.
std::optional<std::vector<Port>> reflected_ports(const Network& network, std::size_t axis) {
  const Group& group = network.group();
  const network::PortIndex index(network.generators());
  std::vector<Port> result(network.degree());
  for (const Node generator : network.generators()) {
    std::vector<Coordinate> coordinates = group.coordinates(generator);
    const Coordinate modulus = group.moduli()[axis];
    coordinates[axis] = (modulus - coordinates[axis]) % modulus;
    const auto ports = index.ports_of(generator), images = index.ports_of(group.number(coordinates));
    if (images.size() != ports.size()) return std::nullopt;
    for (std::size_t k = 0; k < ports.size(); ++k) result[ports[k]] = images[k];
  }
  return result;
}

}  // namespace

SymmetryAxes symmetry_axes(const Network& network, const Failures& failed) {
  SymmetryAxes result;
  if (!failed.only_open_axes()) return result;
  const auto moduli = network.group().moduli();
  for (std::size_t axis = 0; axis < moduli.size(); ++axis) {
    const bool open = std::ranges::find(failed.open_axes, axis) != failed.open_axes.end();
    if (!open && moduli[axis] > 1) result.translations |= bit(axis);
    if (open && moduli[axis] % 2 == 0 && reflected_ports(network, axis)) result.reflections |= bit(axis);
  }
  return result;
}

Symmetries::Symmetries(const Network& network, SymmetryAxes axes) : network_(network) {
  for (std::size_t axis = 0; axis < 64; ++axis) {
    const bool translates = has(axes.translations, axis), reflects = has(axes.reflections, axis);
    if (!translates && !reflects) continue;
    if (axis >= network.group().rank())
      throw Error(
          fmt::format("symmetry along axis {}: give a coordinate, 0..{}", axis, network.group().rank() - 1));
    if (translates && reflects)
      throw Error(fmt::format("axis {} is translated and reflected: name it once", axis));
    if (reflects && network.group().moduli()[axis] % 2 != 0)
      throw Error(fmt::format("reflection of axis {} of modulus {}: it must be even", axis,
                              network.group().moduli()[axis]));
  }
  if (std::uint64_t{network.order()} > most_images >> std::popcount(axes.reflections))
    throw Error(fmt::format(
        "reflections of {} axes of {}: give fewer, so that nodes times sets of axes are at most 2^28",
        std::popcount(axes.reflections), network.name()));
  add_reflections(axes);
  add_translations(axes);
  find_orbits(axes);
}

std::vector<Node> Symmetries::first_nodes() const {
  std::vector<Node> result;
  for (Node node = 0; node < network_.order(); ++node) {
    if (first(node) == node) result.push_back(node);
  }
  return result;
}

// Every further axis doubles the sets: those before, and those with it.
void Symmetries::add_reflections(SymmetryAxes axes) {
  const Node order = network_.order();
  const Port degree = network_.degree();
  for (Node node = 0; node < order; ++node) reflected_.push_back(node);
  for (Port port = 0; port < degree; ++port) ports_.push_back(port);
  for (std::size_t axis = 0; axis < network_.group().rank(); ++axis) {
    if (!has(axes.reflections, axis)) continue;
    const auto ports = reflected_ports(network_, axis);
    if (!ports)
      throw Error(
          fmt::format("reflection of axis {}: {} has a link without a mirror image", axis, network_.name()));
    const Node unit = unit_along(network_.group(), axis);
    for (std::size_t i = 0; i < std::size_t{masks_} * order; ++i)
      reflected_.push_back(reflection(network_.group(), reflected_[i], axis, unit));
    for (std::size_t i = 0; i < std::size_t{masks_} * degree; ++i) ports_.push_back((*ports)[ports_[i]]);
    masks_ *= 2;
  }
}

void Symmetries::add_translations(SymmetryAxes axes) {
  const Group& group = network_.group();
  place_.assign(group.order(), 0);
  for (Node node = 0; node < group.order(); ++node) {
    bool translates = true;
    for (std::size_t axis = 0; axis < group.rank() && translates; ++axis)
      translates = has(axes.translations, axis) || group.coordinate(node, axis) == 0;
    if (!translates) continue;
    place_[node] = static_cast<std::uint32_t>(shifts_.size());
    shifts_.push_back(node);
  }
}

void Symmetries::find_orbits(SymmetryAxes axes) {
  const Group& group = network_.group();
  first_.assign(group.order(), 0);
  to_.assign(group.order(), 0);
  for (Node node = 0; node < group.order(); ++node) {
    bool is_first = true;
    for (std::size_t axis = 0; axis < group.rank() && is_first; ++axis) {
      const Coordinate x = group.coordinate(node, axis);
      if (has(axes.translations, axis)) is_first = x == 0;
      if (has(axes.reflections, axis)) is_first = x < group.moduli()[axis] / 2;
    }
    for (std::uint32_t symmetry = 0; is_first && symmetry < size(); ++symmetry) {
      first_[image(symmetry, node)] = node;
      to_[image(symmetry, node)] = symmetry;
    }
  }
}

Stage first_of_orbits(const Network& network, const Stage& stage) {
  const Symmetries symmetries(network, stage.symmetry);
  Stage result{stage.flow, stage.replication, {}, {}};
  for (std::size_t i = 0; i < stage.packets.size(); i += symmetries.size())
    result.packets.push_back(stage.packets[i]);
  for (std::uint64_t t = 0; t < stage.rounds.size(); ++t) {
    const std::span<const Hop> hops = stage.rounds.round(t);
    for (std::size_t i = 0; i < hops.size(); i += symmetries.size())
      result.rounds.add({hops[i].packet / symmetries.size(), hops[i].from, hops[i].port});
    result.rounds.close_round();
  }
  return result;
}

namespace {

Packet image(const Symmetries& symmetries, std::uint32_t i, const Packet& packet) {
  const Node to = packet.to == to_all ? to_all : symmetries.image(i, packet.to);
  return {symmetries.image(i, packet.origin), to, packet.block, packet.part};
}

// Of a hop of the packet with this number among those listed.
Hop image(const Symmetries& symmetries, std::uint32_t i, PacketId listed, const Hop& hop) {
  return {listed * symmetries.size() + i, symmetries.image(i, hop.from),
          symmetries.image_of_port(i, hop.port)};
}

}  // namespace

bool has_symmetry(const Network& network, const Stage& stage) {
  const Symmetries symmetries(network, stage.symmetry);
  const std::uint32_t size = symmetries.size();
  const auto in_range = [&](const Hop& hop) {
    return hop.from < network.order() && hop.port < network.degree();
  };
  const auto are_images = [&](std::span<const Hop> hops) {
    if (hops.size() % size != 0) return false;
    for (std::size_t i = 0; i < hops.size(); ++i) {
      const Hop& first = hops[i - i % size];
      if (!in_range(first)) return false;
      if (hops[i] != image(symmetries, static_cast<std::uint32_t>(i % size), first.packet / size, first))
        return false;
    }
    return true;
  };
  if (stage.packets.size() % size != 0) return false;
  for (std::size_t p = 0; p < stage.packets.size(); ++p) {
    const Packet& first = stage.packets[p - p % size];
    if (first.origin >= network.order() || (first.to >= network.order() && first.to != to_all)) return false;
    if (stage.packets[p] != image(symmetries, static_cast<std::uint32_t>(p % size), first)) return false;
  }
  for (std::uint64_t t = 0; t < stage.rounds.size(); ++t) {
    if (!are_images(stage.rounds.round(t))) return false;
  }
  return true;
}

Stage with_images(const Network& network, const Stage& first, SymmetryAxes axes) {
  const Symmetries symmetries(network, axes);
  const std::uint64_t size = symmetries.size();
  if (first.packets.size() > most_images / size || first.rounds.hop_count() > most_images / size)
    throw Error(fmt::format("{} packets and {} hops with {} images each: at most {} of either are read",
                            first.packets.size(), first.rounds.hop_count(), size, most_images));
  Stage result{first.flow, Replication::none(), {}, {}};
  result.symmetry = axes;
  result.packets.reserve(first.packets.size() * size);
  for (const Packet& packet : first.packets) {
    for (std::uint32_t i = 0; i < size; ++i) result.packets.push_back(image(symmetries, i, packet));
  }
  result.rounds.reserve(first.rounds.size(), first.rounds.hop_count() * size);
  for (std::uint64_t t = 0; t < first.rounds.size(); ++t) {
    for (const Hop& hop : first.rounds.round(t)) {
      for (std::uint32_t i = 0; i < size; ++i) result.rounds.add(image(symmetries, i, hop.packet, hop));
    }
    result.rounds.close_round();
  }
  return result;
}

}  // namespace isotrope::schedule
