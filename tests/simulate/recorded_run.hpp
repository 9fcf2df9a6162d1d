// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// A run of the packet simulator written down as a plan, and held against the definitions as slowly and
// plainly as possible.
#pragma once

#include <cstdint>
#include <vector>

#include "isotrope/schedule/plan.hpp"

#include "isotrope/simulate/packet_simulator.hpp"

namespace isotrope::simulate {

struct RecordedRun {
  PacketRun run;
  schedule::Plan plan;                ///< replicated under a symmetric policy; every hop listed otherwise
  std::vector<std::uint64_t> delays;  ///< by number of rounds, counted from the hops over all nodes
  std::uint64_t idle_ports;           ///< times a port idled while a packet waited for it: 0
};

/// Follows a run of `task`, one packet a block; of listed packets alone if something is missing.
RecordedRun record(const Network& network, const PacketTask& task, RoutingPolicy policy,
                   schedule::PortModel ports, std::uint64_t seed, const network::Failures& missing = {});

}  // namespace isotrope::simulate
