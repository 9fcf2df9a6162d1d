// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/io/plan_picture.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"

#include "isotrope/schedule/packets.hpp"

namespace isotrope::io {
namespace {

using network::Node;
using network::Port;
using schedule::Hop;
using schedule::Plan;
using schedule::Stage;

constexpr const char* node_colour = "#333333";

// From blue, early, over green and amber to red, late.
std::string colour_of_round(std::uint64_t round, std::uint64_t rounds) {
  using Rgb = std::array<double, 3>;
  constexpr std::array<Rgb, 4> scale{{{0, 90, 178}, {0, 158, 115}, {230, 159, 0}, {200, 40, 60}}};
  const double share = rounds < 2 ? 0 : static_cast<double>(round) / static_cast<double>(rounds - 1);
  const double at = share * (scale.size() - 1);
  const std::size_t low = std::min<std::size_t>(static_cast<std::size_t>(at), scale.size() - 2);
  Rgb mixed{};
  for (std::size_t i = 0; i < mixed.size(); ++i)
    mixed[i] =
        std::round(scale[low][i] + (at - static_cast<double>(low)) * (scale[low + 1][i] - scale[low][i]));
  return fmt::format("#{:02X}{:02X}{:02X}", static_cast<unsigned>(mixed[0]), static_cast<unsigned>(mixed[1]),
                     static_cast<unsigned>(mixed[2]));
}

// Calls `function(round, hop)` for every hop of the plan; of a replicated stage only for packets of origin 0.
template <class Function>
void for_each_shown_hop(const Plan& plan, Function function) {
  std::uint64_t round = 0;
  for (const Stage& stage : plan.schedule.stages) {
    const bool two_origins = stage.replication.kind == schedule::Replication::Kind::even_axis;
    const schedule::Packets packets(plan.network, plan.task, stage);
    for (std::uint64_t t = 0; t < stage.rounds.size(); ++t, ++round) {
      for (const Hop& hop : stage.rounds.round(t)) {
        if (!two_origins || packets[hop.packet].origin == 0) function(round, hop);
      }
    }
  }
}

bool is_replicated(const Plan& plan) {
  return std::ranges::any_of(plan.schedule.stages, [](const Stage& stage) {
    return stage.replication != schedule::Replication::none();
  });
}

// The node where all packets begin or end.
void add_centre(const Plan& plan, NetworkPicture& picture) {
  const bool rooted = is_rooted(plan.task.collective);
  if (!rooted && !is_replicated(plan)) return;
  const Node node = rooted ? plan.task.root : 0;
  const char* role = rooted ? "root" : (reduces(plan.task.collective) ? "destination" : "origin");
  picture.nodes.push_back({node, node_colour});
  picture.key.push_back({KeyEntry::Sign::node, node_colour, fmt::format("{} {}", role, node)});
}

void add_rounds_to_key(std::uint64_t rounds, NetworkPicture& picture) {
  constexpr std::uint64_t most = 10;
  const std::uint64_t shown = std::min(rounds, most);
  for (std::uint64_t i = 0; i < shown; ++i) {
    const std::uint64_t round = shown < 2 ? 0 : i * (rounds - 1) / (shown - 1);
    picture.key.push_back(
        {KeyEntry::Sign::arrow, colour_of_round(round, rounds), fmt::format("round {}", round)});
  }
}

std::string whose_hops(const Plan& plan) {
  return is_replicated(plan)
             ? "Shown are the packets of origin 0; packets of other origins move alike, translated. "
             : "";
}

// Every link that is used, once, in the colour of the first round.
void add_all_hops(const Plan& plan, NetworkPicture& picture) {
  const std::uint64_t rounds = plan.schedule.round_count();
  std::vector<bool> used(plan.network.directed_links());
  bool again = false;
  for_each_shown_hop(plan, [&](std::uint64_t round, const Hop& hop) {
    const std::uint64_t link = std::uint64_t{hop.from} * plan.network.degree() + hop.port;
    if (!used[link]) {
      picture.links.push_back(
          {{hop.from, hop.port}, colour_of_round(round, rounds), fmt::format("{}", round)});
    }
    again = again || used[link];
    used[link] = true;
  });
  add_rounds_to_key(rounds, picture);
  picture.note = whose_hops(plan) + (again ? "Labels are the first round in which a link is used."
                                           : "Labels are the round of a hop.");
}

void require_round(std::uint64_t round, const Plan& plan) {
  const std::uint64_t rounds = plan.schedule.round_count();
  if (round < rounds) return;
  if (rounds == 0) throw Error(fmt::format("round {}: the plan has no rounds; leave it out", round));
  throw Error(fmt::format("round {}: the rounds of the plan are 0..{}", round, rounds - 1));
}

void add_knowledge(const Stage& stage, std::uint64_t round, const Plan& plan, NetworkPicture& picture) {
  constexpr const char *all_colour = "#0072B2", *part_colour = "#5B7F99";
  const schedule::Packets packets(plan.network, plan.task, stage);
  const Node centre = is_rooted(plan.task.collective) ? plan.task.root : 0;
  std::map<Node, std::set<schedule::PacketId>> known;
  std::set<schedule::PacketId> shown;
  for (std::uint64_t t = 0; t < stage.rounds.size(); ++t) {
    for (const Hop& hop : stage.rounds.round(t)) {
      if (packets[hop.packet].origin != centre) continue;
      shown.insert(hop.packet);
      if (t < round) known[plan.network.neighbour(hop.from, hop.port)].insert(hop.packet);
    }
  }
  bool parts = false;
  for (const auto& [node, received] : known) {
    if (node == centre) continue;
    const bool all = received.size() == shown.size();
    parts = parts || !all;
    picture.nodes.push_back({node, all ? all_colour : part_colour});
  }
  if (!known.empty()) picture.key.push_back({KeyEntry::Sign::node, all_colour, "knows it before the round"});
  if (parts) picture.key.push_back({KeyEntry::Sign::node, part_colour, "knows a part"});
}

// In a stage of copies, the nodes that have received packets before the round: of what is shown, all or a part.
void add_knowledge(std::uint64_t wanted, const Plan& plan, NetworkPicture& picture) {
  if (!is_rooted(plan.task.collective) && !is_replicated(plan)) return;  // every node has packets of its own
  std::uint64_t first = 0;
  for (const Stage& stage : plan.schedule.stages) {
    if (wanted < first + stage.rounds.size()) {
      if (stage.flow == schedule::Flow::copy) add_knowledge(stage, wanted - first, plan, picture);
      return;
    }
    first += stage.rounds.size();
  }
}

void add_one_round(std::uint64_t wanted, const Plan& plan, NetworkPicture& picture) {
  constexpr std::size_t most_named = 2;
  std::map<std::pair<Node, Port>, std::vector<schedule::PacketId>> carried;
  for_each_shown_hop(plan, [&](std::uint64_t round, const Hop& hop) {
    if (round == wanted) carried[{hop.from, hop.port}].push_back(hop.packet);
  });
  add_knowledge(wanted, plan, picture);
  const std::string colour = colour_of_round(wanted, plan.schedule.round_count());
  for (const auto& [link, packets] : carried) {
    const std::string label = packets.size() > most_named ? fmt::format("{} packets", packets.size())
                                                          : fmt::format("{}", fmt::join(packets, ","));
    picture.links.push_back({{link.first, link.second}, colour, label});
  }
  picture.title += fmt::format(": round {}", wanted);
  picture.key.push_back({KeyEntry::Sign::arrow, colour, fmt::format("round {}", wanted)});
  picture.note = whose_hops(plan) + "Labels are the numbers of the packets.";
}

}  // namespace

NetworkPicture picture_of(const Plan& plan, std::string title, std::optional<std::uint64_t> round) {
  NetworkPicture picture;
  picture.title = std::move(title);
  picture.failed = plan.failed;
  add_centre(plan, picture);
  if (round) {
    require_round(*round, plan);
    add_one_round(*round, plan, picture);
  } else {
    add_all_hops(plan, picture);
  }
  return picture;
}

}  // namespace isotrope::io
