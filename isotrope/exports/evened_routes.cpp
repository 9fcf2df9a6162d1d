// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/exports/evened_routes.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "isotrope/network/parity.hpp"
#include "isotrope/network/torus_axes.hpp"

#include "isotrope/schedule/isotropic_task.hpp"

#include "isotrope/bound/bandwidth.hpp"

#include "isotrope/algorithm/exchange/route_choice.hpp"

namespace isotrope::exports {

using algorithm::TaskMatrix;
using network::Network;
using network::Node;
using network::Port;

namespace {

// The limits of step 2.
constexpr Node most_rerouted_nodes = 256;
constexpr int most_turns = 12;

// On tori axis after axis, from the first one on, as machines do and the planner assumes; any order loads links alike there.
Route row_of(const TaskMatrix& matrix, std::uint64_t row, bool by_axis) {
  Route result;
  for (const auto [port, count] : matrix.row(row)) result.insert(result.end(), count, port);
  if (by_axis) std::ranges::sort(result);
  return result;
}

// The link loads of a port, by the parity of the sender. In a group of odd order all senders have parity 0; the
// second load equals the first.
using PortLoads = std::array<std::uint64_t, 2>;

// Adds one block on every link of the routes. Returns the growth of the sum of the squares of all loads.
std::uint64_t add_loads(const Network& network, const std::vector<std::uint8_t>& parities,
                        const TwoRoutes& routes, std::vector<PortLoads>& loads) {
  std::uint64_t growth = 0;
  for (std::uint32_t parity = 0; parity < 2; ++parity) {
    Node offset = 0;
    for (const Port port : routes[parity]) {
      growth += 2 * loads[port][parity ^ parities[offset]]++ + 1;
      offset = network.neighbour(offset, port);
    }
  }
  return growth;
}

// Reroutes pairs, one after the other.
class Rerouting {
 public:
  Rerouting(const Network& network, std::vector<Route>& routes)
      : network_(network),
        routes_(routes),
        distances_(network.order()),
        loads_(network.directed_links()),
        reached_(network.order()) {
    for (Node node = 0; node < network.order(); ++node) {
      distances_[node] = network.distance(0, node);
      if (node > 0) offsets_.push_back(node);
    }
    std::ranges::stable_sort(offsets_, {}, [this](Node offset) { return distances_[offset]; });
    for_each_pair([this](Node from, Node, const Route& route) { change_loads(from, route, 1); });
  }

  std::uint64_t busiest() const { return std::ranges::max(loads_); }

  // Reroutes every pair once. Near pairs, which have the fewest shortest paths, come first.
  void turn() {
    for_each_pair([this](Node from, Node offset, Route& route) {
      change_loads(from, route, -1);
      route = lightest(from, offset);
      change_loads(from, route, 1);
    });
  }

 private:
  struct Reached {
    std::uint64_t cost = 0;
    Port last = 0;
    Node search = 0;  // the search that found it
  };

  template <class Visit>
  void for_each_pair(const Visit& visit) {
    for (const Node offset : offsets_) {
      for (Node from = 0; from < network_.order(); ++from)
        visit(from, offset, routes_[std::uint64_t{from} * network_.order() + offset]);
    }
  }

  std::uint64_t& load(Node node, Port port) { return loads_[std::uint64_t{node} * network_.degree() + port]; }

  void change_loads(Node node, const Route& route, int change) {
    for (const Port port : route) {
      load(node, port) += static_cast<std::uint64_t>(static_cast<std::int64_t>(change));
      node = network_.neighbour(node, port);
    }
  }

  // Searches all shortest paths level by level. The port that wins a tie rotates from search to search.
  Route lightest(Node from, Node offset) {
    ++searches_;
    const Node to = network_.group().add(from, offset);
    std::vector<Node> level{from}, next;
    reached_[from] = {0, 0, searches_};
    for (std::uint32_t left = distances_[offset]; left > 0; --left) {
      next.clear();
      for (const Node node : level) step(node, to, left, next);
      level.swap(next);
    }
    Route result;
    for (Node node = to; node != from;) {
      const Port back = network_.opposite(reached_[node].last);
      result.push_back(reached_[node].last);
      node = network_.neighbour(node, back);
    }
    std::ranges::reverse(result);
    return result;
  }

  void step(Node node, Node to, std::uint32_t left, std::vector<Node>& next) {
    for (Port i = 0; i < network_.degree(); ++i) {
      const Port port = (i + searches_) % network_.degree();
      const Node neighbour = network_.neighbour(node, port);
      if (distances_[network_.group().subtract(to, neighbour)] >= left) continue;
      const std::uint64_t cost = reached_[node].cost + 2 * load(node, port) + 1;
      Reached& reached = reached_[neighbour];
      if (reached.search != searches_) next.push_back(neighbour);
      if (reached.search != searches_ || cost < reached.cost) reached = {cost, port, searches_};
    }
  }

  const Network& network_;
  std::vector<Route>& routes_;
  std::vector<std::uint32_t> distances_;  // from node 0
  std::vector<Node> offsets_;             // the nearest first
  std::vector<std::uint64_t> loads_;      // by node and port
  std::vector<Reached> reached_;          // by node
  Node searches_ = 0;
};

}  // namespace

EvenedRoutes::EvenedRoutes(const Network& network)
    : network_(network), parities_(network::parities(network.group())), by_parity_(1) {
  const std::uint32_t kinds = network.order() % 2 == 0 ? 2 : 1;
  const bool is_torus = network::torus_axes(network).has_value();
  std::vector<schedule::RelativeDestination> destinations;
  for (Node to = 1; to < network.order(); ++to) destinations.push_back({to, kinds});
  const TaskMatrix matrix = algorithm::shortest_routes(network, destinations);
  std::vector<PortLoads> loads(network.degree());
  for (std::uint64_t row = 0; row < matrix.rows(); row += kinds) {
    const TwoRoutes routes{row_of(matrix, row, is_torus), row_of(matrix, row + kinds - 1, is_torus)};
    const TwoRoutes swapped{routes[1], routes[0]};
    std::vector<PortLoads> swapped_loads = loads;
    const bool swaps =
        add_loads(network, parities_, swapped, swapped_loads) < add_loads(network, parities_, routes, loads);
    if (swaps) loads.swap(swapped_loads);
    by_parity_.push_back(swaps ? swapped : routes);
  }
  std::uint64_t busiest = 0;
  for (const auto& [even, odd] : loads) busiest = std::max({busiest, even, odd});
  const schedule::Task exchange{.collective = schedule::Collective::alltoall};
  const auto bound = bound::bandwidth_bound(schedule::Problem{.network = network, .task = exchange});
  if (bound && busiest > bound->value && network.order() <= most_rerouted_nodes) reroute_pairs(bound->value);
}

void EvenedRoutes::reroute_pairs(std::uint64_t bound) {
  std::vector<Route> best(std::uint64_t{network_.order()} * network_.order());
  for (Node from = 0; from < network_.order(); ++from) {
    for (Node offset = 1; offset < network_.order(); ++offset)
      best[std::uint64_t{from} * network_.order() + offset] = route(from, offset);
  }
  std::vector<Route> routes = best;
  Rerouting rerouting(network_, routes);
  std::uint64_t least = rerouting.busiest();
  for (int turn = 0; turn < most_turns && least > bound; ++turn) {
    rerouting.turn();
    if (rerouting.busiest() >= least) continue;
    least = rerouting.busiest();
    best = routes;
  }
  routes_ = std::move(best);
}

}  // namespace isotrope::exports
