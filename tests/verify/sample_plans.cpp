// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/verify/sample_plans.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "isotrope/network/parse.hpp"

#include "isotrope/schedule/node_classes.hpp"
#include "isotrope/schedule/packets.hpp"
#include "isotrope/schedule/transform.hpp"

#include "isotrope/bound/listed_problem.hpp"

#include "isotrope/verify/verify.hpp"

namespace isotrope::verify {
namespace {

using schedule::Collective;
using schedule::Flow;
using schedule::Hop;
using schedule::Network;
using schedule::NodeClasses;
using schedule::Packet;
using schedule::PortModel;
using schedule::Replication;
using schedule::RoundKind;
using schedule::Schedule;
using schedule::Stage;
using schedule::Task;
using schedule::to_all;

// Places hops into the first round in which links and ports are free.
class FirstFit {
 public:
  FirstFit(const Network& network, Replication replication, PortModel ports, RoundKind kind)
      : network_(network), classes_(network.group(), replication), ports_(ports), kind_(kind) {}

  // Returns the round taken, at least `earliest`.
  std::uint64_t place(Hop hop, std::uint64_t earliest) {
    std::uint64_t t = earliest;
    while (!fits(hop, t)) ++t;
    rounds_.resize(std::max<std::size_t>(rounds_.size(), t + 1));
    rounds_[t].push_back(hop);
    return t;
  }

  schedule::Rounds rounds() const {
    schedule::Rounds result;
    for (const auto& round : rounds_) {
      for (const Hop& hop : round) result.add(hop);
      result.close_round();
    }
    return result;
  }

 private:
  bool fits(const Hop& hop, std::uint64_t t) const {
    if (t >= rounds_.size()) return true;
    std::set<std::pair<Node, Port>> links{{classes_.of(hop.from), hop.port}};
    for (const Hop& other : rounds_[t]) {
      const bool is_new = links.emplace(classes_.of(other.from), other.port).second;
      if (!is_new && kind_ == RoundKind::strict && classes_.of(other.from) == classes_.of(hop.from) &&
          other.port == hop.port) {
        return false;
      }
    }
    std::map<Node, Port> sends, receipts;
    for (const auto& [node_class, port] : links) {
      ++sends[node_class];
      // All members of a class send to one class.
      ++receipts[classes_.of(network_.neighbour(representative(node_class), port))];
    }
    const auto within = [&](Port sent, Port received) {
      const Port limit = ports_.sends(network_.degree());
      return ports_.half_duplex() ? sent + received <= 1 : sent <= limit && received <= limit;
    };
    for (const auto& [node_class, sent] : sends) {
      if (!within(sent, receipts[node_class])) return false;
    }
    for (const auto& [node_class, received] : receipts) {
      if (!within(sends[node_class], received)) return false;
    }
    return true;
  }

  Node representative(Node node_class) const {
    Node node = 0;
    while (classes_.of(node) != node_class) ++node;
    return node;
  }

  const Network& network_;
  NodeClasses classes_;
  PortModel ports_;
  RoundKind kind_;
  std::vector<std::vector<Hop>> rounds_;
};

// Ports of a shortest route.
std::vector<Port> route(const Network& network, Node from, Node to) {
  std::vector<Port> ports;
  while (from != to) {
    Port port = 0;
    while (network.distance(network.neighbour(from, port), to) >= network.distance(from, to)) ++port;
    ports.push_back(port);
    from = network.neighbour(from, port);
  }
  return ports;
}

schedule::Rounds moved(const Network& network, const Task& task, const Stage& stage, PortModel ports,
                       RoundKind kind) {
  FirstFit fit(network, stage.replication, ports, kind);
  const schedule::Packets packets(network, task, stage);
  for (PacketId p = 0; p < packets.size(); ++p) {
    Node at = packets[p].origin;
    std::uint64_t t = 0;
    for (Port port : route(network, at, packets[p].to)) {
      t = fit.place({p, at, port}, t) + 1;
      at = network.neighbour(at, port);
    }
  }
  return fit.rounds();
}

// Every node gets the packet from its predecessor on a shortest route from the origin.
schedule::Rounds copied(const Network& network, const Task& task, const Stage& stage, PortModel ports,
                        RoundKind kind) {
  FirstFit fit(network, stage.replication, ports, kind);
  const schedule::Packets packets(network, task, stage);
  std::vector<Node> nodes(network.order());
  for (PacketId p = 0; p < packets.size(); ++p) {
    const Node origin = packets[p].origin;
    for (Node node = 0; node < network.order(); ++node) nodes[node] = node;
    std::stable_sort(nodes.begin(), nodes.end(), [&](Node a, Node b) {
      return network.distance(origin, a) < network.distance(origin, b);
    });
    std::map<Node, std::uint64_t> held{{origin, 0}};
    for (Node node : nodes) {
      if (node == origin) continue;
      const Port last = route(network, origin, node).back();
      const Node before = network.neighbour(node, network.opposite(last));
      held[node] = fit.place({p, before, last}, held.at(before)) + 1;
    }
  }
  return fit.rounds();
}

schedule::Plan finished(const Network& network, const Task& task, Schedule schedule) {
  schedule::Plan plan{network, {}, task, std::move(schedule), {}, {}};
  const auto bounds = bound::listed_bounds(plan);
  plan.bound = bounds.empty() ? schedule::Bound{} : bounds.front();
  const Report report = verify(plan);
  plan.claims = {report.rounds, report.hops, report.optimal, {}};
  if (plan.schedule.round_kind == RoundKind::aggregated) plan.claims.link_load = report.link_load;
  return plan;
}

class Samples {
 public:
  explicit Samples(std::string_view name) : network_(network::parse(name)) {}

  std::vector<schedule::Plan> all() {
    const Node last = network_.order() - 1;
    for (RoundKind kind : {RoundKind::strict, RoundKind::aggregated}) {
      for (PortModel ports :
           {PortModel::all(), PortModel::ports((network_.degree() + 1) / 2), PortModel::one()}) {
        forward_and_back("alltoall", 0, Replication::all(), ports, kind, 2);
        forward_and_back("allgather", 0, Replication::all(), ports, kind, 2);
      }
      for (PortModel ports : {PortModel::all(), PortModel::one(), PortModel::half()}) {
        forward_and_back("scatter", last, Replication::none(), ports, kind, 2);
        forward_and_back("broadcast", last, Replication::none(), ports, kind, 3);
      }
      listed(kind);
      even_axis(kind);
      allreduce(kind);
    }
    return std::move(plans_);
  }

 private:
  Schedule schedule_of(const Task& task, Replication replication, std::vector<Packet> packets,
                       PortModel ports, RoundKind kind) const {
    const bool copies = task.collective == Collective::broadcast || task.collective == Collective::allgather;
    Stage stage{copies ? Flow::copy : Flow::move, replication, std::move(packets), {}};
    stage.rounds =
        copies ? copied(network_, task, stage, ports, kind) : moved(network_, task, stage, ports, kind);
    return {ports, kind, {std::move(stage)}};
  }

  void forward_and_back(std::string_view collective, Node root, Replication replication, PortModel ports,
                        RoundKind kind, std::uint32_t parts) {
    const Task task = schedule::parse_task(collective, network_, root, parts);
    const Schedule forward = schedule_of(task, replication, {}, ports, kind);
    schedule::TaskSchedule back = reverse(network_, task, forward);
    plans_.push_back(finished(network_, task, forward));
    plans_.push_back(finished(network_, back.task, std::move(back.schedule)));
  }

  void listed(RoundKind kind) {
    std::vector<Packet> isotropic, some, near;
    for (Node v = 1; v < network_.order(); ++v) {
      isotropic.push_back({0, v, v % 3, 0});
      some.push_back({v, v / 2, v, 0});
      if (network_.distance(0, v) == 1) near.push_back({0, v, v, 0});
    }
    const auto add = [&](std::string_view name, Replication replication, std::vector<Packet> packets) {
      const Task task = schedule::parse_task(name, network_);
      plans_.push_back(finished(network_, task,
                                schedule_of(task, replication, std::move(packets), PortModel::all(), kind)));
    };
    add("isotropic", Replication::all(), isotropic);
    add("task", Replication::none(), some);
    add("neighborhood:1:1", Replication::all(), near);
  }

  void even_axis(RoundKind kind) {
    const auto moduli = network_.group().moduli();
    for (std::uint32_t axis = 0; axis < moduli.size(); ++axis) {
      if (moduli[axis] % 2 != 0) continue;
      std::vector<network::Coordinate> odd(moduli.size(), 0);
      odd[axis] = 1;
      const Node origins[] = {0, network_.group().number(odd)};
      std::vector<Packet> personal, common;
      for (Node origin : origins) {
        common.push_back({origin, to_all, 0, 0});
        for (Node v = 1; v < network_.order(); ++v)
          personal.push_back({origin, network_.group().add(origin, v), v, 0});
      }
      for (PortModel ports : {PortModel::all(), PortModel::one(), PortModel::half()}) {
        if (ports.half_duplex() && !separates(axis)) continue;
        const Task alltoall = schedule::parse_task("alltoall", network_),
                   allgather = schedule::parse_task("allgather", network_);
        plans_.push_back(finished(network_, alltoall,
                                  schedule_of(alltoall, Replication::even(axis), personal, ports, kind)));
        const Schedule gossip = schedule_of(allgather, Replication::even(axis), common, ports, kind);
        plans_.push_back(finished(network_, allgather, gossip));
        schedule::TaskSchedule back = reverse(network_, allgather, gossip);
        plans_.push_back(finished(network_, back.task, std::move(back.schedule)));
      }
    }
  }

  // Whether every link joins the two cosets, as half duplex needs.
  bool separates(std::uint32_t axis) const {
    const auto generators = network_.generators();
    return std::all_of(generators.begin(), generators.end(),
                       [&](Node g) { return network_.group().coordinate(g, axis) % 2 == 1; });
  }

  void allreduce(RoundKind kind) {
    const Task task = schedule::parse_task("allreduce", network_, 0, 2);
    for (const char* name : {"allgather", "broadcast"}) {
      const Task spread = schedule::parse_task(name, network_, 0, 2);
      const Replication replication = is_rooted(spread.collective) ? Replication::none() : Replication::all();
      const Schedule copying = schedule_of(spread, replication, {}, PortModel::all(), kind);
      const Schedule combining = reverse(network_, spread, copying).schedule;
      plans_.push_back(finished(network_, task, concatenate(combining, copying)));
    }
  }

  Network network_;
  std::vector<schedule::Plan> plans_;
};

}  // namespace

std::vector<schedule::Plan> sample_plans(std::string_view network_name) {
  return Samples(network_name).all();
}

std::vector<std::string_view> sample_networks() {
  return {"hypercube:1",
          "hypercube:3",
          "ring:5",
          "ring:4",
          "torus:2x3",
          "torus:4x4",
          "hexmesh:2",
          "complete:4",
          "circulant:9:1,3",
          "twisted-torus:2x2x4",
          "twisted-torus:4,0/2,3"};
}

}  // namespace isotrope::verify
