// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The completion time of a plan on a machine, message by message.
//
// In strict rounds every hop is a message; in combining rounds all hops of a round over one directed link
// travel as one. A message of B bytes takes T = machine.message_time(B), during which it is two actions: a
// send at one end and a receipt at the other. Messages are taken in the plan's order, round by round, and
// within a round in the order of the list. Each begins as soon as
//
//     what it carries is there    moved and copied packets have come to the sender; combined ones with all
//                                 that the plan brings there in earlier rounds
//     the processor is done       the sender's, which prepares its messages one after the other in the plan's
//                                 order, each for the overhead o from when what it carries is there; only
//                                 where there are overheads
//     the link is free            the message before it over the directed link has ended; under half duplex
//                                 the one before it in either direction
//     both ends have a slot       of the earlier actions of the node that need the same kind of slot, all but
//                                 c - 1 have released theirs
//
//     machine's ports    slots c of a node
//     all                no limit but the links
//     k                  k for sends and k for receipts
//     one                one for sends and one for receipts
//     half               one for both
//
// A receiver has a message when its processor has taken it, for the overhead of a receipt: in every round after
// what it prepares itself, one after the other in the order of the list.
//
// An action holds its slot from its start for (1 - overlap) T, so its end may run beside the next action, on
// another port; on its own port the next one waits for the link:
//
//     one slot, overlap 0.2     port 0   |========--|                      = slot and link   - link alone
//                               port 1           |========--|
//                               port 0                   |========--|
//                                        0       0.8 T   1.6 T     2.6 T
//
// Slots are given in the plan's order, as in a program of blocking calls or, for k, with a window of k
// requests. The order is fixed, so every time is made of sums, maxima and k-th largest of others, and there
// are no anomalies: nothing comes later where tau, t_c, o or a message shrinks, the overlap grows, or the
// ports allow more. With the plan's own ports a valid plan takes no longer than its rounds in lock step
// (round_time.hpp): when a round begins there, all earlier messages have ended, so links, slots and
// processors are free; the i-th message of a node is prepared i o later at the latest, and waits for
// nothing else, nor do processors find more to take than the round counts.
//
// Stages follow each other by data flow, without a barrier: a packet is at its origin as soon as the stage
// before has brought it there, and links and slots are kept.
//
// Replicated stages are followed by one node a class, or translate by translate where translates get into
// each other's way (translates.hpp). Cost: O(log k) a hop so followed, one pass and no queue of events.
// Memory: 8 bytes a directed link of the nodes followed, a packet and, where packets are copied or combined,
// a packet and node. Source: Ho and Johnsson 1986, Sections 3.3, 4.2 and 5.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "isotrope/schedule/plan.hpp"

#include "isotrope/cost/machine.hpp"
#include "isotrope/cost/workload.hpp"

namespace isotrope::cost {

using schedule::Node;
using schedule::PacketId;

/// The most times that are kept in one table, of 8 bytes each.
inline constexpr std::uint64_t most_times = std::uint64_t{1} << 29;

/// A message; where one node is followed for its class, with its translates, which start and end with it.
struct Message {
  std::size_t stage = 0;
  std::uint64_t round = 0;  ///< of the stage
  Node from = 0;
  Port port = 0;
  PacketId packet = 0;        ///< the first that it carries, as numbered in the stage
  std::uint32_t packets = 0;  ///< how many it carries
  std::uint64_t bytes = 0;
  double start_s = 0;  ///< after its preparation
  double end_s = 0;
};

struct CompletionOptions {
  std::function<void(const Message&)> visit = {};  ///< called for every message, in the plan's order
  std::function<void(double)> progress = {};       ///< called now and then with the share done, 0..1
};

/// Times in seconds from the beginning; counts over all nodes, translates included.
struct Completion {
  double completion_s = 0;
  std::vector<double> stage_finish_s = {};  ///< end of the last message of every stage
  /// End of the last action, by class of nodes: one entry where all nodes are alike, two under even_axis, one
  /// a node where nothing is replicated or translates collide (translates.hpp).
  std::vector<double> class_finish_s = {};
  std::uint64_t messages = 0;
  std::uint64_t startups = 0;
  std::uint64_t bytes = 0;
};

/// Runs `plan` with blocks of `workload` on `machine`. @pre the plan is valid (verify it first); one that is
/// not does no harm, but its times mean nothing, and may be infinite.
/// @throws Error where the machine or the workload is out of range or does not fit the plan, a packet or a
/// hop is outside the network, or a table would have more than most_times entries.
Completion complete(const schedule::Plan& plan, const Machine& machine, const Workload& workload,
                    const CompletionOptions& options = {});

}  // namespace isotrope::cost
