// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/gossip/gossip.hpp"

#include <optional>
#include <utility>

#include "isotrope/network/complete.hpp"

#include "isotrope/algorithm/gossip/annealed_gossip.hpp"
#include "isotrope/algorithm/gossip/axis_gossip.hpp"
#include "isotrope/algorithm/gossip/matched_gossip.hpp"
#include "isotrope/algorithm/gossip/parity_gossip.hpp"

namespace isotrope::algorithm {
namespace {

Gossip flood(const Network& network) {
  std::vector<Send> sends;
  for (Port port = 0; port < network.degree(); ++port) sends.push_back({0, port});
  return {true, {network.diameter(), sends}};
}

// On a complete network: after t rounds the (K + 1)^t nodes from a node on know what it knew.
Gossip dissemination(const Network& network, Port ports) {
  Gossip result{true, {}};
  for (std::uint64_t reached = 1; reached < network.order(); reached *= ports + 1) {
    auto& sends = result.rounds.emplace_back();
    for (std::uint64_t i = 1; i <= ports && i * reached < network.order(); ++i)
      sends.push_back({0, network.port_to(0, static_cast<Node>(i * reached))});
  }
  return result;
}

void keep_better(Gossip& best, std::optional<Gossip> other) {
  if (other && (best.rounds.empty() || other->rounds.size() < best.rounds.size())) best = *std::move(other);
}

}  // namespace

Gossip find_gossip(const Network& network, schedule::PortModel ports, const SearchLimits& limits) {
  if (network.order() == 1) return {true, {}};
  if (!ports.half_duplex() && ports.sends(network.degree()) == network.degree()) return flood(network);
  if (!ports.half_duplex() && network::is_complete(network))
    return dissemination(network, ports.sends(network.degree()));
  const bool one_link = ports.half_duplex() || ports.sends(network.degree()) == 1;
  const bool anneals = one_link && network.order() <= most_annealed_nodes;
  SearchLimits first = limits;
  // Annealing starts from the number of rounds alone, and finds fewer sooner than more constructions would.
  if (anneals) first.links /= 8;
  Gossip best;
  const auto unless_met = [&](auto construct) {
    if (best.rounds.empty() || best.rounds.size() > limits.target)
      keep_better(best, construct(network, ports, first));
  };
  const bool listed = network.order() <= most_gossiping_nodes;
  if (listed && one_link) unless_met(axis_gossip);
  unless_met(parity_gossip);
  if (listed) unless_met(matched_gossip);
  if (!anneals) return best;
  return annealed_gossip(network, ports, std::move(best), limits);
}

}  // namespace isotrope::algorithm
