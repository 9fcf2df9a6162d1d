// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/schedule/surviving_task.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"

#include "isotrope/schedule/ceil_div.hpp"

namespace isotrope::schedule {
namespace {

// Ports a node can use in a round, by node.
class Capacities {
 public:
  Capacities(const SurvivingNetwork& network, PortModel ports) : of_(network.whole().order(), 0) {
    const Port limit = ports.sends(network.whole().degree());
    for (const Node node : network.nodes()) {
      of_[node] = std::min(limit, network.degree(node));
      sum_ += of_[node];
      largest_ = std::max(largest_, of_[node]);
    }
  }

  Port of(Node node) const { return of_[node]; }
  std::uint64_t sum() const { return sum_; }
  Port largest() const { return largest_; }

 private:
  std::vector<Port> of_;
  std::uint64_t sum_ = 0;
  Port largest_ = 0;
};

// The larger of two bounds of a kind; the first of equal ones.
void raise(Bound& best, Bound other) {
  if (other.value > best.value) best = std::move(other);
}

// Packets of one node by distance, as senders or receivers have them.
class Distances {
 public:
  void add(std::uint32_t distance, std::uint64_t packets) {
    if (distance >= packets_.size()) packets_.resize(distance + 1, 0);
    packets_[distance] += packets;
  }

  Bound degree(Node node, Port c, std::string_view does) const {
    const std::uint64_t all = std::accumulate(packets_.begin(), packets_.end(), std::uint64_t{0});
    return {"degree", ceil_div(all, c),
            fmt::format("node {} must {} {} packets, at most {} a round: ceil({}/{}) = {}", node, does, all,
                        c, all, c, ceil_div(all, c))};
  }

  Bound distance(Node node, Port c, std::string_view does) const {
    Bound best{"distance", 0, "no packet has to move"};
    std::uint64_t packets = 0;
    for (std::uint64_t j = packets_.size(); j-- > 1;) {
      packets += packets_[j];
      const std::uint64_t rounds = packets == 0 ? 0 : ceil_div(packets, c) + j - 1;
      if (rounds <= best.value) continue;
      best = {"distance", rounds,
              fmt::format("node {} must {} {} packets over {} or more hops, at most {} a round: "
                          "ceil({}/{}) - 1 + {} = {}",
                          node, does, packets, j, c, packets, c, j, rounds)};
    }
    return best;
  }

 private:
  std::vector<std::uint64_t> packets_;
};

// The sets of nodes whose borders are looked at: the subtrees of a breadth-first tree.
class Cuts {
 public:
  explicit Cuts(const SurvivingNetwork& network) : network_(network) {
    grow_from(centre());
    sizes_.assign(order_.size(), 1);
    for (std::size_t i = order_.size(); i-- > 1;) sizes_[parents_[i]] += sizes_[i];
    borders_.assign(order_.size(), 0);
    for (const Node node : order_) {
      network_.for_each_neighbour(node, [&](Port, Node neighbour) {
        if (node < neighbour) for_each_between(node, neighbour, [&](std::size_t i, Node) { ++borders_[i]; });
      });
    }
  }

  // Subtrees are numbered from 1; subtree 0 is all nodes.
  std::size_t end() const { return order_.size(); }
  Node top(std::size_t i) const { return order_[i]; }
  std::uint64_t size(std::size_t i) const { return sizes_[i]; }
  // The links that leave the subtree.
  std::uint64_t border(std::size_t i) const { return borders_[i]; }

  // Calls `function(i, inside)` for every subtree with exactly one of two nodes in it: those on the way
  // between them, their meeting point left out.
  template <class Function>
  void for_each_between(Node a, Node b, Function&& function) const {
    std::size_t i = places_[a], j = places_[b];
    while (i != j) {
      function(std::max(i, j), i > j ? a : b);
      std::size_t& lower = i > j ? i : j;
      lower = parents_[lower];
    }
  }

 private:
  // A node in the middle of a shortest path between two nodes far apart: of trees the centre.
  Node centre() const {
    const auto farthest = [&](const std::vector<std::uint32_t>& distance) {
      return *std::max_element(network_.nodes().begin(), network_.nodes().end(),
                               [&](Node a, Node b) { return distance[a] < distance[b]; });
    };
    const auto from_a = network_.distances(farthest(network_.distances(network_.nodes().front())));
    const Node b = farthest(from_a);
    const auto from_b = network_.distances(b);
    return *std::find_if(network_.nodes().begin(), network_.nodes().end(), [&](Node node) {
      return from_a[node] == from_a[b] / 2 && from_a[node] + from_b[node] == from_a[b];
    });
  }

  void grow_from(Node root) {
    places_.assign(network_.whole().order(), 0);
    std::vector<std::uint8_t> seen(network_.whole().order(), 0);
    order_ = {root};
    parents_ = {0};
    seen[root] = 1;
    for (std::size_t i = 0; i < order_.size(); ++i) {
      places_[order_[i]] = i;
      network_.for_each_neighbour(order_[i], [&](Port, Node neighbour) {
        if (seen[neighbour] != 0) return;
        seen[neighbour] = 1;
        order_.push_back(neighbour);
        parents_.push_back(i);
      });
    }
  }

  const SurvivingNetwork& network_;
  std::vector<Node> order_;             // breadth first; subtree i hangs below order_[i]
  std::vector<std::size_t> parents_;    // by place in order_
  std::vector<std::size_t> places_;     // in order_, by node
  std::vector<std::uint64_t> sizes_;    // nodes of a subtree
  std::vector<std::uint64_t> borders_;  // links that leave it
};

Bound cut_bound(Node top, std::uint64_t nodes, std::uint64_t packets, std::uint64_t links) {
  return {
      "cut", ceil_div(packets, links),
      fmt::format("{} nodes around node {} must exchange {} packets with the others one way, over {} links: "
                  "ceil({}/{}) = {}",
                  nodes, top, packets, links, packets, links, ceil_div(packets, links))};
}

// Bounds on tasks in which every packet goes to all nodes, or comes from all.
class SpreadBounds {
 public:
  SpreadBounds(const SurvivingNetwork& network, const Task& task, PortModel ports, bool to_the_root)
      : network_(network), task_(task), to_the_root_(to_the_root), capacities_(network, ports) {}

  // Broadcast and reduce.
  std::vector<Bound> of_root() const {
    const std::vector<std::uint32_t> distance = network_.distances(task_.root);
    Bound degree{"degree", 0, ""}, far{"distance", 0, ""};
    for (const Node node : network_.nodes()) {
      if (node == task_.root) continue;
      Distances of_node;
      of_node.add(distance[node], task_.parts);
      const Port c = std::min(capacities_.of(node), capacities_.of(task_.root));
      raise(degree, of_node.degree(node, capacities_.of(node), does()));
      raise(far, of_node.distance(node, c, does()));
    }
    return {degree, far, doubling()};
  }

  // Allgather and reduce-scatter.
  std::vector<Bound> of_everyone() const {
    Bound degree{"degree", 0, ""}, far{"distance", 0, ""};
    for (const Node node : network_.nodes()) {
      const std::vector<std::uint32_t> distance = network_.distances(node);
      Distances of_node;
      for (const Node other : network_.nodes()) {
        if (other != node) of_node.add(distance[other], task_.parts);
      }
      raise(degree, of_node.degree(node, capacities_.of(node), does()));
      raise(far, of_node.distance(node, capacities_.of(node), does()));
    }
    Bound cut{"cut", 0, ""};
    const Cuts cuts(network_);
    for (std::size_t i = 1; i < cuts.end(); ++i) {
      const std::uint64_t inside = cuts.size(i), outside = network_.nodes().size() - inside;
      raise(cut, cut_bound(cuts.top(i), inside, std::max(inside, outside) * task_.parts, cuts.border(i)));
    }
    return {degree, far, cut};
  }

  // Allreduce and barrier: every contribution reaches everyone.
  std::vector<Bound> of_all_to_all() const {
    Bound far{"distance", 0, ""};
    for (const Node node : network_.nodes()) {
      const std::vector<std::uint32_t> distance = network_.distances(node);
      for (const Node other : network_.nodes()) {
        const Port c = std::min(capacities_.of(node), capacities_.of(other));
        const std::uint64_t last = c == 0 ? 0 : ceil_div(task_.parts, c);
        if (other == node || last - 1 + distance[other] <= far.value) continue;
        far = {
            "distance", last - 1 + distance[other],
            fmt::format(
                "what node {} knows of the last of {} parts has {} hops to go to node {}, at most {} parts a "
                "round: {} - 1 + {} = {}",
                node, task_.parts, distance[other], other, c, last, distance[other],
                last - 1 + distance[other])};
      }
    }
    return {far, doubling()};
  }

  Bound doubling() const {
    const std::uint64_t c = capacities_.largest();
    std::uint64_t rounds = 0;
    for (std::uint64_t informed = 1; informed < network_.nodes().size(); informed *= c + 1) ++rounds;
    return {
        "doubling", rounds,
        fmt::format(
            "{} nodes cannot all know a packet in fewer than {} rounds when their number grows {}-fold at "
            "most",
            network_.nodes().size(), rounds, c + 1)};
  }

  // Under half duplex at most every second node sends.
  Bound work(std::uint64_t transmissions) const {
    const std::uint64_t pairs = network_.nodes().size() / 2, value = ceil_div(transmissions, pairs);
    return {"work", value,
            fmt::format("{} transmissions, and {} nodes pair up for at most {} a round: ceil({}/{}) = {}",
                        transmissions, network_.nodes().size(), pairs, transmissions, pairs, value)};
  }

 private:
  const char* does() const { return to_the_root_ ? "send" : "receive"; }

  const SurvivingNetwork& network_;
  const Task& task_;
  bool to_the_root_;
  Capacities capacities_;
};

// Bounds on tasks of personal packets.
class DeliveryBounds {
 public:
  DeliveryBounds(const SurvivingNetwork& network, std::span<const Delivery> deliveries, std::uint32_t parts,
                 PortModel ports)
      : network_(network),
        half_duplex_(ports.half_duplex()),
        capacities_(network, ports),
        sent_(network.whole().order()),
        received_(network.whole().order()),
        deliveries_(deliveries),
        parts_(parts) {
    std::vector<std::uint32_t> distance;
    for (const auto [from, to, blocks] : deliveries) {
      const std::uint64_t packets = std::uint64_t{blocks} * parts;
      if (from == to || packets == 0) continue;
      if (distance.empty() || from != searched_) distance = network.distances(searched_ = from);
      reach_ = std::max(reach_, distance[to]);
      hops_ += distance[to] * packets;
      sent_[from].add(distance[to], packets);
      (half_duplex_ ? sent_ : received_)[to].add(distance[to], packets);
    }
  }

  Bound reach() const {
    return {"distance", reach_, fmt::format("the farthest destination is {} hops from its origin", reach_)};
  }

  std::vector<Bound> strict() const {
    Bound degree{"degree", 0, "no packet has to move"}, far{"distance", 0, "no packet has to move"};
    for (const Node node : network_.nodes()) {
      const Port c = std::max<Port>(capacities_.of(node), 1);
      raise(degree, sent_[node].degree(node, c, half_duplex_ ? "send or receive" : "send"));
      raise(degree, received_[node].degree(node, c, "receive"));
      if (half_duplex_) continue;
      raise(far, sent_[node].distance(node, c, "send"));
      raise(far, received_[node].distance(node, c, "receive"));
    }
    if (half_duplex_) far = reach();
    return {distance_sum(), degree, far, cut()};
  }

 private:
  Bound distance_sum() const {
    const std::uint64_t room =
        std::max<std::uint64_t>(half_duplex_ ? network_.nodes().size() / 2 : capacities_.sum(), 1);
    return {"distance-sum", ceil_div(hops_, room),
            fmt::format("the packets need {} hops, and all nodes together can send {} packets a round: "
                        "ceil({}/{}) = {}",
                        hops_, room, hops_, room, ceil_div(hops_, room))};
  }

  Bound cut() const {
    const Cuts cuts(network_);
    std::vector<std::uint64_t> leaving(network_.nodes().size(), 0), entering(network_.nodes().size(), 0);
    for (const auto [from, to, blocks] : deliveries_) {
      cuts.for_each_between(from, to, [&, from = from, blocks = blocks](std::size_t i, Node inside) {
        (inside == from ? leaving : entering)[i] += std::uint64_t{blocks} * parts_;
      });
    }
    Bound best{"cut", 0, "no packet has to move"};
    for (std::size_t i = 1; i < cuts.end(); ++i) {
      raise(best, cut_bound(cuts.top(i), cuts.size(i), std::max(leaving[i], entering[i]), cuts.border(i)));
    }
    return best;
  }

  const SurvivingNetwork& network_;
  bool half_duplex_;
  Capacities capacities_;
  std::vector<Distances> sent_, received_;  // by node; under half duplex all in sent_
  std::span<const Delivery> deliveries_;
  std::uint32_t parts_;
  Node searched_ = 0;
  std::uint32_t reach_ = 0;
  std::uint64_t hops_ = 0;
};

std::vector<Bound> largest_first(std::vector<Bound> bounds) {
  std::stable_sort(bounds.begin(), bounds.end(),
                   [](const Bound& a, const Bound& b) { return a.value > b.value; });
  return bounds;
}

bool is_personal(Collective collective) {
  return collective == Collective::scatter || collective == Collective::gather ||
         collective == Collective::alltoall || collective == Collective::neighborhood;
}

std::vector<Bound> spread_bounds(const SurvivingNetwork& network, const Task& task, PortModel ports) {
  const bool to_the_root =
      task.collective == Collective::reduce || task.collective == Collective::reduce_scatter;
  const SpreadBounds of(network, task, ports, to_the_root);
  const std::uint64_t others = network.nodes().size() - 1;
  std::vector<Bound> bounds;
  std::uint64_t transmissions = others * task.parts;
  switch (task.collective) {
    case Collective::broadcast:
    case Collective::reduce:
      bounds = of.of_root();
      break;
    case Collective::allgather:
    case Collective::reduce_scatter:
      bounds = of.of_everyone();
      transmissions *= others + 1;
      break;
    default:
      bounds = of.of_all_to_all();
      transmissions *= 2;
  }
  if (ports.half_duplex()) bounds.push_back(of.work(transmissions));
  return bounds;
}

}  // namespace

std::vector<Delivery> surviving_deliveries(const SurvivingNetwork& network, const Task& task) {
  std::vector<Delivery> result;
  switch (task.collective) {
    case Collective::scatter:
      for (const Node node : network.nodes()) {
        if (node != task.root) result.push_back({task.root, node});
      }
      return result;
    case Collective::gather:
      for (const Node node : network.nodes()) {
        if (node != task.root) result.push_back({node, task.root});
      }
      return result;
    case Collective::alltoall:
      for (const Node from : network.nodes()) {
        for (const Node to : network.nodes()) {
          if (from != to) result.push_back({from, to});
        }
      }
      return result;
    case Collective::neighborhood:
      for (const Node from : network.nodes()) {
        for (const Node to : network.nodes()) {
          const std::uint32_t distance = network.whole().distance(from, to);
          if (task.nearest <= distance && distance <= task.farthest) result.push_back({from, to});
        }
      }
      return result;
    default:
      throw Error(fmt::format("{} does not consist of deliveries from node to node", to_string(task)));
  }
}

std::vector<Delivery> surviving_deliveries(const SurvivingNetwork& network,
                                           std::span<const RelativeDestination> destinations) {
  std::vector<Delivery> result;
  for (const Node from : network.nodes()) {
    for (const auto [to, blocks] : destinations) {
      const Node destination = network.whole().group().add(from, to);
      if (to != 0 && network.alive(destination)) result.push_back({from, destination, blocks});
    }
  }
  return result;
}

std::vector<Bound> lower_bounds(const SurvivingNetwork& network, const Task& task, PortModel ports,
                                RoundKind rounds) {
  if (task.collective == Collective::isotropic || task.collective == Collective::task) return {};
  if (network.nodes().size() == 1) return {{"degree", 0, "a single node has nothing to send"}};
  if (is_personal(task.collective))
    return lower_bounds(network, surviving_deliveries(network, task), task.parts, ports, rounds);
  if (rounds == RoundKind::strict) return largest_first(spread_bounds(network, task, ports));
  Task whole = task;
  whole.parts = 1;
  const SpreadBounds of(network, whole, ports, false);
  const bool rooted = is_rooted(task.collective);
  Bound far = rooted ? of.of_root()[1] : of.of_all_to_all()[0];
  return largest_first({std::move(far), of.doubling()});
}

std::vector<Bound> lower_bounds(const SurvivingNetwork& network, std::span<const Delivery> deliveries,
                                std::uint32_t parts, PortModel ports, RoundKind rounds) {
  if (network.nodes().size() == 1) return {{"degree", 0, "a single node has nothing to send"}};
  const DeliveryBounds of(network, deliveries, parts, ports);
  if (rounds == RoundKind::combining) return {of.reach()};
  return largest_first(of.strict());
}

}  // namespace isotrope::schedule
