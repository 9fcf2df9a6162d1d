// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Allreduce on any network, around failures too, over all ports: broadcasts together with their own time mirror.
//
// A broadcast backwards in time is a reduction. Let S broadcast B packets in T rounds, packet b from its root from round s_b
// on, with
//
//     pairs     a partner b' of each b, perhaps itself, with the same root and s_b + s_b' >= T
//     slots     S uses at most one of the link u -> v in round t and the link v -> u in round T - 1 - t
//
// Then S and its mirror, in which the broadcast of b', backwards, reduces packet b, are an allreduce: the reduction of b
// is over after T - s_b' <= s_b rounds, and no link carries two packets. A reduce-scatter and an allgather are the case in
// which all broadcasts begin at T / 2; here some begin early, so that a node with few links sends and receives all the
// time.
//
//     mesh:8x8x8, a block per node    two stages 342 rounds    mirrored 197    bound 195
//
// Method. Roots are nodes of small eccentricity, in turn. Late packets begin at even distances from T / 2 on, or at random
// if there are few, their early partners as much before. Round by round each node, in random order, takes over each of its
// links a packet that it lacks, one that the fewest of its neighbours hold (rarest first), of these the one that began last,
// or in other runs any. In the first half a link is used in turns: a potential tells for which share of the time packets must
// flow towards each of its ends so that all nodes receive as much in both halves together (link_shares.hpp). In the second
// half a link is used if its mirror slot is free. A run that leaves few hops undelivered is completed by ejections
// (broadcast_repair.hpp). The search tries fewer rounds after every success. On a network with open axes, in three runs of
// four the first nodes of orbits choose, and their images do the same (schedule/symmetries.hpp): such a run takes as many
// times less as an orbit has nodes, and comes closer to the bound. In the middle one of an odd number of rounds, a link and
// its mirror slot may be images of each other; then the link is not used.
//
// Claim: 2 (N - 1) transmissions a packet, the least possible; 1.02 to 1.12 times the bound on the networks of 16 to 512 nodes
// with open axes that were tried, 1.05 at most for 4 parts a block. On whole networks that look alike from every node, two
// stages are as good or better.
// Cost: a run looks at each link once a round, O(B / 64) words at a time: 0.05 s on mesh:8x8x8. Deterministic.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "isotrope/network/surviving_network.hpp"

#include "isotrope/schedule/schedule.hpp"

#include "isotrope/algorithm/search_limits.hpp"

namespace isotrope::algorithm {

/// Which nodes the blocks of a vector are reduced at: those of the schedule that takes the fewest rounds, or the same ones
/// for any number of parts.
enum class MirrorRoots { any, fixed };

/// The schedule for a vector of a block per survivor, each of `parts` >= 1 parts: one stage that reduces and then copies,
/// packets in orbits, or listed by ascending origin. @pre survivors can reach each other, and there are at least two.
schedule::Schedule mirrored_broadcasts(const network::SurvivingNetwork& network, std::uint32_t parts,
                                       const SearchLimits& limits, MirrorRoots roots = MirrorRoots::any);

/// The parts of a block cut into groups that are worth a search, of nearly equal size, one after the other: a run takes
/// O(parts^2) steps.
std::vector<std::uint32_t> mirrored_groups(std::uint64_t nodes, std::uint32_t parts);

/// The schedules of groups of parts, one after the other. `of_group(parts)` is that of a group, with fixed roots.
schedule::Schedule groups_in_turn(
    std::span<const std::uint32_t> groups,
    const std::function<const schedule::Schedule&(std::uint32_t parts)>& of_group);

}  // namespace isotrope::algorithm
