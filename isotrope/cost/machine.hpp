// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// A machine in the cost model of Ho and Johnsson: what a message over one link costs, and how many a node
// handles at once.
//
//     message of B bytes      ceil(B / internal packet) tau + B t_c      at least one tau, also for B = 0
//
// A node performs actions: sends and receipts on its ports, each as long as its message. The port model says how many
// at once, the overlap how much of an action may run beside the next one on another port (completion.hpp). A node has
// one processor for all its ports: it prepares a message for the overhead, o and g per byte, before the message
// begins, and takes a message that has come for the overhead of a receipt. Ranks that share a memory have little else
// than overhead: their processors copy the bytes.
//
//     three messages, o = 0.5, all ports      processor   |==|==|==|
//                                             port 0         |========|
//                                             port 1            |========|
//                                             port 2               |========|
//
// Links along some axes of the network may have times of their own: link classes (link_times.hpp).
//
// On a cut-through machine a message may pass nodes on a shortest path to a farther node without a stop; only
// direct_time() and direct_round_time() speak of such messages.
// Sources: Ho and Johnsson 1986, Sections 2 and 5; for o, D. Culler et al., LogP: Towards a realistic model
// of parallel computation, PPoPP 1993, and for g, A. Alexandrov et al., LogGP, SPAA 1995.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "isotrope/schedule/port_model.hpp"

namespace isotrope::cost {

using schedule::Port;

/// Times of the links along some axes of a network, which a machine has instead of its own.
struct LinkClass {
  std::uint64_t axes = 0;  ///< bit a: the links along axis a, a coordinate of the group
  std::optional<double> startup_s = {};
  /// Seconds per byte of a whole link. If a class gives them, Machine::byte_time_s is that of a whole link too: a link of
  /// rate r is r links side by side that share its bandwidth.
  std::optional<double> byte_time_s = {};

  bool operator==(const LinkClass&) const = default;
};

/// The times of one link.
struct LinkTime {
  double startup_s = 0;
  double byte_time_s = 0;
  std::uint32_t lanes = 1;  ///< how many share the link (Machine::lanes)

  bool operator==(const LinkTime&) const = default;
};

/// The largest number of link classes of a machine, and of axes that they name.
inline constexpr std::uint32_t most_link_classes = 8;
inline constexpr std::uint32_t most_class_axes = 64;

/// By default every message takes one second and a node sends and receives one at a time, so times count rounds.
struct Machine {
  double startup_s = 1;               ///< tau, seconds per start-up
  double byte_time_s = 0;             ///< t_c, seconds per byte
  std::uint64_t internal_packet = 0;  ///< bytes per start-up; 0: any number
  schedule::PortModel ports = schedule::PortModel::one();
  double overlap = 0;     ///< 0..1, the share of an action that the next one, on another port, may run beside
  double overhead_s = 0;  ///< o, seconds that a message keeps its sender's processor busy
  double overhead_byte_s = 0;     ///< g, seconds that each of its bytes does
  double receive_overhead_s = 0;  ///< seconds that a message keeps its receiver's processor busy
  bool cut_through = false;       ///< whether messages may go on to nodes further away
  double hop_time_s = 0;          ///< seconds that every further link of the way adds then
  /// Bytes of the longest message that is handed over at once; longer ones are cut, but cost the same here. 0:
  /// any number.
  std::uint64_t largest_message = 0;
  /// The first `link_class_count` are link classes. In place, as ranks share a machine byte by byte.
  std::array<LinkClass, most_link_classes> listed_classes = {};
  std::uint32_t link_class_count = 0;
  /// Of a machine on the places of several ranks a node (node_places.hpp): the places of a node, which are those along the last axis. They
  /// share the links of all other axes, and the ports of their node; the last link class is their memory. 1: every place has links of its own.
  std::uint32_t lanes = 1;
  /// Of with_even_shares(): how many places share the bandwidth of a link that has a time of its own (network::EdgeTimes).
  std::uint32_t even_shares = 1;

  std::span<const LinkClass> link_classes() const { return {listed_classes.data(), link_class_count}; }
  /// Start-ups of one message of `bytes` bytes.
  std::uint64_t startups(std::uint64_t bytes) const {
    if (internal_packet == 0 || bytes <= internal_packet) return 1;
    return (bytes - 1) / internal_packet + 1;
  }
  /// Seconds of one message of `bytes` bytes over one link.
  double message_time(std::uint64_t bytes) const {
    return static_cast<double>(startups(bytes)) * startup_s + static_cast<double>(bytes) * byte_time_s;
  }
  /// Seconds per byte of a link if all lanes use it alike, each its share.
  double lane_byte_time_s() const { return byte_time_s * lanes; }
  /// Whether messages keep processors busy.
  bool has_overheads() const { return overhead_s + overhead_byte_s + receive_overhead_s > 0; }
  /// Seconds that a processor is busy with `messages` messages of `bytes` bytes together.
  double overhead(std::uint64_t messages, std::uint64_t bytes) const {
    return static_cast<double>(messages) * overhead_s + static_cast<double>(bytes) * overhead_byte_s;
  }
  /// Seconds that a processor is busy with `messages` messages that have come.
  double receive_overhead(std::uint64_t messages) const {
    return static_cast<double>(messages) * receive_overhead_s;
  }
  /// Seconds of a round, in round-synchronous execution, in which no node sends more than `messages` messages and
  /// `sent_bytes` bytes, no link carries more than `link_bytes` bytes, and no node receives more than `received`
  /// messages.
  double round_time(std::uint64_t messages, std::uint64_t sent_bytes, std::uint64_t link_bytes,
                    std::uint64_t received) const {
    return overhead(messages, sent_bytes) + message_time(link_bytes) + receive_overhead(received);
  }
  /// Seconds, without overheads, in which messages of `message_bytes` bytes at most go to nodes `nearest` >= 1 to
  /// `hops` links away, all at once: they start together, and `link_bytes` bytes share the busiest link,
  /// those from near by while others are still on their way. @pre cut_through.
  double direct_time(std::uint64_t message_bytes, std::uint64_t link_bytes, std::uint32_t hops,
                     std::uint32_t nearest = 1) const {
    const double farthest = (hops - 1) * hop_time_s + static_cast<double>(message_bytes) * byte_time_s;
    const double shared = (nearest - 1) * hop_time_s + static_cast<double>(link_bytes) * byte_time_s;
    return static_cast<double>(startups(message_bytes)) * startup_s + std::max(farthest, shared);
  }
  /// Seconds of a round in which no node sends more than `messages` >= 1 messages and `sent_bytes` bytes or
  /// receives more than `received` >= 1 messages, each at most `network_s` on its way. A processor prepares
  /// its messages, then takes what has come; that began to come when the first had been prepared.
  double direct_round_time(std::uint64_t messages, std::uint64_t sent_bytes, std::uint64_t received,
                           double network_s) const {
    const double prepared = overhead(messages, sent_bytes), taken = receive_overhead(received);
    return std::max({prepared + taken, prepared + network_s + receive_overhead(1),
                     prepared / static_cast<double>(messages) + network_s + taken});
  }

  bool operator==(const Machine&) const = default;
};

/// @throws Error if a time is negative or not finite, the overlap is outside 0..1, a number of ports is
/// outside 1..degree, links have a hop time on a machine without cut-through, or a link class has no axis or shares one.
void check(const Machine& machine, Port degree);

/// The machine of predictions that name none: a start-up of 2 us and links of 10 GB/s, about a cluster of today.
Machine cluster();

/// The Intel iPSC of Ho and Johnsson 1986, Section 5: internal packets of 1 KiB, one action at a time, 20
/// percent overlap between ports. The paper prints no tau and no t_c. Those here, 4.1 ms and 2.8 us, are
/// assumptions, of the size reported for this machine (von Eicken et al. 1992, Table 1); set your own.
Machine intel_ipsc();

}  // namespace isotrope::cost
