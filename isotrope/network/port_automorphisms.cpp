// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/network/port_automorphisms.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>

#include "isotrope/network/subgroup.hpp"

namespace isotrope::network {
namespace {

constexpr std::uint64_t most_tries = 1024;
constexpr Node unknown = UINT32_MAX;

// The first generators that generate the group.
std::vector<Node> generating(const Network& network) {
  std::vector<Node> result;
  Node index = network.order();
  for (const Node generator : network.generators()) {
    result.push_back(generator);
    const Node smaller = subgroup_index(network.group(), result);
    if (smaller == index) result.pop_back();
    index = smaller;
    if (index == 1) break;
  }
  return result;
}

// The homomorphism that maps `from` to `to`, if there is one and it is one to one.
std::optional<std::vector<Node>> homomorphism(const Group& group, std::span<const Node> from,
                                              std::span<const Node> to) {
  std::vector<Node> image(group.order(), unknown), reached{0};
  std::vector<bool> is_image(group.order(), false);
  image[0] = 0;
  is_image[0] = true;
  for (std::size_t next = 0; next < reached.size(); ++next) {
    for (std::size_t i = 0; i < from.size(); ++i) {
      const Node node = group.add(reached[next], from[i]), there = group.add(image[reached[next]], to[i]);
      if (image[node] == there) continue;
      if (image[node] != unknown || is_image[there]) return std::nullopt;
      image[node] = there;
      is_image[there] = true;
      reached.push_back(node);
    }
  }
  return image;
}

bool keeps_generators(const Network& network, const std::vector<Node>& image) {
  std::vector<Node> images, generators(network.generators().begin(), network.generators().end());
  for (const Node generator : generators) images.push_back(image[generator]);
  std::ranges::sort(images);
  std::ranges::sort(generators);
  return images == generators;
}

}  // namespace

std::vector<std::vector<Node>> port_automorphisms(const Network& network) {
  const std::vector<Node> from = generating(network);
  std::vector<Port> choice(from.size(), 0);  // ports whose generators are the images
  std::vector<std::vector<Node>> result;
  std::vector<Node> identity(network.order());
  for (Node node = 0; node < network.order(); ++node) identity[node] = node;
  result.push_back(identity);
  for (std::uint64_t tries = 0; tries < most_tries; ++tries) {
    std::vector<Node> to;
    for (const Port port : choice) to.push_back(network.generators()[port]);
    const auto image = homomorphism(network.group(), from, to);
    if (image && *image != identity && keeps_generators(network, *image)) result.push_back(*image);
    std::size_t place = 0;
    while (place < choice.size() && ++choice[place] == network.degree()) choice[place++] = 0;
    if (place == choice.size()) break;
  }
  return result;
}

}  // namespace isotrope::network
