// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Total exchange around failures: the timetable of the network before the failures, repaired.
//
//     kept       every packet whose whole way is up and in time keeps its slots
//     left out   packets of failed nodes
//     inserted   all others, the longest first, each by the cheapest way through open slots. A packet whose slot is
//                taken is inserted again (slot_search.hpp)
//     rounds     from the lower bound up, by 1, 2, 4, ... (more beyond 1024 rounds), until all packets fit; then fewer,
//                by bisection
//
// A quick attempt makes ejections dear and gives up when the queue of packets to insert does not get shorter. A
// persistent one makes them cheap and goes on until its share of the work is used. The bound is attempted quickly,
// unless more than 5000 packets are to be inserted; two persistent attempts follow, then quick ones of more and more
// rounds, which end in success. Bisection is persistent.
//
// Claim: at the bound for one failure on the tori tried; the rounds are not proved least.
// Cost: 20 to 70 us a search; 1.6 to 3 searches a packet to insert. The limits count links that are looked at, so that
// every machine finds the same schedule. Memory: 8 bytes a hop and 8 a slot.
#pragma once

#include <optional>

#include "isotrope/network/surviving_network.hpp"

#include "isotrope/schedule/schedule.hpp"
#include "isotrope/schedule/task.hpp"

#include "isotrope/algorithm/search_limits.hpp"

namespace isotrope::algorithm {

/// A schedule of the alltoall `task` on what is left of a network, all ports, with packets listed; nothing if none is
/// found in `most_rounds`. `whole` is one for the same task on the network before nodes and links failed, open axes
/// open. @pre nodes that are up can reach each other.
std::optional<schedule::Schedule> repair_total_exchange(const network::SurvivingNetwork& network,
                                                        const schedule::Task& task,
                                                        const schedule::Schedule& whole,
                                                        std::uint64_t most_rounds,
                                                        const SearchLimits& limits);

}  // namespace isotrope::algorithm
