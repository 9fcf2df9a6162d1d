// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/irregular/route_negotiation.hpp"

#include <algorithm>
#include <queue>
#include <tuple>
#include <utility>

namespace isotrope::algorithm {
namespace {

using network::Network;
using network::Node;
using network::Port;
using schedule::Packet;

constexpr int most_passes = 12;  // per goal
constexpr std::uint64_t most_links_seen = std::uint64_t{1} << 26;
constexpr std::uint32_t price = 4;

class Negotiation {
 public:
  Negotiation(const SurvivingDistances& distances, std::span<const Packet> packets, std::vector<Route> routes)
      : distances_(distances),
        network_(distances.network()),
        packets_(packets),
        routes_(std::move(routes)),
        links_(distances.link_numbers()),
        loads_(links_.count(), 0),
        history_(links_.count(), 0),
        cost_(network_.order(), 0),
        from_(network_.order()),
        search_of_(network_.order(), 0) {
    for (std::size_t i = 0; i < packets.size(); ++i) {
      for_each_link(i, [&](std::uint64_t link) { ++loads_[link]; });
    }
  }

  std::vector<Route> run(std::uint64_t enough) {
    std::vector<Route> best = routes_;
    std::uint32_t most = largest_load();
    auto least =
        static_cast<std::uint32_t>(std::clamp<std::uint64_t>(enough, std::min(mean_load(), most), most));
    while (least < most && links_seen_ < most_links_seen) {
      goal_ = least + (most - least) / 2;
      const bool met = reach_goal();
      if (const std::uint32_t reached = largest_load(); reached < most) {
        best = routes_;
        most = reached;
      }
      if (!met) least = goal_ + 1;
    }
    return best;
  }

 private:
  // Calls `function(link)` for every link of the route of packet i.
  template <class Function>
  void for_each_link(std::size_t i, Function&& function) const {
    Node at = packets_[i].origin;
    for (const Port port : routes_[i]) {
      function(link(at, port));
      at = network_.neighbour(at, port);
    }
  }
  std::uint64_t link(Node node, Port port) const { return links_.of(node, port); }

  std::uint32_t largest_load() const { return *std::max_element(loads_.begin(), loads_.end()); }

  // The load of shortest paths if all links carried the same: a bound for all routes.
  std::uint32_t mean_load() const {
    std::uint64_t hops = 0;
    for (const Packet& packet : packets_) hops += distances_.distance(packet.origin, packet.to);
    const std::uint64_t links = std::max<std::uint64_t>(2 * distances_.survivors().links(), 1);
    return static_cast<std::uint32_t>((hops + links - 1) / links);
  }

  bool reach_goal() {
    std::fill(history_.begin(), history_.end(), 0);
    for (int pass = 0; pass < most_passes && links_seen_ < most_links_seen; ++pass) {
      if (largest_load() <= goal_) return true;
      for (std::size_t link = 0; link < loads_.size(); ++link) {
        if (loads_[link] > goal_) ++history_[link];
      }
      for (std::size_t i = 0; i < packets_.size() && links_seen_ < most_links_seen; ++i) {
        if (crosses_excess(i)) reroute(i);
      }
    }
    return largest_load() <= goal_;
  }

  bool crosses_excess(std::size_t i) const {
    bool crosses = false;
    for_each_link(i, [&](std::uint64_t link) { crosses |= loads_[link] > goal_; });
    return crosses;
  }

  void reroute(std::size_t i) {
    for_each_link(i, [&](std::uint64_t link) { --loads_[link]; });
    routes_[i] = cheapest_route(packets_[i].origin, packets_[i].to);
    for_each_link(i, [&](std::uint64_t link) { ++loads_[link]; });
  }

  std::uint32_t cost_of(std::uint64_t link) const {
    const std::uint32_t load = loads_[link] + 1;
    return 1 + history_[link] + (load > goal_ ? price * (load - goal_) : 0);
  }

  // The cost to a node plus its distance from the destination, the cost alone, the node.
  using Open = std::tuple<std::uint32_t, std::uint32_t, Node>;
  struct RouteStep {
    Node before;
    Port port;
  };

  Route cheapest_route(Node origin, Node to) {
    ++search_;
    std::priority_queue<Open, std::vector<Open>, std::greater<>> open;
    cost_[origin] = 0;
    search_of_[origin] = search_;
    open.emplace(distances_.distance(origin, to), 0, origin);
    while (std::get<2>(open.top()) != to) {
      const auto [total, cost, node] = open.top();
      open.pop();
      if (cost == cost_[node]) expand(node, cost, to, open);
    }
    Route route;
    for (Node at = to; at != origin; at = from_[at].before) route.push_back(from_[at].port);
    std::reverse(route.begin(), route.end());
    return route;
  }

  template <class Queue>
  void expand(Node node, std::uint32_t cost, Node to, Queue& open) {
    distances_.for_each_neighbour(node, [&](Port port, Node next) {
      ++links_seen_;
      const std::uint32_t reached = cost + cost_of(link(node, port));
      if (search_of_[next] == search_ && cost_[next] <= reached) return;
      search_of_[next] = search_;
      cost_[next] = reached;
      from_[next] = {node, port};
      open.emplace(reached + distances_.distance(next, to), reached, next);
    });
  }

  const SurvivingDistances& distances_;
  const Network& network_;
  std::span<const Packet> packets_;
  std::vector<Route> routes_;
  network::LinkNumbers links_;
  std::vector<std::uint32_t> loads_;    // packets, by directed link
  std::vector<std::uint32_t> history_;  // passes above the goal, by directed link
  std::vector<std::uint32_t> cost_;     // by node, of the last search that saw it
  std::vector<RouteStep> from_;
  std::vector<std::uint64_t> search_of_;
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

std::vector<Route> negotiate(const SurvivingDistances& distances, std::span<const Packet> packets,
                             std::vector<Route> routes, std::uint64_t enough) {
  if (packets.empty()) return routes;
  return Negotiation(distances, packets, std::move(routes)).run(enough);
}

}  // namespace isotrope::algorithm
