// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The sizes of the packets of a pipeline that sends several messages over a link at once.
//
// Messages that begin together on a link share it and end together; the link stands still while the next ones start
// up. So the first packets have other sizes, after which the ends of w messages lie one packet apart; from then on
// each message begins as another ends:
//
//     equal      start-up |=========|........|=========|........      2 in flight, each at half the speed
//                         |=========|........|=========|........
//
//     ramp       start-up |.........|========|.........|========      sizes 2 %, 100 %, 100 %, ...
//                         |=========|........|=========|........
//
// The link is busy if w - 1 packets take a start-up. In hundredths of a later packet:
//
//     w = 2      2 100
//     w = 3      2  50 105  80  75 105
//     w = 4      2  35  80 120 100  80  80 120
//
// In theory the first w are 0, 1/(w - 1), 1/(w - 1) + 1/(w - 2), ..., but with w > 2 the last of them would exceed a
// packet and delay those behind it on further links. The sizes here stay near a packet and reach the distance in two
// turns. Method: a search over chains of 4 to 10 links on which messages share the speed evenly.
#pragma once

#include <cstdint>

namespace isotrope::cost {

/// The most messages in flight for which there is a ramp; more gain nothing on packets of at least that size.
inline constexpr std::uint32_t most_in_flight = 4;
/// The weight of a packet behind the ramp.
inline constexpr std::uint32_t full_weight = 100;

/// The weight of packet `place` = 0, 1, ... of a pipeline with 2..most_in_flight messages in flight.
std::uint32_t ramp_weight(std::uint64_t place, std::uint32_t in_flight);
/// The weights of the first `packets` packets together.
std::uint64_t ramp_weights(std::uint64_t packets, std::uint32_t in_flight);
/// How many full packets a long pipeline has more than its bytes would make.
double ramp_packets(std::uint32_t in_flight);

}  // namespace isotrope::cost
