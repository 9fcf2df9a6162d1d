// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/graph/pair_exchange.hpp"

#include <cmath>
#include <utility>
#include <vector>

#include "isotrope/base/split_mix.hpp"

namespace isotrope::graph {
namespace {

using network::Node;
using network::Port;
using network::Rank;
using network::RankMap;

class Annealing {
 public:
  Annealing(const network::SurvivingNetwork& program, const network::SurvivingNetwork& machine,
            const Distances& in_machine, const RankMap& begin)
      : program_(program), machine_(machine), distance_(in_machine) {
    const Node order = machine.whole().order();
    for (Rank rank = 0; rank < order; ++rank) nodes_.push_back(begin.node_of(rank));
    for (Node node = 0; node < order; ++node) ranks_.push_back(begin.rank_of(node));
  }

  RankMap run(std::uint64_t steps) {
    keep_if_best();
    for (std::uint64_t step = 0; step < steps && best_.largest > 1; ++step) {
      const double done = static_cast<double>(step) / static_cast<double>(steps);
      try_exchange(hottest * std::pow(coldest / hottest, done));
      if ((step + 1) % program_.whole().order() == 0) keep_if_best();
    }
    keep_if_best();
    return RankMap(best_nodes_);
  }

 private:
  static constexpr double hottest = 30, coldest = 0.3;  // in units of the cost

  static double cost(std::uint32_t distance) {
    const double square = static_cast<double>(distance) * distance;
    return square * square;
  }
  // Of the links of a rank, with `other` at the node of the rank that exchanges with it.
  double cost_at(Rank rank, Node node, Rank other, Node node_of_other) const {
    double sum = 0;
    program_.for_each_neighbour(rank, [&](Port, Rank neighbour) {
      sum += cost(distance_(node, neighbour == other ? node_of_other : nodes_[neighbour]));
    });
    return sum;
  }

  void try_exchange(double temperature) {
    const Rank fixed = random_.below(program_.whole().order());
    const auto links = program_.ports(fixed);
    const auto ports = machine_.ports(nodes_[fixed]);
    if (links.empty() || ports.empty()) return;
    const Rank moved = program_.whole().neighbour(fixed, pick(links));
    if (distance_(nodes_[fixed], nodes_[moved]) <= 1) return;
    const Node target = machine_.whole().neighbour(nodes_[fixed], pick(ports)), source = nodes_[moved];
    const Rank other = ranks_[target];
    if (other == moved || other == fixed) return;
    const double before = cost_at(moved, source, other, target) + cost_at(other, target, moved, source);
    const double after = cost_at(moved, target, other, source) + cost_at(other, source, moved, target);
    if (after > before && uniform() >= std::exp((before - after) / temperature)) return;
    nodes_[moved] = target;
    nodes_[other] = source;
    ranks_[target] = moved;
    ranks_[source] = other;
  }

  template <class Ports>
  Port pick(const Ports& ports) {
    return ports[random_.below(static_cast<std::uint32_t>(ports.size()))];
  }
  double uniform() { return static_cast<double>(random_() >> 11) * 0x1p-53; }

  void keep_if_best() {
    const Dilation now = dilation(program_, distance_, RankMap(nodes_));
    if (!best_nodes_.empty() && now >= best_) return;
    best_ = now;
    best_nodes_ = nodes_;
  }

  const network::SurvivingNetwork &program_, &machine_;
  const Distances& distance_;
  std::vector<Node> nodes_;
  std::vector<Rank> ranks_;
  Dilation best_;
  std::vector<Node> best_nodes_;
  SplitMix random_{1};
};

}  // namespace

RankMap exchanged_pairs(const network::SurvivingNetwork& program, const network::SurvivingNetwork& machine,
                        const Distances& in_machine, const RankMap& begin, std::uint64_t steps) {
  return Annealing(program, machine, in_machine, begin).run(steps);
}

}  // namespace isotrope::graph
