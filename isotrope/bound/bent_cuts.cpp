// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/bound/bent_cuts.hpp"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace isotrope::bound {
namespace {

using network::Coordinate;
using network::Node;
using network::Port;
using network::SurvivingNetwork;

__extension__ using Wide = unsigned __int128;

constexpr Coordinate largest_modulus = 512;
constexpr std::size_t most_starts = 16;
constexpr std::uint64_t most_moves = std::uint64_t{1} << 22;

// How much crosses over how many links.
struct Ratio {
  std::uint64_t packets = 0, links = 1;

  bool operator>(const Ratio& other) const {
    return Wide{packets} * other.links > Wide{other.packets} * links;
  }
};

// The nodes with `width` values of a coordinate from `first` on.
struct Slab {
  std::uint32_t axis;
  Coordinate first, width, modulus;
  std::uint64_t inside, border;
  Ratio ratio;

  bool holds(Coordinate value) const { return (value + modulus - first) % modulus < width; }
  std::string in_words() const {
    return fmt::format("with coordinate {} in {}..{}", axis, first, (first + width - 1) % modulus);
  }
};

// The slabs of one coordinate.
class AxisSlabs {
 public:
  AxisSlabs(const SurvivingNetwork& network, std::uint32_t axis, Crossing crossing)
      : axis_(axis),
        modulus_(network.whole().group().moduli()[axis]),
        all_(network.nodes().size()),
        crossing_(crossing),
        nodes_(modulus_, 0),
        links_(modulus_) {
    const network::Group& group = network.whole().group();
    for (const Node node : network.nodes()) {
      const Coordinate value = group.coordinate(node, axis);
      ++nodes_[value];
      network.for_each_neighbour(
          node, [&](Port, Node neighbour) { count(value, group.coordinate(neighbour, axis)); });
    }
  }

  // The best width at every position.
  void add_to(std::vector<Slab>& slabs) const {
    for (Coordinate first = 0; first < modulus_; ++first) {
      Slab slab{axis_, first, 0, modulus_, 0, 0, {}}, best = slab;
      while (slab.width + 1 < modulus_) {
        widen(slab);
        if (slab.border > 0 && slab.ratio > best.ratio) best = slab;
      }
      if (best.width > 0) slabs.push_back(best);
    }
  }

 private:
  void count(Coordinate from, Coordinate to) {
    if (from == to) return;
    auto& links = links_[from];
    const auto known = std::ranges::find(links, to, &std::pair<Coordinate, std::uint64_t>::first);
    if (known == links.end()) {
      links.emplace_back(to, 1);
    } else {
      ++known->second;
    }
  }

  void widen(Slab& slab) const {
    const Coordinate value = (slab.first + slab.width) % modulus_;
    for (const auto& [other, links] : links_[value]) {
      if (slab.holds(other)) {
        slab.border -= links;
      } else {
        slab.border += links;
      }
    }
    ++slab.width;
    slab.inside += nodes_[value];
    slab.ratio = {crossing_packets(crossing_, slab.inside, all_ - slab.inside), slab.border};
  }

  std::uint32_t axis_;
  Coordinate modulus_;
  std::uint64_t all_;
  Crossing crossing_;
  std::vector<std::uint64_t> nodes_;                                      // by value
  std::vector<std::vector<std::pair<Coordinate, std::uint64_t>>> links_;  // by value: to others
};

// The slabs with the most to cross over a link first.
std::vector<Slab> best_slabs(const SurvivingNetwork& network, Crossing crossing) {
  std::vector<Slab> slabs;
  const auto moduli = network.whole().group().moduli();
  for (std::uint32_t axis = 0; axis < moduli.size(); ++axis) {
    if (moduli[axis] >= 2 && moduli[axis] <= largest_modulus)
      AxisSlabs(network, axis, crossing).add_to(slabs);
  }
  std::ranges::stable_sort(slabs, [](const Slab& a, const Slab& b) { return a.ratio > b.ratio; });
  return slabs;
}

// A set of nodes that changes a node at a time.
class BentCut {
 public:
  BentCut(const SurvivingNetwork& network, Crossing crossing)
      : network_(network), crossing_(crossing), all_(network.nodes().size()) {
    for (std::size_t i = 0; i < all_; ++i) {
      network.for_each_neighbour(network.nodes()[i],
                                 [&](Port, Node neighbour) { neighbours_.push_back(neighbour); });
      ends_.push_back(neighbours_.size());
    }
    places_.assign(network.whole().order(), 0);
    for (std::uint32_t i = 0; i < all_; ++i) places_[network.nodes()[i]] = i;
    for (Node& neighbour : neighbours_) neighbour = places_[neighbour];
  }

  void start(const Slab& slab) {
    const network::Group& group = network_.whole().group();
    in_.assign(all_, 0);
    neighbours_in_.assign(all_, 0);
    free_from_.assign(all_, 0);
    inside_ = border_ = step_ = 0;
    for (std::size_t i = 0; i < all_; ++i) {
      if (slab.holds(group.coordinate(network_.nodes()[i], slab.axis))) move(i);
    }
    best_ = {ratio(inside_, border_), inside_, border_};
  }

  // Moves nodes until the set does not get better any more. The moves that were looked at.
  std::uint64_t bend() {
    const std::uint64_t patience = 32 + all_ / 8, rest = 8 + all_ / 32;
    std::uint64_t looked_at = 0;
    for (std::uint64_t last = 0; ++step_ <= last + patience;) {
      looked_at += all_;
      const std::size_t i = best_move();
      if (i == all_) break;
      move(i);
      free_from_[i] = step_ + rest;
      const Ratio now = ratio(inside_, border_);
      if (!(now > best_.ratio)) continue;
      best_ = {now, inside_, border_};
      last = step_;
    }
    return looked_at;
  }

  struct Best {
    Ratio ratio;
    std::uint64_t inside = 0, border = 1;
  };
  const Best& best() const { return best_; }

 private:
  std::span<const Node> neighbours(std::size_t i) const {
    const std::size_t begin = i == 0 ? 0 : ends_[i - 1];
    return {neighbours_.data() + begin, ends_[i] - begin};
  }
  Ratio ratio(std::uint64_t inside, std::uint64_t border) const {
    return {crossing_packets(crossing_, inside, all_ - inside), std::max<std::uint64_t>(border, 1)};
  }
  // Of node i: its neighbours on its own side and on the other one.
  std::pair<std::uint64_t, std::uint64_t> sides(std::size_t i) const {
    const std::uint64_t in = neighbours_in_[i], out = neighbours(i).size() - in;
    return in_[i] != 0 ? std::pair(in, out) : std::pair(out, in);
  }

  void move(std::size_t i) {
    const auto [own, other] = sides(i);
    border_ = border_ + own - other;
    const bool enters = in_[i] == 0;
    in_[i] = enters ? 1 : 0;
    inside_ = enters ? inside_ + 1 : inside_ - 1;
    for (const Node neighbour : neighbours(i))
      enters ? ++neighbours_in_[neighbour] : --neighbours_in_[neighbour];
  }

  // The node at the border whose move leaves the most to cross over a link; all_ if none may move.
  std::size_t best_move() const {
    std::size_t best = all_;
    Ratio most;
    for (std::size_t i = 0; i < all_; ++i) {
      const auto [own, other] = sides(i);
      if (other == 0 || free_from_[i] > step_) continue;
      const std::uint64_t inside = in_[i] != 0 ? inside_ - 1 : inside_ + 1;
      const Ratio after = ratio(inside, border_ + own - other);
      if (!(after > most)) continue;
      most = after;
      best = i;
    }
    return best;
  }

  const SurvivingNetwork& network_;
  Crossing crossing_;
  std::uint64_t all_;
  std::vector<Node> neighbours_;  // by place in nodes(), as places
  std::vector<std::size_t> ends_;
  std::vector<Node> places_;
  std::vector<std::uint8_t> in_;
  std::vector<std::uint32_t> neighbours_in_;
  std::vector<std::uint64_t> free_from_;  // the step from which on a node may move
  std::uint64_t inside_ = 0, border_ = 0, step_ = 0;
  Best best_;
};

}  // namespace

std::uint64_t crossing_packets(Crossing crossing, std::uint64_t n, std::uint64_t m) {
  if (n == 0 || m == 0) return 0;
  return crossing == Crossing::pairs ? n * m : std::max(n, m);
}

NodeCut best_cut(const SurvivingNetwork& network, Crossing crossing) {
  const std::vector<Slab> slabs = best_slabs(network, crossing);
  if (slabs.empty()) return {};
  NodeCut result{slabs.front().inside, slabs.front().border, slabs.front().in_words()};
  Ratio most = slabs.front().ratio;
  BentCut cut(network, crossing);
  std::uint64_t looked_at = 0;
  for (std::size_t i = 0; i < slabs.size() && i < most_starts && looked_at < most_moves; ++i) {
    cut.start(slabs[i]);
    looked_at += cut.bend();
    const auto& [ratio, inside, border] = cut.best();
    if (!(ratio > most)) continue;
    most = ratio;
    result = {inside, border, fmt::format("about those {}", slabs[i].in_words())};
  }
  return result;
}

}  // namespace isotrope::bound
