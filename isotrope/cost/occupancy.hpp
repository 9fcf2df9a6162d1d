// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The state of a simulation (completion.hpp): until when links, slots and processors are taken, and since when nodes
// hold what they send.
//
// A node keeps, for each kind of slot, the c latest releases of its actions so far in a heap whose top is the
// earliest of them. When that one has passed, fewer than c actions hold a slot; the next action's release,
// which cannot be earlier, takes its place. Cost: O(log c) a message.
//
// The times of packets are one class a flow, with the same operations. Within a round all sends come before all
// receipts, so that nothing sent in a round waits for what comes in it.
//
//     since(packet, node)          since when the node has what it may send
//     receive(packet, node, t)     it has come at t
//
// A packet that never came to the node was never there: since infinity, for copy and exchange. Memory: 8 bytes a
// packet, for copy, reduce and both a packet and node, for exchange a received sum and class of nodes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "isotrope/base/huge_pages.hpp"

#include "isotrope/network/network.hpp"

#include "isotrope/schedule/node_classes.hpp"
#include "isotrope/schedule/schedule.hpp"

#include "isotrope/cost/lane_groups.hpp"
#include "isotrope/cost/machine.hpp"

namespace isotrope::cost {

using network::Node;

using Times = std::vector<double, HugePageAllocator<double>>;

/// Flow `move`: a packet is in one place.
class MovedTimes {
 public:
  explicit MovedTimes(Times at_origin) : times_(std::move(at_origin)) {}

  double since(std::uint64_t packet, Node /*node*/) const { return times_[packet]; }
  void receive(std::uint64_t packet, Node /*node*/, double t) { times_[packet] = t; }

 private:
  Times times_;
};

/// Flow `copy`: the first copy counts, and a node holds nothing at first. Flow `reduce`: every node has its own
/// contribution from the beginning; a partial result is complete when the last of the others has come.
template <schedule::Flow flow>
class TimesByNode {
 public:
  TimesByNode(std::uint64_t packets, std::uint64_t nodes)
      : nodes_(nodes), times_(packets * nodes, is_copied ? std::numeric_limits<double>::infinity() : 0) {}

  double since(std::uint64_t packet, Node node) const { return times_[packet * nodes_ + node]; }
  void receive(std::uint64_t packet, Node node, double t) {
    double& time = times_[packet * nodes_ + node];
    time = is_copied ? std::min(time, t) : std::max(time, t);
  }

 private:
  static constexpr bool is_copied = flow == schedule::Flow::copy;

  std::uint64_t nodes_;
  Times times_;
};
using CopiedTimes = TimesByNode<schedule::Flow::copy>;
using CombinedTimes = TimesByNode<schedule::Flow::reduce>;

/// Flow `reduce_then_copy`: as `reduce` until the packet is complete, and as `copy` from then on, beginning at its
/// origin when the last of the others has come there.
class ReducedThenCopiedTimes {
 public:
  struct Result {
    std::uint64_t complete_from;  ///< round
    std::uint64_t packet;
    Node origin;
  };

  /// @param results ascending by packet, from 0 on
  ReducedThenCopiedTimes(std::vector<Result> results, std::uint64_t nodes)
      : nodes_(nodes),
        is_complete_(results.size(), false),
        times_(results.size() * nodes, 0),
        results_(std::move(results)) {
    std::ranges::stable_sort(results_, {}, &Result::complete_from);
  }

  void begin_round(std::uint64_t round) {
    for (; next_ < results_.size() && results_[next_].complete_from <= round; ++next_)
      complete(results_[next_]);
  }
  double since(std::uint64_t packet, Node node) const { return times_[packet * nodes_ + node]; }
  void receive(std::uint64_t packet, Node node, double t) {
    double& time = times_[packet * nodes_ + node];
    time = is_complete_[packet] ? std::min(time, t) : std::max(time, t);
  }

 private:
  void complete(const Result& result) {
    is_complete_[result.packet] = true;
    const double since_result = since(result.packet, result.origin);
    const auto first = times_.begin() + static_cast<std::ptrdiff_t>(result.packet * nodes_);
    std::fill_n(first, nodes_, std::numeric_limits<double>::infinity());
    first[result.origin] = since_result;
  }

  std::uint64_t nodes_;
  std::vector<bool> is_complete_;  // by packet
  Times times_;                    // by packet and node
  std::vector<Result> results_;    // by the round in which they are complete
  std::size_t next_ = 0;
};

/// Flow `exchange`: a sum is there when the last of its values has come. The packets are the sums.
class SummedTimes {
 public:
  /// Refers to both. A sum of `stage` has `instances` numbers, one after the other.
  SummedTimes(const schedule::Stage& stage, const schedule::NodeClasses& classes, std::uint32_t parts,
              std::uint64_t instances)
      : stage_(stage),
        classes_(classes),
        parts_(parts),
        instances_(instances),
        times_(std::size_t{classes.count()} * parts, std::vector<double>{0}) {}

  double since(std::uint64_t sum, Node node) const {
    const schedule::Sum& terms = stage_.sums[sum / instances_];
    const std::vector<double>& times = times_[list(terms, node)];
    double last = 0;
    for (const schedule::ValueId value : terms.values)
      last = std::max(last, value < times.size() ? times[value] : std::numeric_limits<double>::infinity());
    return last;
  }
  void receive(std::uint64_t sum, Node node, double t) {
    times_[list(stage_.sums[sum / instances_], node)].push_back(t);
  }

 private:
  std::size_t list(const schedule::Sum& sum, Node node) const {
    return std::size_t{classes_.of(node)} * parts_ + sum.part;
  }

  const schedule::Stage& stage_;
  const schedule::NodeClasses& classes_;
  std::uint32_t parts_;
  std::uint64_t instances_;
  std::vector<std::vector<double>> times_;  // by class and part, then by value
};

/// A message's way: from a class of nodes over one of its ports to a class of nodes.
struct PortUse {
  Node sender = 0;
  Port port = 0;
  Node receiver = 0;
  bool is_shared = false;  ///< the link is one that the places of a node share (Machine::lanes)
};

class Occupancy {
 public:
  /// For a network of which `classes` nodes are followed. Refers to it, to the machine, and to the groups of classes.
  Occupancy(const network::Network& network, const Machine& machine, Node classes, const LaneGroups& lanes)
      : network_(network),
        lanes_(lanes),
        half_duplex_(machine.ports.half_duplex()),
        held_(1 - machine.overlap),
        slots_(machine.ports.kind == schedule::PortModel::Kind::all_port
                   ? 0
                   : machine.ports.sends(network.degree())),
        first_receipt_(half_duplex_ ? 0 : std::uint64_t{classes} * slots_),
        links_(std::uint64_t{classes} * network.degree(), 0),
        releases_((half_duplex_ ? 1 : 2) * std::uint64_t{classes} * slots_, 0),
        node_links_(machine.lanes > 1 ? links_.size() : 0, 0),
        node_releases_(machine.lanes > 1 ? releases_.size() : 0, 0),
        machine_(machine),
        processors_(machine.has_overheads() ? classes : 0, 0) {}

  /// Has the sender's processor prepare a message of `bytes` bytes that is ready at `ready`; when it is done.
  /// Without overheads that takes no processor, and messages do not wait for those before them.
  double prepare(Node sender, double ready, std::uint64_t bytes) {
    if (processors_.empty()) return ready;
    double& done = processors_[sender];
    done = std::max(done, ready) + machine_.overhead(1, bytes);
    return done;
  }
  /// Has the receiver's processor take a message that ends at `end`; when it is done.
  double take(Node receiver, double end) {
    if (machine_.receive_overhead_s == 0) return end;
    double& done = processors_[receiver];
    done = std::max(done, end) + machine_.receive_overhead(1);
    return done;
  }
  /// The earliest start of a message that is prepared at `ready`, of whose time `startup` seconds are start-ups.
  double start(const PortUse& way, double ready, double startup) const {
    ready = std::max(ready, links_[link(way)]);
    if (slots_ > 0) ready = std::max({ready, releases_[send_slots(way)], releases_[receive_slots(way)]});
    return way.is_shared ? std::max(ready, node_is_free(of_nodes(way)) - startup) : ready;
  }
  /// Takes link and slots for `time` seconds from `start` on. @pre start is as start() gave it.
  void occupy(const PortUse& way, double start, double time) {
    links_[link(way)] = start + time;
    if (slots_ > 0) {
      replace_earliest(releases_, send_slots(way), start + held_ * time);
      replace_earliest(releases_, receive_slots(way), start + held_ * time);
    }
    if (way.is_shared) occupy_nodes(of_nodes(way), start + time);
  }

 private:
  // The directed link, or under half duplex the link, which both of its directions share.
  std::uint64_t link(const PortUse& way) const {
    const std::uint64_t degree = network_.degree();
    const std::uint64_t there = way.sender * degree + way.port;
    if (!half_duplex_) return there;
    return std::min(there, way.receiver * degree + network_.opposite(way.port));
  }
  std::uint64_t send_slots(const PortUse& way) const { return std::uint64_t{way.sender} * slots_; }
  std::uint64_t receive_slots(const PortUse& way) const {
    return first_receipt_ + std::uint64_t{way.receiver} * slots_;
  }

  // Over a link that places share, bytes follow each other, while start-ups pass at the same time.
  PortUse of_nodes(const PortUse& way) const {
    return {lanes_.of(way.sender), way.port, lanes_.of(way.receiver)};
  }
  double node_is_free(const PortUse& way) const {
    const double link_end = node_links_[link(way)];
    if (slots_ == 0) return link_end;
    return std::max({link_end, node_releases_[send_slots(way)], node_releases_[receive_slots(way)]});
  }
  void occupy_nodes(const PortUse& way, double end) {
    node_links_[link(way)] = end;
    if (slots_ == 0) return;
    replace_earliest(node_releases_, send_slots(way), end);
    replace_earliest(node_releases_, receive_slots(way), end);
  }

  void replace_earliest(Times& releases, std::uint64_t place, double release) const {
    const std::span heap(releases.data() + place, slots_);
    std::ranges::pop_heap(heap, std::greater());
    heap.back() = release;
    std::ranges::push_heap(heap, std::greater());
  }

  const network::Network& network_;
  const LaneGroups& lanes_;
  bool half_duplex_;
  double held_;  // the share of an action that holds its slots
  Port slots_;   // of each kind, a node; 0 if every link has its own
  std::uint64_t first_receipt_;
  Times links_;  // end of the last message, by link
  Times releases_;
  Times node_links_;     // of links that places share: end of the last bytes, by link of the group
  Times node_releases_;  // of the slots of their nodes, by group
  const Machine& machine_;
  Times processors_;  // end of what it did last, by class
};

}  // namespace isotrope::cost
