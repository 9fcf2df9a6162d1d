// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/irregular/slot_search.hpp"

#include <algorithm>
#include <functional>

namespace isotrope::algorithm {
namespace {

using network::Node;
using network::Port;
using schedule::PacketId;

// In thousandths of a hop.
constexpr std::uint32_t hop = 1000, scarce = 1000, wait = 3, ejected_before = 2000, later = 20;
// The price of a packet that is not ejected; histories of links stay below.
constexpr std::uint32_t stays = std::uint32_t{1} << 24;
// The rounds in which an ejection is considered.
constexpr std::uint32_t window = 16;

}  // namespace

SlotSearch::SlotSearch(const SurvivingDistances& distances, std::span<const schedule::Packet> packets,
                       const SlotTable& table, EjectionCosts costs)
    : distances_(distances),
      packets_(packets),
      table_(table),
      costs_(costs),
      histories_(distances.network().directed_links(), 0),
      labels_(distances.network().order()) {
  for (const schedule::Packet& packet : packets)
    prices_.push_back(distances.distance(packet.origin, packet.to) == 1 ? stays : 0);
  const network::Network& network = distances.network();
  for (Node node = 0; node < network.order(); ++node) {
    distances.for_each_neighbour(node, [&](Port port, Node head) {
      arcs_.push_back({node * network.degree() + port, head});
    });
    ends_.push_back(arcs_.size());
  }
}

void SlotSearch::note_ejection(Slot slot, PacketId packet) {
  histories_[slot.link] = std::min(histories_[slot.link] + costs_.history, stays);
  prices_[packet] = std::min(prices_[packet] + ejected_before, stays - 1);
}

// The cheapest ejection; none if all packets of the window stay.
SlotSearch::Step SlotSearch::ejection(std::uint32_t link, std::uint32_t from, std::uint32_t latest) const {
  Step best{{link, 0}, SlotTable::none};
  std::uint32_t least = stays;
  for (std::uint32_t round = from; round <= latest && round < from + window; ++round) {
    const PacketId holder = table_.holder({link, round});
    const std::uint32_t cost = prices_[holder] + later * (round - from);
    if (cost >= least) continue;
    least = cost;
    best = {{link, round}, holder};
  }
  return best;
}

std::uint32_t SlotSearch::ejection_cost(Step step, std::uint32_t from) const {
  return hop + costs_.fee + histories_[step.slot.link] + prices_[step.ejected] +
         later * (step.slot.round - from);
}

void SlotSearch::look_at(Node node, Arc arc, Node to) {
  ++links_seen_;
  Label& head = labels_[arc.head];
  if (head.closed == search_) return;
  const Label& tail = labels_[node];
  const std::uint32_t to_go = distances_.distance(arc.head, to);
  if (tail.round + to_go + 1 > table_.rounds()) return;
  const std::uint32_t latest = table_.rounds() - 1 - to_go;
  Step step{{arc.link, table_.first_open(arc.link, tail.round, latest)}, SlotTable::none};
  std::uint32_t cost = tail.cost;
  if (step.slot.round != SlotTable::none) {
    cost += hop + scarce / table_.free_slots(arc.link) + wait * (step.slot.round - tail.round);
  } else {
    step = ejection(arc.link, tail.round, latest);
    if (step.ejected == SlotTable::none) return;
    cost += ejection_cost(step, tail.round);
  }
  if (head.reached == search_ && head.cost <= cost) return;
  head = {cost, step.slot.round + 1, step, node, search_, head.closed};
  heap_.push_back(std::uint64_t{cost + hop * to_go} << 32 | arc.head);
  std::push_heap(heap_.begin(), heap_.end(), std::greater<>());
}

void SlotSearch::trace(Node origin, Node to) {
  for (Node node = to; node != origin; node = labels_[node].before) way_.push_back(labels_[node].step);
  std::reverse(way_.begin(), way_.end());
}

std::span<const SlotSearch::Step> SlotSearch::way_of(PacketId packet) {
  const auto [origin, to, block, part] = packets_[packet];
  ++search_;
  way_.clear();
  heap_.assign(1, origin);
  labels_[origin].cost = labels_[origin].round = 0;
  labels_[origin].reached = search_;
  while (!heap_.empty()) {
    std::pop_heap(heap_.begin(), heap_.end(), std::greater<>());
    const Node node = static_cast<Node>(heap_.back() & UINT32_MAX);
    heap_.pop_back();
    if (node == to) {
      trace(origin, to);
      break;
    }
    if (labels_[node].closed == search_) continue;
    labels_[node].closed = search_;
    for (std::size_t i = node == 0 ? 0 : ends_[node - 1]; i < ends_[node]; ++i) look_at(node, arcs_[i], to);
  }
  return way_;
}

}  // namespace isotrope::algorithm
