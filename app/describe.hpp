// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Plans and reports in words, as tables and as JSON.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "isotrope/schedule/plan.hpp"

#include "isotrope/verify/verify.hpp"

#include "isotrope/planner/choice.hpp"

#include "app/json.hpp"
#include "app/subject.hpp"
#include "isotrope/reproduce/architecture_facts.hpp"

namespace isotrope::app {

/// The facts of a problem: network, collective, parts, ports.
Json facts_of(const schedule::Problem& problem);

/// A time bound and its parts.
Json facts_of(const planner::TimeBound& bound);

/// What is measured of a graph: nodes, links, diameter, average distance; where they are known connectivity, bisection
/// and shortest paths.
Json graph_facts(const reproduce::ArchitectureFacts& facts);

/// The facts of a plan before it is verified: network, collective, root, failures, parts, ports, algorithm.
Json facts_of(const Subject& subject);

/// The facts of a verified plan: those of facts_of, then valid, rounds, hops, transmissions, bound, optimal; for
/// messages of several packets also the total load of the busiest links and its lower bound.
Json findings(const Subject& subject, const verify::Report& report);

/// "1 hop", "2 hops".
std::string counted(std::uint64_t number, std::string_view noun);

/// The problem in words: "alltoall on hypercube:6 without node 5, all-port".
std::string heading(const schedule::Problem& problem);

/// A line "  label     text".
std::string line(const std::string& label, const std::string& text);

/// The head line: "total-exchange for alltoall on hypercube:6, all-port".
std::string headline(const Subject& subject);

/// The head line; lines with rounds, hops, link utilisation, delay, bound and verdict; then the violations.
std::string findings_in_words(const Subject& subject, const verify::Report& report);

/// Prints the findings of a plan that is not valid, in words or as JSON.
void print_findings(std::string_view command, const OutputOptions& options, const Subject& subject,
                    const verify::Report& report);

/// Seconds in a readable unit: "1.2 ms".
std::string format_seconds(double seconds);

}  // namespace isotrope::app
