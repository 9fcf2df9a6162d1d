// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The machine that the options describe, by a file or one by one: the cost of start-ups and bytes, the work of
// processors, and overlap.
#pragma once

#include <string>

#include "isotrope/cost/machine.hpp"

#include "app/options.hpp"

namespace isotrope::app {

/// The default machine of predictions: a start-up of 2 us and links of 10 GB/s, about a cluster of today.
cost::Machine cluster();

/// Whether an option describes the machine.
bool names_a_machine(const MachineOptions& options);

/// The machine of --machine, or `preset`; the other options override its values. If `ports`, the value of --ports, is
/// empty, the ports are those of the file; if it is not, or there is no file, they are those of `preset`.
/// @throws Error for a file that is no machine's.
cost::Machine chosen_machine(const MachineOptions& options, const cost::Machine& preset,
                             const std::string& ports = {});

/// The same with cluster() under `ports` as the preset; `problem` may give --ports.
cost::Machine chosen_machine(const MachineOptions& options, const ProblemOptions& problem,
                             schedule::PortModel ports);

/// Sets --ports to what the file of --machine says, if neither --ports nor a plan file fixes them.
void take_ports_of_machine(ProblemOptions& options, const MachineOptions& machine);

/// "2 us per start-up, 0.1 ns per byte, ..."
std::string in_words(const cost::Machine& machine);

}  // namespace isotrope::app
