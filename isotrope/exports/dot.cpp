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

// The labels of directed links, by sender and receiver.
using Labels = std::map<std::pair<Node, Node>, std::string>;

class RoundLabels {
 public:
  explicit RoundLabels(const Plan& plan) : plan_(plan) {}

  Labels run() {
    std::uint64_t round = 0;
    for (const Stage& stage : plan_.schedule.stages) {
      const schedule::Packets packets(plan_.network, plan_.task, stage);
      const bool two_origins = stage.replication.kind == schedule::Replication::Kind::even_axis;
      for (std::uint64_t t = 0; t < stage.rounds.size(); ++t, ++round) {
        for (const Hop& hop : stage.rounds.round(t)) {
          if (!two_origins || packets[hop.packet].origin == 0) add(hop, round);
        }
      }
    }
    return std::move(labels_);
  }

 private:
  // A round once, however many packets travel together.
  void add(const Hop& hop, std::uint64_t round) {
    const std::pair link{hop.from, plan_.network.neighbour(hop.from, hop.port)};
    const auto [last, is_new] = last_.try_emplace(link, round);
    if (!is_new && last->second == round) return;
    last->second = round;
    std::string& label = labels_[link];
    label += fmt::format("{}{}", label.empty() ? "" : ",", round);
  }

  const Plan& plan_;
  Labels labels_;
  std::map<std::pair<Node, Node>, std::uint64_t> last_;  // round that has been labelled
};

}  // namespace

void write_dot(std::ostream& out, const Network& network) {
  io::ByteBuffer buffer(out);
  buffer.put(fmt::format("graph \"{}\" {{\n", network.name()));
  for (Node node = 0; node < network.order(); ++node) {
    if (network.degree() == 0) buffer.put(fmt::format("  {};\n", node));
    for (Port port = 0; port < network.degree(); ++port) {
      const Node neighbour = network.neighbour(node, port);
      if (node < neighbour) buffer.put(fmt::format("  {} -- {};\n", node, neighbour));
    }
  }
  buffer.put("}\n");
  buffer.flush();
}

void write_dot(std::ostream& out, const Plan& plan) {
  io::ByteBuffer buffer(out);
  buffer.put(fmt::format("digraph \"{} on {}\" {{\n", schedule::to_string(plan.task), plan.network.name()));
  for (const auto& [link, label] : RoundLabels(plan).run())
    buffer.put(fmt::format("  {} -> {} [label=\"{}\"];\n", link.first, link.second, label));
  buffer.put("}\n");
  buffer.flush();
}

}  // namespace isotrope::exports
