// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The machine that the options describe: what a start-up and a byte cost, and what may overlap.
#pragma once

#include <string>

#include "isotrope/simulate/machine.hpp"

#include "app/options.hpp"

namespace CLI {
class App;
}

namespace isotrope::app {

/// Adds --startup, --byte-time, --internal-packet and --overlap to a subcommand.
void add_machine_options(CLI::App& command, Options& options);

/// A start-up of 2 us and links of 10 GB/s: an assumption of the size of today's clusters.
simulate::Machine cluster();

/// `preset` with what the options say instead; its ports are those of --ports where given.
/// @throws Error for a time that is negative or no number, or an overlap outside 0..1.
simulate::Machine chosen_machine(const Options& options, simulate::Machine preset);

/// "a start-up 2 us, a byte 0.1 ns, ..."
std::string in_words(const simulate::Machine& machine);

/// Seconds from "0.005", "5ms", "1.7us" or "0.1ns".
/// @throws Error naming `option` where it is none of these, or negative.
double parse_seconds(const std::string& option, const std::string& text);

}  // namespace isotrope::app
