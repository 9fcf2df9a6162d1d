// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/scan/doubling_scan.hpp"

#include <algorithm>
#include <bit>
#include <vector>

#include "isotrope/schedule/ceil_div.hpp"
#include "isotrope/schedule/exchanges.hpp"

namespace isotrope::algorithm {
namespace {

using network::Network;
using network::Node;
using schedule::Port;
using schedule::Problem;
using schedule::ValueId;

std::uint64_t doublings(const Network& network) {
  return static_cast<std::uint64_t>(std::bit_width(network.order() - 1));
}

std::uint64_t doubling_interval(const Problem& problem, const Network& network) {
  return problem.aggregated() ? 0
                              : schedule::ceil_div(doublings(network), problem.ports.sends(network.degree()));
}

// Own and received, before round i of its part.
std::uint64_t values_before(Node node, std::uint64_t i) {
  return 1 + std::min<std::uint64_t>(i, static_cast<std::uint64_t>(std::bit_width(node)));
}

}  // namespace

bool adds_powers_of_two(const Network& network) {
  const auto proper =
      std::ranges::count_if(network.group().moduli(), [](auto modulus) { return modulus > 1; });
  if (proper != 1) return false;
  for (Node offset = 1; offset < network.order(); offset *= 2) {
    if (std::ranges::find(network.generators(), offset) == network.generators().end()) return false;
  }
  return true;
}

schedule::Schedule doubling_scan(const Problem& problem, const Network& network) {
  const std::uint64_t length = doublings(network), interval = doubling_interval(problem, network);
  const std::uint32_t parts = problem.task.parts;
  schedule::Stage stage{schedule::Flow::exchange, schedule::Replication::none(), {}, {}};
  std::vector<schedule::PacketId> sums(parts * (length + 1), UINT32_MAX);  // by part and number of values
  const auto sum_of = [&](std::uint32_t part, std::uint64_t count) {
    schedule::PacketId& sum = sums[part * (length + 1) + count];
    if (sum == UINT32_MAX) {
      sum = static_cast<schedule::PacketId>(stage.sums.size());
      stage.sums.push_back({part, schedule::first_values(count)});
    }
    return sum;
  };
  const auto add_hops = [&](std::uint32_t part, std::uint64_t i) {
    const Node offset = Node{1} << i;
    const auto port =
        static_cast<Port>(std::ranges::find(network.generators(), offset) - network.generators().begin());
    for (Node node = 0; node + offset < network.order(); ++node)
      stage.rounds.add({sum_of(part, values_before(node, i)), node, port});
  };
  for (std::uint64_t t = 0; t < doubling_scan_rounds(problem, network); ++t) {
    for (std::uint32_t part = 0; part < parts; ++part) {
      const std::uint64_t begin = part * interval;
      if (begin <= t && t - begin < length) add_hops(part, t - begin);
    }
    stage.rounds.close_round();
  }
  for (std::uint32_t part = 0; part < parts; ++part) {
    for (Node node = 0; node < network.order(); ++node)
      stage.result.push_back(schedule::first_values(values_before(node, length)));
  }
  const auto kind = problem.aggregated() ? schedule::RoundKind::aggregated : schedule::RoundKind::strict;
  return one_stage(problem.ports, kind, std::move(stage));
}

std::uint64_t doubling_scan_rounds(const Problem& problem, const Network& network) {
  return doublings(network) + (problem.task.parts - std::uint64_t{1}) * doubling_interval(problem, network);
}

}  // namespace isotrope::algorithm
