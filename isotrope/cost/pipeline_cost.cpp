// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/cost/pipeline_cost.hpp"

#include <algorithm>
#include <cmath>

namespace isotrope::cost {

double PipelineCost::best_packet(double bytes, const Machine& machine) const {
  const double wire = fill * machine.byte_time_s;
  if (wire == 0) return bytes;
  return std::min(bytes, std::sqrt(per_packet * bytes * machine.startup_s / wire));
}

double PipelineCost::least_time(double bytes, const Machine& machine) const {
  const double packet = best_packet(bytes, machine);
  if (packet == 0) return per_packet * bytes * machine.byte_time_s;  // start-ups cost nothing
  return (per_packet * bytes / packet + fill) * (machine.startup_s + packet * machine.byte_time_s);
}

}  // namespace isotrope::cost
