// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Prices at which the packets of a task pay much, over what a round takes in.
//
// Links, sends of a node and receipts of a node have prices >= 0. A hop pays for its link, its sender and its receiver,
// so a packet pays at least the length of a shortest way by prices, whichever way it goes. A round takes in at most
//
//     all ports      the prices of all links
//     k ports        the prices of all links, and k times those of all sends and of all receipts
//     half duplex    the prices of all nodes, as a node sends or receives (sends and receipts have one price), and
//                    floor(N / 2) times a price of hops, as a hop takes two nodes
//
// So rounds >= the payments of all packets / the income of a round, for any prices. The best prices are dual to the best fractional
// routes.
//
// Method: multiplicative weights. A trial sends all packets by cheapest ways; the price of what is used falls off
// exponentially with how far its use, in all trials so far, is below the largest. All in whole numbers, so everyone finds
// the same prices. Cost: some trials, each a search from every sender, of `most_links` links together; none if that allows
// fewer than 20.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "isotrope/bound/graph_view.hpp"

namespace isotrope::bound {

/// Packets from one node.
struct Sender {
  Node from;
  std::vector<std::pair<Node, std::uint64_t>> packets;  ///< by destination
};

/// At some prices.
struct Payment {
  std::uint64_t paid = 0;    ///< by all packets, at least
  std::uint64_t income = 0;  ///< of a round, at most
};

/// Takes the payment of every trial.
using TakePayment = std::function<void(const Payment&)>;

/// Up to so many trials. @pre all packets can reach their destinations; 2^24 times all packets and hops fit 63 bits
void search_prices(const GraphView& view, std::vector<Sender> senders, std::uint64_t most_links,
                   std::uint64_t most_trials, const TakePayment& take);

}  // namespace isotrope::bound
