// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/exports/csv.hpp"

#include <string>
#include <vector>

#include <fmt/format.h>

#include "isotrope/schedule/node_classes.hpp"
#include "isotrope/schedule/packets.hpp"

#include "isotrope/io/byte_buffer.hpp"

#include "isotrope/exports/sizes.hpp"

namespace isotrope::exports {
namespace {

using schedule::Hop;
using schedule::Packet;
using schedule::Stage;

// The translations under which a stage is replicated.
std::vector<Node> translations(const Network& network, schedule::Replication replication) {
  if (replication == schedule::Replication::none()) return {0};
  const schedule::NodeClasses classes(network.group(), replication);
  std::vector<Node> result;
  for (Node g = 0; g < network.order(); ++g) {
    if (classes.of(g) == classes.of(0)) result.push_back(g);
  }
  return result;
}

class HopTable {
 public:
  HopTable(io::ByteBuffer& out, const Plan& plan, std::uint64_t block_bytes)
      : out_(out), plan_(plan), sizes_(plan, block_bytes) {}

  void run(const std::function<void(double)>& progress) {
    out_.put("stage,round,from,port,to,origin,destination,block,part,bytes\n");
    for (std::size_t stage = 0; stage < plan_.schedule.stages.size(); ++stage) put_stage(stage, progress);
  }

 private:
  void put_stage(std::size_t number, const std::function<void(double)>& progress) {
    const Stage& stage = plan_.schedule.stages[number];
    const std::vector<Node> shifts = translations(plan_.network, stage.replication);
    const schedule::Packets packets(plan_.network, plan_.task, stage);
    for (std::uint64_t t = 0; t < stage.rounds.size(); ++t, ++round_) {
      for (const Hop& hop : stage.rounds.round(t)) {
        for (const Node shift : shifts) put_hop(number, stage.flow, hop, packets[hop.packet], shift);
      }
      if (progress)
        progress(static_cast<double>(round_ + 1) / static_cast<double>(plan_.schedule.round_count()));
    }
  }

  void put_hop(std::size_t stage, schedule::Flow flow, const Hop& hop, Packet packet, Node shift) {
    const network::Group& group = plan_.network.group();
    const Node from = group.add(hop.from, shift);
    packet.origin = group.add(packet.origin, shift);
    if (packet.to != schedule::to_all) packet.to = group.add(packet.to, shift);
    const std::string to = packet.to == schedule::to_all ? "all" : fmt::format("{}", packet.to);
    out_.put(fmt::format("{},{},{},{},{},{},{},{},{},{}\n", stage, round_, from, hop.port,
                         plan_.network.neighbour(from, hop.port), packet.origin, to, packet.block,
                         packet.part, sizes_.bytes(flow, packet)));
  }

  io::ByteBuffer& out_;
  const Plan& plan_;
  PacketSizes sizes_;
  std::uint64_t round_ = 0;  // through all stages
};

}  // namespace

void write_csv(std::ostream& out, const Network& network) {
  io::ByteBuffer buffer(out);
  buffer.put("node,port,neighbour\n");
  for (Node node = 0; node < network.order(); ++node) {
    for (Port port = 0; port < network.degree(); ++port)
      buffer.put(fmt::format("{},{},{}\n", node, port, network.neighbour(node, port)));
  }
  buffer.flush();
}

void write_csv(std::ostream& out, const Plan& plan, std::uint64_t block_bytes,
               const std::function<void(double)>& progress) {
  require_writable(plan);
  io::ByteBuffer buffer(out);
  HopTable(buffer, plan, block_bytes).run(progress);
  buffer.flush();
}

}  // namespace isotrope::exports
