// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/exports/paths.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "isotrope/base/error.hpp"

#include "isotrope/schedule/packets.hpp"

#include "isotrope/io/byte_buffer.hpp"

#include "isotrope/exports/sizes.hpp"
#include "isotrope/exports/translations.hpp"

namespace isotrope::exports {
namespace {

using schedule::Hop;
using schedule::Stage;

// A listed packet with the nodes that it comes through, and the round of its first hop.
struct Path {
  schedule::PacketId packet = 0;
  std::uint64_t first_round = 0;
  std::vector<Node> nodes;
};

// The packets that move, in order of their first rounds.
std::vector<Path> paths_of(const Network& network, const Stage& stage, std::uint64_t packets) {
  std::vector<Path> paths(packets);
  for (std::uint64_t t = 0; t < stage.rounds.size(); ++t) {
    for (const Hop& hop : stage.rounds.round(t)) {
      Path& path = paths[hop.packet];
      if (path.nodes.empty()) path = {hop.packet, t, {hop.from}};
      path.nodes.push_back(network.neighbour(hop.from, hop.port));
    }
  }
  std::erase_if(paths, [](const Path& path) { return path.nodes.empty(); });
  std::ranges::stable_sort(paths, {}, &Path::first_round);
  return paths;
}

// The step of a round.
std::uint64_t step_of(const schedule::Schedule& schedule, std::uint64_t round) {
  const auto behind = std::ranges::upper_bound(schedule.barriers, round);
  return static_cast<std::uint64_t>(behind - schedule.barriers.begin());
}

}  // namespace

void write_paths(std::ostream& out, const Plan& plan, const std::function<void(double)>& progress) {
  require_writable(plan);
  const schedule::Schedule& schedule = plan.schedule;
  const bool in_steps = schedule.step_limits.has_value();
  if (schedule.waiting && !in_steps)
    throw Error(
        "the packets of this plan wait on their way, so their paths do not tell the rounds: plan with "
        "--objective no-wait or --pack");
  const Network& network = schedule::hop_network(plan);
  const Stage& stage = schedule.stages.front();
  const schedule::Packets packets(network, plan.task, stage);
  const std::vector<Node> shifts = translations(network, stage.replication);
  const std::vector<Path> paths = paths_of(network, stage, packets.size());
  io::ByteBuffer buffer(out);
  buffer.put("[");
  const char* separator = "\n";
  std::vector<Node> nodes;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const Path& path = paths[i];
    const std::string time = in_steps ? fmt::format("\"step\": {}", step_of(schedule, path.first_round))
                                      : fmt::format("\"round\": {}", path.first_round);
    for (const Node shift : shifts) {
      const schedule::Packet packet = translated(network, packets[path.packet], shift);
      nodes.clear();
      for (const Node node : path.nodes) nodes.push_back(network.group().add(node, shift));
      buffer.put(fmt::format("{}{{{}, \"src\": {}, \"dst\": {}, \"path\": [{}]{}}}", separator, time,
                             packet.origin, packet.to, fmt::join(nodes, ", "),
                             plan.task.parts > 1 ? fmt::format(", \"part\": {}", packet.part) : ""));
      separator = ",\n";
    }
    if (progress) progress(static_cast<double>(i + 1) / static_cast<double>(paths.size()));
  }
  buffer.put("\n]\n");
  buffer.flush();
}

}  // namespace isotrope::exports
