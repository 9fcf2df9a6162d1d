// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/allreduce/hubs.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <span>
#include <tuple>
#include <utility>

#include "isotrope/base/split_mix.hpp"

#include "isotrope/network/network_memo.hpp"
#include "isotrope/network/port_automorphisms.hpp"

#include "isotrope/algorithm/allreduce/port_loads.hpp"
#include "isotrope/algorithm/allreduce/sum_slice.hpp"

namespace isotrope::algorithm {
namespace {

using network::Network;
using network::Node;
using network::Port;
using schedule::ValueId;

// Distances and neighbours, which every draw asks for again and again.
class Surroundings {
 public:
  explicit Surroundings(const Network& network) : network_(network), diameter_(network.diameter()) {
    for (Node node = 0; node < network.order(); ++node) {
      from_0_.push_back(network.distance(0, node));
      for (Port port = 0; port < network.degree(); ++port)
        neighbours_.push_back(network.neighbour(node, port));
    }
  }

  std::uint32_t diameter() const { return diameter_; }
  std::uint32_t distance(Node from, Node to) const { return from_0_[network_.group().subtract(to, from)]; }
  Node neighbour(Node node, Port port) const {
    return neighbours_[std::size_t{node} * network_.degree() + port];
  }

 private:
  const Network& network_;
  std::uint32_t diameter_;
  std::vector<std::uint32_t> from_0_;
  std::vector<Node> neighbours_;
};

// What a node receives in a round over a port: the sum of hubs that it never needs apart.
struct HubSum {
  std::uint32_t round;  // of the spread, from 1 on
  Node to;
  Port port;                          // of the receiver, towards the sender
  std::vector<std::uint32_t> hubs;    // ascending
  std::vector<std::uint32_t> pieces;  // sums of the sender, by number
  bool has_own = false;               // and that of its own hub
};

// A slice: hubs, the way of every node to its hub, and the sums that are spread.
struct HubSlice {
  std::vector<Node> hubs;
  std::vector<Port> to_hub;          // by node, unless it is a hub
  std::vector<std::uint32_t> depth;  // by node, links to its hub
  std::vector<HubSum> sums;          // those of the last round first
  PortLoads loads;

  // The radius, or less if no ball needs it.
  std::uint32_t rounds_to_hubs() const { return std::ranges::max(depth); }
};

class SliceDraw {
 public:
  SliceDraw(const Network& network, const Surroundings& around, std::uint32_t radius, SplitMix& random)
      : network_(network), around_(around), radius_(radius), diameter_(around.diameter()), random_(random) {}

  HubSlice run() {
    cover();
    grow_trees();
    choose_senders();
    delay();
    merge();
    count_loads();
    return std::move(slice_);
  }
  /// Neighbours and rounds looked at, for each node and hub.
  std::uint64_t steps() const { return steps_; }

 private:
  std::size_t at(Node node, std::size_t hub) const { return node * slice_.hubs.size() + hub; }

  // Hubs whose balls have the most nodes that are in none before.
  void cover() {
    const network::Group& group = network_.group();
    const Node order = network_.order();
    std::vector<Node> ball;
    for (Node node = 0; node < order; ++node) {
      if (around_.distance(0, node) <= radius_) ball.push_back(node);
    }
    std::vector<bool> is_covered(order, false);
    std::vector<std::size_t> gain(order, ball.size());  // of a hub there
    std::vector<Node> nodes(order);
    std::iota(nodes.begin(), nodes.end(), Node{0});
    for (std::size_t left = order; left > 0;) {
      shuffle(std::span(nodes), random_);
      const Node hub = *std::ranges::max_element(nodes, {}, [&](Node node) { return gain[node]; });
      slice_.hubs.push_back(hub);
      left -= gain[hub];
      for (const Node offset : ball) {
        const Node node = group.add(hub, offset);
        if (is_covered[node]) continue;
        is_covered[node] = true;
        for (const Node back : ball) --gain[group.add(node, back)];
      }
    }
    steps_ = std::uint64_t{order} * slice_.hubs.size() * (network_.degree() + diameter_);
  }

  std::vector<Port> shuffled_ports() {
    std::vector<Port> result(network_.degree());
    std::iota(result.begin(), result.end(), Port{0});
    shuffle(std::span(result), random_);
    return result;
  }

  // Shortest ways to the nearest hub.
  void grow_trees() {
    const Node order = network_.order();
    slice_.depth.assign(order, UINT32_MAX);
    slice_.to_hub.assign(order, 0);
    std::vector<Node> reached = slice_.hubs;
    for (const Node hub : reached) slice_.depth[hub] = 0;
    for (std::size_t i = 0; i < reached.size(); ++i) {
      for (const Port port : shuffled_ports()) {
        const Node next = around_.neighbour(reached[i], port);
        if (slice_.depth[next] != UINT32_MAX) continue;
        slice_.depth[next] = slice_.depth[reached[i]] + 1;
        slice_.to_hub[next] = network_.opposite(port);
        reached.push_back(next);
      }
    }
  }

  // From the last round backwards: first what is as far away as there are rounds, then what else is wanted by then.
  void choose_senders() {
    const std::size_t hubs = slice_.hubs.size();
    far_.clear();
    for (Node node = 0; node < network_.order(); ++node) {
      for (const Node hub : slice_.hubs) far_.push_back(around_.distance(hub, node));
    }
    sender_.assign(network_.order() * hubs, 0);
    wanted_.assign(network_.order() * hubs, diameter_);
    for (std::size_t hub = 0; hub < hubs; ++hub) wanted_[at(slice_.hubs[hub], hub)] = 0;
    std::vector<Node> nodes(network_.order());
    std::iota(nodes.begin(), nodes.end(), Node{0});
    for (std::uint32_t round = diameter_; round > 0; --round) {
      for (const bool is_far : {true, false}) {
        shuffle(std::span(nodes), random_);
        for (const Node node : nodes) choose_senders(node, round, is_far);
      }
    }
  }

  void choose_senders(Node node, std::uint32_t round, bool is_far) {
    std::vector<std::size_t> open;
    std::vector<bool> is_used(network_.degree(), false);  // in this round, by port
    for (std::size_t hub = 0; hub < slice_.hubs.size(); ++hub) {
      if (wanted_[at(node, hub)] != round) continue;
      const bool has_no_slack = far_[at(node, hub)] == round;
      if (has_no_slack == is_far) {
        open.push_back(hub);
      } else if (has_no_slack) {
        is_used[sender_[at(node, hub)]] = true;
      }
    }
    while (!open.empty()) {
      const Port port = best_sender(node, round, open, is_used);
      const Node sender = around_.neighbour(node, port);
      is_used[port] = true;
      std::erase_if(open, [&](std::size_t hub) {
        if (far_[at(sender, hub)] >= round) return false;
        sender_[at(node, hub)] = port;
        std::uint32_t& wanted = wanted_[at(sender, hub)];
        wanted = std::min(wanted, round - 1);
        return true;
      });
    }
  }

  // The port over which most of the hubs can come, above all those that are there by then anyway.
  Port best_sender(Node node, std::uint32_t round, const std::vector<std::size_t>& open,
                   const std::vector<bool>& is_used) {
    constexpr std::uint32_t for_coming = 4, for_being_there = 3, for_a_used_port = 2;
    Port best = 0;
    std::uint32_t most = 0;
    for (const Port port : shuffled_ports()) {
      const Node sender = around_.neighbour(node, port);
      std::uint32_t worth = 0;
      for (const std::size_t hub : open) {
        if (far_[at(sender, hub)] >= round) continue;
        worth += for_coming + (wanted_[at(sender, hub)] < round ? for_being_there : 0);
      }
      if (worth == 0) continue;
      if (is_used[port]) worth += for_a_used_port;
      if (worth > most) std::tie(best, most) = std::pair(port, worth);
    }
    return best;
  }

  // Every sum comes in the last round in which all that need it from there are in time.
  void delay() {
    const std::size_t hubs = slice_.hubs.size();
    receivers_.assign(network_.order() * hubs, {});
    for (Node node = 0; node < network_.order(); ++node) {
      for (std::size_t hub = 0; hub < hubs; ++hub) {
        if (slice_.hubs[hub] != node)
          receivers_[at(around_.neighbour(node, sender_[at(node, hub)]), hub)].push_back(node);
      }
    }
    round_.assign(network_.order() * hubs, diameter_);
    std::vector<Node> down;
    for (std::size_t hub = 0; hub < hubs; ++hub) {
      down.assign(1, slice_.hubs[hub]);
      for (std::size_t i = 0; i < down.size(); ++i) {
        const auto& next = receivers_[at(down[i], hub)];
        down.insert(down.end(), next.begin(), next.end());
      }
      for (std::size_t i = down.size(); i-- > 0;) {
        std::uint32_t& round = round_[at(down[i], hub)];
        for (const Node receiver : receivers_[at(down[i], hub)])
          round = std::min(round, round_[at(receiver, hub)] - 1);
      }
    }
  }

  // From the last round backwards: sums come together if they come over the same port and go on together.
  void merge() {
    using Onward = std::vector<std::uint32_t>;  // the sums that they become part of
    const std::size_t hubs = slice_.hubs.size();
    std::vector<std::uint32_t> sum_of(network_.order() * hubs, UINT32_MAX);
    std::vector<HubSum> sums;
    for (std::uint32_t round = diameter_; round > 0; --round) {
      for (Node node = 0; node < network_.order(); ++node) {
        std::map<std::pair<Port, Onward>, std::uint32_t> merged;
        for (std::uint32_t hub = 0; hub < hubs; ++hub) {
          if (slice_.hubs[hub] == node || round_[at(node, hub)] != round) continue;
          Onward onward;
          for (const Node receiver : receivers_[at(node, hub)]) onward.push_back(sum_of[at(receiver, hub)]);
          std::ranges::sort(onward);
          const Port port = sender_[at(node, hub)];
          const auto [known, is_new] =
              merged.try_emplace({port, std::move(onward)}, static_cast<std::uint32_t>(sums.size()));
          if (is_new) sums.push_back({round, node, port, {}, {}});
          sums[known->second].hubs.push_back(hub);
          sum_of[at(node, hub)] = known->second;
        }
      }
    }
    for (HubSum& sum : sums) {
      const Node sender = around_.neighbour(sum.to, sum.port);
      for (const std::uint32_t hub : sum.hubs) {
        if (slice_.hubs[hub] == sender) {
          sum.has_own = true;
        } else {
          sum.pieces.push_back(sum_of[at(sender, hub)]);
        }
      }
      std::ranges::sort(sum.pieces);
      sum.pieces.erase(std::unique(sum.pieces.begin(), sum.pieces.end()), sum.pieces.end());
    }
    slice_.sums = std::move(sums);
  }

  void count_loads() {
    const Port degree = network_.degree();
    const std::uint32_t before = slice_.rounds_to_hubs();
    slice_.loads.assign(std::size_t{before + diameter_} * degree, 0);
    for (Node node = 0; node < network_.order(); ++node) {
      if (slice_.depth[node] > 0)
        ++slice_.loads[(before - slice_.depth[node]) * degree + slice_.to_hub[node]];
    }
    for (const HubSum& sum : slice_.sums)
      ++slice_.loads[(before + sum.round - 1) * degree + network_.opposite(sum.port)];
  }

  const Network& network_;
  const Surroundings& around_;
  std::uint32_t radius_, diameter_;
  SplitMix& random_;
  HubSlice slice_;
  std::uint64_t steps_ = 0;
  std::vector<std::uint32_t> far_;             // by node and hub: links between them
  std::vector<Port> sender_;                   // by node and hub: over which port the sum comes
  std::vector<std::uint32_t> wanted_, round_;  // by node and hub: until when it is wanted, and comes
  std::vector<std::vector<Node>> receivers_;   // by node and hub: who gets it from there
};

// A slice, and its images in the order in which they are taken.
struct TurnedSlice {
  HubSlice slice;
  std::vector<NetworkImage> images;
};

// The best slices of a radius.
struct FoundHubs {
  std::uint32_t radius;
  TurnedSlice even;   // as it is, the least load on the busiest ports
  TurnedSlice light;  // the least load in all, for several turns

  const TurnedSlice& with(std::uint32_t turns) const { return turns == 1 ? even : light; }
};

PortLoads turned(const PortLoads& loads, const NetworkImage& image) {
  const std::size_t degree = image.ports.size();
  PortLoads result(loads.size());
  for (std::size_t i = 0; i < loads.size(); ++i) result[i - i % degree + image.ports[i % degree]] = loads[i];
  return result;
}

// Of the first `turns` images together.
PortLoads loads_of(const TurnedSlice& found, std::uint32_t turns) {
  PortLoads result(found.slice.loads.size(), 0);
  for (std::uint32_t turn = 0; turn < turns; ++turn)
    result = sum(std::move(result), turned(found.slice.loads, found.images[turn]));
  return result;
}

class HubSearch {
 public:
  explicit HubSearch(const Network& network) : network_(network), around_(network), random_(1) {}

  std::vector<FoundHubs> run() {
    std::vector<NetworkImage> images;
    for (auto& nodes : network::port_automorphisms(network_)) images.emplace_back(network_, std::move(nodes));
    std::vector<FoundHubs> result;
    const std::vector<std::uint32_t> radii = worthy_radii();
    for (const std::uint32_t radius : radii) {
      result.push_back(best_slices(radius, most_steps / radii.size()));
      result.back().even.images = {NetworkImage::identity(network_)};
      take_images(result.back().light, images);
    }
    return result;
  }

 private:
  static constexpr std::uint64_t most_steps = std::uint64_t{1} << 21;
  static constexpr std::uint32_t most_draws = 200;

  // All small ones, and ever fewer of the others.
  std::vector<std::uint32_t> worthy_radii() const {
    std::vector<std::uint32_t> result;
    for (std::uint32_t radius = 1; radius < around_.diameter(); radius += 1 + radius / 4)
      result.push_back(radius);
    return result;
  }

  FoundHubs best_slices(std::uint32_t radius, std::uint64_t limit) {
    const Port degree = network_.degree();
    HubSlice even, light;
    std::uint64_t steps = 0;
    for (std::uint32_t draw = 0; draw < most_draws && steps < limit; ++draw) {
      SliceDraw next(network_, around_, radius, random_);
      HubSlice slice = next.run();
      steps += next.steps();
      const auto by_busiest = [degree](const PortLoads& loads) {
        return std::pair(busiest(loads, degree), total(loads));
      };
      const auto by_total = [degree](const PortLoads& loads) {
        return std::pair(total(loads), busiest(loads, degree));
      };
      if (draw == 0 || by_busiest(slice.loads) < by_busiest(even.loads)) even = slice;
      if (draw == 0 || by_total(slice.loads) < by_total(light.loads)) light = std::move(slice);
    }
    return {radius, {std::move(even), {}}, {std::move(light), {}}};
  }

  // Again and again the image that goes best with those before.
  void take_images(TurnedSlice& found, const std::vector<NetworkImage>& images) const {
    constexpr std::size_t most_images = 8;
    PortLoads loads(found.slice.loads.size(), 0);
    while (found.images.size() < std::min(most_images, images.size())) {
      found.images.push_back(*std::ranges::min_element(images, {}, [&](const NetworkImage& image) {
        return busiest(sum(loads, turned(found.slice.loads, image)), network_.degree());
      }));
      loads = sum(std::move(loads), turned(found.slice.loads, found.images.back()));
    }
  }

  const Network& network_;
  Surroundings around_;
  SplitMix random_;
};

const std::vector<FoundHubs>& found_hubs(const Network& network) {
  thread_local network::NetworkMemo<std::vector<FoundHubs>> found;
  return found.get(network, [&] { return HubSearch(network).run(); });
}

const TurnedSlice& found_hubs(const Network& network, const HubShape& shape) {
  return std::ranges::find(found_hubs(network), shape.radius, &FoundHubs::radius)->with(shape.turns);
}

// Towards the hubs, the farthest first.
void reduce(const Network& network, const HubSlice& hubs, SumSlice& slice) {
  for (std::uint32_t depth = hubs.rounds_to_hubs(); depth > 0; --depth) {
    std::vector<std::pair<Node, ValueId>> arrived;
    for (Node node = 0; node < network.order(); ++node) {
      if (hubs.depth[node] != depth) continue;
      const Port port = hubs.to_hub[node];
      arrived.emplace_back(network.neighbour(node, port), slice.send(node, port, slice.own[node]));
    }
    for (const auto& [node, value] : arrived) slice.own[node].push_back(value);
    slice.close_round();
  }
}

void spread(const Network& network, const HubSlice& hubs, SumSlice& slice) {
  const std::vector<SumSlice::Values> of_balls = slice.own;
  for (Node node = 0; node < network.order(); ++node) {
    if (hubs.depth[node] > 0) slice.own[node].clear();
  }
  std::vector<ValueId> value(hubs.sums.size());  // at the receiver
  for (std::uint32_t round = 1; round <= network.diameter(); ++round) {
    for (std::size_t i = 0; i < hubs.sums.size(); ++i) {
      const HubSum& sum = hubs.sums[i];
      if (sum.round != round) continue;
      const Node sender = network.neighbour(sum.to, sum.port);
      SumSlice::Values values;
      if (sum.has_own) values = of_balls[sender];
      for (const std::uint32_t piece : sum.pieces) values.push_back(value[piece]);
      std::ranges::sort(values);
      value[i] = slice.send(sender, network.opposite(sum.port), values);
      slice.own[sum.to].push_back(value[i]);
    }
    slice.close_round();
  }
  for (SumSlice::Values& values : slice.own) std::ranges::sort(values);
}

}  // namespace

std::vector<HubShape> hub_shapes(const Network& network, std::uint64_t most_hops) {
  std::vector<HubShape> result;
  if (network.order() < 2) return result;
  for (const FoundHubs& found : found_hubs(network)) {
    double least = HUGE_VAL;
    for (std::uint32_t turns = 1; turns <= found.with(turns).images.size(); ++turns) {
      const PortLoads loads = loads_of(found.with(turns), turns);
      const double load = static_cast<double>(busiest(loads, network.degree())) / turns;
      if (load >= least || total(loads) * network.order() > most_hops) continue;
      least = load;
      result.push_back({found.radius, turns});
    }
  }
  return result;
}

std::uint32_t hub_slices(const Network& network, const HubShape& shape) {
  return network.order() * shape.turns;
}

std::uint64_t hub_rounds(const Network& network, const HubShape& shape) {
  return found_hubs(network, shape).slice.loads.size() / network.degree();
}

std::vector<cost::RoundLoad> hub_loads(const Network& network, const HubShape& shape) {
  return round_loads(loads_of(found_hubs(network, shape), shape.turns), network.degree());
}

schedule::Schedule hub_allreduce(const Network& network, const HubShape& shape) {
  const TurnedSlice& found = found_hubs(network, shape);
  SumSlice slice(network);
  reduce(network, found.slice, slice);
  spread(network, found.slice, slice);
  SliceStage stage(network, hub_rounds(network, shape));
  for (std::uint32_t turn = 0; turn < shape.turns; ++turn) {
    for (Node offset = 0; offset < network.order(); ++offset) stage.add(slice, found.images[turn], offset);
  }
  return stage.finish();
}

}  // namespace isotrope::algorithm
