// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Since when a node holds what it sends: one class a flow, with the same operations. Within a round all sends
// come before all receipts, so that nothing sent in a round waits for what comes in it.
//
//     since(packet, node)          since when the node has what it may send
//     receive(packet, node, t)     it has come at t
//
// A packet that never came to the node was never there: since infinity, for copy. Memory: 8 bytes a packet,
// and for copy and combine a packet and node.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "isotrope/base/huge_pages.hpp"

#include "isotrope/network/network.hpp"

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

/// Flow `copy`: the first copy counts.
class CopiedTimes {
 public:
  CopiedTimes(std::uint64_t packets, std::uint64_t nodes)
      : nodes_(nodes), times_(packets * nodes, std::numeric_limits<double>::infinity()) {}

  double since(std::uint64_t packet, Node node) const { return times_[packet * nodes_ + node]; }
  void receive(std::uint64_t packet, Node node, double t) {
    double& time = times_[packet * nodes_ + node];
    time = std::min(time, t);
  }

 private:
  std::uint64_t nodes_;
  Times times_;
};

/// Flow `combine`: every node has its own contribution from the beginning; what it sends is complete when the
/// last of the others has come.
class CombinedTimes {
 public:
  CombinedTimes(std::uint64_t packets, std::uint64_t nodes) : nodes_(nodes), times_(packets * nodes, 0) {}

  double since(std::uint64_t packet, Node node) const { return times_[packet * nodes_ + node]; }
  void receive(std::uint64_t packet, Node node, double t) {
    double& time = times_[packet * nodes_ + node];
    time = std::max(time, t);
  }

 private:
  std::uint64_t nodes_;
  Times times_;
};

}  // namespace isotrope::cost
