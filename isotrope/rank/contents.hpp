// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The meaning of the blocks of a node's buffers, for every collective: their number, the owner of the data in an
// input block, and the owner of the data that an output block must hold in the end.
//
//                         input                      output
//     broadcast           root: whole                whole, the root's
//     scatter             root: block b for node b   whole, the root's for this node
//     gather              whole                      root: block b of node b
//     allgather           whole                      block b of node b
//     alltoall            block b for node b         block b of node b, for this node
//     reduce              whole                      root: whole, reduced
//     reduce-scatter      block b for node b         whole, reduced, for this node
//     scan, exscan        whole                      whole, reduced, for this node
//     allreduce, barrier  slice b of one vector      slice b of it, reduced
//     neighborhood, isotropic, task                  listed by the program, with node and number
//
// Cost: O(1).
#pragma once

#include <cstdint>

#include "isotrope/schedule/schedule.hpp"
#include "isotrope/schedule/task.hpp"

#include "isotrope/rank/program.hpp"

namespace isotrope::rank {

/// The meaning of the number of a block of a buffer.
enum class BlockMeaning : std::uint8_t {
  whole,    ///< there is one block
  by_node,  ///< block b belongs to node b
  slice,    ///< block b is slice b of one vector
  listed    ///< the program lists node and number of the block
};

/// The blocks of both buffers of a node that has them.
struct BlockMeanings {
  BlockMeaning input;
  BlockMeaning output;
};

BlockMeanings block_meanings(schedule::Collective collective);

/// Contributor of a block that is the reduction of the contributions of all nodes, or in a scan or exscan of those up
/// to its destination.
inline constexpr Node everyone = schedule::to_all;

/// The name of the data in a block. Blocks of equal names hold equal data.
struct BlockContent {
  Node contributor = 0;     ///< the node that gave the data, or everyone
  Node destination = 0;     ///< the node that the data are for; 0 if they are for all, or for the root
  std::uint32_t block = 0;  ///< the number of the slice or of the listed block, else 0

  bool operator==(const BlockContent&) const = default;
};

/// Names the data in the buffers of one node.
class Contents {
 public:
  /// The buffers of `node` under `program`, which must outlive this. @param root of the rooted collectives,
  /// moved as the program was.
  Contents(schedule::Collective collective, const RankProgram& program, Node node, Node root);

  /// The data that the node contributes in block `block` of its input. @pre block < program.input_blocks
  BlockContent input(std::uint32_t block) const;
  /// Of a reduced block, the number of its contributors, which are nodes 0, 1, ... @pre nothing has failed
  Node contributors(const BlockContent& reduced, Node nodes) const;
  /// The contribution of a node to a reduced block.
  BlockContent contribution(const BlockContent& reduced, Node contributor) const;
  /// The data that block `block` of the output must hold in the end; if the program reduces what it has gathered,
  /// before that. @pre block < program.output_blocks
  BlockContent output(std::uint32_t block) const;

 private:
  const RankProgram& program_;
  BlockMeanings meanings_;
  Node node_;
  Node giver_;  // of a whole output: the root, or everyone
  schedule::Collective collective_;
};

}  // namespace isotrope::rank
