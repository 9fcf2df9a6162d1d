// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/planner/catalogue/shared.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "isotrope/network/centre.hpp"
#include "isotrope/network/network_memo.hpp"
#include "isotrope/network/rates.hpp"
#include "isotrope/network/split_axes.hpp"

#include "isotrope/schedule/transform.hpp"

#include "isotrope/bound/lower_bounds.hpp"

#include "isotrope/algorithm/broadcast/tree_broadcast.hpp"
#include "isotrope/algorithm/trees/layered_tree.hpp"

namespace isotrope::planner {
namespace {

bool is_hypercube(const Network& network) {
  if (std::uint64_t{network.order()} != std::uint64_t{1} << network.degree()) return false;
  for (schedule::Port port = 0; port < network.degree(); ++port) {
    if (network.neighbour(0, port) != schedule::Node{1} << port || network.opposite(port) != port)
      return false;
  }
  return network.degree() > 0;
}

}  // namespace

Reason limited_ports(const Problem& problem) {
  if (problem.ports.kind == schedule::PortModel::Kind::all_port) return std::nullopt;
  return fmt::format("it uses all ports at once, so it cannot serve {}", to_string(problem.ports));
}

Reason half_duplex(const Problem& problem) {
  if (!problem.ports.half_duplex()) return std::nullopt;
  return fmt::format("every node sends and receives at once, so it cannot serve {}",
                     to_string(problem.ports));
}

Reason partly_aggregated(const Problem& problem) {
  if (!problem.aggregated() || problem.aggregation == unbounded) return std::nullopt;
  return "it aggregates all packets that go the same way, so give --merge all";
}

Reason not_a_hypercube(const Problem& problem) {
  if (is_hypercube(problem.network)) return std::nullopt;
  return fmt::format("it needs a hypercube, not {}", problem.network.name());
}

Reason not_all_ports_of_hypercube(const Problem& problem) {
  const Reason reason = not_a_hypercube(problem);
  return reason ? reason : limited_ports(problem);
}

std::vector<schedule::RelativeDestination> destinations_of(const Problem& problem) {
  if (problem.task.collective == Collective::isotropic) return problem.task.destinations;
  return schedule::relative_destinations(problem.network, problem.task);
}

std::vector<schedule::RelativeDestination> merged_destinations(const Problem& problem) {
  std::map<schedule::Node, std::uint32_t> blocks;
  for (const auto [to, count] : destinations_of(problem)) blocks[to] += count;
  std::vector<schedule::RelativeDestination> result;
  for (const auto& [to, count] : blocks) result.push_back({to, count});
  return result;
}

Reason too_many_hops(const Problem& problem, std::uint64_t most) {
  const std::uint64_t nodes = problem.network.order();
  std::uint64_t hops = nodes * nodes;
  if (hops <= most) {
    hops = 0;
    for (const auto [to, blocks] : destinations_of(problem))
      hops += std::uint64_t{problem.network.distance(0, to)} * blocks * problem.task.parts * nodes;
  }
  if (hops <= most) return std::nullopt;
  return fmt::format(
      "it lists the hops of all nodes: at least {} for {} in {} parts, and at most {} are taken", hops,
      problem.network.name(), problem.task.parts, most);
}

algorithm::SearchLimits search_limits(const Problem& problem, const Parameters& parameters) {
  constexpr std::uint32_t brief_runs = 16;
  constexpr std::uint64_t brief_links = std::uint64_t{1} << 17;
  const auto bounds = bound::lower_bounds(problem);
  algorithm::SearchLimits result{.target = bounds.empty() ? 0 : bounds.front().value,
                                 .seed = parameters.seed,
                                 .seconds = parameters.seconds};
  if (parameters.brief) result.runs = brief_runs, result.links = brief_links;
  return result;
}

namespace {

struct Found {
  Problem problem;
  Parameters parameters;
  schedule::Schedule schedule;
};

constexpr std::uint64_t most_hops_kept = std::uint64_t{1} << 22;  // of all but the newest

// The last ones of a search, the newest first.
std::deque<Found>& last_of(Search search) {
  thread_local std::unordered_map<Search, std::deque<Found>> last;
  return last[search];
}

}  // namespace

bool are_alike(const Problem& a, const Problem& b) {
  return same_network(a.network, b.network) && a.failed == b.failed && a.task == b.task &&
         a.ports == b.ports && a.waiting == b.waiting && a.step_limits == b.step_limits &&
         a.aggregated() == b.aggregated();
}

const schedule::Schedule& last_found(Search search, const Problem& problem, const Parameters& parameters) {
  constexpr std::size_t most_kept = 24;
  auto& last = last_of(search);
  std::uint64_t hops = 0;
  for (const Found& found : last) {
    hops += found.schedule.hop_count();
    if (are_alike(found.problem, problem) && found.parameters == parameters) return found.schedule;
  }
  if (hops > most_hops_kept) last.clear();
  if (last.size() == most_kept) last.pop_back();
  last.push_front({problem, parameters, search(problem, parameters)});
  return last.front().schedule;
}

namespace {

// Large ones are not kept when their plan is made: a copy takes as much memory and time again.
schedule::Schedule found_for_plan(Search search, const Problem& problem, const Parameters& parameters) {
  const schedule::Schedule& found = last_found(search, problem, parameters);
  auto& last = last_of(search);
  if (found.hop_count() <= most_hops_kept || &found != &last.front().schedule) return found;
  schedule::Schedule result = std::move(last.front().schedule);
  last.pop_front();
  return result;
}

}  // namespace

namespace {

const schedule::Schedule& last_found_for_one_part(Search search, Problem problem,
                                                  const Parameters& parameters) {
  problem.task.parts = 1;
  return last_found(search, problem, parameters);
}

}  // namespace

void add_exchanges_part_after_part(Algorithms& result, const Traits& traits,
                                   const CatalogRow::ReasonFunction& reason, Search search) {
  const auto schedule = [search](const Problem& problem, const Parameters& parameters) {
    return schedule::part_after_part(last_found_for_one_part(search, problem, parameters),
                                     problem.task.parts);
  };
  const auto rounds = [search](const Problem& problem, const Parameters& parameters) {
    return last_found_for_one_part(search, problem, parameters).round_count() * problem.task.parts;
  };
  for (const auto& [collective, noun] : {std::pair(Collective::alltoall, "total-exchange"),
                                         std::pair(Collective::neighborhood, "neighborhood-exchange"),
                                         std::pair(Collective::isotropic, "exchange")}) {
    Traits own = traits;
    own.name = fmt::format("{}-{}", traits.name, noun);
    own.collective = collective;
    own.searched = true;
    result.push_back(std::make_unique<CatalogRow>(std::move(own), reason, schedule, rounds));
  }
}

namespace {

class OverOneCopy final : public Algorithm {
 public:
  explicit OverOneCopy(std::unique_ptr<const Algorithm> original)
      : Algorithm(original->traits()), original_(std::move(original)) {}

  Reason unsupported_reason(const Problem& problem) const override {
    return original_->unsupported_reason(without_copies(problem));
  }
  bool is_quick(const Problem& problem) const override {
    return original_->is_quick(without_copies(problem));
  }
  std::vector<Parameters> choices(const Problem& problem) const override {
    return original_->choices(without_copies(problem));
  }
  std::uint64_t rounds(const Problem& problem, const Parameters& parameters) const override {
    return original_->rounds(without_copies(problem), parameters);
  }
  schedule::Schedule schedule(const Problem& problem, const Parameters& parameters) const override {
    schedule::Schedule result = original_->schedule(without_copies(problem), parameters);
    result.ports = problem.ports;
    if (!network::has_copies(problem.network)) return result;
    const auto copies = network::without_copies(problem.network).copies;
    for (schedule::Stage& stage : result.stages) {
      schedule::Rounds rounds;
      rounds.reserve(stage.rounds.size(), stage.rounds.hop_count());
      for (std::uint64_t t = 0; t < stage.rounds.size(); ++t) {
        for (const schedule::Hop& hop : stage.rounds.round(t))
          rounds.add({hop.packet, hop.from, copies[hop.port].front()});
        rounds.close_round();
      }
      stage.rounds = std::move(rounds);
    }
    return result;
  }
  std::uint32_t fixed_parts(const Problem& problem, const Parameters& parameters) const override {
    return original_->fixed_parts(without_copies(problem), parameters);
  }
  bool adds_alike(const Problem& problem, const Parameters& parameters) const override {
    return original_->adds_alike(without_copies(problem), parameters);
  }
  std::vector<cost::RoundLoad> loads(const Problem& problem, const Parameters& parameters) const override {
    return original_->loads(without_copies(problem), parameters);
  }
  std::uint64_t local_reductions(const Problem& problem, const Parameters& parameters) const override {
    return original_->local_reductions(without_copies(problem), parameters);
  }

 private:
  static Problem without_copies(Problem problem) {
    if (!network::has_copies(problem.network)) return problem;
    problem.network = network::without_copies(problem.network).network;
    const bool all = problem.ports.kind == schedule::PortModel::Kind::k_port &&
                     problem.ports.k >= problem.network.degree();
    if (all) problem.ports = schedule::PortModel::all();
    return problem;
  }

  std::unique_ptr<const Algorithm> original_;
};

}  // namespace

std::unique_ptr<const Algorithm> over_one_copy(std::unique_ptr<const Algorithm> original) {
  return std::make_unique<OverOneCopy>(std::move(original));
}

// The last one is kept: it is the same for all algorithms and any number of parts.
Network joined_network(const Problem& problem) {
  if (problem.failed.empty()) return problem.network;
  auto torus = network::split_torus(problem.network, problem.failed);
  if (!torus) return problem.network;
  return std::move(torus->network);
}

network::Node reduction_root(const Problem& problem) {
  if (problem.failed.empty()) return 0;
  thread_local network::NetworkMemo<network::Node> known;
  return known.get(problem.network, problem.failed, [&] {
    return network::centre({problem.network, problem.failed});
  });
}

schedule::Schedule reversed_then_forward(const Network& network, const schedule::Task& task,
                                         schedule::Schedule schedule) {
  schedule::Schedule reversed = reverse(network, task, schedule).schedule;
  schedule::Schedule result = concatenate(std::move(reversed), std::move(schedule));
  if (task.root == 0) return result;
  for (schedule::Stage& stage : result.stages) {
    const bool combines = stage.flow == schedule::Flow::reduce;
    for (std::uint32_t part = 0; part < task.parts; ++part)
      stage.packets.push_back({task.root, combines ? task.root : schedule::to_all, 0, part});
  }
  return result;
}

bool is_searched_quickly(const Network& network) {
  constexpr std::uint64_t most_steps = std::uint64_t{1} << 18;
  return network.directed_links() <= most_steps / (network.diameter() + 1);
}

void add_searched_row(Algorithms& result, Traits traits, CatalogRow::ReasonFunction reason, Search search,
                      CatalogRow::QuickFunction quick) {
  traits.searched = true;
  const auto schedule = [search](const Problem& problem, const Parameters& parameters) {
    return found_for_plan(search, problem, parameters);
  };
  const auto rounds = [search](const Problem& problem, const Parameters& parameters) {
    return last_found(search, problem, parameters).round_count();
  };
  result.push_back(
      std::make_unique<CatalogRow>(std::move(traits), std::move(reason), schedule, rounds, std::move(quick)));
}

// The ports to children refer to the tree, which lives as long as the function.
schedule::Schedule plan_layered_broadcast(const Problem& problem) {
  const algorithm::LayeredTree tree(problem.network, problem.task.root);
  return algorithm::tree_broadcast(problem.network, problem.task.root, problem.task.parts, problem.ports,
                                   child_ports(problem.network, tree));
}

std::uint64_t layered_broadcast_rounds(const Problem& problem) {
  const algorithm::LayeredTree tree(problem.network, problem.task.root);
  return algorithm::tree_broadcast_rounds(problem.network, problem.task.root, problem.task.parts,
                                          problem.ports, child_ports(problem.network, tree));
}

}  // namespace isotrope::planner
