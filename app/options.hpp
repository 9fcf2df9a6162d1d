// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The options that every subcommand shares, and the subject they name: a plan file, or a network and a
// collective.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "isotrope/schedule/plan.hpp"

#include "isotrope/planner/plan.hpp"

namespace CLI {
class App;
}

namespace isotrope::app {

/// As given; empty where not given.
struct Options {
  std::string subject;  ///< positional: a plan file, or the name of a network
  std::string network;
  std::string collective;
  std::string root;
  std::string ports;
  std::string parts;
  std::string algorithm;
  std::string order;
  std::string merge;
  std::string objective;
  std::string bytes;
  std::string packet;
  std::string output;
  bool json = false;
  std::vector<std::string> names;  ///< compare: the architectures
  std::string failed_nodes;
  std::string failed_links;
  std::string node;     ///< network: the node to show
  std::string to;       ///< network: the node to measure the distance to; route: the last node
  std::string threads;  ///< run
  std::string route;    ///< draw: FROM:TO
  std::string round;    ///< draw: the only round to show
  std::string format;   ///< export
  bool all = false;     ///< reproduce: everything
  std::string policy;   ///< simulate, as are the next two
  std::string seed;
  std::string runs;
  std::string from;     ///< compare-algorithms: the smallest block; route: the first node
  std::string upto;     ///< compare-algorithms: the largest block
  std::string machine;  ///< a machine file
  std::string startup;  ///< of the machine, as are the next four
  std::string byte_time;
  std::string internal_packet;
  std::string overlap;
  std::string overhead;
  bool explain = false;  ///< plan: tell all candidates and why one was chosen
  std::string type;      ///< run, as are the next two
  std::string operation;
  std::string backend;
  std::vector<std::string> arguments;  ///< of the program, for the one that it hands over to
};

/// Adds the shared options to a subcommand.
void add_common_options(CLI::App& command, Options& options);

/// Adds --failed-nodes and --failed-links, which the shared options have already.
void add_failure_options(CLI::App& command, Options& options);

/// Whether the positional argument names a plan file rather than a network.
bool names_a_plan_file(const Options& options);

/// The network that the options name, by itself or in a plan file.
network::Network chosen_network(const Options& options);

/// The failures that --failed-nodes and --failed-links name.
network::Failures chosen_failures(const Options& options, const network::Network& network);

/// For commands that know whole networks only.
/// @throws Error where failures are given; it says `what` has to be whole.
void refuse_failures(const Options& options, std::string_view what);

/// What the options ask to be planned. A packet size (--packet) stands for the parts that blocks of --bytes
/// are cut into, or, where it holds several blocks of a scatter or gather, for merging so many.
/// @throws Error where network or collective are missing or anything is out of range.
planner::Request chosen_request(const Options& options);

/// A plan, read from a file or made and not yet verified.
struct Subject {
  schedule::Plan plan;
  std::string algorithm;  ///< empty for a plan that was read
  double seconds = 0;     ///< planning or reading
  double verify_seconds = 0;
};
Subject chosen_plan(const Options& options);

/// Verifies the plan, with progress, and takes the time. A plan that was made claims optimality where it is
/// shown; one that was read keeps its claims.
verify::Report verified(Subject& subject);

/// The value of --bytes.
/// @throws Error where it is missing or no size.
std::uint64_t chosen_bytes(const Options& options);

/// A whole number given for `option`.
/// @throws Error where it is none.
std::uint64_t number_option(const std::string& option, const std::string& value);

/// A node of the network given for `option`.
/// @throws Error where it is none.
network::Node node_option(const std::string& option, const std::string& value,
                          const network::Network& network);

/// Writes the plan to the file of -o, if one is given; an interrupt leaves no part of it.
void write_chosen_plan(const Options& options, const schedule::Plan& plan);

/// Writes `text` to stdout, or to the file of -o.
void print_or_write(const Options& options, const std::string& text);

}  // namespace isotrope::app
