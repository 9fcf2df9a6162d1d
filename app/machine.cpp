// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/machine.hpp"

#include <bit>
#include <cstdint>

#include <fmt/format.h>

#include "isotrope/io/machine_file.hpp"

#include "app/subject.hpp"
#include "app/values.hpp"

namespace isotrope::app {

bool names_a_machine(const MachineOptions& options) {
  return !options.machine.empty() || options.startup || options.byte_time || options.internal_packet ||
         options.overlap || options.overhead;
}

cost::Machine cluster() {
  return {.startup_s = 2e-6, .byte_time_s = 1e-10};
}

cost::Machine chosen_machine(const MachineOptions& options, const cost::Machine& preset,
                             const std::string& ports) {
  cost::Machine machine = options.machine.empty() ? preset : io::read_machine(options.machine).machine;
  if (!ports.empty()) machine.ports = preset.ports;
  machine.startup_s = options.startup.value_or(machine.startup_s);
  machine.byte_time_s = options.byte_time.value_or(machine.byte_time_s);
  machine.internal_packet = options.internal_packet.value_or(machine.internal_packet);
  machine.overlap = options.overlap.value_or(machine.overlap);
  machine.overhead_s = options.overhead.value_or(machine.overhead_s);
  return machine;
}

cost::Machine chosen_machine(const MachineOptions& options, const ProblemOptions& problem,
                             schedule::PortModel ports) {
  cost::Machine preset = cluster();
  preset.ports = ports;
  return chosen_machine(options, preset, problem.ports);
}

void take_ports_of_machine(ProblemOptions& options, const MachineOptions& machine) {
  if (options.ports.empty() && !names_a_plan_file(options) && !machine.machine.empty())
    options.ports = to_string(io::read_machine(machine.machine).machine.ports);
}

namespace {

// ", along axis 2 4 us per start-up and 0.2 ns per byte"
std::string in_words(const cost::LinkClass& links) {
  std::string text = std::popcount(links.axes) == 1 ? ", along axis" : ", along axes";
  for (std::uint64_t axes = links.axes; axes != 0; axes &= axes - 1)
    text += fmt::format(" {}", std::countr_zero(axes));
  if (links.startup_s) text += fmt::format(" {:g} us per start-up", *links.startup_s * 1e6);
  if (links.startup_s && links.byte_time_s) text += " and";
  if (links.byte_time_s) text += fmt::format(" {:g} ns per byte", *links.byte_time_s * 1e9);
  return text;
}

}  // namespace

std::string in_words(const cost::Machine& machine) {
  std::string text = fmt::format("{:g} us per start-up, {:g} ns per byte", machine.startup_s * 1e6,
                                 machine.byte_time_s * 1e9);
  if (machine.internal_packet > 0)
    text += fmt::format(", at most {} per start-up", format_size(machine.internal_packet));
  if (machine.overlap > 0) text += fmt::format(", {:g} % overlap", 100 * machine.overlap);
  if (machine.overhead_s > 0) text += fmt::format(", {:g} us overhead per message", machine.overhead_s * 1e6);
  if (machine.overhead_byte_s > 0)
    text += fmt::format(", {:g} ns overhead per byte", machine.overhead_byte_s * 1e9);
  for (const cost::LinkClass& links : machine.link_classes()) text += in_words(links);
  if (machine.cut_through)
    text += fmt::format(", cut-through with {:g} ns per hop", machine.hop_time_s * 1e9);
  return text;
}

}  // namespace isotrope::app
