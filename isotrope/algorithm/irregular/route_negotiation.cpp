// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/irregular/route_negotiation.hpp"

#include <algorithm>
#include <functional>
#include <tuple>
#include <utility>
#include <vector>

#include "isotrope/base/interruption.hpp"

namespace isotrope::algorithm {
namespace {

using network::Node;
using schedule::Packet;
using schedule::PacketId;

constexpr int most_passes = 12;  // per goal
constexpr std::uint64_t most_links_seen = std::uint64_t{1} << 26;
constexpr std::uint32_t price = 4;
// A busiest link that carries so small a part too much, 1 / 64, is not worth the search: on large graphs the last packets
// look at most links each.
constexpr std::uint32_t close = 64;

class Negotiation {
 public:
  Negotiation(const SurvivingDistances& distances, const network::LinkList& links,
              std::span<const Packet> packets, PacketRoutes routes)
      : distances_(distances),
        packets_(packets),
        routes_(std::move(routes)),
        links_(links),
        loads_(links_.count(), 0),
        history_(links_.count(), 0),
        reached_(distances.survivors().whole().order()) {
    for (PacketId id = 0; id < packets.size(); ++id) {
      for (const LinkNumber link : routes_.of(id)) ++loads_[link];
    }
  }

  PacketRoutes run(std::uint64_t enough) {
    std::uint32_t most = largest_load();
    auto least =
        static_cast<std::uint32_t>(std::clamp<std::uint64_t>(enough, std::min(mean_load(), most), most));
    while (least + most / close < most && links_seen_ < most_links_seen) {
      goal_ = least + (most - least) / 2;
      const bool met = reach_goal();
      if (const std::uint32_t reached = largest_load(); reached < most) {
        before_.clear();
        most = reached;
      }
      if (!met) least = goal_ + 1;
    }
    for (; !before_.empty(); before_.pop_back()) routes_.replace(before_.back().id, before_.back().route);
    return std::move(routes_);
  }

 private:
  struct Replaced {
    PacketId id;
    std::vector<LinkNumber> route;
  };

  std::uint32_t largest_load() const { return *std::max_element(loads_.begin(), loads_.end()); }

  // The load of shortest paths if all links carried the same: a bound for all routes.
  std::uint32_t mean_load() const {
    std::uint64_t hops = 0;
    for (const Packet& packet : packets_) hops += distances_.distance(packet.origin, packet.to);
    const std::uint64_t links = std::max<std::uint64_t>(links_.count(), 1);
    return static_cast<std::uint32_t>((hops + links - 1) / links);
  }

  bool reach_goal() {
    std::fill(history_.begin(), history_.end(), 0);
    for (int pass = 0; pass < most_passes && links_seen_ < most_links_seen; ++pass) {
      check_interruption();
      if (largest_load() <= goal_) return true;
      for (std::size_t link = 0; link < loads_.size(); ++link) {
        if (loads_[link] > goal_) ++history_[link];
      }
      for (PacketId id = 0; id < packets_.size() && links_seen_ < most_links_seen; ++id) {
        if (crosses_excess(id)) reroute(id);
      }
    }
    return largest_load() <= goal_;
  }

  bool crosses_excess(PacketId id) const {
    return std::ranges::any_of(routes_.of(id), [&](LinkNumber link) { return loads_[link] > goal_; });
  }

  void reroute(PacketId id) {
    const std::span<const LinkNumber> old = std::as_const(routes_).of(id);
    for (const LinkNumber link : old) --loads_[link];
    find_cheapest_route(packets_[id].origin, packets_[id].to);
    for (const LinkNumber link : route_) ++loads_[link];
    if (std::ranges::equal(old, route_)) return;
    before_.push_back({id, {old.begin(), old.end()}});
    routes_.replace(id, route_);
  }

  std::uint32_t cost_of(LinkNumber link) const {
    const std::uint32_t load = loads_[link] + 1;
    return 1 + history_[link] + (load > goal_ ? price * (load - goal_) : 0);
  }

  // The cost to a node plus its distance from the destination, the cost alone, the node.
  using Open = std::tuple<std::uint32_t, std::uint32_t, Node>;
  // The cheapest way to a node, of the last search that saw it.
  struct Reached {
    std::uint64_t search = 0;
    std::uint32_t cost = 0;
    Node before = 0;
    LinkNumber link = 0;
  };

  void find_cheapest_route(Node origin, Node to) {
    ++search_;
    open_.clear();
    reached_[origin] = {search_, 0, origin, 0};
    open_.emplace_back(distances_.distance(origin, to), 0, origin);
    while (std::get<2>(open_.front()) != to) {
      const auto [total, cost, node] = open_.front();
      std::ranges::pop_heap(open_, std::greater());
      open_.pop_back();
      if (cost == reached_[node].cost) expand(node, cost, to);
    }
    route_.clear();
    for (Node at = to; at != origin; at = reached_[at].before) route_.push_back(reached_[at].link);
    std::ranges::reverse(route_);
  }

  void expand(Node node, std::uint32_t cost, Node to) {
    links_.for_each(node, [&](LinkNumber link, Node next) {
      ++links_seen_;
      const std::uint32_t there = cost + cost_of(link);
      Reached& known = reached_[next];
      if (known.search == search_ && known.cost <= there) return;
      known = {search_, there, node, link};
      open_.emplace_back(there + distances_.distance(next, to), there, next);
      std::ranges::push_heap(open_, std::greater());
    });
  }

  const SurvivingDistances& distances_;
  std::span<const Packet> packets_;
  PacketRoutes routes_;
  const network::LinkList& links_;
  std::vector<std::uint32_t> loads_;    // packets, by link
  std::vector<std::uint32_t> history_;  // passes above the goal, by link
  std::vector<Reached> reached_;        // by node
  std::vector<Open> open_;              // a heap
  std::vector<LinkNumber> route_;       // found last
  std::vector<Replaced> before_;        // the routes replaced since the best ones
  std::uint64_t search_ = 0;
  std::uint64_t links_seen_ = 0;
  std::uint32_t goal_ = 0;
};

}  // namespace

SurvivingDistances::SurvivingDistances(const network::SurvivingNetwork& network,
                                       std::span<const Packet> packets)
    : network_(network), to_(network.whole().order()) {
  for (const Packet& packet : packets) {
    if (!to_[packet.to].empty()) continue;
    to_[packet.to].reserve(network.whole().order());
    for (const std::uint32_t distance : network.distances(packet.to))
      to_[packet.to].push_back(static_cast<std::uint16_t>(std::min(distance, far)));
  }
}

PacketRoutes negotiate(const SurvivingDistances& distances, const network::LinkList& links,
                       std::span<const Packet> packets, PacketRoutes routes, std::uint64_t enough) {
  if (packets.empty()) return routes;
  return Negotiation(distances, links, packets, std::move(routes)).run(enough);
}

}  // namespace isotrope::algorithm
