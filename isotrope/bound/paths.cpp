// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The paths bound on broadcast and reduce: the packets of one node arrive by few short ways and some longer ones. It
// holds on any network, with open axes and around failures.
//
//     L_k    the least total length of k paths from the root to a node v that share no directed link
//
// Every packet has a chain of hops to v, one after the other in time, and no two use a link in the same round. So P
// units flow through the network over time, T rounds long, which carries at most max over k of k (T + 1) - L_k:
//
//     T >= min over k <= c of ceil((P + L_k) / k) - 1    for every v
//
// K packets a message: ceil(P / K) for P. k = 1 alone would be the bound by distance. A reduction is a broadcast
// backwards.
//
//     torus:5x5, P = 4    v = (2, 2): L = 4, 8, 14, 20; 4 + 14 over 3 paths: 5 rounds
//
// Method: successive shortest paths, by search with lengths +1 and, against a path, -1. Cost: k searches a node v, of
// all nodes if N^2 degree^2 is up to 2^22, else of as many as that allows, the farthest first; once for the same network
// again and again.
// Source: L. R. Ford, D. R. Fulkerson, Flows in Networks, 1962, for the flow over time.
#include <algorithm>
#include <deque>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "isotrope/bound/kinds.hpp"

namespace isotrope::bound {
namespace {

constexpr std::uint64_t most_steps = std::uint64_t{1} << 22;

class DisjointPaths {
 public:
  /// From `root`, over the links that are left.
  DisjointPaths(const GraphView& view, Node root)
      : root_(root),
        first_(view.network().order() + 1, 0),
        used_(view.network().directed_links()),
        distance_(view.network().order()),
        arrival_(view.network().order()) {
    const Network& network = view.network();
    const std::size_t degree = network.degree();
    for (Node node = 0; node < network.order(); ++node) {
      for (Port port = 0; port < degree; ++port) {
        if (!view.intact() && !view.survivors().carries(node, port)) continue;
        const Node next = network.neighbour(node, port);
        ways_.push_back({next, node * degree + port, next * degree + network.opposite(port)});
      }
      first_[node + 1] = ways_.size();
    }
  }

  /// L_1, L_2, ..., up to `most` paths from the root to `to`.
  std::vector<std::uint64_t> lengths(Node to, Port most) {
    std::fill(used_.begin(), used_.end(), false);
    std::vector<std::uint64_t> result;
    std::uint64_t length = 0;
    while (result.size() < most && search(to)) {
      length = static_cast<std::uint64_t>(static_cast<std::int64_t>(length) + distance_[to]);
      result.push_back(length);
      turn(to);
    }
    return result;
  }

 private:
  static constexpr std::int64_t unreached = INT64_MAX;

  // How a shortest way comes to a node: over a link from `from`, or back over one to `from` that a path uses.
  struct Arrival {
    Node from;
    std::size_t link;
    bool back;
  };

  // A directed link, where it leads, and the link back.
  struct Way {
    Node next;
    std::size_t out, in;
  };

  bool search(Node to) {
    std::fill(distance_.begin(), distance_.end(), unreached);
    std::deque<Node> queue{root_};
    distance_[root_] = 0;
    while (!queue.empty()) {
      const Node node = queue.front();
      queue.pop_front();
      for (std::size_t i = first_[node]; i < first_[node + 1]; ++i) {
        const auto [next, out, in] = ways_[i];
        if (!used_[out]) improve(next, distance_[node] + 1, {node, out, false}, queue);
        if (used_[in]) improve(next, distance_[node] - 1, {node, in, true}, queue);
      }
    }
    return distance_[to] != unreached;
  }

  void improve(Node node, std::int64_t distance, Arrival arrival, std::deque<Node>& queue) {
    if (distance >= distance_[node]) return;
    distance_[node] = distance;
    arrival_[node] = arrival;
    queue.push_back(node);
  }

  void turn(Node to) {
    for (Node node = to; node != root_; node = arrival_[node].from)
      used_[arrival_[node].link] = !arrival_[node].back;
  }

  Node root_;
  std::vector<Way> ways_;           // by sender
  std::vector<std::size_t> first_;  // of a sender
  std::vector<bool> used_;          // by directed link
  std::vector<std::int64_t> distance_;
  std::vector<Arrival> arrival_;
};

Node root_of(const GraphView& view) {
  return view.intact() ? 0 : view.problem().task.root;
}

// The farthest first, as many as the steps allow.
std::vector<Node> receivers(const GraphView& view) {
  const Network& network = view.network();
  const Node root = root_of(view);
  std::vector<std::uint32_t> distance;
  std::vector<Node> result;
  if (!view.intact()) distance = view.survivors().distances(root);
  for (Node node = 0; node < network.order(); ++node) {
    if (view.intact()) distance.push_back(network.distance(root, node));
    if (node != root && distance[node] != network::unreachable) result.push_back(node);
  }
  std::ranges::stable_sort(result, std::greater<>(), [&](Node node) { return distance[node]; });
  const std::uint64_t affordable = most_steps / (network.directed_links() * network.degree());
  if (affordable < result.size()) result.resize(affordable);
  return result;
}

struct Receiver {
  Node node;
  std::vector<std::uint64_t> lengths;  // L_1, L_2, ...
};

// Those of the last network, root and number of paths: a choice by size needs the bounds of several numbers of parts.
const std::vector<Receiver>& receivers_with_lengths(const GraphView& view) {
  struct Kept {
    Network network;
    schedule::Failures failed;
    Node root;
    Port most;
    std::vector<Receiver> receivers;
  };
  thread_local std::optional<Kept> kept;
  const Node root = root_of(view);
  const Port most = view.port_limit();
  if (kept && kept->root == root && kept->most == most && kept->failed == view.problem().failed &&
      same_network(kept->network, view.network()))
    return kept->receivers;
  DisjointPaths paths(view, root);
  std::vector<Receiver> result;
  for (const Node node : receivers(view)) result.push_back({node, paths.lengths(node, most)});
  return kept.emplace(Kept{view.network(), view.problem().failed, root, most, std::move(result)}).receivers;
}

}  // namespace

// Nothing if it says no more than the bounds by degree and by distance.
std::optional<Bound> paths_bound(const GraphView& view) {
  const Network& network = view.network();
  if (view.traffic() != Traffic::one_to_all || view.port_limit() < 2) return std::nullopt;
  if (network.directed_links() * network.degree() > most_steps) return std::nullopt;
  const std::uint64_t messages = ceil_div(view.parts(), view.message_room());
  Bound best{"paths", std::max(distance_bound(view)->value, degree_bound(view)->value), ""};
  for (const auto& [node, lengths] : receivers_with_lengths(view)) {
    std::uint64_t least = UINT64_MAX, count = 1;
    for (std::uint64_t k = 1; k <= lengths.size(); ++k) {
      const std::uint64_t rounds = ceil_div(messages + lengths[k - 1], k) - 1;
      if (rounds < least) least = rounds, count = k;
    }
    if (least <= best.value) continue;
    best.value = least;
    best.because = fmt::format(
        "{} packets reach node {} best by {} paths of {} links together: ceil(({} + {})/{}) - 1 = {}",
        messages, node, count, lengths[count - 1], messages, lengths[count - 1], count, least);
  }
  if (best.because.empty()) return std::nullopt;
  return best;
}

}  // namespace isotrope::bound
