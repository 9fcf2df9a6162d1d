// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/verify/reference_checker.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "isotrope/schedule/packets.hpp"

namespace isotrope::verify {
namespace {

using schedule::Collective;
using schedule::Flow;
using schedule::Hop;
using schedule::Network;
using schedule::Node;
using schedule::PacketId;
using schedule::Plan;
using schedule::Port;
using schedule::Replication;
using schedule::Stage;
using schedule::to_all;

using Translate = std::pair<PacketId, Node>;  // a listed packet and the translation applied to it
using Contributions = std::multiset<Node>;

class Reference {
 public:
  explicit Reference(const Plan& plan) : plan_(plan), network_(plan.network) {}

  bool valid() {
    if (plan_.schedule.stages.empty()) return false;
    for (const Stage& stage : plan_.schedule.stages) {
      if (!well_formed(stage) || !run(stage)) return false;
    }
    return stages_meet() && collective_served();
  }

 private:
  bool failed(Node node) const {
    return std::count(plan_.failed.nodes.begin(), plan_.failed.nodes.end(), node) > 0;
  }
  bool failed(Node from, Port port) const {
    const Node to = network_.neighbour(from, port);
    for (const schedule::Link& link : plan_.failed.links) {
      if (link == schedule::Link{from, port} || link == schedule::Link{to, network_.opposite(port)})
        return true;
    }
    return failed(from) || failed(to) || !exists(from, port);
  }
  // Whether the link between two neighbours is an edge, and closes no open axis.
  bool exists(Node from, Port port) const {
    const Node to = network_.neighbour(from, port);
    const auto generators = network_.generators();
    const auto copy = std::count(generators.begin(), generators.begin() + port, generators[port]);
    const auto& edges = plan_.failed.edges;
    if (!edges.empty() &&
        std::count(edges.begin(), edges.end(), network::Edge{std::min(from, to), std::max(from, to)}) <= copy)
      return false;
    const network::Group& group = network_.group();
    return std::all_of(plan_.failed.open_axes.begin(), plan_.failed.open_axes.end(), [&](std::uint32_t axis) {
      const auto a = group.coordinate(from, axis), b = group.coordinate(to, axis);
      return std::max(a, b) - std::min(a, b) <= 1;
    });
  }
  std::vector<Node> survivors() const {
    std::vector<Node> nodes;
    for (Node node = 0; node < network_.order(); ++node) {
      if (!failed(node)) nodes.push_back(node);
    }
    return nodes;
  }

  // Of the coordinates by which a stage is replicated.
  std::uint64_t coordinate_sum(Node g, Replication replication) const {
    const auto coordinates = network_.group().coordinates(g);
    std::uint64_t sum = 0;
    for (std::size_t axis = 0; axis < coordinates.size(); ++axis)
      sum += (replication.axes >> axis & 1) * coordinates[axis];
    return sum;
  }

  // Whether there are such coordinates, all with even moduli.
  bool has_even_axes(Replication replication) const {
    const auto moduli = network_.group().moduli();
    for (std::size_t axis = 0; axis < 64; ++axis) {
      if ((replication.axes >> axis & 1) != 0 && (axis >= moduli.size() || moduli[axis] % 2 != 0))
        return false;
    }
    return replication.axes != 0;
  }

  std::vector<Node> translations(Replication replication) const {
    std::vector<Node> result;
    for (Node g = 0; g < network_.order(); ++g) {
      const bool even =
          replication.kind == Replication::Kind::even_axis && coordinate_sum(g, replication) % 2 == 0;
      if (replication.kind == Replication::Kind::all || even || g == 0) result.push_back(g);
    }
    return result;
  }

  Node shift(Node node, Node g) const { return node == to_all ? to_all : network_.group().add(node, g); }

  bool well_formed(const Stage& stage) const {
    const auto kind = stage.replication.kind;
    if (kind != Replication::Kind::none && (is_rooted(plan_.task.collective) || !plan_.failed.empty()))
      return false;
    if (kind == Replication::Kind::even_axis && !has_even_axes(stage.replication)) return false;
    if (is_rooted(plan_.task.collective) && failed(plan_.task.root)) return false;
    const bool combine_here = reduces(plan_.task.collective) && &stage == &plan_.schedule.stages.front();
    if ((stage.flow == Flow::reduce) != combine_here) return false;
    const schedule::Packets packets(network_, plan_.task, stage);
    for (PacketId p = 0; p < packets.size(); ++p) {
      const schedule::Packet packet = packets[p];
      if (packet.origin >= network_.order() || (packet.to >= network_.order() && packet.to != to_all))
        return false;
      if (packet.part >= plan_.task.parts) return false;
      if (!stage.packets.empty() && (failed(packet.origin) || failed(packet.to))) return false;
      if (kind == Replication::Kind::all && packet.origin != 0) return false;
      if (stage.flow != Flow::copy && packet.to == to_all) return false;
      if (stage.flow == Flow::reduce && packet.to != packet.origin) return false;
    }
    return true;
  }

  // Follows every translate of every hop, then asks whether each packet has arrived.
  bool run(const Stage& stage) {
    const schedule::Packets packets(network_, plan_.task, stage);
    const std::vector<Node> shifts = translations(stage.replication);
    std::map<std::pair<Translate, Node>, Contributions> held;
    for (PacketId p = 0; p < packets.size(); ++p) {
      for (Node g : shifts) {
        if (stage.flow == Flow::reduce) {
          for (Node node : survivors()) held[{{p, g}, node}] = {node};
        } else {
          held[{{p, g}, shift(packets[p].origin, g)}] = {};
        }
      }
    }
    for (std::uint64_t t = 0; t < stage.rounds.size(); ++t) {
      std::map<std::pair<Node, Port>, int> links;
      std::vector<std::tuple<Translate, Node, Contributions>> arrivals;
      for (const Hop& hop : stage.rounds.round(t)) {
        if (hop.packet >= packets.size() || hop.from >= network_.order() || hop.port >= network_.degree())
          return false;
        for (Node g : shifts) {
          const Node from = shift(hop.from, g);
          const auto source = held.find({{hop.packet, g}, from});
          if (source == held.end() || failed(from, hop.port)) return false;
          ++links[{from, hop.port}];
          arrivals.emplace_back(Translate{hop.packet, g}, network_.neighbour(from, hop.port), source->second);
          if (stage.flow != Flow::copy) held.erase(source);
        }
      }
      if (!links_allowed(links)) return false;
      for (const auto& [packet, to, contributions] : arrivals) {
        held[{packet, to}].insert(contributions.begin(), contributions.end());
      }
    }
    return arrived(stage, packets, shifts, held);
  }

  bool links_allowed(const std::map<std::pair<Node, Port>, int>& links) const {
    std::map<Node, Port> sends, receipts;
    for (const auto& [link, count] : links) {
      if (count > 1 && plan_.schedule.round_kind == schedule::RoundKind::strict) return false;
      ++sends[link.first];
      ++receipts[network_.neighbour(link.first, link.second)];
    }
    using Kind = schedule::PortModel::Kind;
    const schedule::PortModel model = plan_.schedule.ports;
    for (Node node = 0; node < network_.order(); ++node) {
      const Port sent = sends[node], received = receipts[node];
      if (model.kind == Kind::k_port && (sent > model.k || received > model.k)) return false;
      if (model.kind == Kind::one_port && (sent > 1 || received > 1)) return false;
      if (model.kind == Kind::half_duplex && sent + received > 1) return false;
    }
    return true;
  }

  // A collective implies packets from and to single nodes for failed nodes, too.
  bool is_void(const Stage& stage, const schedule::Packet& packet) const {
    const bool personal = packet.to != to_all && stage.flow != Flow::reduce;
    return stage.packets.empty() && personal && (failed(packet.origin) || failed(packet.to));
  }

  template <class Held>
  bool arrived(const Stage& stage, const schedule::Packets& packets, const std::vector<Node>& shifts,
               const Held& held) {
    for (PacketId p = 0; p < packets.size(); ++p) {
      for (Node g : shifts) {
        const Node to = shift(packets[p].to, g);
        if (is_void(stage, packets[p])) continue;
        for (Node node : to == to_all ? survivors() : std::vector<Node>{to}) {
          const auto found = held.find({{p, g}, node});
          if (found == held.end()) return false;
          const std::vector<Node> all = survivors();
          if (stage.flow == Flow::reduce && found->second != Contributions(all.begin(), all.end()))
            return false;
        }
      }
    }
    return true;
  }

  bool stages_meet() const {
    const auto& stages = plan_.schedule.stages;
    for (std::size_t s = 1; s < stages.size(); ++s) {
      const schedule::Packets before(network_, plan_.task, stages[s - 1]),
          after(network_, plan_.task, stages[s]);
      if (stages[s - 1].replication != stages[s].replication || before.size() != after.size()) return false;
      for (PacketId p = 0; p < after.size(); ++p) {
        if (before[p].to != to_all && before[p].to != after[p].origin) return false;
      }
    }
    return true;
  }

  // Every (origin, destination, part) the collective asks for must be among the packets, and nothing of
  // another form.
  bool collective_served() const {
    const Stage &first = plan_.schedule.stages.front(), &last = plan_.schedule.stages.back();
    const schedule::Packets begun(network_, plan_.task, first), ended(network_, plan_.task, last);
    std::set<std::tuple<Node, Node, std::uint32_t>> served;
    for (PacketId p = 0; p < ended.size(); ++p) {
      for (Node g : translations(last.replication)) {
        served.emplace(shift(begun[p].origin, g), shift(ended[p].to, g), ended[p].part);
      }
    }
    const auto& task = plan_.task;
    const Node root = task.root;
    bool right_form = true, complete = true;
    for (const auto& [origin, to, part] : served) {
      switch (task.collective) {
        case Collective::broadcast:
          right_form &= origin == root && to == to_all;
          break;
        case Collective::scatter:
          right_form &= origin == root && to != to_all;
          break;
        case Collective::gather:
        case Collective::reduce:
          right_form &= to == root;
          break;
        case Collective::allgather:
        case Collective::allreduce:
        case Collective::barrier:
          right_form &= to == to_all;
          break;
        case Collective::alltoall:
        case Collective::reduce_scatter:
        case Collective::neighborhood:
          right_form &= to != to_all;
          break;
        case Collective::scan:
        case Collective::exscan:  // no packet has a sum of some nodes
          right_form = false;
          break;
        case Collective::isotropic:
        case Collective::task:
          break;
      }
    }
    const auto any_with = [&](auto matches, std::uint32_t part) {
      return std::any_of(served.begin(), served.end(), [&](const auto& entry) {
        return std::get<2>(entry) == part && matches(std::get<0>(entry), std::get<1>(entry));
      });
    };
    for (std::uint32_t part = 0; part < task.parts; ++part) {
      for (Node a : survivors()) {
        switch (task.collective) {
          case Collective::broadcast:
            complete &= served.contains({root, to_all, part});
            break;
          case Collective::scatter:
            complete &= a == root || served.contains({root, a, part});
            break;
          case Collective::gather:
            complete &= a == root || served.contains({a, root, part});
            break;
          case Collective::reduce:
            complete &= any_with([&](Node, Node to) { return to == root; }, part);
            break;
          case Collective::allgather:
            complete &= served.contains({a, to_all, part});
            break;
          case Collective::reduce_scatter:
            complete &= any_with([&](Node, Node to) { return to == a; }, part);
            break;
          case Collective::allreduce:
          case Collective::barrier:
            complete &= any_with([&](Node, Node to) { return to == to_all; }, part);
            break;
          case Collective::alltoall:
            for (Node b : survivors()) complete &= a == b || served.contains({a, b, part});
            break;
          case Collective::neighborhood:
            for (Node b : survivors()) {
              const auto distance = network_.distance(a, b);
              complete &=
                  distance < task.nearest || distance > task.farthest || served.contains({a, b, part});
            }
            break;
          case Collective::scan:
          case Collective::exscan:
          case Collective::isotropic:
          case Collective::task:
            break;
        }
      }
    }
    return right_form && complete;
  }

  const Plan& plan_;
  const Network& network_;
};

}  // namespace

bool valid_by_definition(const Plan& plan) {
  return Reference(plan).valid();
}

}  // namespace isotrope::verify
