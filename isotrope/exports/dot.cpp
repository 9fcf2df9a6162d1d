// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/exports/dot.hpp"

#include <map>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "isotrope/schedule/packets.hpp"

#include "isotrope/io/byte_buffer.hpp"

#include "isotrope/exports/sizes.hpp"

namespace isotrope::exports {
namespace {

using schedule::Hop;
using schedule::Stage;

// The rounds in which a directed link is used, and the last of them.
struct LinkLabel {
  std::string text;
  std::uint64_t last = 0;
};

// By sender and receiver. A round appears once, however many packets the link carries in it.
std::map<std::pair<Node, Node>, LinkLabel> link_labels(const Plan& plan) {
  std::map<std::pair<Node, Node>, LinkLabel> labels;
  const Network& network = schedule::hop_network(plan);
  std::uint64_t round = 0;
  for (const Stage& stage : plan.schedule.stages) {
    const schedule::Packets packets(network, plan.task, stage);
    const bool two_origins = stage.replication.kind == schedule::Replication::Kind::even_axis;
    for (std::uint64_t t = 0; t < stage.rounds.size(); ++t, ++round) {
      for (const Hop& hop : stage.rounds.round(t)) {
        if (two_origins && packets[hop.packet].origin != 0) continue;
        LinkLabel& label = labels[{hop.from, network.neighbour(hop.from, hop.port)}];
        if (!label.text.empty() && label.last == round) continue;
        label.text += fmt::format("{}{}", label.text.empty() ? "" : ",", round);
        label.last = round;
      }
    }
  }
  return labels;
}

}  // namespace

void write_dot(std::ostream& out, const network::SurvivingNetwork& network) {
  io::ByteBuffer buffer(out);
  buffer.put(fmt::format("graph \"{}\" {{\n", network.whole().name()));
  for (const Node node : network.nodes()) {
    if (network.degree(node) == 0) buffer.put(fmt::format("  {};\n", node));
    network.for_each_neighbour(node, [&](Port, Node neighbour) {
      if (node < neighbour) buffer.put(fmt::format("  {} -- {};\n", node, neighbour));
    });
  }
  buffer.put("}\n");
  buffer.flush();
}

void write_dot(std::ostream& out, const Plan& plan) {
  io::ByteBuffer buffer(out);
  buffer.put(fmt::format("digraph \"{} on {}\" {{\n", schedule::to_string(plan.task), plan.network.name()));
  for (const auto& [link, label] : link_labels(plan))
    buffer.put(fmt::format("  {} -> {} [label=\"{}\"];\n", link.first, link.second, label.text));
  buffer.put("}\n");
  buffer.flush();
}

}  // namespace isotrope::exports
