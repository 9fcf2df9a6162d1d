// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/allreduce/leader_exchange.hpp"

#include <map>
#include <utility>
#include <vector>

#include "isotrope/schedule/exchanges.hpp"
#include "isotrope/schedule/node_classes.hpp"

#include "isotrope/algorithm/lanes.hpp"

namespace isotrope::algorithm {
namespace {

using network::Network;
using network::Node;
using network::Port;
using schedule::Hop;
using schedule::PacketId;
using schedule::Rounds;
using schedule::Schedule;
using schedule::Stage;
using schedule::ValueId;

using Values = std::vector<ValueId>;

class Writer {
 public:
  Writer(const Network& network, const LeaderPorts& ports, std::uint32_t parts, const Stage& among,
         const Network& joined, const Rounds& tree, std::uint32_t stripes)
      : network_(network),
        ports_(ports),
        parts_(parts),
        stripes_(stripes),
        among_(among),
        joined_(joined),
        tree_(tree),
        classes_(joined.group(), among.replication),
        received_(places_of_node(network), 0) {
    result_.flow = schedule::Flow::exchange;
    result_.result.resize(std::size_t{parts} * stripes * network.order());
  }

  Stage write() && {
    gather();
    exchange();
    spread();
    return std::move(result_);
  }

 private:
  Node places() const { return static_cast<Node>(received_.size()); }
  // Port j of complete:R leads j + 1 places further.
  Node end_of(const Hop& hop) const { return (hop.from + hop.port + 1) % places(); }
  Port port_within(Node from, Node to) const { return ports_.within[(to + places() - from) % places()]; }

  PacketId sum_of(std::uint32_t part, Values values) {
    const auto next = static_cast<PacketId>(result_.sums.size());
    const auto [known, is_new] = numbers_.emplace(std::pair(part, std::move(values)), next);
    if (is_new) result_.sums.push_back({part, known->first.second});
    return known->second;
  }

  // The place in a node that is `place` in the tree of a stripe.
  Node place_of(std::uint32_t stripe, Node place) const { return (place + stripe) % places(); }
  // A part of a stripe in all parts.
  std::uint32_t part_of(std::uint32_t stripe, std::uint32_t part) const { return stripe * parts_ + part; }

  // A message of all parts of a stripe in every node. Sums are by part.
  void send_in_nodes(std::uint32_t stripe, Node from, Node to, const std::vector<PacketId>& sums) {
    for (Node first = 0; first < network_.order(); first += places()) {
      for (const PacketId sum : sums)
        result_.rounds.add({sum, first + place_of(stripe, from), port_within(from, to)});
    }
  }

  // The tree backwards: a place sends when its children have sent.
  void gather() {
    for (std::uint64_t t = tree_.size(); t-- > 0;) {
      for (std::uint32_t stripe = 0; stripe < stripes_; ++stripe) {
        for (const Hop& hop : tree_.round(t)) {
          const Node child = end_of(hop);
          std::vector<PacketId> sums;
          for (std::uint32_t part = 0; part < parts_; ++part)
            sums.push_back(sum_of(part_of(stripe, part), schedule::first_values(received_[child] + 1)));
          send_in_nodes(stripe, child, hop.from, sums);
        }
      }
      for (const Hop& hop : tree_.round(t)) ++received_[hop.from];
      result_.rounds.close_round();
    }
  }

  // Values of the exchange among leaders by their numbers here.
  Values renumbered(const Values& values) const {
    Values result;
    for (const ValueId value : values) {
      if (value > 0) {
        result.push_back(value + received_[0]);
        continue;
      }
      const Values own = schedule::first_values(received_[0] + 1);
      result.insert(result.end(), own.begin(), own.end());
    }
    return result;
  }

  // The nodes that send when node 0 does, by translation.
  std::vector<Node> translations() const {
    std::vector<Node> result;
    for (Node node = 0; node < joined_.order(); ++node) {
      if (classes_.of(node) == 0) result.push_back(node);
    }
    return result;
  }

  void exchange() {
    std::vector<std::vector<PacketId>> sums(stripes_);
    for (std::uint32_t stripe = 0; stripe < stripes_; ++stripe) {
      for (const schedule::Sum& sum : among_.sums)
        sums[stripe].push_back(sum_of(part_of(stripe, sum.part), renumbered(sum.values)));
    }
    const std::vector<Node> shifts = translations();
    for (std::uint64_t t = 0; t < among_.rounds.size(); ++t) {
      for (const Hop& hop : among_.rounds.round(t)) {
        for (const Node shift : shifts) {
          const Node first = joined_.group().add(hop.from, shift) * places();
          for (std::uint32_t stripe = 0; stripe < stripes_; ++stripe)
            result_.rounds.add({sums[stripe][hop.packet], first + stripe, ports_.between[hop.port]});
        }
      }
      result_.rounds.close_round();
    }
    for (std::uint32_t part = 0; part < parts_; ++part) {
      for (Node node = 0; node < joined_.order(); ++node) {
        for (std::uint32_t stripe = 0; stripe < stripes_; ++stripe)
          result_of(part_of(stripe, part), node * places() + stripe) = renumbered(result_among(part, node));
      }
    }
  }

  const Values& result_among(std::uint32_t part, Node node) const {
    if (among_.result.size() == parts_) return among_.result[part];
    return among_.result[std::size_t{part} * classes_.count() + classes_.of(node)];
  }
  Values& result_of(std::uint32_t part, Node place) {
    return result_.result[std::size_t{part} * network_.order() + place];
  }

  // A place gets the result once, and passes it on as it came.
  void spread() {
    for (std::uint64_t t = 0; t < tree_.size(); ++t) {
      for (std::uint32_t stripe = 0; stripe < stripes_; ++stripe) {
        for (const Hop& hop : tree_.round(t)) {
          for (Node first = 0; first < network_.order(); first += places())
            spread_in_node(stripe, hop, first);
        }
      }
      result_.rounds.close_round();
    }
  }
  void spread_in_node(std::uint32_t stripe, const Hop& hop, Node first) {
    const Node from = first + place_of(stripe, hop.from), to = first + place_of(stripe, end_of(hop));
    for (std::uint32_t i = 0; i < parts_; ++i) {
      const std::uint32_t part = part_of(stripe, i);
      const PacketId sum = sum_of(part, result_of(part, from));
      result_.rounds.add({sum, from, port_within(hop.from, end_of(hop))});
      result_of(part, to) = {received_[end_of(hop)] + 1};
    }
  }

  const Network& network_;
  const LeaderPorts& ports_;
  std::uint32_t parts_, stripes_;
  const Stage& among_;
  const Network& joined_;
  const Rounds& tree_;
  schedule::NodeClasses classes_;
  std::vector<ValueId> received_;  // by place in the tree, before the exchange
  std::map<std::pair<std::uint32_t, Values>, PacketId> numbers_;
  Stage result_;
};

}  // namespace

Schedule leader_exchange(const Network& network, const LeaderPorts& ports, std::uint32_t parts,
                         const Schedule& among, const Network& joined, const Schedule& node,
                         std::uint32_t stripes) {
  Schedule result{.ports = among.ports, .round_kind = schedule::RoundKind::aggregated, .stages = {}};
  result.stages.push_back(
      Writer(network, ports, parts, among.stages.front(), joined, node.stages.front().rounds, stripes)
          .write());
  return result;
}

}  // namespace isotrope::algorithm
