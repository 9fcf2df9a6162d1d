// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/network/group.hpp"

#include <algorithm>
#include <bit>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "isotrope/base/error.hpp"

namespace isotrope::network {
namespace {

constexpr std::size_t most_moduli = 64;

Node checked_order(std::span<const Coordinate> moduli) {
  if (moduli.empty() || moduli.size() > most_moduli)
    throw Error(fmt::format("a group of {} moduli: give 1 to {} moduli", moduli.size(), most_moduli));
  std::uint64_t order = 1;
  for (Coordinate modulus : moduli) {
    if (modulus == 0) throw Error(fmt::format("modulus 0 in {}: every modulus must be at least 1", moduli));
    order *= modulus;
    if (order > largest_order)
      throw Error(fmt::format("a network of moduli {} has more than 2^26 = {} nodes, the largest allowed",
                              moduli, largest_order));
  }
  return static_cast<Node>(order);
}

}  // namespace

BitGroup::BitGroup(std::span<const Coordinate> moduli) {
  for (std::size_t i = moduli.size(); i-- > 0;) {
    order_ *= moduli[i];
    if (moduli[i] > 1) high_ |= order_ / 2;
  }
}

ProductGroup::ProductGroup(std::span<const Coordinate> moduli) {
  for (std::size_t i = moduli.size(); i-- > 0;) {
    if (moduli[i] == 1) continue;
    axes_.push_back({Divisor(moduli[i]), order_});
    order_ *= moduli[i];
  }
}

Group::Concrete Group::concrete(std::span<const Coordinate> moduli) {
  const auto nontrivial = [](Coordinate m) { return m > 1; };
  const auto axes = std::count_if(moduli.begin(), moduli.end(), nontrivial);
  const auto first = std::find_if(moduli.begin(), moduli.end(), nontrivial);
  if (std::ranges::all_of(moduli, [](Coordinate m) { return std::has_single_bit(m); }))
    return BitGroup(moduli);
  if (axes == 1) return CyclicGroup(*first);
  return ProductGroup(moduli);
}

Group::Group(std::vector<Coordinate> moduli)
    : moduli_(std::move(moduli)),
      strides_(moduli_.size(), 1),
      order_(checked_order(moduli_)),
      concrete_(concrete(moduli_)) {
  for (std::size_t i = moduli_.size(); i-- > 1;) strides_[i - 1] = strides_[i] * moduli_[i];
}

std::vector<Coordinate> Group::coordinates(Node node) const {
  std::vector<Coordinate> result(rank());
  for (std::size_t axis = 0; axis < rank(); ++axis) result[axis] = coordinate(node, axis);
  return result;
}

Node Group::number(std::span<const Coordinate> coordinates) const {
  if (coordinates.size() != rank())
    throw Error(fmt::format("{} coordinates for a group of {} moduli: give one per modulus",
                            coordinates.size(), rank()));
  Node result = 0;
  for (std::size_t axis = 0; axis < rank(); ++axis) {
    if (coordinates[axis] >= moduli_[axis])
      throw Error(fmt::format("coordinate {} of {} is outside 0..{}", axis, coordinates, moduli_[axis] - 1));
    result += coordinates[axis] * strides_[axis];
  }
  return result;
}

Node Group::add(Node a, Node b) const {
  return visit([&](const auto& group) { return group.add(a, b); });
}

Node Group::subtract(Node a, Node b) const {
  return visit([&](const auto& group) { return group.subtract(a, b); });
}

Node Group::negate(Node a) const {
  return visit([&](const auto& group) { return group.negate(a); });
}

}  // namespace isotrope::network
