// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// A trace as a reader finds it, whatever its format, and what every trace is held to.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "isotrope/schedule/plan.hpp"

namespace isotrope::exports {

struct Operation {
  enum class Kind { send, receive, calculate };

  Kind kind = Kind::calculate;
  network::Node peer = 0;
  std::uint64_t tag = 0;
  std::uint64_t bytes = 0;          ///< of calculate, those that are combined
  std::vector<std::size_t> awaits;  ///< operations of the same rank that must be over
};

/// By rank, its operations.
using Trace = std::vector<std::vector<Operation>>;

/// Reads a GOAL schedule; throws std::runtime_error where it is none.
Trace read_goal(const std::string& text);
/// Reads the SimGrid traces of the ranks.
Trace read_simgrid_traces(const std::vector<std::string>& ranks);
/// Reads the Chakra traces of the ranks.
Trace read_chakra(const std::vector<std::string>& ranks);

/// "" where the messages are the plan's, byte by byte, and every node combines what it does in the plan.
std::string compare(const Trace& trace, const schedule::Plan& plan, std::uint64_t block_bytes);

/// "" where whatever a rank does in a round waits for all that it sends and receives in earlier rounds, and
/// what it combines for all receipts of its round. A round has `copies` tags.
std::string check_lock_step(const Trace& trace, std::uint64_t copies = 1);

/// Runs the operations, those that may run in random order, and checks that senders hold what they send and
/// every node ends with what it must. "" or what went wrong, a standstill among it.
/// @pre No message of the plan is without bytes.
std::string run(const Trace& trace, const schedule::Plan& plan, unsigned seed);

}  // namespace isotrope::exports
