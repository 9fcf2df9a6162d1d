// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/local/tree_plans.hpp"

#include <algorithm>
#include <numeric>

#include "isotrope/network/parse.hpp"

#include "isotrope/schedule/node_classes.hpp"
#include "isotrope/schedule/packets.hpp"

namespace isotrope::local {
namespace {

using network::Network;
using network::Node;
using network::Port;
using schedule::Collective;
using schedule::Flow;
using schedule::Hop;
using schedule::Packet;
using schedule::Plan;
using schedule::Replication;
using schedule::Stage;
using schedule::Task;

struct Step {
  Node from;
  Port port;
};

// By node, the way to it from node 0.
using Routes = std::vector<std::vector<Step>>;

Routes shortest_routes(const Network& network, bool last_port_first) {
  Routes routes(network.order());
  std::vector<Node> queue = {0};
  for (std::size_t next = 0; next < queue.size(); ++next) {
    const Node from = queue[next];
    for (Port i = 0; i < network.degree(); ++i) {
      const Port port = last_port_first ? network.degree() - 1 - i : i;
      const Node to = network.neighbour(from, port);
      if (to == 0 || !routes[to].empty()) continue;
      routes[to] = routes[from];
      routes[to].push_back({from, port});
      queue.push_back(to);
    }
  }
  return routes;
}

bool is_backward(Collective collective) {
  return collective == Collective::gather || collective == Collective::reduce ||
         collective == Collective::reduce_scatter;
}

bool goes_to_all(Collective collective) {
  return collective == Collective::broadcast || collective == Collective::allgather ||
         collective == Collective::reduce || collective == Collective::reduce_scatter;
}

bool is_odd(const Network& network, Replication replication, Node node) {
  return replication.kind == Replication::Kind::even_axis &&
         schedule::NodeClasses(network.group(), replication).of(node) == 1;
}

std::vector<Node> origins(const Network& network, const Task& task, Replication replication) {
  std::vector<Node> nodes(network.order());
  std::iota(nodes.begin(), nodes.end(), Node{0});
  switch (replication.kind) {
    case Replication::Kind::all:
      return {0};
    case Replication::Kind::even_axis:
      return {0, *std::ranges::find_if(nodes, [&](Node node) { return is_odd(network, replication, node); })};
    case Replication::Kind::none:
      break;
  }
  return is_rooted(task.collective) ? std::vector<Node>{task.root} : nodes;
}

class Trees {
 public:
  Trees(const Network& network, const Task& task, Replication replication)
      : network_(network),
        task_(task),
        stage_{.flow = Flow::move, .replication = replication, .packets = {}, .rounds = {}},
        hops_(network.diameter()) {}

  Stage run() {
    for (const Node origin : origins(network_, task_, stage_.replication)) add_tree(origin);
    if (is_backward(task_.collective)) std::ranges::reverse(hops_);
    if (goes_to_all(task_.collective))
      stage_.flow = is_backward(task_.collective) ? Flow::reduce : Flow::copy;
    if (implies_packets(task_, stage_.flow, stage_.replication)) stage_.packets.clear();
    stage_.rounds = rounds(hops_);
    return stage_;
  }

 private:
  void add_tree(Node origin) {
    const Routes routes = shortest_routes(network_, is_odd(network_, stage_.replication, origin));
    if (goes_to_all(task_.collective)) {
      add_packets(origin, is_backward(task_.collective) ? origin : schedule::to_all, 0,
                  [&](schedule::PacketId id) {
                    for (const auto& route : routes) {
                      if (!route.empty()) add_hop(id, origin, route, route.size() - 1);
                    }
                  });
      return;
    }
    for (Node relative = 0; relative < network_.order(); ++relative) {
      add_packets(origin, network_.group().add(origin, relative), relative, [&](schedule::PacketId id) {
        for (std::size_t i = 0; i < routes[relative].size(); ++i) add_hop(id, origin, routes[relative], i);
      });
    }
  }

  template <class AddHops>
  void add_packets(Node origin, Node to, std::uint32_t block, AddHops add_hops) {
    for (std::uint32_t part = 0; part < task_.parts; ++part) {
      const auto id = static_cast<schedule::PacketId>(stage_.packets.size());
      stage_.packets.push_back(task_.collective == Collective::gather ? Packet{to, origin, 0, part}
                                                                      : Packet{origin, to, block, part});
      add_hops(id);
    }
  }

  void add_hop(schedule::PacketId id, Node origin, const std::vector<Step>& route, std::size_t step) {
    const auto [relative, port] = route[step];
    const Node from = network_.group().add(origin, relative);
    const bool backward = is_backward(task_.collective);
    hops_[step].push_back(backward ? Hop{id, network_.neighbour(from, port), network_.opposite(port)}
                                   : Hop{id, from, port});
  }

  const Network& network_;
  const Task& task_;
  Stage stage_;
  HopTable hops_;
};

Stage stage(const Network& network, Task task, Collective collective, Replication replication) {
  task.collective = collective;
  return Trees(network, task, replication).run();
}

}  // namespace

Plan empty_plan(const std::string& network, Collective collective, std::uint32_t parts) {
  Plan plan{network::parse(network), {}, {}, {}, {}, {}};
  plan.schedule.round_kind = schedule::RoundKind::aggregated;
  plan.task.collective = collective;
  plan.task.parts = parts;
  return plan;
}

Plan tree_plan(const std::string& network, Collective collective, Replication replication,
               std::uint32_t parts, Node root) {
  Plan plan = empty_plan(network, collective, parts);
  plan.task.root = root;
  std::vector<Collective> collectives = {collective};
  if (collective == Collective::allreduce || collective == Collective::barrier) {
    collectives = replication == Replication::none()
                      ? std::vector{Collective::reduce, Collective::broadcast}
                      : std::vector{Collective::reduce_scatter, Collective::allgather};
  }
  for (const Collective each : collectives) {
    plan.schedule.stages.push_back(stage(plan.network, plan.task, each, replication));
  }
  return plan;
}

HopTable table(const schedule::Rounds& rounds) {
  HopTable result;
  for (std::uint64_t t = 0; t < rounds.size(); ++t) {
    result.emplace_back(rounds.round(t).begin(), rounds.round(t).end());
  }
  return result;
}

schedule::Rounds rounds(const HopTable& table) {
  schedule::Rounds result;
  for (const auto& round : table) {
    for (const Hop& hop : round) result.add(hop);
    result.close_round();
  }
  return result;
}

}  // namespace isotrope::local
