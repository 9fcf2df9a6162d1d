// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/scan/interval_tree.hpp"

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

namespace isotrope::algorithm {
namespace {

using network::Link;
using network::Node;
using network::Port;
using network::SurvivingNetwork;

constexpr std::uint32_t nowhere = std::numeric_limits<std::uint32_t>::max();

// The children that are nearest to a place, from the first one to the last one of them.
struct Owners {
  std::uint32_t distance = nowhere;
  std::uint32_t first = 0, last = 0;

  bool are_up_to(std::uint32_t child) const { return distance != nowhere && last <= child; }
  bool are_behind(std::uint32_t child) const { return distance != nowhere && first > child; }
};

// A run of places, its ends included.
struct Run {
  std::uint32_t low, high;

  bool holds(std::uint32_t place) const { return low <= place && place <= high; }
  std::uint32_t from_middle(std::uint32_t place) const {
    const std::uint64_t twice = 2 * std::uint64_t{place}, ends = std::uint64_t{low} + high;
    return static_cast<std::uint32_t>(twice > ends ? twice - ends : ends - twice);
  }
};

class IntervalTreeBuilder {
 public:
  IntervalTreeBuilder(const SurvivingNetwork& network, IntervalShape shape, LinkLoads loads,
                      network::DistanceRows& rows)
      : network_(network),
        rows_(rows),
        shape_(shape),
        loads_(std::move(loads)),
        places_(network.whole().order(), nowhere),
        owners_(network.nodes().size()),
        reached_(network.whole().order()) {
    for (std::size_t i = 0; i < network.nodes().size(); ++i)
      places_[network.nodes()[i]] = static_cast<std::uint32_t>(i);
  }

  IntervalTree run(std::uint32_t root) {
    const auto last = static_cast<std::uint32_t>(network_.nodes().size() - 1);
    tree_.branches.push_back({shape_ == IntervalShape::path ? last : root, 0, last, 0, {}});
    for (std::uint32_t i = 0; i < tree_.branches.size(); ++i) {
      const auto [place, low, high] =
          std::tuple(tree_.branches[i].place, tree_.branches[i].low, tree_.branches[i].high);
      if (low < place) hang(i, {low, place - 1});
      if (place < high) hang(i, {place + 1, high});
    }
    return std::move(tree_);
  }

 private:
  struct Child {
    std::uint32_t place;
    Link link;  // from the parent
  };

  Node node_in(std::uint32_t place) const { return network_.nodes()[place]; }

  // Hangs all places of `side` below a branch.
  void hang(std::uint32_t parent, Run side) {
    const std::uint32_t place = tree_.branches[parent].place;
    std::vector<Child> children = neighbours_in(place, side);
    if (shape_ == IntervalShape::path)
      std::erase_if(children, [&](const Child& child) { return child.place != side.high; });
    if (children.empty()) return hang_far(parent, side);
    if (shape_ == IntervalShape::halving) {
      const auto nearer = [&](const Child& child) { return side.from_middle(child.place); };
      children = {*std::ranges::min_element(children, {}, nearer)};
    }
    const std::vector<std::uint32_t> ends = divided(side, children);
    std::uint32_t low = side.low;
    for (std::size_t i = 0; i < children.size(); ++i) {
      tree_.branches.push_back({children[i].place, low, ends[i], parent, {children[i].link}});
      low = ends[i] + 1;
    }
  }

  // The neighbours, ascending, each over its least loaded link.
  std::vector<Child> neighbours_in(std::uint32_t place, Run side) const {
    struct Loaded {
      Child child;
      std::uint32_t load;
    };
    std::vector<Loaded> found;
    const Node node = node_in(place);
    const auto ports = network_.ports(node);
    for (std::size_t i = 0; i < ports.size(); ++i) {
      const std::uint32_t other = places_[network_.whole().neighbour(node, ports[i])];
      if (side.holds(other)) found.push_back({{other, {node, ports[i]}}, loads_.both_ways(node, i)});
    }
    std::ranges::stable_sort(found, [](const Loaded& a, const Loaded& b) {
      return std::pair(a.child.place, a.load) < std::pair(b.child.place, b.load);
    });
    std::vector<Child> result;
    for (const Loaded& loaded : found) {
      if (result.empty() || result.back().place != loaded.child.place) result.push_back(loaded.child);
    }
    return result;
  }

  // The last place of every child's run. Between two children the border makes the fewest places lie on the wrong side of it,
  // and weighs four places that it is off the middle like one of these.
  std::vector<std::uint32_t> divided(Run side, const std::vector<Child>& children) {
    std::vector<std::uint32_t> ends;
    if (children.size() > 1) find_owners(side, children);
    for (std::uint32_t i = 0; i + 1 < children.size(); ++i) {
      const Run gap{children[i].place, children[i + 1].place - 1};
      std::int64_t wrong = 0, least = std::numeric_limits<std::int64_t>::max();
      std::uint32_t end = gap.low;
      for (std::uint32_t border = gap.low; border <= gap.high; ++border) {
        if (border > gap.low)
          wrong += owners_[border].are_behind(i) ? 1 : owners_[border].are_up_to(i) ? -1 : 0;
        const std::int64_t cost = 4 * wrong + gap.from_middle(border) / 2;
        if (cost < least) least = cost, end = border;
      }
      ends.push_back(end);
    }
    ends.push_back(side.high);
    return ends;
  }

  // Finds, by place of the side, the nearest children within the side.
  void find_owners(Run side, const std::vector<Child>& children) {
    std::fill(owners_.begin() + side.low, owners_.begin() + side.high + 1, Owners{});
    queue_.clear();
    for (std::uint32_t i = 0; i < children.size(); ++i) {
      owners_[children[i].place] = {0, i, i};
      queue_.push_back(children[i].place);
    }
    for (std::size_t i = 0; i < queue_.size(); ++i) {
      const Owners from = owners_[queue_[i]];
      network_.for_each_neighbour(node_in(queue_[i]), [&](Port, Node neighbour) {
        const std::uint32_t place = places_[neighbour];
        if (!side.holds(place)) return;
        Owners& to = owners_[place];
        if (to.distance == nowhere) {
          to = {from.distance + 1, from.first, from.last};
          queue_.push_back(place);
        } else if (to.distance == from.distance + 1) {
          to.first = std::min(to.first, from.first);
          to.last = std::max(to.last, from.last);
        }
      });
    }
  }

  // How a search came to a node: its distance, the messages on the links of the way, and the last link.
  struct Reached {
    std::uint32_t search = 0;
    std::uint32_t distance = 0;
    std::uint64_t load = 0;
    Link link{};
  };

  // Hangs the side below its nearest place.
  void hang_far(std::uint32_t parent, Run side) {
    const std::uint32_t from = tree_.branches[parent].place;
    const std::uint32_t to = nearest_in(from, side);
    std::vector<Link> way;
    for (Node node = node_in(to); node != node_in(from); node = way.back().node)
      way.push_back(reached_[node].link);
    std::ranges::reverse(way);
    for (const Link& link : way) loads_.add(link);
    tree_.branches.push_back({to, side.low, side.high, parent, std::move(way)});
  }

  // Of the places at the least distance the one over the least loaded links, then the one nearest to the middle.
  std::uint32_t nearest_in(std::uint32_t from, Run side) {
    if (shape_ == IntervalShape::path) side.low = side.high;
    find_guides(from, side);
    ++searches_;
    reached_[node_in(from)] = {searches_, 0, 0, {}};
    std::vector<Node> layer{node_in(from)}, next;
    std::vector<std::uint32_t> found;
    for (std::uint32_t distance = 1; found.empty() && !layer.empty(); ++distance) {
      next.clear();
      for (const Node node : layer) reach_neighbours(node, distance, next);
      for (const Node node : next) {
        if (side.holds(places_[node])) found.push_back(places_[node]);
      }
      std::swap(layer, next);
    }
    return *std::ranges::min_element(found, {}, [&](std::uint32_t place) {
      return std::pair(reached_[node_in(place)].load, side.from_middle(place));
    });
  }

  // If few places of the side are nearest, their distances from all nodes: the search then takes their shortest ways alone.
  void find_guides(std::uint32_t from, Run side) {
    constexpr std::size_t few = 4;
    guides_.clear();
    const network::DistanceRows::Row* const row = rows_.from(node_in(from));
    if (row == nullptr) return;
    std::uint16_t least = network::DistanceRows::far;
    std::vector<std::uint32_t>& nearest = queue_;
    for (std::uint32_t place = side.low; place <= side.high; ++place) {
      const std::uint16_t distance = (*row)[node_in(place)];
      if (distance > least) continue;
      if (distance < least) nearest.clear();
      least = distance;
      nearest.push_back(place);
    }
    if (nearest.size() > few || least == network::DistanceRows::far) return;
    nearest_distance_ = least;
    for (const std::uint32_t place : nearest) {
      guides_.push_back(rows_.from(node_in(place)));
      if (guides_.back() == nullptr) return guides_.clear();
    }
  }

  // Whether a node at this distance may be on a shortest way to a nearest place.
  bool leads_on(Node node, std::uint32_t distance) const {
    return guides_.empty() || std::ranges::any_of(guides_, [&](const network::DistanceRows::Row* guide) {
             return (*guide)[node] + distance == nearest_distance_;
           });
  }

  void reach_neighbours(Node node, std::uint32_t distance, std::vector<Node>& next) {
    const auto ports = network_.ports(node);
    for (std::size_t i = 0; i < ports.size(); ++i) {
      const Node neighbour = network_.whole().neighbour(node, ports[i]);
      if (!leads_on(neighbour, distance)) continue;
      Reached& reached = reached_[neighbour];
      const bool first = reached.search != searches_;
      const std::uint64_t load = reached_[node].load + loads_.both_ways(node, i);
      if (!first && (reached.distance != distance || reached.load <= load)) continue;
      reached = {searches_, distance, load, {node, ports[i]}};
      if (first) next.push_back(neighbour);
    }
  }

  const SurvivingNetwork& network_;
  network::DistanceRows& rows_;
  IntervalShape shape_;
  LinkLoads loads_;
  std::vector<std::uint32_t> places_;  // by node
  std::vector<Owners> owners_;         // by place
  std::vector<std::uint32_t> queue_;   // of places
  std::vector<Reached> reached_;       // by node
  std::uint32_t searches_ = 0;
  std::vector<const network::DistanceRows::Row*>
      guides_;  // from the nearest places of a side; none: no guide
  std::uint32_t nearest_distance_ = 0;
  IntervalTree tree_;
};

}  // namespace

LinkLoads::LinkLoads(const SurvivingNetwork& network)
    : network_(&network), one_way_(2 * network.links(), 0), both_ways_(one_way_) {
  std::size_t links = 0;
  for (Node node = 0; node < network.whole().order(); ++node) {
    first_.push_back(links);
    links += network.degree(node);
  }
}

std::size_t LinkLoads::place_of(const Link& link) const {
  const auto ports = network_->ports(link.node);
  return first_[link.node] +
         static_cast<std::size_t>(std::ranges::lower_bound(ports, link.port) - ports.begin());
}

void LinkLoads::add(const Link& link) {
  const network::Network& whole = network_->whole();
  const std::size_t place = place_of(link);
  ++one_way_[place];
  ++both_ways_[place];
  ++both_ways_[place_of({whole.neighbour(link.node, link.port), whole.opposite(link.port)})];
}

std::uint32_t LinkLoads::largest() const {
  return one_way_.empty() ? 0 : *std::ranges::max_element(one_way_);
}

std::uint64_t LinkLoads::sum_of_squares() const {
  std::uint64_t sum = 0;
  for (const std::uint64_t load : one_way_) sum += load * load;
  return sum;
}

IntervalTree interval_tree(const SurvivingNetwork& network, IntervalShape shape, std::uint32_t root_place,
                           LinkLoads loads, network::DistanceRows& rows) {
  return IntervalTreeBuilder(network, shape, std::move(loads), rows).run(root_place);
}

}  // namespace isotrope::algorithm
