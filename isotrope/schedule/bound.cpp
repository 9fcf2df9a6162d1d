// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/schedule/bound.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "isotrope/schedule/ceil_div.hpp"
#include "isotrope/schedule/far_nodes.hpp"
#include "isotrope/schedule/port_sum.hpp"

namespace isotrope::schedule {
namespace {

// The least t with (c+1)^t >= nodes.
std::uint64_t doublings(std::uint64_t nodes, std::uint64_t c) {
  std::uint64_t rounds = 0;
  for (std::uint64_t informed = 1; informed < nodes; informed *= c + 1) ++rounds;
  return rounds;
}

// All that the bounds of one task are made of; symbols as in the header.
struct Symbols {
  std::uint64_t nodes, parts, c;
  std::uint64_t diameter;
  bool half_duplex;
  std::vector<std::uint64_t> wanted;  // nodes at each distance that a personal packet goes to

  std::uint64_t wanted_count() const {
    return std::accumulate(wanted.begin(), wanted.end(), std::uint64_t{0});
  }
  std::uint64_t wanted_distance_sum() const {
    std::uint64_t sum = 0;
    for (std::uint64_t j = 0; j < wanted.size(); ++j) sum += j * wanted[j];
    return sum;
  }
};

Symbols symbols(const Network& network, const Task& task, PortModel ports) {
  Symbols s{network.order(),          task.parts, ports.sends(network.degree()), 0, ports.half_duplex(),
            network.distance_counts()};
  s.diameter = s.wanted.size() - 1;
  s.wanted[0] = 0;
  if (task.collective == Collective::neighborhood) {
    for (std::uint64_t j = 0; j < s.wanted.size(); ++j) {
      if (j < task.nearest || j > task.farthest) s.wanted[j] = 0;
    }
  }
  return s;
}

// The tasks of the isotropic collectives are the same from every node.
std::uint64_t origins(const Task& task, const Symbols& s) {
  switch (task.collective) {
    case Collective::allgather:
    case Collective::reduce_scatter:
    case Collective::alltoall:
    case Collective::neighborhood:
      return s.nodes;
    default:
      return 1;
  }
}

// The least number of transmissions for the packets of one origin, or of the root.
std::uint64_t hops_of_an_origin(const Task& task, const Symbols& s) {
  switch (task.collective) {
    case Collective::broadcast:
    case Collective::reduce:
    case Collective::allgather:
    case Collective::reduce_scatter:
      return (s.nodes - 1) * s.parts;
    case Collective::scatter:
    case Collective::gather:
    case Collective::alltoall:
    case Collective::neighborhood:
      return s.wanted_distance_sum() * s.parts;
    case Collective::allreduce:
    case Collective::barrier:
      return 2 * (s.nodes - 1) * s.parts;
    case Collective::isotropic:
    case Collective::task:
      break;
  }
  return 0;
}

Bound degree_bound(std::uint64_t packets, const Symbols& s, std::string_view who) {
  const std::uint64_t value = ceil_div(packets, s.c);
  return {"degree", value,
          fmt::format("{} {} packets, at most {} a round: ceil({}/{}) = {}", who, packets, s.c, packets, s.c,
                      value)};
}

// A part leaves its origin first in round ceil(P/c) or later, since c leave a round.
Bound farthest_bound(const Symbols& s) {
  const std::uint64_t last = ceil_div(s.parts, s.c);
  const std::uint64_t value = last - 1 + s.diameter;
  return {
      "distance", value,
      fmt::format("the last of {} parts leaves its origin in round {} or later and has up to {} hops to go: "
                  "{} - 1 + {} = {}",
                  s.parts, last, s.diameter, last, s.diameter, value)};
}

// Of the packets for distance j or more, the last leaves in round ceil(n_j P / c) or later; the best j
// counts.
Bound farthest_first_bound(const Symbols& s) {
  std::uint64_t packets = 0, most = 0, best_packets = 0, best_distance = 0;
  for (std::uint64_t j = s.wanted.size(); j-- > 1;) {
    packets += s.wanted[j] * s.parts;
    const std::uint64_t rounds = packets == 0 ? 0 : ceil_div(packets, s.c) + j - 1;
    if (rounds > most) {
      most = rounds;
      best_packets = packets;
      best_distance = j;
    }
  }
  const std::uint64_t last = ceil_div(best_packets, s.c);
  return {
      "distance", most,
      fmt::format("{} packets have {} or more hops to go and the last of them leaves in round {} or later: "
                  "{} - 1 + {} = {}",
                  best_packets, best_distance, last, last, best_distance, most)};
}

Bound doubling_bound(const Symbols& s) {
  const std::uint64_t last = ceil_div(s.parts, s.c);
  const std::uint64_t spread = doublings(s.nodes, s.c);
  const std::uint64_t value = last - 1 + spread;
  return {"doubling", value,
          fmt::format("the last of {} parts leaves the root in round {} or later, and {} nodes cannot all "
                      "know it in fewer "
                      "than {} rounds when their number grows {}-fold at most: {} - 1 + {} = {}",
                      s.parts, last, s.nodes, spread, s.c + 1, last, spread, value)};
}

// Nothing where it says no more than the distance does.
std::optional<Bound> far_nodes_bound(const Network& network, const Symbols& s) {
  constexpr std::uint64_t reached = 4;
  if (s.c > 1 || s.wanted.back() <= reached) return std::nullopt;
  const std::uint64_t far = fewest_far_nodes(network);
  if (far <= reached) return std::nullopt;
  const std::uint64_t value = s.parts - 1 + s.diameter + 3;
  return Bound{
      "far-nodes", value,
      fmt::format(
          "the last of {} parts leaves the root in round {} or later; two rounds on at most 4 nodes know "
          "it, at least {} others are {} hops from all of them, and {} rounds reach 4 of those: "
          "{} + 2 + {} + 1 = {}",
          s.parts, s.parts, far, s.diameter, s.diameter, s.parts - 1, s.diameter, value)};
}

// Under half duplex at most floor(N/2) packets move in a round.
Bound work_bound(std::uint64_t origins, std::uint64_t hops, const Symbols& s) {
  const std::uint64_t pairs = s.nodes / 2;
  const std::uint64_t value = origins / pairs * hops + ceil_div(origins % pairs * hops, pairs);
  const std::string all = origins == 1 ? fmt::format("{}", hops) : fmt::format("{} * {}", origins, hops);
  return {"work", value,
          fmt::format("{} transmissions, and {} nodes pair up for at most {} a round: ceil({} / {}) = {}",
                      all, s.nodes, pairs, all, pairs, value)};
}

Bound distance_sum_bound(const Symbols& s) {
  const std::uint64_t hops = s.wanted_distance_sum() * s.parts;
  const std::uint64_t value = ceil_div(hops, s.c);
  return {
      "distance-sum", value,
      fmt::format(
          "the packets of one origin need {} hops, and a node can send {} packets a round: ceil({}/{}) = {}",
          hops, s.c, hops, s.c, value)};
}

// Nothing where the weights do no better than equal ones.
std::optional<Bound> port_sum_bound(const std::optional<PortSum>& sum, const Symbols& s) {
  if (!sum || sum->rounds(s.parts) <= distance_sum_bound(s).value) return std::nullopt;
  const std::string packets =
      s.parts == 1 ? fmt::format("{}", sum->length) : fmt::format("{} * {}", sum->length, s.parts);
  return Bound{"port-sum", sum->rounds(s.parts),
               fmt::format("with links of length {} by port, the packets of one origin have {} to go, and a "
                           "node can send over {} a round: ceil({}/{}) = {}",
                           fmt::join(sum->weights, ","), packets, sum->capacity, packets, sum->capacity,
                           sum->rounds(s.parts))};
}

// The bounds of an isotropic task of personal packets.
std::vector<Bound> exchange_bounds(const Symbols& s, const std::optional<PortSum>& sum) {
  std::vector<Bound> bounds{distance_sum_bound(s),
                            degree_bound(s.wanted_count() * s.parts, s, "every node must send"),
                            farthest_first_bound(s)};
  if (auto bound = port_sum_bound(sum, s)) bounds.push_back(*std::move(bound));
  return bounds;
}

std::vector<Bound> strict_bounds(const Network& network, const Task& task, const Symbols& s) {
  std::vector<Bound> bounds;
  switch (task.collective) {
    case Collective::broadcast:
    case Collective::reduce:
      bounds = {degree_bound(s.parts, s,
                             task.collective == Collective::broadcast ? "every node must receive"
                                                                      : "every node must send"),
                farthest_bound(s), doubling_bound(s)};
      if (auto bound = far_nodes_bound(network, s)) bounds.push_back(*std::move(bound));
      break;
    case Collective::scatter:
    case Collective::gather:
      bounds = {degree_bound(
                    (s.nodes - 1) * s.parts, s,
                    task.collective == Collective::scatter ? "the root must send" : "the root must receive"),
                farthest_first_bound(s)};
      break;
    case Collective::allgather:
    case Collective::reduce_scatter:
      bounds = {degree_bound((s.nodes - 1) * s.parts, s,
                             task.collective == Collective::allgather ? "every node must receive"
                                                                      : "every node must send"),
                farthest_bound(s)};
      break;
    case Collective::alltoall:
    case Collective::neighborhood:
      bounds = exchange_bounds(s, port_sum(network, task, static_cast<Port>(s.c)));
      break;
    case Collective::allreduce:
    case Collective::barrier:
      bounds = {farthest_bound(s), doubling_bound(s)};
      break;
    case Collective::isotropic:
    case Collective::task:
      return {};
  }
  if (s.half_duplex) bounds.push_back(work_bound(origins(task, s), hops_of_an_origin(task, s), s));
  return bounds;
}

Bound reach_bound(const Symbols& s) {
  std::uint64_t reach = s.wanted.size() - 1;
  while (reach > 0 && s.wanted[reach] == 0) --reach;
  return {"distance", reach, fmt::format("the farthest destination is {} hops from its origin", reach)};
}

// A combining round carries any number of packets, so only distance and spreading count.
std::vector<Bound> combining_bounds(const Task& task, Symbols s) {
  if (task.collective == Collective::isotropic || task.collective == Collective::task) return {};
  s.parts = 1;
  std::vector<Bound> bounds{reach_bound(s)};
  if (task.collective != Collective::neighborhood) bounds.push_back(doubling_bound(s));
  return bounds;
}

Bound nothing_to_send() {
  return {"degree", 0, "a single node has nothing to send"};
}

std::vector<Bound> largest_first(std::vector<Bound> bounds) {
  std::stable_sort(bounds.begin(), bounds.end(),
                   [](const Bound& a, const Bound& b) { return a.value > b.value; });
  return bounds;
}

}  // namespace

std::vector<Bound> lower_bounds(const Network& network, const Task& task, PortModel ports, RoundKind rounds) {
  if (network.order() == 1) return {nothing_to_send()};
  const Symbols s = symbols(network, task, ports);
  return largest_first(rounds == RoundKind::combining ? combining_bounds(task, s)
                                                      : strict_bounds(network, task, s));
}

std::vector<Bound> lower_bounds(const Network& network, std::span<const RelativeDestination> destinations,
                                std::uint32_t parts, PortModel ports, RoundKind rounds) {
  if (network.order() == 1) return {nothing_to_send()};
  Symbols s = symbols(network, {.collective = Collective::isotropic, .parts = parts}, ports);
  std::fill(s.wanted.begin(), s.wanted.end(), 0);
  for (const auto [to, blocks] : destinations) s.wanted[network.distance(0, to)] += blocks;
  s.wanted[0] = 0;  // what stays needs no hop
  if (rounds == RoundKind::combining) return {reach_bound(s)};
  std::vector<Bound> bounds = exchange_bounds(s, port_sum(network, destinations, static_cast<Port>(s.c)));
  if (s.half_duplex) bounds.push_back(work_bound(s.nodes, s.wanted_distance_sum() * parts, s));
  return largest_first(std::move(bounds));
}

std::uint64_t least_transmissions(const Network& network, const Task& task) {
  const Symbols s = symbols(network, task, PortModel::one());
  std::uint64_t product = 0;
  const bool overflow = __builtin_mul_overflow(origins(task, s), hops_of_an_origin(task, s), &product);
  return overflow ? UINT64_MAX : product;
}

}  // namespace isotrope::schedule
