// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/io/raw_plan.hpp"

#include <algorithm>
#include <numeric>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "isotrope/base/error.hpp"

#include "isotrope/network/parse.hpp"
#include "isotrope/network/rates.hpp"

#include "isotrope/schedule/packets.hpp"
#include "isotrope/schedule/symmetries.hpp"

#include "isotrope/cost/ramp.hpp"

#include "isotrope/io/plan_vocabulary.hpp"

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

// Calls `function`, and puts `place` before the message of its Error.
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

std::span<const network::Coordinate> generator(const RawGroup& raw, std::size_t port) {
  const std::size_t begin = port == 0 ? 0 : (*raw.generator_ends)[port - 1];
  return std::span(raw.coordinates).subspan(begin, (*raw.generator_ends)[port] - begin);
}

// The network that moduli and generators define; `place` is the key that holds them.
Network defined(const RawGroup& raw, std::string_view place) {
  const Group group = at(fmt::format("{}.moduli", place), [&] { return Group(*raw.moduli); });
  std::vector<Node> generators;
  for (std::size_t port = 0; port < raw.generator_ends->size(); ++port) {
    generators.push_back(at(fmt::format("{}.generators[{}]", place, port),
                            [&] { return group.number(generator(raw, port)); }));
  }
  return at(fmt::format("{}.generators", place),
            [&] { return Network(std::string(unnamed_network), group, std::move(generators)); });
}

void check_same_moduli(const RawGroup& raw, const Network& named) {
  if (std::ranges::equal(named.group().moduli(), *raw.moduli)) return;
  refuse("network.moduli", "{} has moduli {}, the file gives {}", named.name(), named.group().moduli(),
         std::span(*raw.moduli).first(std::min<std::size_t>(raw.moduli->size(), 64)));
}

void check_same_generators(const RawGroup& raw, const Network& named) {
  if (named.degree() != raw.generator_ends->size()) {
    refuse("network.generators", "{} has {} generators, the file gives {}", named.name(), named.degree(),
           raw.generator_ends->size());
  }
  for (network::Port port = 0; port < named.degree(); ++port) {
    const auto expected = named.group().coordinates(named.generators()[port]);
    if (!std::ranges::equal(expected, generator(raw, port))) {
      refuse(fmt::format("network.generators[{}]", port), "{} has {}, the file gives {}", named.name(),
             expected, generator(raw, port));
    }
  }
}

Network checked_network(const RawPlan& raw) {
  const RawGroup& group = raw.network;
  if (raw.network_name == unnamed_network) {
    if (!group.moduli || !group.generator_ends) {
      refuse("network", "'{}' needs both 'moduli' and 'generators': no name implies them", unnamed_network);
    }
    return defined(group, "network");
  }
  auto [named, lacks] = at("network.name", [&] { return network::parse_named(raw.network_name); });
  if (group.moduli) check_same_moduli(group, named);
  if (group.generator_ends) check_same_generators(group, named);
  if (lacks.open_axes != raw.failed.open_axes && !lacks.empty())
    refuse("open_axes", "{} has {}, the file gives {}", named.name(), lacks.open_axes, raw.failed.open_axes);
  return std::move(named);
}

std::optional<Network> checked_overlay(const RawPlan& raw, const Network& network) {
  if (!raw.overlay) return std::nullopt;
  Network overlay = defined(*raw.overlay, "overlay");
  if (overlay.order() != network.order()) {
    refuse("overlay.moduli", "{} nodes, but {} has {}", overlay.order(), network.name(), network.order());
  }
  return overlay;
}

void check_version(const RawPlan& raw) {
  if (raw.version > 1) return;
  if (!raw.first_key_of_version_2.empty())
    refuse(raw.first_key_of_version_2, "{} lacks this key: write {}", plan_versions[0], plan_versions[1]);
  for (std::size_t s = 0; s < raw.stage_keys.size(); ++s) {
    const auto flow = raw.stage_keys[s].flow;
    if (!flow || !needs_version_2(*flow)) continue;
    refuse(fmt::format("stages[{}].flow", s), "{} lacks '{}': write {}", plan_versions[0],
           flow_words.word(*flow), plan_versions[1]);
  }
}

void check_version(const RawPlan& raw, const Task& task) {
  if (raw.version > 1 || !is_prefix(task.collective)) return;
  refuse("collective", "{} lacks '{}': write {}", plan_versions[0], to_string(task), plan_versions[1]);
}

void check_version(const RawPlan& raw, const Network& network) {
  if (raw.version > 1 || !network::has_copies(network)) return;
  refuse("network", "{} lacks repeated generators, as {} has them: write {}", plan_versions[0],
         network.name(), plan_versions[1]);
}

void check_failures(const RawPlan& raw, const Network& network) {
  const std::vector<std::uint32_t>& open = raw.failed.open_axes;
  if (std::ranges::adjacent_find(open, std::greater_equal()) != open.end())
    refuse("open_axes", "{}: give ascending numbers", open);
  at("open_axes", [&] { return network::closing_links(network, open); });
  if (raw.has_edges && raw.failed.edges.empty())
    refuse("edges", "none: leave them out if no link is missing");
  at("edges", [&] { return network::links_of(network, raw.failed.edges); });
  for (std::size_t i = 0; i < raw.failed.nodes.size(); ++i) {
    check_below(network.order(), raw.failed.nodes[i], "node",
                [&] { return fmt::format("failed.nodes[{}]", i); });
  }
  for (std::size_t i = 0; i < raw.failed.links.size(); ++i) {
    const auto place = [&] { return fmt::format("failed.links[{}]", i); };
    check_below(network.order(), raw.failed.links[i].node, "node", place);
    check_below(network.degree(), raw.failed.links[i].port, "port", place);
  }
}

void check_traffic(const RawPlan& raw, const Task& task, Node order) {
  const bool isotropic = task.collective == schedule::Collective::isotropic;
  const bool listed = task.collective == schedule::Collective::task;
  if (!raw.destinations.empty() && !isotropic)
    refuse("destinations", "{} has none: leave them out", to_string(task));
  if (!raw.deliveries.empty() && !listed)
    refuse("deliveries", "{} has none: leave them out", to_string(task));
  for (std::size_t i = 0; i < raw.destinations.size(); ++i) {
    check_below(order, raw.destinations[i].to, "node", [&] { return fmt::format("destinations[{}]", i); });
  }
  for (std::size_t i = 0; i < raw.deliveries.size(); ++i) {
    const auto place = [&] { return fmt::format("deliveries[{}]", i); };
    check_below(order, raw.deliveries[i].from, "node", place);
    check_below(order, raw.deliveries[i].to, "node", place);
  }
}

// The traffic is moved out of `raw`.
Task checked_task(RawPlan& raw, const Network& network) {
  if (raw.parts == 0) refuse("parts", "0 parts: a block has at least 1 part");
  const Node root = raw.root.value_or(0);
  check_below(network.order(), root, "node", [] { return "root"; });
  Task task =
      at("collective", [&] { return schedule::parse_task(raw.collective, network, root, raw.parts); });
  if (is_rooted(task.collective) && !raw.root) refuse("root", "missing: {} has a root", to_string(task));
  if (!is_rooted(task.collective) && raw.root)
    refuse("root", "{} has no root: leave it out", to_string(task));
  check_traffic(raw, task, network.order());
  task.destinations = std::move(raw.destinations);
  task.deliveries = std::move(raw.deliveries);
  return task;
}

PortModel checked_ports(const RawPlan& raw, const Network& network) {
  PortModel ports = raw.schedule.ports;
  const bool counts = ports.kind == PortModel::Kind::k_port;
  if (counts && !raw.k) refuse("ports.k", "missing: k-port needs the number of ports");
  if (!counts && raw.k) refuse("ports.k", "{} has no k: leave it out", port_words.word(ports.kind));
  if (!counts) return ports;
  if (*raw.k == 0 || *raw.k > network.degree()) {
    refuse("ports.k", "{} ports are outside 1..{}", *raw.k, network.degree());
  }
  ports.k = *raw.k;
  return ports;
}

// Sets the coordinates of a replication by even ones.
void set_even_axes(const std::vector<std::uint32_t>& axes, const Network& network, std::string_view stage,
                   Replication& replication) {
  if (replication.kind != Replication::Kind::even_axis) return;
  const auto place = [&] { return fmt::format("{}.replication.even_axis", stage); };
  if (axes.empty()) refuse(place(), "no axis: give the number of a coordinate with an even modulus");
  for (const std::uint32_t axis : axes) {
    check_below(network.group().rank(), axis, "axis", place);
    const network::Coordinate modulus = network.group().moduli()[axis];
    if (modulus % 2 != 0) refuse(place(), "axis {} has modulus {}: it must be even", axis, modulus);
    const std::uint64_t bit = std::uint64_t{1} << axis;
    if ((replication.axes & bit) != 0) refuse(place(), "axis {} twice: give each once", axis);
    replication.axes |= bit;
  }
}

std::uint64_t bits_of(const std::vector<std::uint32_t>& axes, const Network& network,
                      const std::string& place) {
  std::uint64_t result = 0;
  for (const std::uint32_t axis : axes) {
    check_below(network.group().rank(), axis, "axis", [&] { return place; });
    const std::uint64_t bit = std::uint64_t{1} << axis;
    if ((result & bit) != 0) refuse(place, "axis {} twice: give each once", axis);
    result |= bit;
  }
  return result;
}

// Adds the images of what a symmetric stage lists.
void add_images(Stage& stage, const StageKeys& keys, const Network& network, const std::string& name) {
  const std::string place = name + ".replication";
  if (!keys.even_axes.empty()) refuse(place, "even axes beside symmetries: give one of the two");
  if (stage.flow == schedule::Flow::exchange)
    refuse(place, "an exchange is replicated to all nodes, to those of an even axis, or not at all");
  if (!keys.lists_packets)
    refuse(name, "packets are implied for replication \"none\" and \"all\" only: list them under 'packets'");
  const schedule::SymmetryAxes axes{bits_of(keys.translations, network, place + ".translations"),
                                    bits_of(keys.reflections, network, place + ".reflections")};
  if (axes.empty()) refuse(place, "no axis: give one, or leave the replication out");
  stage = at(place, [&] { return with_images(network, stage, axes); });
}

void check_packets(const Stage& stage, bool listed, const Task& task, const Network& network,
                   std::string_view name) {
  if (!listed && !implies_packets(task, stage.flow, stage.replication)) {
    refuse(name,
           "{} does not imply the packets of a stage with this flow and replication: list them under "
           "'packets'",
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

void check_sums(const Stage& stage, bool lists_packets, const Task& task, std::string_view name) {
  if (stage.flow != schedule::Flow::exchange) {
    if (!stage.sums.empty())
      refuse(fmt::format("{}.sums", name), "only an exchange has sums: leave them out");
    if (!stage.result.empty())
      refuse(fmt::format("{}.result", name), "only an exchange has a result: leave it out");
    return;
  }
  if (lists_packets) refuse(fmt::format("{}.packets", name), "an exchange has sums instead: leave them out");
  for (std::size_t i = 0; i < stage.sums.size(); ++i) {
    check_below(task.parts, stage.sums[i].part, "part", [&] { return fmt::format("{}.sums[{}]", name, i); });
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

void check_stage(const Stage& stage, bool lists_packets, const Task& task, const Network& network,
                 std::string_view name) {
  check_sums(stage, lists_packets, task, name);
  if (stage.flow != schedule::Flow::exchange) check_packets(stage, lists_packets, task, network, name);
  check_hops(stage, Packets(network, task, stage).size(), network, name);
}

// The flow of a stage that does not name it.
schedule::Flow implied_flow(schedule::Collective collective, std::size_t stage) {
  using schedule::Collective;
  if (is_prefix(collective)) return schedule::Flow::exchange;
  if (reduces(collective)) return stage == 0 ? schedule::Flow::reduce : schedule::Flow::copy;
  const bool copies = collective == Collective::broadcast || collective == Collective::allgather;
  return copies ? schedule::Flow::copy : schedule::Flow::move;
}

void check_stages(RawPlan& raw, const Task& task, const Network& network) {
  std::vector<Stage>& stages = raw.schedule.stages;
  if (stages.empty()) refuse("stages", "empty: a plan has at least one stage");
  for (std::size_t s = 0; s < stages.size(); ++s) {
    stages[s].flow = raw.stage_keys[s].flow.value_or(implied_flow(task.collective, s));
    const std::string name = fmt::format("stages[{}]", s);
    const StageKeys& keys = raw.stage_keys[s];
    if (keys.has_symmetry) stages[s].replication = Replication::none();
    set_even_axes(keys.even_axes, network, name, stages[s].replication);
    check_stage(stages[s], keys.lists_packets, task, network, name);
    if (keys.has_symmetry) add_images(stages[s], keys, network, name);
  }
}

// Claims that the file leaves out are those that need no proof.
schedule::Claims checked_claims(RawPlan& raw) {
  if (!raw.claims)
    return {.rounds = raw.schedule.round_count(), .hops = raw.schedule.hop_count(), .link_load = {}};
  const bool aggregated = raw.schedule.round_kind == schedule::RoundKind::aggregated;
  if (aggregated && !raw.has_link_load)
    refuse("claims.link_load", "missing: combining rounds claim a load each");
  if (!aggregated && raw.has_link_load)
    refuse("claims.link_load", "strict rounds have no link_load: leave it out");
  return std::move(*raw.claims);
}

// Barriers divide the rounds of one stage, whose packets move.
void check_steps(const RawPlan& raw) {
  const std::uint64_t rounds = raw.schedule.round_count();
  std::uint64_t before = 0;
  for (std::size_t i = 0; i < raw.schedule.barriers.size(); ++i) {
    const std::uint64_t barrier = raw.schedule.barriers[i];
    if (barrier <= before || barrier >= rounds)
      refuse(fmt::format("barriers[{}]", i), "{} after {}: give ascending numbers of rounds below {}",
             barrier, before, rounds);
    before = barrier;
  }
}

void check_shares(const RawPlan& raw) {
  if (raw.shares.empty()) return;
  const auto all = std::accumulate(raw.shares.begin(), raw.shares.end(), std::uint64_t{0});
  if (raw.shares.size() == 1 || std::ranges::find(raw.shares, 0U) != raw.shares.end() || all > UINT32_MAX)
    refuse("shares", "{}: give two weights or more, from 1 on, and less than 2^32 in all", raw.shares);
  if (raw.schedule.round_kind == schedule::RoundKind::strict)
    refuse("shares", "strict rounds have no messages of several packets: leave it out");
  if (raw.chains > 1) refuse("shares", "beside {} chains: give one of the two", raw.chains);
}

// The messages of a pipeline have one packet each, in the order of its rounds over every port.
void check_window(const RawPlan& raw) {
  if (raw.window == 0) refuse("window", "0 messages: at least 1 is under way");
  if (raw.window == 1) return;
  if (raw.window > cost::most_in_flight)
    refuse("window", "{} messages: give 1 to {}", raw.window, cost::most_in_flight);
  const bool one_flow = raw.collective == "broadcast" || raw.collective == "reduce";
  if (!one_flow || raw.schedule.stages.size() != 1 ||
      raw.schedule.round_kind != schedule::RoundKind::strict ||
      raw.schedule.ports.kind != schedule::PortModel::Kind::all_port)
    refuse("window",
           "{} messages, but not of a broadcast or reduce with strict rounds over all ports: leave it out",
           raw.window);
}

void check_execution(const RawPlan& raw) {
  check_window(raw);
  if (raw.chains == 0 || raw.parts % raw.chains != 0)
    refuse("chains", "{} chains of {} parts: give a divisor of the parts", raw.chains, raw.parts);
  if (raw.chains > schedule::most_chains)
    refuse("chains", "{} chains: give at most {}", raw.chains, schedule::most_chains);
  if (raw.chains > 1 && raw.schedule.round_kind == schedule::RoundKind::strict)
    refuse("chains", "strict rounds have no messages of several packets: leave it out");
  check_shares(raw);
  if (!raw.aggregation) return;
  if (raw.schedule.round_kind == schedule::RoundKind::strict)
    refuse("aggregation", "strict rounds have no messages of several packets: leave it out");
  if (*raw.aggregation < 2)
    refuse("aggregation", "{} packets: give 2 or more, or strict rounds", *raw.aggregation);
  if (*raw.aggregation == schedule::unbounded)
    refuse("aggregation", "{} packets stand for any number: leave it out", *raw.aggregation);
}

}  // namespace

schedule::Plan checked_plan(RawPlan&& raw) {
  check_version(raw);
  Network network = checked_network(raw);
  check_version(raw, network);
  check_failures(raw, network);
  std::optional<Network> overlay = checked_overlay(raw, network);
  const Network& hops_over = overlay ? *overlay : network;
  Task task = checked_task(raw, hops_over);
  check_version(raw, task);
  raw.schedule.ports = checked_ports(raw, hops_over);
  check_execution(raw);
  check_stages(raw, task, hops_over);
  check_steps(raw);
  raw.schedule.step_limits = raw.step_limits;
  schedule::Claims claims = checked_claims(raw);
  return {std::move(network),
          std::move(raw.failed),
          std::move(task),
          std::move(raw.schedule),
          std::move(raw.bound),
          std::move(claims),
          raw.aggregation.value_or(schedule::unbounded),
          raw.window,
          raw.chains,
          std::move(raw.shares),
          std::move(overlay)};
}

}  // namespace isotrope::io
