// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The trees of words with which a scan takes few rounds.
//
// Tried are the trees of word_tree.hpp for many orders of the ports. How many rounds a tree takes is estimated at a few
// senders: a port sends its messages one a round, each not before the subtree below it is high, and in time for its
// receivers; the most urgent of those that are there first. The order of the ports decides how many different
// messages there are, on hexmesh:12 11 to 25 on the busiest link.
//
// Cost: a limit of work, 2^26 steps. The same tree every time.
#pragma once

#include <vector>

#include "isotrope/network/network.hpp"

#include "isotrope/schedule/port_model.hpp"

#include "isotrope/algorithm/scan/word_tree.hpp"

namespace isotrope::algorithm {

/// The most promising trees first: at least one, and more the smaller the network.
std::vector<WordTree> promising_word_trees(const network::Network& network, schedule::PortModel ports);

}  // namespace isotrope::algorithm
