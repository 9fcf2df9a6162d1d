// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/planner/chain_bound.hpp"

#include <cmath>
#include <optional>
#include <queue>
#include <vector>

#include "isotrope/network/surviving_network.hpp"

namespace isotrope::planner {
namespace {

using network::Node;
using network::Port;
using schedule::Collective;

// The links that carry, with the times of one empty message.
class ChainLengths {
 public:
  ChainLengths(const schedule::Problem& problem, const cost::LinkTimes& times, double message_s)
      : network_(problem.network), times_(times), message_s_(message_s) {
    if (!problem.failed.empty()) survivors_.emplace(problem.network, problem.failed);
  }

  struct Farthest {
    Node node = 0;
    double seconds = 0;
  };
  // The farthest node that can be reached (Dijkstra).
  Farthest from(Node start) const {
    std::vector<double> lengths(network_.order(), HUGE_VAL);
    std::priority_queue<std::pair<double, Node>, std::vector<std::pair<double, Node>>, std::greater<>> open;
    lengths[start] = 0;
    open.emplace(0, start);
    Farthest result{start, 0};
    while (!open.empty()) {
      const auto [length, node] = open.top();
      open.pop();
      if (length > lengths[node]) continue;
      result = {node, length};
      each_link(node, [&, length = length](Node to, double seconds) {
        if (length + seconds >= lengths[to]) return;
        lengths[to] = length + seconds;
        open.emplace(lengths[to], to);
      });
    }
    return result;
  }
  Node any_node() const { return survivors_ ? survivors_->nodes().front() : 0; }
  // Whether all nodes see the same.
  bool is_symmetric() const { return !survivors_ && !times_.by_edge(); }

 private:
  template <class Visit>
  void each_link(Node node, Visit visit) const {
    const auto visit_port = [&](Port port, Node to) {
      visit(to, message_s_ + times_.all()[times_.of(node, port)].startup_s);
    };
    if (survivors_) return survivors_->for_each_neighbour(node, visit_port);
    for (Port port = 0; port < network_.degree(); ++port) visit_port(port, network_.neighbour(node, port));
  }

  const network::Network& network_;
  const cost::LinkTimes& times_;
  double message_s_;
  std::optional<network::SurvivingNetwork> survivors_;
};

}  // namespace

double chain_bound(const schedule::Problem& problem, const cost::LinkTimes& times, double message_s) {
  const ChainLengths lengths(problem, times, message_s);
  switch (problem.task.collective) {
    case Collective::broadcast:
    case Collective::reduce:
    case Collective::scatter:
    case Collective::gather:
      return lengths.from(problem.task.root).seconds;
    case Collective::allgather:
    case Collective::reduce_scatter:
    case Collective::alltoall:
    case Collective::allreduce:
    case Collective::barrier: {
      // The node farthest from any one is nearly at an end of the longest shortest path.
      const auto first = lengths.from(lengths.any_node());
      return lengths.is_symmetric() ? first.seconds : lengths.from(first.node).seconds;
    }
    default:
      return 0;
  }
}

}  // namespace isotrope::planner
