// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Timetables of any network, layer by layer: a packet with j hops to go leaves in round D - j, for diameter D, over
// a port that leads nearer.
//
//     round 0      layer D  ---->          with all ports; with k of them the ports 0..k-1 of a layer come
//     round 1      layer D - 1  ---->      first, then the next k, in ceil(degree / k) rounds
//     ...
//     round D - 1  layer 1  ---->  0
//
// The parts of all addresses of a layer are shared out among the ports that lead nearer (port_shares.hpp).
//
// Claims: D rounds with all ports, the least, and otherwise D ceil(degree / k). With all ports no other timetable
// that goes layer by layer has smaller loads for scatter and allgather. On networks with ports alike the loads add
// up to the sum, over the layers of n nodes, of ceil(n P / degree): the degree bound for P a multiple of the degree.
// With k ports they do so if k divides the degree, over one port for any P.
// Cost: O(N degree) for the layers, O(N P) for the tables, and that of port_shares.hpp.
// Source: Ho and Johnsson 1986, Lemma 4.2 (layer by layer) and Section 4.1 (balanced trees); on hypercubes
// with as many parts as ports Johnsson and Ho 1989.
#pragma once

#include "isotrope/schedule/port_model.hpp"

#include "isotrope/algorithm/timetable/timetable.hpp"

namespace isotrope::algorithm {

/// The tables of `parts` >= 1 parts, one each. @pre nodes times parts stay below 2^32, and `ports` is not
/// half duplex.
Timetable layered_timetable(const network::Network& network, std::uint32_t parts, schedule::PortModel ports);

}  // namespace isotrope::algorithm
