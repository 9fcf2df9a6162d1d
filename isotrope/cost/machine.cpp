// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/cost/machine.hpp"

#include <bit>
#include <cmath>
#include <string_view>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"

namespace isotrope::cost {
namespace {

using schedule::PortModel;

void require_time(std::string_view name, double seconds) {
  if (std::isfinite(seconds) && seconds >= 0) return;
  throw Error(fmt::format("{} of {} s: give a finite number of seconds, 0 or more", name, seconds));
}

void check_link_classes(const Machine& machine) {
  if (machine.link_class_count > most_link_classes)
    throw Error(fmt::format("{} link classes: give at most {}", machine.link_class_count, most_link_classes));
  std::uint64_t taken = 0;
  for (const LinkClass& links : machine.link_classes()) {
    if (links.axes == 0) throw Error("a link class without axes: give at least one");
    if ((taken & links.axes) != 0)
      throw Error(fmt::format("axis {} is in two link classes: leave it out of one",
                              std::countr_zero(taken & links.axes)));
    taken |= links.axes;
    require_time("start-up of a link class", links.startup_s.value_or(0));
    require_time("byte time of a link class", links.byte_time_s.value_or(0));
  }
}

}  // namespace

void check(const Machine& machine, Port degree) {
  require_time("start-up", machine.startup_s);
  require_time("byte time", machine.byte_time_s);
  require_time("overhead", machine.overhead_s);
  require_time("overhead of a byte", machine.overhead_byte_s);
  require_time("overhead of a receipt", machine.receive_overhead_s);
  require_time("hop time", machine.hop_time_s);
  if (machine.hop_time_s > 0 && !machine.cut_through)
    throw Error(fmt::format("hop time of {} s on a machine without cut-through: give 0 s, or cut-through",
                            machine.hop_time_s));
  check_link_classes(machine);
  if (!(machine.overlap >= 0 && machine.overlap <= 1))
    throw Error(fmt::format("overlap {}: give a share from 0 to 1", machine.overlap));
  const PortModel ports = machine.ports;
  if (ports.kind == PortModel::Kind::k_port && (ports.k == 0 || ports.k > degree))
    throw Error(fmt::format("a machine of {} ports at once: give 1 to {}, the degree of the network", ports.k,
                            degree));
}

Machine cluster() {
  return {.startup_s = 2e-6, .byte_time_s = 1e-10};
}

Machine intel_ipsc() {
  return {.startup_s = 4.1e-3,
          .byte_time_s = 2.8e-6,
          .internal_packet = 1024,
          .ports = PortModel::half(),
          .overlap = 0.2};
}

}  // namespace isotrope::cost
