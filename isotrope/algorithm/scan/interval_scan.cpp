// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/scan/interval_scan.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>

#include "isotrope/network/surviving_network.hpp"

#include "isotrope/algorithm/scan/busiest_node.hpp"
#include "isotrope/algorithm/scan/interval_tree.hpp"
#include "isotrope/algorithm/scan/periodic_rounds.hpp"
#include "isotrope/algorithm/scan/written_scan.hpp"

namespace isotrope::algorithm {
namespace {

using network::Link;
using network::Node;
using network::SurvivingNetwork;
using schedule::Problem;
using schedule::Schedule;

// ---- the messages along one tree

class TreeMessages {
 public:
  TreeMessages(const SurvivingNetwork& network, const IntervalTree& tree, std::uint32_t part,
               ScanMessages& result)
      : network_(network),
        tree_(tree),
        part_(part),
        result_(result),
        children_(tree.branches.size()),
        up_(tree.branches.size()),
        down_(tree.branches.size()) {
    for (std::uint32_t i = 1; i < tree.branches.size(); ++i) children_[tree.branches[i].parent].push_back(i);
  }

  void add() {
    const auto last = static_cast<std::uint32_t>(network_.nodes().size() - 1);
    for (std::uint32_t i = static_cast<std::uint32_t>(tree_.branches.size()); --i > 0;) {
      if (tree_.branches[i].high < last) send_up(i);
    }
    for (std::uint32_t i = 1; i < tree_.branches.size(); ++i) {
      if (tree_.branches[i].low > 0) send_down(i);
    }
    for (std::uint32_t i = 0; i < tree_.branches.size(); ++i)
      result_.set_result(part_, node(i), received_before(i, tree_.branches[i].place));
  }

 private:
  Node node(std::uint32_t branch) const { return network_.nodes()[tree_.branches[branch].place]; }

  // What a node has from before a place: from above, and from its children.
  std::vector<MessageId> received_before(std::uint32_t branch, std::uint32_t place) const {
    std::vector<MessageId> result;
    if (down_[branch]) result.push_back(*down_[branch]);
    for (const std::uint32_t child : children_[branch]) {
      if (tree_.branches[child].high < place) result.push_back(*up_[child]);
    }
    return result;
  }

  void send_up(std::uint32_t branch) {
    std::vector<MessageId> inputs;
    for (const std::uint32_t child : children_[branch]) inputs.push_back(*up_[child]);
    std::vector<Link> way;
    for (const Link& link : tree_.branches[branch].way) {
      const network::Network& whole = network_.whole();
      way.push_back({whole.neighbour(link.node, link.port), whole.opposite(link.port)});
    }
    std::ranges::reverse(way);
    up_[branch] = send(way, true, std::move(inputs));
  }
  void send_down(std::uint32_t branch) {
    const IntervalTree::Branch& to = tree_.branches[branch];
    const bool own = tree_.branches[to.parent].place < to.low;
    down_[branch] = send(to.way, own, received_before(to.parent, to.low));
  }
  // The last message of the way; nodes between pass it on.
  MessageId send(const std::vector<Link>& way, bool own, std::vector<MessageId> inputs) {
    MessageId id = 0;
    for (const Link& link : way) {
      id = result_.add({link.node, link.port, own, part_}, inputs);
      own = false;
      inputs = {id};
    }
    return id;
  }

  const SurvivingNetwork& network_;
  const IntervalTree& tree_;
  std::uint32_t part_;
  ScanMessages& result_;
  std::vector<std::vector<std::uint32_t>> children_;  // by branch, before the node and after it ascending
  std::vector<std::optional<MessageId>> up_, down_;   // by branch
};

// ---- groups of trees

// Up to so many nodes a tree takes about a millisecond.
constexpr std::uint32_t few_nodes = 1024;

ScanMessages messages_along(const SurvivingNetwork& network, const std::vector<IntervalTree>& trees) {
  ScanMessages result(network.whole().order(), static_cast<std::uint32_t>(trees.size()));
  for (std::uint32_t i = 0; i < trees.size(); ++i) TreeMessages(network, trees[i], i, result).add();
  result.look_ahead();
  return result;
}

Schedule schedule_of(const Problem& problem, const ScanMessages& messages) {
  std::uint64_t interval = least_interval(problem, messages);
  for (;; ++interval) {
    if (const auto rounds = periodic_rounds(problem, messages, interval))
      return one_stage(problem.ports, schedule::RoundKind::strict,
                       written_scan(problem.network, messages, *rounds));
  }
}

// A node from which all others are near: of some nodes that are far apart, the farthest is nearest.
std::uint32_t central_place(const SurvivingNetwork& network) {
  constexpr int searches = 16;
  const std::vector<Node>& nodes = network.nodes();
  std::vector<std::uint32_t> nearest(network.whole().order(), network::unreachable);
  std::vector<std::uint32_t> farthest(network.whole().order(), 0);
  for (int i = 0; i < searches; ++i) {
    const Node from = *std::ranges::max_element(nodes, {}, [&](Node node) { return nearest[node]; });
    const std::vector<std::uint32_t> distances = network.distances(from);
    for (const Node node : nodes) {
      nearest[node] = std::min(nearest[node], distances[node]);
      farthest[node] = std::max(farthest[node], distances[node]);
    }
  }
  std::vector<std::uint32_t> places(nodes.size());
  std::iota(places.begin(), places.end(), 0U);
  return *std::ranges::min_element(places, {}, [&](std::uint32_t place) {
    const std::int64_t off_middle = 2 * std::int64_t{place} - static_cast<std::int64_t>(nodes.size());
    return std::pair(farthest[nodes[place]], std::abs(off_middle));
  });
}

// The places of some roots, others for every tree: the middle and both ends first, then places spread over all.
std::vector<std::uint32_t> promising_roots(std::uint32_t nodes, std::uint32_t centre, std::size_t tree) {
  constexpr std::uint32_t all_up_to = 64, some = 4, few = 2;
  std::vector<std::uint32_t> roots{centre, 0, nodes - 1};
  const std::uint32_t others = nodes <= all_up_to ? nodes : nodes <= few_nodes ? some : few;
  for (std::uint64_t i = 0; i < others; ++i)
    roots.push_back(static_cast<std::uint32_t>((i * nodes / others + tree * (nodes * 5 / 8 | 1)) % nodes));
  return roots;
}

struct Loads {
  LinkLoads links;
  std::vector<std::uint64_t> sent, received;  // by node

  explicit Loads(const SurvivingNetwork& network)
      : links(network), sent(network.whole().order(), 0), received(sent) {}

  void add(const network::Network& network, const ScanMessages& messages) {
    for (const auto& message : messages.messages()) {
      links.add({message.from, message.port});
      ++sent[message.from];
      ++received[network.neighbour(message.from, message.port)];
    }
  }
};

class GroupSearch {
 public:
  GroupSearch(const Problem& problem, const SurvivingNetwork& network)
      : problem_(problem),
        network_(network),
        rows_(network),
        nodes_(static_cast<std::uint32_t>(network.nodes().size())),
        centre_(central_place(network)) {}

  // Adds the schedules of the shape, by rising numbers of parts; each takes fewer rounds a part than those before.
  void search(IntervalShape shape, std::vector<Schedule>& result) {
    std::vector<IntervalTree> trees;
    Loads loads(network_);
    double best = std::numeric_limits<double>::infinity();
    int in_vain = 0;
    while (trees.size() < most_trees(shape) && in_vain < most_in_vain()) {
      loads = add_best_tree(shape, loads, trees);
      const ScanMessages messages = messages_along(network_, trees);
      const double interval =
          static_cast<double>(least_interval(problem_, messages)) / static_cast<double>(trees.size());
      ++in_vain;
      if (interval >= best) continue;
      best = interval;
      in_vain = 0;
      result.push_back(schedule_of(problem_, messages));
    }
  }

 private:
  // The trees in a row that bring nothing, after which no more are tried.
  int most_in_vain() const { return nodes_ <= few_nodes ? 3 : 1; }

  std::size_t most_trees(IntervalShape shape) const {
    constexpr std::size_t most = 64;
    if (shape == IntervalShape::path) return 1;
    network::Port degree = 0;
    for (const Node node : network_.nodes()) degree = std::max(degree, network_.degree(node));
    return std::min<std::size_t>(most, degree + std::size_t{1});
  }

  // Of all roots the tree with the least load of the busiest link or node; then, for the first tree, the least height.
  Loads add_best_tree(IntervalShape shape, const Loads& before, std::vector<IntervalTree>& trees) {
    std::optional<Loads> best;
    std::tuple<std::uint64_t, std::uint64_t, std::uint64_t> least;
    IntervalTree best_tree;
    for (const std::uint32_t root : promising_roots(nodes_, centre_, trees.size())) {
      IntervalTree tree = interval_tree(network_, shape, root, before.links, rows_);
      const ScanMessages messages = messages_along(network_, {tree});
      Loads loads = before;
      loads.add(problem_.network, messages);
      const std::uint64_t height = longest_chain(messages), squares = loads.links.sum_of_squares();
      const std::tuple cost(turns(loads), trees.empty() ? height : squares, trees.empty() ? squares : height);
      if (best && cost >= least) continue;
      least = cost;
      best = std::move(loads);
      best_tree = std::move(tree);
      if (shape == IntervalShape::path) break;
    }
    trees.push_back(std::move(best_tree));
    return *std::move(best);
  }

  static std::uint64_t longest_chain(const ScanMessages& messages) {
    std::uint32_t longest = 0;
    for (const auto& message : messages.messages()) longest = std::max(longest, message.ahead);
    return longest;
  }

  // The rounds that the busiest link or node is busy.
  std::uint64_t turns(const Loads& loads) const {
    return std::max<std::uint64_t>(
        loads.links.largest(),
        rounds_of_busiest_node(problem_.ports, problem_.network.degree(), loads.sent, loads.received));
  }

  const Problem& problem_;
  const SurvivingNetwork& network_;
  network::DistanceRows rows_;
  std::uint32_t nodes_;
  std::uint32_t centre_;
};

}  // namespace

std::vector<Schedule> interval_scans(const Problem& problem) {
  const SurvivingNetwork network(problem.network, problem.failed);
  GroupSearch search(problem, network);
  std::vector<Schedule> result;
  for (const IntervalShape shape : {IntervalShape::spread, IntervalShape::halving, IntervalShape::path})
    search.search(shape, result);
  return result;
}

}  // namespace isotrope::algorithm
