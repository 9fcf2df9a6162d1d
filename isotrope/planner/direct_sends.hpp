// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Direct sends: on a cut-through machine nodes send to others without a stop on the way.
//
// For the plan the nodes that send to each other are joined; the machine carries each message along a
// shortest path, and messages share links. Forms, by name:
//
//     direct-sends, merged        one round in which every node sends to every other; over all ports only
//     direct-sends                N - 1 rounds of one message a node: in round s - 1 node v sends to v + s, the
//                                 sum taken in the network's group, so that every round loads the links of a
//                                 port alike; not for what combines
//     direct-sends-by-G, merged   G binary digits of the nodes' numbers a round (algorithm/digit_sends.hpp),
//                                 fewer and longer messages; G = 1 also over one port
//
// direct_rounds.hpp says what they cost. An allgather sends a copy to every node and loads links as alltoall
// does.
//
//     alltoall on torus:4x4     single       15 rounds, busiest links 1 or 2: 19 blocks together
//                               merged       1 round, busiest link 8
//                               by-2         2 rounds of 3 messages with 4 blocks each
//
// Cost: O(N distance). Memory: of the single form on a group that is not cyclic N - 1 ports a node.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "isotrope/schedule/plan.hpp"

#include "isotrope/cost/machine.hpp"

#include "isotrope/planner/catalog.hpp"
#include "isotrope/planner/direct_rounds.hpp"

namespace isotrope::planner {

/// The name in requests and candidates, of all digits at once; others add "-by-G" to it.
inline constexpr std::string_view direct_sends_name = "direct-sends";

/// The names of all forms for a network, that of all digits at once first.
std::vector<std::string> direct_sends_names(const Network& network);

class DirectSends {
 public:
  /// Of the request's network, collective, root, merging and algorithm, where none stands for all digits at
  /// once. @pre direct_obstacle(request) is nothing.
  explicit DirectSends(const Request& request);

  /// Blocks of `block_bytes`, each sent whole. @pre machine.cut_through.
  Prediction predict(std::uint64_t block_bytes, const cost::Machine& machine) const {
    return predict_rounds(rounds_, block_bytes, machine);
  }

 private:
  class Counting;

  std::vector<DirectRound> rounds_;
};

/// Why direct sends cannot serve the request, or nothing where they can. @pre its algorithm is empty or one of
/// direct_sends_names().
std::optional<std::string> direct_obstacle(const Request& request);

/// The plan of direct sends: of all digits at once on complete:N, whose nodes have the numbers of the
/// network's, else, and in the single form of an exchange on a group that is not cyclic, on a Cayley graph of
/// the network's group. @pre as for DirectSends.
schedule::Plan make_direct_plan(const Request& request);

}  // namespace isotrope::planner
