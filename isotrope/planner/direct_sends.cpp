// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/planner/direct_sends.hpp"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "isotrope/network/complete.hpp"

#include "isotrope/schedule/isotropic_task.hpp"
#include "isotrope/schedule/plan_bound.hpp"

#include "isotrope/algorithm/route_choice.hpp"

namespace isotrope::planner {
namespace {

using schedule::Collective;
using schedule::Node;
using schedule::Port;

bool merges(const Request& request) {
  return request.merge > 1;
}

// What every node sends to every other, by relative addresses.
algorithm::TaskMatrix routes(const Network& network) {
  return algorithm::shortest_routes(
      network, schedule::relative_destinations(network, {.collective = Collective::alltoall}));
}

// How many rounds have so many blocks on their busiest link.
using RoundsByBlocks = std::map<std::uint64_t, std::uint64_t>;

// A round each.
RoundsByBlocks single_exchange(const Network& network) {
  const algorithm::TaskMatrix matrix = routes(network);
  RoundsByBlocks result;
  for (std::uint64_t i = 0; i < matrix.rows(); ++i) {
    std::uint32_t busiest = 0;
    for (const auto [port, count] : matrix.row(i)) busiest = std::max(busiest, count);
    ++result[busiest];
  }
  return result;
}

std::uint64_t merged_exchange_blocks(const Network& network) {
  const algorithm::TaskMatrix matrix = routes(network);
  return std::ranges::max(matrix.column_sums());
}

// Over the root's busiest link, by the ports of the first hops.
std::uint64_t merged_root_blocks(const Network& network) {
  const algorithm::TaskMatrix matrix = routes(network);
  std::vector<std::uint64_t> blocks(network.degree(), 0);
  for (std::uint64_t i = 0; i < matrix.rows(); ++i) ++blocks[matrix.row(i).front().column];
  return std::ranges::max(blocks);
}

RoundsByBlocks rounds_by_blocks(const Request& request) {
  const Network& network = request.network;
  if (is_rooted(request.task.collective))
    return merges(request) ? RoundsByBlocks{{merged_root_blocks(network), 1}}
                           : RoundsByBlocks{{1, network.order() - 1}};
  return merges(request) ? RoundsByBlocks{{merged_exchange_blocks(network), 1}} : single_exchange(network);
}

// All pairs of nodes joined, port s - 1 leading from v to v + s. In the network's own group where the
// translations of a round matter.
Network overlay(const Request& request) {
  const network::Group& group = request.network.group();
  const auto proper = std::ranges::count_if(group.moduli(), [](auto modulus) { return modulus > 1; });
  if (merges(request) || is_rooted(request.task.collective) || proper <= 1)
    return network::complete(request.network.order());
  std::vector<Node> others(group.order() - 1);
  std::iota(others.begin(), others.end(), Node{1});
  return {"cayley", group, std::move(others)};
}

schedule::Schedule schedule_over(const Network& all, const Request& request) {
  const bool rooted = is_rooted(request.task.collective);
  const bool gathers = request.task.collective == Collective::gather;
  const bool copies =
      request.task.collective == Collective::allgather || request.task.collective == Collective::broadcast;
  schedule::Stage stage{copies ? schedule::Flow::copy : schedule::Flow::move,
                        rooted ? schedule::Replication::none() : schedule::Replication::all(),
                        {},
                        {}};
  stage.rounds.reserve(merges(request) ? 1 : all.degree(), all.degree());
  for (Port port = 0; port < all.degree(); ++port) {
    const Node other = all.neighbour(rooted ? request.task.root : 0, port);
    const schedule::PacketId packet = copies ? 0 : port + 1;
    stage.rounds.add(gathers ? schedule::Hop{packet, other, all.opposite(port)}
                             : schedule::Hop{packet, rooted ? request.task.root : 0, port});
    if (!merges(request)) stage.rounds.close_round();
  }
  if (merges(request)) stage.rounds.close_round();
  const auto kind = merges(request) ? schedule::RoundKind::combining : schedule::RoundKind::strict;
  return {request.ports, kind, {std::move(stage)}};
}

}  // namespace

DirectSends::DirectSends(const Request& request)
    : others_(request.network.order() - 1),
      diameter_(request.network.diameter()),
      rounds_(rounds_by_blocks(request)) {}

Prediction DirectSends::predict(std::uint64_t block_bytes, const simulate::Machine& machine) const {
  Prediction result{.packets = 1, .packet_bytes = block_bytes};
  result.overhead_s = machine.overhead(others_, others_ * block_bytes);
  result.seconds = result.overhead_s;
  for (const auto& [blocks, rounds] : rounds_) {
    const std::uint64_t bytes = blocks * block_bytes;
    result.rounds += rounds;
    result.link_bytes += rounds * bytes;
    result.seconds +=
        static_cast<double>(rounds) * machine.direct_round_time(0, block_bytes, bytes, diameter_);
  }
  result.transfer_s = static_cast<double>(result.link_bytes) * machine.byte_time_s;
  result.startup_s = result.seconds - result.overhead_s - result.transfer_s;
  return result;
}

std::optional<std::string> direct_obstacle(const Request& request) {
  const Collective collective = request.task.collective;
  const bool rooted = is_rooted(collective) && collective != Collective::reduce;
  if (!rooted && collective != Collective::alltoall && collective != Collective::allgather)
    return "it serves broadcast, scatter, gather, allgather and alltoall";
  if (!request.failed.empty()) return "it needs the whole network, and something has failed";
  if (request.network.order() < 2 || request.network.order() > network::largest_complete_order)
    return fmt::format("it needs 2 to {} nodes", network::largest_complete_order);
  if (request.objective == Objective::delay) return "it looks at completion only, not at delays";
  if (request.order) return "it has no root order to choose";
  if (merges(request) && request.ports.kind != schedule::PortModel::Kind::all_port)
    return fmt::format("merged, it uses all ports at once, so it cannot serve {}", to_string(request.ports));
  if (!rooted && request.ports.half_duplex())
    return fmt::format("every node sends and receives at once, so it cannot serve {}",
                       to_string(request.ports));
  return std::nullopt;
}

schedule::Plan make_direct_plan(const Request& request) {
  Network all = overlay(request);
  schedule::Schedule schedule = schedule_over(all, request);
  schedule::Task task = request.task;
  task.parts = 1;
  schedule::Plan plan{std::move(all), {}, task, std::move(schedule), {}, {}};
  const auto bounds = lower_bounds(plan);
  if (!bounds.empty()) plan.bound = bounds.front();
  plan.claims.rounds = plan.schedule.round_count();
  plan.claims.hops = plan.schedule.hop_count();
  if (merges(request)) plan.claims.link_load = {1};
  return plan;
}

}  // namespace isotrope::planner
