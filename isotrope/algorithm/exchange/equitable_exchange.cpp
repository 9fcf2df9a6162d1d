// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/exchange/equitable_exchange.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "isotrope/schedule/isotropic_task.hpp"

#include "isotrope/bound/lower_bounds.hpp"
#include "isotrope/bound/port_sum.hpp"

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

// A row a packet, in order of their numbers. Over one port hops count, not columns, and detours add some.
TaskMatrix balanced_routes(const Network& network, std::uint32_t parts, PortModel ports) {
  const Task task{.collective = schedule::Collective::alltoall, .parts = parts};
  const network::Port c = network.degree();
  const auto blocks = relative_destinations(network, task);
  auto packets = blocks;
  for (schedule::RelativeDestination& destination : packets) destination.blocks = parts;
  TaskMatrix matrix = shortest_routes(network, packets);
  if (ports.sends(c) == 1) return matrix;
  const std::uint64_t bound = bound::lower_bounds({.network = network, .task = task}).front().value;
  if (least_rounds(matrix, c) <= bound) return matrix;
  const auto sum = bound::port_sum(network, blocks, c);
  const std::vector<std::uint32_t> equal(c, 1);
  return balance_routes(network, packets, std::move(matrix), c, bound, sum ? sum->weights : equal);
}

std::uint32_t longest_row(const TaskMatrix& matrix) {
  std::uint32_t longest = 0;
  for (std::uint64_t i = 0; i < matrix.rows(); ++i) {
    std::uint32_t length = 0;
    for (const auto [column, count] : matrix.row(i)) length += count;
    longest = std::max(longest, length);
  }
  return longest;
}

}  // namespace

EquitableExchange::EquitableExchange(const Network& network, std::uint32_t parts, PortModel ports)
    : network_(network),
      parts_(parts),
      ports_(ports),
      groups_(network.degree(), ports),
      matrix_(network.order() == 1 ? TaskMatrix(0) : balanced_routes(network, parts, ports)),
      colours_(longest_row(matrix_)) {}

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
  schedule::Schedule result{ports_, RoundKind::combining, {}};
  result.stages.push_back(std::move(stage));
  return result;
}

}  // namespace isotrope::algorithm
