// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/broadcast/fresh_first_broadcast.hpp"

#include <algorithm>
#include <random>
#include <utility>
#include <vector>

#include "isotrope/bound/lower_bounds.hpp"

namespace isotrope::algorithm {
namespace {

using network::Network;
using network::Node;
using network::Port;
using schedule::Rounds;

constexpr std::uint64_t most_attempts = 60;

// At least one, of which each looks at every link of every item once.
std::uint64_t attempts_within(std::uint64_t most_links, const Network& network, std::uint32_t parts) {
  const std::uint64_t links = std::max<std::uint64_t>(network.directed_links() * parts, 1);
  return std::clamp<std::uint64_t>(most_links / links, 1, most_attempts);
}

// A node and a part, part * N + node.
using Item = std::uint32_t;

// Links that could carry an item, by port and by the freshness of the item. An item is listed once per port; an
// item on the list may have become less fresh or may be on its way already.
class Frontier {
 public:
  explicit Frontier(Port degree)
      : degree_(degree), listed_(level(degree) + std::size_t{1}, 0), lists_(listed_.size() * degree) {}

  // More lacking neighbours than 63 make no difference.
  static Port level(Port lacking_neighbours) { return std::min<Port>(lacking_neighbours, 63); }
  Port levels() const { return static_cast<Port>(listed_.size()); }
  bool empty(Port level) const { return listed_[level] == 0; }
  std::size_t size(Port level, Port port) const { return lists_[place(level, port)].size(); }

  void add(Port level, Port port, Item item) {
    lists_[place(level, port)].push_back(item);
    ++listed_[level];
  }

  // @pre i < size(level, port)
  Item remove(Port level, Port port, std::size_t i) {
    std::vector<Item>& list = lists_[place(level, port)];
    const Item item = std::exchange(list[i], list.back());
    list.pop_back();
    --listed_[level];
    return item;
  }

 private:
  std::size_t place(Port level, Port port) const { return std::size_t{level} * degree_ + port; }

  Port degree_;
  std::vector<std::uint64_t> listed_;  // by level
  std::vector<std::vector<Item>> lists_;
};

class FreshFirstSearch {
 public:
  FreshFirstSearch(const Network& network, std::uint32_t parts, Port at_once, std::uint32_t seed)
      : network_(network),
        at_once_(at_once),
        random_(seed),
        lacking_(std::uint64_t{network.order() - 1} * parts),
        state_(std::size_t{network.order()} * parts, PacketState::lacking),
        lacking_neighbours_(state_.size(), network.degree()),
        frontier_(network.degree()),
        carried_(network.degree(), none),
        reached_from_(network.degree()),
        reached_(network.degree(), 0) {
    for (std::uint32_t part = 0; part < parts; ++part) {
      const Item start = part * network.order();
      state_[start] = PacketState::informed;
      spread(start);
    }
  }

  // Informs all nodes in fewer than `limit` rounds; returns false if the search fails.
  bool run(std::uint64_t limit) {
    while (lacking_ > 0) {
      if (rounds_.size() + (lacking_ + at_once_ - 1) / at_once_ >= limit) return false;
      one_round();
    }
    return true;
  }

  Rounds& rounds() { return rounds_; }

 private:
  enum class PacketState : std::uint8_t { lacking, sent, informed };
  static constexpr Item none = UINT32_MAX;

  std::uint32_t below(std::uint64_t limit) {
    return static_cast<std::uint32_t>(std::uint64_t{random_()} * limit >> 32);
  }

  void one_round() {
    match();
    for (const Port port : carriers_) {
      const Item item = carried_[port];
      const Node from = network_.neighbour(item % network_.order(), network_.opposite(port));
      rounds_.add({item / network_.order(), from, port});
    }
    rounds_.close_round();
    lacking_ -= carriers_.size();
    for (const Port port : carriers_) state_[carried_[port]] = PacketState::informed;
    for (const Port port : carriers_) spread(std::exchange(carried_[port], none));
    carriers_.clear();
  }

  void match() {
    const Port degree = network_.degree();
    const Port first = below(degree);
    for (Port level = frontier_.levels(); level-- > 0;) {
      for (Port i = 0; i < degree && carriers_.size() < at_once_ && !frontier_.empty(level); ++i) {
        const Port port = first + i < degree ? first + i : first + i - degree;
        if (carried_[port] == none && augment(port, level)) carriers_.push_back(port);
      }
    }
  }

  // Searches the ports breadth first, from a free one, for a port that can take another item of this level.
  bool augment(Port free, Port level) {
    ++search_;
    queue_.assign(1, free);
    for (std::size_t i = 0; i < queue_.size(); ++i) {
      const Item item = take(level, queue_[i]);
      if (item != none) {
        shift(free, queue_[i], item);
        return true;
      }
      for (const Port port : carriers_) {
        if (reached_[port] == search_ || !can_carry(queue_[i], carried_[port])) continue;
        reached_[port] = search_;
        reached_from_[port] = queue_[i];
        queue_.push_back(port);
      }
    }
    return false;
  }

  // Gives `item` to the last port of the path, and the item of each port to its predecessor on the path.
  void shift(Port free, Port last, Item item) {
    state_[item] = PacketState::sent;
    for (Port port = last; port != free; port = reached_from_[port]) std::swap(carried_[port], item);
    carried_[free] = item;
  }

  bool can_carry(Port port, Item item) const {
    const Node node = item % network_.order();
    const Node from = network_.neighbour(node, network_.opposite(port));
    return state_[item - node + from] == PacketState::informed;
  }

  // Takes a random item from a list that is still lacking, or none.
  Item take(Port level, Port port) {
    while (frontier_.size(level, port) > 0) {
      const Item item = frontier_.remove(level, port, below(frontier_.size(level, port)));
      if (state_[item] != PacketState::lacking) continue;
      const Port now = Frontier::level(lacking_neighbours_[item]);
      if (now == level) return item;
      frontier_.add(now, port, item);
    }
    return none;
  }

  // Lists the links from an informed item.
  void spread(Item item) {
    const Node node = item % network_.order();
    network_.visit([&](const auto& step, const auto&) {
      for (Port port = 0; port < network_.degree(); ++port) {
        const Item to = item - node + step(node, port);
        --lacking_neighbours_[to];
        if (state_[to] != PacketState::lacking) continue;
        frontier_.add(Frontier::level(lacking_neighbours_[to]), port, to);
      }
    });
  }

  const Network& network_;
  Port at_once_;
  std::mt19937 random_;
  std::uint64_t lacking_;
  std::vector<PacketState> state_;
  std::vector<Port> lacking_neighbours_;
  Frontier frontier_;
  std::vector<Port> carriers_;          // the ports that carry an item in this round
  std::vector<Item> carried_;           // by port: that item
  std::vector<Port> reached_from_;      // by port: its predecessor on an augmenting path
  std::vector<std::uint64_t> reached_;  // by port: the last augment() that reached it
  std::uint64_t search_ = 0;
  std::vector<Port> queue_;
  Rounds rounds_;
};

}  // namespace

schedule::Schedule fresh_first_broadcast(const Network& network, std::uint32_t parts,
                                         schedule::PortModel ports, std::uint64_t most_links) {
  const schedule::Task task{.collective = schedule::Collective::allgather, .parts = parts};
  const std::uint64_t bound =
      bound::lower_bounds({.network = network, .task = task, .ports = ports}).front().value;
  schedule::Stage stage{schedule::Flow::copy, schedule::Replication::all(), {}, {}};
  std::uint64_t least = UINT64_MAX;
  const std::uint64_t attempts = attempts_within(most_links, network, parts);
  for (std::uint32_t seed = 0; seed < attempts && least > bound; ++seed) {
    FreshFirstSearch search(network, parts, ports.sends(network.degree()), seed);
    if (!search.run(least)) continue;
    least = search.rounds().size();
    stage.rounds = std::move(search.rounds());
  }
  schedule::Schedule result{ports, schedule::RoundKind::strict, {}};
  result.stages.push_back(std::move(stage));
  return result;
}

}  // namespace isotrope::algorithm
