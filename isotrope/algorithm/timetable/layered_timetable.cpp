// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/timetable/layered_timetable.hpp"

#include <algorithm>
#include <map>
#include <span>

#include "isotrope/algorithm/timetable/port_groups.hpp"
#include "isotrope/algorithm/timetable/port_shares.hpp"
#include "isotrope/algorithm/trees/layers.hpp"

namespace isotrope::algorithm {
namespace {

using network::Network;
using network::Node;
using network::Port;

// The claims of a layer, one for all addresses with the same ports, and the claim of every address.
struct LayerClaims {
  std::vector<PortClaim> claims;
  std::vector<std::size_t> of_address;

  LayerClaims(const Layers& layers, std::span<const Node> addresses, std::uint32_t parts) {
    std::map<std::vector<Port>, std::size_t> known;
    std::vector<Port> ports;
    of_address.reserve(addresses.size());
    for (const Node address : addresses) {
      ports.clear();
      for (const Layers::LastHop hop : layers.last_hops(address)) ports.push_back(hop.port);
      const auto [entry, is_new] = known.try_emplace(ports, claims.size());
      if (is_new) claims.push_back({ports, 0});
      claims[entry->second].packets += parts;
      of_address.push_back(entry->second);
    }
  }
};

// Hands out the shares of a claim, one after the other.
class Dealer {
 public:
  explicit Dealer(const PortClaim& claim) : claim_(&claim), left_(claim.shares.front()) {}

  Port next() {
    while (left_ == 0) left_ = claim_->shares[++place_];
    --left_;
    return claim_->ports[place_];
  }

 private:
  const PortClaim* claim_;
  std::size_t place_ = 0;
  std::uint64_t left_;
};

void spread_layer(const Layers& layers, std::span<const Node> addresses, const PortGroups& groups,
                  Timetable& timetable) {
  LayerClaims of_layer(layers, addresses, timetable.tables());
  share_out(of_layer.claims, groups.degree());
  std::vector<Dealer> dealers(of_layer.claims.begin(), of_layer.claims.end());
  const std::uint32_t layers_before = layers.height() - layers.depth(addresses.front());
  for (std::size_t i = 0; i < addresses.size(); ++i) {
    for (std::uint32_t table = 0; table < timetable.tables(); ++table) {
      const Port port = dealers[of_layer.of_address[i]].next();
      timetable.at(table, addresses[i]) = {layers_before * groups.count() + groups.of(port), port};
    }
  }
}

}  // namespace

Timetable layered_timetable(const Network& network, std::uint32_t parts, schedule::PortModel ports) {
  const Layers layers(network, 0);
  const PortGroups groups(network.degree(), ports);
  Timetable result(network.order(), parts, layers.height() * groups.count());
  const auto depth = [&layers](Node node) { return layers.depth(node); };
  for (auto rest = layers.nodes().subspan(1); !rest.empty();) {
    const auto end = std::ranges::upper_bound(rest, depth(rest.front()), {}, depth);
    const auto size = static_cast<std::size_t>(end - rest.begin());
    spread_layer(layers, rest.first(size), groups, result);
    rest = rest.subspan(size);
  }
  return result;
}

}  // namespace isotrope::algorithm
