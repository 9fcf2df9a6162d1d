// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The completion time of a plan on a machine, message by message.
//
// In strict rounds every hop is a message; in aggregated rounds all hops of a round over one directed link are one
// message. A message of B bytes takes T = machine.message_time(B), or that of its link's class: a send at one end and a receipt at the other.
// Messages are taken in the order of the plan. Each begins as soon as
//
//     its data are there          moved and copied packets have come to the sender; combined ones with all parts that
//                                 earlier rounds of the plan bring there
//     the processor is done       the sender's prepares its messages one by one, each for the overhead o from the
//                                 time at which its data are there; only if there are overheads
//     the link is free            the last message over the directed link has ended; under half duplex also the last
//                                 one in the other direction
//     both ends have a slot       all but c - 1 earlier actions of the node that need this kind of slot have released
//                                 theirs
//
// Places of a node share its links and slots (Machine::lanes): there bytes follow each other, while start-ups pass at once.
//
//     machine's ports    slots c of a node
//     all                no limit but the links
//     k                  k for sends and k for receipts
//     one                one for sends and one for receipts
//     half               one for both
//
// A receiver has a message when its processor has taken it, for the overhead of a receipt: in every round after its
// own preparations, one message after the other in the order of the list.
//
// An action holds its slot from its start for (1 - overlap) T, so its end may run beside the next action, on
// another port; on its own port the next one waits for the link:
//
//     one slot, overlap 0.2     port 0   |========--|                      = slot and link   - link alone
//                               port 1           |========--|
//                               port 0                   |========--|
//                                        0       0.8 T   1.6 T     2.6 T
//
// Facts. The order is fixed, so every time is made of sums, maxima and k-th largest of others, without anomalies:
// nothing comes later if tau, t_c, o or a message shrinks, the overlap grows, or the ports allow more. With the
// plan's own ports a valid plan takes no longer than its rounds in lock step (round_time.hpp), unless places share few ports: when a round begins
// there, links, slots and processors are free, and the i-th message of a node is prepared i o later at the latest.
//
// Stages follow each other by data flow, without a barrier: links and slots are kept. Replicated stages are followed
// by one node a class, or translate by translate if translates collide (completion.cpp).
//
// Cost: one pass, O(log k) a hop so followed. Memory: 8 bytes a directed link of the nodes followed, a packet and,
// for copied or combined packets, a packet and node. Source: Ho and Johnsson 1986, Sections 3.3, 4.2 and 5.
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

/// A message; if one node is followed for its class, together with its translates, which start and end with it.
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
  /// End of the last action, by class of nodes: one entry if all nodes are alike, two under even_axis, one
  /// a node if nothing is replicated or translates collide.
  std::vector<double> class_finish_s = {};
  std::uint64_t messages = 0;
  std::uint64_t startups = 0;
  std::uint64_t bytes = 0;
};

/// Runs `plan` with blocks of `workload` on `machine`. @pre the plan is valid (verify it first); one that is
/// not does no harm, but its times mean nothing, and may be infinite.
/// @throws Error if the machine or the workload is out of range or does not fit the plan or its network, a packet or a
/// hop is outside the network, or a table would have more than most_times entries.
Completion complete(const schedule::Plan& plan, const Machine& machine, const Workload& workload,
                    const CompletionOptions& options = {});

}  // namespace isotrope::cost
