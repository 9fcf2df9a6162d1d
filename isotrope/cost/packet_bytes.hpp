// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The bytes of the packets of one stage.
#pragma once

#include "isotrope/schedule/packets.hpp"

#include "isotrope/cost/workload.hpp"

namespace isotrope::cost {

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
