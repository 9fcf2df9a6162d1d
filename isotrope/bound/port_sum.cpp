// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/bound/port_sum.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "isotrope/network/rates.hpp"
#include "isotrope/network/torus_axes.hpp"

#include "isotrope/bound/kinds.hpp"

namespace isotrope::bound {
namespace {

using network::TorusAxis;
__extension__ using Wide = unsigned __int128;

using Weights = std::vector<std::uint32_t>;  // by port, or by pair of ports

constexpr std::uint64_t most_links = std::uint64_t{1} << 20;  // N * degree that are searched
constexpr std::uint64_t most_steps = std::uint64_t{1} << 22;  // of all trials together
constexpr std::int64_t most_corrections = 400;
constexpr std::int64_t largest_weight = 64;
constexpr std::int64_t scale = std::int64_t{1} << 24;  // of weights between corrections

std::uint64_t capacity_of(Weights weights, Port c) {
  std::sort(weights.begin(), weights.end(), std::greater<>());
  return std::accumulate(weights.begin(), weights.begin() + std::min<Port>(c, Port(weights.size())),
                         std::uint64_t{0});
}

bool is_better(const PortSum& a, const PortSum& b) {
  return Wide{a.length} * b.capacity > Wide{b.length} * a.capacity;
}

// An axis of a torus and all its ports, of which several may lead the same way.
struct AxisPorts {
  std::uint32_t coordinate;
  network::Coordinate extent;
  std::vector<Port> ports;
};

// Those of a torus whose links along each axis have one rate; nothing for other networks.
std::optional<std::vector<AxisPorts>> axis_ports(const Network& network) {
  std::optional<network::SimpleNetwork> simple;
  if (network::has_copies(network)) simple.emplace(network::without_copies(network));
  const auto axes = network::torus_axes(simple ? simple->network : network);
  if (!axes) return std::nullopt;
  std::vector<AxisPorts> result;
  for (const TorusAxis& axis : *axes) {
    AxisPorts all{axis.coordinate, axis.extent, {}};
    const auto add = [&](Port port) {
      const std::vector<Port> copies = simple ? simple->copies[port] : std::vector{port};
      all.ports.insert(all.ports.end(), copies.begin(), copies.end());
    };
    add(axis.forward);
    if (axis.backward != axis.forward) add(axis.backward);
    result.push_back(std::move(all));
  }
  return result;
}

bool all_equal(std::span<const AxisPorts> axes) {
  return std::ranges::all_of(axes, [&](const AxisPorts& axis) {
    return axis.extent == axes.front().extent && axis.ports.size() == axes.front().ports.size();
  });
}

// Weights 1 on the axis whose ports have most to carry; `lengths` are the hops along each axis.
PortSum busiest_axis(const Network& network, std::span<const AxisPorts> axes,
                     std::span<const std::uint64_t> lengths, Port c) {
  PortSum best{{}, 0, 1};
  for (std::size_t i = 0; i < axes.size(); ++i) {
    PortSum axis{Weights(network.degree(), 0), lengths[i], 0};
    for (const Port port : axes[i].ports) axis.weights[port] = 1;
    axis.capacity = capacity_of(axis.weights, c);
    if (best.weights.empty() || is_better(axis, best)) best = std::move(axis);
  }
  return best;
}

std::vector<std::uint64_t> axis_lengths(const Network& network, std::span<const AxisPorts> axes,
                                        std::span<const RelativeDestination> destinations) {
  std::vector<std::uint64_t> lengths(axes.size(), 0);
  for (const auto [to, blocks] : destinations) {
    for (std::size_t i = 0; i < axes.size(); ++i) {
      const network::Coordinate x = network.group().coordinate(to, axes[i].coordinate);
      lengths[i] += std::uint64_t{std::min(x, axes[i].extent - x)} * blocks;
    }
  }
  return lengths;
}

// Weighted shortest routes from node 0 to all others, a bucket a distance.
class ShortestRoutes {
 public:
  explicit ShortestRoutes(const Network& network, std::span<const RelativeDestination> destinations)
      : degree_(network.degree()), blocks_(network.order(), 0), usage_(degree_) {
    links_.reserve(network.directed_links());
    network.visit([&](const auto& neighbour, const auto& group) {
      for (Node node = 0; node < group.order(); ++node) {
        for (Port port = 0; port < degree_; ++port) links_.push_back(neighbour(node, port));
      }
    });
    for (const auto [to, blocks] : destinations) blocks_[to] += blocks;
  }

  // The packets over a link of each port, if all go along one tree of shortest routes.
  const std::vector<std::uint64_t>& usage(const Weights& weights) {
    search(weights);
    below_ = blocks_;
    std::fill(usage_.begin(), usage_.end(), 0);
    for (std::size_t i = settled_.size(); i-- > 1;) {
      const Node node = settled_[i];
      usage_[arrivals_[node].port] += below_[node];
      below_[arrivals_[node].from] += below_[node];
    }
    return usage_;
  }

 private:
  struct Arrival {
    std::uint32_t distance;
    Port port;
    Node from;
  };

  // Fills settled_ by ascending distance, and arrivals_. No link is longer than the largest weight, so the
  // buckets are used in turn.
  void search(const Weights& weights) {
    const std::uint32_t buckets = *std::max_element(weights.begin(), weights.end()) + 1;
    buckets_.assign(buckets, {});
    arrivals_.assign(blocks_.size(), {UINT32_MAX, 0, 0});
    arrivals_[0].distance = 0;
    buckets_[0].push_back(0);
    settled_.clear();
    is_settled_.assign(blocks_.size(), false);
    for (std::uint32_t distance = 0; settled_.size() < blocks_.size(); ++distance) {
      std::vector<Node>& bucket = buckets_[distance % buckets];
      std::size_t next = 0;
      while (next < bucket.size()) {  // ports of weight 0 make the bucket grow
        const Node node = bucket[next++];
        if (is_settled_[node] || arrivals_[node].distance != distance) continue;
        is_settled_[node] = true;
        settled_.push_back(node);
        for (Port port = 0; port < degree_; ++port) relax(node, port, distance + weights[port], buckets);
      }
      bucket.clear();
    }
  }

  void relax(Node from, Port port, std::uint32_t distance, std::uint32_t buckets) {
    const Node node = links_[std::size_t{from} * degree_ + port];
    if (distance >= arrivals_[node].distance) return;
    arrivals_[node] = {distance, port, from};
    buckets_[distance % buckets].push_back(node);
  }

  Port degree_;
  std::vector<Node> links_;  // by node, then port
  std::vector<std::uint64_t> blocks_;
  std::vector<std::uint64_t> below_;
  std::vector<std::uint64_t> usage_;
  std::vector<Arrival> arrivals_;
  std::vector<bool> is_settled_;
  std::vector<Node> settled_;
  std::vector<std::vector<Node>> buckets_;
};

// Whether as many blocks go to every node as to its opposite.
bool is_symmetric(const Network& network, std::span<const RelativeDestination> destinations) {
  std::vector<std::uint64_t> blocks(network.order(), 0);
  for (const auto [to, count] : destinations) blocks[to] += count;
  for (Node node = 1; node < network.order(); ++node) {
    if (blocks[node] != blocks[network.group().subtract(0, node)]) return false;
  }
  return true;
}

// The search for weights. A hop uses a link and, if a node does not send on all ports at once, one of the c sends of its
// node; each has a price, and the weight of a port is the sum of both. Links have a price per pair of opposite ports, or
// per port if the blocks differ from their opposites.
class WeightSearch {
 public:
  WeightSearch(const Network& network, std::span<const RelativeDestination> destinations, Port c)
      : routes_(network, destinations),
        c_(std::min(c, network.degree())),
        pair_of_(network.degree()),
        trials_left_(most_steps / network.directed_links()) {
    const bool paired = is_symmetric(network, destinations);
    for (Port port = 0; port < network.degree(); ++port) {
      const Port opposite = network.opposite(port);
      const bool has_pair = paired && opposite < port;
      pair_of_[port] = has_pair ? pair_of_[opposite] : room_.size();
      if (!has_pair) room_.push_back(0);
      ++room_[pair_of_[port]];
    }
    if (c_ < network.degree()) room_.push_back(c_);
  }

  PortSum run() {
    Prices prices(room_.size(), scale);
    Loads loads = measure(prices, 1);
    if (is_even(loads)) return best_;
    for (std::int64_t t = 0, step = 2; trials_left_ > largest_weight && t < most_corrections; ++t) {
      if (step * step <= t) ++step;  // the square root of the number of trials
      correct(prices, loads, step);
      loads = measure(prices, largest_weight);
    }
    for (std::int64_t most = 1; most < largest_weight && trials_left_ > 0; ++most) measure(prices, most);
    return best_;
  }

 private:
  using Prices = std::vector<std::int64_t>;  // fixed point; of the pairs of ports, then of the sends
  using Loads = std::vector<std::uint64_t>;  // of the same

  bool has_sends() const { return c_ < pair_of_.size(); }

  // Whether every port carries as much as any other, which makes equal weights the best.
  bool is_even(const Loads& loads) const {
    for (std::size_t i = 1; i < room_.size() - (has_sends() ? 1 : 0); ++i) {
      if (loads[i] * room_[0] != loads[0] * room_[i]) return false;
    }
    return true;
  }

  // The price times the load beyond the mean, over the mean.
  void correct(Prices& prices, const Loads& loads, std::int64_t step) const {
    Wide paid = 0, room = 0;
    for (std::size_t i = 0; i < prices.size(); ++i) {
      paid += Wide{loads[i]} * static_cast<std::uint64_t>(prices[i]);
      room += Wide{room_[i]} * static_cast<std::uint64_t>(prices[i]);
    }
    for (std::size_t i = 0; i < prices.size(); ++i) {
      const auto per_room = static_cast<std::int64_t>(
          std::min(loads[i] * (room >> 10) * 1024 / (room_[i] * (paid >> 10)), Wide{4096}));
      prices[i] += prices[i] * (per_room - 1024) / 1024 / step;
    }
    const std::int64_t largest = *std::ranges::max_element(prices);
    for (std::int64_t& price : prices) price = std::max<std::int64_t>(1, price * scale / largest);
  }

  // The loads under the weights that the prices make, in whole numbers up to `most`.
  Loads measure(const Prices& prices, std::int64_t most) {
    --trials_left_;
    const std::int64_t of_sends = has_sends() ? prices.back() : 0;
    const std::int64_t largest =
        *std::max_element(prices.begin(), prices.end() - (has_sends() ? 1 : 0)) + of_sends;
    Weights weights;
    for (const std::size_t pair : pair_of_)
      weights.push_back(
          static_cast<std::uint32_t>(((prices[pair] + of_sends) * most + largest / 2) / largest));
    const std::vector<std::uint64_t>& usage = routes_.usage(weights);
    Loads loads(room_.size(), 0);
    std::uint64_t length = 0;
    for (std::size_t port = 0; port < weights.size(); ++port) {
      loads[pair_of_[port]] += usage[port];
      if (has_sends()) loads.back() += usage[port];
      length += usage[port] * weights[port];
    }
    const std::uint64_t capacity = capacity_of(weights, c_);
    PortSum found{std::move(weights), length, capacity};
    if (best_.weights.empty() || is_better(found, best_)) best_ = std::move(found);
    return loads;
  }

  ShortestRoutes routes_;
  Port c_;
  std::vector<std::size_t> pair_of_;  // by port
  std::vector<std::uint64_t>
      room_;  // of a round: the ports of each pair, and the sends if fewer than the ports
  std::uint64_t trials_left_;
  PortSum best_{{}, 0, 1};
};

}  // namespace

std::uint64_t PortSum::rounds(std::uint64_t parts) const {
  return length / capacity * parts + ceil_div(length % capacity * parts, capacity);
}

std::optional<PortSum> port_sum(const Network& network, const Task& task, Port c) {
  if (task.collective == schedule::Collective::isotropic) return port_sum(network, task.destinations, c);
  const auto axes = axis_ports(network);
  if (axes ? all_equal(*axes) : network.directed_links() > most_links) return std::nullopt;
  if (!axes || task.collective != schedule::Collective::alltoall)
    return port_sum(network, relative_destinations(network, task), c);
  std::vector<std::uint64_t> lengths;
  for (const AxisPorts& axis : *axes)
    lengths.push_back(network.order() / axis.extent * (std::uint64_t{axis.extent} * axis.extent / 4));
  return busiest_axis(network, *axes, lengths, c);
}

std::optional<PortSum> port_sum(const Network& network, std::span<const RelativeDestination> destinations,
                                Port c) {
  const bool searched = network.directed_links() <= most_links;
  const auto axes = axis_ports(network);
  if (axes && (!searched || is_symmetric(network, destinations)))
    return busiest_axis(network, *axes, axis_lengths(network, *axes, destinations), c);
  if (!searched) return std::nullopt;
  return WeightSearch(network, destinations, c).run();
}

namespace {

Bound bound_with(const PortSum& sum, std::uint64_t parts) {
  const std::string packets =
      parts == 1 ? fmt::format("{}", sum.length) : fmt::format("{} * {}", sum.length, parts);
  return {"port-sum", sum.rounds(parts),
          fmt::format("with links of length {} by port, the packets of one origin have {} to go, and a "
                      "node can send over {} a round: ceil({}/{}) = {}",
                      fmt::join(sum.weights, ","), packets, sum.capacity, packets, sum.capacity,
                      sum.rounds(parts)),
          sum.weights};
}

std::optional<Bound> symmetric_bound(const GraphView& view) {
  auto sum = port_sum(view.network(), view.problem().task, view.port_limit());
  if (!sum) return std::nullopt;
  sum->capacity = view.room_over(sum->capacity);
  return bound_with(*sum, view.parts());
}

// The packets of all origins in relative addresses.
std::vector<RelativeDestination> mean_destinations(const GraphView& view) {
  std::vector<std::uint64_t> packets(view.network().order(), 0);
  for (const Travel& travel : view.travels())
    packets[view.network().group().subtract(travel.to, travel.from)] += travel.blocks * view.parts();
  std::vector<RelativeDestination> result;
  for (Node to = 1; to < view.network().order(); ++to) {
    if (packets[to] > 0) result.push_back({to, static_cast<std::uint32_t>(packets[to])});
  }
  return result;
}

std::optional<Bound> travel_bound(const GraphView& view) {
  const auto sum = port_sum(view.network(), mean_destinations(view), view.port_limit());
  if (!sum) return std::nullopt;
  const std::uint64_t room = view.room_over(sum->capacity * view.node_count());
  const std::uint64_t value = ceil_div(sum->length, room);
  return Bound{
      "port-sum", value,
      fmt::format("with links of length {} by port, the packets have {} to go, and all nodes together "
                  "can send over {} a round: ceil({}/{}) = {}",
                  fmt::join(sum->weights, ","), sum->length, room, sum->length, room, value),
      sum->weights};
}

std::optional<Bound> weighted_bound(const GraphView& view) {
  if (view.traffic() == Traffic::isotropic) return symmetric_bound(view);
  if (view.traffic() == Traffic::listed && !view.half_duplex()) return travel_bound(view);
  return std::nullopt;
}

}  // namespace

// Nothing if the weights do no better than equal ones.
std::optional<Bound> port_sum_bound(const GraphView& view) {
  if (!view.intact()) return std::nullopt;
  auto bound = weighted_bound(view);
  if (!bound || bound->value <= distance_sum_bound(view)->value) return std::nullopt;
  return bound;
}

}  // namespace isotrope::bound
