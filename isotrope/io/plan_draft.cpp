// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/io/plan_draft.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "isotrope/base/error.hpp"

#include "isotrope/network/parse.hpp"

#include "isotrope/schedule/packets.hpp"

#include "isotrope/io/plan_words.hpp"

namespace isotrope::io {
namespace {

using network::Group;
using network::Network;
using network::Node;
using schedule::Packets;
using schedule::PortModel;
using schedule::Replication;
using schedule::Stage;
using schedule::Task;

template <class... Arguments>
[[noreturn]] void refuse(std::string_view place, fmt::format_string<Arguments...> what,
                         Arguments&&... arguments) {
  throw Error(fmt::format("{}: {}", place, fmt::format(what, std::forward<Arguments>(arguments)...)));
}

// What a layer below says about a value, with the value's place.
template <class Function>
auto at(std::string_view place, Function function) {
  try {
    return function();
  } catch (const Error& error) {
    refuse(place, "{}", error.what());
  }
}

std::string outside(std::string_view noun, std::uint64_t number, std::uint64_t count) {
  if (count == 0) return fmt::format("{} {}: there is none", noun, number);
  return fmt::format("{} {} is outside 0..{}", noun, number, count - 1);
}

template <class Place>
void check_below(std::uint64_t count, std::uint64_t number, std::string_view noun, Place place) {
  if (number >= count) refuse(place(), "{}", outside(noun, number, count));
}

std::span<const network::Coordinate> generator(const PlanDraft& draft, std::size_t port) {
  const std::size_t begin = port == 0 ? 0 : draft.generator_ends[port - 1];
  return std::span(draft.coordinates).subspan(begin, draft.generator_ends[port] - begin);
}

Network unnamed(const PlanDraft& draft) {
  const Group group = at("network.moduli", [&] { return Group(draft.moduli); });
  std::vector<Node> generators;
  for (std::size_t port = 0; port < draft.generator_ends.size(); ++port) {
    generators.push_back(at(fmt::format("network.generators[{}]", port),
                            [&] { return group.number(generator(draft, port)); }));
  }
  return at("network.generators",
            [&] { return Network(std::string(unnamed_network), group, std::move(generators)); });
}

void check_same(const PlanDraft& draft, const Network& named) {
  const Group& group = named.group();
  if (!std::ranges::equal(group.moduli(), draft.moduli)) {
    refuse("network.moduli", "{} has moduli {}, the file gives {}", named.name(), group.moduli(),
           std::span(draft.moduli).first(std::min<std::size_t>(draft.moduli.size(), 64)));
  }
  if (named.degree() != draft.generator_ends.size()) {
    refuse("network.generators", "{} has {} generators, the file gives {}", named.name(), named.degree(),
           draft.generator_ends.size());
  }
  for (network::Port port = 0; port < named.degree(); ++port) {
    const auto expected = group.coordinates(named.generators()[port]);
    if (!std::ranges::equal(expected, generator(draft, port))) {
      refuse(fmt::format("network.generators[{}]", port), "{} has {}, the file gives {}", named.name(),
             expected, generator(draft, port));
    }
  }
}

Network checked_network(const PlanDraft& draft) {
  if (draft.network == unnamed_network) return unnamed(draft);
  Network named = at("network.name", [&] { return network::parse(draft.network); });
  check_same(draft, named);
  return named;
}

void check_failures(const PlanDraft& draft, const Network& network) {
  for (std::size_t i = 0; i < draft.failed.nodes.size(); ++i) {
    check_below(network.order(), draft.failed.nodes[i], "node",
                [&] { return fmt::format("failed.nodes[{}]", i); });
  }
  for (std::size_t i = 0; i < draft.failed.links.size(); ++i) {
    const auto place = [&] { return fmt::format("failed.links[{}]", i); };
    check_below(network.order(), draft.failed.links[i].node, "node", place);
    check_below(network.degree(), draft.failed.links[i].port, "port", place);
  }
}

Task checked_task(const PlanDraft& draft, const Network& network) {
  if (draft.parts == 0) refuse("parts", "0 parts: a block has at least 1 part");
  const Node root = draft.root.value_or(0);
  check_below(network.order(), root, "node", [] { return "root"; });
  const Task task =
      at("collective", [&] { return schedule::parse_task(draft.collective, network, root, draft.parts); });
  if (is_rooted(task.collective) && !draft.root) refuse("root", "missing: {} has a root", to_string(task));
  if (!is_rooted(task.collective) && draft.root)
    refuse("root", "{} has no root: leave it out", to_string(task));
  return task;
}

PortModel checked_ports(const PlanDraft& draft, const Network& network) {
  PortModel ports = draft.schedule.ports;
  const bool counts = ports.kind == PortModel::Kind::k_port;
  if (counts && !draft.k) refuse("ports.k", "missing: k-port needs the number of ports");
  if (!counts && draft.k) refuse("ports.k", "{} has no k: leave it out", port_words.word(ports.kind));
  if (!counts) return ports;
  if (*draft.k == 0 || *draft.k > network.degree()) {
    refuse("ports.k", "{} ports are outside 1..{}", *draft.k, network.degree());
  }
  ports.k = *draft.k;
  return ports;
}

void check_replication(const Replication& replication, const Network& network, std::string_view stage) {
  if (replication.kind != Replication::Kind::even_axis) return;
  const auto place = [&] { return fmt::format("{}.replication.even_axis", stage); };
  check_below(network.group().rank(), replication.axis, "axis", place);
  const network::Coordinate modulus = network.group().moduli()[replication.axis];
  if (modulus % 2 != 0) refuse(place(), "axis {} has modulus {}: it must be even", replication.axis, modulus);
}

void check_packets(const Stage& stage, const Task& task, const Network& network, std::string_view name) {
  if (stage.packets.empty() && !implies_packets(task, stage.flow, stage.replication)) {
    refuse(
        name,
        "{} does not imply the packets of a stage with this flow and replication: list them under 'packets'",
        to_string(task));
  }
  for (std::size_t i = 0; i < stage.packets.size(); ++i) {
    const schedule::Packet& packet = stage.packets[i];
    const auto place = [&] { return fmt::format("{}.packets[{}]", name, i); };
    check_below(network.order(), packet.origin, "origin", place);
    if (packet.to != schedule::to_all) check_below(network.order(), packet.to, "destination", place);
    check_below(task.parts, packet.part, "part", place);
  }
}

void check_hops(const Stage& stage, std::uint64_t packets, const Network& network, std::string_view name) {
  const Node order = network.order();
  const network::Port degree = network.degree();
  for (std::uint64_t t = 0; t < stage.rounds.size(); ++t) {
    const std::span<const schedule::Hop> hops = stage.rounds.round(t);
    for (std::size_t i = 0; i < hops.size(); ++i) {
      const schedule::Hop& hop = hops[i];
      const auto place = [&] { return fmt::format("{}.hops[{}][{}]", name, t, i); };
      check_below(packets, hop.packet, "packet", place);
      check_below(order, hop.from, "node", place);
      check_below(degree, hop.port, "port", place);
    }
  }
}

void check_stage(const Stage& stage, const Task& task, const Network& network, std::string_view name) {
  check_replication(stage.replication, network, name);
  check_packets(stage, task, network, name);
  check_hops(stage, Packets(network, task, stage).size(), network, name);
}

void check_link_load(const PlanDraft& draft) {
  const bool combining = draft.schedule.round_kind == schedule::RoundKind::combining;
  if (combining && !draft.link_load)
    refuse("claims.link_load", "missing: combining rounds claim a load each");
  if (!combining && draft.link_load)
    refuse("claims.link_load", "strict rounds have no link_load: leave it out");
}

}  // namespace

schedule::Plan checked_plan(PlanDraft&& draft) {
  Network network = checked_network(draft);
  check_failures(draft, network);
  const Task task = checked_task(draft, network);
  draft.schedule.ports = checked_ports(draft, network);
  if (draft.schedule.stages.empty()) refuse("stages", "empty: a plan has at least one stage");
  for (std::size_t s = 0; s < draft.schedule.stages.size(); ++s) {
    check_stage(draft.schedule.stages[s], task, network, fmt::format("stages[{}]", s));
  }
  check_link_load(draft);
  if (draft.link_load) draft.claims.link_load = std::move(*draft.link_load);
  return {std::move(network),        std::move(draft.failed), task,
          std::move(draft.schedule), std::move(draft.bound),  std::move(draft.claims)};
}

}  // namespace isotrope::io
