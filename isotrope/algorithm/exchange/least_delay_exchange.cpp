// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/exchange/least_delay_exchange.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"

#include "isotrope/bound/delay.hpp"
#include "isotrope/bound/lower_bounds.hpp"

#include "isotrope/algorithm/exchange/even_axis_exchange.hpp"
#include "isotrope/algorithm/exchange/isotropic_exchange.hpp"
#include "isotrope/algorithm/exchange/orbit_groups.hpp"
#include "isotrope/algorithm/exchange/route_choice.hpp"
#include "isotrope/algorithm/exchange/shortest_first.hpp"

namespace isotrope::algorithm {
namespace {

using network::Network;
using network::Node;
using schedule::Collective;
using schedule::PacketId;
using schedule::PortModel;
using schedule::RelativeDestination;
using schedule::Replication;
using schedule::Stage;
using schedule::Task;

// Limits of the search for the best way to clear the rest: cells tried and seeds per rest, and cells of the
// largest rest beyond the first.
constexpr std::uint64_t most_cells_tried = std::uint64_t{1} << 17;
constexpr std::uint64_t most_seeds = 256;
constexpr std::uint64_t most_cells_of_rest = std::uint64_t{1} << 15;

// Packets and their task matrix, with a row per packet.
struct Rest {
  std::vector<PacketId> packets;
  TaskMatrix matrix;
};

// Rounds that stay together: those of a group, or some of the rest.
struct RoundRun {
  std::uint64_t rounds;
  std::uint64_t arrivals;
  std::optional<std::size_t> group;
  std::uint64_t begin = 0;  // first round of the rest
};

bool worth_more(const RoundRun& a, const RoundRun& b) {
  return a.arrivals * b.rounds > b.arrivals * a.rounds;
}

// The packets that arrive in each round.
std::vector<std::uint64_t> arrivals(const TaskMatrix& matrix, const Decomposition& decomposition) {
  std::vector<std::uint64_t> left(matrix.rows(), 0);
  for (const MatrixCell cell : decomposition.cells()) ++left[cell.row];
  std::vector<std::uint64_t> result(decomposition.size(), 0);
  for (std::uint64_t t = 0; t < decomposition.size(); ++t) {
    for (const MatrixCell cell : decomposition.round(t)) {
      if (--left[cell.row] == 0) ++result[t];
    }
  }
  return result;
}

// Rounds in a fixed order, cut so that each piece is worth more than the next: a piece that is worth as much as
// the one before, or more, joins it.
std::vector<RoundRun> pieces(std::span<const std::uint64_t> arrivals) {
  std::vector<RoundRun> result;
  for (std::uint64_t t = 0; t < arrivals.size(); ++t) {
    RoundRun piece{1, arrivals[t], std::nullopt, t};
    while (!result.empty() && !worth_more(result.back(), piece)) {
      piece = {piece.rounds + result.back().rounds, piece.arrivals + result.back().arrivals, std::nullopt,
               result.back().begin};
      result.pop_back();
    }
    result.push_back(piece);
  }
  return result;
}

// One way to clear the rest, and its rounds and the groups in the best order.
struct Arrangement {
  std::vector<RoundRun> order;
  Decomposition rest;
  std::uint64_t delay_sum = 0;
};

// Arranges the first `kept` groups and the rest, cleared with `seed`.
Arrangement arrange(const OrbitGroups* groups, std::size_t kept, const TaskMatrix& matrix,
                    std::uint32_t seed) {
  Arrangement result;
  result.rest = shortest_first(matrix, seed);
  const std::vector<std::uint64_t> arrive = arrivals(matrix, result.rest);
  result.order = pieces(arrive);
  for (std::size_t g = 0; g < kept; ++g) {
    result.order.push_back({groups->length(g), matrix.columns(), g});
  }
  std::stable_sort(result.order.begin(), result.order.end(), worth_more);
  std::uint64_t t = 0;
  for (const RoundRun& piece : result.order) {
    if (piece.group) {
      result.delay_sum += piece.arrivals * (t + piece.rounds);
    } else {
      for (std::uint64_t r = 0; r < piece.rounds; ++r) {
        result.delay_sum += arrive[piece.begin + r] * (t + r + 1);
      }
    }
    t += piece.rounds;
  }
  return result;
}

// The best of several arrangements, or the first with `least_sum`.
Arrangement best_arrangement(const OrbitGroups* groups, std::size_t kept, const TaskMatrix& matrix,
                             std::uint64_t least_sum) {
  const std::uint64_t cells = std::max<std::uint64_t>(matrix.total_sum(), 1);
  const std::uint64_t seeds = std::clamp<std::uint64_t>(most_cells_tried / cells, 1, most_seeds);
  Arrangement best = arrange(groups, kept, matrix, 1);
  for (std::uint32_t seed = 2; seed <= seeds && best.delay_sum > least_sum; ++seed) {
    Arrangement other = arrange(groups, kept, matrix, seed);
    if (other.delay_sum < best.delay_sum) best = std::move(other);
  }
  return best;
}

schedule::Rounds rounds_of(const Network& network, const OrbitGroups* groups, const Rest& rest,
                           const Arrangement& arrangement) {
  schedule::Rounds rounds;
  std::vector<Node> at(rest.packets.size(), 0);
  network.visit([&](const auto& neighbour, const auto&) {
    for (const RoundRun& piece : arrangement.order) {
      if (piece.group) {
        groups->add_rounds(*piece.group, rounds);
        continue;
      }
      for (std::uint64_t t = piece.begin; t < piece.begin + piece.rounds; ++t) {
        for (const auto [row, port] : arrangement.rest.round(t)) {
          rounds.add({rest.packets[row], at[row], port});
          at[row] = neighbour(at[row], port);
        }
        rounds.close_round();
      }
    }
  });
  return rounds;
}

// The packets without a group and those of all groups but the first `kept`.
Rest rest_of(const Network& network, const OrbitGroups& groups, std::size_t kept) {
  std::vector<NumberedPacket> packets = groups.rest();
  for (std::size_t g = kept; g < groups.size(); ++g) {
    const std::vector<NumberedPacket> more = groups.packets(g);
    packets.insert(packets.end(), more.begin(), more.end());
  }
  Rest rest{{}, TaskMatrix(network.degree())};
  std::vector<RelativeDestination> destinations;
  for (const auto [packet, to] : packets) {
    rest.packets.push_back(packet);
    destinations.push_back({to, 1});
  }
  if (!packets.empty()) rest.matrix = shortest_routes(network, destinations);
  return rest;
}

// Rounds by groups, at most `most_rounds`; nothing if that is impossible. While the rest is small, more groups
// than necessary join it, because the search often finds a better way.
std::optional<schedule::Rounds> by_groups(const Network& network, const OrbitGroups& groups,
                                          std::uint64_t most_rounds, std::uint64_t least_sum) {
  std::uint64_t grouped = 0;
  for (std::size_t g = 0; g < groups.size(); ++g) grouped += groups.length(g);
  std::size_t kept = groups.size();
  Rest best_rest{{}, TaskMatrix(0)};
  std::optional<Arrangement> best;
  for (std::size_t fewer = 1;; fewer *= 2) {
    Rest rest = rest_of(network, groups, kept);
    if (best && rest.matrix.total_sum() > most_cells_of_rest) break;
    if (grouped + least_rounds(rest.matrix, network.degree()) <= most_rounds) {
      Arrangement arrangement = best_arrangement(&groups, kept, rest.matrix, least_sum);
      if (!best || arrangement.delay_sum < best->delay_sum) {
        best = std::move(arrangement);
        best_rest = std::move(rest);
      }
      if (best->delay_sum <= least_sum) break;
    }
    if (kept == 0) break;
    for (std::size_t i = 0; i < fewer && kept > 0; ++i) grouped -= groups.length(--kept);
  }
  if (!best) return std::nullopt;
  return rounds_of(network, &groups, best_rest, *best);
}

// The routes of a stage in which all nodes do the same.
Rest routes_of(const Network& network, const Stage& stage) {
  std::vector<schedule::Hop> hops(stage.rounds.hops().begin(), stage.rounds.hops().end());
  std::sort(hops.begin(), hops.end(), [](const schedule::Hop& a, const schedule::Hop& b) {
    return std::pair(a.packet, a.port) < std::pair(b.packet, b.port);
  });
  Rest rest{{}, TaskMatrix(network.degree())};
  for (std::size_t i = 0; i < hops.size();) {
    const std::size_t begin = i;
    while (i < hops.size() && hops[i].packet == hops[begin].packet && hops[i].port == hops[begin].port) ++i;
    rest.matrix.add(hops[begin].port, static_cast<std::uint32_t>(i - begin));
    if (i < hops.size() && hops[i].packet == hops[begin].packet) continue;
    rest.packets.push_back(hops[begin].packet);
    rest.matrix.close_row();
  }
  return rest;
}

// The groups of packets by a turn of the network, if there is one. Packets count from `first`.
std::optional<OrbitGroups> groups_of(const Network& network, std::span<const RelativeDestination> blocks,
                                     std::uint32_t parts, PacketId first) {
  auto cycle = port_cycle(network);
  if (!cycle) return std::nullopt;
  return OrbitGroups(network, *std::move(cycle), in_packets(blocks, parts), first);
}

// The schedule `exchange`, in which all nodes do the same, with smaller delays.
schedule::Schedule improved(const Network& network, const std::optional<OrbitGroups>& groups,
                            schedule::Schedule exchange, std::uint64_t least_sum) {
  Stage& stage = exchange.stages.front();
  std::optional<schedule::Rounds> rounds;
  if (groups) rounds = by_groups(network, *groups, stage.rounds.size(), least_sum);
  if (!rounds) {
    const Rest rest = routes_of(network, stage);
    rounds = rounds_of(network, nullptr, rest, best_arrangement(nullptr, 0, rest.matrix, least_sum));
  }
  stage.rounds = *std::move(rounds);
  return exchange;
}

// Reorders the rounds of a stage in which even and odd nodes share out an axis.
void improve_even_axis(const Network& network, const Task& task,
                       std::span<const RelativeDestination> destinations, Stage& stage) {
  const bool everywhere = task.collective == Collective::alltoall;
  const EvenAxisExchange even(network, *lone_even_axis(network), destinations, task.parts,
                              everywhere ? 1 : task.nearest, everywhere ? network.order() : task.farthest);
  stage.rounds = even.stage(shortest_first(even.matrix(), 1)).rounds;
}

}  // namespace

schedule::Schedule least_delay_exchange(const Network& network, const Task& task) {
  const auto destinations = relative_destinations(network, task);
  const bool everywhere = task.collective == Collective::alltoall;
  const auto groups = groups_of(network, destinations, task.parts, everywhere ? task.parts : 0);
  const schedule::Problem problem{.network = network, .task = task};
  const std::uint64_t least_sum = bound::delay_bound(problem).sum;
  const auto bounds = bound::lower_bounds(problem);
  if (groups && groups->size() > 0) {
    if (auto rounds = by_groups(network, *groups, bounds.front().value, least_sum)) {
      auto packets = everywhere ? std::vector<schedule::Packet>{}
                                : isotropic_packets(network, destinations, task.parts, 0);
      schedule::Schedule result;
      result.stages.push_back(
          {schedule::Flow::move, Replication::all(), std::move(packets), *std::move(rounds)});
      return result;
    }
  }
  auto exchange = IsotropicExchange(network, task, PortModel::all()).schedule();
  if (exchange.stages.front().replication == Replication::all()) {
    return improved(network, groups, std::move(exchange), least_sum);
  }
  improve_even_axis(network, task, destinations, exchange.stages.front());
  return exchange;
}

schedule::Schedule least_delay_exchange(const Network& network, std::span<const RelativeDestination> given,
                                        std::uint32_t parts) {
  const IsotropicExchange exchange(network, given, parts, PortModel::all());
  for (std::size_t i = 1; i < given.size(); ++i) {
    if (given[i].to > given[i - 1].to) continue;
    throw Error(fmt::format("relative destination {} after {}: give them in ascending order, each once",
                            given[i].to, given[i - 1].to));
  }
  const auto groups = groups_of(network, given, parts, 0);
  const Task task{
      .collective = Collective::isotropic, .parts = parts, .destinations = {given.begin(), given.end()}};
  return improved(network, groups, exchange.schedule(),
                  bound::delay_bound({.network = network, .task = task}).sum);
}

}  // namespace isotrope::algorithm
