// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// A machine in the cost model of Ho and Johnsson: what a message over one link costs, and how many a node
// handles at once.
//
//     message of B bytes      ceil(B / internal packet) tau + B t_c      at least one tau, also for B = 0
//
// A node performs actions: a send or a receipt on one of its ports, each as long as its message. The port
// model says how many at once, the overlap how much of an action may run beside the next one on another port
// (completion.hpp). Source: Ho and Johnsson 1986, Sections 2 and 5.
#pragma once

#include <cstdint>

#include "isotrope/schedule/port_model.hpp"

namespace isotrope::simulate {

using schedule::Port;

/// As it stands, every message takes one second and a node sends and receives one at a time, so that times
/// count rounds.
struct Machine {
  double startup_s = 1;               ///< tau, seconds a start-up
  double byte_time_s = 0;             ///< t_c, seconds a byte
  std::uint64_t internal_packet = 0;  ///< bytes a start-up carries; 0: any number
  schedule::PortModel ports = schedule::PortModel::one();
  double overlap = 0;  ///< 0..1, the share of an action that the next one, on another port, may run beside

  /// Start-ups of one message of `bytes` bytes.
  std::uint64_t startups(std::uint64_t bytes) const {
    if (internal_packet == 0 || bytes <= internal_packet) return 1;
    return (bytes - 1) / internal_packet + 1;
  }
  /// Seconds of one message of `bytes` bytes over one link.
  double message_time(std::uint64_t bytes) const {
    return static_cast<double>(startups(bytes)) * startup_s + static_cast<double>(bytes) * byte_time_s;
  }
};

/// @throws Error where a time is negative or not finite, the overlap is outside 0..1, or a number of ports is
/// outside 1..degree.
void check(const Machine& machine, Port degree);

/// The Intel iPSC of Ho and Johnsson 1986, Section 5: internal packets of 1 KiB, one action at a time, 20
/// percent overlap between ports. The paper prints no tau and no t_c. Those here, 4.1 ms and 2.8 us, are
/// assumptions, of the size reported for this machine (von Eicken et al. 1992, Table 1); set your own.
Machine intel_ipsc();

}  // namespace isotrope::simulate
