// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <set>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"

#include "isotrope/network/surviving_network.hpp"

#include "isotrope/schedule/node_classes.hpp"
#include "isotrope/schedule/packets.hpp"
#include "isotrope/schedule/symmetries.hpp"

#include "isotrope/verify/checks.hpp"

namespace isotrope::verify {
namespace {

using schedule::Collective;
using schedule::Flow;
using schedule::NodeClasses;
using schedule::Replication;
using schedule::Stage;
using schedule::to_all;

std::vector<Node> failed_nodes(const Plan& plan) {
  std::vector<Node> failed = plan.failed.nodes;
  std::sort(failed.begin(), failed.end());
  failed.erase(std::unique(failed.begin(), failed.end()), failed.end());
  return failed;
}

class StructureCheck {
 public:
  StructureCheck(const Plan& plan, Violations& violations)
      : plan_(plan), network_(hop_network(plan)), failed_(hop_failures(plan)), violations_(violations) {}

  void run() {
    const std::uint64_t before = violations_.count();
    if (stages().empty()) return fault(0, "the plan has no stage");
    if (!overlay_fits()) return;
    if (plan_.task.root >= network_.order()) return fault(0, "the root is outside the network");
    if (!failures_in_range()) return fault(0, "a failed node or link is outside the network");
    if (!links_can_lack()) return;
    if (!machine_routes()) return;
    if (is_rooted(plan_.task.collective) && has_failed(plan_.task.root))
      return fault(0, "the root has failed");
    for (stage_ = 0; stage_ < stages().size(); ++stage_) check_stage(stages()[stage_]);
    check_motion();
    check_last_stage();
    if (violations_.count() != before) return;
    check_chain();
    if (violations_.count() == before) check_coverage();
  }

 private:
  const std::vector<Stage>& stages() const { return plan_.schedule.stages; }

  template <class... Args>
  void fault(std::size_t stage, fmt::format_string<Args...> text, Args&&... args) {
    violations_.add([&] {
      return Violation{
          .rule = Rule::structure,
          .message = fmt::format("stage {}: {}", stage, fmt::format(text, std::forward<Args>(args)...)),
          .stage = static_cast<std::uint32_t>(stage)};
    });
  }

  // A first stage that combines leaves every sum at one node.
  void check_last_stage() {
    const Collective collective = plan_.task.collective;
    if (collective != Collective::allreduce && collective != Collective::barrier) return;
    if (stages().back().flow != Flow::reduce) return;
    fault(stages().size() - 1, "{} ends with every sum at one node: add a stage that copies it to all",
          name());
  }

  // Waiting, barriers and limits of steps are properties of packets that move in one stage.
  void check_motion() {
    const schedule::Schedule& schedule = plan_.schedule;
    const auto& barriers = schedule.barriers;
    if (schedule.waiting && barriers.empty() && !schedule.step_limits) return;
    if (stages().size() != 1 || stages().front().flow != Flow::move)
      fault(0,
            "a plan without waiting, or with barriers or limits of steps, has one stage, whose packets move");
    const bool ascend = std::ranges::adjacent_find(barriers, std::greater_equal<>()) == barriers.end();
    if (!barriers.empty() && (!ascend || barriers.front() == 0 || barriers.back() >= schedule.round_count()))
      fault(0, "barriers are numbers of rounds, ascending, 1..{}", schedule.round_count() - 1);
  }

  bool overlay_fits() {
    if (!plan_.overlay) return true;
    if (network_.order() == plan_.network.order()) return true;
    fault(0, "the overlay has {} nodes, the network {}", network_.order(), plan_.network.order());
    return false;
  }

  bool failures_in_range() const {
    const network::Network& machine = plan_.network;
    const Node order = machine.order();
    const std::vector<Node>& nodes = plan_.failed.nodes;
    const std::vector<schedule::Link>& links = plan_.failed.links;
    return std::all_of(nodes.begin(), nodes.end(), [&](Node node) { return node < order; }) &&
           std::all_of(links.begin(), links.end(), [&](const schedule::Link& link) {
             return link.node < order && link.port < machine.degree();
           });
  }

  // The distances of a neighbourhood and the addresses of an isotropic task are those of the whole Cayley graph.
  bool links_can_lack() {
    if (plan_.failed.before().empty()) return true;
    const auto collective = plan_.task.collective;
    if (!failed_.before().empty() &&
        (collective == Collective::neighborhood || collective == Collective::isotropic)) {
      fault(0, "{} is defined on closed axes and on all links of a Cayley graph only", name());
      return false;
    }
    try {
      network::closing_links(plan_.network, plan_.failed.open_axes);
      network::links_of(plan_.network, plan_.failed.edges);
    } catch (const Error& error) {
      fault(0, "{}", error.what());
      return false;
    }
    return true;
  }

  // Without an overlay, hops show that links join the nodes.
  bool machine_routes() {
    if (!plan_.overlay || plan_.failed.empty()) return true;
    const network::SurvivingNetwork left(plan_.network, plan_.failed);
    const std::vector<Node> apart = left.cut_off(left.nodes().front());
    if (apart.empty()) return true;
    fault(0, "the machine cannot route messages of the overlay between nodes {} and {}: no links join them",
          left.nodes().front(), apart.front());
    return false;
  }

  void check_stage(const Stage& stage) {
    check_flow(stage);
    check_replication(stage);
    check_symmetry(stage);
    if (stage.flow == Flow::exchange) return check_sums(stage);
    if (!stage.sums.empty() || !stage.result.empty()) fault(stage_, "only an exchange has sums and a result");
    for (std::size_t p = 0; p < stage.packets.size(); ++p) check_packet(stage, p);
  }

  void check_flow(const Stage& stage) {
    if (stage.flow == Flow::exchange || stage.flow == Flow::reduce_then_copy) return check_only_stage(stage);
    if (is_prefix(plan_.task.collective)) return fault(stage_, "{} takes one stage, an exchange", name());
    const bool must_combine = reduces(plan_.task.collective) && stage_ == 0;
    if (must_combine && stage.flow != Flow::reduce) fault(stage_, "{} begins by combining", name());
    if (!must_combine && stage.flow == Flow::reduce) fault(stage_, "{} has nothing to combine here", name());
  }

  // An exchange and a stage that reduces and then copies do the whole of an allreduce, an exchange also of a scan.
  void check_only_stage(const Stage& stage) {
    const Collective collective = plan_.task.collective;
    const bool scans = is_prefix(collective) && stage.flow == Flow::exchange;
    if (!scans && collective != Collective::allreduce && collective != Collective::barrier)
      return fault(stage_, "{} needs another flow: this one leaves every node with the sum of all", name());
    if (stages().size() != 1) fault(stage_, "a stage with this flow is the only one");
  }

  void check_sums(const Stage& stage) {
    const std::uint64_t parts = plan_.task.parts;
    if (!stage.packets.empty()) fault(stage_, "an exchange has sums instead of packets");
    for (std::size_t i = 0; i < stage.sums.size(); ++i) {
      if (stage.sums[i].part >= parts) fault(stage_, "sum {} has a part outside its range", i);
      if (stage.sums[i].values.empty()) fault(stage_, "sum {} has no value", i);
    }
    if (stage.result.size() == parts) return;
    const bool even = stage.replication.kind == Replication::Kind::even_axis;
    const bool all = stage.replication.kind == Replication::Kind::all;
    const std::uint64_t classes = all ? 1 : even ? 2 : network_.order();
    if (stage.result.size() != parts * classes) {
      fault(stage_, "the result has {} lists: give one per part, {}, or one per part and class of nodes, {}",
            stage.result.size(), parts, parts * classes);
    }
  }

  void check_replication(const Stage& stage) {
    const Replication replication = stage.replication;
    if (replication.kind == Replication::Kind::none) return;
    if (!failed_.empty()) fault(stage_, "a network with failures has no symmetry to replicate hops by");
    if (schedule::is_rooted(plan_.task.collective))
      fault(stage_, "{} has a root, so it is not replicated", name());
    if (replication.kind != Replication::Kind::even_axis) return;
    const auto moduli = network_.group().moduli();
    if (replication.axes == 0) fault(stage_, "even_axes is empty");
    for (std::size_t axis = 0; axis < 64; ++axis) {
      if ((replication.axes >> axis & 1) != 0 && (axis >= moduli.size() || moduli[axis] % 2 != 0))
        fault(stage_, "even_axis {} is not a coordinate with an even modulus", axis);
    }
  }

  // Packets and hops are the images of the first ones of their orbits.
  void check_symmetry(const Stage& stage) {
    if (stage.symmetry.empty()) return;
    try {
      if (!schedule::has_symmetry(network_, stage))
        fault(stage_, "its packets or hops are not symmetric along its axes");
    } catch (const Error& error) {
      fault(stage_, "{}", error.what());
    }
  }

  void check_packet(const Stage& stage, std::size_t p) {
    const schedule::Packet packet = stage.packets[p];
    const Node order = network_.order();
    if (packet.origin >= order || (packet.to >= order && packet.to != to_all) ||
        packet.part >= plan_.task.parts) {
      return fault(stage_, "packet {} has an origin, destination or part outside its range", p);
    }
    if (has_failed(packet.origin) || has_failed(packet.to))
      fault(stage_, "packet {} begins or ends at a failed node", p);
    if (stage.replication.kind == Replication::Kind::all && packet.origin != 0) {
      fault(stage_, "packet {} has origin {}: a stage replicated to all origins lists those of origin 0", p,
            packet.origin);
    }
    if (stage.flow == Flow::move && packet.to == to_all)
      fault(stage_, "packet {} is moved, so it needs one destination", p);
    if (stage.flow == Flow::reduce && packet.to != packet.origin)
      fault(stage_, "packet {} is combined, so its destination is its origin", p);
    if (stage.flow == Flow::reduce_then_copy && packet.to != to_all)
      fault(stage_, "packet {} is copied to every node, so its destination is all", p);
  }

  // The packets of a stage must begin at the nodes at which the stage before leaves them.
  void check_chain() {
    for (std::size_t s = 1; s < stages().size(); ++s) {
      const Stage &before = stages()[s - 1], &after = stages()[s];
      const schedule::Packets given(network_, plan_.task, before), taken(network_, plan_.task, after);
      if (before.replication != after.replication || given.size() != taken.size())
        return fault(s, "its packets or replication are not those of the stage before");
      for (PacketId p = 0; p < taken.size(); ++p) {
        if (given[p].to != to_all && given[p].to != taken[p].origin)
          return fault(s, "packet {} begins at node {} but the stage before leaves it at {}", p,
                       taken[p].origin, given[p].to);
      }
    }
  }

  // Counts the different blocks of the collective that the packets deliver. Implied packets are complete by
  // definition.
  void check_coverage() {
    const Stage &first = stages().front(), &last = stages().back();
    if (last.flow == Flow::exchange) return;
    if (listed_task()) return check_traffic();
    if (stages().size() == 1 && is_implied(first)) return;
    const schedule::Packets begun(network_, plan_.task, first), ended(network_, plan_.task, last);
    const NodeClasses classes(network_.group(), last.replication);
    const std::uint64_t wanted = wanted_count(classes);
    if (wanted > ended.size())
      return fault(0, "{} needs {} packets (before replication) and {} are there", name(), wanted,
                   ended.size());
    std::vector<std::uint64_t> delivered;
    delivered.reserve(ended.size());
    for (PacketId p = 0; p < ended.size(); ++p) {
      if (!belongs(begun[p].origin, ended[p].to))
        return fault(0, "packet {} from {} to {} is no part of {}", p, begun[p].origin,
                     destination(ended[p].to), name());
      if (is_needed(begun[p].origin, ended[p].to))
        delivered.push_back(key(classes, begun[p].origin, ended[p].to) * plan_.task.parts + ended[p].part);
    }
    std::sort(delivered.begin(), delivered.end());
    const auto distinct =
        static_cast<std::uint64_t>(std::unique(delivered.begin(), delivered.end()) - delivered.begin());
    if (distinct < wanted)
      return fault(0, "{} needs {} different packets (before replication) and {} are there", name(), wanted,
                   distinct);
    if (plan_.task.collective == Collective::allreduce || plan_.task.collective == Collective::barrier)
      check_whole_blocks(first);
  }

  // The blocks of a vector are complete. Translates of a packet are of one block for every origin.
  void check_whole_blocks(const Stage& stage) {
    if (stage.replication.kind != Replication::Kind::none) return;
    using Block = std::pair<Node, std::uint32_t>;
    std::set<Block> blocks;
    std::set<std::pair<Block, std::uint32_t>> parts;
    for (const schedule::Packet& packet : stage.packets) {
      blocks.emplace(packet.origin, packet.block);
      parts.insert({{packet.origin, packet.block}, packet.part});
    }
    if (parts.size() != blocks.size() * plan_.task.parts)
      fault(0, "{} blocks of {} parts need {} packets, and {} different ones are there", blocks.size(),
            plan_.task.parts, blocks.size() * plan_.task.parts, parts.size());
  }

  bool is_implied(const Stage& stage) const {
    return stage.packets.empty() && implies_packets(plan_.task, stage.flow, stage.replication);
  }

  // Origin and destination of a listed packet, up to translation.
  struct RelativePath {
    Node origin_class;
    Node to;  // relative to the origin

    auto operator<=>(const RelativePath&) const = default;
  };
  struct ListedPart {
    RelativePath place;
    std::uint32_t block, part;

    auto operator<=>(const ListedPart&) const = default;
  };

  // Holds the packets of isotropic and task against the traffic, if the plan states it. Blocks that stay at
  // their origin may be listed or left out.
  void check_traffic() {
    const NodeClasses classes(network_.group(), stages().front().replication);
    if (plan_.task.destinations.empty() && plan_.task.deliveries.empty()) return;
    std::map<RelativePath, std::uint64_t> wanted = wanted_packets(classes);
    for (const auto& [place, packets] : listed_packets(classes)) {
      const auto found = wanted.find(place);
      if (found == wanted.end() || found->second != packets)
        return fault(0, "the traffic has {} packets from node {} to {}, the stage {}",
                     found == wanted.end() ? 0 : found->second, place.origin_class,
                     network_.group().add(place.origin_class, place.to), packets);
      wanted.erase(found);
    }
    if (!wanted.empty())
      fault(0, "the stage lacks the packets of {} origins and destinations", wanted.size());
  }

  // Packets by origin and destination, translates counted once; only whole blocks count.
  std::map<RelativePath, std::uint64_t> listed_packets(const NodeClasses& classes) const {
    std::set<ListedPart> parts;
    for (const schedule::Packet& packet : stages().front().packets) {
      if (packet.to == packet.origin || packet.to == to_all) continue;
      const RelativePath place{classes.of(packet.origin),
                               network_.group().subtract(packet.to, packet.origin)};
      parts.insert({place, packet.block, packet.part});
    }
    std::map<RelativePath, std::uint64_t> result;
    for (const ListedPart& part : parts) ++result[part.place];
    return result;
  }

  std::map<RelativePath, std::uint64_t> wanted_packets(const NodeClasses& classes) const {
    const std::uint64_t parts = plan_.task.parts;
    std::map<RelativePath, std::uint64_t> result;
    const auto add = [&](Node from, Node to, std::uint64_t blocks) {
      if (from == to || blocks == 0 || has_failed(from) || has_failed(to)) return;
      result[{classes.of(from), network_.group().subtract(to, from)}] += blocks * parts;
    };
    for (const auto& [from, to, blocks] : plan_.task.deliveries) add(from, to, blocks);
    for (const Node origin : one_per_class(classes)) {
      for (const auto& [to, blocks] : plan_.task.destinations)
        add(origin, network_.group().add(origin, to), blocks);
    }
    return result;
  }

  std::vector<Node> one_per_class(const NodeClasses& classes) const {
    std::vector<Node> result;
    std::vector<bool> seen(classes.count(), false);
    for (Node node = 0; node < network_.order() && result.size() < classes.count(); ++node) {
      if (seen[classes.of(node)]) continue;
      seen[classes.of(node)] = true;
      result.push_back(node);
    }
    return result;
  }

  // Whether the collective can have a packet from `origin` to `to` at all.
  bool belongs(Node origin, Node to) const {
    switch (plan_.task.collective) {
      case Collective::broadcast:
        return origin == plan_.task.root && to == to_all;
      case Collective::scatter:
        return origin == plan_.task.root && to != to_all;
      case Collective::gather:
      case Collective::reduce:
        return to == plan_.task.root;
      case Collective::allgather:
      case Collective::allreduce:
      case Collective::barrier:
        return to == to_all;
      default:
        return to != to_all;
    }
  }

  // Whether the collective needs the packet. A block that stays at its origin may be listed or left out.
  bool is_needed(Node origin, Node to) const {
    switch (plan_.task.collective) {
      case Collective::scatter:
      case Collective::gather:
      case Collective::alltoall:
        return origin != to;
      case Collective::neighborhood: {
        const std::uint32_t distance = network_.distance(origin, to);
        return plan_.task.nearest <= distance && distance <= plan_.task.farthest;
      }
      default:
        return true;
    }
  }

  // A number for every block of the collective, the same for translates.
  std::uint64_t key(const NodeClasses& classes, Node origin, Node to) const {
    switch (plan_.task.collective) {
      case Collective::scatter:
        return to;
      case Collective::gather:
        return origin;
      case Collective::allgather:
        return classes.of(origin);
      case Collective::reduce_scatter:
        return classes.of(to);
      case Collective::alltoall:
      case Collective::neighborhood:
        return std::uint64_t{classes.of(origin)} * network_.order() + network_.group().subtract(to, origin);
      default:
        return 0;
    }
  }

  std::uint64_t wanted_count(const NodeClasses& classes) const {
    const std::uint64_t survivors = surviving_count(plan_);
    const std::uint64_t origins = classes.count() == network_.order() ? survivors : classes.count();
    const std::uint64_t parts = plan_.task.parts;
    switch (plan_.task.collective) {
      case Collective::scatter:
      case Collective::gather:
        return (survivors - 1) * parts;
      case Collective::allgather:
      case Collective::reduce_scatter:
        return origins * parts;
      case Collective::alltoall:
        return origins * (survivors - 1) * parts;
      case Collective::neighborhood:
        return wanted_neighbours(classes.count()) * parts;
      default:
        return parts;
    }
  }

  // Ordered pairs of surviving nodes within the distances of the neighborhood, by inclusion and exclusion, one
  // origin per class.
  std::uint64_t wanted_neighbours(std::uint64_t origins) const {
    const auto counts = network_.distance_counts();
    std::uint64_t size = 0;
    for (std::uint64_t j = plan_.task.nearest; j <= plan_.task.farthest && j < counts.size(); ++j)
      size += counts[j];
    const std::vector<Node> failed = failed_nodes(plan_);
    std::uint64_t among_failed = 0;
    for (Node a : failed) {
      for (Node b : failed) among_failed += is_needed(a, b) ? 1 : 0;
    }
    return origins * size + among_failed - 2 * failed.size() * size;
  }

  bool listed_task() const {
    return plan_.task.collective == Collective::isotropic || plan_.task.collective == Collective::task;
  }

  bool has_failed(Node node) const {
    return std::find(plan_.failed.nodes.begin(), plan_.failed.nodes.end(), node) != plan_.failed.nodes.end();
  }

  std::string name() const { return schedule::to_string(plan_.task); }

  static std::string destination(Node to) { return to == to_all ? "all" : fmt::to_string(to); }

  const Plan& plan_;
  const schedule::Network& network_;
  const network::Failures failed_;  // of the ports of hops
  Violations& violations_;
  std::size_t stage_ = 0;
};

}  // namespace

void check_structure(const Plan& plan, Violations& violations) {
  StructureCheck(plan, violations).run();
}

std::vector<Node> surviving_nodes(const Plan& plan) {
  const std::vector<Node> failed = failed_nodes(plan);
  std::vector<Node> all(plan.network.order());
  std::iota(all.begin(), all.end(), Node{0});
  std::vector<Node> result;
  std::set_difference(all.begin(), all.end(), failed.begin(), failed.end(), std::back_inserter(result));
  return result;
}

std::uint64_t surviving_count(const Plan& plan) {
  return plan.network.order() - failed_nodes(plan).size();
}

}  // namespace isotrope::verify
