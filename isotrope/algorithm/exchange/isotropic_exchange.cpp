// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/exchange/isotropic_exchange.hpp"

#include <utility>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"

#include "isotrope/bound/lower_bounds.hpp"

#include "isotrope/algorithm/exchange/route_balance.hpp"
#include "isotrope/algorithm/exchange/route_choice.hpp"

namespace isotrope::algorithm {
namespace {

using network::Network;
using network::Node;
using schedule::Collective;
using schedule::PortModel;
using schedule::RelativeDestination;
using schedule::RoundKind;
using schedule::Stage;
using schedule::Task;

network::Port sends(const Network& network, PortModel ports) {
  if (ports.half_duplex()) {
    throw Error(
        "half duplex: an isotropic exchange sends and receives at the same time; "
        "give one port, k ports or all");
  }
  return ports.sends(network.degree());
}

std::vector<RelativeDestination> destinations_of(const Network& network, const Task& task) {
  auto destinations = relative_destinations(network, task);
  if (destinations.empty() && task.collective == Collective::neighborhood) {
    throw Error(fmt::format("{}: no node of {} is so far from another; give distances of at most {}",
                            to_string(task), network.name(), network.diameter()));
  }
  return destinations;
}

std::vector<RelativeDestination> checked(const Network& network, std::span<const RelativeDestination> given,
                                         std::uint32_t parts) {
  if (parts == 0) throw Error("blocks in 0 parts: give 1 part or more");
  std::uint64_t blocks = 0;
  for (const RelativeDestination& destination : given) {
    blocks += destination.blocks;
    if (destination.to >= network.order()) {
      throw Error(fmt::format("relative destination {}: the nodes of {} are 0..{}", destination.to,
                              network.name(), network.order() - 1));
    }
    if (blocks > UINT32_MAX / parts) {
      throw Error(fmt::format("{} blocks or more in {} parts: give fewer than 2^32 packets", blocks, parts));
    }
  }
  return {given.begin(), given.end()};
}

}  // namespace

IsotropicExchange::IsotropicExchange(const Network& network, PortModel ports, std::uint32_t parts,
                                     std::vector<RelativeDestination> destinations)
    : network_(network),
      ports_(ports),
      c_(sends(network, ports)),
      parts_(parts),
      destinations_(std::move(destinations)),
      matrix_(shortest_routes(network, in_packets(destinations_, parts))) {}

IsotropicExchange::IsotropicExchange(const Network& network, const Task& task, PortModel ports)
    : IsotropicExchange(network, ports, task.parts, destinations_of(network, task)) {
  everywhere_ = task.collective == Collective::alltoall;
  const std::uint64_t bound =
      bound::lower_bounds({.network = network, .task = task, .ports = ports}).front().value;
  share_even_axis(task, bound);
  if (!even_) matrix_ = balance_to_bound(network, destinations_, parts_, std::move(matrix_), c_, bound);
}

IsotropicExchange::IsotropicExchange(const Network& network,
                                     std::span<const RelativeDestination> destinations, std::uint32_t parts,
                                     PortModel ports)
    : IsotropicExchange(network, ports, parts, checked(network, destinations, parts)) {
  const Task task{.collective = Collective::isotropic, .parts = parts, .destinations = destinations_};
  const std::uint64_t bound =
      bound::lower_bounds({.network = network, .task = task, .ports = ports}).front().value;
  matrix_ = balance_to_bound(network, destinations_, parts, std::move(matrix_), c_, bound);
}

void IsotropicExchange::share_even_axis(const Task& task, std::uint64_t bound) {
  const auto axis = lone_even_axis(network_);
  if (!axis || parts_ % 2 == 0 || rounds() <= bound) return;
  const std::uint32_t nearest = everywhere_ ? 1 : task.nearest;
  const std::uint32_t farthest = everywhere_ ? network_.order() : task.farthest;
  EvenAxisExchange even(network_, *axis, destinations_, parts_, nearest, farthest);
  if (least_rounds(even.matrix(), c_) >= rounds()) return;
  matrix_ = TaskMatrix(0);
  even_.emplace(std::move(even));
}

std::uint64_t IsotropicExchange::rounds() const {
  return least_rounds(even_ ? even_->matrix() : matrix_, c_);
}

std::vector<schedule::Packet> IsotropicExchange::packets_from(Node origin) const {
  return isotropic_packets(network_, destinations_, parts_, origin, everywhere_ ? 1 : 0);
}

schedule::Schedule IsotropicExchange::schedule() const {
  schedule::Schedule result{ports_, RoundKind::strict, {}};
  result.stages.push_back(even_ ? shared_stage() : common_stage());
  return result;
}

Stage IsotropicExchange::shared_stage() const {
  Stage stage = even_->stage(decompose(even_->matrix(), c_));
  stage.packets = packets_from(0);
  const auto odd = packets_from(even_->odd_origin());
  stage.packets.insert(stage.packets.end(), odd.begin(), odd.end());
  return stage;
}

Stage IsotropicExchange::common_stage() const {
  Stage stage{schedule::Flow::move, schedule::Replication::all(), {}, {}};
  if (!everywhere_) stage.packets = packets_from(0);
  // The first implied packets are those for node 0, which have no row.
  const schedule::PacketId first = everywhere_ ? parts_ : 0;
  const Decomposition decomposition = decompose(matrix_, c_);
  stage.rounds.reserve(decomposition.size(), decomposition.cells().size());
  std::vector<Node> at(matrix_.rows(), 0);
  network_.visit([&](const auto& neighbour, const auto&) {
    for (std::uint64_t t = 0; t < decomposition.size(); ++t) {
      for (const auto [row, port] : decomposition.round(t)) {
        stage.rounds.add({first + row, at[row], port});
        at[row] = neighbour(at[row], port);
      }
      stage.rounds.close_round();
    }
  });
  return stage;
}

}  // namespace isotrope::algorithm
