// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/rank/exchange_program.hpp"

#include <fmt/format.h>

#include "isotrope/base/error.hpp"

#include "isotrope/schedule/node_classes.hpp"

#include "isotrope/rank/exchange_moves.hpp"
#include "isotrope/rank/program_writer.hpp"

namespace isotrope::rank {
namespace {

void require_in_place(const schedule::Plan& plan, Node moved_by) {
  if (moved_by == 0 || !schedule::is_prefix(plan.task.collective)) return;
  throw Error(fmt::format("a {} moved by {}: it follows the order of the nodes, so it stays where it is",
                          schedule::to_string(plan.task), moved_by));
}

Fragment fragment(std::uint32_t part, Place place) {
  return {.unit = part, .place = place.index, .buffer = place.buffer};
}

}  // namespace

RankProgram compile_summed_exchange(const schedule::Plan& plan, Node node, Node moved_by) {
  require_in_place(plan, moved_by);
  const network::Network& network = hop_network(plan);
  const Node place = network.group().subtract(node, moved_by);
  UnitNumbers numbers;
  RankProgram program;
  static_cast<NodeBuffers&>(program) = lay_out(plan, node, place, numbers);
  program.opening.clear();  // the last local moves bring the node's own vector to the output
  ProgramWriter writer(network, node, program);
  const schedule::NodeClasses classes(network.group(), plan.schedule.stages.front().replication);
  const auto is_own = [&](Node other) { return classes.of(other) == classes.of(place); };
  const auto add_locally = [&](const PacketMove& move) {
    if (is_own(move.receiver)) writer.add({move.part, move.from, move.to, move.arrival});
  };
  const auto add_round = [&](std::span<const PacketMove> round) {
    writer.close_local_moves();
    for (const PacketMove& move : round) {
      if (is_own(move.sender)) writer.sent()[move.port].push_back(fragment(move.part, move.from));
      if (is_own(move.receiver))
        writer.received()[network.opposite(move.port)].push_back(fragment(move.part, move.to));
    }
    writer.close_round();
  };
  const MovePlan moves = compile_exchange_moves_of(plan, place, [&](std::span<const PacketMove> step) {
    if (step.empty() || !step.front().is_local()) return add_round(step);
    for (const PacketMove& move : step) add_locally(move);
  });
  writer.close_local_moves();
  program.slots = moves.buffers[classes.of(place)].slots;
  return program;
}

}  // namespace isotrope::rank
