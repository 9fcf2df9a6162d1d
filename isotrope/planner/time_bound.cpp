// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/planner/time_bound.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "isotrope/network/rates.hpp"

#include "isotrope/bound/bandwidth.hpp"
#include "isotrope/bound/lower_bounds.hpp"
#include "isotrope/cost/node_places.hpp"
#include "isotrope/cost/shares.hpp"

#include "isotrope/algorithm/lanes.hpp"

#include "isotrope/planner/chain_bound.hpp"
#include "isotrope/planner/filling_bound.hpp"
#include "isotrope/planner/rate_slots.hpp"

namespace isotrope::planner {
namespace {

// The parts by which rounds are bounded: enough for the cost of one more to show.
constexpr std::uint32_t many_parts = 1 << 16;

std::uint64_t value_of_kind(const std::vector<schedule::Bound>& bounds, const std::string& kind) {
  const auto found = std::ranges::find(bounds, kind, &schedule::Bound::kind);
  return found == bounds.end() ? 0 : found->value;
}

// Whether the ranks of a node taken as one solve the same collective: scans depend on the order of ranks, and lists and neighbourhoods
// name places.
bool has_nodes_problem(Collective collective) {
  switch (collective) {
    case Collective::scan:
    case Collective::exscan:
    case Collective::neighborhood:
    case Collective::isotropic:
    case Collective::task:
      return false;
    default:
      return true;
  }
}

// Bounds on how a pipeline fills. They are the least of several lines, so they grow faster at first than for many parts, and
// then as slowly as the degree or a cut says.
bool counts_filling(const std::string& kind) {
  return kind == "paths" || kind == "root-sends" || kind == "ramp";
}

}  // namespace

// The other bounds on strict rounds are of the form ceil(x P) + constant, or the largest of several such, so x is at least
// the growth from 1 part to P over P; and what holds for strict rounds of ever smaller packets holds for the bytes of
// any (bound/bandwidth.hpp).
TimeBounds::LinkBlocks TimeBounds::growth_of_bounds(Problem problem) {
  problem.aggregation = 1;
  problem.task.parts = 1;
  const auto one = bound::lower_bounds(problem);
  problem.task.parts = many_parts;
  LinkBlocks result;
  for (const schedule::Bound& bound : bound::lower_bounds(problem)) {
    if (counts_filling(bound.kind)) continue;
    const std::uint64_t first = value_of_kind(one, bound.kind);
    const double growth = static_cast<double>(bound.value - first) / many_parts;
    if (first > 0 && growth > result.least) result = {growth, bound.kind};
  }
  return result;
}

// None for barriers, whose packets are empty.
TimeBounds::LinkBlocks TimeBounds::least_link_blocks(Problem problem) {
  if (problem.task.collective == Collective::barrier) return {};
  const bool intact = problem.failed.empty();
  LinkBlocks sends;
  if (intact) {
    Problem cut = problem;
    cut.task.parts = many_parts;
    if (const auto bound = bound::bandwidth_bound(cut))
      sends = {static_cast<double>(std::max<std::uint64_t>(bound->value, 1) - 1) / many_parts, bound->kind};
  }
  const bool cuts_count = sends.kind.empty() || network::has_copies(problem.network) ||
                          schedule::is_prefix(problem.task.collective);
  if (!cuts_count || (intact && problem.task.collective == Collective::allreduce)) return sends;
  LinkBlocks all = growth_of_bounds(std::move(problem));
  return all.least > sends.least ? all : sends;
}

TimeBounds::TimeBounds(const Problem& problem, const cost::Machine& machine)
    : machine_(machine),
      times_(problem.network, problem.failed, machine),
      blocks_(least_link_blocks(problem)),
      rounds_a_part_(blocks_.least),
      byte_time_s_(times_.least().byte_time_s),
      message_s_(machine.overhead(1, 0) + times_.least().startup_s + machine.receive_overhead(1)),
      shares_(problem.task.collective == Collective::allreduce
                  ? static_cast<double>(problem.network.order() - problem.failed.nodes.size())
                  : 1) {
  way_ = weighed_way_ = rooted_way(problem);
  overlaps_ = cost::gains_by_shares(machine, problem.ports) && !way_;
  if (!times_.alike()) {
    weigh_by_rates(problem);
    chain_s_ = chain_bound(problem, times_, machine.overhead(1, 0) + machine.receive_overhead(1));
  }
  if (machine.lanes > 1) bound_nodes(problem);
  rounds_.knows_bytes = !blocks_.kind.empty();
  rounds_.byte_time_s = byte_time_s_;
  rounds_.message_s = message_s_;
  rounds_.chain_s = chain_s_;
  if (rounds_.knows_bytes)
    rounds_.bytes_because = fmt::format("{}: {:.4g} times a block", blocks_.kind, blocks_.least);
  Problem merged = problem;
  merged.aggregation = unbounded;
  const auto bounds = bound::lower_bounds(merged);
  if (bounds.empty()) return;
  rounds_.rounds = bounds.front().value;
  rounds_.rounds_because = bounds.front().because;
}

// Without all ports at once, or around failures, every byte counts as one over the fastest link.
void TimeBounds::weigh_by_rates(const Problem& problem) {
  const bool all_ports = problem.ports.kind == schedule::PortModel::Kind::all_port;
  if (!all_ports || !problem.failed.only_open_axes() || times_.by_edge() || blocks_.kind.empty()) return;
  // What all places of a node do alike counts by their mean share of its links; a root may have a link to itself.
  const bool rooted = schedule::is_rooted(problem.task.collective);
  const std::vector<double> byte_times =
      whole_byte_times(problem, rooted ? machine_ : cost::with_even_shares(machine_));
  if (byte_times.empty() || std::ranges::min(byte_times) == 0) return;
  const FastRates fast = fast_rates(byte_times, network::largest_rate);
  Problem rated = problem;
  const network::SimpleNetwork simple = network::without_copies(problem.network);
  rated.network = network::with_rates(problem.network.name(), simple.network, fast.rates);
  byte_time_s_ = fast.unit_s;
  weighed_way_ = rooted_way(rated);
  blocks_ = least_link_blocks(std::move(rated));
}

// None for tasks of the places that are none of the nodes.
void TimeBounds::bound_nodes(const Problem& problem) {
  if (!has_nodes_problem(problem.task.collective) || algorithm::lacks_lanes(problem.network, problem.failed))
    return;
  Problem nodes = problem;
  nodes.network = algorithm::lane_of(problem.network).network;
  nodes.failed = algorithm::failures_of_nodes(problem.network, problem.failed);
  nodes.task.root = problem.task.root / machine_.lanes;
  cost::Machine machine = cost::machine_of_nodes(machine_, {nodes.network, nodes.failed});
  nodes.ports = algorithm::ports_within(nodes.ports, nodes.network.degree());
  machine.ports = algorithm::ports_within(machine.ports, nodes.network.degree());
  if (nodes.network.order() == 1) return;
  nodes_ = std::make_shared<TimeBounds>(nodes, machine);
  node_bytes_ = cost::bytes_of_node(problem.task.collective, machine_.lanes);
}

// For strict rounds of equal segments, each as long as a message over a link of some class.
double TimeBounds::segmented_s(double bytes) const {
  const double overhead_s = message_s_ - times_.least().startup_s;
  double least = HUGE_VAL;
  for (std::uint32_t i = 0; i < times_.all().size(); ++i) {
    if (!times_.occurs(i)) continue;
    const cost::LinkTime& time = times_.all()[i];
    least =
        std::min(least, segmented_bound(*way_, bytes, bytes * time.byte_time_s, overhead_s + time.startup_s));
  }
  return least;
}

// The share of a node in an allreduce is no whole number of bytes, since vectors may be carried whole.
TimeBound TimeBounds::at(std::uint64_t bytes) const {
  TimeBound result = rounds_;
  result.bytes = blocks_.least * static_cast<double>(bytes) / shares_;
  const double bytes_s = result.bytes * byte_time_s_;
  if (nodes_)
    result.nodes_s = nodes_->at(static_cast<std::uint64_t>(node_bytes_ * static_cast<double>(bytes))).seconds;
  const double rounds_s = static_cast<double>(result.rounds) * message_s_;
  const double both_s = overlaps_ ? std::max(rounds_s, message_s_ + bytes_s) : rounds_s + bytes_s;
  result.overlaps = overlaps_;
  result.seconds = std::max({both_s, chain_s_, result.nodes_s});
  if (!way_) return result;
  const auto size = static_cast<double>(bytes);
  if (!machine_.cut_through) {
    result.filling_s = filling_bound(*weighed_way_, size * byte_time_s_, message_s_, result.rounds, bytes_s);
    result.seconds = std::max(result.seconds, result.filling_s);
  }
  result.segmented_s = std::max(segmented_s(size), result.seconds);
  return result;
}

}  // namespace isotrope::planner
