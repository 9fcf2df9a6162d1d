// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/schedule/packets.hpp"

namespace isotrope::schedule {
namespace {

bool isotropic_form(const Task& task) {
  return task.collective == Collective::allgather || task.collective == Collective::alltoall ||
         task.collective == Collective::reduce_scatter;
}

bool personal(const Task& task) {
  return task.collective == Collective::scatter || task.collective == Collective::alltoall;
}

}  // namespace

bool implies_packets(const Task& task, Flow flow, Replication replication) {
  if (replication.kind == Replication::Kind::even_axis) return false;
  const bool replicated = replication.kind == Replication::Kind::all;
  if (task.collective == Collective::allreduce || task.collective == Collective::barrier)
    return flow != Flow::move;
  return replicated ? isotropic_form(task) : is_rooted(task.collective);
}

Packets::Packets(const Network& network, const Task& task, const Stage& stage)
    : network_(network),
      stage_(stage),
      form_(Form::to_everyone),
      parts_(task.parts),
      base_(is_rooted(task.collective) ? task.root : 0),
      combine_(stage.flow == Flow::reduce),
      size_(parts_) {
  if (stage.flow == Flow::exchange) {
    form_ = Form::sums;
    size_ = stage.sums.size();
  } else if (!stage.packets.empty() || !implies_packets(task, stage.flow, stage.replication)) {
    form_ = Form::listed;
    size_ = stage.packets.size();
  } else if (personal(task) || task.collective == Collective::gather) {
    form_ = personal(task) ? Form::to_each : Form::from_each;
    size_ = std::uint64_t{network.order()} * parts_;
  }
}

std::vector<Packet> packets_to_all(Node nodes, std::uint32_t parts) {
  std::vector<Packet> result;
  result.reserve(std::size_t{nodes} * parts);
  for (Node origin = 0; origin < nodes; ++origin) {
    for (std::uint32_t part = 0; part < parts; ++part) result.push_back({origin, to_all, 0, part});
  }
  return result;
}

Packet Packets::operator[](PacketId id) const {
  if (form_ == Form::listed) return stage_.packets[id];
  if (form_ == Form::sums) return {0, to_all, 0, stage_.sums[id].part};
  const Node relative = id / parts_;
  const std::uint32_t part = id % parts_;
  if (form_ == Form::to_everyone) return {base_, combine_ ? base_ : to_all, 0, part};
  const Node other = base_ == 0 ? relative : network_.group().add(base_, relative);
  return form_ == Form::to_each ? Packet{base_, other, relative, part} : Packet{other, base_, 0, part};
}

}  // namespace isotrope::schedule
