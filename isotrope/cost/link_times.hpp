// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The times of the links of a network: its link classes. A link takes the start-up and the time per byte of
//
//     the edge, if its links have times of their own (network::EdgeTimes)     start-up, time per byte, or both
//     the axis, if the machine has a link class for it                       start-up, time per byte, or both
//     the machine, otherwise
//
// in this order. Links of the same times are one class here, wherever the times come from.
//
//     ring:4@2 on a machine of 1 us and 1 ns a byte, class of axis 0: 0.4 ns    1 us, 0.8 ns for each of the two links
//
// Places of one node share its links (Machine::lanes): the times are those of the whole link, over which the messages of all lanes go.
//
// Convention: a link of rate r is r links side by side. If a class of the machine gives a time per byte, all times per byte are
// those of whole links, whose bandwidth the r share; else, and if links are listed, the machine's is that of each of the r. Class 0 is the machine's, also if no link has it.
// Cost: O(degree), and O(log) of the edges with times per look-up if there are any.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "isotrope/network/failures.hpp"

#include "isotrope/cost/machine.hpp"

namespace isotrope::cost {

using network::Network;
using network::Node;

/// The most classes of links, so that a set of them is one number of 64 bits.
inline constexpr std::uint32_t most_link_times = 64;

class LinkTimes {
 public:
  /// @throws Error if the machine names axes that the network does not have, or axes of listed links other than the last of several, or
  /// links have more than most_link_times different times.
  LinkTimes(const Network& network, const network::Failures& lacks, const Machine& machine);

  /// Whether all links have the machine's times.
  bool alike() const { return times_.size() == 1; }
  /// Whether links along one port may have different times.
  bool by_edge() const { return !edges_.empty(); }
  /// The different times; first the machine's, also if no link has them.
  std::span<const LinkTime> all() const { return times_; }
  /// Whether some link has the times of this number.
  bool occurs(std::uint32_t link_class) const { return (occurring_ >> link_class & 1) != 0; }
  /// The number of the class of a directed link.
  std::uint32_t of(Node from, Port port) const { return by_edge() ? of_edge(from, port) : of_port_[port]; }
  /// The number of the class of the links of a port. @pre !by_edge().
  std::uint32_t of(Port port) const { return of_port_[port]; }

  /// Seconds of messages of `bytes` bytes together, which start at once, over a link of the class.
  double message_time(std::uint32_t link_class, std::uint64_t bytes) const {
    const LinkTime& time = times_[link_class];
    return static_cast<double>(startups(bytes)) * time.startup_s +
           static_cast<double>(bytes) * time.byte_time_s;
  }
  /// How many places of a node share its links; 1: none do.
  std::uint32_t lanes() const { return machine_.lanes; }
  /// How many ports of a node work at once.
  const schedule::PortModel& ports() const { return machine_.ports; }
  /// Start-ups of one message of `bytes` bytes.
  std::uint64_t startups(std::uint64_t bytes) const { return machine_.startups(bytes); }
  /// The least start-up and the least time per byte of any link, perhaps of different ones.
  LinkTime least() const;
  /// The largest start-up and the largest time per byte.
  LinkTime most() const;

 private:
  // pick(a, b) of both times of all classes that occur.
  template <class Pick>
  LinkTime of_all(const Pick& pick) const;
  LinkTime some_time() const;
  std::uint32_t of_edge(Node from, Port port) const;
  std::uint32_t number_of(const LinkTime& time);
  void read_axes(const network::Failures& lacks);
  std::uint64_t classes_of_axes() const;
  void read_edges(const network::Failures& lacks);

  Network network_;
  Machine machine_;
  std::vector<LinkTime> times_;
  std::vector<std::uint32_t> of_port_;
  std::vector<network::Edge> edges_;    // that have times of their own, ascending
  std::vector<std::uint32_t> of_edge_;  // by edge of edges_
  std::uint64_t occurring_ = 0;         // one bit a class
};

/// The times of the links along every axis of the network, and behind them of those along none; if links along one port have
/// different ones, the largest everywhere. Empty if all have the machine's.
std::vector<LinkTime> times_by_axis(const Network& network, const LinkTimes& times);

}  // namespace isotrope::cost
