// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/exchange/equitable_exchange.hpp"

#include <utility>
#include <vector>

#include "isotrope/schedule/isotropic_task.hpp"

#include "isotrope/bound/lower_bounds.hpp"

#include "isotrope/algorithm/exchange/equitable_rounds.hpp"
#include "isotrope/algorithm/exchange/route_balance.hpp"
#include "isotrope/algorithm/exchange/route_choice.hpp"

namespace isotrope::algorithm {
namespace {

using network::Network;
using network::Node;
using schedule::PortModel;
using schedule::RoundKind;
using schedule::Task;

// A row per packet, in order of packet numbers. Over one port all hops count alike, so detours would only add hops.
TaskMatrix balanced_routes(const Network& network, std::uint32_t parts, PortModel ports) {
  const Task task{.collective = schedule::Collective::alltoall, .parts = parts};
  const network::Port c = network.degree();
  const auto blocks = relative_destinations(network, task);
  TaskMatrix matrix = shortest_routes(network, in_packets(blocks, parts));
  if (ports.sends(c) == 1) return matrix;
  const std::uint64_t bound = bound::lower_bounds({.network = network, .task = task}).front().value;
  return balance_to_bound(network, blocks, parts, std::move(matrix), c, bound);
}

}  // namespace

EquitableExchange::EquitableExchange(const Network& network, std::uint32_t parts, PortModel ports)
    : network_(network),
      parts_(parts),
      ports_(ports),
      groups_(network.degree(), ports),
      matrix_(network.order() == 1 ? TaskMatrix(0) : balanced_routes(network, parts, ports)),
      colours_(static_cast<std::uint32_t>(matrix_.largest_row())) {}

schedule::Schedule EquitableExchange::schedule() const {
  const Decomposition decomposition = equitable_rounds(matrix_, colours_);
  schedule::Stage stage{schedule::Flow::move, schedule::Replication::all(), {}, {}};
  stage.rounds.reserve(rounds(), decomposition.cells().size());
  std::vector<Node> at(matrix_.rows(), 0);
  network_.visit([&](const auto& neighbour, const auto&) {
    for (std::uint64_t colour = 0; colour < decomposition.size(); ++colour) {
      for (std::uint32_t group = 0; group < groups_.count(); ++group) {
        for (const auto [row, port] : decomposition.round(colour)) {
          if (groups_.of(port) != group) continue;
          stage.rounds.add({parts_ + row, at[row], port});  // packets for node 0 come first, without a row
          at[row] = neighbour(at[row], port);
        }
        stage.rounds.close_round();
      }
    }
  });
  schedule::Schedule result{ports_, RoundKind::aggregated, {}};
  result.stages.push_back(std::move(stage));
  return result;
}

}  // namespace isotrope::algorithm
