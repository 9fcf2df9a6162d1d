// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The machine that the options describe, by a file or one by one: what a start-up and a byte cost, what keeps
// processors busy, and what may overlap.
#pragma once

#include <string>

#include "isotrope/cost/machine.hpp"

#include "app/options.hpp"

namespace CLI {
class App;
}

namespace isotrope::app {

/// Adds --machine, --startup, --byte-time, --internal-packet, --overlap and --overhead to a subcommand.
void add_machine_options(CLI::App& command, Options& options);

/// A start-up of 2 us and links of 10 GB/s: an assumption of the size of today's clusters.
cost::Machine cluster();

/// Whether an option describes the machine.
bool names_a_machine(const Options& options);

/// The machine of --machine, or `preset`, with what the other options say instead. Its ports are those of the
/// file, or where --ports is given or there is no file those of the preset.
/// @throws Error for a file that is no machine's, a time that is negative or no number, or an overlap outside
/// 0..1.
cost::Machine chosen_machine(const Options& options, cost::Machine preset);

/// The options with --ports as the file of --machine says, where none are given and no plan file fixes them.
Options with_ports_of_machine(Options options);

/// "a start-up 2 us, a byte 0.1 ns, ..."
std::string in_words(const cost::Machine& machine);

/// Seconds from "0.005", "5ms", "1.7us" or "0.1ns".
/// @throws Error naming `option` where it is none of these, or negative.
double parse_seconds(const std::string& option, const std::string& text);

}  // namespace isotrope::app
