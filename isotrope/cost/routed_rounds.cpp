// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/cost/routed_rounds.hpp"

#include <algorithm>
#include <utility>

#include "isotrope/network/port_axis.hpp"
#include "isotrope/network/rates.hpp"

#include "isotrope/schedule/ceil_div.hpp"
#include "isotrope/schedule/node_classes.hpp"

#include "isotrope/cost/overlay_routes.hpp"

namespace isotrope::cost {
namespace {

using network::Network;
using network::Node;
using network::Port;

// Counters of nodes or links that are cleared where they were used.
class Counters {
 public:
  explicit Counters(std::uint64_t size) : counts_(size, 0) {}

  void add(std::uint64_t at, std::uint64_t count) {
    if (counts_[at] == 0) used_.push_back(at);
    counts_[at] += count;
  }
  std::uint64_t most_and_clear() {
    std::uint64_t most = 0;
    for (const std::uint64_t at : used_) most = std::max(most, std::exchange(counts_[at], 0));
    used_.clear();
    return most;
  }
  const std::vector<std::uint64_t>& used() const { return used_; }
  std::uint64_t operator[](std::uint64_t at) const { return counts_[at]; }

 private:
  std::vector<std::uint64_t> counts_;
  std::vector<std::uint64_t> used_;
};

class Router {
 public:
  Router(const network::SimpleNetwork& machine, const network::Failures& lacks, const Network& overlay)
      : machine_(machine.network),
        copies_(machine.copies),
        overlay_(overlay),
        routes_(machine_, lacks, overlay),
        packets_(overlay.directed_links()),
        sent_messages_(machine_.order()),
        received_messages_(machine_.order()),
        sent_packets_(machine_.order()),
        loads_(machine_.directed_links()),
        busiest_by_axis_(machine_.group().rank() + 1) {
    for (Port port = 0; port < machine_.degree(); ++port)
      axes_.push_back(
          network::axis_of(machine_, port).value_or(static_cast<std::uint32_t>(machine_.group().rank())));
  }

  /// Adds packets to the round under construction.
  void add(Node from, Port port, std::uint64_t packets) {
    packets_.add(std::uint64_t{from} * overlay_.degree() + port, packets);
  }

  CutThroughRound close_round() {
    CutThroughRound result;
    std::ranges::fill(busiest_by_axis_, 0);
    far_first_.clear();
    for (const std::uint64_t link : packets_.used()) far_first_.push_back({distance_over(link), link});
    std::ranges::stable_sort(far_first_, std::ranges::greater(), &UsedLink::distance);
    for (const auto& [distance, link] : far_first_) {
      const auto from = static_cast<Node>(link / overlay_.degree());
      const auto port = static_cast<Port>(link % overlay_.degree());
      const Node to = overlay_.neighbour(from, port);
      sent_messages_.add(from, 1);
      received_messages_.add(to, 1);
      result.messages = std::max(result.messages, sent_messages_[from]);
      result.received = std::max(result.received, received_messages_[to]);
      sent_packets_.add(from, packets_[link]);
      if (!result.far.empty() && result.far.back().hops != distance)
        result.add_axes(result.far.back().hops, busiest_by_axis_);
      if (result.far.empty() || result.far.back().hops != distance) result.far.push_back({distance, 0});
      result.busiest = std::max(result.busiest, load(from, routes_.way(from, port), packets_[link]));
      result.far.back() = {distance, result.busiest, result.messages, result.received};
    }
    if (!result.far.empty()) result.add_axes(result.far.back().hops, busiest_by_axis_);
    std::ranges::reverse(result.far);
    if (!result.far.empty()) result.hops = result.far.back().hops;
    sent_messages_.most_and_clear();
    received_messages_.most_and_clear();
    result.sent = sent_packets_.most_and_clear();
    result.largest = packets_.most_and_clear();
    loads_.most_and_clear();
    return result;
  }

 private:
  std::uint32_t distance_over(std::uint64_t link) {
    return routes_.hops(static_cast<Node>(link / overlay_.degree()),
                        static_cast<Port>(link % overlay_.degree()));
  }
  // The load of the busiest link on the way; keeps that of each axis.
  std::uint64_t load(Node node, std::span<const Port> way, std::uint64_t packets) {
    std::uint64_t busiest = 0;
    for (const Port port : way) {
      const std::uint64_t link = std::uint64_t{node} * machine_.degree() + port;
      loads_.add(link, packets);
      const std::uint64_t of_link = schedule::ceil_div(loads_[link], copies_[port].size());
      busiest = std::max(busiest, of_link);
      busiest_by_axis_[axes_[port]] = std::max(busiest_by_axis_[axes_[port]], of_link);
      node = machine_.neighbour(node, port);
    }
    return busiest;
  }

  // A link of the overlay, and the hops of its messages.
  struct UsedLink {
    std::uint32_t distance;
    std::uint64_t link;
  };

  const Network& machine_;
  const std::vector<std::vector<Port>>& copies_;  // by port of the machine: the links side by side
  const Network& overlay_;
  OverlayRoutes routes_;
  Counters packets_;  // of the messages of a round
  Counters sent_messages_, received_messages_, sent_packets_;
  Counters loads_;
  std::vector<std::uint32_t> axes_;             // by port of the machine
  std::vector<std::uint64_t> busiest_by_axis_;  // of the messages of this round so far
  std::vector<UsedLink> far_first_;
};

}  // namespace

std::vector<CutThroughRound> routed_rounds(const Network& machine, const network::Failures& lacks,
                                           const Network& overlay, const schedule::Schedule& schedule) {
  const network::SimpleNetwork simple = network::without_copies(machine);
  Router router(simple, lacks, overlay);
  std::vector<CutThroughRound> result;
  for (const schedule::Stage& stage : schedule.stages) {
    const schedule::NodeClasses classes(overlay.group(), stage.replication);
    std::vector<std::vector<Node>> members(classes.count());
    for (Node node = 0; node < overlay.order(); ++node) members[classes.of(node)].push_back(node);
    for (std::uint64_t t = 0; t < stage.rounds.size(); ++t) {
      for (const schedule::Hop& hop : stage.rounds.round(t)) {
        for (const Node from : members[classes.of(hop.from)]) router.add(from, hop.port, 1);
      }
      result.push_back(router.close_round());
    }
  }
  return result;
}

std::vector<CutThroughRound> routed_rounds(const Network& machine, const network::Failures& lacks,
                                           const schedule::OverlayMessages& messages) {
  const network::SimpleNetwork simple = network::without_copies(machine);
  Router router(simple, lacks, messages.overlay);
  std::vector<CutThroughRound> result;
  for (const auto& round : messages.rounds) {
    for (const auto& message : round) router.add(message.from, message.port, message.packets);
    result.push_back(router.close_round());
  }
  return result;
}

}  // namespace isotrope::cost
