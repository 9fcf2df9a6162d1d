// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/rank/contents.hpp"

namespace isotrope::rank {

using schedule::Collective;

namespace {

// What a program moves: one that reduces what it has gathered is an allgather.
Collective moved_by(const RankProgram& program, Collective collective) {
  return program.reduces_gathered ? Collective::allgather : collective;
}

}  // namespace

BlockMeanings block_meanings(Collective collective) {
  using enum BlockMeaning;
  switch (collective) {
    case Collective::broadcast:
    case Collective::reduce:
    case Collective::scan:
    case Collective::exscan:
      return {whole, whole};
    case Collective::scatter:
    case Collective::reduce_scatter:
      return {by_node, whole};
    case Collective::gather:
    case Collective::allgather:
      return {whole, by_node};
    case Collective::alltoall:
      return {by_node, by_node};
    case Collective::allreduce:
    case Collective::barrier:
      return {slice, slice};
    case Collective::neighborhood:
    case Collective::isotropic:
    case Collective::task:
      break;
  }
  return {listed, listed};
}

Contents::Contents(Collective collective, const RankProgram& program, Node node, Node root)
    : program_(program),
      meanings_(program.one_vector ? BlockMeanings{BlockMeaning::slice, BlockMeaning::slice}
                                   : block_meanings(moved_by(program, collective))),
      node_(node),
      giver_(schedule::reduces(moved_by(program, collective)) ? everyone : root),
      collective_(collective) {}

BlockContent Contents::input(std::uint32_t block) const {
  switch (meanings_.input) {
    case BlockMeaning::by_node:
      return {node_, block, 0};
    case BlockMeaning::slice:
      return {node_, 0, block};
    case BlockMeaning::listed:
      return {node_, program_.inputs[block].other, program_.inputs[block].block};
    case BlockMeaning::whole:
      break;
  }
  return {node_, 0, 0};
}

Node Contents::contributors(const BlockContent& reduced, Node nodes) const {
  if (!schedule::is_prefix(collective_)) return nodes;
  return reduced.destination + (collective_ == Collective::scan ? 1 : 0);
}

BlockContent Contents::contribution(const BlockContent& reduced, Node contributor) const {
  return {contributor, schedule::is_prefix(collective_) ? 0 : reduced.destination, reduced.block};
}

BlockContent Contents::output(std::uint32_t block) const {
  const Node destination =
      meanings_.input == BlockMeaning::by_node || schedule::is_prefix(collective_) ? node_ : 0;
  switch (meanings_.output) {
    case BlockMeaning::by_node:
      return {block, destination, 0};
    case BlockMeaning::slice:
      return {everyone, 0, block};
    case BlockMeaning::listed:
      return {program_.outputs[block].other, node_, program_.outputs[block].block};
    case BlockMeaning::whole:
      break;
  }
  return {giver_, destination, 0};
}

}  // namespace isotrope::rank
