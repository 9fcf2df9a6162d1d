// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/exchange/route_sets.hpp"

#include <algorithm>
#include <numeric>
#include <random>

#include "isotrope/algorithm/exchange/route_balance.hpp"
#include "isotrope/algorithm/exchange/route_choice.hpp"

namespace isotrope::algorithm {
namespace {

using network::Network;
using network::Node;
using network::Port;
using schedule::RelativeDestination;

constexpr std::size_t most_routes = 32;
constexpr std::uint64_t most_tries = std::uint64_t{1} << 18;

class RouteEnumeration {
 public:
  RouteEnumeration(const Network& network, std::size_t most) : network_(network), most_(most) {}

  std::vector<Route> to(Node node) {
    walk_back(node, network_.distance(0, node), 0);
    return std::move(found_);
  }

 private:
  // Adds the routes that lead from 0 to `node`, `hops` away, over ports from `lowest` on, before `route_`.
  void walk_back(Node node, std::uint32_t hops, Port lowest) {
    if (hops == 0) found_.push_back(route_);
    if (hops == 0 || found_.size() == most_) return;
    for (Port port = lowest; port < network_.degree() && found_.size() < most_; ++port) {
      Node next = node;
      std::uint32_t left = hops;
      for (std::uint32_t count = 1;; ++count) {
        next = network_.group().subtract(next, network_.generators()[port]);
        if (left == 0 || network_.distance(0, next) != left - 1) break;
        --left;
        route_.push_back({port, count});
        walk_back(next, left, port + 1);
        route_.pop_back();
      }
    }
  }

  const Network& network_;
  std::size_t most_;
  Route route_;
  std::vector<Route> found_;
};

}  // namespace

std::uint32_t hops_of(const Route& route) {
  std::uint32_t hops = 0;
  for (const auto [port, count] : route) hops += count;
  return hops;
}

Route mirror_image(const Network& network, const Route& route) {
  Route result;
  for (const auto [port, count] : route) result.push_back({network.opposite(port), count});
  std::ranges::sort(result, {}, &TaskMatrix::Entry::column);
  return result;
}

std::vector<Route> shortest_routes_to(const Network& network, Node to, std::size_t most) {
  return RouteEnumeration(network, most).to(to);
}

RouteSets::RouteSets(const Network& network, std::span<const RelativeDestination> destinations,
                     std::uint64_t target, std::uint32_t seed)
    : network_(network), loads_(network.degree(), 0) {
  for (const auto [to, blocks] : destinations) to_.insert(to_.end(), blocks, to);
  find_twins();
  find_routes();
  balance(target, seed);
  if (largest_load() > target) take_detours(destinations, target);
}

void RouteSets::find_twins() {
  twins_.resize(to_.size());
  std::iota(twins_.begin(), twins_.end(), std::size_t{0});
  std::vector<std::vector<std::size_t>> alone(network_.order());  // packets without a twin, by destination
  for (std::size_t packet = 0; packet < to_.size(); ++packet) {
    const Node opposite = network_.group().negate(to_[packet]);
    if (opposite == to_[packet]) continue;
    if (alone[opposite].empty()) {
      alone[to_[packet]].push_back(packet);
      continue;
    }
    twins_[packet] = alone[opposite].back();
    twins_[twins_[packet]] = packet;
    alone[opposite].pop_back();
  }
}

void RouteSets::find_routes() {
  routes_.resize(to_.size());
  for (std::size_t packet = 0; packet < to_.size(); ++packet) {
    const std::size_t twin = twins_[packet];
    if (twin >= packet) {
      routes_[packet] = shortest_routes_to(network_, to_[packet], most_routes);
    } else {
      for (const Route& route : routes_[twin]) routes_[packet].push_back(mirror_image(network_, route));
    }
  }
}

void RouteSets::add_load(const Route& route, std::int64_t sign) {
  for (const auto [port, count] : route) loads_[port] += sign * count;
}

// A packet and its twin have the same routes, mirrored, in the same order.
void RouteSets::choose(std::size_t packet, std::size_t route) {
  for (const std::size_t each : {packet, twins_[packet]}) {
    add_load(chosen(each), -1);
    choice_[each] = route;
    add_load(chosen(each), 1);
    if (twins_[packet] == packet) return;
  }
}

std::int64_t RouteSets::squares() const {
  return std::transform_reduce(loads_.begin(), loads_.end(), std::int64_t{0}, std::plus<>(),
                               [](std::int64_t load) { return load * load; });
}

std::uint64_t RouteSets::largest_load() const {
  return loads_.empty() ? 0 : static_cast<std::uint64_t>(std::ranges::max(loads_));
}

void RouteSets::balance(std::uint64_t target, std::uint32_t seed) {
  std::mt19937_64 random(seed);
  choice_.assign(to_.size(), 0);
  for (std::size_t packet = 0; packet < to_.size(); ++packet) add_load(chosen(packet), 1);
  std::vector<std::size_t> free;
  for (std::size_t packet = 0; packet < to_.size(); ++packet) {
    if (routes_[packet].size() < 2) continue;
    free.push_back(packet);
    choose(packet, random() % routes_[packet].size());
  }
  std::int64_t sum = squares();
  for (std::uint64_t t = 0; t < most_tries && !free.empty() && largest_load() > target; ++t) {
    const std::size_t packet = free[random() % free.size()];
    const std::size_t before = choice_[packet];
    choose(packet, random() % routes_[packet].size());
    const std::int64_t other = squares();
    const std::int64_t allowed = t % 16 == 0 ? 2 : 0;
    if (other > sum + allowed) {
      choose(packet, before);
    } else {
      sum = other;
    }
  }
}

// The rows of balance_to_bound are routes of the same packets; twins keep mirror images if the packets all have twins.
void RouteSets::take_detours(std::span<const RelativeDestination> destinations, std::uint64_t target) {
  const std::uint64_t before = largest_load();
  const TaskMatrix balanced = balance_to_bound(
      network_, destinations, 1, shortest_routes(network_, destinations), network_.degree(), target);
  if (std::ranges::max(balanced.column_sums()) >= before) return;
  loads_.assign(network_.degree(), 0);
  for (std::size_t packet = 0; packet < to_.size(); ++packet) {
    Route route(balanced.row(packet).begin(), balanced.row(packet).end());
    std::ranges::sort(route, {}, &TaskMatrix::Entry::column);
    const auto same = [&route](const Route& other) {
      return std::ranges::equal(route, other, [](const auto& a, const auto& b) {
        return a.column == b.column && a.count == b.count;
      });
    };
    const auto found = std::ranges::find_if(routes_[packet], same);
    choice_[packet] = static_cast<std::size_t>(found - routes_[packet].begin());
    if (found == routes_[packet].end()) routes_[packet].push_back(std::move(route));
    add_load(chosen(packet), 1);
  }
}

}  // namespace isotrope::algorithm
