// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The check of a plan before its hops are followed, and the bytes of the packets that are followed.
#pragma once

#include "isotrope/schedule/packets.hpp"
#include "isotrope/schedule/plan.hpp"

#include "isotrope/cost/workload.hpp"

namespace isotrope::cost {

/// @throws Error if the workload does not fit the plan, stages differ in replication or in the number of
/// packets, a packet begins outside the network, a hop names a packet, node or port that does not exist, or
/// all hops together carry more than 2^63 bytes.
void check(const schedule::Plan& plan, const Workload& workload);

/// The bytes of the packets of one stage.
class PacketBytes {
 public:
  /// Refers to both.
  PacketBytes(const schedule::Packets& packets, const Workload& workload, std::uint32_t parts)
      : packets_(packets), workload_(workload), even_(workload.even(parts)) {}

  std::uint64_t operator()(schedule::PacketId packet) const {
    return even_ ? workload_.packet_bytes : workload_.bytes(packets_[packet].part);
  }

 private:
  const schedule::Packets& packets_;
  const Workload& workload_;
  bool even_;  // spares the look at the packet
};

}  // namespace isotrope::cost
