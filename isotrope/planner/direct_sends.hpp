// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Direct sends: on a cut-through machine every node sends to every other without a stop on the way.
//
// For the plan all pairs of nodes are joined; the machine carries each message along a shortest path, and
// messages share links. Two forms:
//
//     merged    one round in which a node sends all its messages; over all ports only
//     single    N - 1 rounds of one message a node: in round s - 1 node v sends to v + s, the sum taken in
//               the network's group, so that every round loads the links of a port alike
//
// A round takes simulate::Machine::direct_round_time, with the diameter as the hops and the busiest link
// under the routes of isotropic tasks (algorithm/route_choice.hpp). Between all nodes they are balanced; from
// one root they are not, for machines route axis by axis: half of all messages leave the root of a hypercube
// over one link. An allgather sends a copy to every node and loads links as alltoall does, a broadcast as
// scatter.
//
//     alltoall on torus:4x4     single    15 rounds, busiest links 1 or 2: 19 blocks together
//                               merged    1 round, busiest link 8
//
// Cost: O(N distance). Memory: of the single form on a group that is not cyclic N - 1 ports a node.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "isotrope/schedule/plan.hpp"

#include "isotrope/simulate/machine.hpp"

#include "isotrope/planner/catalog.hpp"
#include "isotrope/planner/prediction.hpp"

namespace isotrope::planner {

/// The name in requests and candidates.
inline constexpr std::string_view direct_sends_name = "direct-sends";

class DirectSends {
 public:
  /// Of the request's network, collective, root and merging. @pre direct_obstacle(request) is nothing.
  explicit DirectSends(const Request& request);

  /// Blocks of `block_bytes`, each sent whole. @pre machine.cut_through.
  Prediction predict(std::uint64_t block_bytes, const simulate::Machine& machine) const;

 private:
  std::uint64_t others_;  // N - 1
  std::uint32_t diameter_;
  std::map<std::uint64_t, std::uint64_t> rounds_;  // by the blocks over the busiest link
};

/// Why direct sends cannot serve the request, or nothing where they can.
std::optional<std::string> direct_obstacle(const Request& request);

/// The plan of direct sends, on complete:N, whose nodes have the numbers of the network's; in the single form
/// of an exchange, where the group is not cyclic, on the Cayley graph of the group with all its elements.
/// @pre as for DirectSends.
schedule::Plan make_direct_plan(const Request& request);

}  // namespace isotrope::planner
