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

#include "isotrope/schedule/node_classes.hpp"
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
    const schedule::Packets packets(hop_network(plan), plan.task, stage);
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
  const network::Network& network = hop_network(plan);
  std::vector<bool> used(network.directed_links());
  bool again = false;
  for_each_shown_hop(plan, [&](std::uint64_t round, const Hop& hop) {
    const std::uint64_t link = std::uint64_t{hop.from} * network.degree() + hop.port;
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
  const network::Network& network = hop_network(plan);
  const schedule::Packets packets(network, plan.task, stage);
  const Node centre = is_rooted(plan.task.collective) ? plan.task.root : 0;
  std::map<Node, std::set<schedule::PacketId>> known;
  std::set<schedule::PacketId> shown;
  for (std::uint64_t t = 0; t < stage.rounds.size(); ++t) {
    for (const Hop& hop : stage.rounds.round(t)) {
      if (packets[hop.packet].origin != centre) continue;
      shown.insert(hop.packet);
      if (t < round) known[network.neighbour(hop.from, hop.port)].insert(hop.packet);
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

// ---- a total exchange

// The packets over every link, by node * degree + port.
std::vector<std::uint64_t> loads_of(const Plan& plan) {
  const network::Network& network = hop_network(plan);
  std::vector<std::uint64_t> loads(network.directed_links());
  for (const Stage& stage : plan.schedule.stages) {
    const schedule::NodeClasses classes(network.group(), stage.replication);
    std::vector<std::uint64_t> of_class(std::size_t{classes.count()} * network.degree());
    for (const Hop& hop : stage.rounds.hops())
      ++of_class[std::size_t{classes.of(hop.from)} * network.degree() + hop.port];
    for (std::size_t link = 0; link < loads.size(); ++link) {
      const auto node = static_cast<Node>(link / network.degree());
      loads[link] += of_class[std::size_t{classes.of(node)} * network.degree() + link % network.degree()];
    }
  }
  return loads;
}

// Every link in the colour of its load.
void add_loads(const Plan& plan, NetworkPicture& picture) {
  constexpr std::size_t most_in_key = 8;
  const Port degree = hop_network(plan).degree();
  const std::vector<std::uint64_t> loads = loads_of(plan);
  std::set<std::uint64_t> kinds(loads.begin(), loads.end());
  kinds.erase(0);
  if (kinds.empty()) return;
  const std::uint64_t least = *kinds.begin(), most = *kinds.rbegin();
  const auto colour = [&](std::uint64_t load) { return colour_of_round(load - least, most - least + 1); };
  for (std::size_t link = 0; link < loads.size(); ++link) {
    if (loads[link] == 0) continue;
    const std::string label = kinds.size() == 1 ? "" : fmt::format("{}", loads[link]);
    picture.links.push_back(
        {{static_cast<Node>(link / degree), static_cast<Port>(link % degree)}, colour(loads[link]), label});
  }
  if (kinds.size() > most_in_key) kinds = {least, (least + most) / 2, most};
  for (const std::uint64_t load : kinds)
    picture.key.push_back({KeyEntry::Sign::arrow, colour(load),
                           fmt::format("{} {} over the link", load, load == 1 ? "packet" : "packets")});
  picture.note =
      fmt::format("Shown are the packets of all nodes in all {} rounds: every node sends to every other.",
                  plan.schedule.round_count());
}

// What a link carries in a round: the only packet, as listed, or how many.
struct Cargo {
  Hop hop = {};
  std::uint64_t packets = 0;
};

// "3→5": the cargo of a link from `node`, as it is listed for another node of the class.
std::string name_of(const Cargo& cargo, const schedule::Packets& packets, const network::Network& network,
                    Node node) {
  if (cargo.packets > 1) return fmt::format("{} packets", cargo.packets);
  const Node way = network.group().subtract(node, cargo.hop.from);
  const schedule::Packet packet = packets[cargo.hop.packet];
  return fmt::format("{}\u2192{}", network.group().add(packet.origin, way),
                     network.group().add(packet.to, way));
}

// Pictures of more links are not legible with names at all of them.
bool has_room_for_names(const network::Network& network) {
  constexpr std::uint64_t most_links = 160;
  return network.directed_links() <= most_links;
}

// The packets of all origins in one round of a stage.
void add_exchanged(const Stage& stage, std::uint64_t round, const Plan& plan, const std::string& colour,
                   NetworkPicture& picture) {
  const network::Network& network = hop_network(plan);
  const schedule::Packets packets(network, plan.task, stage);
  const schedule::NodeClasses classes(network.group(), stage.replication);
  const bool named = has_room_for_names(network);
  std::vector<Cargo> of_class(std::size_t{classes.count()} * network.degree());
  for (const Hop& hop : stage.rounds.round(round)) {
    Cargo& cargo = of_class[std::size_t{classes.of(hop.from)} * network.degree() + hop.port];
    cargo = {hop, cargo.packets + 1};
  }
  for (Node node = 0; node < network.order(); ++node) {
    for (Port port = 0; port < network.degree(); ++port) {
      const Cargo& cargo = of_class[std::size_t{classes.of(node)} * network.degree() + port];
      if (cargo.packets == 0) continue;
      picture.links.push_back({{node, port}, colour, named ? name_of(cargo, packets, network, node) : ""});
    }
  }
}

void add_exchanged(std::uint64_t wanted, const Plan& plan, NetworkPicture& picture) {
  const std::string colour = colour_of_round(wanted, plan.schedule.round_count());
  std::uint64_t first = 0;
  for (const Stage& stage : plan.schedule.stages) {
    if (wanted >= first && wanted < first + stage.rounds.size())
      add_exchanged(stage, wanted - first, plan, colour, picture);
    first += stage.rounds.size();
  }
  picture.title += fmt::format(": round {}", wanted);
  picture.key.push_back({KeyEntry::Sign::arrow, colour, fmt::format("round {}", wanted)});
  const network::Network& network = hop_network(plan);
  picture.note =
      fmt::format("{} of {} directed links are in use.{}", picture.links.size(), network.directed_links(),
                  has_room_for_names(network) ? " Labels are origin and destination of the packets." : "");
}

}  // namespace

NetworkPicture picture_of(const Plan& plan, std::string title, std::optional<std::uint64_t> round) {
  NetworkPicture picture;
  picture.title = std::move(title);
  picture.failed = hop_failures(plan);
  if (round) require_round(*round, plan);
  if (plan.task.collective == schedule::Collective::alltoall) {
    if (round) {
      add_exchanged(*round, plan, picture);
    } else {
      add_loads(plan, picture);
    }
  } else {
    add_centre(plan, picture);
    if (round) {
      add_one_round(*round, plan, picture);
    } else {
      add_all_hops(plan, picture);
    }
  }
  if (plan.overlay)
    picture.note += fmt::format(" Arrows are messages, also between nodes that are no neighbours on {}.",
                                plan.network.name());
  return picture;
}

}  // namespace isotrope::io
