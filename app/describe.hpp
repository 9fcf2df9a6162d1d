// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Plans and reports in words, as tables and as JSON.
#pragma once

#include <string>

#include "isotrope/schedule/plan.hpp"

#include "isotrope/verify/verify.hpp"

#include "app/json.hpp"
#include "app/subject.hpp"

namespace isotrope::app {

/// What the plan is for: network, collective, root, parts, ports, algorithm.
Json facts_of(const Subject& subject);

/// Adds what was found: valid, rounds, hops, transmissions, bound, optimal; for messages of several packets also the
/// total load of the busiest links and its lower bound.
void add_findings(Json& facts, const schedule::Plan& plan, const verify::Report& report);

/// A line "  label     text".
std::string line(const std::string& label, const std::string& text);

/// The head line: "total-exchange for alltoall on hypercube:6, all-port".
std::string headline(const Subject& subject);

/// The failures of a network: " without nodes 5,12 and link 3-4"; empty if nothing failed.
std::string losses(const network::Network& network, const network::Failures& failed);

/// Lines with rounds, hops, link utilisation, delay, bound and verdict, then the violations.
std::string findings_in_words(const Subject& subject, const verify::Report& report);

/// Prints what was found of a plan that a command cannot use, as the options say.
void print_findings(std::string_view command, const OutputOptions& options, const Subject& subject,
                    const verify::Report& report);

/// Seconds in a readable unit: "1.2 ms".
std::string format_seconds(double seconds);

}  // namespace isotrope::app
