// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/exchange/farthest_first_exchange.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"
#include "isotrope/base/split_mix.hpp"

#include "isotrope/network/rates.hpp"

#include "isotrope/schedule/symmetries.hpp"

namespace isotrope::algorithm {
namespace {

using network::AxisShape;
using network::Network;
using network::Node;
using network::Port;
using network::ProductAxis;
using schedule::PacketId;
using schedule::SymmetryAxes;

constexpr PacketId no_packet = UINT32_MAX;

// N^2 packets have numbers, so nodes, distances and half the extents of rings of 4 or more, eight at most, fit.
struct Traveller {
  PacketId next;  // of those that wait for the same link with as many hops to go
  std::uint16_t at, to;
  std::uint16_t hops_to_go;
  std::uint8_t axis;     // of its class, in order: the one along which the packet goes
  std::uint8_t forward;  // by ring of even extent: the way if both are shortest
};
static_assert(sizeof(Traveller) == 12);

// An axis by nodes and differences of coordinates.
class AxisTable {
 public:
  AxisTable(const Network& network, const ProductAxis& axis, std::uint32_t even_rings, bool reflected)
      : extent_(axis.extent),
        shape_(axis.shape),
        reflected_(reflected),
        place_(network.order()),
        ports_(2 * axis.extent - 1) {
    const auto& group = network.group();
    for (Node node = 0; node < network.order(); ++node)
      place_[node] = static_cast<std::uint16_t>(group.coordinate(node, axis.coordinate));
    for (Node node = 0; node < network.order() && stride_ == 0; ++node)
      stride_ = place_[node] == 1 ? node : 0;
    forward_ = axis.ports[1], backward_ = axis.ports[extent_ - 1];
    if (has_ties()) forward_bit_ = static_cast<std::uint8_t>(1U << even_rings);
    for (std::uint32_t i = 0; i < ports_.size(); ++i) ports_[i] = port_for(axis, i);
    for (std::uint32_t i = 0; i < ports_.size(); ++i)
      hops_.push_back(static_cast<std::uint16_t>(
          axis.distance(i < extent_ ? extent_ - 1 - i : 0, i < extent_ ? 0 : i - (extent_ - 1))));
  }

  bool has_ties() const { return shape_ == AxisShape::ring && extent_ % 2 == 0; }
  std::uint8_t forward_bit() const { return forward_bit_; }
  std::uint32_t place(Node node) const { return place_[node]; }
  /// The place, or that of its mirror image if it is lower.
  std::uint32_t folded_place(Node node) const {
    return reflected_ ? std::min(place(node), extent_ - 1 - place(node)) : place(node);
  }
  std::uint32_t hops(Node from, Node to) const { return hops_[difference(from, to)]; }
  bool is_tie(Node from, Node to) const { return ports_[difference(from, to)] == either; }
  /// The node with the place of `to` and all other coordinates of `from`.
  Node moved(Node from, Node to) const { return from + (place(to) - place(from)) * stride_; }
  /// @pre the places differ.
  Port port(Node from, const Traveller& packet) const {
    const Port port = ports_[difference(from, packet.to)];
    if (port != either) return port;
    return (packet.forward & forward_bit_) != 0 ? forward_ : backward_;
  }

 private:
  static constexpr Port either = UINT32_MAX - 1;

  std::uint32_t difference(Node from, Node to) const { return place(to) + (extent_ - 1) - place(from); }

  // By difference + extent - 1.
  Port port_for(const ProductAxis& axis, std::uint32_t index) const {
    const bool up = index > extent_ - 1;
    const std::uint32_t ahead = (index + 1) % extent_;  // modulo the extent
    switch (shape_) {
      case AxisShape::line:
        return up ? forward_ : backward_;
      case AxisShape::ring:
        return 2 * ahead == extent_ ? either : 2 * ahead < extent_ ? forward_ : backward_;
      case AxisShape::complete:
        break;
    }
    return axis.ports[ahead];
  }

  std::uint32_t extent_;
  AxisShape shape_;
  bool reflected_;
  Node stride_ = 0;
  Port forward_ = 0, backward_ = 0;
  std::uint8_t forward_bit_ = 0;
  std::vector<std::uint16_t> place_;  // by node
  std::vector<Port> ports_;           // by difference
  std::vector<std::uint16_t> hops_;   // by difference
};

// What decides routes and ties: the axes in cyclic order, the weights of the classes, and the order of the origins.
struct ExchangeRule {
  std::vector<std::uint32_t> axes;
  std::vector<std::uint32_t> weights;  // by place in the order of axes
  std::vector<Node> origins;

  // Runs count from 1.
  static ExchangeRule of(std::uint32_t run, std::size_t axes, std::vector<Node> origins, SplitMix& random) {
    ExchangeRule result{std::vector<std::uint32_t>(axes), std::vector<std::uint32_t>(axes, 1),
                        std::move(origins)};
    std::iota(result.axes.begin(), result.axes.end(), 0U);
    if (run == 2) std::iota(result.weights.begin(), result.weights.end(), 1U);
    if (run <= 2) return result;
    shuffle(std::span(result.axes), random);
    shuffle(std::span(result.origins), random);
    for (std::uint32_t& weight : result.weights) weight = random.below(static_cast<std::uint32_t>(axes));
    return result;
  }
};

// The packets that wait for links, by link and hops to go.
class LinkQueues {
 public:
  LinkQueues(std::size_t links, std::uint32_t most_hops)
      : most_hops_(most_hops),
        words_((most_hops + 63) / 64),
        first_(links * most_hops, no_packet),
        filled_(links * words_, 0),
        busy_((links + 63) / 64, 0) {}

  void push(std::size_t link, PacketId id, std::vector<Traveller>& packets) {
    const std::uint32_t level = packets[id].hops_to_go - 1U;
    packets[id].next = std::exchange(first_[link * most_hops_ + level], id);
    filled_[link * words_ + level / 64] |= std::uint64_t{1} << level % 64;
    busy_[link / 64] |= std::uint64_t{1} << link % 64;
  }

  /// Calls `send(link, copy, packet)` for every link for which packets wait, with those that go, one over each of its
  /// copies_of(link) at most; none may join meanwhile.
  template <class Copies, class Function>
  void for_each_sent(const std::vector<Traveller>& packets, Copies&& copies_of, Function&& send) {
    for (std::size_t word = 0; word < busy_.size(); ++word) {
      for (std::uint64_t rest = busy_[word]; rest != 0; rest &= rest - 1) {
        const std::size_t link = word * 64 + static_cast<std::size_t>(std::countr_zero(rest));
        const std::size_t copies = copies_of(link);
        for (std::size_t copy = 0; copy < copies && waits(link); ++copy) send(link, copy, pop(link, packets));
      }
    }
  }

 private:
  bool waits(std::size_t link) const { return (busy_[link / 64] >> link % 64 & 1) != 0; }

  PacketId pop(std::size_t link, const std::vector<Traveller>& packets) {
    std::uint64_t* const filled = filled_.data() + link * words_;
    std::uint32_t word = words_ - 1;
    while (filled[word] == 0) --word;
    const std::uint32_t level = word * 64 + 63 - static_cast<std::uint32_t>(std::countl_zero(filled[word]));
    PacketId& first = first_[link * most_hops_ + level];
    const PacketId id = std::exchange(first, packets[first].next);
    if (first != no_packet) {
      __builtin_prefetch(&packets[first]);  // it goes in the next round, unless another one comes
      return id;
    }
    filled[word] &= ~(std::uint64_t{1} << level % 64);
    while (word > 0 && filled[word] == 0) --word;
    if (filled[word] == 0) busy_[link / 64] &= ~(std::uint64_t{1} << link % 64);
    return id;
  }

  std::uint32_t most_hops_, words_;
  std::vector<PacketId> first_;        // by link, then hops to go
  std::vector<std::uint64_t> filled_;  // by link: hops to go with packets, a bit each
  std::vector<std::uint64_t> busy_;    // links with packets, a bit each
};

// The exchange of the first nodes of all orbits; their images do the same. Links are those of orbits too.
class Exchange {
 public:
  Exchange(const Network& network, std::span<const ProductAxis> axes, SymmetryAxes symmetry,
           std::uint32_t parts)
      : network_(network),
        symmetries_(network, symmetry),
        nodes_(network.order()),
        degree_(network.degree()),
        parts_(parts),
        hops_(exchange_hops(network, axes, parts) / symmetries_.size()),
        origins_(symmetries_.first_nodes()),
        row_(nodes_) {
    for (std::uint32_t row = 0; row < origins_.size(); ++row) row_[origins_[row]] = row;
    for (Node node = 0; node < nodes_; ++node) row_[node] = row_[symmetries_.first(node)];
    std::uint32_t even_rings = 0;
    for (const ProductAxis& axis : axes) {
      tables_.emplace_back(network, axis, even_rings, (symmetry.reflections >> axis.coordinate & 1) != 0);
      even_rings += tables_.back().has_ties() ? 1 : 0;
      diameter_ += axis.diameter();
    }
    copies_.resize(degree_);
    for (std::vector<Port>& ports : network::without_copies(network).copies) {
      const Port first = ports.front();
      copies_[first] = std::move(ports);
    }
    travellers_.resize(packet_count());
  }

  /// The hops of a run.
  std::uint64_t hops() const { return hops_; }
  const std::vector<Node>& origins() const { return origins_; }

  /// The rounds, or nothing if there would be `enough` or more.
  std::optional<schedule::Rounds> run(const ExchangeRule& rule, std::uint64_t enough,
                                      std::uint64_t expected) {
    axes_.clear();
    for (const std::uint32_t i : rule.axes) axes_.push_back(&tables_[i]);
    LinkQueues queues(origins_.size() * degree_, diameter_);
    start(rule, queues);
    schedule::Rounds rounds;
    rounds.reserve(std::min(expected, hops_), hops_);
    for (std::uint64_t left = hops_; left > 0;) {
      if (rounds.size() + 1 >= enough) return std::nullopt;
      left -= one_round(queues, rounds);
    }
    return rounds;
  }

  std::vector<schedule::Packet> packets() const {
    std::vector<schedule::Packet> result;
    result.reserve(packet_count());
    for (const Node from : origins_) {
      for (Node to = 0, block = 0; to < nodes_; ++to) {
        if (to == from) continue;
        for (std::uint32_t part = 0; part < parts_; ++part) result.push_back({from, to, block, part});
        ++block;
      }
    }
    return result;
  }

 private:
  struct Arrival {
    PacketId id;
    Node at;
  };

  std::uint64_t packet_count() const { return std::uint64_t{origins_.size()} * (nodes_ - 1) * parts_; }
  PacketId number(Node from, Node to, std::uint32_t part) const {
    return (row_[from] * (nodes_ - 1) + to - (to > from ? 1 : 0)) * parts_ + part;
  }
  std::uint32_t axis_count() const { return static_cast<std::uint32_t>(axes_.size()); }

  // The nodes by phi modulo the number of axes.
  std::vector<std::vector<Node>> nodes_by_potential(const ExchangeRule& rule) const {
    std::vector<std::vector<Node>> result(axis_count());
    for (Node node = 0; node < nodes_; ++node) result[potential(rule, node)].push_back(node);
    return result;
  }
  std::uint32_t potential(const ExchangeRule& rule, Node node) const {
    std::uint32_t sum = 0;
    for (std::uint32_t i = 0; i < axis_count(); ++i) sum += rule.weights[i] * axes_[i]->folded_place(node);
    return sum % axis_count();
  }

  // Lets all packets wait at their origins, class after class.
  void start(const ExchangeRule& rule, LinkQueues& queues) {
    const std::uint32_t classes = axis_count();
    const std::vector<std::vector<Node>> nodes = nodes_by_potential(rule);
    ties_.assign(classes, std::vector<std::uint32_t>(origins_.size(), 0));
    for (std::uint32_t first = 0; first < classes; ++first) {
      for (const Node from : rule.origins) {
        const std::uint32_t wanted = first + classes - potential(rule, from);
        for (std::uint32_t part = 0; part < parts_; ++part) {
          for (const Node to : nodes[(wanted + classes - part % classes) % classes]) {
            if (to != from) start(number(from, to, part), from, to, first, queues);
          }
        }
      }
    }
  }

  void start(PacketId id, Node from, Node to, std::uint32_t first, LinkQueues& queues) {
    Traveller& packet = travellers_[id];
    packet = {no_packet, 0, static_cast<std::uint16_t>(to), 0, static_cast<std::uint8_t>(first), 0};
    Node at = from;
    std::uint32_t hops = 0;
    for (std::uint32_t k = 0, i = first; k < axis_count(); ++k, i = next(i)) {
      const AxisTable& axis = *axes_[i];
      hops += axis.hops(at, to);
      if (axis.is_tie(at, to) && (ties_[i][row_[at]]++ + axis.place(symmetries_.first(at))) % 2 == 1)
        packet.forward |= axis.forward_bit();
      at = axis.moved(at, to);
    }
    packet.hops_to_go = static_cast<std::uint16_t>(hops);
    wait(id, from, queues);
  }

  std::uint32_t next(std::uint32_t i) const { return i + 1 == axis_count() ? 0 : i + 1; }

  // Lets a packet that is not at its destination wait for its next link.
  void wait(PacketId id, Node at, LinkQueues& queues) {
    Traveller& packet = travellers_[id];
    std::uint32_t i = packet.axis;
    while (axes_[i]->place(at) == axes_[i]->place(packet.to)) i = next(i);
    packet.axis = static_cast<std::uint8_t>(i);
    packet.at = static_cast<std::uint16_t>(at);
    // A symmetry moves a port as its inverse does.
    const Port port = symmetries_.image_of_port(symmetries_.to(at), axes_[i]->port(at, packet));
    queues.push(std::size_t{row_[at]} * degree_ + port, id, travellers_);
  }

  // The number of packets sent.
  std::uint64_t one_round(LinkQueues& queues, schedule::Rounds& rounds) {
    arrivals_.clear();
    const auto copies_of = [&](std::size_t link) { return copies_[link % degree_].size(); };
    queues.for_each_sent(travellers_, copies_of, [&](std::size_t, std::size_t copy, PacketId id) {
      const Traveller& packet = travellers_[id];
      const Port port = axes_[packet.axis]->port(packet.at, packet);
      rounds.add({id, packet.at, copies_[port][copy]});
      arrivals_.push_back({id, network_.neighbour(packet.at, port)});
    });
    rounds.close_round();
    for (const auto& [id, at] : arrivals_) {
      if (--travellers_[id].hops_to_go > 0) wait(id, at, queues);
    }
    return arrivals_.size();
  }

  const Network& network_;
  schedule::Symmetries symmetries_;
  Node nodes_;
  Port degree_;
  std::uint32_t parts_;
  std::uint64_t hops_;
  std::vector<Node> origins_;       // the first nodes of orbits
  std::vector<std::uint32_t> row_;  // by node: the number of its orbit
  std::uint32_t diameter_ = 0;
  std::vector<AxisTable> tables_;
  std::vector<std::vector<Port>> copies_;  // by first port that leads a way: all that do; packets wait for it
  std::vector<const AxisTable*> axes_;     // in the order of the rule
  std::vector<Traveller> travellers_;      // by packet
  std::vector<std::vector<std::uint32_t>> ties_;  // by axis and orbit: the packets that had a choice there
  std::vector<Arrival> arrivals_;
};

// The runs under the symmetries of the network, before those without.
constexpr std::uint32_t most_symmetric_runs = 16;

// Of the whole product.
SymmetryAxes symmetry_of(const Network& network, std::span<const ProductAxis> axes) {
  network::Failures lacks;
  for (const ProductAxis& axis : axes) {
    if (axis.shape == AxisShape::line) lacks.open_axes.push_back(axis.coordinate);
  }
  return schedule::symmetry_axes(network, lacks);
}

class Search {
 public:
  Search(const Network& network, std::span<const ProductAxis> axes, std::uint32_t parts,
         const SearchLimits& limits)
      : network_(network),
        axes_(axes),
        parts_(parts),
        limits_(limits),
        budget_(limits),
        random_(limits.seed) {}

  /// Looks for fewer rounds, unless the target is met. One axis has one class, so that one run is enough.
  void run(SymmetryAxes symmetry, std::uint32_t most_runs) {
    if (enough_ <= limits_.target) return;
    Exchange exchange(network_, axes_, symmetry, parts_);
    if (axes_.size() <= 1) most_runs = static_cast<std::uint32_t>(axes_.size());
    for (std::uint32_t run = 1; run <= most_runs && enough_ > limits_.target && budget_.allows(run); ++run) {
      const ExchangeRule rule = ExchangeRule::of(run, axes_.size(), exchange.origins(), random_);
      if (auto rounds = exchange.run(rule, enough_, limits_.target)) {
        enough_ = rounds->size();
        best_ = {schedule::Flow::move, schedule::Replication::none(), exchange.packets(), *std::move(rounds)};
        symmetry_ = symmetry;
      }
      budget_.spend(exchange.hops());
    }
  }

  schedule::Stage best() && {
    return symmetry_.empty() ? std::move(best_) : with_images(network_, best_, symmetry_);
  }

 private:
  const Network& network_;
  std::span<const ProductAxis> axes_;
  std::uint32_t parts_;
  SearchLimits limits_;
  SearchBudget budget_;
  SplitMix random_;
  std::uint64_t enough_ = UINT64_MAX;
  schedule::Stage best_;  // the first ones of orbits only
  SymmetryAxes symmetry_;
};

}  // namespace

std::uint64_t exchange_hops(const Network& network, std::span<const ProductAxis> axes, std::uint32_t parts) {
  constexpr std::uint64_t most_nodes = std::uint64_t{1} << 16, too_many = UINT64_MAX;
  const std::uint64_t nodes = network.order();
  if (nodes > most_nodes) return too_many;
  std::uint64_t result = 0;
  for (const ProductAxis& axis : axes)
    result += axis.distance_sum() * (nodes / axis.extent) * (nodes / axis.extent);
  return result > too_many / parts ? too_many : result * parts;
}

schedule::Schedule farthest_first_exchange(const Network& network, std::span<const ProductAxis> axes,
                                           std::uint32_t parts, const SearchLimits& limits) {
  const std::uint64_t hops = exchange_hops(network, axes, parts);
  if (hops > UINT32_MAX)
    throw Error(fmt::format("a total exchange of {} hops on {}: at most {} can be listed; give fewer parts",
                            hops, network.name(), UINT32_MAX));
  Search search(network, axes, parts, limits);
  search.run(symmetry_of(network, axes), most_symmetric_runs);
  search.run({}, UINT32_MAX);
  schedule::Schedule result{schedule::PortModel::all(), schedule::RoundKind::strict, {}};
  result.stages.push_back(std::move(search).best());
  return result;
}

}  // namespace isotrope::algorithm
