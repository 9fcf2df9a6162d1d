// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/planner/catalogue/listed_exchange.hpp"

#include <algorithm>
#include <bit>
#include <deque>
#include <optional>

#include <fmt/format.h>

#include "isotrope/network/regrouped_axes.hpp"
#include "isotrope/network/torus.hpp"
#include "isotrope/network/torus_axes.hpp"

#include "isotrope/schedule/addition_order.hpp"

#include "isotrope/cost/routed_rounds.hpp"

#include "isotrope/algorithm/levels/group_levels.hpp"
#include "isotrope/algorithm/levels/placed_schedule.hpp"
#include "isotrope/algorithm/levels/torus_levels.hpp"

namespace isotrope::planner {
namespace {

// Of schedules with a block per node: N^2 times copies.
constexpr std::uint64_t most_bucket_messages = std::uint64_t{1} << 20;

// Those that have not failed, ascending.
std::vector<schedule::Node> nodes_left(const Problem& problem) {
  std::vector<schedule::Node> result;
  for (schedule::Node node = 0; node < problem.network.order(); ++node) {
    if (std::ranges::count(problem.failed.nodes, node) == 0) result.push_back(node);
  }
  return result;
}

// The problem on a line of the nodes that are left, if some have failed. @pre 3 are left
Problem among_nodes_left(const Problem& problem) {
  if (problem.failed.nodes.empty()) return problem;
  const std::vector<schedule::Node> left = nodes_left(problem);
  Problem result = problem;
  result.network = network::ring(static_cast<network::Coordinate>(left.size()));
  result.failed = network::Failures({}, {}, {0});
  result.task.root =
      static_cast<schedule::Node>(std::ranges::lower_bound(left, problem.task.root) - left.begin());
  return result;
}

// The problem whose plan is priced.
Problem priced(Problem problem) {
  if (problem.failed.empty()) problem.task.root = 0;
  return problem;
}

}  // namespace

using algorithm::LevelShape;

Reason ListedExchange::unsupported_reason(const Problem& problem) const {
  if (auto reason = half_duplex(problem)) return reason;
  if (auto reason = partly_aggregated(problem)) return reason;
  if (problem.network.order() < 2 || problem.network.order() > most_listed_nodes)
    return fmt::format("it lists the messages of every node, of 2 to {}", most_listed_nodes);
  if (problem.task.parts > 1) return "it cuts the vector itself: leave the parts at 1";
  if (!problem.failed.nodes.empty() && nodes_left(problem).size() < 3)
    return "it needs 3 nodes or more that have not failed";
  return unsuitable(among_nodes_left(problem));
}

std::vector<Parameters> ListedExchange::choices(const Problem& problem) const {
  std::vector<Parameters> result;
  for (const LevelShape& shape : shapes(among_nodes_left(problem))) result.push_back({.levels = shape});
  return result;
}

std::uint32_t ListedExchange::fixed_parts(const Problem& problem, const Parameters& parameters) const {
  return written(problem, parameters).parts;
}

std::uint32_t ListedExchange::chains(const Problem& problem, const Parameters& parameters) const {
  return shape_of(problem, parameters).copies;
}

std::uint64_t ListedExchange::rounds(const Problem& problem, const Parameters& parameters) const {
  return written(problem, parameters).rounds.size();
}

// Copies add nothing.
bool ListedExchange::adds_alike(const Problem& problem, const Parameters& parameters) const {
  if (traits().collective != Collective::allreduce) return true;
  Written& known = written(problem, parameters);
  if (!known.adds_alike) {
    const Problem left = among_nodes_left(priced(problem));
    const OverlaidSchedule& again = last_written(left, parameters);
    const schedule::Stage& stage = again.schedule.stages.front();
    known.adds_alike =
        stage.flow != schedule::Flow::exchange || schedule::adds_alike(again.overlay, again.parts, stage);
  }
  return *known.adds_alike;
}

ListedExchange::OverlaidSchedule ListedExchange::written_on_nodes_left(const Problem& problem,
                                                                       const LevelShape& shape) const {
  OverlaidSchedule result = write(among_nodes_left(problem), shape);
  if (problem.failed.nodes.empty()) return result;
  return on_places(result, nodes_left(problem), problem.network);
}

// Callers take the overlay, the schedule and the order of additions one after the other.
const ListedExchange::OverlaidSchedule& ListedExchange::last_written(const Problem& problem,
                                                                     const Parameters& parameters) const {
  struct Last {
    const Algorithm* algorithm;
    Network network;
    network::Failures failed;
    schedule::PortModel ports;
    schedule::Node root;
    LevelShape shape;
    OverlaidSchedule written;
  };
  thread_local std::optional<Last> last;
  const LevelShape shape = shape_of(problem, parameters);
  if (!last || last->algorithm != this || last->shape != shape || last->ports != problem.ports ||
      last->root != problem.task.root || last->failed != problem.failed ||
      !same_network(last->network, problem.network)) {
    last.reset();
    last.emplace(Last{this, problem.network, problem.failed, problem.ports, problem.task.root, shape,
                      written_on_nodes_left(problem, shape)});
  }
  return last->written;
}

std::optional<Network> ListedExchange::overlay(const Problem& problem, const Parameters& parameters) const {
  return last_written(problem, parameters).overlay;
}

schedule::Schedule ListedExchange::schedule(const Problem& problem, const Parameters& parameters) const {
  return last_written(problem, parameters).schedule;
}

std::vector<cost::CutThroughRound> ListedExchange::cut_through_rounds(const Problem& problem,
                                                                      const Parameters& parameters) const {
  return written(problem, parameters).rounds;
}

std::shared_ptr<const schedule::OverlayMessages> ListedExchange::overlay_messages(
    const Problem& problem, const Parameters& parameters) const {
  auto known = counted(problem, shape_of(problem, parameters));
  if (!known || known->messages.shares % parameters.chains != 0) return nullptr;
  return std::make_shared<const schedule::OverlayMessages>(std::move(known->messages));
}

std::uint64_t ListedExchange::local_reductions(const Problem& problem, const Parameters& parameters) const {
  return written(problem, parameters).reductions;
}

LevelShape ListedExchange::shape_of(const Problem& problem, const Parameters& parameters) const {
  return parameters.levels ? *parameters.levels : shapes(among_nodes_left(problem)).front();
}

namespace {

// The values that a node adds at the end of an exchange, of whole vectors; copies add nothing.
std::uint64_t reductions_of(const schedule::Stage& stage, schedule::Node nodes, std::uint32_t parts) {
  std::uint64_t added = 0;
  for (std::size_t first = 0; first < stage.result.size(); first += nodes) {
    std::uint64_t most = 0;
    for (schedule::Node node = 0; node < nodes; ++node)
      most = std::max<std::uint64_t>(most, stage.result[first + node].size());
    added += most - 1;
  }
  return added / parts;
}

}  // namespace

// Plans on the nodes that are left are laid on others.
std::optional<algorithm::ExchangeCounts> ListedExchange::counted(const Problem& problem,
                                                                 const LevelShape& shape) const {
  if (!problem.failed.nodes.empty()) return std::nullopt;
  return count(problem, shape);
}

ListedExchange::Written ListedExchange::summary(const Problem& problem, const LevelShape& shape) const {
  if (const auto known = counted(problem, shape))
    return {cost::routed_rounds(problem.network, problem.failed, known->messages), known->parts,
            known->reductions};
  const OverlaidSchedule written = written_on_nodes_left(problem, shape);
  const schedule::Stage& stage = written.schedule.stages.front();
  return {cost::routed_rounds(problem.network, problem.failed, written.overlay, written.schedule),
          written.parts, reductions_of(stage, problem.network.order(), written.parts)};
}

// Those of the last networks: every choice by size prices all shapes again.
ListedExchange::Written& ListedExchange::written(const Problem& problem, const Parameters& parameters) const {
  constexpr std::size_t most_kept = 64;
  thread_local std::deque<Kept> kept;
  const Problem wanted = priced(problem);
  const auto same = [&](const Kept& each) {
    return each.algorithm == this && each.ports == wanted.ports && each.root == wanted.task.root &&
           each.failed == wanted.failed && same_network(each.network, wanted.network);
  };
  auto found = std::ranges::find_if(kept, same);
  if (found == kept.end()) {
    if (kept.size() == most_kept) kept.pop_back();
    kept.push_front({this, wanted.network, wanted.failed, wanted.ports, wanted.task.root, {}});
    found = kept.begin();
  }
  const LevelShape shape = shape_of(problem, parameters);
  auto& shapes = found->of_shapes;
  const auto known = std::ranges::find(shapes, shape, &std::pair<LevelShape, Written>::first);
  if (known != shapes.end()) return known->second;
  return shapes.emplace_back(shape, summary(wanted, shape)).second;
}

Traits listed_traits(std::string name, Collective collective, const char* networks, const char* ports,
                     const char* source, const char* claim) {
  Traits result{std::move(name), collective, networks, ports, source, claim};
  result.strict = false;
  result.aggregates = result.for_machines = result.overlay = true;
  result.whole_vector = collective == Collective::allreduce;
  result.gathers_only = collective == Collective::allgather;
  return result;
}

Reason not_a_torus(const Problem& problem) {
  if (network::torus_axes(problem.network)) return std::nullopt;
  return fmt::format("it needs a torus, a ring or a hypercube, not {}", problem.network.name());
}

ShapedExchange::ReasonFunction or_too_many_blocks(ShapedExchange::ReasonFunction reason) {
  return [reason = std::move(reason)](const Problem& problem) {
    auto found = reason(problem);
    return found ? found : too_many_blocks(problem);
  };
}

Reason too_many_blocks(const Problem& problem) {
  constexpr schedule::Node most = 1024;
  static_assert(std::uint64_t{most} * most <= most_bucket_messages);
  if (problem.network.order() <= most) return std::nullopt;
  return fmt::format("it lists a block of every node at every node, of {} at most", most);
}

Reason not_a_power_of_two(const Problem& problem) {
  if (std::has_single_bit(problem.network.order())) return std::nullopt;
  return fmt::format("it needs a number of nodes that is a power of two, not {}", problem.network.order());
}

Reason extents_without_power(const Problem& problem, std::uint32_t base) {
  const auto axes = network::torus_axes(problem.network);
  if (!axes) return not_a_torus(problem);
  for (const network::TorusAxis& axis : *axes) {
    network::Coordinate rest = axis.extent;
    while (rest % base == 0) rest /= base;
    if (rest != 1)
      return fmt::format("it needs extents that are powers of {}, and {} has {}", base,
                         problem.network.name(), axis.extent);
  }
  return std::nullopt;
}

namespace {

// Factors of open axes are no rings, and are not regrouped.
std::vector<LevelShape> shapes_on(const Problem& problem, const network::SplitTorus& torus,
                                  ShapesOnTorus of_torus) {
  std::vector<LevelShape> result = of_torus(torus);
  // Above, twice as many shapes gained nothing and took twice as long.
  constexpr network::Node most_nodes = 1024;
  if (torus.network.order() > most_nodes) return result;
  if (!problem.failed.open_axes.empty() || !problem.failed.edges.empty()) return result;
  const auto other = network::regrouped(torus);
  if (!other) return result;
  for (LevelShape shape : of_torus(other->torus)) {
    shape.regrouped = true;
    result.push_back(shape);
  }
  return result;
}

}  // namespace

std::vector<LevelShape> level_shapes(const Problem& problem, ShapesOnTorus of_torus) {
  const std::size_t ports = problem.ports.sends(problem.network.order());
  const auto torus = torus_of(problem);
  auto result = torus ? shapes_on(problem, *torus, of_torus)
                      : algorithm::group_shapes(problem.network, static_cast<std::uint32_t>(ports));
  if (!limited_ports(problem)) return result;
  std::erase_if(result, [&](const LevelShape& shape) {
    if (shape.copies > ports) return true;
    return std::ranges::any_of(levels_of(problem, shape),
                               [&](const auto& copy) { return shape.copies * most_messages(copy) > ports; });
  });
  return result;
}

std::vector<algorithm::LevelPlan> levels_of(const Problem& problem, const LevelShape& shape) {
  if (const auto torus = torus_of(problem)) return torus_levels(*torus, shape);
  return group_levels(problem.network, shape);
}

std::vector<algorithm::LevelPlan> halving_levels(const Problem& problem) {
  return {algorithm::halving_and_doubling(joined_network(problem))};
}

std::optional<network::SplitTorus> torus_of(const Problem& problem) {
  return network::split_torus(problem.network, problem.failed);
}

std::vector<std::uint32_t> copies_on(const network::SplitTorus& torus) {
  std::vector<std::uint32_t> result{1, 2};
  const std::uint32_t turns = algorithm::turn_count(torus);
  for (const std::uint32_t copies : {turns, 2 * turns}) {
    if (copies > result.back()) result.push_back(copies);
  }
  return result;
}

bool blocks_fit(const Problem& problem, std::uint64_t copies) {
  const std::uint64_t nodes = problem.network.order();
  return copies * nodes * nodes <= most_bucket_messages;
}

bool shares_fit(const network::SplitTorus& torus, const LevelShape& shape) {
  constexpr std::uint64_t most_shares = std::uint64_t{1} << 16;  // nodes times parts
  constexpr std::uint64_t most_blocks = 64;
  const std::uint64_t blocks = algorithm::division_product(torus, shape.divisions);
  if (blocks > most_blocks || blocks * shape.copies > most_shares / torus.network.order()) return false;
  return shape.copies <= 2 || algorithm::divides_alike(torus, shape.divisions);
}

std::vector<LevelShape> one_shape(const Problem& /*problem*/) {
  return {{}};
}

std::vector<LevelShape> stage_shapes(const Problem& problem, bool with_vectors) {
  const network::SplitTorus torus = *torus_of(problem);
  const std::uint32_t stages = algorithm::stage_count(torus);
  std::vector<LevelShape> result;
  for (const std::uint32_t copies : {1U, 2 * algorithm::turn_count(torus)}) {
    if (copies > 1 && limited_ports(problem)) continue;
    if (with_vectors) result.push_back({0, 1, LevelShape::Program::stages, copies});
    if (blocks_fit(problem, copies)) result.push_back({stages, 1, LevelShape::Program::stages, copies});
  }
  return result;
}

std::vector<LevelShape> copies_on_axes(const Problem& problem) {
  return one_or_more_copies(problem, 2 * algorithm::turn_count(*torus_of(problem)));
}

std::vector<LevelShape> one_or_more_copies(const Problem& problem, std::uint32_t most) {
  std::vector<LevelShape> result{{.copies = 1}};
  if (most > 1 && blocks_fit(problem, most) && !limited_ports(problem)) result.push_back({.copies = most});
  return result;
}

}  // namespace isotrope::planner
