// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The buffers of one node under a plan, and the numbers that blocks have in them (contents.hpp).
//
//     input      the blocks the node contributes      alltoall, scatter's root, reduce-scatter: N, else 1
//     output     the blocks the node ends with        alltoall, allgather, gather's root: N, else 1
//     partial    if the node reduces for others, partial results, unit by unit as the input
//     slots      room for one unit each, for what the node passes on
//
// Scan and exscan have one block in and one out, but none out at the first node of an exscan. Allreduce has as many
// blocks in as out, the slices of one vector (vector_slices.hpp). The partial results of an allreduce, and of the root
// of a reduce, grow in the output.
//
// A node may name the block of another node by that node's number, or, so that all nodes of a class have the
// same buffers, by the difference to its own.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "isotrope/schedule/node_classes.hpp"
#include "isotrope/schedule/packets.hpp"
#include "isotrope/schedule/plan.hpp"

#include "isotrope/rank/places.hpp"

namespace isotrope::rank {

/// Before the first round or after the last: `count` units from one buffer to another of the same node.
struct BufferCopy {
  Buffer from = Buffer::input;
  Buffer to = Buffer::output;
  std::uint32_t first_from = 0;
  std::uint32_t first_to = 0;
  std::uint32_t count = 0;

  bool operator==(const BufferCopy&) const = default;
};

/// A block that is not numbered by a formula: of the collectives neighborhood, isotropic and task.
struct ListedBlock {
  Node other = 0;  ///< the destination of an input, the origin of an output
  std::uint32_t block = 0;

  bool operator==(const ListedBlock&) const = default;
};

struct NodeBuffers {
  std::uint32_t parts = 1;
  std::uint32_t input_blocks = 0;
  std::uint32_t output_blocks = 0;
  bool one_vector = false;           ///< input and output are one vector, cut into blocks (allreduce)
  bool partial_results = false;      ///< there is a buffer of partial results, as long as the input
  std::vector<ListedBlock> inputs;   ///< the names of the input blocks, if they are listed
  std::vector<ListedBlock> outputs;  ///< the names of the output blocks, if they are listed
  std::vector<BufferCopy> opening;   ///< before the first round
  std::vector<BufferCopy> closing;   ///< after the last round

  bool operator==(const NodeBuffers&) const = default;

  /// The buffer that partial results grow in.
  Buffer home() const { return partial_results ? Buffer::partial : Buffer::output; }
};

/// The numbers of listed blocks at their nodes, in ascending order of their names.
class BlockList {
 public:
  using Owned = std::pair<Node, ListedBlock>;  // node or class, name

  void add(Node owner, ListedBlock name, schedule::PacketId packet) {
    entries_.push_back({{owner, name}, packet});
  }
  /// The blocks, owner by owner; sets numbers[packet] for every packet that was added.
  std::vector<Owned> number(std::vector<std::uint32_t>& numbers);

 private:
  struct Named {
    Owned block;
    schedule::PacketId packet;
  };
  std::vector<Named> entries_;
};

/// The units of packets in the input at their origin and in the output at their destination.
class UnitNumbers {
 public:
  UnitNumbers() = default;
  /// The units of the collectives whose blocks are not listed.
  explicit UnitNumbers(const schedule::Plan& plan);
  /// The units of listed blocks, by packet.
  UnitNumbers(std::uint32_t parts, std::vector<std::uint32_t> input_of, std::vector<std::uint32_t> output_of);

  /// @param number the block's, if blocks are numbered by their nodes
  std::uint32_t input(std::uint64_t packet, std::uint32_t part, Node number) const {
    return unit(input_of_, input_by_node_, packet, part, number);
  }
  std::uint32_t output(std::uint64_t packet, std::uint32_t part, Node number) const {
    return unit(output_of_, output_by_node_, packet, part, number);
  }
  bool input_by_node() const { return input_by_node_; }
  bool output_by_node() const { return output_by_node_; }

 private:
  std::uint32_t unit(const std::vector<std::uint32_t>& listed, bool by_node, std::uint64_t packet,
                     std::uint32_t part, Node number) const {
    if (!listed.empty()) return listed[packet] * parts_ + part;
    return (by_node ? number * parts_ : 0) + part;
  }

  std::uint32_t parts_ = 1;
  bool input_by_node_ = false, output_by_node_ = false;
  std::vector<std::uint32_t> input_of_, output_of_;
};

/// The buffers of `node` in the part of node `place` of the plan; sets the numbers of units.
/// @pre the plan is valid.
NodeBuffers lay_out(const schedule::Plan& plan, Node node, Node place, UnitNumbers& numbers);

}  // namespace isotrope::rank
