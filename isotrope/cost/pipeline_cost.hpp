// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The time of a pipelined algorithm as a function of the packet size, and the best packet size.
//
// An algorithm that moves p packets in a p + b rounds moves M bytes in packets of B bytes in
//
//     T(B) = (a M / B + b) (tau + B t_c),     least at B = sqrt(a M tau / (b t_c)):
//     T_min = (sqrt(a M t_c) + sqrt(b tau))^2.
//
// With b = 0 nothing fills and the largest packet, M, is best. Every line of Ho and Johnsson's Table 3 is
// this one with its own a and b. Source: Ho and Johnsson 1986, Section 3.3.
#pragma once

#include <algorithm>
#include <cmath>

#include "isotrope/cost/machine.hpp"

namespace isotrope::cost {

struct PipelineCost {
  double per_packet = 1;  ///< a > 0: rounds that every further packet takes
  double fill = 0;        ///< b >= 0: rounds until packets follow each other

  /// B_opt in bytes, not rounded, for blocks of `bytes`; at most `bytes`.
  double best_packet(double bytes, const Machine& machine) const {
    const double wire = fill * machine.byte_time_s;
    return wire == 0 ? bytes : std::min(bytes, std::sqrt(per_packet * bytes * machine.startup_s / wire));
  }
  /// T_min in seconds: no packet size gives less.
  double least_time(double bytes, const Machine& machine) const {
    const double packet = best_packet(bytes, machine);
    if (packet == 0) return per_packet * bytes * machine.byte_time_s;  // start-ups cost nothing
    return (per_packet * bytes / packet + fill) * (machine.startup_s + packet * machine.byte_time_s);
  }
};

}  // namespace isotrope::cost
