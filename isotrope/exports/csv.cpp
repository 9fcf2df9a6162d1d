// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/exports/csv.hpp"

#include <string>
#include <vector>

#include <fmt/format.h>

#include "isotrope/schedule/packets.hpp"

#include "isotrope/io/byte_buffer.hpp"

#include "isotrope/exports/sizes.hpp"
#include "isotrope/exports/translations.hpp"

namespace isotrope::exports {

using schedule::Hop;
using schedule::Packet;
using schedule::Stage;

void write_csv(std::ostream& out, const network::SurvivingNetwork& network) {
  io::ByteBuffer buffer(out);
  buffer.put("node,port,neighbour\n");
  for (const Node node : network.nodes()) {
    network.for_each_neighbour(node, [&](Port port, Node neighbour) {
      buffer.put(fmt::format("{},{},{}\n", node, port, neighbour));
    });
  }
  buffer.flush();
}

void write_csv(std::ostream& out, const Plan& plan, std::uint64_t block_bytes,
               const std::function<void(double)>& progress) {
  require_writable(plan);
  const Network& network = schedule::hop_network(plan);
  const network::Group& group = network.group();
  const PacketSizes sizes(plan, block_bytes);
  io::ByteBuffer buffer(out);
  buffer.put("stage,round,from,port,to,origin,destination,block,part,bytes\n");
  std::uint64_t round = 0;
  for (std::size_t number = 0; number < plan.schedule.stages.size(); ++number) {
    const Stage& stage = plan.schedule.stages[number];
    const std::vector<Node> shifts = translations(network, stage.replication);
    const schedule::Packets packets(network, plan.task, stage);
    const auto put_hop = [&](const Hop& hop, const Packet& listed, Node shift) {
      const Node from = group.add(hop.from, shift);
      const Packet packet = translated(network, listed, shift);
      const std::string to = packet.to == schedule::to_all ? "all" : fmt::format("{}", packet.to);
      buffer.put(fmt::format("{},{},{},{},{},{},{},{},{},{}\n", number, round, from, hop.port,
                             network.neighbour(from, hop.port), packet.origin, to, packet.block, packet.part,
                             sizes.bytes(packet)));
    };
    for (std::uint64_t t = 0; t < stage.rounds.size(); ++t) {
      for (const Hop& hop : stage.rounds.round(t)) {
        for (const Node shift : shifts) put_hop(hop, packets[hop.packet], shift);
      }
      ++round;
      if (progress) progress(static_cast<double>(round) / static_cast<double>(plan.schedule.round_count()));
    }
  }
  buffer.flush();
}

}  // namespace isotrope::exports
