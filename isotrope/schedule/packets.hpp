// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The packets that a collective implies if a stage lists none.
//
//     broadcast, allgather      packet = part                              origin = root or 0, to every node
//     scatter, alltoall         packet = (to - origin) * parts + part      origin = root or 0
//     gather                    packet = (origin - to) * parts + part      to = root
//     reduce, reduce-scatter    packet = part                              to = root or 0
//     allreduce, barrier        by the stage's flow: reduce as reduce or reduce-scatter, copy as broadcast or
//                               allgather; the root is 0
//                               reduce-then-copy: packet = part, reduced at node 0, then to every node
//
// The rooted forms belong to replication none, the others to replication all; all other packets must be listed.
// The packets of an exchange are its sums: packet = index of the sum.
#pragma once

#include <cstdint>
#include <vector>

#include "isotrope/schedule/schedule.hpp"
#include "isotrope/schedule/task.hpp"

namespace isotrope::schedule {

/// The packets of one stage, listed or implied. Refers to the stage and the network, which must outlive it.
class Packets {
 public:
  /// The listed packets; if none is listed, the implied packets, if any.
  Packets(const Network& network, const Task& task, const Stage& stage);

  std::uint64_t size() const { return size_; }
  Packet operator[](PacketId id) const;

 private:
  enum class Form { listed, to_everyone, to_each, from_each, sums };

  const Network& network_;
  const Stage& stage_;
  Form form_;
  std::uint32_t parts_;
  Node base_;  // the root, or 0 if replicated
  bool combine_;
  std::uint64_t size_;
};

/// Whether `task` implies the packets of a stage with this flow and replication.
bool implies_packets(const Task& task, Flow flow, Replication replication);

/// The packets of an allgather of blocks in `parts` for a stage without replication, which implies none: packet
/// origin * parts + part.
std::vector<Packet> packets_to_all(Node nodes, std::uint32_t parts);

}  // namespace isotrope::schedule
