// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The claims of a plan (checks.hpp), and the checker's own value of a port-sum bound with stated weights.
//
// The value is P times the sum of the weighted distances of the blocks of one origin, over the sum of the c largest
// weights, rounded up. Any weights give a bound. Method: Dijkstra's algorithm from node 0, O(N degree log N).
#include <algorithm>
#include <functional>
#include <optional>
#include <queue>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "isotrope/bound/listed_problem.hpp"

#include "isotrope/verify/checks.hpp"

namespace isotrope::verify {
namespace {

using schedule::Bound;
using schedule::Collective;
using schedule::Network;
__extension__ using Wide = unsigned __int128;

constexpr std::uint64_t most_links = std::uint64_t{1} << 22;

std::vector<std::uint64_t> weighted_distances(const Network& network,
                                              const std::vector<std::uint32_t>& weights) {
  using Reached = std::pair<std::uint64_t, Node>;  // distance, node
  std::vector<std::uint64_t> distance(network.order(), UINT64_MAX);
  std::priority_queue<Reached, std::vector<Reached>, std::greater<>> open;
  distance[0] = 0;
  open.emplace(0, 0);
  while (!open.empty()) {
    const auto [so_far, node] = open.top();
    open.pop();
    if (so_far != distance[node]) continue;
    for (Port port = 0; port < network.degree(); ++port) {
      const Node next = network.neighbour(node, port);
      if (so_far + weights[port] >= distance[next]) continue;
      distance[next] = so_far + weights[port];
      open.emplace(distance[next], next);
    }
  }
  return distance;
}

// Blocks that origin 0 sends to every node.
std::vector<std::uint64_t> blocks_by_node(const Plan& plan, const Network& network) {
  std::vector<std::uint64_t> blocks(network.order(), 0);
  for (const auto& [to, count] : plan.task.destinations) blocks[to] += count;
  for (Node to = 1; to < network.order(); ++to) {
    const std::uint64_t distance =
        plan.task.collective == Collective::neighborhood ? network.distance(0, to) : 0;
    if (plan.task.collective == Collective::alltoall) blocks[to] = 1;
    if (plan.task.collective == Collective::neighborhood)
      blocks[to] = plan.task.nearest <= distance && distance <= plan.task.farthest ? 1 : 0;
  }
  return blocks;
}

bool is_exchange(const Plan& plan) {
  const Collective collective = plan.task.collective;
  return collective == Collective::alltoall || collective == Collective::neighborhood ||
         (collective == Collective::isotropic && !plan.task.destinations.empty());
}

// The value; nothing unless the plan is an intact alltoall, neighborhood or isotropic task with stated traffic in
// strict rounds, with one weight per port, not all 0, and at most 2^22 links.
std::optional<std::uint64_t> stated_port_sum(const Plan& plan) {
  const Network& network = hop_network(plan);
  std::vector<std::uint32_t> weights = plan.bound.weights;
  if (!is_exchange(plan) || !hop_failures(plan).empty() || weights.size() != network.degree() ||
      plan.schedule.round_kind != schedule::RoundKind::strict || network.directed_links() > most_links)
    return std::nullopt;
  const std::vector<std::uint64_t> distance = weighted_distances(network, weights);
  const std::vector<std::uint64_t> blocks = blocks_by_node(plan, network);
  Wide length = 0;
  for (Node to = 1; to < network.order(); ++to) length += Wide{distance[to]} * blocks[to] * plan.task.parts;
  std::ranges::sort(weights, std::greater<>());
  std::uint64_t capacity = 0;
  for (Port port = 0; port < plan.schedule.ports.sends(network.degree()); ++port) capacity += weights[port];
  if (capacity == 0) return std::nullopt;
  return static_cast<std::uint64_t>((length + capacity - 1) / capacity);
}

class ClaimCheck {
 public:
  ClaimCheck(const Plan& plan, Report& report, Violations& violations)
      : plan_(plan), report_(report), violations_(violations) {}

  void check_bound(const std::vector<Bound>& bounds) {
    const Bound& stated = plan_.bound;
    if (const auto value = own_weights(bounds)) {
      if (*value != stated.value)
        fault("the {} bound with these weights is {}, not {}", stated.kind, *value, stated.value);
      return;
    }
    const auto known = std::ranges::find(bounds, stated.kind, &Bound::kind);
    if (known == bounds.end()) {
      std::vector<std::string_view> kinds;
      for (const Bound& bound : bounds) kinds.push_back(bound.kind);
      return fault("no {} bound is known for this plan: known are {}", stated.kind,
                   bounds.empty() ? "none" : fmt::format("{}", fmt::join(kinds, ", ")));
    }
    if (known->value != stated.value)
      return fault("the {} bound is {}, not {}", stated.kind, known->value, stated.value);
    if (!stated.weights.empty() && stated.weights != known->weights)
      fault("the weights of the {} bound are {}, not {}", stated.kind, known->weights, stated.weights);
    if (!stated.because.empty() && stated.because != known->because)
      fault("the reason of the {} bound is '{}', not '{}'", stated.kind, known->because, stated.because);
  }

  // The value of a stated port-sum bound whose weights are others than those recomputed.
  std::optional<std::uint64_t> own_weights(const std::vector<Bound>& bounds) const {
    const Bound& stated = plan_.bound;
    if (stated.kind != "port-sum" || stated.weights.empty()) return std::nullopt;
    const auto known = std::ranges::find(bounds, stated.kind, &Bound::kind);
    if (known != bounds.end() && known->weights == stated.weights) return std::nullopt;
    return stated_port_sum(plan_);
  }

  void check_counts() {
    const schedule::Claims& claims = plan_.claims;
    if (claims.rounds != report_.rounds)
      fault("{} rounds claimed, {} counted", claims.rounds, report_.rounds);
    if (claims.hops != report_.hops) fault("{} hops claimed, {} counted", claims.hops, report_.hops);
    const bool stated =
        plan_.schedule.round_kind == schedule::RoundKind::aggregated && !claims.link_load.empty();
    if (stated && report_.valid && claims.link_load != report_.link_load)
      fault("link loads {} claimed, {} counted", claims.link_load, report_.link_load);
  }

  void check_optimal() {
    if (!plan_.claims.optimal || *plan_.claims.optimal == report_.optimal) return;
    if (report_.optimal) return fault("optimal is denied, but {} rounds meet the bound", report_.rounds);
    fault("optimal is claimed, but {} rounds are not shown to be the least: {}", report_.rounds,
          report_.valid ? report_.bound.because : "the schedule is not valid");
  }

 private:
  template <class... Arguments>
  void fault(fmt::format_string<Arguments...> text, Arguments&&... arguments) {
    violations_.add([&] {
      return Violation{.rule = Rule::claim,
                       .message = fmt::format(text, std::forward<Arguments>(arguments)...)};
    });
  }

  const Plan& plan_;
  Report& report_;
  Violations& violations_;
};

// Whether the plan states a port-sum bound that holds and exceeds all bounds that were recomputed.
bool beats(const Plan& plan, const std::vector<Bound>& bounds) {
  if (plan.bound.kind != "port-sum" || plan.bound.weights.empty()) return false;
  if (!bounds.empty() && bounds.front().value >= plan.bound.value) return false;
  return stated_port_sum(plan) == plan.bound.value;
}

}  // namespace

void check_claims(const Plan& plan, bool sound, Report& report, Violations& violations) {
  std::vector<Bound> bounds = sound ? bound::listed_bounds(plan) : std::vector<Bound>{};
  if (sound && beats(plan, bounds)) bounds.insert(bounds.begin(), plan.bound);
  report.bound = bounds.empty() ? Bound{"none", 0, "no lower bound is known here"} : bounds.front();
  report.optimal = report.valid && !bounds.empty() && report.rounds == report.bound.value;
  ClaimCheck check(plan, report, violations);
  if (sound && !plan.bound.kind.empty()) check.check_bound(bounds);
  check.check_counts();
  check.check_optimal();
}

}  // namespace isotrope::verify
