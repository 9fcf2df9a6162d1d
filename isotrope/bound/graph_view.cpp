// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/bound/graph_view.hpp"

#include <algorithm>
#include <numeric>

#include "isotrope/schedule/delivery.hpp"

namespace isotrope::bound {
namespace {

using schedule::Collective;

Traffic traffic_of(Collective collective) {
  switch (collective) {
    case Collective::broadcast:
    case Collective::reduce:
    case Collective::scan:  // lower_bounds takes these as broadcasts
    case Collective::exscan:
      return Traffic::one_to_all;
    case Collective::allgather:
    case Collective::reduce_scatter:
      return Traffic::all_to_all;
    case Collective::allreduce:
    case Collective::barrier:
      return Traffic::reduced;
    case Collective::scatter:
    case Collective::gather:
      return Traffic::one_to_each;
    case Collective::alltoall:
    case Collective::neighborhood:
    case Collective::isotropic:
      return Traffic::isotropic;
    case Collective::task:
      break;
  }
  return Traffic::listed;
}

// Distances from one node to others, kept until the sender changes.
class Distances {
 public:
  Distances(const Network& network, const std::optional<SurvivingNetwork>& survivors)
      : network_(network), survivors_(survivors) {}

  std::uint32_t operator()(Node from, Node to) {
    if (!survivors_) return network_.distance(from, to);
    if (searched_.empty() || from != from_) searched_ = survivors_->distances(from_ = from);
    return searched_[to];
  }

 private:
  const Network& network_;
  const std::optional<SurvivingNetwork>& survivors_;
  Node from_ = 0;
  std::vector<std::uint32_t> searched_;
};

}  // namespace

GraphView::GraphView(const Problem& problem, Symmetry symmetry)
    : problem_(problem), traffic_(traffic_of(problem.task.collective)) {
  if (!problem.failed.empty() || symmetry == Symmetry::ignored) {
    survivors_.emplace(problem.network, problem.failed);
    count_ports();
  }
  if (is_symmetric()) count_wanted();
}

void GraphView::count_ports() {
  usable_ports_.assign(network().order(), 0);
  for (const Node node : survivors_->nodes())
    usable_ports_[node] = std::min(port_limit(), survivors_->degree(node));
}

void GraphView::count_wanted() {
  const schedule::Task& task = problem_.task;
  wanted_ = network().distance_counts();
  wanted_[0] = 0;
  if (task.collective == Collective::neighborhood) {
    for (std::uint64_t j = 0; j < wanted_.size(); ++j) {
      if (j < task.nearest || j > task.farthest) wanted_[j] = 0;
    }
  }
  if (task.collective == Collective::isotropic) {
    std::ranges::fill(wanted_, 0);
    for (const auto [to, blocks] : task.destinations) wanted_[network().distance(0, to)] += blocks;
    wanted_[0] = 0;  // a block that stays needs no hop
  }
}

bool GraphView::is_personal() const {
  return traffic_ == Traffic::one_to_each || traffic_ == Traffic::isotropic || traffic_ == Traffic::listed;
}

bool GraphView::is_known_everywhere() const {
  if (traffic_ == Traffic::one_to_all || traffic_ == Traffic::reduced) return true;
  if (!aggregated()) return false;
  if (traffic_ == Traffic::all_to_all) return true;
  return is_symmetric() &&
         (traffic_ == Traffic::one_to_each || problem_.task.collective == Collective::alltoall);
}

bool GraphView::all_learn_from_all() const {
  return traffic_ == Traffic::all_to_all || traffic_ == Traffic::reduced ||
         problem_.task.collective == Collective::alltoall;
}

bool GraphView::is_connected() const {
  if (intact()) return true;
  if (is_rooted(problem_.task.collective) && !survivors_->alive(problem_.task.root)) return false;
  return survivors_->cut_off(survivors_->nodes().front()).empty();
}

std::uint64_t GraphView::parts() const {
  if (unlimited()) return 1;
  const schedule::Task& task = problem_.task;
  if (task.collective != Collective::allreduce) return task.parts;
  return (task.vector_blocks > 0 ? task.vector_blocks : node_count()) * task.parts;
}

std::uint64_t GraphView::node_count() const {
  return intact() ? network().order() : survivors_->nodes().size();
}

Port GraphView::most_usable_ports() const {
  return intact() ? port_limit() : *std::ranges::max_element(usable_ports_);
}

std::uint64_t GraphView::all_usable_ports() const {
  if (intact()) return std::uint64_t{network().order()} * port_limit();
  return std::accumulate(usable_ports_.begin(), usable_ports_.end(), std::uint64_t{0});
}

std::uint64_t GraphView::wanted_count() const {
  return std::accumulate(wanted_.begin(), wanted_.end(), std::uint64_t{0});
}

std::uint64_t GraphView::wanted_distance_sum() const {
  std::uint64_t sum = 0;
  for (std::uint64_t j = 0; j < wanted_.size(); ++j) sum += j * wanted_[j];
  return sum;
}

const std::vector<Travel>& GraphView::travels() const {
  if (travels_) return *travels_;
  travels_.emplace();
  Distances distance(network(), survivors_);
  for (const auto [from, to, blocks] : deliveries_of(problem_)) {
    if (from != to && blocks > 0) travels_->push_back({from, to, distance(from, to), blocks});
  }
  return *travels_;
}

}  // namespace isotrope::bound
