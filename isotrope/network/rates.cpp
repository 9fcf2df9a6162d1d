// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/network/rates.hpp"

#include <algorithm>
#include <memory>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace isotrope::network {
namespace {

// Copies of links change no distance.
class SameDistances final : public Metric {
 public:
  explicit SameDistances(Network network) : network_(std::move(network)) {}

  std::uint32_t distance(Node node) const override { return network_.distance(0, node); }
  std::vector<std::uint64_t> distance_counts() const override { return network_.distance_counts(); }

 private:
  Network network_;
};

}  // namespace

Network with_rates(std::string name, const Network& simple, std::span<const std::uint32_t> rates) {
  std::vector<Node> generators;
  for (Port port = 0; port < simple.degree(); ++port)
    generators.insert(generators.end(), rates[port], simple.generators()[port]);
  return Network(std::move(name), simple.group(), std::move(generators),
                 std::make_shared<SameDistances>(simple));
}

bool has_copies(const Network& network) {
  const std::unordered_set<Node> different(network.generators().begin(), network.generators().end());
  return different.size() < network.degree();
}

std::vector<std::uint32_t> port_rates(const Network& network) {
  std::unordered_map<Node, std::uint32_t> copies;
  for (const Node generator : network.generators()) ++copies[generator];
  std::vector<std::uint32_t> result;
  result.reserve(network.degree());
  std::ranges::transform(network.generators(), std::back_inserter(result),
                         [&](Node generator) { return copies.at(generator); });
  return result;
}

SimpleNetwork without_copies(const Network& network) {
  std::unordered_map<Node, std::size_t> place;
  std::vector<Node> generators;
  std::vector<std::vector<Port>> copies;
  for (Port port = 0; port < network.degree(); ++port) {
    const Node generator = network.generators()[port];
    const auto [found, is_new] = place.emplace(generator, generators.size());
    if (is_new) generators.push_back(generator);
    if (is_new) copies.emplace_back();
    copies[found->second].push_back(port);
  }
  return {Network(network.name(), network.group(), std::move(generators),
                  std::make_shared<SameDistances>(network)),
          std::move(copies)};
}

}  // namespace isotrope::network
