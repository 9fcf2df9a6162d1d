// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// A collective of several ranks a node by its two levels, the links between nodes and the memory inside them, beside the plan
// on the places of the ranks (network/node_places.hpp), which is one plan for both.
//
// Two other ways, in stages one after the other, each with the plan that choose_for gives it:
//
//     striping   a part of the data for every rank of a node, by memory; every rank with the same rank of the other nodes, each over its
//                lane of the links; the parts together, by memory
//     leaders    all data of a node at one rank, by memory; these ranks over whole links; from them to their nodes, by memory
//
//     allreduce of V, R ranks a node     striping   reduce-scatter V/R in memory, allreduce V/R in lanes, allgather V/R in memory
//                                        leaders    reduce V in memory, allreduce V over links, broadcast V in memory
//
// Bounds. Ranks of a node as one node are a schedule on the network of the nodes: its busiest links carry what the bound there says. The
// places of one rank number as one node are a schedule on the memory, that of all nodes together.
//
// Cost: choices on the network of the nodes and on complete:R.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "isotrope/network/parse.hpp"

#include "isotrope/cost/link_times.hpp"

#include "isotrope/planner/choice.hpp"

namespace isotrope::planner {

/// A job of several ranks a node.
struct NodeLevels {
  network::NamedNetwork nodes;  ///< with what has failed of it
  std::uint32_t ranks_per_node = 2;
  cost::Machine links;    ///< of whole links between nodes
  cost::LinkTime memory;  ///< between ranks of a node
};

struct Stage {
  std::string what;  ///< "reduce-scatter in memory"
  double seconds = 0;
};

/// A way in stages. No stages: this collective has no such way, or no plan for one of them.
struct StagedWay {
  std::string name;
  std::vector<Stage> stages;

  double seconds() const;
};

/// Striping, then leaders, with their predicted times. @param bytes as MPI counts them
std::vector<StagedWay> staged_ways(const NodeLevels& levels, Collective collective, std::uint64_t bytes);

/// The bounds of both levels and the ways in stages beside `choice`, the plan on the places, in lines as those of explain().
std::string explain_levels(const NodeLevels& levels, const Choice& choice);

}  // namespace isotrope::planner
