// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/scan/repeated_parts.hpp"

#include <algorithm>
#include <utility>

#include "isotrope/algorithm/scan/busiest_node.hpp"

namespace isotrope::algorithm {
namespace {

using network::Network;
using network::Node;
using network::Port;
using schedule::Hop;
using schedule::PacketId;
using schedule::Schedule;
using schedule::Stage;

bool links_fit(const Network& network, const schedule::Rounds& rounds, std::uint64_t interval) {
  std::vector<std::uint64_t> taken;
  taken.reserve(rounds.hop_count());
  for (std::uint64_t t = 0; t < rounds.size(); ++t) {
    for (const Hop& hop : rounds.round(t))
      taken.push_back((std::uint64_t{hop.from} * network.degree() + hop.port) * interval + t % interval);
  }
  std::ranges::sort(taken);
  return std::ranges::adjacent_find(taken) == taken.end();
}

bool nodes_fit(const Network& network, const Schedule& group, std::uint64_t interval) {
  const Port sends = group.ports.sends(network.degree());
  const bool half = group.ports.half_duplex();
  if (!half && sends >= network.degree()) return true;
  const schedule::Rounds& rounds = group.stages.front().rounds;
  std::vector<std::uint32_t> sent(network.order() * interval, 0), received(sent);  // by node and round
  for (std::uint64_t t = 0; t < rounds.size(); ++t) {
    for (const Hop& hop : rounds.round(t)) {
      ++sent[hop.from * interval + t % interval];
      ++received[network.neighbour(hop.from, hop.port) * interval + t % interval];
    }
  }
  for (std::size_t i = 0; i < sent.size(); ++i) {
    if ((half ? sent[i] + received[i] : std::max(sent[i], received[i])) > sends) return false;
  }
  return true;
}

// What the busiest link and the busiest node have to do, of a node in rounds.
std::uint64_t busiest(const Network& network, const Schedule& group) {
  std::vector<std::uint64_t> links, sent(network.order(), 0), received(network.order(), 0);
  for (const Hop& hop : group.stages.front().rounds.hops()) {
    links.push_back(std::uint64_t{hop.from} * network.degree() + hop.port);
    ++sent[hop.from];
    ++received[network.neighbour(hop.from, hop.port)];
  }
  std::ranges::sort(links);
  std::uint64_t most = 1;
  for (auto link = links.begin(); link != links.end();) {
    const auto next = std::upper_bound(link, links.end(), *link);
    most = std::max(most, static_cast<std::uint64_t>(next - link));
    link = next;
  }
  return std::max(most, rounds_of_busiest_node(group.ports, network.degree(), sent, received));
}

std::uint64_t least_interval(const Network& network, const Schedule& group) {
  const std::uint64_t rounds = group.round_count();
  if (group.round_kind == schedule::RoundKind::aggregated || rounds == 0) return 0;
  std::uint64_t interval = busiest(network, group);
  while (interval < rounds &&
         !(links_fit(network, group.stages.front().rounds, interval) && nodes_fit(network, group, interval)))
    ++interval;
  return interval;
}

// By number of parts less one and round.
std::vector<std::vector<bool>> busy_rounds(const Stage& stage) {
  std::uint32_t parts = 1;
  for (const schedule::Sum& sum : stage.sums) parts = std::max(parts, sum.part + 1);
  std::vector<std::vector<bool>> busy(parts, std::vector<bool>(stage.rounds.size(), false));
  for (std::uint64_t t = 0; t < stage.rounds.size(); ++t) {
    for (const Hop& hop : stage.rounds.round(t)) busy[stage.sums[hop.packet].part][t] = true;
    for (std::uint32_t i = 1; i < parts; ++i) busy[i][t] = busy[i][t] || busy[i - 1][t];
  }
  return busy;
}

}  // namespace

RepeatedParts::RepeatedParts(const Network& network, Schedule group)
    : group_(std::move(group)),
      interval_(least_interval(network, group_)),
      busy_(busy_rounds(group_.stages.front())) {}

std::uint64_t RepeatedParts::added_values() const {
  const Stage& stage = group_.stages.front();
  std::uint64_t values = 0;
  for (const Hop& hop : stage.rounds.hops()) values += stage.sums[hop.packet].values.size();
  for (const auto& result : stage.result) values += result.size();
  return values;
}

bool RepeatedParts::is_busy(std::uint32_t parts, std::uint64_t t) const {
  const std::uint64_t length = busy_.front().size(), last = (parts - std::uint64_t{1}) / group_parts();
  const std::uint64_t rest = parts - last * group_parts();
  if (interval_ == 0) return t < length && busy_[last == 0 ? rest - 1 : busy_.size() - 1][t];
  const std::uint64_t first = t < length ? 0 : (t - length) / interval_ + 1;
  for (std::uint64_t i = first; i <= last && i * interval_ <= t; ++i) {
    if (busy_[i == last ? rest - 1 : busy_.size() - 1][t - i * interval_]) return true;
  }
  return false;
}

std::uint64_t RepeatedParts::rounds(std::uint32_t parts) const {
  const std::uint64_t all = busy_.front().size() + (parts - std::uint64_t{1}) / group_parts() * interval_;
  std::uint64_t rounds = 0;
  for (std::uint64_t t = 0; t < all; ++t) rounds += is_busy(parts, t) ? 1 : 0;
  return rounds;
}

Schedule RepeatedParts::schedule(std::uint32_t parts) const {
  const Stage& one = group_.stages.front();
  const std::uint32_t size = group_parts();
  const std::uint64_t lists = one.result.size() / size;
  Stage stage{one.flow, one.replication, {}, {}};
  for (std::uint32_t first = 0; first < parts; first += size) {
    for (const schedule::Sum& sum : one.sums) {
      if (first + sum.part < parts) stage.sums.push_back({first + sum.part, sum.values});
    }
    const std::uint64_t left = std::min(size, parts - first) * lists;
    stage.result.insert(stage.result.end(), one.result.begin(),
                        one.result.begin() + static_cast<std::ptrdiff_t>(left));
  }
  const std::uint64_t length = one.rounds.size();
  const std::uint64_t all = length + (parts - std::uint64_t{1}) / size * interval_;
  for (std::uint64_t t = 0; t < all; ++t) {
    if (!is_busy(parts, t)) continue;
    for (std::uint32_t i = 0; i * size < parts && i * interval_ <= t; ++i) {
      if (t - i * interval_ >= length) continue;
      for (const Hop& hop : one.rounds.round(t - i * interval_)) {
        if (i * size + one.sums[hop.packet].part >= parts) continue;
        stage.rounds.add({static_cast<PacketId>(i * one.sums.size() + hop.packet), hop.from, hop.port});
      }
    }
    stage.rounds.close_round();
  }
  return one_stage(group_.ports, group_.round_kind, std::move(stage));
}

}  // namespace isotrope::algorithm
