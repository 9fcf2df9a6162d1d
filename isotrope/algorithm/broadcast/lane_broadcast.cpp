// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/broadcast/lane_broadcast.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

#include "isotrope/network/divisor.hpp"
#include "isotrope/network/torus.hpp"

#include "isotrope/algorithm/broadcast/pipelined_rounds.hpp"

namespace isotrope::algorithm {
namespace {

using network::Network;
using network::Node;
using network::Port;
using network::TorusAxis;

constexpr std::uint32_t longest_period = 64;                       // a word of bits
constexpr std::uint32_t most_first_hops = std::uint32_t{1} << 25;  // of the first packets of all trees

// Trees from node 0.
class Lanes {
 public:
  Lanes(const Network& network, const std::vector<TorusAxis>& axes, std::uint32_t trees)
      : axes_(axes), trees_(trees) {
    for (const TorusAxis& axis : axes) {
      Node stride = 1;
      for (const network::Coordinate modulus : network.group().moduli().subspan(axis.coordinate + 1))
        stride *= modulus;
      digits_.push_back({network::Divisor(stride), network::Divisor(axis.extent)});
    }
  }

  /// Calls send(port) for every child of a node in a tree: along the trunk first, into the rows last.
  template <class Send>
  void visit_children(std::uint32_t tree, Node node, const Send& send) const {
    const std::size_t inner = innermost(node);
    const network::Coordinate lane = trees_ - tree, place = position(node, 0);
    if (place == lane) {
      if (inner < axes_.size()) grow(axes_[inner], position(node, inner), send);
      for (std::size_t i = inner; i-- > 1;) grow(axes_[i], 0, send);
    }
    if (inner == axes_.size()) {
      if (place + 1 < axes_[0].extent) send(axes_[0].forward);
    } else {
      grow(axes_[0], place >= lane ? place - lane : place + axes_[0].extent - lane, send);
    }
  }

  /// Whether the hops from node 0 are odd in number, which way round the trees go.
  bool is_odd(Node node) const {
    network::Coordinate hops = 0;
    for (std::size_t i = 0; i < axes_.size(); ++i) {
      const network::Coordinate offset = position(node, i);
      hops += offset <= axes_[i].extent / 2 ? offset : axes_[i].extent - offset;
    }
    return hops % 2 != 0;
  }

 private:
  struct Digit {
    network::Divisor stride, extent;
  };

  network::Coordinate position(Node node, std::size_t axis) const {
    const auto& [stride, extent] = digits_[axis];
    const Node quotient = stride.quotient(node);
    return quotient - extent.quotient(quotient) * extent.value();
  }

  // The first axis but that of the rows on which a node is not level with the root, or the number of axes.
  std::size_t innermost(Node node) const {
    std::size_t axis = 1;
    while (axis < axes_.size() && position(node, axis) == 0) ++axis;
    return axis;
  }

  // Along a ring from offset 0, forward to half of the extent, backward to the rest.
  template <class Send>
  static void grow(const TorusAxis& axis, network::Coordinate offset, const Send& send) {
    const network::Coordinate half = axis.extent / 2;
    if (offset < half) send(axis.forward);
    if (offset == 0 && axis.extent > half + 1) send(axis.backward);
    if (offset > half + 1) send(axis.backward);
  }

  const std::vector<TorusAxis>& axes_;
  std::uint32_t trees_;
  std::vector<Digit> digits_;  // by axis
};

// The rounds of a period in which every node sends and receives.
class Calendar {
 public:
  Calendar(Node nodes, std::uint32_t period, bool half_duplex)
      : period_(period), half_duplex_(half_duplex), sends_(nodes, 0), receives_(half_duplex ? 0 : nodes, 0) {}

  /// Takes the first round from `round` on that is free with both, if possible one of `preferred`, a bit per round of
  /// the period; or returns false.
  bool take(Node from, Node to, std::uint64_t preferred, std::uint64_t& round) {
    auto& sends = sends_[from];
    auto& receives = half_duplex_ ? sends_[to] : receives_[to];
    std::uint64_t free = ~(sends | receives) & (~std::uint64_t{0} >> (longest_period - period_));
    if (free == 0) return false;
    if ((free & preferred) != 0) free &= preferred;
    const auto phase = static_cast<std::uint32_t>(round % period_);
    const std::uint64_t later = free >> phase << phase;
    const auto taken = static_cast<std::uint32_t>(std::countr_zero(later != 0 ? later : free));
    round += taken >= phase ? taken - phase : taken + period_ - phase;
    sends |= std::uint64_t{1} << taken;
    receives |= std::uint64_t{1} << taken;
    return true;
  }

 private:
  std::uint32_t period_;
  bool half_duplex_;
  std::vector<std::uint64_t> sends_, receives_;  // by node; half duplex: both in the former
};

// The hops of the first packet of every tree, by round, from node 0.
using FirstHops = std::vector<std::vector<schedule::Hop>>;

class FirstPackets {
 public:
  FirstPackets(const Network& network, const std::vector<TorusAxis>& axes, bool half_duplex,
               std::uint32_t trees, std::uint32_t period)
      : lanes_(network, axes, trees),
        by_colour_(half_duplex && period % 2 == 0),
        calendar_(network.order(), period, half_duplex) {
    network.visit([&](const auto& step, const auto&) {
      bool fits = true;
      for (std::uint32_t tree = 0; tree < trees; ++tree)
        fits = fits && send({tree, 0, axes[0].forward}, tree, step);
      for (std::uint64_t t = 0; fits && t < hops_.size(); ++t) fits = pass_on(t, step);
      if (!fits) hops_.clear();
    });
  }

  /// Empty if a hop finds no free round.
  const FirstHops& hops() const { return hops_; }

 private:
  template <class Step>
  bool send(schedule::Hop hop, std::uint64_t round, const Step& step) {
    if (!calendar_.take(hop.from, step(hop.from, hop.port), preferred_rounds(hop.from), round)) return false;
    if (hops_.size() <= round) hops_.resize(round + 1);
    hops_[round].push_back(hop);
    return true;
  }

  // Half duplex: nodes of one colour send in even rounds and receive in odd ones, their neighbours the other way.
  std::uint64_t preferred_rounds(Node from) const {
    constexpr std::uint64_t even = 0x5555555555555555;
    if (!by_colour_) return ~std::uint64_t{0};
    return lanes_.is_odd(from) ? ~even : even;
  }

  template <class Step>
  bool pass_on(std::uint64_t t, const Step& step) {
    bool fits = true;
    for (std::size_t i = 0; fits && i < hops_[t].size(); ++i) {
      const auto [tree, from, port] = hops_[t][i];
      const Node node = step(from, port);
      lanes_.visit_children(tree, node, [&, tree = tree](Port child) {
        fits = fits && send({tree, node, child}, t + 1, step);
      });
    }
    return fits;
  }

  Lanes lanes_;
  bool by_colour_;
  Calendar calendar_;
  FirstHops hops_;
};

// By tree: the rounds until its first packet has come everywhere.
std::vector<std::uint64_t> heights_of(const FirstHops& hops, std::uint32_t trees) {
  std::vector<std::uint64_t> result(trees, 0);
  for (std::uint64_t t = 0; t < hops.size(); ++t) {
    for (const schedule::Hop& hop : hops[t]) result[hop.packet] = t + 1;
  }
  return result;
}

// The hops from `root`, with the trees numbered by rising height: the lower ones take the packets that are over.
schedule::Rounds numbered(const Network& network, Node root, const FirstHops& hops, std::uint32_t trees) {
  const std::vector<std::uint64_t> heights = heights_of(hops, trees);
  std::vector<std::uint32_t> order(trees), number(trees);
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, {}, [&](std::uint32_t tree) { return heights[tree]; });
  for (std::uint32_t i = 0; i < trees; ++i) number[order[i]] = i;
  schedule::Rounds result;
  result.reserve(hops.size(), std::uint64_t{network.order()} * trees);
  for (const auto& round : hops) {
    for (const auto [tree, from, port] : round)
      result.add({number[tree], network.group().add(from, root), port});
    result.close_round();
  }
  return result;
}

// The rows go along the longest axis whose ring the packets can go round as soon as they reach the farthest node.
std::vector<TorusAxis> rows_first(const Network& network) {
  std::vector<TorusAxis> axes = torus_axes(network).value();
  const auto cost = [&](const TorusAxis& axis) {
    const std::uint64_t round_trip = axis.extent - 1;
    return std::pair(std::max<std::uint64_t>(round_trip, network.diameter()), UINT32_MAX - axis.extent);
  };
  std::ranges::iter_swap(axes.begin(), std::ranges::min_element(axes, {}, cost));
  return axes;
}

}  // namespace

std::uint64_t LaneBroadcast::Pipeline::rounds(std::uint32_t parts) const {
  std::uint64_t result = 0;
  for (std::uint32_t c = 0; c < std::min(trees, parts); ++c)
    result = std::max(result, heights[c] + (parts - 1 - c) / trees * std::uint64_t{period});
  return result;
}

LaneBroadcast::LaneBroadcast(const Network& network, schedule::PortModel ports)
    : torus_{network, rows_first(network)}, half_duplex_(ports.half_duplex()) {}

// The fewest trees for so many packets a tree, for a falling number of packets a tree. Far fewer are enough to try.
std::vector<std::uint32_t> LaneBroadcast::tree_counts(std::uint32_t parts) const {
  std::uint32_t most = std::min(torus_.axes[0].extent - 1, most_first_hops / torus_.network.order());
  while (most > 1 && shortest_period(most) > longest_period) --most;
  std::vector<std::uint32_t> result;
  for (std::uint32_t k = std::clamp(most, 1U, parts);; k -= 1 + k / 10) {
    const std::uint32_t packets = (parts - 1) / k + 1;
    k = (parts - 1) / packets + 1;
    result.push_back(k);
    if (k == 1) return result;
  }
}

// Packets go round the row of the root, and to the farthest node.
std::uint64_t LaneBroadcast::Torus::least_height() const {
  return std::max(network.diameter(), axes.front().extent - 1);
}

// A torus as large as the pattern of waits needs it; extents stay even or odd.
LaneBroadcast::Torus LaneBroadcast::model(std::uint32_t trees) const {
  std::vector<network::Coordinate> extents;
  for (const TorusAxis& axis : torus_.axes) {
    const std::uint32_t enough = extents.empty() ? 4 * trees + 4 : 6;
    extents.push_back(axis.extent <= enough ? axis.extent : enough + axis.extent % 2);
  }
  const Network network = network::torus(std::move(extents));
  return {network, torus_axes(network).value()};
}

// By the model.
const std::optional<LaneBroadcast::Pipeline>& LaneBroadcast::expected(std::uint32_t trees) {
  const auto [place, is_new] = expected_.try_emplace(trees);
  std::optional<Pipeline>& result = place->second;
  if (!is_new) return result;
  const Torus small = model(trees);
  result = tightest(small, trees, shortest_period(trees));
  if (!result) return result;
  for (std::uint64_t& height : result->heights) height += torus_.least_height() - small.least_height();
  return result;
}

// A node inside a tooth of every tree receives and sends a packet of each.
std::uint32_t LaneBroadcast::shortest_period(std::uint32_t trees) const {
  return half_duplex_ ? 2 * trees : trees;
}

// The pipeline of the least period from `period` on in which every hop finds a free round.
std::optional<LaneBroadcast::Pipeline> LaneBroadcast::tightest(const Torus& torus, std::uint32_t trees,
                                                               std::uint32_t period) const {
  for (; period <= longest_period; ++period) {
    const FirstPackets packets(torus.network, torus.axes, half_duplex_, trees, period);
    if (packets.hops().empty()) continue;
    Pipeline result{trees, period, heights_of(packets.hops(), trees)};
    std::ranges::sort(result.heights);
    return result;
  }
  return std::nullopt;
}

// What the network itself allows of a pipeline that its model allows.
const std::optional<LaneBroadcast::Pipeline>& LaneBroadcast::measured(const Pipeline& expected) {
  const auto [place, is_new] = measured_.try_emplace(expected.trees);
  if (is_new) place->second = tightest(torus_, expected.trees, expected.period);
  return place->second;
}

// The least period of one tree always suffices, so there is one.
LaneBroadcast::Pipeline LaneBroadcast::best(std::uint32_t parts) {
  constexpr std::uint32_t most_tries = 2;
  std::vector<Pipeline> promising;
  for (const std::uint32_t trees : tree_counts(parts)) {
    if (const auto& pipeline = expected(trees)) promising.push_back(*pipeline);
  }
  std::ranges::stable_sort(promising, {}, [&](const Pipeline& pipeline) { return pipeline.rounds(parts); });
  std::optional<Pipeline> best;
  std::uint32_t tries = 0;
  for (const Pipeline& pipeline : promising) {
    if (best && (tries >= most_tries || best->rounds(parts) <= pipeline.rounds(parts))) break;
    ++tries;
    const auto& found = measured(pipeline);
    if (found && (!best || found->rounds(parts) < best->rounds(parts))) best = found;
  }
  return best.value();
}

std::uint64_t LaneBroadcast::rounds(std::uint32_t parts) {
  return best(parts).rounds(parts);
}

schedule::Schedule LaneBroadcast::schedule(Node root, std::uint32_t parts) {
  const Pipeline pipeline = best(parts);
  const FirstPackets packets(torus_.network, torus_.axes, half_duplex_, pipeline.trees, pipeline.period);
  const schedule::Rounds first = numbered(torus_.network, root, packets.hops(), pipeline.trees);
  schedule::Stage stage{schedule::Flow::copy, schedule::Replication::none(), {}, {}};
  stage.rounds = pipelined_rounds(first, pipeline.trees, pipeline.period, parts);
  schedule::Schedule result{half_duplex_ ? schedule::PortModel::half() : schedule::PortModel::one(),
                            schedule::RoundKind::strict,
                            {}};
  result.stages.push_back(std::move(stage));
  return result;
}

}  // namespace isotrope::algorithm
