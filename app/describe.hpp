// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Plans and reports in words, as tables and as JSON.
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "isotrope/schedule/plan.hpp"

#include "isotrope/verify/verify.hpp"

#include "app/options.hpp"

namespace isotrope::app {

using Json = nlohmann::ordered_json;

/// What the plan is for: network, collective, root, parts, ports, algorithm.
Json facts_of(const Subject& subject);

/// Adds what was found: valid, rounds, hops, transmissions, bound, optimal; of merged messages, what their
/// loads add up to and the least that they can.
void add_findings(Json& facts, const schedule::Plan& plan, const verify::Report& report);

/// A line "  label     text".
std::string line(const std::string& label, const std::string& text);

/// The head line: "total-exchange for alltoall on hypercube:6, all-port".
std::string headline(const Subject& subject);

/// What a network does without: " without nodes 5,12 and link 3-4"; empty where nothing failed.
std::string losses(const network::Network& network, const network::Failures& failed);

/// Lines with rounds, hops, link use, delay, bound and verdict, then the violations.
std::string findings_in_words(const Subject& subject, const verify::Report& report);

/// Seconds in a readable unit: "1.2 ms".
std::string format_seconds(double seconds);

/// A single JSON object on one line.
std::string dump(const Json& facts);

}  // namespace isotrope::app
