// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The machine that the options describe, by a file or one by one: the cost of start-ups and bytes, the work of
// processors, and overlap.
#pragma once

#include <cstdint>
#include <string>

#include "isotrope/network/parse.hpp"

#include "isotrope/schedule/problem.hpp"

#include "isotrope/cost/machine.hpp"

#include "isotrope/io/machine_file.hpp"

#include "app/options.hpp"

namespace isotrope::app {

/// Whether an option describes the times of the machine.
bool names_times(const MachineOptions& options);

/// The content of a machine file, which a process reads once, so that it may be a pipe.
/// @throws Error for a file that is no machine's.
const io::NamedMachine& machine_file(const std::string& file);

/// The ranks a node that the file of --machine gives; 1 without a file.
std::uint32_t ranks_per_node(const MachineFileOptions& options);

/// The machine of --machine, or `preset`; the times override its values. If `ports`, the value of --ports, is
/// empty, the ports are those of the file; if it is not, or there is no file, they are those of `preset`.
cost::Machine chosen_machine(const MachineOptions& times, const MachineFileOptions& file,
                             const cost::Machine& preset, const std::string& ports = {});

/// The machine for `places`, the network of the problem: with several ranks a node, that of their places
/// (cost/node_places.hpp). The preset is cost::cluster() under `ports`; `problem` may give --ports.
cost::Machine chosen_machine(const MachineOptions& times, const ProblemOptions& problem,
                             schedule::PortModel ports, const network::NamedNetwork& places);

/// `links`, the machine of one link, for the places of the ranks of the file.
cost::Machine on_places(const cost::Machine& links, const MachineFileOptions& file,
                        const network::NamedNetwork& places);

/// "2 us per start-up, 0.1 ns per byte, ..."
std::string in_words(const cost::Machine& machine);

/// The line that says that rounds count links of all classes alike, if the machine or the problem's links have classes; else
/// nothing.
std::string line_of_link_classes(const schedule::Problem& problem, const MachineFileOptions& options);

}  // namespace isotrope::app
